"""Questions to the full-text tables: which passages hold a term, and how many do."""

import copy
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence

from morenashi.indexer.tokens import quote, squeeze
from morenashi.server.search.question.english_forms import root_of
from morenashi.server.search.question.terms import Term, parts_of
from morenashi.server.search.ranking.features import Feature, FeatureKey, FeatureKind
from morenashi.server.search.ranking.lex import Corpus

from .expressions import FREQUENT_FROM, of_feature, of_spelling, of_words, pairs_of
from .scanning import scan_texts
from .scope_sql import ScopeSql, all_documents, of_documents, of_manual

_LEAST_TERMS, _MOST_BUDGETS = 3, 4


class Index:
    """One consistent state of the index, read through one connection, within one manual, some documents or all.

    `is_degraded` if its full-text tables are those of `degraded_build`, which are known to miss things.
    Terms are then looked for in the stored texts themselves.
    """

    def __init__(
        self, connection: sqlite3.Connection, manual_id: str | None, degraded_build: str | None = None
    ) -> None:
        self.connection = connection
        self.scope = of_manual(manual_id) if manual_id else all_documents()
        state = dict(connection.execute("SELECT key, value FROM index_state"))
        self.build = str(state.get("build", ""))
        self.is_degraded = self.build == degraded_build
        self.generation = int(state["generation"])
        self.passages = int(state["passages"])
        self.characters = int(state["characters"])
        self.unlisted = int(state.get("unlisted", 0))
        unread: dict[str, int] = json.loads(state.get("unread", "{}"))
        self.unread = sum(unread.values()) if manual_id is None else unread.get(manual_id, 0)
        # False after a bulk run that was interrupted: `term_counts` may then lack pairs.
        self.has_all_counts = state.get("term_counts") != "stale"
        # Likewise: what sections refer to may then not be known yet.
        self.has_all_references = state.get("references") != "stale"
        # As the scope that is searched has it.
        self.ids_follow_files = False

    @property
    def is_whole(self) -> bool:
        """Whether it is asked about all documents."""
        return self.scope.documents is None

    def within(self, documents: str | None) -> "Index":
        """The same within documents of these ids, a JSON array; `None` leaves it as it is."""
        return self if documents is None else self._scoped(of_documents(documents))

    def of_manual(self, manual_id: str) -> "Index":
        """The same within one manual."""
        return self._scoped(of_manual(manual_id))

    def _scoped(self, scope: ScopeSql) -> "Index":
        narrowed = copy.copy(self)
        narrowed.scope = scope
        return narrowed

    def corpus(self, features: Sequence[Feature], terms: Iterable[Term]) -> Corpus:
        """Counts of the features, and of the pairs of the terms."""
        terms = parts_of(terms)
        spellings = [*spellings_of(terms), *_words_of(terms)]
        pairs = {pair for spelling in spellings for pair in pairs_of(squeeze(spelling))}
        keys: set[FeatureKey] = {feature.key for feature in features} | {("pair", pair) for pair in pairs}
        counts = self.count_terms(sorted(keys))
        asked_of_the_tables = ("word", "phrase") if self.has_all_counts else ("word", "phrase", "pair")
        corpus = Corpus(self.passages, self.characters / max(self.passages, 1), counts)
        for feature in features:
            if feature.key not in counts and feature.kind in asked_of_the_tables:
                counts[feature.key] = self._count_feature(feature, corpus)
        return corpus

    def count_terms(self, keys: Sequence[FeatureKey]) -> dict[FeatureKey, int]:
        """How many passages of all documents hold each of these terms, as far as that is kept."""
        asked: defaultdict[FeatureKind, list[str]] = defaultdict(list)
        for kind, term in keys:
            asked[kind].append(term)
        rows = self.connection.execute(_COUNTS, (json.dumps(asked),))
        return {(kind, term): passages for kind, term, passages in rows}

    def weigh(self, features: Sequence[Feature], corpus: Corpus, budget: int) -> dict[int, float]:
        """Passages with the summed weight of the question's rarest features, within a budget of postings.

        Three features may cost four times the budget; a feature that alone costs more says too little.
        FTS5 has no early stop, so the budget is what keeps a question's price from growing with the
        corpus (docs/inside/search.md).
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
            for passage_id in self.find_ids(table, expression):
                weights[passage_id] += weight
        return weights

    def find_passages(self, terms: Sequence[Term], corpus: Corpus) -> list[int]:
        """All passages that may hold one of the terms, in any of its spellings, separators ignored; of one that asks
        for others near each other, all that may hold one of each side.
        """
        near = [term for term in terms if term.sides]
        if not near:
            return self._find_spelt(terms, corpus)
        found = set(self._find_spelt([term for term in terms if not term.sides], corpus))
        for term in near:
            found |= set.intersection(*(set(self.find_passages(side, corpus)) for side in term.sides))
        return sorted(found)

    def _find_spelt(self, terms: Sequence[Term], corpus: Corpus) -> list[int]:
        spellings, words = spellings_of(terms), _words_of(terms)
        if self.is_degraded:
            return scan_texts(self.connection, self.scope, [*spellings, *map(root_of, words)])
        expressions = [of_spelling(squeeze(spelling), corpus) for spelling in spellings]
        indexed = " OR ".join(dict.fromkeys(expression for expression in expressions if expression))
        ids = self.find_ids("pairs", indexed) if indexed else []
        if words:
            ids = sorted({*ids, *self.find_ids("words", " OR ".join(dict.fromkeys(map(of_words, words))))})
        unasked = [spelling for spelling, expression in zip(spellings, expressions, strict=True) if not expression]
        return sorted({*ids, *scan_texts(self.connection, self.scope, unasked)}) if unasked else ids

    def find_titles(self, terms: Sequence[Term], corpus: Corpus, limit: int) -> list[int]:
        """Sections whose title may hold one of the terms, at most `limit`."""
        spellings = map(squeeze, spellings_of(terms))
        expression = " OR ".join(dict.fromkeys(filter(None, (of_spelling(s, corpus) for s in spellings))))
        if not expression:
            return []
        within = self.scope.within("sections.document_id")
        values = {"expression": expression, "limit": limit, **self.scope.values}
        return [row[0] for row in self.connection.execute(_TITLES.format(within=within), values)]

    def find_words(self, words: Iterable[str]) -> list[int]:
        """The passages of the scope with one of these words (a Latin one as its stem)."""
        return self.find_ids("words", " OR ".join(map(quote, words)))

    def find_ids(self, table: str, expression: str) -> list[int]:
        """The passages of the scope that a full-text table names for an expression."""
        query = (_SCOPED_IDS if self.scope.documents else _IDS).format(table=table, documents=self.scope.documents)
        row = self.connection.execute(query, {"expression": expression, **self.scope.values}).fetchone()
        ids: list[int] = json.loads(row[0])
        return ids

    def _count_feature(self, feature: Feature, corpus: Corpus) -> int:
        if feature.kind != "phrase":
            return self.count(*of_feature(feature, corpus))
        most = corpus.most_with(feature.token)
        return most if feature.only_orders or most >= FREQUENT_FROM else self.count(*of_feature(feature, corpus))

    def count(self, table: str, expression: str) -> int:
        """How many passages of all documents a full-text table names for an expression."""
        query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"  # noqa: S608 - our own two tables
        return int(self.connection.execute(query, (expression,)).fetchone()[0])


def spellings_of(terms: Iterable[Term]) -> list[str]:
    """All spellings of the terms, exact and loose ones."""
    return [spelling for term in terms for spelling in term.spellings]


def _words_of(terms: Iterable[Term]) -> list[str]:
    """Those synonyms of the terms that are found as whole words."""
    return [phrase for term in terms for phrase in term.words]


# Search: PRIMARY KEY (kind, term) once for each term of the JSON object, which has them by kind.
_COUNTS = """
SELECT term_counts.kind, term_counts.term, term_counts.passages
FROM json_each(?) AS kinds
CROSS JOIN json_each(kinds.value) AS terms
CROSS JOIN term_counts ON term_counts.kind = kinds.key AND term_counts.term = terms.value
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

_TITLES = """
SELECT sections.id
FROM title_pairs
CROSS JOIN sections ON sections.id = title_pairs.rowid
WHERE title_pairs MATCH :expression
  {within}
LIMIT :limit
"""
