"""What to do next, from the server's own state alone: never from the text of a document. Pure."""

from typing import Any

from .judgement.judge import Judgement

Action = dict[str, Any]

# Of what a search found, in Japanese some 12,000 tokens: with the 8,000 of a single place half of it is not seen in the
# calls that agents spend on it.
_CHARS_OF_A_PAGE = 16_000


def propose_actions(
    trace_id: str,
    judgement: Judgement,
    question: str,
    *,
    unscanned: int,
    resumable: bool,
    call: dict[str, Any] | None,
    asked_in: float,
) -> list[Action]:
    """The next calls, in the order to make them, with no more parameters than they need (seed 001 §7).

    `unscanned` counts what the search left over, `resumable` says that asking again would examine it. `call` is the
    search itself, where the index has more to come that it would then find. `asked_in` is the share of the files that
    are in the question's language: that nothing was found says nothing of the others.
    """
    actions: list[Action] = []
    if judgement.candidates:
        actions.append(propose("manual_read", 0.9, trace_id=trace_id, limits={"max_chars": _CHARS_OF_A_PAGE}))
        actions.append(propose("manual_hits", 0.8, trace_id=trace_id, kind="integrated_top"))
    actions += search_on("manual_find", trace_id, judgement, question, resumable=resumable, call=call)
    if unscanned and not resumable:
        actions.append(propose("manual_hits", 0.5, trace_id=trace_id, kind="unscanned"))
    if judgement.conflicts:
        actions.append(propose("manual_hits", 0.6, trace_id=trace_id, kind="conflicts"))
    # Of a question of which nothing was found, the gaps are its own words again.
    tells_more = any(gap.path or gap.kind == "scope" for gap in judgement.gaps)
    if judgement.gaps and (judgement.candidates or unscanned or tells_more):
        actions.append(propose("manual_hits", 0.4, trace_id=trace_id, kind="gaps"))
    if judgement.status == "ready" or not (actions or unscanned):
        actions.append(stop(judgement.sufficiency_score or asked_in))
    return actions


def search_on(
    tool: str, trace_id: str, judgement: Judgement, question: str, *, resumable: bool, call: dict[str, Any] | None
) -> list[Action]:
    """The search again, for what was left over or is still to come into the index; nothing if neither is."""
    again = {"query": question, "only_unscanned_from_trace_id": trace_id} if resumable else call
    return [propose(tool, round(1 - judgement.sufficiency_score, 3), **again)] if again else []


def propose(tool: str, confidence: float, **params: object) -> Action:
    """A call of a tool; the confidence lies in 0..1."""
    return {"type": tool, "confidence": confidence, "params": params}


def stop(confidence: float) -> Action:
    """Nothing is left to be done."""
    return {"type": "stop", "confidence": confidence, "params": None}
