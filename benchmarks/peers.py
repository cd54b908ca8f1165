"""Peers: other ways to find the same, given the same texts (NFKC, casefolded) and run beside ours.

Plain FTS5 and tantivy rank; both store the texts, as ours does. The overlap ranks without weights.
`scan` is what an index is measured against: read everything.
"""

import re
import sqlite3
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import tantivy

from .gold import Line

_WORD = re.compile(r"\w+")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_HEADING = re.compile(r"(?m)^(?=#{1,6} )")
_UNIT_CHARACTERS = 1_500
_SUFFIXES = (".md", ".json")


class Peer(Protocol):
    """An index of texts that are known by their position in what was added."""

    name: str

    def add(self, texts: Iterable[str]) -> None:
        """Index all texts and make them findable. Called once."""

    def search(self, query: str, limit: int) -> Sequence[int]:
        """The positions of the best texts, the best first."""


class Bigrams:
    """Plain FTS5: every pair of adjacent word characters a token, bm25, any pair of the query may match."""

    name = "FTS5 bigrams"

    def __init__(self, database: Path | None = None) -> None:
        """In memory without a file."""
        self._connection = sqlite3.connect(database or ":memory:", isolation_level=None)
        self._connection.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        self._connection.execute(_CREATE_BIGRAMS)

    def add(self, texts: Iterable[str]) -> None:
        self._connection.execute("BEGIN")
        for position, text in enumerate(texts):
            self._connection.execute("INSERT INTO texts (id, text) VALUES (?, ?)", (position, text))
            tokens = " ".join(_bigrams(fold(text)))
            self._connection.execute("INSERT INTO bigrams (rowid, tokens) VALUES (?, ?)", (position, tokens))
        self._connection.execute("COMMIT")

    def search(self, query: str, limit: int) -> Sequence[int]:
        expression = " OR ".join(f'"{token}"' for token in _asked(query))
        if not expression:
            return []
        return [row[0] for row in self._connection.execute(_BEST, (expression, limit))]


class Tantivy:
    """tantivy with its own ngram tokenizer (1 and 2 characters), BM25, any gram of the query may match."""

    name = "tantivy ngram(1,2)"

    def __init__(self, folder: Path | None = None) -> None:
        """In memory without a folder."""
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", stored=True, tokenizer_name="grams", index_option="freq")
        schema.add_integer_field("position", fast=True)
        self._schema = schema.build()
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        self._index = tantivy.Index(self._schema, path=str(folder) if folder else None, reuse=False)
        grams = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(1, 2, False))
        self._analyzer = grams.filter(tantivy.Filter.lowercase()).build()
        self._index.register_tokenizer("grams", self._analyzer)

    def add(self, texts: Iterable[str]) -> None:
        writer = self._index.writer()
        for position, text in enumerate(texts):
            writer.add_document(tantivy.Document(text=fold(text), position=position))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, query: str, limit: int) -> Sequence[int]:
        grams = dict.fromkeys(self._analyzer.analyze(fold(query)))
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", gram, "freq"))
            for gram in grams
            if not re.search(r"\s", gram)
        ]
        found = self._searcher.search(tantivy.Query.boolean_query(terms), limit, count=False)
        addresses = [address for _, address in found.hits]
        return [int(position or 0) for position in self._searcher.fast_field_values("position", addresses)]


class Overlap:
    """No ranker: how many distinct pairs of the question a text holds; the earlier one of equals."""

    name = "unweighted overlap"

    def __init__(self) -> None:
        self._positions: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, texts: Iterable[str]) -> None:
        for position, text in enumerate(texts):
            for token in set(_bigrams(fold(text))):
                self._positions[token].append(position)

    def search(self, query: str, limit: int) -> Sequence[int]:
        held = Counter(position for token in _asked(query) for position in self._positions.get(token, ()))
        return [position for position, _ in sorted(held.items(), key=lambda item: (-item[1], item[0]))[:limit]]


def scan(root: Path, query: str, manual_id: str | None = None) -> list[Line]:
    """Brute force: read every file of a manual, or of all, and give the lines that hold the query."""
    needle = fold(query)
    lines: list[Line] = []
    for path in _files(root / manual_id if manual_id else root):
        manual, *rest = path.relative_to(root).parts
        text = fold(path.read_text("utf-8", "replace"))
        if needle in text:
            relative = "/".join(rest)
            lines += [(manual, relative, n) for n, line in enumerate(text.split("\n"), 1) if needle in line]
    return lines


def cut_into_units(root: Path) -> Iterator[str]:
    """The texts that peers index of a corpus: at headings, then whole lines of some 1,500 characters."""
    for path in _files(root):
        for section in _HEADING.split(path.read_text("utf-8", "replace")):
            unit = ""
            for line in section.splitlines(keepends=True):
                if unit and len(unit) + len(line) > _UNIT_CHARACTERS:
                    yield unit
                    unit = ""
                unit += line
            if unit:
                yield unit


def fold(text: str) -> str:
    """NFKC and casefold."""
    return unicodedata.normalize("NFKC", text).casefold()


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in _SUFFIXES and path.is_file()]


def _bigrams(folded: str) -> Iterator[str]:
    for run in _WORD.findall(folded):
        yield from (map("".join, pairwise(run)) if len(run) > 1 else run)


def _asked(query: str) -> list[str]:
    """The query's distinct pairs without those of hiragana alone, unless there are no others."""
    tokens = list(dict.fromkeys(_bigrams(fold(query))))
    return [token for token in tokens if not _HIRAGANA.fullmatch(token)] or tokens


# Tokens are cut at blanks; `_` is the one ASCII character of \w that the tokenizer would drop.
_CREATE_BIGRAMS = """
CREATE VIRTUAL TABLE bigrams USING fts5 (tokens, content = '', tokenize = "ascii tokenchars '_'")
"""

_BEST = """
SELECT rowid
FROM bigrams
WHERE bigrams MATCH ?
ORDER BY rank
LIMIT ?
"""
