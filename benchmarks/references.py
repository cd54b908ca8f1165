"""References: of the places that a text is known to cite, the share that the index leads to from there.

0..1, by set and kind of reference. What it leads to besides is not judged: the sets are not exhaustive.

Of the captions twelve, all 定義, are graded to lead into the citing law though the article is another law's
(保険業法（平成七年法律第百五号）第二条第五項（定義）): these are what is missed, .018 of them, and rightly so.
"""

import contextlib
import sqlite3
from collections import defaultdict

from . import gold
from .calls import read_only
from .corpus import DEVSET
from .gold import CitationRow
from .lab import Lab
from .report import Figure, Report, at_least

NAME = "references"
_LEAST_RECALL = 0.99

_Place = tuple[str, str, int]


def measure(lab: Lab, report: Report) -> None:
    """Look up every row of the manuals as they are and of the wider set."""
    report.rows[NAME] = []
    for label, folder, rows in (
        ("references", DEVSET / "manuals", gold.read_references()),
        ("wide references", DEVSET / "wide" / "manuals", gold.read_wide_references()),
    ):
        root = lab.workspace_over(label.replace(" ", "-"), folder)
        with contextlib.closing(read_only(root / "data" / "morenashi.db")) as connection:
            _measure_set(connection, report, label, rows)
            total, unresolved = connection.execute(_TOTALS).fetchone()
        report.add(Figure(f"{label}: in the index", total))
        report.add(Figure(f"{label}: share that leads nowhere", unresolved / total))


def _measure_set(connection: sqlite3.Connection, report: Report, label: str, rows: list[CitationRow]) -> None:
    cited: defaultdict[_Place, set[_Place]] = defaultdict(set)
    for manual_id, path, section_line, line, target_path, target_line in connection.execute(_PAIRS):
        cited[manual_id, path, line].add((manual_id, target_path, target_line))
        cited[manual_id, path, -section_line].add((manual_id, target_path, target_line))
    found: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        # Gold that names no line is about all of its section.
        source = (row.manual_id, row.path, row.line if row.line is not None else -row.section_line)
        wanted = {(row.manual_id, path, line) for path, line in row.targets}
        share = len(wanted & cited[source]) / len(wanted)
        found[row.kind].append(share)
        report.rows[NAME].append({"set": label, "kind": row.kind, "source": source, "text": row.text, "found": share})
    for kind, shares in sorted(found.items()):
        target = at_least(_LEAST_RECALL)
        report.add(Figure(f"{len(shares)} {label}, {kind}: recall", sum(shares) / len(shares), "", target))


# A target's line is that of its section's heading, as graded rows have it.
_PAIRS = """
SELECT
  documents.manual_id,
  documents.path,
  sections.start_line,
  sections.start_line + cross_references.line_offset,
  target_documents.path,
  target_sections.start_line
FROM reference_targets
JOIN cross_references ON cross_references.id = reference_targets.reference_id
JOIN sections ON sections.id = cross_references.section_id
JOIN documents ON documents.id = sections.document_id
JOIN sections AS target_sections ON target_sections.id = reference_targets.section_id
JOIN documents AS target_documents ON target_documents.id = target_sections.document_id
"""

_TOTALS = """
SELECT
  count(*),
  sum(NOT EXISTS (SELECT 1 FROM reference_targets WHERE reference_id = cross_references.id))
FROM cross_references
"""
