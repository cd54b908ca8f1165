"""Questions to the index: which passages hold a term, how many do, and what they say."""

import copy
import json
import random
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from morenashi.indexer.tokens import quote, squeeze

from .expressions import FREQUENT_FROM, PAIRS_ASKED, of_feature, of_spelling, one_of_each, pairs_of
from .id_lists import as_json
from .lex import Corpus, Feature, Kind
from .query import Term

_LEAST_TERMS, _MOST_BUDGETS = 3, 4
_ALL = -1
# Where a text stands in more than a third of many passages, reading the files themselves is as quick.
_WORTH_ASKING, _ALWAYS_ASKED = 3, 1_000
# To read a passage's text here takes as long as to search three passages in their file; and each further pair that
# is asked for leaves fewer.
_PAIRS_BEFORE_TEXT, _WORTH_READING = 6, 4


class InconsistentIndexError(Exception):
    """The full-text tables name a passage that does not exist: somebody else wrote to them.

    Its only argument is the build of these tables.
    """


class StoredPassage(NamedTuple):
    """A passage with its normalised text. Lines are 1-based and inclusive."""

    id: int
    document_id: int
    section_id: int
    first_line: int
    last_line: int
    text: str


class Index:
    """One consistent state of the index, read through one connection, within one manual, some documents or all.

    `is_degraded` if its full-text tables are those of `degraded_build`, which are known to miss things.
    Terms are then looked for in the stored texts themselves.
    """

    def __init__(
        self, connection: sqlite3.Connection, manual_id: str | None, degraded_build: str | None = None
    ) -> None:
        self.connection = connection
        self._values: dict[str, Any] = {"manual_id": manual_id}
        self._documents = _MANUALS_DOCUMENTS if manual_id else None
        self._scope = _MANUALS_PASSAGES if manual_id else _ALL_PASSAGES
        state = dict(connection.execute("SELECT key, value FROM index_state"))
        self.build = str(state.get("build", ""))
        self.is_degraded = self.build == degraded_build
        self.generation = int(state["generation"])
        self.passages = int(state["passages"])
        self.characters = int(state["characters"])
        self.unlisted = int(state.get("unlisted", 0))
        # False after a bulk run that was interrupted: `term_counts` may then lack pairs.
        self.has_all_counts = state.get("term_counts") != "stale"

    @property
    def is_whole(self) -> bool:
        """Whether it is asked about all documents."""
        return self._documents is None

    def within(self, documents: str | None) -> "Index":
        """The same within documents of these ids, a JSON array; `None` leaves it as it is."""
        if documents is None:
            return self
        narrowed = copy.copy(self)
        narrowed._values = {"documents": documents}
        narrowed._documents, narrowed._scope = _LISTED_DOCUMENTS, _LISTED_PASSAGES
        return narrowed

    def of_manual(self, manual_id: str) -> "Index":
        """The same within one manual."""
        narrowed = copy.copy(self)
        narrowed._values = {"manual_id": manual_id}
        narrowed._documents, narrowed._scope = _MANUALS_DOCUMENTS, _MANUALS_PASSAGES
        return narrowed

    def corpus(self, features: Sequence[Feature], terms: Iterable[Term]) -> Corpus:
        """Counts of the features, and of the pairs of the terms."""
        pairs = {pair for spelling in spellings_of(terms) for pair in pairs_of(squeeze(spelling))}
        keys: set[tuple[Kind, str]] = {feature.key for feature in features} | {("pair", pair) for pair in pairs}
        rows = self.connection.execute(_COUNTS, (json.dumps(sorted(keys)),))
        counts: dict[tuple[Kind, str], int] = {(kind, term): passages for kind, term, passages in rows}
        asked_of_the_tables = ("word", "phrase") if self.has_all_counts else ("word", "phrase", "pair")
        corpus = Corpus(self.passages, self.characters / max(self.passages, 1), counts)
        for feature in features:
            if feature.key not in counts and feature.kind in asked_of_the_tables:
                counts[feature.key] = self._count_feature(feature, corpus)
        return corpus

    def weigh(self, features: Sequence[Feature], corpus: Corpus, budget: int) -> dict[int, float]:
        """Passages with the summed weight of the question's rarest features, within a budget of postings.

        Three features may cost four times the budget; a feature that alone costs more says too little.
        FTS5 has no early stop, so the budget is what keeps a question's price from growing with the
        corpus (docs/architecture.md).
        """
        if self.is_degraded:
            return {}
        asked = [
            feature
            for feature in features
            if feature.kind != "kanji" and not feature.only_orders and corpus.counts.get(feature.key)
        ]
        asked.sort(key=lambda feature: (corpus.counts[feature.key], feature.key))
        weights: defaultdict[int, float] = defaultdict(float)
        spent = 0
        for position, feature in enumerate(asked):
            spent += corpus.counts[feature.key]
            if spent > (budget if position >= _LEAST_TERMS else _MOST_BUDGETS * budget):
                break
            weight = feature.weight * corpus.idf(feature)
            table, expression = of_feature(feature, corpus)
            for passage_id in self._ids(table, expression):
                weights[passage_id] += weight
        return weights

    def find_passages(self, terms: Sequence[Term], corpus: Corpus) -> list[int]:
        """All passages that may hold one of the terms, in any of its spellings, separators ignored."""
        if self.is_degraded:
            return self.scan_passages(terms)
        spellings = spellings_of(terms)
        expressions = [of_spelling(squeeze(spelling), corpus) for spelling in spellings]
        indexed = " OR ".join(dict.fromkeys(expression for expression in expressions if expression))
        ids = self._ids("pairs", indexed) if indexed else []
        for spelling, expression in zip(spellings, expressions, strict=True):
            if not expression:
                ids = sorted({*ids, *self._scan(spelling)})
        return ids

    def find_documents(
        self, alternatives: Iterable[Sequence[Collection[str]]], texts: Collection[str] | None = None
    ) -> frozenset[int] | None:
        """The documents with a passage that has, for one of the alternatives, of each of its sets at least one pair.

        If `texts` are given (normalised, of letters, digits, kanji and kana alone), the passage has one of them, too,
        as far as that is quicker to tell here than from the files. `None` if the index cannot tell, or would name so
        many that it is not worth asking.
        """
        if self.is_degraded:
            return None
        expressions = [self._all_sets(sets, is_read_after=bool(texts)) for sets in alternatives]
        if not all(expressions):
            return None
        ids = self._ids("pairs", " OR ".join(f"({expression})" for expression in expressions))
        if texts and len(ids) <= max(self.passages // _WORTH_READING, _ALWAYS_ASKED):
            query, patterns = _DOCUMENTS + _with_one_of(texts), [f"*{text}*" for text in texts]
        else:
            query, patterns = _DOCUMENTS, []
        return frozenset(row[0] for row in self.connection.execute(query, (as_json(ids), *patterns)))

    def _all_sets(self, sets: Sequence[Collection[str]], *, is_read_after: bool) -> str:
        """An expression for one pair of each of the rarest sets; empty if all are too frequent to be asked for."""
        rows = self.connection.execute(_COUNTS, (json.dumps([["pair", pair] for pairs in sets for pair in pairs]),))
        counts = {pair: passages for _, pair, passages in rows}
        costs = {frozenset(pairs): sum(counts.get(pair, 0) for pair in pairs) for pairs in sets}
        cheapest = sorted(costs, key=lambda pairs: (costs[pairs], sorted(pairs)))
        if is_read_after:
            asked = cheapest[:_PAIRS_BEFORE_TEXT]
        else:
            most = max(self.passages // _WORTH_ASKING, _ALWAYS_ASKED)
            asked = [pairs for pairs in cheapest[:PAIRS_ASKED] if costs[pairs] <= most]
        return one_of_each(asked)

    def scan_passages(self, terms: Iterable[Term], most: int = _ALL) -> list[int]:
        """The same without the full-text tables, by reading the stored texts: at most `most`, over all spellings.

        Where the scope has more, they start anywhere, so that one scan after the other looks elsewhere.
        """
        spellings = spellings_of(terms)
        each = most // len(spellings) if most != _ALL else _ALL
        left_out = self._count_passages() - each if most != _ALL else 0
        start = random.randint(0, max(left_out, 0))
        return sorted({passage for spelling in spellings for passage in self._scan(spelling, start, each)})

    def find_titles(self, terms: Sequence[Term], corpus: Corpus, limit: int) -> list[int]:
        """Sections whose title may hold one of the terms, at most `limit`."""
        spellings = map(squeeze, spellings_of(terms))
        expression = " OR ".join(dict.fromkeys(filter(None, (of_spelling(s, corpus) for s in spellings))))
        if not expression:
            return []
        within = f"AND sections.document_id IN ({self._documents})" if self._documents else ""
        values = {"expression": expression, "limit": limit, **self._values}
        return [row[0] for row in self.connection.execute(_TITLES.format(within=within), values)]

    def documents_called(self, names: Sequence[str]) -> list[tuple[str, int]]:
        """The documents of the scope that have one of these names, each with the name."""
        within = f"AND document_names.document_id IN ({self._documents})" if self._documents else ""
        values = {"names": json.dumps(names), **self._values}
        return self.connection.execute(_CALLED.format(within=within), values).fetchall()

    def documents_with_place(self, name: str, most: int) -> list[int]:
        """Documents of the scope, `most` of them, that have a place of this name (indexer/section_names.py)."""
        query = _WITH_PLACE.format(documents=self._documents or _ALL_DOCUMENTS)
        return [row[0] for row in self.connection.execute(query, {"name": name, "most": most, **self._values})]

    def first_passages(self, section_ids: Collection[int]) -> list[int]:
        """The passage with the heading of each section."""
        return [row[0] for row in self.connection.execute(_FIRST_PASSAGES, (as_json(section_ids),))]

    def read(self, passage_ids: Sequence[int]) -> list[StoredPassage]:
        """The passages with these ids, in this order."""
        # Asked in the order of the pages, which is a quarter faster.
        rows = self.connection.execute(_PASSAGES, (as_json(sorted(passage_ids)),))
        passages = {row[0]: StoredPassage._make(row) for row in rows}
        try:
            return [passages[passage_id] for passage_id in passage_ids]
        except KeyError:
            raise InconsistentIndexError(self.build) from None

    def words_from(self, first: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """Words (Latin ones as stems) of all manuals by their first letter and length, with their passages' number."""
        values = {"first": first, "after": chr(ord(first) + 1), "shortest": shortest, "longest": longest}
        return self.connection.execute(_WORDS, values).fetchall()

    def find_words(self, words: Iterable[str]) -> list[int]:
        """The passages of the scope with one of these words (a Latin one as its stem)."""
        return self._ids("words", " OR ".join(map(quote, words)))

    def count_lines(self, passage_ids: Sequence[int]) -> int:
        """How many lines these passages have together."""
        # Asked in the order of the pages, as in `read`.
        asked = as_json(sorted(passage_ids))
        return int(self.connection.execute(_LINES, (asked,)).fetchone()[0]) if passage_ids else 0

    def _count_feature(self, feature: Feature, corpus: Corpus) -> int:
        if feature.kind != "phrase":
            return self.count(*of_feature(feature, corpus))
        most = corpus.most_with(feature.token)
        return most if feature.only_orders or most >= FREQUENT_FROM else self.count(*of_feature(feature, corpus))

    def count(self, table: str, expression: str) -> int:
        """How many passages of all documents a full-text table names for an expression."""
        query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"  # noqa: S608 - our own two tables
        return int(self.connection.execute(query, (expression,)).fetchone()[0])

    def name_first(self, expression: str, most: int) -> list[int]:
        """The first of the passages of all documents that the table of pairs names for an expression."""
        row = self.connection.execute(_IDS.format(table="pairs"), {"expression": expression}).fetchone()
        ids: list[int] = json.loads(row[0])
        return ids[:most]

    def _ids(self, table: str, expression: str) -> list[int]:
        query = (_SCOPED_IDS if self._documents else _IDS).format(table=table, documents=self._documents)
        row = self.connection.execute(query, {"expression": expression, **self._values}).fetchone()
        ids: list[int] = json.loads(row[0])
        return ids

    def _scan(self, spelling: str, start: int = 0, most: int = _ALL) -> list[int]:
        """Passages whose text holds a spelling, separators ignored; those too if it has nothing else."""
        squeezed = squeeze(spelling)
        sought = squeezed or spelling
        values = {
            "first": sought[0],
            "middle": sought[len(sought) // 2],
            "last": sought[-1],
            "start": start,
            "most": most,
            **self._values,
        }
        rows = self.connection.execute(_SCAN.format(scope=self._scope), values)
        return [row[0] for row in rows if sought in (squeeze(row[1]) if squeezed else row[1])]

    def _count_passages(self) -> int:
        """How many passages the scope has."""
        query = f"SELECT count(*) FROM ({self._scope})"  # noqa: S608 - one of three constants
        return int(self.connection.execute(query, self._values).fetchone()[0])


def spellings_of(terms: Iterable[Term]) -> list[str]:
    """All spellings of the terms, exact and loose ones."""
    return [spelling for term in terms for spelling in term.spellings]


def _with_one_of(texts: Collection[str]) -> str:
    # GLOB looks for the first character as fast as memory is read, `instr` byte by byte.
    return _THEIR_TEXTS + "WHERE " + " OR ".join("passage_texts.text GLOB ?" for _ in texts)


# Search: PRIMARY KEY (kind, term) once for each key of the JSON array.
_COUNTS = """
SELECT term_counts.kind, term_counts.term, term_counts.passages
FROM json_each(?) AS asked
JOIN term_counts ON term_counts.kind = asked.value ->> 0 AND term_counts.term = asked.value ->> 1
"""

# One row with a JSON array: a row a posting would cost four times as much in Python.
_IDS = "SELECT json_group_array(rowid) FROM {table} WHERE {table} MATCH :expression"

_SCOPED_IDS = """
SELECT json_group_array(passages.id)
FROM {table}
CROSS JOIN passages ON passages.id = {table}.rowid
WHERE {table} MATCH :expression
  AND passages.document_id IN ({documents})
"""

_ALL_DOCUMENTS = "SELECT id FROM documents"

_MANUALS_DOCUMENTS = "SELECT id FROM documents WHERE manual_id = :manual_id"

_LISTED_DOCUMENTS = "SELECT value FROM json_each(:documents)"

# Every text is read. Three characters rule most of them out before they get to Python.
_SCAN = """
SELECT scope.id, passage_texts.text
FROM ({scope} LIMIT :most OFFSET :start) AS scope
CROSS JOIN passage_texts ON passage_texts.id = scope.id
WHERE instr(passage_texts.text, :first) > 0
  AND instr(passage_texts.text, :middle) > 0
  AND instr(passage_texts.text, :last) > 0
"""

# FTS5 walks from the first of these words to the last, and counts their passages on the way.
_WORDS = """
SELECT term, doc
FROM words_vocabulary
WHERE term >= :first AND term < :after AND length(term) BETWEEN :shortest AND :longest
"""

_DOCUMENTS = """
SELECT DISTINCT passages.document_id
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
"""

_THEIR_TEXTS = "CROSS JOIN passage_texts ON passage_texts.id = passages.id\n"

_ALL_PASSAGES = "SELECT id FROM passages"

_MANUALS_PASSAGES = """
SELECT passages.id
FROM documents
JOIN passages ON passages.document_id = documents.id
WHERE documents.manual_id = :manual_id
"""

_LISTED_PASSAGES = """
SELECT passages.id
FROM json_each(:documents) AS listed
CROSS JOIN passages ON passages.document_id = listed.value
"""

_TITLES = """
SELECT sections.id
FROM title_pairs
CROSS JOIN sections ON sections.id = title_pairs.rowid
WHERE title_pairs MATCH :expression
  {within}
LIMIT :limit
"""

_CALLED = """
SELECT document_names.name, document_names.document_id
FROM json_each(:names) AS asked
CROSS JOIN document_names ON document_names.name = asked.value
  {within}
"""

# Search: PRIMARY KEY (document_id, name) once for each document.
_WITH_PLACE = """
SELECT document_id
FROM section_names
WHERE document_id IN ({documents})
  AND name = :name
LIMIT :most
"""

_FIRST_PASSAGES = """
SELECT (SELECT id FROM passages WHERE section_id = asked.value ORDER BY first_line LIMIT 1) AS id
FROM json_each(?) AS asked
WHERE id IS NOT NULL
"""

_PASSAGES = """
SELECT passages.id, passages.document_id, passages.section_id, passages.first_line, passages.last_line,
  passage_texts.text
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
CROSS JOIN passage_texts ON passage_texts.id = passages.id
"""

_LINES = """
SELECT total(passages.last_line - passages.first_line + 1)
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
"""
