"""Redaction: precision and recall (0..1) over labelled lines, and the time for hostile texts of a megabyte.

A finding is right if it has the kind and the very characters that the line is labelled with. The labelled lines were
written for this in two styles; the detectors have learned from both, so the figures are no promise for a third.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.redaction import redact

from .lab import Lab
from .report import Figure, Report, Row, at_least, at_most

NAME = "redaction"
CORPORA = Path(__file__).resolve().parents[1] / "tests" / "corpora"
LABELLED = CORPORA / "redaction.jsonl"
LABELLED_OTHERWISE = CORPORA / "redaction_other_style.jsonl"
LEAST = 0.98
HOSTILE = ("1-", "0-", "090-", "123-4567 ", "1234 ", "4111 1111 1111 1111 ", "a@a.", "aA1", "sk-", "-----BEGIN ", "あ")
_CHARACTERS = 1_000_000
_MOST_SECONDS = 0.5
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


def measure(lab: Lab, report: Report) -> None:
    """Grade both sets, then time the hostile texts."""
    report.rows[NAME] = []
    for label, path in (("redaction", LABELLED), ("redaction, another style", LABELLED_OTHERWISE)):
        graded = grade(path)
        report.rows[NAME] += [_row(label, line) for line in graded.lines]
        what = f"{label}, {len(graded.lines)} lines"
        report.add(Figure(f"{what}: precision", graded.precision, "", at_least(LEAST)))
        report.add(Figure(f"{what}: recall", graded.recall, "", at_least(LEAST)))
    for unit in HOSTILE:
        seconds = _seconds(unit)
        report.rows[NAME].append({"hostile": unit, "seconds": seconds})
        target = at_most(_MOST_SECONDS) if unit == HOSTILE[0] else None
        report.add(Figure(f"redaction of a megabyte of {unit.strip()!r}", seconds, "s", target))


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


def _row(label: str, line: LabelledLine) -> Row:
    return {"set": label, "text": line.text, "expected": sorted(line.expected), "found": sorted(line.found)}


def _seconds(unit: str) -> float:
    text = (unit * (_CHARACTERS // len(unit) + 1))[:_CHARACTERS]
    started = time.perf_counter()
    redact(text)
    return time.perf_counter() - started
