"""One search in the vault: stages 0 and 1 on the engine of the manuals, then the judgement (stage 1.5, seed 000 §3)."""

from collections import defaultdict
from dataclasses import replace
from typing import ClassVar

from morenashi.server.deadline import Deadline
from morenashi.server.ranges import Range, subtract

from .evidence import Evidence
from .find import Search
from .index.id_lists import as_json
from .index.passages import StoredPassage
from .index.postings import Index
from .judgement.judge import Gap, Judgement
from .outcome import Answer, Found, Outcome
from .question.intent import Intent, infer_intent
from .ranking.candidates import Candidate, Ranked, rank, read_fields
from .request import FindRequest
from .resuming import AskedAgain, ask_again
from .scope import Scope
from .summary import Circumstances, Examined, summarise_notes
from .traces import new_trace_id
from .vault_actions import FILES_PROPOSED, NotePlace, propose_vault_actions


class VaultSearch(Search):
    """One search of one state of the vault's index. It is never widened, and nothing adapts."""

    adapts: ClassVar[bool] = False
    are_notes: ClassVar[bool] = True

    def _run(self, request: FindRequest, deadline: Deadline) -> Outcome:
        rest = ask_again(self._connection, request.resumed, request.query) if request.resumed else None
        intent = infer_intent(request.query.text)
        found = self._search_scope(request.taken_up(), intent, deadline, rest)
        gaps = (*found.judgement.gaps, *self._gap_ranges(found.evidence))
        found = replace(found, judgement=replace(found.judgement, gaps=gaps))
        skipped, examined = self._account(request, found, rest)
        answer = self._answer(request, found, examined)
        return Outcome(request, intent, found, skipped, answer, round(deadline.elapsed_ms, 3))

    def _answer(self, request: FindRequest, found: Found, examined: Examined) -> Answer:
        trace_id, judgement, cut_by = new_trace_id(), found.judgement, found.findings.cut_by
        pending_files = sum(map(request.covers, self._pending))
        circumstances = Circumstances(found.index.generation, found.index.is_degraded, pending_files, cut_by)
        summary = summarise_notes(found.scope, judgement, examined, circumstances)
        next_actions = propose_vault_actions(
            trace_id,
            judgement,
            request.question,
            places=self._best_places(judgement, found.evidence),
            chunk_lines=request.chunk_lines,
            status=summary["completeness"]["status"],
            resumable=cut_by is not None,
            call=request.call() if pending_files else None,
        )
        return Answer(trace_id, summary, next_actions)

    def _open_scope(self, request: FindRequest) -> tuple[Index, Scope]:
        index = Index(self._connection, None, self._degraded_build)
        documents, scope = self._scopes.read_notes(self._connection, (index.build, index.generation), request.scope)
        return index.within(documents), scope

    def _rank(
        self, evidence: Evidence, request: FindRequest, intent: Intent, deadline: Deadline, rest: AskedAgain | None
    ) -> tuple[list[Ranked], None]:
        """By what stages 0 and 1 found: notes have no others."""
        del deadline, rest
        return rank(evidence, read_fields(evidence, request.query, intent), request.query, intent), None

    def _best_places(self, judgement: Judgement, evidence: Evidence) -> list[NotePlace]:
        """Of the best files, the passage that speaks for the best candidate of each."""
        best: dict[str, Candidate] = {}
        for candidate in judgement.candidates:
            best.setdefault(candidate.path, candidate)
        passages: dict[str, StoredPassage] = {}
        for hit in evidence.all_hits():
            path = evidence.sections[hit.passage.section_id].path
            if path in best and hit.passage.first_line <= best[path].line <= hit.passage.last_line:
                passages.setdefault(path, hit.passage)
        found = [path for path in best if path in passages][:FILES_PROPOSED]
        documents = as_json({passages[path].document_id for path in found})
        lines = {path: lines for _, path, lines in self._connection.execute(_LINES, (documents,))}
        return [
            NotePlace(path, best[path].score, lines[path], passages[path].first_line, passages[path].last_line)
            for path in found
            if path in lines
        ]

    def _gap_ranges(self, evidence: Evidence) -> list[Gap]:
        """Which lines of the notes that were found hold nothing that was asked for, passage by passage."""
        covered: defaultdict[int, list[Range]] = defaultdict(list)
        for hit in evidence.all_hits():
            covered[hit.passage.document_id].append((hit.passage.first_line, hit.passage.last_line))
        rows = self._connection.execute(_LINES, (as_json(covered),))
        return [
            Gap("range", f"lines {first}-{last} hold nothing of it", "", path, first)
            for document_id, path, lines in rows
            for first, last in subtract([(1, lines)], covered[document_id])
        ]


_LINES = """
SELECT documents.id, documents.path, documents.lines
FROM json_each(?) AS asked
CROSS JOIN documents ON documents.id = asked.value
ORDER BY documents.path
"""
