"""pce.memory.feedback: what a signal does to a claim (seed 002 §2.4). Once a claim, signal and hour."""

import sqlite3
from datetime import datetime

from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.errors import ToolError

from .calls import Call, CallOutcome
from .candidates import find_by_words
from .claims import Claim
from .ids import to_stored
from .policies import AppliedPolicy
from .ranking import utility_now
from .sameness import may_be_same, similarity
from .store import find_claim
from .visible import View, read_visible

UTILITY_STEPS = {"helpful": 0.10, "harmful": -0.20, "outdated": 0.0, "duplicate": 0.0}
CONFIDENCE_STEPS = {"helpful": 0.05, "harmful": -0.10, "outdated": -0.20, "duplicate": 0.0}

_DUPLICATE_SHARE = 0.5
"""What is left of the utility of a duplicate."""

_SAME_SHARE = 0.5
"""Two claims that share so many of their tokens say the same."""


def feedback(call: Call, applied: AppliedPolicy, request: inputs.Feedback) -> CallOutcome:
    """Take a signal. The same again in the hour changes nothing and answers the same. Raises `UNKNOWN_CLAIM`."""
    view = call.view(applied, None, call.tags(None), with_past=True)

    def take(connection: sqlite3.Connection) -> CallOutcome:
        claim = find_claim(connection, request.claim_id)
        if claim is None or not _may_judge(connection, view, claim):
            message = "claim_id: there is no such claim; search again"
            raise ToolError("UNKNOWN_CLAIM", message, parameter="claim_id")
        _take(connection, call, view, claim, request)
        speaks, is_duplicate = _representative(connection, view, claim), request.signal == "duplicate"
        if speaks and not is_duplicate:
            _take(connection, call, view, speaks, request)
        notes = {"merged_into": speaks.id} if speaks and is_duplicate else {}
        data = {"ok": True, "policy_version": applied.version}
        return CallOutcome(data, (claim.id, *notes.values()), notes=notes)

    return call.commit(take)


def _may_judge(connection: sqlite3.Connection, view: View, claim: Claim) -> bool:
    """Whether the caller may see it; one that was merged counts as seen, so that the same call answers the same."""
    if claim.merged_into is not None:
        return claim.boundary_class in view.classes
    return claim.number in read_visible(connection, view, [claim.number])


def _representative(connection: sqlite3.Connection, view: View, claim: Claim) -> Claim | None:
    """The claim that one was merged into by now, which speaks for it, if there is one and the caller may see it."""
    (number,) = connection.execute("SELECT merged_into FROM claims WHERE number = ?", (claim.number,)).fetchone()
    return None if number is None else read_visible(connection, view, [number]).get(number)


def _take(connection: sqlite3.Connection, call: Call, view: View, claim: Claim, request: inputs.Feedback) -> None:
    if _is_first(connection, call, claim, request):
        _apply(connection, view, claim, request, call.now)


def _is_first(connection: sqlite3.Connection, call: Call, claim: Claim, request: inputs.Feedback) -> bool:
    row = {
        "number": claim.number,
        "signal": request.signal,
        "bucket": to_stored(call.now)[:13],
        "at": to_stored(call.now),
        "caller": call.caller.name,
        "score": request.score,
    }
    return connection.execute(_INSERT, row).rowcount > 0


def _apply(connection: sqlite3.Connection, view: View, claim: Claim, request: inputs.Feedback, now: datetime) -> None:
    scale = 1.0 if request.score is None else request.score
    utility = utility_now(claim, now) + scale * UTILITY_STEPS[request.signal]
    confidence = claim.confidence + scale * CONFIDENCE_STEPS[request.signal]
    merged_into = claim.merged_into
    if request.signal == "duplicate" and scale > 0:
        utility *= 1 - (1 - _DUPLICATE_SHARE) * scale
        merged_into = merged_into or _merge(connection, view, claim)
    row = {
        "number": claim.number,
        "utility": utility,
        "now": to_stored(now),
        "confidence": min(max(confidence, 0.0), 1.0),
        "merged_into": merged_into,
    }
    connection.execute(_UPDATE, row)


def _merge(connection: sqlite3.Connection, view: View, claim: Claim) -> int | None:
    """Let a claim be represented by the one of its own layer that says most nearly the same.

    Its evidence stays its own, and is read with that of its representative: once forgotten, it leaves nothing there.
    Said later than its representative, it confirms that, which speaks for it: no TTL may end what was said since.
    One that may contradict it is none, however many words they share: what it says would be lost.
    """
    same_layer = View((claim.scope,), frozenset({claim.boundary_class}), view.since, with_past=False)
    found = find_by_words(connection, same_layer, claim.text, {}, 10)
    compare = similarity()
    others = {number: found.claims[number] for number in found.scores if number != claim.number}
    texts = {number: other.text for number, other in others.items() if may_be_same(claim.text, other.text)}
    shares = {number: compare(claim.text, text) for number, text in texts.items()}
    representative = max(shares, key=lambda number: (shares[number], -number), default=None)
    if representative is None or shares[representative] < _SAME_SHARE:
        return None
    connection.execute(_REDIRECT, (representative, claim.number))
    connection.execute(_LEAD_ON, (representative, claim.number))
    connection.execute(_CONFIRM, {"representative": representative, "number": claim.number})
    return representative


_INSERT = """
INSERT OR IGNORE INTO feedback (claim_number, signal, bucket, at, caller, score)
VALUES (:number, :signal, :bucket, :at, :caller, :score)
"""

_UPDATE = """
UPDATE claims
SET utility = :utility, utility_at = :now, confidence = :confidence, merged_into = :merged_into
WHERE number = :number
"""

# What was merged into the duplicate follows it, and what it came in the place of leads to what speaks for it.
_REDIRECT = "UPDATE claims SET merged_into = ? WHERE merged_into = ?"
_LEAD_ON = "UPDATE claims SET replaced_by = ? WHERE replaced_by = ?"

_CONFIRM = """
UPDATE claims
SET updated_at = merged.updated_at, quality = merged.quality, quality_at = merged.quality_at
FROM claims AS merged
WHERE claims.number = :representative AND merged.number = :number AND merged.updated_at > claims.updated_at
"""
