"""The rows of a document's passages: their places, their texts, their tokens in the full-text tables, written as a
difference.

A passage of the same text keeps its rows, wherever it has moved to: to save a file of 800 KB costs what the edit costs.
"""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .row_pool import RowPool, next_id
from .term_counts import TermCounts
from .tokens import pair_tokens, word_tokens

if TYPE_CHECKING:
    from .documents import Passage
    from .prepare import Prepared


def put_passages(
    connection: sqlite3.Connection,
    counts: TermCounts,
    document_id: int,
    prepared: "Prepared",
    section_ids: Sequence[int],
) -> None:
    """Store the passages of a document whose sections have these ids, in the document's order."""
    stored = connection.execute(_PASSAGE_TEXTS, (document_id,)).fetchall()
    pool = RowPool((text, passage_id) for passage_id, text in stored)
    moved = []
    fresh: list[tuple[Passage, tuple[str, str]]] = []
    for position, passage in enumerate(prepared.document.passages):
        passage_id = pool.take(passage.text)
        if passage_id is None:
            fresh.append((passage, _tokens(prepared, position)))
        else:
            place = (section_ids[passage.section], passage.first_line, passage.last_line)
            moved.append((*place, passage_id, *place))
    connection.executemany(_MOVE_PASSAGE, moved)
    texts = dict(stored)
    for passage_id in pool.left():
        _unindex(connection, counts, passage_id, texts[passage_id])
        connection.execute("DELETE FROM passages WHERE id = ?", (passage_id,))
    _insert(connection, counts, document_id, fresh, section_ids)


def unindex_passages(connection: sqlite3.Connection, counts: TermCounts, document_id: int) -> None:
    """Take a document's passages out of the full-text tables; their rows go with the document's."""
    for passage_id, text in connection.execute(_PASSAGE_TEXTS, (document_id,)).fetchall():
        _unindex(connection, counts, passage_id, text)


def _insert(
    connection: sqlite3.Connection,
    counts: TermCounts,
    document_id: int,
    fresh: "Sequence[tuple[Passage, tuple[str, str]]]",
    section_ids: Sequence[int],
) -> None:
    numbered = list(enumerate(fresh, next_id(connection, "passages")))
    connection.executemany(
        "INSERT INTO passages (id, document_id, section_id, first_line, last_line) VALUES (?, ?, ?, ?, ?)",
        [(n, document_id, section_ids[p.section], p.first_line, p.last_line) for n, (p, _) in numbered],
    )
    connection.executemany(
        "INSERT INTO passage_texts (id, text) VALUES (?, ?)", [(n, p.text) for n, (p, _) in numbered]
    )
    connection.executemany(
        "INSERT INTO pairs (rowid, tokens) VALUES (?, ?)", [(n, pairs) for n, (_, (pairs, _)) in numbered]
    )
    connection.executemany(
        "INSERT INTO words (rowid, tokens) VALUES (?, ?)", [(n, words) for n, (_, (_, words)) in numbered]
    )
    for _, (passage, (pairs, words)) in numbered:
        counts.change(passage.text, pairs, words, 1)


def _unindex(connection: sqlite3.Connection, counts: TermCounts, passage_id: int, text: str) -> None:
    # A contentless row goes by repeating its tokens; they follow from the stored text.
    pairs, words = pair_tokens(text), word_tokens(text)
    connection.execute(_DELETE_PAIRS, (passage_id, pairs))
    connection.execute(_DELETE_WORDS, (passage_id, words))
    counts.change(text, pairs, words, -1)


def _tokens(prepared: "Prepared", position: int) -> tuple[str, str]:
    if prepared.tokens:
        return prepared.tokens[position]
    text = prepared.document.passages[position].text
    return pair_tokens(text), word_tokens(text)


_PASSAGE_TEXTS = """
SELECT passages.id, passage_texts.text
FROM passages
JOIN passage_texts ON passage_texts.id = passages.id
WHERE passages.document_id = ?
ORDER BY passages.first_line
"""

_MOVE_PASSAGE = """
UPDATE passages SET section_id = ?, first_line = ?, last_line = ?
WHERE id = ? AND (section_id, first_line, last_line) IS NOT (?, ?, ?)
"""

_DELETE_PAIRS = "INSERT INTO pairs (pairs, rowid, tokens) VALUES ('delete', ?, ?)"
_DELETE_WORDS = "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)"
