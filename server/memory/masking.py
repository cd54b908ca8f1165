"""What comes with a claim, its secrets masked before it is kept."""

from collections.abc import Mapping
from typing import Any

from .claims import Provenance
from .policy import Policy
from .redaction import SECRET, mask_secrets


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
        named = ((mask_secrets(name, policy).text, part) for name, part in value.items())
        return {name: _mask_called(name, part, policy) for name, part in named}
    if isinstance(value, (list, tuple)):
        return [mask_words(part, policy) for part in value]
    return value


def _mask_called(name: str, value: Any, policy: Policy) -> Any:
    """What stands under a name. Much is a secret only by that: `{"password": "..."}`, `{"pin": 4821}`."""
    if isinstance(value, (list, tuple)):
        return [_mask_called(name, part, policy) for part in value]
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return mask_words(value, policy)
    before = f"{name}: "
    said = mask_secrets(f"{before}{value}", policy)
    if not said.findings:
        return value
    return said.text[len(before) :] if said.findings[0].start >= len(before) else f"[{SECRET}]"
