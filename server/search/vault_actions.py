"""What to do next after a search in the vault, from the server's own state alone (seeds 000 §4, 001 §7). Pure."""

from typing import Any

from .actions import Action, propose, search_on, stop
from .judgement.judge import Judgement
from .summary import CompletenessStatus


def propose_vault_actions(
    trace_id: str,
    judgement: Judgement,
    question: str,
    *,
    chunk_lines: int,
    status: CompletenessStatus,
    resumable: bool,
    call: dict[str, Any] | None,
    asked_in: float,
) -> list[Action]:
    """The next calls, in the order to make them: the best file is scanned from its first line (seed 000 §3), then what
    was found in all of them is read together.

    `status` is that of the completeness, `resumable` says that asking again would examine what was left over. `call` is
    the search itself, where notes are being indexed that it would then examine. `asked_in` is the share of the notes
    that are in the question's language.
    """
    actions: list[Action] = []
    if judgement.candidates:
        best = judgement.candidates[0]
        actions.append(propose("vault_scan", best.score, path=best.path, chunk_lines=chunk_lines))
        actions.append(propose("vault_read", 0.9, trace_id=trace_id))
    actions += search_on("vault_find", trace_id, judgement, question, resumable=resumable, call=call)
    if not resumable and status == "unknown" and not judgement.candidates:
        # It reads what the index does not hold.
        actions.append(propose("vault_search", 0.5, query=question, mode="loose"))
    if judgement.status == "ready" or not actions:
        actions.append(stop(judgement.sufficiency_score or asked_in))
    return actions
