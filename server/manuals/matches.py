"""Where in a part of a file the terms of a question stand. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from morenashi.indexer.json_escapes import raw_columns, unescape
from morenashi.indexer.text import normalise, original_columns
from morenashi.server.reading import FileText
from morenashi.server.search.question.near import begins_of


class Match(NamedTuple):
    """Where in a file a term begins and ends."""

    begin: int
    end: int
    term: str


def matches_in(file: FileText, start: int, end: int, terms: Iterable[str]) -> list[Match]:
    """Where the terms stand in [start, end) of a file, in order, as they are normalised."""
    written = file.part(start, end).rstrip("\r\n")
    readable = unescape(written) if file.file_type == "json" else written
    normal = normalise(readable)
    found = sorted((column, column + len(term), term) for term in terms for column in begins_of(term, normal))
    wanted = sorted({column for begin, behind, _ in found for column in (begin, behind)})
    columns = original_columns(readable, wanted)
    if readable is not written:
        columns = raw_columns(written, columns)
    offset_of = {one: start + other for one, other in zip(wanted, columns, strict=True)}
    return [Match(offset_of[begin], offset_of[behind], term) for begin, behind, term in found]


def without_inner(matches: Sequence[Match]) -> list[Match]:
    """Those of phrases, and of words that are in none of these: the words of a phrase are looked for too, perhaps."""
    terms = {match.term for match in matches}
    inner = {term for term in terms for other in terms if term != other and term in other}
    return [match for match in matches if match.term not in inner]
