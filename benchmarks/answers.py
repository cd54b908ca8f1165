"""Answers: how large a `manual_find` answer is, in estimated tokens (characters of its JSON / 4), and
that nothing in it is text of a document.

Every key and every string of the answer has to be the trace's id, the query itself or a part of it, what the program's
dictionaries say for a part of it, the id of a manual, the path of a document, or a word of the tools' own schemas.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from morenashi.indexer.config import read_config
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.text import normalise
from morenashi.server.edge import schemas
from morenashi.server.edge.registry import TOOLS

from . import gold
from .calls import Answer, open_calls, read_only, tokens_of
from .lab import Corpus, Lab
from .report import Figure, Report, Row, at_most, percentile

NAME = "answers"
_MOST_TOKENS = 450


def measure(lab: Lab, report: Report) -> None:
    """Look at the answers to the timed queries, on the main corpus."""
    queries = gold.read_query_mix()
    corpus = lab.indexed(lab.sizes.main)
    allowed = _names(corpus) | _schema_words() | _dictionary_words(corpus)
    rows: list[Row] = []
    with open_calls(corpus.root) as calls:
        for query in queries:
            answer = calls.find(query)
            unnamed = set(_strings(answer)) - allowed - {query, answer["trace_id"]}
            strays = sorted(string for string in unnamed if string not in normalise(query))
            rows.append({"query": query, "tokens": tokens_of(answer), "strays": strays})
    report.rows[NAME] = rows
    tokens_used = [float(row["tokens"]) for row in rows]
    what = f"{len(queries)} answers, {lab.sizes.main:g} MB"
    report.add(Figure(f"{what}: size, largest", max(tokens_used), "tokens", at_most(_MOST_TOKENS)))
    report.add(Figure(f"{what}: size, p95", percentile(tokens_used, 0.95), "tokens", at_most(_MOST_TOKENS)))
    suspect = sum(bool(row["strays"]) for row in rows)
    report.add(Figure(f"{what}: holding text of a document", suspect, "", at_most(0)))


def _strings(value: Answer | Any) -> Iterator[str]:
    """All keys and strings, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def _names(corpus: Corpus) -> set[str]:
    with contextlib.closing(read_only(corpus.database)) as connection:
        rows = connection.execute("SELECT manual_id, path FROM documents")
        return {name for row in rows for name in row}


def _dictionary_words(corpus: Corpus) -> set[str]:
    """What is looked for instead of a word of a question, or beside it."""
    dictionaries = load_dictionaries(read_config({"WORKSPACE_ROOT": str(corpus.root)}).dictionaries)
    return {
        word for entries in (dictionaries.verbs, dictionaries.synonyms) for words in entries.values() for word in words
    }


def _schema_words() -> set[str]:
    """Names of properties, and the words that a property may hold."""
    words: set[str] = set()
    for tool in TOOLS.values():
        _collect([schemas.full_input(tool.input), schemas.full_output(tool.output, tool.failure)], words)
    return words


def _collect(schema: Any, words: set[str]) -> None:
    if isinstance(schema, list):
        for part in schema:
            _collect(part, words)
    elif isinstance(schema, dict):
        words.update(schema.get("properties", {}))
        words.update(word for word in schema.get("enum", ()) if isinstance(word, str))
        words.update(word for word in (schema.get("const"),) if isinstance(word, str))
        for part in schema.values():
            _collect(part, words)
