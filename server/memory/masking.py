"""What comes with a claim, its secrets masked before it is kept."""

from collections.abc import Mapping
from typing import Any

from .claims import Provenance
from .detectors.strength import can_be_key, is_strong_password
from .policy import Policy
from .redaction import SECRET, mask_secrets


def mask_provenance(provenance: Provenance, policy: Policy) -> dict[str, Any]:
    """Without secrets in any of its words. Time and commit have none. Raises `PatternTimeoutError`."""
    masked: dict[str, Any] = mask_words(provenance, policy) | {"at": provenance["at"]}
    if commit := (provenance.get("git") or {}).get("commit"):
        masked["git"]["commit"] = commit
    return masked


def mask_words(value: Any, policy: Policy) -> Any:
    """A JSON value with the secrets in all its texts masked. Raises `PatternTimeoutError`.

    Much is a secret only by what it is called: `{"pin": 4821}`, `{"password": {"alice": "..."}}`, and
    `{"name": "DB_PASSWORD", "value": "..."}`.
    """
    return _mask(value, (), policy)


def _mask(value: Any, names: tuple[str, ...], policy: Policy) -> Any:
    """What stands under these names, the innermost last."""
    if isinstance(value, Mapping):
        said = tuple(
            mask_secrets(value[key], policy).text[-_LONGEST_NAME:] for key in _NAMING if isinstance(value.get(key), str)
        )
        masked: dict[str, Any] = {}
        for place, (key, part) in enumerate(value.items(), 1):
            name = mask_secrets(key, policy).text
            # It says nothing itself: what stands beside it does, or above.
            inner = (*names, *said) if key in _NAMED else (*names, name[-_LONGEST_NAME:])
            # Masked, it may be called as another is.
            masked[f"{name} {place}" if name in masked else name] = _mask(part, inner[-_MOST_NAMES:], policy)
        return masked
    if isinstance(value, (list, tuple)):
        return [_mask(part, names, policy) for part in value]
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return value
    if isinstance(value, str) and (len(value.splitlines()) > 1 or "\\n" in value):
        # What stands below a heading or in a table: behind a name its first line would be another.
        value = mask_secrets(value, policy).text
    for place, name in enumerate(reversed(names)):
        if (found := _mask_called(name, value, policy)) != value and (place == 0 or _is_strong(value)):
            return found
    return mask_secrets(value, policy).text if isinstance(value, str) and not names else value


def _mask_called(name: str, value: str | float, policy: Policy) -> str | float:
    before = f"{name.strip(_AROUND)}: "
    words = str(value)
    begin = len(words) - len(words.lstrip())
    said = mask_secrets(f"{before}{words[begin:]}", policy)
    is_one_word = len(words.split()) == 1
    if not said.findings:
        return f"{words[:begin]}[{SECRET}]" if is_one_word and _is_secret_in_quotes(before, words, policy) else value
    first = said.findings[0]
    if first.start < len(before):
        return f"{words[:begin]}[{SECRET}]"
    # What ends a value in a sentence is a part of one that stands by itself.
    if first.start == len(before) and is_one_word:
        return words[:begin] + first.replacement
    return words[:begin] + said.text[len(before) :]


def _is_secret_in_quotes(before: str, words: str, policy: Policy) -> bool:
    """Whether it is one where nothing in it can be the end of it."""
    quote = next((quote for quote in "\"'`" if quote not in words), None)
    return quote is not None and bool(mask_secrets(f"{before}{quote}{words.strip()}{quote}", policy).findings)


def _is_strong(value: str | float) -> bool:
    """What nobody would take for something that is said of a secret, and is none: its age, how it is kept."""
    return isinstance(value, str) and (is_strong_password(value) or can_be_key(value))


_NAMING = ("name", "key", "field", "label", "variable", "property")
_NAMED = ("value", "val")
_AROUND = " \t\r\n:="
_MOST_NAMES = 3
# It stands before each value below it, and is looked through with each. What it says of them stands at its end.
_LONGEST_NAME = 200
