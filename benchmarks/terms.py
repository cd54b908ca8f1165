"""Terms: whether every line that holds a term is reached, 0..1 a query; the least of all queries counts.

A line is reached if it lies in the section of a candidate or in what the answer lists as not
examined. The second is honest but no find, so the share found in candidates is printed too. The
peer is a scan of the files, which reaches every line and takes its time: milliseconds a query.
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from . import gold
from .calls import SectionLines, open_calls
from .corpus import DEVSET
from .gold import Line, TermRow
from .lab import Lab
from .peers import scan
from .report import Figure, Report, Row, at_least, at_most, percentile

NAME = "terms"
_SCAN = "scan"

Spans = defaultdict[tuple[str, str], list[tuple[int, int]]]
"""(first, last) lines, inclusive, by (manual_id, path)."""


def measure(lab: Lab, report: Report) -> None:
    """Ask every term, of the manuals as they are and of the wider set."""
    report.rows[NAME] = []
    for label, folder, rows in (
        ("terms", DEVSET / "manuals", gold.read_terms()),
        ("wide terms", DEVSET / "wide" / "manuals", gold.read_wide_terms()),
    ):
        asked = rows[: lab.sizes.rows]
        results = _ask(lab, label, folder, asked)
        for row, result in zip(asked, results, strict=True):
            result |= _scan(folder, row)
        report.rows[NAME] += results
        _summarise(report, f"{len(results)} {label}", results)


def _ask(lab: Lab, label: str, manuals: Path, rows: Sequence[TermRow]) -> list[Row]:
    root = lab.workspace_over(label.replace(" ", "-"), manuals)
    sections = SectionLines(root / "data" / "morenashi.db")
    results = []
    with open_calls(root) as calls:
        for row in rows:
            elapsed_ms, answer = calls.time_find(row.query, row.manual_id)
            trace = calls.trace(answer)
            found, left = Spans(list), Spans(list)
            for candidate in trace.candidates:
                place = candidate.manual_id, candidate.path
                found[place].append(sections.own_lines(*place, candidate.section_line))
            for item in trace.unscanned:
                for manual_id, path, spans in json.loads(item.documents):
                    left[manual_id, path] += spans
            missed = [line for line in row.lines if not (_holds(found, line) or _holds(left, line))]
            results.append(
                {
                    "set": label,
                    "query": row.query,
                    "manual_id": row.manual_id,
                    "lines": len(row.lines),
                    "reached": 1 - len(missed) / len(row.lines),
                    "in_candidates": sum(_holds(found, line) for line in row.lines) / len(row.lines),
                    "missed": sorted(missed),
                    "ms": elapsed_ms,
                }
            )
    return results


def _holds(spans: Spans, line: Line) -> bool:
    manual_id, path, number = line
    return any(first <= number <= last for first, last in spans.get((manual_id, path), ()))


def _scan(manuals: Path, row: TermRow) -> Row:
    started = time.perf_counter()
    lines = scan(manuals, row.query, row.manual_id)
    elapsed_ms = (time.perf_counter() - started) * 1000
    return {"scan_reached": len(row.lines.intersection(lines)) / len(row.lines), "scan_ms": elapsed_ms}


def _summarise(report: Report, what: str, results: Sequence[Row]) -> None:
    reached = _column(results, "reached")
    scanned = {_SCAN: min(_column(results, "scan_reached"))}
    report.add(Figure(f"{what}: lines reached, least", min(reached), "", at_least(1), scanned))
    report.add(Figure(f"{what}: queries below 1", sum(share < 1 for share in reached), "", at_most(0)))
    in_candidates = _column(results, "in_candidates")
    report.add(Figure(f"{what}: lines in candidates, mean", sum(in_candidates) / len(in_candidates)))
    times = {_SCAN: percentile(_column(results, "scan_ms"), 0.5)}
    own = percentile(_column(results, "ms"), 0.5)
    report.add(Figure(f"{what}: time, p50", own, "ms", None, times, has_ratio=True))


def _column(results: Iterable[Row], name: str) -> list[float]:
    return [float(row[name]) for row in results]
