"""Claims in whose place another one comes: kept and no longer recalled (docs/decisions/0022)."""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from morenashi.indexer.claim_index import SCOPES
from morenashi.server.errors import ToolError

from .claims import Claim, Draft
from .feedback import CONFIDENCE_STEPS
from .ids import to_stored
from .store import find_claim
from .visible import View, read_visible


def find_replaced(connection: sqlite3.Connection, view: View, ids: Sequence[str], draft: Draft) -> list[Claim]:
    """The claims that a draft is to replace. Raises `UNKNOWN_CLAIM` for one that the caller cannot see, and
    `BOUNDARY_DENIED` for one of a higher layer: principle > project > session (spec of memory, Policy and boundary).
    """
    found = []
    for claim_id in dict.fromkeys(ids):
        named = find_claim(connection, claim_id)
        # Of one that was merged what speaks for it: the two said the same.
        number = None if named is None else named.merged_into or named.number
        claim = None if number is None else read_visible(connection, view, [number]).get(number)
        if claim is None:
            message = "replaces: there is no such claim; search again"
            raise ToolError("UNKNOWN_CLAIM", message, parameter="replaces")
        if SCOPES.index(claim.scope) > SCOPES.index(draft.scope):
            message = (
                f"replaces: a claim of the scope {claim.scope} is replaced by none of the scope {draft.scope}; "
                f"keep the new one with the scope {claim.scope} if it is to come in its place"
            )
            raise ToolError("BOUNDARY_DENIED", message, parameter="replaces")
        found.append(claim)
    return found


def replace_claims(connection: sqlite3.Connection, number: int, replaced: Iterable[Claim], now: datetime) -> None:
    """Let a claim come in the place of others, and of those in whose place they came. They are trusted as little as
    what is called outdated; it holds again if one of them had come in its own place.
    """
    others = [claim for claim in replaced if claim.number != number]
    if not others:
        return
    number = _speaker(connection, number, others)
    connection.execute(_HOLDS, (number,))
    for claim in others:
        row = {"number": claim.number, "now": to_stored(now), "step": CONFIDENCE_STEPS["outdated"]}
        connection.execute(_REPLACED, row)
        connection.execute(_REPLACE, {"number": number, "replaced": claim.number})


def _speaker(connection: sqlite3.Connection, number: int, replaced: Iterable[Claim]) -> int:
    """The number of the claim that others lead to in its place: its own, or that of what it was merged into, which
    speaks for it. Said in the place of that one, it speaks for itself from then on: else neither would be recalled.
    """
    (representative,) = connection.execute("SELECT merged_into FROM claims WHERE number = ?", (number,)).fetchone()
    if representative is None:
        return number
    if representative in {claim.number for claim in replaced}:
        connection.execute("UPDATE claims SET merged_into = NULL WHERE number = ?", (number,))
        return number
    return int(representative)


_HOLDS = "UPDATE claims SET replaced_by = NULL, replaced_at = NULL WHERE number = ?"

# Asked of the table: what was replaced when it was looked for may hold again since, if the new claim confirms it.
_REPLACED = """
UPDATE claims
SET replaced_at = :now, confidence = max(confidence + :step, 0)
WHERE number = :number AND replaced_at IS NULL
"""

_REPLACE = "UPDATE claims SET replaced_by = :number WHERE number = :replaced OR replaced_by = :replaced"
