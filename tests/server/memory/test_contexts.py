"""What a call ranked is kept for its pages: a cursor leads to its context and its place, however long it is."""

import contextlib
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from morenashi.indexer.schema import apply_schema
from morenashi.server.errors import ToolError
from morenashi.server.memory.contexts import Asked, follow_cursor, make_context, make_cursor, store_context

NOW = datetime(2026, 1, 2, tzinfo=UTC)
ASKED = Asked("search", "ann", "解約", ("project",), ("tool:*",), "0.1.0")


def test_a_cursor_leads_back_to_its_place_in_its_context() -> None:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        apply_schema(connection)
        context = make_context(ASKED, [], NOW, 60)
        store_context(connection, context, {}, NOW)
        for offset in (0, 12, 120, 1200, 12000):
            assert follow_cursor(connection, make_cursor(context, offset), ASKED, NOW) == (context, offset)
        for other in (replace(ASKED, caller="bob"), replace(ASKED, tool="activate"), replace(ASKED, tags=())):
            with pytest.raises(ToolError, match="cursor"):
                follow_cursor(connection, make_cursor(context, 0), other, NOW)
        with pytest.raises(ToolError, match="expired"):
            follow_cursor(connection, make_cursor(context, 0), ASKED, NOW.replace(minute=1))
