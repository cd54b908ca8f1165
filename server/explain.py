"""Why a line is not among the candidates of a question, or where among them it is.

One step after the other: is it a document, does the index have it, what does the line hold, and what
did the search (the one of `manual_find`) do with it. The steps repeat words of the question and of the
dictionaries, never of the document.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from morenashi.indexer.files import MARKDOWN_NAMED, MAX_DOCUMENT_BYTES, Key, file_type_of, key_below_root
from morenashi.indexer.presence import is_file, is_there

from .asking import DEFAULT_TIME_MS
from .deadline import Deadline
from .explained import Step, until_concluded
from .search.find import Search
from .search.index.postings import Index
from .search.inner_words import FEW
from .search.line_terms import HeldTerm, look_at_line
from .search.question.terms import Term
from .search.ranking.features import extract_features
from .search.request import FindRequest
from .search.scope import ScopeCache, Unscanned
from .search.traces import Trace

Conclusion = Literal[
    "candidate",
    "in_candidate",
    "not_a_document",
    "not_indexed",
    "no_such_line",
    "blank",
    "no_term",
    "outside_of_manual",
    "not_examined",
    "index_fault",
]


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A line (1-based) of a file below the manuals' root, as its components."""

    parts: tuple[str, ...]
    line: int

    @property
    def key(self) -> Key:
        return key_below_root(self.parts)


@dataclass(frozen=True, slots=True)
class _Line:
    """The passage that a line is in, with the sections around it, the innermost first, by their first lines."""

    passage_id: int
    first_line: int
    text: str
    section_lines: list[int]


def explain(
    connection: sqlite3.Connection, root: Path, pending: frozenset[Key], place: LinePlace, request: FindRequest
) -> list[Step[Conclusion]]:
    """The steps, the last of them with the conclusion. `pending` are documents that the index has in an older state."""
    return until_concluded(_steps(connection, root, pending, place, request))


def _steps(
    connection: sqlite3.Connection, root: Path, pending: frozenset[Key], place: LinePlace, request: FindRequest
) -> Iterator[Step[Conclusion]]:
    yield _look_at_name(place.parts)
    yield _look_at_disk(root, place.parts)
    yield _look_at_index(connection, place, pending)
    yield _look_at_lines(connection, place)
    line = _read_line(connection, place)
    if line is None or not line.text.split("\n")[place.line - line.first_line].strip():
        yield Step("the line is blank: there is nothing on it to find", "blank")
        return
    outcome = Search(connection, ScopeCache(), pending).run(request, Deadline(DEFAULT_TIME_MS))
    query, findings = outcome.found.query, outcome.found.evidence.findings
    held = look_at_line(query, findings.terms, line.text, place.line - line.first_line)
    yield from _say_terms(held)
    if query.own_name:
        yield Step(f'"{query.own_name}" is what this manual is called, and no term in it beside others')
    left, trace = list(findings.left), outcome.complete()
    yield _look_at_scope(trace)
    holds_term = any(term.how for term in held if term.is_looked_for)
    yield _look_at_candidates(trace, place, line, holds_term=holds_term)
    yield Step("the line holds a term") if holds_term else _say_none_is_held(held)
    yield _look_at_reach(trace, place)
    yield _look_at_unscanned(trace, place, line, left)
    yield _look_at_postings(connection, trace, query.text, findings.terms, line)


def _look_at_name(parts: tuple[str, ...]) -> Step[Conclusion]:
    if hidden := next((part for part in parts if part.startswith(".")), None):
        return Step(f"{hidden} is hidden: what is hidden is no document", "not_a_document", {"reason": "hidden"})
    if file_type_of(parts[-1]) is None:
        seen = f"{parts[-1]} is no {MARKDOWN_NAMED} or .json file, and so no document"
        return Step(seen, "not_a_document", {"reason": "suffix"})
    if len(parts) < 2:
        seen = "the file lies in no manual: documents are below manuals/<manual id>/"
        return Step(seen, "not_a_document", {"reason": "outside_a_manual"})
    return Step("the name is that of a document")


def _look_at_disk(root: Path, parts: tuple[str, ...]) -> Step[Conclusion]:
    try:
        return _look_at_file(root, parts)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return Step("there is no such file", "not_a_document", {"reason": "missing"})
        seen = f"whether the file is there cannot be told: {os.strerror(error.errno or 0)}"
        return Step(seen, "not_indexed", {"reason": "unreadable_folder"})


def _look_at_file(root: Path, parts: tuple[str, ...]) -> Step[Conclusion]:
    for depth in range(1, len(parts) + 1):
        if (root / Path(*parts[:depth])).is_symlink():
            seen = f"{'/'.join(parts[:depth])} is a symbolic link, which is never followed"
            return Step(seen, "not_a_document", {"reason": "symlink"})
    path = root / Path(*parts)
    if not is_there(path):
        return Step("there is no such file", "not_a_document", {"reason": "missing"})
    if not is_file(path):
        return Step("there is something of that name, but no regular file", "not_a_document", {"reason": "no_file"})
    return Step("the file is on disk")


def _look_at_index(connection: sqlite3.Connection, place: LinePlace, pending: frozenset[Key]) -> Step[Conclusion]:
    if place.key in pending:
        seen = "the file has changed on disk, and the server that keeps this index has not indexed it yet"
        return Step(seen, "not_indexed", {"reason": "changed_since_index"})
    row = connection.execute(_DOCUMENT, place.key).fetchone()
    if row is None:
        seen = "the index does not know the file: it came after, or lies in a folder that cannot be entered"
        return Step(seen, "not_indexed", {"reason": "unknown"})
    status, problem = row
    if status != "indexed":
        limit = f" ({MAX_DOCUMENT_BYTES} bytes are the limit)" if status == "too_large" else ""
        return Step(f"the file is listed as {status}: {problem}{limit}", "not_indexed", {"reason": status})
    return Step("the file is in the index as it is on disk")


def _look_at_lines(connection: sqlite3.Connection, place: LinePlace) -> Step[Conclusion]:
    lines = connection.execute(_COUNT_LINES, place.key).fetchone()[0]
    if place.line > lines:
        return Step(f"the file has {lines} lines, and no line {place.line}", "no_such_line", {"lines": lines})
    return Step(f"it is line {place.line} of {lines}")


def _say_terms(held: list[HeldTerm]) -> Iterator[Step[Conclusion]]:
    for term in held:
        also = [spelling for spelling in term.notations if spelling != term.text]
        named = f'"{term.text}"' + (f" (also {', '.join(also)})" if also else "")
        kind = "the word" if term.is_inner else "the term"
        facts = {
            "term": term.text,
            "notations": list(term.notations),
            "held": term.how,
            "inner": term.is_inner,
            "looked_for": term.is_looked_for,
        }
        yield Step(f"{kind} {named}: {term.says}", facts=facts)


def _look_at_scope(trace: Trace) -> Step[Conclusion]:
    widened = ", widened to all" if trace.summary["scope_expanded"] else ""
    where = f"the manual {trace.manual_id}{widened}" if trace.manual_id else "all manuals"
    found = f"{trace.summary['completeness']['status']}, candidates: {len(trace.candidates)}"
    return Step(f"searched as manual_find does, in {where}: {found}")


def _look_at_candidates(trace: Trace, place: LinePlace, line: _Line, *, holds_term: bool) -> Step[Conclusion]:
    """A line that holds a term is looked for in its own section alone: that of a candidate above it says nothing of why
    this one is none.
    """
    ranks = {candidate.section: rank for rank, candidate in enumerate(trace.candidates, 1)}
    for depth, section_line in enumerate(line.section_lines[: 1 if holds_term else None]):
        rank = ranks.get((*place.key, section_line))
        if rank is None:
            continue
        candidate = trace.candidates[rank - 1]
        facts = {
            "rank": rank,
            "candidates": len(trace.candidates),
            "line": candidate.line,
            "score": candidate.score,
            "parts": candidate.why.get("score", {}),
            "signals": list(candidate.signals),
        }
        parts = ", ".join(f"{name} {part}" for name, part in facts["parts"].items())
        scored = f"number {rank} of {len(trace.candidates)}, score {candidate.score} ({parts})"
        if candidate.line == place.line:
            return Step(f"the line is that of a candidate: {scored}", "candidate", facts)
        where = "in the section" if depth == 0 else "below the section"
        seen = f"the line lies {where} of a candidate, which is named by line {candidate.line}: {scored}"
        if holds_term and (item := _left_over(trace, place)):
            facts["left_over_by"] = item.reason
            seen += f"; its own passage is listed as not examined: {item.reason}"
        return Step(seen, "in_candidate", facts)
    return Step("no candidate is of the section that the line is in")


def _say_none_is_held(held: list[HeldTerm]) -> Step[Conclusion]:
    seen = "the line holds none of the terms under normalisation"
    if inner := [term.text for term in held if term.how]:
        seen += "; words inside them that it holds are looked for only if few passages hold a term, and those that more"
        seen += f" than {FEW} have only near each other: {', '.join(inner)}"
    return Step(seen, "no_term", {"nearest": {term.text: term.resemblance for term in held if not term.is_inner}})


def _look_at_reach(trace: Trace, place: LinePlace) -> Step[Conclusion]:
    if trace.manual_id in (None, place.parts[0]) or trace.summary["scope_expanded"]:
        return Step("its manual was searched")
    seen = f"the file belongs to the manual {place.parts[0]}, and only {trace.manual_id} was searched"
    return Step(seen, "outside_of_manual", {"searched": trace.manual_id})


def _look_at_unscanned(trace: Trace, place: LinePlace, line: _Line, left: list[int]) -> Step[Conclusion]:
    item = _left_over(trace, place)
    if item is None:
        return Step("its passage is not listed as not examined")
    facts: dict[str, Any] = {"reason": item.reason}
    turn = ""
    if line.passage_id in left:
        facts |= {"turn": left.index(line.passage_id) + 1, "left_over": len(left)}
        turn = f"; it would have been the turn of {facts['turn']} of the {len(left)} passages left over"
    return Step(f"its passage is listed as not examined: {item.reason}{turn}", "not_examined", facts)


def _left_over(trace: Trace, place: LinePlace) -> Unscanned | None:
    """What of the places that were not examined has the line."""
    return next((item for item in trace.unscanned if item.holds(*place.key, place.line)), None)


def _look_at_postings(
    connection: sqlite3.Connection, trace: Trace, text: str, terms: tuple[Term, ...], line: _Line
) -> Step[Conclusion]:
    """The last resort: a line that holds a term is a candidate's or listed, unless the index is wrong."""
    index = Index(connection, None if trace.summary["scope_expanded"] else trace.manual_id)
    corpus = index.corpus(extract_features(text), terms)
    is_named = line.passage_id in index.find_passages(terms, corpus)
    seen = "names its passage, and the search lost it" if is_named else "does not name its passage for that term"
    return Step(f"the full-text index {seen}; run `morenashi reindex --full`", "index_fault", {"is_named": is_named})


def _read_line(connection: sqlite3.Connection, place: LinePlace) -> _Line | None:
    row = connection.execute(_PASSAGE, (*place.key, place.line)).fetchone()
    if row is None:
        return None
    passage_id, first_line, section_id, text = row
    return _Line(passage_id, first_line, text, [row[0] for row in connection.execute(_SECTIONS_AROUND, (section_id,))])


_DOCUMENT = "SELECT status, problem FROM documents WHERE manual_id = ? AND path = ?"

_COUNT_LINES = "SELECT lines FROM documents WHERE manual_id = ? AND path = ?"

_PASSAGE = """
SELECT passages.id, passages.first_line, passages.section_id, passage_texts.text
FROM documents
JOIN passages ON passages.document_id = documents.id
JOIN passage_texts ON passage_texts.id = passages.id
WHERE documents.manual_id = ? AND documents.path = ? AND ? BETWEEN passages.first_line AND passages.last_line
"""

_SECTIONS_AROUND = """
WITH RECURSIVE around (start_line, parent_id, depth) AS (
  SELECT start_line, parent_id, 0 FROM sections WHERE id = ?
  UNION ALL
  SELECT sections.start_line, sections.parent_id, around.depth + 1
  FROM around
  JOIN sections ON sections.id = around.parent_id
)
SELECT start_line
FROM around
ORDER BY depth
"""
