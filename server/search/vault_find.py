"""One search in the vault: stages 0 and 1 on the engine of the manuals, then the judgement (stage 1.5, seed 000 §3)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar, NamedTuple

from morenashi.server.deadline import Deadline
from morenashi.server.ranges import Range, subtract

from .evidence import Evidence
from .find import Search
from .index.id_lists import as_json
from .index.postings import Index
from .judgement.gaps import Gap
from .outcome import Answer, Found, Outcome
from .question.intent import Intent, infer_intent
from .ranking.candidates import Ranked
from .ranking.rank import rank, read_fields
from .request import FindRequest
from .resuming import AskedAgain, ask_again
from .scope import Scope
from .summary import Circumstances, Examined, summarise_notes
from .traces import new_trace_id
from .vault_actions import propose_vault_actions


class _Note(NamedTuple):
    """A file in which something was found, and how many lines it has."""

    document_id: int
    path: str
    lines: int


class VaultSearch(Search):
    """One search of one state of the vault's index. It is never widened, and nothing adapts."""

    adapts: ClassVar[bool] = False
    are_notes: ClassVar[bool] = True

    def _run(self, request: FindRequest, deadline: Deadline) -> Outcome:
        rest = ask_again(self._connection, request.resumed, request.query) if request.resumed else None
        intent = infer_intent(request.query.text)
        found = self._search_scope(request.taken_up(), intent, deadline, rest)
        notes = self._notes_with_hits(found.evidence)
        gaps = (*found.judgement.gaps, *_gap_ranges(notes, found.evidence))
        found = replace(found, judgement=replace(found.judgement, gaps=gaps))
        skipped, examined = self._account(request, found, rest)
        answer = self._answer(request, found, examined)
        return Outcome(request, intent, found, skipped, answer, round(deadline.elapsed_ms, 3))

    def _answer(self, request: FindRequest, found: Found, examined: Examined) -> Answer:
        trace_id, judgement, cut_by = new_trace_id(), found.judgement, found.evidence.findings.cut_by
        pending_files = sum(map(request.covers, self._pending))
        circumstances = Circumstances(
            found.index.generation, found.index.is_degraded, pending_files, cut_by, found.cutoff_terms
        )
        summary = summarise_notes(found.scope, judgement, examined, circumstances)
        next_actions = propose_vault_actions(
            trace_id,
            judgement,
            request.question,
            chunk_lines=request.chunk_lines,
            status=summary["completeness"]["status"],
            resumable=cut_by is not None,
            call=request.call() if pending_files else None,
            asked_in=found.scope.share_without(examined.other_language_files),
        )
        return Answer(trace_id, summary, next_actions)

    def _open_scope(self, request: FindRequest) -> tuple[Index, Scope]:
        index = Index(self._connection, None, self._degraded_build)
        documents, scope = self._scopes.read_notes(self._connection, (index.build, index.generation), request.scope)
        index.ids_follow_files = scope.ids_follow_files
        return index.within(documents), scope

    def _rank(
        self, evidence: Evidence, request: FindRequest, intent: Intent, deadline: Deadline, rest: AskedAgain | None
    ) -> tuple[list[Ranked], None]:
        """By what stages 0 and 1 found: notes have no others."""
        del deadline, rest
        return rank(evidence, read_fields(evidence, request.query, intent), request.query, intent), None

    def _notes_with_hits(self, evidence: Evidence) -> list[_Note]:
        """By their paths."""
        documents = {hit.passage.document_id for hit in evidence.all_hits()}
        return list(map(_Note._make, self._connection.execute(_NOTES, (as_json(documents),))))


def _gap_ranges(notes: Iterable[_Note], evidence: Evidence) -> list[Gap]:
    """Which lines of the notes that were found hold nothing that was asked for, passage by passage."""
    covered: defaultdict[int, list[Range]] = defaultdict(list)
    for hit in evidence.all_hits():
        covered[hit.passage.document_id].append((hit.passage.first_line, hit.passage.last_line))
    return [
        Gap("range", f"lines {first}-{last} hold nothing of it", "", note.path, first)
        for note in notes
        for first, last in subtract([(1, note.lines)], covered[note.document_id])
    ]


_NOTES = """
SELECT documents.id, documents.path, documents.lines
FROM json_each(?) AS asked
CROSS JOIN documents ON documents.id = asked.value
ORDER BY documents.path
"""
