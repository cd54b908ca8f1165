"""The thorough comparisons of `reindex --check`: every posting counted, sampled documents read again."""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from . import term_counts
from .collections import display_name
from .files import DiskFile
from .prepare import Preparer
from .selfcheck import check_sample
from .stored_documents import unlike_file
from .text import normalise
from .tokens import is_kanji, pair_tokens, word_tokens

_SEED = 1
_DOCUMENTS_READ = 200
_WINDOWS = 64

Tokens = Callable[[str], str]


def index_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """What the stored texts contradict in the full-text tables and the counts, without text of a document.

    The connection may create temporary tables.
    """
    yield from _sample_faults(connection)
    for table, (query, tokens) in _TABLES.items():
        truth = _count(connection.execute(query), tokens)
        yield from _posting_faults(connection, table, truth)
        if table in _COUNTED:
            yield from _kept_count_faults(connection, _COUNTED[table], truth)
    kanji = _count(connection.execute(_TEXTS), lambda text: " ".join(filter(is_kanji, set(text))))
    yield from _kept_count_faults(connection, "kanji", kanji)
    yield from _total_faults(connection)


def document_faults(
    connection: sqlite3.Connection, preparer: Preparer, files: Sequence[DiskFile], *, is_same_dictionary: bool
) -> Iterator[str]:
    """Sampled documents of which the index does not hold what their file says. `files` are those that have not changed.

    With another dictionary than that of the index, its exceptions are not compared.
    """
    for file in random.Random(_SEED).sample(files, min(_DOCUMENTS_READ, len(files))):
        prepared = preparer.prepare(file)
        # One that was saved meanwhile says something else by now.
        if prepared and (prepared.sha256,) == connection.execute(_HASH, file.key).fetchone():
            for what in unlike_file(connection, file.key, prepared.document):
                if is_same_dictionary or what != "exceptions":
                    yield f"document: the stored {what} of {display_name(file.key)} are not those of the file"


def _sample_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for difference in check_sample(connection, _SEED, lambda: False, _WINDOWS).differences:
        wrong = difference.missed or difference.invented
        place = connection.execute(_PLACE, (wrong[0],)).fetchone()
        at = "a passage that does not exist" if place is None else f"{display_name(place[:2])}:{place[2]}"
        says = "misses" if difference.missed else "invents"
        yield f"pairs: the index {says} a term of {difference.length} characters at {at}"


def _posting_faults(connection: sqlite3.Connection, table: str, truth: Counter[str]) -> Iterator[str]:
    vocabulary = f"temp.{table}_audit"
    connection.execute(f"CREATE VIRTUAL TABLE {vocabulary} USING fts5vocab('main', '{table}', 'row')")
    try:
        held = dict(connection.execute(f"SELECT term, doc FROM {vocabulary}"))  # noqa: S608 - our own tables
    finally:
        connection.execute(f"DROP TABLE {vocabulary}")
    missing = sum((truth - Counter(held)).values())
    surplus = sum((Counter(held) - truth).values())
    if missing or surplus:
        yield f"{table}: {missing} postings are missing, {surplus} are too many"


def _kept_count_faults(connection: sqlite3.Connection, kind: str, truth: Counter[str]) -> Iterator[str]:
    if kind != "kanji" and term_counts.is_stale(connection):
        return
    kept = dict(connection.execute("SELECT term, passages FROM term_counts WHERE kind = ?", (kind,)))
    # Of words, only the frequent ones are kept.
    wrong = sum(truth[term] != kept.get(term, 0) for term in (kept if kind == "word" else kept.keys() | truth.keys()))
    if wrong:
        yield f"term_counts: {wrong} counts of kind {kind} are wrong"


def _total_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for what, kept, counted in connection.execute(_TOTALS):
        if int(kept) != counted:
            yield f"index_state: {what} says {kept}, there are {counted}"


def _count(rows: Iterable[tuple[str]], tokens: Tokens) -> Counter[str]:
    """In how many rows each token stands."""
    counts: Counter[str] = Counter()
    for (text,) in rows:
        counts.update(tokens(text).split())
    return counts


_TEXTS = "SELECT text FROM passage_texts"

_TABLES: dict[str, tuple[str, Tokens]] = {
    "pairs": (_TEXTS, pair_tokens),
    "words": (_TEXTS, word_tokens),
    "title_pairs": ("SELECT title FROM sections", lambda title: pair_tokens(normalise(title))),
}

_HASH = "SELECT sha256 FROM documents WHERE manual_id = ? AND path = ?"

_COUNTED = {"pairs": "pair", "words": "word"}

_PLACE = """
SELECT documents.manual_id, documents.path, passages.first_line
FROM passages
JOIN documents ON documents.id = passages.document_id
WHERE passages.id = ?
"""

_TOTALS = """
SELECT key, value, (SELECT count(*) FROM passages JOIN passage_texts USING (id))
FROM index_state
WHERE key = 'passages'
UNION ALL
SELECT key, value, (SELECT coalesce(sum(length(text)), 0) FROM passage_texts)
FROM index_state
WHERE key = 'characters'
"""
