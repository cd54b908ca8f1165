"""Lines labelled with the personal data and secrets in them, and how the detectors do over them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.redaction import redact

CORPORA = Path(__file__).resolve().parents[1] / "tests" / "corpora"
LABELLED = CORPORA / "redaction.jsonl"
LABELLED_OTHERWISE = CORPORA / "redaction_other_style.jsonl"
_POLICY = """
version: 1.0.0
boundary_classes: {}
redact_policies: {people: {names: [山田 太郎, 鈴木花子, Alice Johnson]}}
"""


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A line with what has to be found in it, and what was, as (kind, characters)."""

    text: str
    expected: frozenset[tuple[str, str]]
    found: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Grade:
    """How the detectors did over a set of lines."""

    lines: list[LabelledLine]

    @cached_property
    def precision(self) -> float:
        """The share of the findings that are right."""
        return self._right / sum(len(line.found) for line in self.lines)

    @cached_property
    def recall(self) -> float:
        """The share of what is labelled that was found."""
        return self._right / sum(len(line.expected) for line in self.lines)

    @property
    def wrong(self) -> list[LabelledLine]:
        """The lines with something missed or something found that is none."""
        return [line for line in self.lines if line.expected != line.found]

    @cached_property
    def _right(self) -> int:
        return sum(len(line.expected & line.found) for line in self.lines)


def grade(path: Path) -> Grade:
    """Find what the lines of a labelled set hold."""
    return Grade(list(_lines(path.read_text("utf-8").splitlines())))


def _lines(labelled: Iterable[str]) -> Iterable[LabelledLine]:
    policy = parse_policy(_POLICY)
    for line in labelled:
        row = json.loads(line)
        found = redact(row["text"], policy).findings
        yield LabelledLine(
            row["text"],
            frozenset((kind, value) for kind, value in row["holds"]),
            frozenset((finding.kind, row["text"][finding.start : finding.end]) for finding in found),
        )
