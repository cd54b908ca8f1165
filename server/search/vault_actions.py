"""What to do next after a search in the vault, from the server's own state alone (seeds 000 §4, 001 §7). Pure."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .actions import Action, propose, search_on, stop
from .judgement.judge import Judgement
from .summary import CompletenessStatus

FILES_PROPOSED = 5


class NotePlace(NamedTuple):
    """A note that was found: how well its best candidate fits, how many lines it has, and the first and last one of the
    passage that speaks for that candidate.
    """

    path: str
    score: float
    lines: int
    first_line: int
    last_line: int


def propose_vault_actions(
    trace_id: str,
    judgement: Judgement,
    question: str,
    *,
    places: Sequence[NotePlace],
    chunk_lines: int,
    status: CompletenessStatus,
    resumable: bool,
    call: dict[str, Any] | None,
) -> list[Action]:
    """The next calls, in the order to make them: what is in the files that say most about it.

    The best file is scanned from its first line (seed 000 §3), and so is any that one chunk holds. Of a longer one the
    passage is read: its first chunk hardly says what was asked, and to its end it may be tens of thousands of tokens.
    `places` are those of the best files, the best first; `status` is that of the completeness, `resumable` says that
    asking again would examine what was left over. `call` is the search itself, where notes are being indexed that it
    would then examine. All other candidates are paged by `manual_hits`.
    """
    actions: list[Action] = []
    for place in places:
        is_short = place.lines <= chunk_lines
        if is_short or place is places[0]:
            actions.append(propose("vault_scan", place.score, path=place.path, chunk_lines=chunk_lines))
        if not is_short:
            lines = {"start_line": place.first_line, "end_line": place.last_line}
            actions.append(propose("vault_read", place.score, path=place.path, range=lines))
    actions += search_on("vault_find", trace_id, judgement, question, resumable=resumable, call=call)
    if not resumable and status == "unknown" and not judgement.candidates:
        # It reads what the index does not hold.
        actions.append(propose("vault_search", 0.5, query=question, mode="loose"))
    if judgement.status == "ready" or not actions:
        actions.append(stop(judgement.sufficiency_score))
    return actions
