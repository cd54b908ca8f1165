"""Pages of the list of resources. A cursor names the item before: it stays good while the list around it changes.

The protocol's other lists are one page each.
"""

import base64
import json

import mcp.types as t
from mcp.shared.exceptions import MCPError

PAGE = 200

ListPlace = tuple[str, str, str]
"""Where a resource stands in the order of its list: its kind, its manual, its path."""


def refuse_cursor(params: t.PaginatedRequestParams | None) -> None:
    """For a list that is one page: raise `MCPError` for a cursor, as no page has given any."""
    if params is not None and params.cursor is not None:
        raise wrong_cursor()


def make_cursor(place: ListPlace) -> str:
    """The cursor of the page that begins after this place."""
    text = json.dumps(place, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode("utf-8")).decode("ascii")


def read_cursor(cursor: str) -> ListPlace:
    """The place after which a page begins. Raises `MCPError`: a cursor that no page has given."""
    try:
        kind, manual_id, path = json.loads(base64.b64decode(cursor, b"-_", validate=True))
        place = kind, manual_id, path
        # Of what is no Unicode, a cursor cannot be made.
        is_ours = all(isinstance(part, str) for part in place) and make_cursor(place) == cursor
    except (ValueError, TypeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise wrong_cursor()
    return place


def wrong_cursor() -> MCPError:
    """What is raised for a cursor that no page has given."""
    return MCPError(t.INVALID_PARAMS, "cursor: expected the nextCursor of the page before; begin without one")
