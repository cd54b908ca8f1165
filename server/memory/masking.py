"""What comes with a claim, its secrets masked before it is kept."""

from collections.abc import Mapping
from typing import Any

from .claims import Provenance
from .policy import Policy
from .redaction import mask_secrets


def mask_provenance(provenance: Provenance, policy: Policy) -> dict[str, Any]:
    """Without secrets in any of its words. Time and commit have none. Raises `PatternTimeoutError`."""
    masked: dict[str, Any] = mask_words(provenance, policy) | {"at": provenance["at"]}
    if commit := (provenance.get("git") or {}).get("commit"):
        masked["git"]["commit"] = commit
    return masked


def mask_words(value: Any, policy: Policy) -> Any:
    """A JSON value with the secrets in all its texts masked. Raises `PatternTimeoutError`."""
    if isinstance(value, str):
        return mask_secrets(value, policy).text
    if isinstance(value, Mapping):
        return {mask_secrets(name, policy).text: mask_words(part, policy) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [mask_words(part, policy) for part in value]
    return value
