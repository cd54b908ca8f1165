"""Pages of the protocol's lists. A cursor names the item before: it stays good while the list around it changes."""

import base64
import json
from collections.abc import Sequence
from typing import TypeVar

import mcp.types as t
from mcp.shared.exceptions import MCPError

T = TypeVar("T", t.Tool, t.Prompt, t.ResourceTemplate)

PAGE = 200

ListPlace = tuple[str, ...]
"""Where an item stands in the order of its list."""


def page_of(items: Sequence[T], cursor: str | None) -> tuple[list[T], str | None]:
    """One page of a list that is at hand, in its own order, and the cursor of the next. Raises `MCPError`."""
    start = 0
    if cursor is not None:
        place = read_cursor(cursor, 1)
        names = [(item.name,) for item in items]
        if place not in names:
            raise wrong_cursor()
        start = names.index(place) + 1
    page = list(items[start : start + PAGE])
    return page, make_cursor((page[-1].name,)) if start + PAGE < len(items) else None


def make_cursor(place: ListPlace) -> str:
    """The cursor of the page that begins after this place."""
    text = json.dumps(place, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode("utf-8")).decode("ascii")


def read_cursor(cursor: str, parts: int) -> ListPlace:
    """The place, of so many parts, after which a page begins. Raises `MCPError`: a cursor that no page has given."""
    try:
        place = tuple(json.loads(base64.b64decode(cursor, b"-_", validate=True)))
        are_texts = len(place) == parts and all(isinstance(part, str) for part in place)
        # Of what is no Unicode, a cursor cannot be made.
        is_ours = are_texts and make_cursor(place) == cursor
    except (ValueError, TypeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise wrong_cursor()
    return place


def wrong_cursor() -> MCPError:
    """What is raised for a cursor that no page has given."""
    return MCPError(t.INVALID_PARAMS, "cursor: expected the nextCursor of the page before; begin without one")
