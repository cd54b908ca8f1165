"""Terms looked for in the stored texts themselves, without the full-text tables."""

import random
import sqlite3
from collections.abc import Sequence

from morenashi.indexer.tokens import squeeze

from .scope_sql import ScopeSql

_ALL = -1


def scan_texts(
    connection: sqlite3.Connection, scope: ScopeSql, spellings: Sequence[str], most: int = _ALL
) -> list[int]:
    """The passages with one of the spellings, in order; at most `most` are read, over all spellings.

    Where the scope has more, they start anywhere, so that one scan after the other looks elsewhere.
    """
    each = most // len(spellings) if most != _ALL else _ALL
    left_out = _count_passages(connection, scope) - each if most != _ALL else 0
    start = random.randint(0, max(left_out, 0))
    return sorted({found for spelling in spellings for found in _scan(connection, scope, spelling, start, each)})


def _scan(connection: sqlite3.Connection, scope: ScopeSql, spelling: str, start: int, most: int) -> list[int]:
    """Passages whose text holds a spelling, separators ignored; those too if it has nothing else."""
    squeezed = squeeze(spelling)
    sought = squeezed or spelling
    values = {
        "first": sought[0],
        "middle": sought[len(sought) // 2],
        "last": sought[-1],
        "start": start,
        "most": most,
        **scope.values,
    }
    rows = connection.execute(_SCAN.format(scope=scope.passages), values)
    return [row[0] for row in rows if sought in (squeeze(row[1]) if squeezed else row[1])]


def _count_passages(connection: sqlite3.Connection, scope: ScopeSql) -> int:
    """How many passages the scope has."""
    query = f"SELECT count(*) FROM ({scope.passages})"  # noqa: S608 - one of three constants
    return int(connection.execute(query, scope.values).fetchone()[0])


# Every text is read. Three characters rule most of them out before they get to Python.
_SCAN = """
SELECT scope.id, passage_texts.text
FROM ({scope} LIMIT :most OFFSET :start) AS scope
CROSS JOIN passage_texts ON passage_texts.id = scope.id
WHERE instr(passage_texts.text, :first) > 0
  AND instr(passage_texts.text, :middle) > 0
  AND instr(passage_texts.text, :last) > 0
"""
