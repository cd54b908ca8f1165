"""What a text holds that may not leave it, and the text with that masked (seed 002 §4, redact before send)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from morenashi.indexer.claim_index import BoundaryClass

from .boundary import strictest
from .detectors.assignments import find_assigned_secrets
from .detectors.columns import find_in_columns
from .detectors.commands import find_in_commands
from .detectors.entropy import find_random_strings
from .detectors.escapes import read_escapes
from .detectors.folding import Folded, fold
from .detectors.mail import find_emails
from .detectors.numbers import find_credit_cards, find_my_numbers
from .detectors.people import find_names
from .detectors.phone import find_phones
from .detectors.postal import find_postal_codes
from .detectors.recovery import find_recovery_codes
from .detectors.scanning import Span
from .detectors.tokens import find_tokens
from .patterns import Patience, find_all
from .policy import Policy, RedactRule

SECRET = "secret"
"""The kind of all secrets, and of a policy's own rules that are named so."""

_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that holds something to be masked. `kind` is email, phone, secret, ... or the name of a policy's rule."""

    kind: str
    start: int
    end: int
    replacement: str

    @property
    def boundary_class(self) -> BoundaryClass:
        """The class of what holds such a thing."""
        return "secret" if self.kind == SECRET else "pii"


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with the findings masked; they do not overlap and are in order. Offsets are of the original text."""

    text: str
    findings: tuple[Finding, ...]

    @property
    def boundary_class(self) -> BoundaryClass | None:
        """The strictest class of what was found; `None` if nothing was."""
        return strictest(finding.boundary_class for finding in self.findings) if self.findings else None

    @property
    def original_chars(self) -> int:
        """How long the original text is."""
        return len(self.text) + sum(one.end - one.start - len(one.replacement) for one in self.findings)

    def raised(self, boundary_class: BoundaryClass) -> BoundaryClass:
        """The class of the text if it is said to be of this one: never a laxer one than that of what was found."""
        return strictest((boundary_class, self.boundary_class or "public"))


def redact(text: str, policy: Policy | None = None) -> Redacted:
    """Mask everything that is found, also by the policy's own rules, before it goes to another service.

    Raises `PatternTimeoutError`: the text must then not go anywhere.
    """
    return _mask(text, _find(text, policy))


def redact_as(text: str, policy: Policy, boundary_class: BoundaryClass) -> Redacted:
    """Mask what the policy wants masked in a text of this class, and secrets in any case.

    Raises `PatternTimeoutError`: the text must then not go anywhere.
    """
    rule = policy.rule_of(boundary_class)
    wanted = _kinds_of(policy, rule.redact if rule else ())
    return _mask(text, (finding for finding in _find(text, policy) if finding.kind in wanted))


def mask_secrets(text: str, policy: Policy) -> Redacted:
    """Mask secrets alone: what is kept holds everything else as it was said.

    Raises `PatternTimeoutError`: the text must then not be kept.
    """
    return _mask(text, (finding for finding in _find(text, policy) if finding.boundary_class == "secret"))


def _find(text: str, policy: Policy | None) -> Iterator[Finding]:
    """Everything, in the order in which what is equally long wins: the policy's rules, then ours."""
    spellings = [one for one in (fold(text), read_escapes(text)) if one is not None]
    if policy is not None:
        yield from _find_by_rules(text, spellings, policy)
        names = tuple(chain.from_iterable(one.names for one in policy.redact_policies.values()))
        for folded in spellings:
            yield from _findings("name", folded, find_names(folded.text, names))
    for folded in spellings:
        yield from _findings(SECRET, folded, chain.from_iterable(find(folded.text) for find in _SECRETS))
        for kind, span in find_in_columns(folded.text):
            yield from _findings(kind, folded, [span])
        for kind, find in _PERSONAL.items():
            yield from _findings(kind, folded, find(folded.text))


def _find_by_rules(text: str, spellings: Sequence[Folded], policy: Policy) -> Iterator[Finding]:
    """A rule is tried on the text as it came and as it is folded: whoever writes one thinks of one spelling."""
    patience = Patience(_SECONDS)
    said = [Folded(text), *(one for one in spellings if one.text != text)]
    for rule, spelling in product(_rules(policy), said):
        for span in find_all(rule.find, spelling.text, patience):
            yield Finding(rule.name, *spelling.original(span), rule.replace)


def _rules(policy: Policy) -> Iterator[RedactRule]:
    return chain.from_iterable(one.rules for one in policy.redact_policies.values())


def _findings(kind: str, folded: Folded, spans: Iterable[Span]) -> Iterator[Finding]:
    return (Finding(kind, *folded.original(span), f"[{kind}]") for span in spans)


def _kinds_of(policy: Policy, named: Iterable[str]) -> frozenset[str]:
    """The kinds that names stand for: a whole policy of rules stands for each of them."""
    kinds = {SECRET, *named}
    for name in kinds & policy.redact_policies.keys():
        kinds |= {rule.name for rule in policy.redact_policies[name].rules}
        if policy.redact_policies[name].names:
            kinds.add("name")
    return frozenset(kinds)


def _mask(text: str, findings: Iterable[Finding]) -> Redacted:
    """The text with the findings replaced: see `_without_overlaps`."""
    kept = _without_overlaps(findings)
    parts, position = [], 0
    for finding in kept:
        parts += [text[position : finding.start], finding.replacement]
        position = finding.end
    return Redacted("".join([*parts, text[position:]]), tuple(kept))


def _without_overlaps(findings: Iterable[Finding]) -> list[Finding]:
    """Those that overlap as one, so that no part of either is left. It is called as the longer one, but a secret is
    one whatever else is found around it: the stricter class wins.
    """
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: one.start):
        if kept and finding.start < kept[-1].end:
            stricter = max(kept[-1], finding, key=lambda one: (one.boundary_class == "secret", one.end - one.start))
            kept[-1] = replace(stricter, start=kept[-1].start, end=max(kept[-1].end, finding.end))
        else:
            kept.append(finding)
    return kept


_Find = Callable[[str], Iterator[Span]]
_SECRETS: tuple[_Find, ...] = (
    find_tokens,
    find_assigned_secrets,
    find_in_commands,
    find_recovery_codes,
    find_random_strings,
)
_PERSONAL: dict[str, _Find] = {
    "email": find_emails,
    "credit_card": find_credit_cards,
    "my_number": find_my_numbers,
    "phone": find_phones,
    "postal_code": find_postal_codes,
}
