"""In how many passages a term stands: every pair and kanji, and the frequent words (table `term_counts`).

The counts of pairs are the witness beside the full-text table: what was lost there still counts here.
Beside it, in `index_state`: how many passages there are, and how many characters they have.
"""

import sqlite3
from collections import Counter

from .index_state import keep_fact, read_fact
from .tokens import is_kanji

FREQUENT = 16
"""A word in fewer passages is not kept: asking FTS5 for it is quick."""


class TermCounts:
    """Collects what changes; `flush` brings the table up to it, exactly.

    In bulk, pairs and words are not collected: counting the vocabulary once at the end is quicker,
    and admits terms that have become frequent. Until then the table says that it is stale.
    """

    def __init__(self) -> None:
        self.in_bulk = False
        self._characters: Counter[str] = Counter()
        self._tokens: Counter[tuple[str, str]] = Counter()
        self._totals: Counter[str] = Counter()

    def change(self, text: str, pairs: str, words: str, by: int) -> None:
        """A passage with these tokens was added (`by` 1) or removed (-1)."""
        self._totals["passages"] += by
        self._totals["characters"] += by * len(text)
        # Every character but separators begins a pair, and there are fewer pairs than characters. All are counted, and
        # not the kanji alone: which those are is quicker asked once a batch than once a passage.
        characters = set(pairs[::3])
        if by > 0:
            self._characters.update(characters)
        else:
            self._characters.subtract(characters)
        if not self.in_bulk:
            for kind, tokens in (("pair", pairs), ("word", words)):
                for token in tokens.split():
                    self._tokens[kind, token] += by

    def flush(self, connection: sqlite3.Connection) -> None:
        """Write the changes, inside the caller's transaction."""
        kanji = [(character, by) for character, by in self._characters.items() if by and is_kanji(character)]
        connection.executemany(_ADD_KANJI, kanji)
        changed = [(by, kind, token) for (kind, token), by in self._tokens.items() if by]
        connection.executemany(_BEGIN_PAIR, [(token,) for by, kind, token in changed if kind == "pair" and by > 0])
        connection.executemany(_ADD_TO_KEPT, changed)
        connection.executemany(_END_PAIR, [(token,) for by, kind, token in changed if kind == "pair" and by < 0])
        connection.executemany(_ADD_TO_TOTAL, [(by, key) for key, by in self._totals.items()])
        self.discard()

    def discard(self) -> None:
        """Forget what was collected: its transaction was rolled back."""
        self._characters.clear()
        self._tokens.clear()
        self._totals.clear()


def mark_stale(connection: sqlite3.Connection) -> None:
    """Say that pairs and words have to be counted anew, also after an interruption."""
    keep_fact(connection, "term_counts", "stale")


def is_stale(connection: sqlite3.Connection) -> bool:
    """Whether a bulk run ended before it had counted."""
    return read_fact(connection, "term_counts") == "stale"


def recount(connection: sqlite3.Connection) -> None:
    """Count pairs and words from the vocabulary of the index, inside the caller's transaction."""
    connection.execute("DELETE FROM term_counts WHERE kind <> 'kanji'")
    connection.execute(_RECOUNT, {"least": FREQUENT})
    keep_fact(connection, "term_counts", "exact")


_ADD_KANJI = """
INSERT INTO term_counts (kind, term, passages) VALUES ('kanji', ?, ?)
ON CONFLICT (kind, term) DO UPDATE SET passages = passages + excluded.passages
"""

_BEGIN_PAIR = "INSERT OR IGNORE INTO term_counts (kind, term, passages) VALUES ('pair', ?, 0)"
_ADD_TO_KEPT = "UPDATE term_counts SET passages = passages + ? WHERE kind = ? AND term = ?"
_END_PAIR = "DELETE FROM term_counts WHERE kind = 'pair' AND term = ? AND passages = 0"

_ADD_TO_TOTAL = "UPDATE index_state SET value = CAST(value AS INTEGER) + ? WHERE key = ?"

_RECOUNT = """
INSERT INTO term_counts (kind, term, passages)
SELECT 'pair', term, doc FROM pairs_vocabulary
UNION ALL
SELECT 'word', term, doc FROM words_vocabulary WHERE doc >= :least
"""
