"""What a call ranked, kept for a while: its pages fit together, and an active context can be read again.

Holds the numbers and scores of claims, no text: what a page shows is read, and judged by the boundary, when it is
shown.
"""

import base64
import binascii
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from morenashi.server.errors import ToolError

from .claims import digest_of
from .ids import new_id, to_stored
from .ranking import Ranked

Listing = Literal["activate", "search"]


@dataclass(frozen=True, slots=True)
class Item:
    """A claim of a context, with its score and the parts of that."""

    number: int
    score: float
    parts: Mapping[str, float]
    reason: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a cursor is bound to: tool, caller, question, scopes, tags, and the policy's version."""

    tool: Listing
    caller: str
    question: str
    scopes: tuple[str, ...]
    tags: tuple[str, ...]
    policy_version: str

    @property
    def digest(self) -> str:
        """Names it without saying it."""
        return digest_of([self.tool, self.caller, self.question, self.scopes, self.tags])


@dataclass(frozen=True, slots=True)
class Context:
    """A stored ranking. Times as `ids.to_stored` writes them."""

    id: str
    tool: str
    caller: str
    expires_at: str
    asked: str
    policy_version: str
    items: tuple[Item, ...]

    def numbers(self, offset: int = 0, count: int | None = None) -> list[int]:
        """The claims of a page, or of all."""
        return [item.number for item in self.items[offset : None if count is None else offset + count]]


def make_context(asked: Asked, ranked: Sequence[Ranked], now: datetime, ttl_seconds: int) -> Context:
    """A context of what was ranked, not stored yet."""
    items = tuple(Item(one.claim.number, one.score, one.parts, one.reason) for one in ranked)
    expires_at = to_stored(now + timedelta(seconds=ttl_seconds))
    return Context(new_id("ac_"), asked.tool, asked.caller, expires_at, asked.digest, asked.policy_version, items)


def store_context(
    connection: sqlite3.Connection, context: Context, left_out: Mapping[str, Sequence[int]], now: datetime
) -> None:
    """Store a context; old ones are deleted, and those of a time to come, which a wrong clock has made."""
    row = {
        "id": context.id,
        "tool": context.tool,
        "caller": context.caller,
        "created_at": to_stored(now),
        "expires_at": context.expires_at,
        "asked": context.asked,
        "policy_version": context.policy_version,
        "items": json.dumps([[one.number, one.score, dict(one.parts), one.reason] for one in context.items]),
        "left_out": json.dumps(left_out),
    }
    connection.execute(_DELETE_OLD, (to_stored(now - _KEPT_EXPIRED),))
    connection.execute(_DELETE_FUTURE, (to_stored(now + _CLOCK_ERROR),))
    connection.execute(_INSERT, row)


def load_context(connection: sqlite3.Connection, context_id: str, now: datetime) -> Context | None:
    """A stored context; `None` if it has expired or was never there."""
    row = connection.execute(_ONE, (context_id,)).fetchone()
    if row is None or row[3] <= to_stored(now):
        return None
    context_id, tool, owner, expires_at, asked, policy_version, items = row
    stored = tuple(Item(*item) for item in json.loads(items))
    return Context(context_id, tool, owner, expires_at, asked, policy_version, stored)


def latest_context(connection: sqlite3.Connection, caller: str) -> str | None:
    """The id of the caller's newest active context, which may have expired."""
    row = connection.execute(_LATEST, (caller,)).fetchone()
    return row[0] if row else None


def make_cursor(context: Context, offset: int) -> str:
    """An opaque text for the page that begins at this item."""
    return base64.urlsafe_b64encode(json.dumps([context.id, offset]).encode()).decode().rstrip("=")


def follow_cursor(connection: sqlite3.Connection, cursor: str, asked: Asked, now: datetime) -> tuple[Context, int]:
    """The context that a cursor leads to, and where its page begins.

    Raises `VALIDATION_ERROR` for one of another question, caller or policy version, and `GONE` for an expired one.
    """
    try:
        context_id, offset = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True))
        # An id of ours is ASCII; SQLite takes no lone surrogate.
        is_cursor = isinstance(context_id, str) and context_id.isascii() and type(offset) is int and offset >= 0
    except (binascii.Error, ValueError, TypeError, RecursionError):
        is_cursor = False
    if not is_cursor:
        raise _refuse("the next_cursor of an answer")
    context = load_context(connection, context_id, now)
    if context is None:
        raise ToolError("GONE", "the cursor has expired; ask again without it", status=410)
    if (context.asked, context.policy_version) != (asked.digest, asked.policy_version):
        raise _refuse("one of this question and of this version of the policy; ask again without it")
    return context, offset


def _refuse(expected: str) -> ToolError:
    return ToolError("VALIDATION_ERROR", f"cursor: expected {expected}", parameter="cursor", expected=expected)


_KEPT_EXPIRED = timedelta(days=1)
_CLOCK_ERROR = timedelta(minutes=1)

_INSERT = """
INSERT INTO active_contexts (id, tool, caller, created_at, expires_at, asked, policy_version, items, left_out)
VALUES (:id, :tool, :caller, :created_at, :expires_at, :asked, :policy_version, :items, :left_out)
"""

_ONE = """
SELECT id, tool, caller, expires_at, asked, policy_version, items
FROM active_contexts
WHERE id = ?
"""

_LATEST = """
SELECT id
FROM active_contexts
WHERE caller = ? AND tool = 'activate'
ORDER BY created_at DESC
LIMIT 1
"""

# One after the other: each walks along its own index.
_DELETE_OLD = "DELETE FROM active_contexts WHERE expires_at < ?"
_DELETE_FUTURE = "DELETE FROM active_contexts WHERE created_at > ?"
