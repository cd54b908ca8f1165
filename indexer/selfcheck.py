"""Does the full-text index find what a scan of the stored texts finds? A sample, as large as there is time for.

FTS5's own integrity check cannot say: the tables are contentless, so a posting that is missing from
them contradicts nothing that FTS5 can see.
"""

import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from .tokens import quote, squeeze

WINDOW = 16
"""Passages with consecutive row numbers that are looked at together. FTS5 seeks to such a range."""

_MOST_WINDOWS = 256
# One character is asked for as the beginning of pairs. FTS5 merges all their postings first, and nothing
# interrupts it: what would take longer than a deadline may be overrun by is left out.
_MOST_MERGED = 2_000
_SCRIPTS = [re.compile(kind) for kind in ("[\u4e00-\u9fff\u3400-\u4dbf]", "[\u30a1-\u30fc]", "[a-z0-9]", ".")]


class Difference(NamedTuple):
    """A term that index and scan place differently, without the term: it is text of a document.

    `missed` passages hold it and are not found, `invented` ones are found and do not hold it (row numbers).
    """

    length: int
    missed: tuple[int, ...]
    invented: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a self-check looked at, and what it found. The same seed looks at the same."""

    seed: int
    terms: int
    passages: int
    differences: tuple[Difference, ...]

    def as_counts(self) -> dict[str, int]:
        """The sample in numbers, for a log."""
        missed = sum(bool(difference.missed) for difference in self.differences)
        return {
            "seed": self.seed,
            "terms": self.terms,
            "passages": self.passages,
            "missed": missed,
            "invented": len(self.differences) - missed,
        }


def check_sample(
    connection: sqlite3.Connection, seed: int, is_over: Callable[[], bool], most_windows: int = _MOST_WINDOWS
) -> Sample:
    """Compare index and scan, window after window, until `is_over`. The caller sees one state of the index.

    Of every passage looked at a term of 2 and one of 3 characters is asked for, of every window one of 1
    that is not frequent, from any script.
    Raises `sqlite3.DatabaseError` where FTS5 itself notices damage.
    """
    terms = passages = 0
    differences: list[Difference] = []
    for texts in _windows(connection, random.Random(seed), most_windows):
        passages += len(texts)
        for term in _terms(texts, random.Random(f"{seed} {min(texts)}")):
            if is_over():
                return Sample(seed, terms, passages, tuple(differences))
            if len(term) == 1 and _merged(connection, term) > _MOST_MERGED:
                continue
            terms += 1
            if difference := _compare(connection, texts, term):
                differences.append(difference)
    return Sample(seed, terms, passages, tuple(differences))


def _windows(connection: sqlite3.Connection, chosen: random.Random, most: int) -> Iterator[dict[int, str]]:
    """The squeezed texts of windows from everywhere in the index, by row number; all of a small index."""
    last = connection.execute("SELECT coalesce(max(id), 0) FROM passage_texts").fetchone()[0]
    starts = range(1, last + 1, WINDOW)
    for start in chosen.sample(starts, min(most, len(starts))):
        rows = connection.execute(_TEXTS, (start, start + WINDOW - 1))
        if texts := {passage_id: squeeze(text) for passage_id, text in rows}:
            yield texts


def _terms(texts: dict[int, str], chosen: random.Random) -> Iterator[str]:
    for position, text in enumerate(texts.values()):
        for length in (2, 3) if position else (1, 2, 3):
            starts = range(len(text) - length + 1)
            wanted = chosen.choice(_SCRIPTS)
            if starts and (of_script := [match.start() for match in wanted.finditer(text, 0, starts.stop)] or starts):
                start = chosen.choice(of_script)
                yield text[start : start + length]


def _merged(connection: sqlite3.Connection, character: str) -> int:
    """About how many postings begin with this character: those of its frequent pairs."""
    return int(connection.execute(_POSTINGS_FROM, {"character": character}).fetchone()[0])


def _compare(connection: sqlite3.Connection, texts: dict[int, str], term: str) -> Difference | None:
    scanned = {passage_id for passage_id, text in texts.items() if term in text}
    asked = (_expression(term), min(texts), max(texts))
    found = {row[0] for row in connection.execute(_FOUND, asked)}
    # Three characters may be found as two pairs that stand apart: the text decides afterwards.
    invented = found - scanned if len(term) < 3 else found - texts.keys()
    if found >= scanned and not invented:
        return None
    return Difference(len(term), tuple(sorted(scanned - found)), tuple(sorted(invented)))


def _expression(term: str) -> str:
    if len(term) == 1:
        return quote(term) + "*"
    return " AND ".join(quote(left + right) for left, right in pairwise(term))


_TEXTS = "SELECT id, text FROM passage_texts WHERE id BETWEEN ? AND ? ORDER BY id"

# Search: PRIMARY KEY (kind, term), from this character to the last pair that begins with it.
_POSTINGS_FROM = """
SELECT total(passages)
FROM term_counts
WHERE kind = 'pair' AND term BETWEEN :character AND :character || char(1114111)
"""

_FOUND = "SELECT rowid FROM pairs WHERE pairs MATCH ? AND rowid BETWEEN ? AND ?"
