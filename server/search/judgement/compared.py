"""The lines that are compared, and whether two of them, alike as they are, are about the same thing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.terms import Term
from morenashi.server.search.ranking.candidates import Candidate, Ranked

from .blocks import are_answers, are_in_one_block, is_told_with_a_case, names_its_thing, opens_an_item, says_much
from .defaults import default_below, says_default
from .headings import are_apart, are_versions, do_headings_differ, is_attribute, thing_over
from .negations import DENIABLE
from .surroundings import Surroundings
from .tables import Cell, read_tables
from .wrapped import unwrap

_T = TypeVar("_T")

Place = tuple[str, str, int]
"""Manual, path and line (1-based)."""

# Where a string of JSON begins or ends, as far as the text without escapes tells. A quote first: that is found quickly.
_QUOTE_OF_JSON = re.compile('"(?:(?= ?(?:[),:]|$))|(?<=[(,:]")|(?<=[(,:] ")|(?<=^")|(?<=^ "))')
_STRING_END = re.compile("(?<=。)[,)]")
# Of what is shown as code, a backtick being ' once normalised: a value is said as it would be without. Not a name of a
# field, which is known by its quotes.
_VALUE_IN_CODE = re.compile(
    rf"(?<![a-z0-9'])'([0-9][^'|\n]{{0,30}}|[^a-z'|\n]{{1,30}}|{'|'.join(sorted(DENIABLE))})'(?![a-z0-9'])"
)
_EMPHASISED = re.compile(r"\*\*|(?<![a-z0-9])\*(?=[^ *])([^*|\n]{1,60})(?<! )\*(?![a-z0-9])")
# A line of JSON may be the whole file; from here on, it is the strings on it that are looked at.
_LONG = 1_200
# In characters, of the lines of a section: a catalogue of 18,000 products took six seconds.
_MOST_TEXT = 50_000
# Lines of one section further apart than this are not compared; a question stands so far above its answer at most.
_FURTHEST, _QUESTION_ABOVE = 2_000, 20


class Line(NamedTuple):
    """A line with a hit, normalised and plain, its sentences whole, and where it stands.

    `cells` are those of a row of a table with heads, `None` of any other line. Of a row that only stands below heads
    with a hit, there is no text.
    """

    section_id: int
    place: Place
    text: str
    cells: Sequence[Cell] | None = None


class Said(NamedTuple):
    """What a line says of a subject, empty if it does not name one.

    `rest` is all that the sentence says besides what is compared, as far as it has to be the same. `thing` is what a
    row of a table calls what the sentence is about; `is_headed` says that its heading alone does.
    """

    line: Line
    subject: str
    rest: str = ""
    thing: str = ""
    is_headed: bool = False


class Compared:
    """The lines with a hit of the best sections."""

    def __init__(self, lines: Sequence[Line], surroundings: Surroundings) -> None:
        self.lines = lines
        self._surroundings = surroundings

    def are_about_one(self, one: Said, other: Said) -> bool:
        """Whether nothing says that the two are about different things; inside a section, whether much says so."""
        if one.line.section_id == other.line.section_id:
            return self._are_about_one_inside(one, other)
        here, there = (self._surroundings.whereabouts(said.line.section_id) for said in (one, other))
        subject = one.thing or other.thing or one.subject
        differ = do_headings_differ if one.is_headed or other.is_headed else are_apart
        return not are_versions(here, there) and not differ(here, there, subject)

    def thing_over(self, line: Line) -> str:
        """What the heading over a line says that it is about; empty if it does not say."""
        return thing_over(self._surroundings.whereabouts(line.section_id))

    def title_over(self, line: Line) -> str:
        """The normalised title of the section of a line."""
        return next(reversed(self._surroundings.whereabouts(line.section_id).titles), "")

    def _are_about_one_inside(self, one: Said, other: Said) -> bool:
        one, other = sorted((one, other), key=lambda said: said.line.place[2])
        first, last = one.line.place[2], other.line.place[2]
        if first == last or last - first > _FURTHEST or not (_is_plain(one) and _is_plain(other)):
            return False
        if _is_of_a_picture(one.line) and _is_of_a_picture(other.line):
            return False
        lines = self._surroundings.lines(one.line.section_id, first - _QUESTION_ABOVE, last)
        # A section may begin later than that.
        at, until = len(lines) - 1 - (last - first), len(lines) - 1
        if any(is_told_with_a_case(*_before(said, lines, place)) for said, place in ((one, at), (other, until))):
            return False
        return are_in_one_block(lines, at, until) or are_answers(lines, at, until)


def read_lines(ranked: Sequence[Ranked], evidence: Evidence) -> list[Line]:
    """The lines with a hit of these sections, of a section with very many the first ones."""
    found: list[Line] = []
    for section_id, candidate, *_ in ranked:
        hits = evidence.hits.get(section_id, ())
        lines = (line for hit in hits for line in _lines_of(hit, section_id, candidate, evidence.findings.terms))
        found += _first(lines, lambda line: len(line.text))
    return found


def _lines_of(hit: PassageHit, section_id: int, candidate: Candidate, terms: tuple[Term, ...]) -> Iterator[Line]:
    lines = hit.passage.text.split("\n")
    if candidate.file_type == "json":
        matcher = TermMatcher(terms, len(terms))
        lines = [_strings_of(line, matcher) for line in lines]
    rows = _rows(lines, {offset for offset, _ in hit.match.places}) if "|" in hit.passage.text else {}
    matched = {offset for offset, _ in hit.match.places}
    if says_default(hit.passage.text) and any(lines[offset].startswith("#") for offset in matched):
        # What is by default so of what the heading asks for: it says it by itself, and need not hold a term.
        matched |= {offset for offset, line in enumerate(lines) if default_below(_as_said(line))}
    texts = {offset: _as_said(unwrap(lines, offset)) for offset in sorted(matched)}
    for offset in texts | rows:
        place = candidate.manual_id, candidate.path, hit.passage.first_line + offset
        yield Line(section_id, place, texts.get(offset, ""), rows.get(offset))


def _strings_of(line: str, matcher: TermMatcher) -> str:
    """A normalised line of JSON in which what a string says begins as a sentence does; of a long one the members and
    elements with a hit.
    """
    line = _QUOTE_OF_JSON.sub("。", line)
    if len(line) <= _LONG:
        return line
    parted = _STRING_END.sub("\n", line)
    match, parts = matcher.match(parted), parted.split("\n")
    return "。".join(_first((parts[part] for part, _ in match.places), len)) if match else line


def _as_said(line: str) -> str:
    """A normalised line without what shows its words in another way than others."""
    if "*" in line:
        line = _EMPHASISED.sub(r"\1", line)
    return _VALUE_IN_CODE.sub(r"\1", line) if "'" in line else line


def _first(found: Iterable[_T], length: Callable[[_T], int]) -> Iterator[_T]:
    """As many as together are no longer than what is compared of a section, and one at least."""
    lengths = 0
    for one in found:
        lengths += length(one)
        yield one
        if lengths > _MOST_TEXT:
            return


def _rows(lines: Sequence[str], matched: set[int]) -> dict[int, list[Cell]]:
    """The cells of the rows that are matched, or that stand below heads that are."""
    rows: dict[int, list[Cell]] = {}
    for table in read_tables(lines):
        own = range(table.heads, table.last + 1)
        rows.update((offset, []) for offset in (own if table.heads in matched else matched.intersection(own)))
        for cell in table.cells:
            if cell.offset in rows:
                rows[cell.offset].append(cell)
    return rows


def _is_plain(said: Said) -> bool:
    """Whether it says by itself what it is about, even where its section says it of several things."""
    if said.line.cells is not None or names_its_thing(said.subject) or opens_an_item(said.line.text, said.subject):
        return True
    return says_much(said.rest) and not is_attribute(said.subject)


def _is_of_a_picture(line: Line) -> bool:
    """Whether it is a row of a table that has no words for what it is about: each icon of a legend means its own."""
    return line.text.startswith("|") and not line.text[1:].partition("|")[0].strip()


def _before(said: Said, lines: Sequence[str], at: int) -> tuple[str, str, str]:
    return said.line.text, lines[at - 1] if at else "", said.subject
