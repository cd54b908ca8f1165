"""One search from question to trace: scope, stages, judgement, completeness, next actions."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .actions import propose_actions
from .deadline import Deadline
from .judge import SectionInfo, integrate
from .postings import Index
from .query import Query
from .scope import Scope, ScopeCache, Unscanned, UnscannedReason, whole_document
from .stages import Findings, PassageSearch
from .summary import Examined, summarise
from .traces import Trace, new_trace_id, now_utc

_FEW_CANDIDATES = 3


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
class Answer:
    """What the caller gets at once."""

    trace_id: str
    summary: dict[str, Any]
    next_actions: list[dict[str, Any]]


class Search:
    """One search of one state of the index.

    The answer needs counts of what was left over; its list is for the trace. `complete` makes that
    list after the answer is out, in the same read transaction, which then ends.
    """

    def __init__(self, connection: sqlite3.Connection, scopes: ScopeCache, pending: frozenset[tuple[str, str]]) -> None:
        """`pending` are (manual_id, path) that have changed on disk and are not indexed yet."""
        self._connection = connection
        self._scopes = scopes
        self._pending = pending

    def answer(self, request: FindRequest, deadline: Deadline) -> Answer:
        """Run the stages and judge. Ends the transaction itself if it raises."""
        self._connection.execute("BEGIN")
        try:
            return self._answer(request, deadline)
        except BaseException:
            self._connection.rollback()
            raise

    def complete(self) -> Trace:
        """The whole trace. Call it once, after `answer`."""
        try:
            left = [] if self._findings.nothing_known else _left_spans(self._connection, self._findings)
        finally:
            self._connection.rollback()
        request, answer = self._request, self._given
        return Trace(
            id=answer.trace_id,
            created_at=now_utc(),
            question=request.question,
            manual_id=request.manual_id,
            intent=request.intent,
            index_generation=self._generation,
            elapsed_ms=self._elapsed_ms,
            summary=answer.summary,
            next_actions=answer.next_actions,
            candidates=self._judgement.candidates,
            unscanned=(*left, *self._skipped),
            gaps=self._judgement.gaps,
        )

    def _answer(self, request: FindRequest, deadline: Deadline) -> Answer:
        connection = self._connection
        index = Index(connection, request.manual_id)
        scope = self._scopes.read(connection, index.generation, request.manual_id)
        findings = _search(index, request, deadline)
        sections = _read_sections(connection, {hit.passage.section_id for hit in findings.hits})
        judgement = integrate(findings.terms, findings.hits, sections, _examined_share(findings))
        self._skipped = _skipped(connection, request, scope, findings, self._pending)
        places = len(findings.left) + sum(item.places for item in self._skipped)
        unexamined = index.count_lines(findings.left) + sum(item.lines for item in self._skipped)
        trace_id = new_trace_id()
        self._request, self._findings, self._judgement = request, findings, judgement
        self._generation, self._elapsed_ms = index.generation, round(deadline.elapsed_ms, 3)
        self._given = Answer(
            trace_id,
            summarise(
                scope,
                judgement,
                Examined(_lines_asked_for(scope, request), unexamined, places),
                index.generation,
                len(self._pending),
                findings.cut_by,
            ),
            propose_actions(
                trace_id,
                judgement,
                request.question,
                request.manual_id,
                unscanned=places,
                resumable=findings.cut_by is not None,
            ),
        )
        return self._given


def _search(index: Index, request: FindRequest, deadline: Deadline) -> Findings:
    """Stages 0 and 1 for the question's terms; if those say little, for the words inside them too."""
    within = _passages_within(index.connection, request.resumed)
    search = PassageSearch(index, request.query, request.max_candidates, deadline)
    findings = search.run(request.query.terms, within)
    if sum(bool(hit.match.matched_lines) for hit in findings.hits) >= _FEW_CANDIDATES or not request.query.fallback or findings.cut_by:
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


def _skipped(
    connection: sqlite3.Connection,
    request: FindRequest,
    scope: Scope,
    findings: Findings,
    pending: frozenset[tuple[str, str]],
) -> list[Unscanned]:
    """What was not examined for another reason than the candidate cap."""
    if request.resumed is not None:
        return list(request.resumed) if findings.nothing_known else []
    changed = sorted(key for key in pending if request.manual_id in (None, key[0]))
    lines = dict(connection.execute(_LINES_OF, (json.dumps(changed),)).fetchall()) if changed else {}
    skipped = [whole_document(*key, "changed_since_index", lines.get("/".join(key), 1)) for key in changed]
    skipped += scope.unsearchable
    if findings.nothing_known:
        rows = connection.execute(_ALL_LINES, {"manual_id": request.manual_id})
        skipped += [whole_document(manual, path, "time_budget", count) for manual, path, count in rows]
    return skipped


def _left_spans(connection: sqlite3.Connection, findings: Findings) -> list[Unscanned]:
    reason: UnscannedReason = findings.cut_by or "candidate_cap"
    rows = connection.execute(_SPANS, (json.dumps(findings.left),)) if findings.left else ()
    return [Unscanned(row[0], row[1], reason, row[2], row[3], int(row[4])) for row in rows]


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
