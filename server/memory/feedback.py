"""pce.memory.feedback: what a signal does to a claim (seed 002 §2.4). Once a claim, signal and hour."""

import re
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from morenashi.indexer.claim_tokens import searchable
from morenashi.indexer.tokens import is_kanji, runs, stem
from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.errors import ToolError

from .calls import Call, CallOutcome
from .candidates import find_by_words
from .claims import Claim
from .ids import to_stored
from .policies import AppliedPolicy
from .ranking import utility_now
from .retrieve import similarity
from .store import find_claim
from .visible import View, read_visible

UTILITY_STEPS = {"helpful": 0.10, "harmful": -0.20, "outdated": 0.0, "duplicate": 0.0}
CONFIDENCE_STEPS = {"helpful": 0.05, "harmful": -0.10, "outdated": -0.20, "duplicate": 0.0}

_DUPLICATE_SHARE = 0.5
"""What is left of the utility of a duplicate."""

_SAME_SHARE = 0.5
"""Two claims that share so many of their tokens say the same."""

_NUMBER = re.compile("[0-9]+|[〇一二三四五六七八九十百千万]+")
# What is in a sentence or not without changing what it says. No "on" and "and": these have opposites.
_FILLERS = frozenset(
    "a an the is are be am was were we you i me my our your it its this that there to of for in at by as with do does "
    "please".split()
)
_DENIAL = re.compile(r"ない|なく|ません|せず|禁止|不可|不要|\b(?:not|no|never|without|cannot)\b|n't")


def feedback(call: Call, applied: AppliedPolicy, request: inputs.Feedback) -> CallOutcome:
    """Take a signal. The same again in the hour changes nothing and answers the same. Raises `UNKNOWN_CLAIM`."""
    view = call.view(applied, None, call.tags(None), with_stale=True)

    def take(connection: sqlite3.Connection) -> CallOutcome:
        claim = find_claim(connection, request.claim_id)
        if claim is None or not _may_judge(connection, view, claim):
            message = "claim_id: there is no such claim; search again"
            raise ToolError("UNKNOWN_CLAIM", message, parameter="claim_id")
        for one in (claim, *_representative(connection, view, claim, request)):
            if _is_first(connection, call, one, request):
                _apply(connection, view, one, request, call.now)
        return CallOutcome({"ok": True, "policy_version": applied.version}, (claim.id,))

    return call.commit(take)


def _may_judge(connection: sqlite3.Connection, view: View, claim: Claim) -> bool:
    """Whether the caller may see it; one that was merged counts as seen, so that the same call answers the same."""
    if claim.merged_into is not None:
        return claim.boundary_class in view.classes
    return claim.number in read_visible(connection, view, [claim.number])


def _representative(
    connection: sqlite3.Connection, view: View, claim: Claim, request: inputs.Feedback
) -> Iterable[Claim]:
    """The claim that a merged one was merged into, which speaks for it, if the caller may see that."""
    if claim.merged_into is None or request.signal == "duplicate":
        return ()
    return read_visible(connection, view, [claim.merged_into]).values()


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
    same_layer = View((claim.scope,), frozenset({claim.boundary_class}), view.since, with_stale=False)
    found = find_by_words(connection, same_layer, claim.text, {}, 10)
    compare = similarity()
    others = {number: found.claims[number] for number in found.scores if number != claim.number}
    shares = {number: compare(claim, other) for number, other in others.items() if _may_be_same(claim, other)}
    representative = max(shares, key=lambda number: (shares[number], -number), default=None)
    if representative is None or shares[representative] < _SAME_SHARE:
        return None
    connection.execute(_REDIRECT, (representative, claim.number))
    connection.execute(_CONFIRM, {"representative": representative, "number": claim.number})
    return representative


def _may_be_same(one: Claim, other: Claim) -> bool:
    """Whether nothing in two claims speaks against it: 10時 is no duplicate of 11時, nor yes of no, Tokyo of Osaka."""
    left, right = searchable(one.text), searchable(other.text)
    has_same_numbers = sorted(_NUMBER.findall(left)) == sorted(_NUMBER.findall(right))
    denies_as_often = len(_DENIAL.findall(left)) == len(_DENIAL.findall(right))
    return has_same_numbers and denies_as_often and not _differ_in_words(_words(left), _words(right))


def _differ_in_words(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether each has a word that the other lacks, or the first more than one: it would be lost with what it says of
    somebody or something else, as what corrects a claim and repeats it does.
    """
    more = words - others
    return bool(more and others - words) or sum(_share_of_word(word) for word in more) > 1


def _share_of_word(word: str) -> float:
    """Most words of kanji have two."""
    return 0.5 if is_kanji(word) else 1.0


def _words(text: str) -> frozenset[str]:
    """Stems of Latin and katakana words, and single kanji: compounds are made at will, 精算期限 and 精算の期限."""
    latin_and_katakana = (run for run in runs(text) if not is_kanji(run[0]) and run not in _FILLERS)
    return frozenset([*map(stem, latin_and_katakana), *filter(is_kanji, text)])


_INSERT = """
INSERT OR IGNORE INTO feedback (claim_number, signal, bucket, at, caller, score)
VALUES (:number, :signal, :bucket, :at, :caller, :score)
"""

_UPDATE = """
UPDATE claims
SET utility = :utility, utility_at = :now, confidence = :confidence, merged_into = :merged_into
WHERE number = :number
"""

# What was merged into the duplicate follows it.
_REDIRECT = "UPDATE claims SET merged_into = ? WHERE merged_into = ?"

_CONFIRM = """
UPDATE claims
SET updated_at = merged.updated_at, quality = merged.quality, quality_at = merged.quality_at
FROM claims AS merged
WHERE claims.number = :representative AND merged.number = :number AND merged.updated_at > claims.updated_at
"""
