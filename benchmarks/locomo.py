"""LoCoMo (Maharana et al., 2024; CC BY-NC, not shipped): one claim a turn, question in, evidence turns out.

Categories 1 to 4, each conversation a memory of its own. A claim says who said it, and what a picture shows; its
provenance says when and in which session, so that turns have neighbours.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from .report import Figure, Report, at_least

CATEGORIES = frozenset({1, 2, 3, 4})
_TURN = re.compile(r"D[0-9]+:[0-9]+")
_WHEN = ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %b, %Y")


class Memory(Protocol):
    """What is needed of a memory."""

    def remember(self, text: str, **arguments: Any) -> str:
        """Keep a claim; its id."""

    def found(self, query: str, count: int = 10) -> list[str]:
        """The ids that a search gives, the best first."""


def path() -> Path | None:
    """The collection's file, if the variable LOCOMO names one (`make bench LOCOMO=path`)."""
    named = os.environ.get("LOCOMO")
    return Path(named) if named else None


def measure(file: Path, open_memory: Callable[[], AbstractContextManager[Memory]], report: Report) -> None:
    """Recall@5 and @10 over all questions."""
    recalls: list[tuple[float, float]] = []
    for sample in json.loads(file.read_text("utf-8")):
        with open_memory() as memory:
            turns = _remember(memory, sample)
            for question in sample["qa"]:
                expected = set(_TURN.findall(" ".join(question.get("evidence") or [])))
                if question["category"] in CATEGORIES and expected:
                    found = memory.found(question["question"])
                    recalls.append((_recall(turns, found[:5], expected), _recall(turns, found, expected)))
    for place, count, bound in ((0, 5, 0.65), (1, 10, 0.75)):
        mean = sum(recall[place] for recall in recalls) / max(len(recalls), 1)
        what = f"memory, LoCoMo, {len(recalls):,} questions: evidence turns, recall@{count}"
        report.add(Figure(what, mean, "", at_least(bound)))


def _remember(memory: Memory, sample: dict[str, Any]) -> dict[str, set[str]]:
    """Keep every turn; the turns that each claim stands for (equal texts are one claim)."""
    turns: defaultdict[str, set[str]] = defaultdict(set)
    for session, when, spoken in _sessions(sample["conversation"]):
        for place, turn in enumerate(spoken):
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption} ({when:%d %B %Y})"
            at = (when + timedelta(seconds=place)).isoformat()
            provenance = {"at": at, "url": f"locomo:{sample.get('sample_id', '')}/{session}#{turn['dia_id']}"}
            claim = memory.remember(text, provenance=provenance, scope="principle", boundary_class="public")
            turns[claim].add(turn["dia_id"])
    return turns


def _sessions(conversation: dict[str, Any]) -> Iterator[tuple[str, datetime, list[dict[str, Any]]]]:
    number = 1
    while f"session_{number}_date_time" in conversation:
        spoken = conversation.get(f"session_{number}") or []
        yield f"session_{number}", _moment(conversation[f"session_{number}_date_time"]), spoken
        number += 1


def _moment(text: str) -> datetime:
    for form in _WHEN:
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise ValueError("a session's time of an unknown form")


def _recall(turns: dict[str, set[str]], found: list[str], expected: set[str]) -> float:
    seen = set().union(*(turns.get(claim, set()) for claim in found))
    return len(expected & seen) / len(expected)
