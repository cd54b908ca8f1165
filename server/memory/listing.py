"""Claims one after the other, for who looks after a memory: what no question finds has to be seen somewhere."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from morenashi.indexer.claim_index import BoundaryClass, ClaimScope

from .claims import CLAIM_COLUMNS, Claim
from .policy import ClaimKind, Policy
from .present import read_outdated, show_text
from .tags import Tags
from .visible import expired_until

State = Literal["stale", "replaced", "merged", "expired", "outdated"]
"""Why a claim is not recalled, or is with a warning."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which claims are listed; `None` for all."""

    scope: ClaimScope | None
    kind: ClaimKind | None
    boundary_class: BoundaryClass | None
    state: State | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A claim, and its text as the policy shows it; `None` if it does not."""

    claim: Claim
    states: tuple[State, ...]
    text: str | None


def list_claims(
    connection: sqlite3.Connection, policy: Policy, tags: Tags, now: datetime, wanted: Wanted
) -> Iterator[Listed]:
    """Those that are wanted, the last one that was said first, with their texts as these uses see them."""
    values = {"scope": wanted.scope, "kind": wanted.kind, "boundary_class": wanted.boundary_class}
    claims = [Claim(*row) for row in connection.execute(_CLAIMS, values)]
    outdated = read_outdated(connection, [claim.number for claim in claims])
    for claim in claims:
        states = _states(claim, policy, now, is_outdated=claim.number in outdated)
        if wanted.state is None or wanted.state in states:
            yield Listed(claim, states, show_text(claim, policy, tags))


def _states(claim: Claim, policy: Policy, now: datetime, *, is_outdated: bool) -> tuple[State, ...]:
    states: dict[State, bool] = {
        "stale": claim.stale_since is not None,
        "replaced": claim.replaced_at is not None,
        "merged": claim.merged_into is not None,
        "expired": claim.updated_at <= expired_until(policy, claim.scope, now),
        "outdated": is_outdated,
    }
    return tuple(state for state, is_one in states.items() if is_one)


_CLAIMS = f"""
SELECT {CLAIM_COLUMNS}
FROM claims
WHERE (:scope IS NULL OR claims.scope = :scope)
  AND (:kind IS NULL OR claims.kind = :kind)
  AND (:boundary_class IS NULL OR claims.boundary_class = :boundary_class)
ORDER BY claims.updated_at DESC, claims.number DESC
"""  # noqa: S608 - a constant
