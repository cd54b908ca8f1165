"""What a text holds that may not leave it, and the text with that masked."""

from dataclasses import dataclass

from .policy import BoundaryClass, Policy


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that holds something to be masked. `kind` is email, phone, secret, ... or the name of a policy's rule."""

    kind: str
    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with the findings masked; they do not overlap and are in order. Offsets are of the original text."""

    text: str
    findings: tuple[Finding, ...]


def redact(text: str, policy: Policy | None = None) -> Redacted:
    """Mask everything that is found. Raises `PatternTimeoutError`: the text must then not go anywhere."""
    raise NotImplementedError


def redact_as(text: str, policy: Policy, boundary_class: BoundaryClass) -> Redacted:
    """Mask what the policy wants masked in a text of this class, and secrets in any case."""
    raise NotImplementedError


def contains_secret(text: str) -> bool:
    """Whether a private key, a token or the like is in the text."""
    raise NotImplementedError


def contained_class(text: str, policy: Policy) -> BoundaryClass | None:
    """`secret` or `pii` if the text holds such a thing; a claim's class may be raised to it, never lowered."""
    raise NotImplementedError
