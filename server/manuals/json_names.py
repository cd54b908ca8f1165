"""Where in a JSON file what is given of it stands: a line with the JSON Pointer of the value (RFC 6901). Pure."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from morenashi.indexer.json_text import pointers_at
from morenashi.server.calls.inputs import MAX_POINTER_CHARS
from morenashi.server.reading import FileText

from .matches import matches_in, without_inner
from .named_parts import on_one_line

# Of a part of a line, which may hold a match in each of many values.
_MOST_NAMED = 5


def pointer_lines(file: FileText, places: Sequence[tuple[int, int]], terms: Iterable[str]) -> list[str]:
    """For each place the pointers of what matches there, a line each. Of several lines, which tell of themselves, that
    of the first match, or of what begins there and holds it. Nothing where the place before has the same.
    """
    terms = list(terms)
    matches = [_begins(file, start, end, terms) for start, end in places]
    begins = [end - len(file.part(start, end).lstrip()) for start, end in places]
    wanted = sorted({*begins, *(offset for of_place in matches for offset in of_place)})
    pointer_of = dict(zip(wanted, pointers_at(file.text, wanted), strict=True))
    named = [
        _as_lines(_named(pointer_of[begin], [pointer_of[offset] for offset in of_place]))
        for begin, of_place in zip(begins, matches, strict=True)
    ]
    return ["" if now == before else now for before, now in pairwise(["", *named])]


def _begins(file: FileText, start: int, end: int, terms: Sequence[str]) -> list[int]:
    """Where what matches in a place begins; of several lines the first alone."""
    begins = [match.begin for match in without_inner(matches_in(file, start, end, terms))]
    return begins if file.line_of(start) == file.line_of(max(end - 1, start)) else begins[:1]


def _named(begin: str | None, matches: Sequence[str | None]) -> Sequence[str | None]:
    holds_it = begin is not None and all(match is not None and f"{match}/".startswith(f"{begin}/") for match in matches)
    return [begin] if holds_it or not matches else matches


def _as_lines(pointers: Iterable[str | None]) -> str:
    said = dict.fromkeys(pointer for pointer in pointers if pointer and len(pointer) <= MAX_POINTER_CHARS)
    return "".join(f"{on_one_line(pointer)}\n" for pointer in list(said)[:_MOST_NAMED])
