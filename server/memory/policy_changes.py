"""What one policy says otherwise than another, in lines for people."""

from collections.abc import Iterator
from typing import Any

from .claims import as_json
from .policy import Policy

_NAMED = ("invariants", "rules")
_FREE = "meta."
"""Below it anything may stand under any name."""


def describe_changes(old: Policy | None, new: Policy) -> list[str]:
    """One line a part that is new, gone or different, in the order of the policy; none if nothing is.

    Names of people are counted, not repeated.
    """
    before, after = (dict(_parts(one.model_dump(mode="json"), "")) if one else {} for one in (old, new))
    changes = []
    for path in [*after, *(path for path in before if path not in after)]:
        if before.get(path) != after.get(path):
            changes.append(f"{path}: {_change(path, before.get(path), after.get(path))}")
    return changes


def _parts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """(path, value) of what is no mapping; of a list of named things, each by its name."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _parts(part, f"{path}.{name}" if path else name)
    elif path.rpartition(".")[2] in _NAMED and not path.startswith(_FREE):
        for part in value:
            yield from _parts({name: what for name, what in part.items() if name != "name"}, f"{path}.{part['name']}")
    elif value is not None and value != []:
        yield path, value


def _change(path: str, old: Any, new: Any) -> str:
    if isinstance(old or new, list) and isinstance(new or old, list):
        return _change_of_list(path, old or [], new or [])
    if old is None:
        return f"new: {_shown(new)}"
    return f"was {_shown(old)}, now gone" if new is None else f"{_shown(old)} -> {_shown(new)}"


def _change_of_list(path: str, old: list[Any], new: list[Any]) -> str:
    before, after = (set(map(as_json, these)) for these in (old, new))
    added = [one for one in new if as_json(one) not in before]
    gone = [one for one in old if as_json(one) not in after]
    if path.endswith(".names"):
        return f"{len(added)} added, {len(gone)} removed"
    if not added and not gone:
        return "in another order"
    parts = [
        f"{word} {', '.join(map(_shown, these))}" for word, these in (("added", added), ("removed", gone)) if these
    ]
    return "; ".join(parts)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
