"""What to do next after a search in the vault, from the server's own state alone (seeds 000 §4, 001 §7). Pure."""

from typing import Any

from .actions import Action, propose, stop
from .judgement.judge import Judgement
from .summary import CompletenessStatus

_FILES_SCANNED = 5


def propose_vault_actions(
    trace_id: str,
    judgement: Judgement,
    question: str,
    *,
    place: tuple[str, int, int] | None,
    chunk_lines: int,
    status: CompletenessStatus,
    resumable: bool,
    call: dict[str, Any] | None,
) -> list[Action]:
    """The next calls, in the order to make them: the files that say most about it, from their first line, come first.

    `place` is (path, first line, last line) of the best candidate, `status` is that of the completeness, `resumable`
    says that asking again would examine what was left over. `call` is the search itself, where notes are being indexed
    that it would then examine. All other candidates are paged by `manual_hits`.
    """
    actions: list[Action] = []
    scores: dict[str, float] = {}
    for candidate in judgement.candidates:
        scores.setdefault(candidate.path, candidate.score)
    for path, score in list(scores.items())[:_FILES_SCANNED]:
        actions.append(propose("vault_scan", score, path=path, chunk_lines=chunk_lines))
    if place is not None:
        path, first, last = place
        lines = {"start_line": first, "end_line": last}
        actions.append(propose("vault_read", judgement.candidates[0].score, path=path, range=lines))
    confidence = round(1 - judgement.sufficiency_score, 3)
    if resumable:
        actions.append(propose("vault_find", confidence, query=question, only_unscanned_from_trace_id=trace_id))
    elif call:
        actions.append(propose("vault_find", confidence, **call))
    if not resumable and status == "unknown" and not judgement.candidates:
        # It reads what the index does not hold.
        actions.append(propose("vault_search", 0.5, query=question, mode="loose"))
    if judgement.status == "ready" or not actions:
        actions.append(stop(judgement.sufficiency_score))
    return actions
