"""What sections refer to."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple


class ReferenceRow(NamedTuple):
    """A reference."""

    source_id: int
    line: int
    kind: str
    text: str
    target_id: int | None
    target_line: int


def references_from(connection: sqlite3.Connection, section_ids: Sequence[int]) -> list[ReferenceRow]:
    """The references of these sections."""
    return []
