"""One search from question to answer: scope, stages, judgement, completeness, next actions."""

import sqlite3
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from morenashi.indexer.files import Key
from morenashi.indexer.script import script_of_question
from morenashi.server.deadline import Deadline

from .actions import propose_actions
from .at_home import with_those_at_home
from .evidence import Evidence, by_section
from .findings import Findings
from .first_stages import examined_share, search_terms
from .follow import find_exceptions, follow_references, read_sections
from .index.passages import count_lines_and_sections
from .index.postings import Index
from .judgement.gaps import NO_DOCUMENTS, lacking_at_home
from .judgement.judge import judge
from .judgement.surroundings import Surroundings
from .leftovers import leave_out_pending, leave_over, list_beyond, list_skipped, list_unsearchable_again
from .outcome import Answer, Found, Outcome
from .question.intent import Intent, infer_intent
from .ranking.above import terms_above
from .ranking.candidates import Ranked
from .ranking.cap import Capped, cap
from .ranking.rank import best_first, rank, read_fields, with_part
from .ranking.supplements import find_supplementary
from .ranking.titles import terms_in_titles
from .request import FURTHEST_STAGE, FindRequest
from .resuming import NOTHING_EARLIER, AskedAgain, ask_again, forget_delivered, has_newer_beyond, take_up_leads
from .scope import Scope, ScopeCache, Unscanned
from .summary import Circumstances, CutoffReason, Examined, summarise
from .traces import new_trace_id
from .widening import Escalation, escalation_reasons

# In a widened search, how much the candidates of other manuals count.
_AWAY = 0.5


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What stages 0 and 1 know of a scope. `request` has the question as it was read in the end."""

    request: FindRequest
    index: Index
    scope: Scope
    evidence: Evidence


class Search:
    """Searches of one state of the index of the manuals."""

    adapts: ClassVar[bool] = True
    """Whether the thresholds follow from what is read afterwards."""
    are_notes: ClassVar[bool] = False

    def __init__(
        self,
        connection: sqlite3.Connection,
        scopes: ScopeCache,
        pending: frozenset[Key],
        degraded_build: str | None = None,
    ) -> None:
        """`pending` are (manual_id, path) that have changed on disk and are not indexed yet.

        `degraded_build` names full-text tables that are not to be relied on.
        """
        self._connection = connection
        self._scopes = scopes
        self._pending = pending
        self._degraded_build = degraded_build

    def run(self, request: FindRequest, deadline: Deadline) -> Outcome:
        """Run the stages and judge, in a read transaction. `Outcome.complete` ends it; so does an error raised here."""
        self._connection.execute("BEGIN")
        try:
            return self._run(request, deadline)
        except BaseException:
            self._connection.rollback()
            raise

    def _run(self, request: FindRequest, deadline: Deadline) -> Outcome:
        request = request.taken_up()
        intent = request.intent or infer_intent(request.query.text)
        rest = ask_again(self._connection, request.resumed, request.query) if request.resumed else None
        found = self._search_scope(request, intent, deadline, rest)
        escalation = self._escalation(request, intent, found)
        # A rest leaves the other manuals over, to be taken up in turn: what was delivered is not delivered again.
        may_widen = bool(escalation) and request.max_stage >= FURTHEST_STAGE and not rest and not deadline.is_over
        wider = self._widen(request, intent, deadline, found) if may_widen else None
        asked, found = (request.widened(), wider) if wider else (request, found)
        skipped, examined = self._account(asked, found, rest)
        cut_by: CutoffReason | None = found.evidence.findings.cut_by
        if escalation and wider is None:
            # What stage 4 would have examined; not part of the scope that was asked for.
            beyond = list_beyond(self._connection, request.manual_id, self._pending)
            skipped.append(beyond)
            examined = replace(examined, places_beyond=beyond.places)
            cut_by = cut_by or "stage_cap"
            found = replace(found, judgement=found.judgement.kept_open())
        circumstances = Circumstances(
            found.index.generation, found.index.is_degraded, len(self._pending), cut_by, found.cutoff_terms
        )
        again = request.call() if self._has_more_to_come(asked, found.index) else None
        answer = _answer(request.question, found, examined, circumstances, escalation, again, is_widened=bool(wider))
        return Outcome(request, intent, found, skipped, answer, round(deadline.elapsed_ms, 3))

    def _search_scope(self, request: FindRequest, intent: Intent, deadline: Deadline, rest: AskedAgain | None) -> Found:
        """Stages 0 to 3.5 in one scope, or a rest of it."""
        index, scope = self._open_scope(request)
        query, findings = search_terms(index, request, deadline, rest, found_before=())
        gathered = _Gathered(replace(request, query=query), index, scope, self._gather(findings))
        return self._follow_and_judge(gathered, intent, deadline, rest)

    def _widen(self, request: FindRequest, intent: Intent, deadline: Deadline, at_home: Found) -> Found | None:
        """Stage 4. `None` if its time was over before it knew anything: what was found at home is not given up then."""
        request = request.widened()
        index, scope = self._open_scope(request)
        found_before = {hit.passage.id for hit in at_home.evidence.findings.hits}
        query, findings = search_terms(index, request, deadline, None, found_before)
        if findings.nothing_known:
            return None
        findings = with_those_at_home(findings, at_home.evidence.findings)
        evidence = self._gather(findings)
        evidence.take_links(at_home.evidence)
        gathered = _Gathered(replace(request, query=query), index, scope, evidence)
        found = self._follow_and_judge(gathered, intent, deadline, at_home=at_home)
        lacking = lacking_at_home(found.judgement.gaps, found.evidence, at_home.judgement.gaps)
        return replace(found, judgement=replace(found.judgement, gaps=(*lacking, *found.judgement.gaps)))

    def _follow_and_judge(
        self,
        gathered: _Gathered,
        intent: Intent,
        deadline: Deadline,
        rest: AskedAgain | None = None,
        at_home: Found | None = None,
    ) -> Found:
        """Stages 2 to 3.5. `at_home` is what was found in the manual that was asked for, if this is all of them."""
        request, evidence, findings = gathered.request, gathered.evidence, gathered.evidence.findings
        # Without time for the first stages nothing is taken up: it stays what it was.
        taken_up = None if findings.nothing_known else rest
        ranked, failure = self._rank(evidence, request, intent, deadline, taken_up)
        capped = _cap(ranked, evidence, request, at_home)
        leads = list(rest.leads) if rest and not taken_up else []
        leads += leave_over(gathered.index, capped.dropped, evidence)
        leave_out_pending(self._connection, findings, self._pending)
        is_pending = self._has_more_to_come(request, gathered.index)
        judgement = judge(
            capped.kept,
            evidence,
            request.query,
            intent,
            surroundings=Surroundings(self._connection),
            examined_share=examined_share(findings),
            is_cut=findings.cut_by is not None or is_pending,
            earlier=rest.earlier if rest else NOTHING_EARLIER,
            at_home=at_home.judgement.sufficiency_score if at_home else 0.0,
            are_notes=self.are_notes,
        )
        if not (gathered.scope.files or is_pending or self.are_notes):
            judgement = replace(judgement, gaps=(NO_DOCUMENTS,))
        return Found(
            query=request.query,
            index=gathered.index,
            scope=gathered.scope,
            evidence=evidence,
            ranked=capped.kept,
            leads=leads,
            judgement=judgement,
            failure=failure,
        )

    def _has_more_to_come(self, request: FindRequest, index: Index) -> bool:
        """Whether files of the scope are still to be indexed or, at the end of a rebuild, references to be resolved."""
        return any(map(request.covers, self._pending)) or not (self.are_notes or index.has_all_references)

    def _open_scope(self, request: FindRequest) -> tuple[Index, Scope]:
        index = Index(self._connection, request.manual_id, self._degraded_build)
        scope = self._scopes.read(self._connection, (index.build, index.generation), request.manual_id)
        index.ids_follow_files = scope.ids_follow_files
        return index, scope

    def _gather(self, findings: Findings) -> Evidence:
        """What stages 0 and 1 found, by section, with what titles and the headings above say of it."""
        hits = by_section(findings.hits)
        evidence = Evidence(findings, hits, read_sections(self._connection, hits))
        evidence.titled = terms_in_titles(evidence)
        evidence.above = terms_above(self._connection, evidence)
        evidence.supplementary = find_supplementary(self._connection, evidence.sections)
        return evidence

    def _rank(
        self, evidence: Evidence, request: FindRequest, intent: Intent, deadline: Deadline, rest: AskedAgain | None
    ) -> tuple[list[Ranked], sqlite3.DatabaseError | None]:
        """Stages 2 and 3, and all of it ranked. If they fail, stages 0 and 1 are what there is (seed 004 §3)."""
        failure = None
        fields = read_fields(evidence, request.query, intent)
        try:
            # Bounded by what is followed, not by time: no later search would take up references left over here.
            with deadline.letting_go(self._connection):
                if rest:
                    take_up_leads(self._connection, rest, evidence)
                find_exceptions(self._connection, evidence)
                best = best_first(fields, evidence)
                follow_references(self._connection, evidence, best, across_manuals=request.manual_id is None)
                if rest:
                    forget_delivered(self._connection, rest, evidence, request.query)
        except sqlite3.DatabaseError as error:
            failure = error
            evidence.keep_known_links()
        return rank(evidence, fields, request.query, intent), failure

    def _escalation(self, request: FindRequest, intent: Intent, found: Found) -> tuple[Escalation, ...]:
        """Why stage 4 is called for; empty where there is nothing to widen to, or this scope is not done."""
        if request.manual_id is None or found.evidence.findings.cut_by is not None:
            return ()
        # What was examined for another question is not known to be without this one's candidates.
        if request.is_of_a_part:
            return ()
        if not self._has_others(request.manual_id):
            return ()
        tally = request.earlier.so_far.with_more(found.judgement.candidates)
        return escalation_reasons(tally, intent, request.thresholds)

    def _has_others(self, manual_id: str) -> bool:
        """Whether there are other manuals than this one, in the index or still to come."""
        are_to_come = any(other != manual_id for other, _ in self._pending)
        return are_to_come or self._connection.execute(_HAS_OTHERS, {"manual_id": manual_id}).fetchone() is not None

    def _account(self, request: FindRequest, found: Found, rest: AskedAgain | None) -> tuple[list[Unscanned], Examined]:
        """What was skipped for another reason than the cap, and the lines asked for and not examined."""
        findings = found.evidence.findings
        if rest is None:
            skipped = list_skipped(
                self._connection,
                found.scope,
                request.covers,
                self._pending,
                nothing_known=findings.nothing_known,
            )
            # Those too that are listed and not known to the index.
            total = found.scope.lines + sum(item.unknown_lines for item in skipped)
        else:
            skipped = list_unsearchable_again(self._connection, found.scope, rest, self._pending)
            searched = rest.apart_from(skipped)
            # What it found to be referred to, and left over, is nothing that an earlier search had listed.
            beyond = [passage for passage in findings.left if passage not in rest.passages]
            lines_beyond, _ = count_lines_and_sections(found.index, beyond)
            total = searched.count_lines() + sum(item.lines for item in skipped) + lines_beyond
            skipped += searched.list_places() if findings.nothing_known else []
        lines_left, sections_left = count_lines_and_sections(found.index, findings.left)
        return skipped, Examined(
            total_lines=total,
            unexamined_lines=lines_left + sum(item.lines for item in skipped),
            unexamined_places=len(findings.left) + sum(item.places for item in skipped),
            unexamined_sections=sections_left + sum(item.places for item in skipped),
            unlisted_places=found.index.unlisted,
            a_part_alone=request.is_of_a_part or self._has_newer_beyond(request, rest),
            other_language_files=found.scope.files_not_in(script_of_question(request.query.text)),
            unread_files=found.index.unread,
        )

    def _has_newer_beyond(self, request: FindRequest, rest: AskedAgain | None) -> bool:
        """Whether documents of the scope have come or changed since the first search, and it is not about them."""
        if rest is None or request.resumed is None:
            return False
        is_to_come = any(request.covers(key) and key not in rest.spans for key in self._pending)
        return is_to_come or has_newer_beyond(self._connection, request.resumed, rest, request.covers)


def _answer(
    question: str,
    found: Found,
    examined: Examined,
    circumstances: Circumstances,
    escalation: tuple[Escalation, ...],
    again: dict[str, Any] | None,
    *,
    is_widened: bool,
) -> Answer:
    """What the caller gets at once. `again` is the call that asks for the same, if the index has more to come."""
    trace_id = new_trace_id()
    failures = int(found.failure is not None)
    summary = summarise(found.scope, found.judgement, examined, circumstances, is_widened=is_widened, failures=failures)
    next_actions = propose_actions(
        trace_id,
        found.judgement,
        question,
        unscanned=examined.unexamined_places + examined.places_beyond,
        resumable=circumstances.cut_by is not None,
        call=again,
        asked_in=found.scope.share_without(examined.other_language_files),
    )
    return Answer(trace_id, summary, next_actions, escalation, found.failure)


def _cap(ranked: list[Ranked], evidence: Evidence, request: FindRequest, at_home: Found | None) -> Capped:
    """The candidates. Those of the manual that was asked for come before those of others, and stay if they can."""
    if request.home is not None:
        ranked = _home_first(ranked, request.home)
    first = {section.section_id for section in at_home.ranked} if at_home else ()
    return cap(ranked, evidence.hits, request.max_candidates, first)


def _home_first(ranked: list[Ranked], home: str) -> list[Ranked]:
    """All sections in order, those of other manuals than `home` with a share of their score."""
    weighed = [
        section
        if section.candidate.manual_id == home
        else with_part(section, "elsewhere", round(_AWAY * section.candidate.score, 4))
        for section in ranked
    ]
    return sorted(weighed, key=lambda section: (-section.candidate.score, section.candidate.manual_id != home))


# Not `<>`, which would walk through all documents of this one.
_HAS_OTHERS = "SELECT 1 FROM documents WHERE manual_id < :manual_id OR manual_id > :manual_id LIMIT 1"
