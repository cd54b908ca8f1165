"""What differs between two runs of one search, each as canonical JSON values. Pure."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .canonical import to_line

ThenAndNow = list[Any]
"""Then and now."""

_PARTS = ("leads", "next_actions", "escalation_reasons", "intent", "intent_source", "question", "manual_id")


@dataclass(frozen=True, slots=True)
class Difference:
    """Empty throughout if the runs are the same.

    `conditions` and `summary` are [then, now] by dotted name; `candidates`, `gaps` and `conflicts` have
    `added` and `removed`, and the candidates also `changed`: the fields of each that differ. Gaps and conflicts
    that differ in their order alone have `reordered`: how many they are. `unscanned` is by reason. `others`
    names what else is not the same.
    """

    conditions: dict[str, ThenAndNow]
    summary: dict[str, ThenAndNow]
    candidates: dict[str, list[dict[str, Any]]]
    gaps: dict[str, list[Any]]
    conflicts: dict[str, list[Any]]
    unscanned: dict[str, Any]
    others: list[str]

    @property
    def is_empty(self) -> bool:
        return not any(asdict(self).values())


def compare(then: dict[str, Any], now: dict[str, Any]) -> Difference:
    """Compare two traces as `as_canonical` gives them."""
    return Difference(
        conditions=_changed_values(then["parameters"], now["parameters"]),
        summary=_changed_values(then["summary"], now["summary"]),
        candidates=_candidates(then["candidates"], now["candidates"]),
        gaps=_items(then["gaps"], now["gaps"]),
        conflicts=_items(then["conflicts"], now["conflicts"]),
        unscanned=_unscanned(then["unscanned"], now["unscanned"]),
        others=[part for part in _PARTS if then[part] != now[part]],
    )


def _changed_values(then: dict[str, Any], now: dict[str, Any]) -> dict[str, ThenAndNow]:
    before, after = dict(_flattened(then)), dict(_flattened(now))
    names = dict.fromkeys([*before, *after])
    return {name: [before.get(name), after.get(name)] for name in names if before.get(name) != after.get(name)}


def _flattened(value: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, dict):
            yield from _flattened(part, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", part


def _candidates(then: list[dict[str, Any]], now: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """A candidate is the same one if it is the same section of the same file, by its first line."""
    before, after = _by_section(then), _by_section(now)
    in_both = [_changed_candidate(before[key], after[key]) for key in after if key in before]
    found = {
        "added": [after[key] for key in after if key not in before],
        "removed": [before[key] for key in before if key not in after],
        "changed": [change for change in in_both if change["differs"]],
    }
    return {kind: items for kind, items in found.items() if items}


def _by_section(candidates: list[dict[str, Any]]) -> dict[tuple[str, str, int], dict[str, Any]]:
    return {
        (candidate["manual_id"], candidate["path"], candidate["section_line"]): {"position": position, **candidate}
        for position, candidate in enumerate(candidates, 1)
    }


def _changed_candidate(then: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    differs = {name: [then[name], now[name]] for name in now if then[name] != now[name]}
    return {"manual_id": now["manual_id"], "path": now["path"], "line": now["line"], "differs": differs}


def _items(then: list[Any], now: list[Any]) -> dict[str, list[Any]]:
    before, after = ({to_line(item): item for item in items} for items in (then, now))
    found = {
        "added": [item for key, item in after.items() if key not in before],
        "removed": [item for key, item in before.items() if key not in after],
    }
    if not any(found.values()) and then != now:
        return {"reordered": [len(now)]}
    return {kind: items for kind, items in found.items() if items}


def _unscanned(then: list[dict[str, Any]], now: list[dict[str, Any]]) -> dict[str, Any]:
    """By reason, [then, now] of the numbers of places and lines; equal numbers may be of other places."""
    before, after = ({item["reason"]: item for item in items} for items in (then, now))
    nothing = {"places": 0, "lines": 0}
    return {
        reason: {
            name: [before.get(reason, nothing)[name], after.get(reason, nothing)[name]] for name in ("places", "lines")
        }
        for reason in dict.fromkeys([*before, *after])
        if before.get(reason) != after.get(reason)
    }
