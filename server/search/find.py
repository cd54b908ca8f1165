"""One search from question to trace: scope, stages, judgement, completeness, next actions."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .actions import propose_actions
from .deadline import Deadline
from .judge import SIGNALS, Judgement, SectionInfo, integrate
from .postings import Index
from .query import Query
from .scope import Scope, Unscanned, UnscannedReason, read_scope, whole_document
from .stages import Findings, PassageSearch
from .traces import Trace, new_trace_id, now_utc

_FEW_CANDIDATES = 3
_STAGES_APPLIED = 1
_RESUMABLE = ("time_budget", "candidate_cap")


@dataclass(frozen=True, slots=True)
class FindRequest:
    """A `manual_find` call, parsed. `resumed` narrows it to what an earlier trace left over."""

    query: Query
    question: str
    manual_id: str | None
    intent: str | None
    max_candidates: int
    resumed: Sequence[Unscanned] | None = None


@dataclass(frozen=True, slots=True)
class _Examination:
    """What was examined, in lines, and what was not, each range with its reason."""

    total_lines: int
    unscanned: tuple[Unscanned, ...]

    @property
    def unexamined_lines(self) -> int:
        return sum(item.lines for item in self.unscanned)

    @property
    def places(self) -> int:
        return sum(item.places for item in self.unscanned)


def find(
    connection: sqlite3.Connection, request: FindRequest, deadline: Deadline, pending: frozenset[tuple[str, str]]
) -> Trace:
    """Search one state of the index. `pending` are (manual_id, path) changed but not indexed yet."""
    connection.execute("BEGIN")
    try:
        index = Index(connection, request.manual_id)
        scope = read_scope(connection, request.manual_id)
        findings = _search(index, request, deadline)
        sections = _read_sections(connection, {hit.passage.section_id for hit in findings.hits})
        share = _examined_share(findings)
        judgement = integrate(findings.terms, findings.hits, sections, share)
        examination = _Examination(
            _lines_asked_for(scope, request), tuple(_unscanned(connection, request, scope, findings, pending))
        )
    finally:
        connection.rollback()
    trace_id = new_trace_id()
    reasons = {item.reason for item in examination.unscanned}
    return Trace(
        id=trace_id,
        created_at=now_utc(),
        question=request.question,
        manual_id=request.manual_id,
        intent=request.intent,
        index_generation=index.generation,
        elapsed_ms=round(deadline.elapsed_ms, 3),
        summary=_summarise(scope, findings, judgement, examination, index.generation, len(pending)),
        next_actions=propose_actions(
            trace_id,
            judgement,
            request.question,
            request.manual_id,
            unscanned=examination.places,
            resumable=not reasons.isdisjoint(_RESUMABLE),
        ),
        candidates=judgement.candidates,
        unscanned=examination.unscanned,
        gaps=judgement.gaps,
    )


def _search(index: Index, request: FindRequest, deadline: Deadline) -> Findings:
    """Stages 0 and 1 for the question's terms; if those say little, for the words inside them too."""
    within = _passages_within(index.connection, request.resumed)
    search = PassageSearch(index, request.query, request.max_candidates, deadline)
    findings = search.run(request.query.terms, within)
    if len(findings.hits) >= _FEW_CANDIDATES or not request.query.fallback or findings.cut_by:
        return findings
    return search.run(request.query.terms + request.query.fallback, within)


def _examined_share(findings: Findings) -> float:
    if findings.nothing_known:
        return 0.0
    return len(findings.hits) / max(len(findings.hits) + len(findings.left), 1)


def _lines_asked_for(scope: Scope, request: FindRequest) -> int:
    if request.resumed is None:
        return scope.lines
    return sum(item.lines for item in request.resumed)


def _passages_within(connection: sqlite3.Connection, resumed: Sequence[Unscanned] | None) -> frozenset[int] | None:
    """The passages that an earlier search listed as unscanned, as they lie now."""
    if resumed is None:
        return None
    ranges = [[item.manual_id, item.path, *span] for item in resumed for span in item.ranges]
    return frozenset(row[0] for row in connection.execute(_OVERLAPPING, (json.dumps(ranges),)))


def _read_sections(connection: sqlite3.Connection, section_ids: set[int]) -> dict[int, SectionInfo]:
    rows = connection.execute(_SECTION_INFO, (json.dumps(sorted(section_ids)),))
    return {row[0]: SectionInfo(*row[1:]) for row in rows}


def _unscanned(
    connection: sqlite3.Connection,
    request: FindRequest,
    scope: Scope,
    findings: Findings,
    pending: frozenset[tuple[str, str]],
) -> list[Unscanned]:
    """Everything that was asked for and not examined."""
    if request.resumed is not None:
        return list(request.resumed) if findings.nothing_known else _left_ranges(connection, findings)
    changed = {key for key in pending if request.manual_id in (None, key[0])}
    lines = dict(connection.execute(_LINES_OF, (json.dumps(sorted(changed)),)).fetchall()) if changed else {}
    skipped = [
        whole_document(*key, "changed_since_index", lines.get("/".join(key), 1)) for key in sorted(changed)
    ]
    skipped += [item for item in scope.unsearchable if (item.manual_id, item.path) not in changed]
    if findings.nothing_known:
        rows = connection.execute(_ALL_LINES, {"manual_id": request.manual_id})
        left = [whole_document(manual, path, "time_budget", count) for manual, path, count in rows]
    else:
        left = _left_ranges(connection, findings)
    return [item for item in left if (item.manual_id, item.path) not in changed] + skipped


def _left_ranges(connection: sqlite3.Connection, findings: Findings) -> list[Unscanned]:
    reason: UnscannedReason = findings.cut_by or "candidate_cap"
    rows = connection.execute(_SPANS, (json.dumps(findings.left),)) if findings.left else ()
    return [Unscanned(row[0], row[1], reason, row[2], row[3], int(row[4])) for row in rows]


def _summarise(
    scope: Scope,
    findings: Findings,
    judgement: Judgement,
    examination: _Examination,
    generation: int,
    pending_files: int,
) -> dict[str, Any]:
    """The summary of seed 004 §4 with the completeness of the contract's §4."""
    unexamined = examination.unexamined_lines
    summary: dict[str, Any] = {
        "scanned_files": scope.files - len(scope.unsearchable),
        "scanned_nodes": max(scope.sections - examination.places, 0),
        "candidates": len(judgement.candidates),
        "warnings": scope.warnings,
        "max_stage_applied": _STAGES_APPLIED,
        "scope_expanded": False,
        "unscanned_sections_count": examination.places,
        "integrated_nodes": len(judgement.candidates),
        "signal_coverage": {s: sum(s in c.signals for c in judgement.candidates) for s in SIGNALS},
        "file_bias_ratio": judgement.file_bias_ratio,
        "conflict_count": 0,
        "gap_count": len(judgement.gaps),
        "sufficiency_score": judgement.sufficiency_score,
        "integration_status": judgement.status,
        "completeness": {
            "status": _completeness(judgement, examination),
            "lines": {
                "total": examination.total_lines,
                "examined": max(examination.total_lines - unexamined, 0),
                "matched": judgement.matched_lines,
                "unexamined": unexamined,
            },
            "index_generation": generation,
            "pending_files": pending_files,
        },
    }
    if findings.cut_by:
        summary["cutoff_reason"] = findings.cut_by
    return summary


def _completeness(judgement: Judgement, examination: _Examination) -> str:
    """`absent` only if everything was examined: not looked at is not the same as not there."""
    if judgement.candidates:
        return "found"
    return "unknown" if examination.unscanned else "absent"


_SECTION_INFO = """
SELECT sections.id, documents.manual_id, documents.path, documents.file_type, sections.start_line, sections.title
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
JOIN documents ON documents.id = sections.document_id
"""

_OVERLAPPING = """
SELECT passages.id
FROM json_each(?) AS asked
CROSS JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
CROSS JOIN passages ON passages.document_id = documents.id
WHERE passages.first_line <= asked.value ->> 3 AND passages.last_line >= asked.value ->> 2
"""

_SPANS = """
SELECT
  documents.manual_id,
  documents.path,
  json_group_array(json_array(passages.first_line, passages.last_line)),
  count(*),
  total(passages.last_line - passages.first_line + 1)
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
CROSS JOIN documents ON documents.id = passages.document_id
GROUP BY passages.document_id
"""

_ALL_LINES = """
SELECT manual_id, path, lines
FROM documents
WHERE status = 'indexed' AND (:manual_id IS NULL OR manual_id = :manual_id)
ORDER BY manual_id, path
"""

_LINES_OF = """
SELECT documents.manual_id || '/' || documents.path, documents.lines
FROM json_each(?) AS asked
CROSS JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
"""
