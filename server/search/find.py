"""One search from question to trace: scope, stages, judgement, completeness, next actions."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from morenashi import __version__

from .actions import propose_actions
from .deadline import Deadline
from .evidence import Evidence, by_section
from .follow import find_exceptions, follow_references, read_sections
from .intent import Intent, infer_intent
from .judge import Judgement, judge
from .leftovers import list_beyond, list_left_places, passages_within
from .note_scope import EVERYTHING, NoteScope
from .postings import Index
from .query import Query
from .ranking import Ranked, rank
from .scope import Scope, ScopeCache, Unscanned, UnscannedReason, whole_documents
from .stages import Findings, PassageSearch
from .summary import Examined, summarise
from .traces import Tool, Trace, new_trace_id, now_utc
from .widening import BASE_THRESHOLDS, Escalation, Thresholds, escalation_reasons

# In a widened search, how much the candidates of other manuals count.
_AWAY = 0.8
# Texts of passages, once for each spelling: some 120 MB, and less than a fifth of a second.
_READ_BEFORE_ABSENT = 100_000
# A document that was not examined for two reasons is listed under the first of these.
_REASONS: tuple[UnscannedReason, ...] = ("changed_since_index", "unreadable", "encoding", "too_large", "time_budget")


@dataclass(frozen=True, slots=True)
class FindRequest:
    """A `manual_find` or `vault_find` call, parsed.

    `intent` is `None` if the caller gave none. `resumed` narrows the search to what an earlier trace
    left over. `dictionaries` names those that the question was parsed with. `parameters` is what the
    call said, as a trace keeps it. `scope` says which notes a search in the vault is about,
    `chunk_lines` how much of one a scan that it proposes reads at once.
    """

    query: Query
    question: str
    manual_id: str | None
    intent: Intent | None
    max_candidates: int
    max_stage: int = 4
    thresholds: Thresholds = BASE_THRESHOLDS
    resumed: Sequence[Unscanned] | None = None
    dictionaries: str = ""
    parameters: dict[str, Any] | None = None
    tool: Tool = "manual_find"
    scope: NoteScope = EVERYTHING
    chunk_lines: int = 80

    def covers(self, key: tuple[str, str]) -> bool:
        """Whether a document lies in the scope that is asked for."""
        return self.manual_id in (None, key[0]) and self.scope.holds(key[1])

    def in_force(self) -> dict[str, Any]:
        """What held beside what the call said, named as a trace keeps it, so that the search can be repeated."""
        notes = {"scope": asdict(self.scope)} if self.tool == "vault_find" else {}
        return {
            **notes,
            "thresholds": self.thresholds._asdict(),
            "max_candidates": self.max_candidates,
            "max_stage": self.max_stage,
            "dictionaries": self.dictionaries,
            "program": __version__,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What the caller gets at once.

    `escalation_reasons` say why the search was widened or would have been, `failure` what ended stage
    2 or 3 if anything did; both are for the log.
    """

    trace_id: str
    summary: dict[str, Any]
    next_actions: list[dict[str, Any]]
    escalation_reasons: tuple[Escalation, ...]
    failure: sqlite3.DatabaseError | None


@dataclass(frozen=True, slots=True)
class Found:
    """What the stages up to 3.5 know of one scope."""

    index: Index
    scope: Scope
    findings: Findings
    judgement: Judgement
    failure: sqlite3.DatabaseError | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search knows, between its answer and its trace."""

    request: FindRequest
    intent: Intent
    found: Found
    skipped: list[Unscanned]
    answer: Answer
    elapsed_ms: float


class Search:
    """One search of one state of the index of the manuals.

    The answer needs counts of what was left over; its list is for the trace. `complete` makes that
    list after the answer is out, in the same read transaction, which then ends.
    """

    adapts: ClassVar[bool] = True
    """Whether its thresholds follow from what is read afterwards."""

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

    @property
    def findings(self) -> Findings:
        """What stages 0 and 1 found in the end, after `answer`."""
        return self._outcome.found.findings

    def index_misses_something(self) -> bool:
        """Whether a scan finds a term of the question where the full-text tables do not. Call it after `answer`.

        Reads up to 100,000 stored texts, each once for every spelling; of a larger scope, that many from anywhere.
        """
        index, terms = self._outcome.found.index, self._outcome.request.query.terms
        found = index.find_passages(terms, index.corpus((), terms))
        return not set(found).issuperset(index.scan_passages(terms, _READ_BEFORE_ABSENT))

    @property
    def build(self) -> str:
        """Which making of the derived tables was searched."""
        return self._outcome.found.index.build

    def complete(self) -> Trace:
        """The whole trace. Call it once, after `answer`."""
        outcome = self._outcome
        request, judgement = outcome.request, outcome.found.judgement
        try:
            left = list_left_places(self._connection, outcome.found.findings)
        finally:
            self._connection.rollback()
        return Trace(
            id=outcome.answer.trace_id,
            created_at=now_utc(),
            question=request.question,
            manual_id=request.manual_id,
            intent=outcome.intent,
            intent_source="inferred" if request.intent is None else "given",
            parameters={"call": request.parameters or {}, "in_force": request.in_force()},
            index_generation=outcome.found.index.generation,
            elapsed_ms=outcome.elapsed_ms,
            summary=outcome.answer.summary,
            next_actions=outcome.answer.next_actions,
            escalation_reasons=outcome.answer.escalation_reasons,
            candidates=judgement.candidates,
            unscanned=(*left, *outcome.skipped),
            gaps=judgement.gaps,
            conflicts=judgement.conflicts,
            tool=request.tool,
        )

    def _run(self, request: FindRequest, deadline: Deadline) -> Outcome:
        intent = request.intent or infer_intent(request.query.text)
        found = self._stages_0_to_3(request, intent, deadline)
        escalation = self._escalation(request, intent, found)
        asked = request
        is_widened = bool(escalation) and request.max_stage >= 4 and not deadline.is_over
        if is_widened:
            asked = replace(request, manual_id=None)
            found = self._stages_0_to_3(asked, intent, deadline, home=request.manual_id)
        skipped = list_skipped(self._connection, asked, found, self._pending)
        examined = self._count_examined(asked, found, skipped)
        cut_by: UnscannedReason | None = found.findings.cut_by
        if escalation and not is_widened:
            # What stage 4 would have examined; not part of the scope that was asked for.
            beyond = list_beyond(self._connection, request.manual_id)
            skipped.append(beyond)
            examined = replace(examined, places_beyond=beyond.places)
            cut_by = cut_by or "stage_cap"
        trace_id = new_trace_id()
        answer = Answer(
            trace_id,
            summarise(
                found.scope,
                found.judgement,
                examined,
                generation=found.index.generation,
                pending_files=len(self._pending),
                cut_by=cut_by,
                is_widened=is_widened,
                failures=int(found.failure is not None),
                is_degraded=found.index.is_degraded,
            ),
            propose_actions(
                trace_id,
                found.judgement,
                request.question,
                unscanned=examined.unexamined_places + examined.places_beyond,
                resumable=cut_by is not None,
            ),
            escalation,
            found.failure,
        )
        return Outcome(request, intent, found, skipped, answer, round(deadline.elapsed_ms, 3))

    def _stages_0_to_3(
        self, request: FindRequest, intent: Intent, deadline: Deadline, home: str | None = None
    ) -> Found:
        """Search one scope and judge. `home` is the manual that comes first in a scope of all."""
        index = Index(self._connection, request.manual_id, self._degraded_build)
        scope = self._scopes.read(self._connection, (index.build, index.generation), request.manual_id)
        findings = search_terms(index, request, deadline)
        hits = by_section(findings.hits)
        evidence = Evidence(findings.terms, hits, read_sections(self._connection, hits), findings.coverage)
        ranked, failure = self._stages_2_and_3(evidence, request, intent, deadline)
        if home is not None:
            ranked.sort(key=lambda r: -r.candidate.score * (1.0 if r.candidate.manual_id == home else _AWAY))
        ranked = cap(ranked, evidence, findings, request.max_candidates)
        self._leave_out_pending(findings)
        return Found(
            index,
            scope,
            findings,
            judge(
                ranked,
                evidence,
                request.query,
                intent,
                examined_share=examined_share(findings),
                is_cut=findings.cut_by is not None,
            ),
            failure,
        )

    def _stages_2_and_3(
        self, evidence: Evidence, request: FindRequest, intent: Intent, deadline: Deadline
    ) -> tuple[list[Ranked], sqlite3.DatabaseError | None]:
        """Exceptions and references, ranked. If they fail, stages 0 and 1 are what there is (seed 004 §3)."""
        failure = None
        try:
            with deadline.interrupting(self._connection):
                find_exceptions(self._connection, evidence)
                follow_references(self._connection, evidence, rank(evidence, request.query, intent))
        except sqlite3.DatabaseError as error:
            failure = error
            known = evidence.sections.keys()
            evidence.links = {target: links for target, links in evidence.links.items() if target in known}
        return rank(evidence, request.query, intent), failure

    def _leave_out_pending(self, findings: Findings) -> None:
        """Passages of changed documents are not left over: their documents are listed whole."""
        if findings.left and self._pending:
            stale = {row[0] for row in self._connection.execute(_PASSAGES_OF, (json.dumps(sorted(self._pending)),))}
            findings.left = [passage for passage in findings.left if passage not in stale]

    def _escalation(self, request: FindRequest, intent: Intent, found: Found) -> tuple[Escalation, ...]:
        """Why stage 4 is called for; empty where there is nothing to widen to, or this scope is not done."""
        if request.manual_id is None or request.resumed is not None or found.findings.cut_by is not None:
            return ()
        if self._connection.execute(_HAS_OTHERS, (request.manual_id,)).fetchone() is None:
            return ()
        judgement = found.judgement
        return escalation_reasons(
            len(judgement.candidates),
            judgement.file_bias_ratio,
            judgement.signal_counts["exceptions"],
            intent,
            request.thresholds,
        )

    def _count_examined(self, request: FindRequest, found: Found, skipped: Sequence[Unscanned]) -> Examined:
        left = found.findings.left
        return Examined(
            total_lines=_lines_asked_for(found.scope, request, skipped),
            unexamined_lines=found.index.count_lines(left) + sum(item.lines for item in skipped),
            unexamined_places=len(left) + sum(item.places for item in skipped),
            unlisted_places=found.index.unlisted,
        )


def cap(ranked: list[Ranked], evidence: Evidence, findings: Findings, most: int) -> list[Ranked]:
    """The best `most`, a quarter of them those that the best sections refer to.

    Of the others, hits come first, so that a search that is taken up again gets on. A hit that falls out
    is listed as not examined.
    """
    referred = sorted((section for section in ranked if section.referred), key=lambda section: -section.referred)
    kept = {section.section_id for section in referred[: most // 4]}
    by_hit = sorted(ranked, key=lambda section: section.section_id not in evidence.hits)
    for section in by_hit:
        if len(kept) < most:
            kept.add(section.section_id)
    for section_id in [section_id for section_id in evidence.hits if section_id not in kept]:
        hits = evidence.hits.pop(section_id)
        findings.left += [hit.passage.id for hit in hits]
        findings.cut_by = findings.cut_by or "candidate_cap"
    return [section for section in ranked if section.section_id in kept]


def search_terms(index: Index, request: FindRequest, deadline: Deadline) -> Findings:
    """Stages 0 and 1 for the question's terms; if those say little, for the words inside them too."""
    within = passages_within(index.connection, request.resumed)
    search = PassageSearch(index, request.query, request.max_candidates, deadline)
    findings = search.run(request.query.terms, within)
    # Those left over count too: whether a term is rare must not depend on the budget.
    known = sum(bool(hit.match.matched_lines) for hit in findings.hits) + findings.matches_left
    if known >= request.thresholds.candidate_low or not request.query.fallback or findings.nothing_known:
        return findings
    return search.run(request.query.terms + request.query.fallback, within)


def examined_share(findings: Findings) -> float:
    """The share of the promising passages that was examined: a cap leaves over the least promising ones."""
    if findings.cut_by == "candidate_cap":
        return 1.0
    if findings.nothing_known:
        return 0.0
    return len(findings.hits) / max(len(findings.hits) + len(findings.left), 1)


def _lines_asked_for(scope: Scope, request: FindRequest, skipped: Sequence[Unscanned]) -> int:
    """The lines of the scope, those included that are listed but not known to the index."""
    if request.resumed is None:
        return scope.lines + sum(item.unknown_lines for item in skipped)
    return sum(item.lines for item in request.resumed)


def list_skipped(
    connection: sqlite3.Connection, request: FindRequest, found: Found, pending: frozenset[tuple[str, str]]
) -> list[Unscanned]:
    """What was not examined for another reason than the candidate cap."""
    findings = found.findings
    documents = dict(found.scope.unsearchable)
    changed = sorted(filter(request.covers, pending))
    if changed:
        documents["changed_since_index"] = connection.execute(_SIZES, (json.dumps(changed),)).fetchall()
    if request.resumed is not None:
        if findings.nothing_known:
            return list(request.resumed)
        asked = {(row[0], row[1]) for item in request.resumed for row in json.loads(item.documents)}
        documents = {reason: [row for row in rows if row[:2] in asked] for reason, rows in documents.items()}
    elif findings.nothing_known:
        everything = connection.execute(_ALL_DOCUMENTS, {"manual_id": request.manual_id})
        documents["time_budget"] = [row for row in everything if request.covers(row[:2])]
    listed = set[tuple[str, str]]()
    skipped = []
    for reason in sorted(documents, key=_REASONS.index):
        rows = [row for row in documents[reason] if row[:2] not in listed]
        listed.update(row[:2] for row in rows)
        skipped.append(whole_documents(reason, rows))
    return [item for item in skipped if item.places]


_ALL_DOCUMENTS = """
SELECT manual_id, path, lines
FROM documents
WHERE status = 'indexed' AND lines > 0 AND (:manual_id IS NULL OR manual_id = :manual_id)
ORDER BY manual_id, path
"""

_HAS_OTHERS = "SELECT 1 FROM documents WHERE manual_id <> ? LIMIT 1"

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
