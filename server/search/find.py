"""One search from question to trace: scope, stages, judgement, completeness, next actions."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .actions import propose_actions
from .deadline import Deadline
from .judge import Judgement, SectionInfo, integrate
from .postings import Index
from .query import Query
from .scope import Scope, ScopeCache, Unscanned, UnscannedReason, whole_documents
from .stages import Findings, PassageSearch
from .summary import Examined, summarise
from .traces import Trace, new_trace_id, now_utc

_FEW_CANDIDATES = 3
# Texts of passages, once for each spelling: some 120 MB, and less than a fifth of a second.
_READ_BEFORE_ABSENT = 100_000
# A document that was not examined for two reasons is listed under the first of these.
_REASONS: tuple[UnscannedReason, ...] = ("changed_since_index", "unreadable", "encoding", "too_large", "time_budget")


@dataclass(frozen=True, slots=True)
class FindRequest:
    """A `manual_find` call, parsed.

    `resumed` narrows it to what an earlier trace left over. `can_widen` says that the same call
    without its manual would search all manuals.
    """

    query: Query
    question: str
    manual_id: str | None
    intent: str | None
    max_candidates: int
    can_widen: bool = True
    resumed: Sequence[Unscanned] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the caller gets at once."""

    trace_id: str
    summary: dict[str, Any]
    next_actions: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a search knows, between its answer and its trace."""

    request: FindRequest
    findings: Findings
    judgement: Judgement
    skipped: list[Unscanned]
    answer: Answer
    index: Index
    elapsed_ms: float


class Search:
    """One search of one state of the index.

    The answer needs counts of what was left over; its list is for the trace. `complete` makes that
    list after the answer is out, in the same read transaction, which then ends.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        scopes: ScopeCache,
        pending: frozenset[tuple[str, str]],
        degraded_build: str | None = None,
    ) -> None:
        """`pending` are (manual_id, path) that have changed on disk and are not indexed yet.

        `degraded_build` names full-text tables that are not to be relied on.
        """
        self._connection = connection
        self._scopes = scopes
        self._pending = pending
        self._degraded_build = degraded_build

    def answer(self, request: FindRequest, deadline: Deadline) -> Answer:
        """Run the stages and judge. Ends the transaction itself if it raises."""
        self._connection.execute("BEGIN")
        try:
            self._outcome = self._run(request, deadline)
        except BaseException:
            self._connection.rollback()
            raise
        return self._outcome.answer

    def index_misses_something(self) -> bool:
        """Whether a scan finds a term of the question where the full-text tables do not. Call it after `answer`.

        Reads up to 100,000 stored texts, each once for every spelling; of a larger scope, that many from anywhere.
        """
        index, terms = self._outcome.index, self._outcome.request.query.terms
        found = index.find_passages(terms, index.corpus((), terms))
        return not set(found).issuperset(index.scan_passages(terms, _READ_BEFORE_ABSENT))

    @property
    def build(self) -> str:
        """Which making of the derived tables was searched."""
        return self._outcome.index.build

    def complete(self) -> Trace:
        """The whole trace. Call it once, after `answer`."""
        outcome = self._outcome
        try:
            left = _left_places(self._connection, outcome.findings)
        finally:
            self._connection.rollback()
        return Trace(
            id=outcome.answer.trace_id,
            created_at=now_utc(),
            question=outcome.request.question,
            manual_id=outcome.request.manual_id,
            intent=outcome.request.intent,
            index_generation=outcome.index.generation,
            elapsed_ms=outcome.elapsed_ms,
            summary=outcome.answer.summary,
            next_actions=outcome.answer.next_actions,
            candidates=outcome.judgement.candidates,
            unscanned=(*left, *outcome.skipped),
            gaps=outcome.judgement.gaps,
        )

    def _run(self, request: FindRequest, deadline: Deadline) -> _Outcome:
        index = Index(self._connection, request.manual_id, self._degraded_build)
        scope = self._scopes.read(self._connection, (index.build, index.generation), request.manual_id)
        findings = _search(index, request, deadline)
        sections = _read_sections(self._connection, {hit.passage.section_id for hit in findings.hits})
        judgement = integrate(findings.terms, findings.hits, sections, _examined_share(findings))
        skipped = _skipped(self._connection, request, scope, findings, self._pending)
        if findings.left and self._pending:
            # Their documents are listed whole.
            stale = {row[0] for row in self._connection.execute(_PASSAGES_OF, (json.dumps(sorted(self._pending)),))}
            findings.left = [passage for passage in findings.left if passage not in stale]
        examined = Examined(
            total_lines=_lines_asked_for(scope, request, skipped),
            unexamined_lines=index.count_lines(findings.left) + sum(item.lines for item in skipped),
            unexamined_places=len(findings.left) + sum(item.places for item in skipped),
            unlisted_places=index.unlisted,
        )
        trace_id = new_trace_id()
        answer = Answer(
            trace_id,
            summarise(
                scope,
                judgement,
                examined,
                index.generation,
                len(self._pending),
                findings.cut_by,
                is_degraded=index.is_degraded,
            ),
            propose_actions(
                trace_id,
                judgement,
                request.question,
                can_widen=request.manual_id is not None and request.can_widen,
                unscanned=examined.unexamined_places,
                resumable=findings.cut_by is not None,
            ),
        )
        elapsed_ms = round(deadline.elapsed_ms, 3)
        return _Outcome(request, findings, judgement, skipped, answer, index, elapsed_ms)


def _search(index: Index, request: FindRequest, deadline: Deadline) -> Findings:
    """Stages 0 and 1 for the question's terms; if those say little, for the words inside them too."""
    within = _passages_within(index.connection, request.resumed)
    search = PassageSearch(index, request.query, request.max_candidates, deadline)
    findings = search.run(request.query.terms, within)
    # Those left over count too: whether a term is rare must not depend on the budget.
    known = sum(bool(hit.match.matched_lines) for hit in findings.hits) + findings.matches_left
    if known >= _FEW_CANDIDATES or not request.query.fallback or findings.nothing_known:
        return findings
    return search.run(request.query.terms + request.query.fallback, within)


def _examined_share(findings: Findings) -> float:
    if findings.nothing_known:
        return 0.0
    return len(findings.hits) / max(len(findings.hits) + len(findings.left), 1)


def _lines_asked_for(scope: Scope, request: FindRequest, skipped: Sequence[Unscanned]) -> int:
    """The lines of the scope, those included that are listed but not known to the index."""
    if request.resumed is None:
        return scope.lines + sum(item.unknown_lines for item in skipped)
    return sum(item.lines for item in request.resumed)


def _passages_within(connection: sqlite3.Connection, resumed: Sequence[Unscanned] | None) -> frozenset[int] | None:
    """The passages that an earlier search listed as unscanned, as they lie now."""
    if resumed is None:
        return None
    return frozenset(row[0] for item in resumed for row in connection.execute(_OVERLAPPING, (item.documents,)))


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
    documents = dict(scope.unsearchable)
    changed = sorted(key for key in pending if request.manual_id in (None, key[0]))
    if changed:
        documents["changed_since_index"] = connection.execute(_SIZES, (json.dumps(changed),)).fetchall()
    if request.resumed is not None:
        if findings.nothing_known:
            return list(request.resumed)
        asked = {(row[0], row[1]) for item in request.resumed for row in json.loads(item.documents)}
        documents = {reason: [row for row in rows if row[:2] in asked] for reason, rows in documents.items()}
    elif findings.nothing_known:
        documents["time_budget"] = connection.execute(_ALL_DOCUMENTS, {"manual_id": request.manual_id}).fetchall()
    listed = set[tuple[str, str]]()
    skipped = []
    for reason in sorted(documents, key=_REASONS.index):
        rows = [row for row in documents[reason] if row[:2] not in listed]
        listed.update(row[:2] for row in rows)
        skipped.append(whole_documents(reason, rows))
    return [item for item in skipped if item.places]


def _left_places(connection: sqlite3.Connection, findings: Findings) -> list[Unscanned]:
    if not findings.left:
        return []
    documents, places, lines = connection.execute(_PLACES, (json.dumps(findings.left),)).fetchone()
    return [Unscanned(findings.cut_by or "candidate_cap", documents, int(places), int(lines))]


_SECTION_INFO = """
SELECT sections.id, documents.manual_id, documents.path, documents.file_type, sections.start_line, sections.title
FROM json_each(?) AS asked
CROSS JOIN sections ON sections.id = asked.value
JOIN documents ON documents.id = sections.document_id
"""

_OVERLAPPING = """
SELECT passages.id
FROM json_each(?) AS asked
CROSS JOIN json_each(asked.value ->> 2) AS span
CROSS JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
CROSS JOIN passages ON passages.document_id = documents.id
WHERE passages.first_line <= span.value ->> 1 AND passages.last_line >= span.value ->> 0
"""

# One row, made without a Python object a place, and while other threads run.
_PLACES = """
SELECT json_group_array(json_array(manual_id, path, json(spans))), total(places), total(lines)
FROM (
  SELECT
    documents.manual_id,
    documents.path,
    json_group_array(json_array(passages.first_line, passages.last_line)) AS spans,
    count(*) AS places,
    total(passages.last_line - passages.first_line + 1) AS lines
  FROM json_each(?) AS asked
  CROSS JOIN passages ON passages.id = asked.value
  CROSS JOIN documents ON documents.id = passages.document_id
  GROUP BY passages.document_id
  ORDER BY documents.manual_id, documents.path
)
"""

_ALL_DOCUMENTS = """
SELECT manual_id, path, lines
FROM documents
WHERE status = 'indexed' AND lines > 0 AND (:manual_id IS NULL OR manual_id = :manual_id)
ORDER BY manual_id, path
"""

_PASSAGES_OF = """
SELECT passages.id
FROM json_each(?) AS asked
CROSS JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
CROSS JOIN passages ON passages.document_id = documents.id
"""

_SIZES = """
SELECT asked.value ->> 0, asked.value ->> 1, coalesce(documents.lines, 0)
FROM json_each(?) AS asked
LEFT JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
"""
