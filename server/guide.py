"""`get_tooling_guide`: which tools are for a purpose, and how to call them (contract §2). Made from the registered
tools, so that it cannot name another. Pure, no side effects.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Intent = Literal["explore", "produce", "revise", "audit", "unknown"]
Target = Literal["manual", "vault", "memory", "unknown"]

MOST_CHARACTERS = 3_600
"""Of an answer's JSON: 900 tokens of four characters."""

_FIRST: dict[tuple[Intent, Target], str] = {
    ("explore", "memory"): "pce_memory_activate",
    ("produce", "memory"): "pce_memory_upsert",
    ("revise", "memory"): "pce_memory_search",
    ("audit", "memory"): "pce_memory_boundary_validate",
    ("unknown", "memory"): "pce_memory_activate",
    ("explore", "vault"): "vault_find",
}
_FIRST_OF_INTENT: dict[Intent, str] = {"produce": "vault_create", "revise": "vault_search", "audit": "vault_coverage"}
_FIRST_OF_ALL = "manual_find"
# Whoever has these has called another tool.
_OF_ANOTHER_TOOL = frozenset({"trace_id", "ref", "from_ref", "claim_id"})
# By the first word of a tool's name.
_TARGETS: dict[str, frozenset[Target]] = {
    "manual": frozenset({"manual"}),
    "vault": frozenset({"vault"}),
    "artifact": frozenset({"manual", "vault"}),
    "bridge": frozenset({"manual", "vault"}),
    "pce": frozenset({"memory"}),
}


@dataclass(frozen=True, slots=True)
class GuideEntry:
    """What the guide says of a tool. `errors` are pairs of a code and what to do about it."""

    name: str
    when_to_use: str
    required: tuple[str, ...]
    intents: tuple[Intent, ...]
    defaults: dict[str, Any]
    errors: tuple[tuple[str, str], ...]

    @property
    def can_be_first(self) -> bool:
        """Whether it can be called without what another tool answers."""
        return _OF_ANOTHER_TOOL.isdisjoint(self.required)

    def is_for(self, intent: Intent, target: Target) -> bool:
        """Whether the tool serves the purpose."""
        targets = _TARGETS.get(self.name.partition("_")[0], frozenset())
        return (target == "unknown" or target in targets) and (intent == "unknown" or intent in self.intents)


def make_guide(entries: Iterable[GuideEntry], intent: Intent, target: Target) -> dict[str, Any]:
    """The first tool for a purpose, then the others, in the order in which they are listed.

    What does not fit is left out from the end: first what to do about errors, then tools.
    """
    known = {entry.name: entry for entry in entries}
    first = _first_tool(known, intent, target)
    starters = {*_FIRST.values(), *_FIRST_OF_INTENT.values(), _FIRST_OF_ALL}
    rest = [entry for entry in known.values() if entry.name != first and entry.is_for(intent, target)]
    if (intent, target) == ("unknown", "unknown"):
        rest.sort(key=lambda entry: entry.name not in starters)
    tools = [_describe(entry) for entry in [known[first], *rest]]
    guide = {"first_tool": first, "tools": tools}
    for tool in reversed(tools[1:]):
        if _characters(guide) > MOST_CHARACTERS:
            tool["common_errors"] = []
    while _characters(guide) > MOST_CHARACTERS:
        tools.pop()
    return guide


def _first_tool(known: Mapping[str, GuideEntry], intent: Intent, target: Target) -> str:
    """The best, or what serves a client that does not have it: what is for the purpose, for the intent, or at all."""
    for name in (_FIRST.get((intent, target)), _FIRST_OF_INTENT.get(intent), _FIRST_OF_ALL):
        if name is not None and name in known:
            return name
    purposes: tuple[tuple[Intent, Target], ...] = (
        (intent, target),
        (intent, "unknown"),
        ("unknown", target),
        ("unknown", "unknown"),
    )
    able = {name: entry for name, entry in known.items() if entry.can_be_first} or known
    return next(name for purpose in purposes for name, entry in able.items() if entry.is_for(*purpose))


def _describe(entry: GuideEntry) -> dict[str, Any]:
    return {
        "tool_name": entry.name,
        "when_to_use": entry.when_to_use,
        "required_inputs": list(entry.required),
        "safe_defaults": entry.defaults,
        "common_errors": [{"code": code, "fix": fix} for code, fix in entry.errors],
    }


def _characters(guide: dict[str, Any]) -> int:
    return len(json.dumps(guide, ensure_ascii=False, separators=(",", ":")))
