"""Which claims a call may see at all: the condition that stands before every ranking and every limit, in SQL."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from morenashi.indexer.claim_index import SCOPES, BoundaryClass, ClaimScope, layer_of

from .claims import CLAIM_COLUMNS, Claim
from .ids import to_stored
from .policy import Policy

_NEVER = "~"
"""Sorts after every time."""


@dataclass(frozen=True, slots=True)
class View:
    """Scopes and classes that may be seen. `since` has, by scope, when its TTL began to be over.

    Claims that were merged into others are never seen; those that do not hold any more, since what they cite has
    changed or another came in their place, only if `with_past`.
    """

    scopes: tuple[ClaimScope, ...]
    classes: frozenset[BoundaryClass]
    since: dict[str, str]
    with_past: bool

    @property
    def layers(self) -> str:
        """The letters of its layers, as `claim_index` writes them."""
        return "".join(layer_of(scope, one) for scope in self.scopes for one in sorted(self.classes))

    def shows(self, claim: Claim) -> bool:
        """Whether it shows a claim that it may see, be that one that does not hold any more."""
        return self.with_past or claim.holds

    def parameters(self) -> dict[str, str | int]:
        """The values that the condition takes."""
        times = {f"{scope}_since": self.since.get(scope, _NEVER) for scope in SCOPES}
        return {**times, "classes": json.dumps(sorted(self.classes)), "with_past": int(self.with_past)}


def make_view(
    policy: Policy, scopes: Sequence[ClaimScope], classes: frozenset[BoundaryClass], now: datetime, *, with_past: bool
) -> View:
    """The view of a call that asks for these scopes and may see these classes."""
    since: dict[str, str] = {scope: expired_until(policy, scope, now) for scope in scopes}
    return View(tuple(scopes), classes, since, with_past)


def expired_until(policy: Policy, scope: ClaimScope, now: datetime) -> str:
    """The latest confirmation with which a claim of this scope has expired; before all times where none ever does."""
    lifetime = getattr(policy.scopes, scope).lifetime
    return to_stored(now - lifetime) if lifetime else ""


def read_visible(connection: sqlite3.Connection, view: View, numbers: Iterable[int]) -> dict[int, Claim]:
    """Those of the claims with these numbers that the view shows."""
    values = view.parameters() | {"numbers": json.dumps(list(numbers))}
    return {row[0]: Claim(*row) for row in connection.execute(_BY_NUMBER, values)}


def visible_numbers(view: View) -> tuple[str, dict[str, str | int]]:
    """The condition on `claims` that the view is, with its values, for other questions."""
    return _VISIBLE, view.parameters()


def read_neighbours(connection: sqlite3.Connection, view: View, claim: Claim, reach: int) -> list[tuple[int, Claim]]:
    """The claims of the same source around one, as (distance, claim): before it negative, after it positive."""
    values = view.parameters() | {
        "source": claim.source,
        "said_at": claim.said_at,
        "number": claim.number,
        "reach": reach,
    }
    before = [Claim(*row) for row in connection.execute(_BEFORE, values)]
    after = [Claim(*row) for row in connection.execute(_AFTER, values)]
    return [(-place, one) for place, one in enumerate(before, 1)] + list(enumerate(after, 1))


_VISIBLE = """
  claims.merged_into IS NULL
  AND claims.boundary_class IN (SELECT value FROM json_each(:classes))
  AND claims.updated_at > CASE claims.scope
    WHEN 'session' THEN :session_since
    WHEN 'project' THEN :project_since
    ELSE :principle_since
  END
  AND (:with_past OR (claims.stale_since IS NULL AND claims.replaced_at IS NULL))
"""

_BY_NUMBER = f"""
SELECT {CLAIM_COLUMNS}
FROM claims
WHERE claims.number IN (SELECT value FROM json_each(:numbers)) AND {_VISIBLE}
"""  # noqa: S608 - constants

_BEFORE = f"""
SELECT {CLAIM_COLUMNS}
FROM claims
WHERE claims.source = :source AND (claims.said_at, claims.number) < (:said_at, :number) AND {_VISIBLE}
ORDER BY claims.said_at DESC, claims.number DESC
LIMIT :reach
"""  # noqa: S608 - constants

_AFTER = f"""
SELECT {CLAIM_COLUMNS}
FROM claims
WHERE claims.source = :source AND (claims.said_at, claims.number) > (:said_at, :number) AND {_VISIBLE}
ORDER BY claims.said_at, claims.number
LIMIT :reach
"""  # noqa: S608 - constants
