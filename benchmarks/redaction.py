"""Redaction: precision and recall (0..1) over labelled lines, and the time for hostile texts of a megabyte.

A finding is right if it has the kind and the very characters that the line is labelled with. The labelled lines were
written for this in two styles; the detectors have learned from both, so the figures are no promise for a third.
"""

import time

from morenashi.server.memory.redaction import redact

from .lab import Lab
from .labelled import LABELLED, LABELLED_OTHERWISE, LabelledLine, grade
from .report import Figure, Report, Row, at_least, at_most

NAME = "redaction"
LEAST = 0.98
HOSTILE = ("1-", "0-", "090-", "123-4567 ", "1234 ", "4111 1111 1111 1111 ", "a@a.", "aA1", "sk-", "-----BEGIN ", "あ")
_CHARACTERS = 1_000_000
_MOST_SECONDS = 0.5


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


def _row(label: str, line: LabelledLine) -> Row:
    return {"set": label, "text": line.text, "expected": sorted(line.expected), "found": sorted(line.found)}


def _seconds(unit: str) -> float:
    text = (unit * (_CHARACTERS // len(unit) + 1))[:_CHARACTERS]
    started = time.perf_counter()
    redact(text)
    return time.perf_counter() - started
