"""Cursors of scans: a place in a file, good only for the content that it was made of (contract §1).

A cursor says which content that is. A client may leave this out and send line and offset alone; therefore the server
also remembers, while it runs, of which content it last gave out each place to each client.
"""

from typing import Any

from morenashi.server.calls.vault_inputs import ScanCursor
from morenashi.server.delivery.given_places import given_places
from morenashi.server.errors import ToolError

from .text_map import TextFile

_VERSION_DIGITS = 16

NOWHERE: dict[str, Any] = {"start_line": None, "char_offset": None, "version": None}
"""The cursor at the end of a file."""


def version_of(file: TextFile) -> str:
    """Names the file's content."""
    return file.map.sha256[:_VERSION_DIGITS]


def make_cursor(path: str, file: TextFile, char_offset: int) -> dict[str, Any]:
    """The cursor of a place in the file."""
    given_places.remember("vault", path, char_offset, version_of(file))
    return {"start_line": file.line_of(char_offset), "char_offset": char_offset, "version": version_of(file)}


def check_cursor(path: str, file: TextFile, cursor: ScanCursor) -> None:
    """Raise `conflict` if the cursor belongs to another content of this file."""
    version = cursor.version
    if cursor.char_offset is not None:
        version = version or given_places.recall("vault", path, cursor.char_offset)
        is_beyond = cursor.char_offset > file.map.characters
        if is_beyond or cursor.start_line not in (None, file.line_of(cursor.char_offset)):
            raise _stale()
    if version not in (None, version_of(file)):
        raise _stale()


def _stale() -> ToolError:
    message = "cursor: it is not of this file as it is now; begin again without it"
    return ToolError("conflict", message, parameter="cursor")
