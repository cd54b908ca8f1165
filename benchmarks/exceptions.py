"""Exceptions: the share (0..1) of provisos and exclusions recognised, and of other lines taken for one.

Lines are graded as the index has them. The results say of each row what was found there.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from . import gold
from .calls import read_only
from .corpus import DEVSET
from .gold import ExceptionRow, Line
from .lab import Lab
from .report import Figure, Report, Row, at_least, at_most

NAME = "exceptions"
_LEAST_RECALL, _MOST_FALSE_ALARMS = 0.99, 0.02


def measure(lab: Lab, report: Report) -> None:
    """Compare the index with every row, of the manuals as they are and of the wider set."""
    report.rows[NAME] = []
    for label, folder, rows in (
        ("exceptions", DEVSET / "manuals", gold.read_exceptions()),
        ("wide exceptions", DEVSET / "wide" / "manuals", gold.read_wide_exceptions()),
    ):
        _measure_set(lab, report, label, folder, rows)


def _measure_set(lab: Lab, report: Report, label: str, manuals: Path, rows: Sequence[ExceptionRow]) -> None:
    database = lab.workspace_over(label.replace(" ", "-"), manuals) / "data" / "morenashi.db"
    found = _read_terms(database)
    results: list[Row] = []
    for row in rows:
        manual_id, path, line = row.line
        terms = found.get(row.line, [])
        results.append(
            {
                "set": label,
                "manual_id": manual_id,
                "path": path,
                "line": line,
                "rule": row.rule,
                "is_exception": row.is_exception,
                "found": terms,
            }
        )
    report.rows[NAME] += results
    for is_exception, what, target in (
        (True, "recognised", at_least(_LEAST_RECALL)),
        (False, "false alarms", at_most(_MOST_FALSE_ALARMS)),
    ):
        graded = [bool(result["found"]) for result in results if result["is_exception"] == is_exception]
        kind = "provisos" if is_exception else "other lines"
        report.add(Figure(f"{label}, {len(graded)} {kind}: {what}", sum(graded) / len(graded), "", target))


def _read_terms(database: Path) -> dict[Line, list[str]]:
    found: dict[Line, list[str]] = {}
    with contextlib.closing(read_only(database)) as connection:
        for manual_id, path, line, term in connection.execute(_TERMS):
            found.setdefault((manual_id, path, line), []).append(term)
    return found


_TERMS = """
SELECT documents.manual_id, documents.path, exception_terms.line, exception_terms.term
FROM exception_terms
JOIN documents ON documents.id = exception_terms.document_id
"""
