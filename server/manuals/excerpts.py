"""What is given of a section that a search found, where many are read at once. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import fsum, inf, log
from operator import itemgetter
from typing import NamedTuple

from morenashi.server.delivery.delivered import Delivered
from morenashi.server.ranges import merge
from morenashi.server.reading import FileText, Span
from morenashi.server.search.ranking.candidates import Candidate

from .line_labels import label_of
from .long_lines import parts_of_line
from .match_offsets import match_offset
from .named_parts import size_of
from .new_places import new_places
from .wrapped_lines import sentence_lines

_LONG, _BEGINNING = 2_500, 80
# Lines of JSON.
_NEAR = 10
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,80})\](?!:)")
_FOOTNOTE_TEXT = re.compile(r"(?:^|(?<=\r))\[\^([^\]\s]{1,80})\]:", re.M)
# A line of number signs, or one that is underlined.
_HEADING = re.compile(r"#{1,6}(?:[ \t][^\r\n]*)?|[^\r\n]+(?:\r\n?|\n) {0,3}(?:=+|-+)")
# Up to a blank line.
_PARAGRAPH = re.compile(r"(?:[^\S\r\n]*\S[^\r\n]*(?:\r\n?|\n)?)+")

Places = list[tuple[int, int]]
"""Characters of a file, as [start, end) in order."""

Had = Delivered | None
"""What the reader has had of a file and is not given again; `None` if that does not matter."""


class Excerpt(NamedTuple):
    """What is given of a hit. Nothing where the file has become shorter, where no line matches, or where it is given
    with a better hit, whose line `with_line` is.
    """

    places: Places
    is_whole: bool = True
    with_line: int | None = None


class Limits(NamedTuple):
    """How many characters are given of a hit in parts, with the numbers of its lines, and of a line in it; and how long
    a section may be that is given whole.
    """

    parts: int
    line: int
    whole: int = 0

    @classmethod
    def named(cls, most: int) -> "Limits":
        """Those of a hit that was named: who names it wants all of it."""
        return cls(most, most, most)

    def within(self, room: int, parts: int | None) -> "Limits":
        """The same in an answer that has so much room: a line leaves half of it to others. With another number of
        characters in `parts`, if it is given.
        """
        return Limits(min(parts or self.parts, room), min(self.line, (room + 1) // 2), min(self.whole, room))


OF_THE_BEST = Limits(parts=_LONG, line=_LONG // 2, whole=_LONG)
OF_OTHERS = Limits(parts=2_000, line=800)


def excerpt(
    file: FileText, candidate: Candidate, hits: Sequence[int], limits: Limits = OF_THE_BEST, had: Had = None
) -> Excerpt:
    """Of a candidate's section in a file as it stands now, what there is room for; with the footnotes that it refers
    to. `hits` are the lines of the file that the search found, one a section, the best first.

    Without its subsections, as a rule: they are candidates of their own if they say something.
    """
    if candidate.line > file.lines or not file.text:
        return Excerpt([])
    most = min(limits.whole, _LONG)
    section = _section(file, candidate.line, hits, most)
    best = next((hit for hit in hits if section.start <= file.start_of(hit) < section.end), candidate.line)
    if best != candidate.line and section == _section(file, best, hits, most):
        return Excerpt([], with_line=best)
    if section.end - section.start <= (limits.parts if _is_about_it(candidate) else limits.whole):
        return _with_footnotes(file, [(section.start, section.end)])
    is_alone = is_bare(file, candidate.line)
    parts = _in_order(file, section, limits.line) if is_alone else _paragraphs(file, candidate, section, limits.line)
    places, is_all = _fill(file, _new(file, section, parts, had), limits.parts)
    # Who goes on, without what he has had, goes on to the end of what matches.
    return _with_footnotes(file, places, is_whole=is_all and had is not None)


def all_of_section(file: FileText, candidate: Candidate, most: int) -> Excerpt:
    """All of a section, without its subsections. Nothing if it is longer than `most`, or than one is given whole that
    has another subject in its title.
    """
    section = file.own_section(candidate.line)
    if section.end - section.start > (most if _is_about_it(candidate) else min(most, _LONG)):
        return Excerpt([])
    return _with_footnotes(file, [(section.start, section.end)])


def _with_footnotes(file: FileText, places: Places, *, is_whole: bool = True) -> Excerpt:
    return Excerpt(_joined([*places, *_footnotes(file, places)]), is_whole)


def _is_about_it(candidate: Candidate) -> bool:
    """Whether the subject is in its title: then a section is about it also where no line says so."""
    return "heading" in candidate.signals


def whole_section(file: FileText, candidate: Candidate) -> Excerpt:
    """A candidate's section with its subsections, however long."""
    if candidate.line > file.lines:
        return Excerpt([])
    section = file.own_section(candidate.line) if file.file_type == "json" else file.section(candidate.line)
    return Excerpt(_joined([(section.start, section.end)]))


def is_bare(file: FileText, line: int) -> bool:
    """Whether the section of a line is a heading alone, with nothing below it but subsections."""
    section = file.own_section(line)
    return file.file_type == "md" and bool(_HEADING.fullmatch(file.part(section.start, section.end).strip()))


def matching_lines(file: FileText, candidate: Candidate, limits: Limits = OF_OTHERS, had: Had = None) -> Excerpt:
    """The title of a candidate's section and the lines of it that match, those with most of the question first; of a
    long line what stands around the match. Of one in which no line matches, but one nearly does, that; of one
    in which the title alone matches, what stands below it.
    """
    if candidate.line > file.lines:
        return Excerpt([])
    section = file.own_section(candidate.line)
    parts = _lines(file, candidate, section, limits.line)
    return Excerpt(*_fill(file, _new(file, section, parts, had), limits.parts))


def _new(file: FileText, section: Span, parts: Iterable[tuple[int, int]], had: Had) -> Iterator[tuple[int, int]]:
    """What of these parts lies in a section, those of which the reader has not had all."""
    for part in parts:
        start, end = max(part[0], section.start), min(part[1], section.end)
        if start < end and (had is None or new_places(file, [(start, end)], had)):
            yield start, end


def _fill(file: FileText, parts: Iterable[tuple[int, int]], most: int) -> tuple[Places, bool]:
    """As many of these parts, in their order, as there is room for; and whether that is all."""
    places: Places = []
    room = most
    for begin, behind_it in parts:
        # What it touches is one with it: there may be thousands of places.
        first = bisect_left(places, begin, key=itemgetter(1))
        behind = bisect_right(places, behind_it, key=itemgetter(0))
        touched = places[first:behind]
        start, end = min([begin, *(a for a, _ in touched)]), max([behind_it, *(b for _, b in touched)])
        room -= size_of(file, start, end) - sum(size_of(file, a, b) for a, b in touched)
        if room < 0:
            # The first in any case: the answer is cut then.
            return places or [(start, end)], False
        places[first:behind] = [(start, end)]
    return places, True


def _section(file: FileText, line: int, hits: Sequence[int], most: int) -> Span:
    """The section of a line. One around it of `most` characters, which is given whole, is taken instead if most of the
    sections in it were found, too (auto-merging retrieval); and a heading with nothing below it but subsections is
    taken with them.
    """
    section = file.own_section(line)
    if file.file_type == "json":
        return section
    if is_bare(file, line):
        section = file.section(line)
    for around, sections in file.enclosing(line):
        if around.end - around.start > most:
            break
        found = sum(around.start <= file.start_of(hit) < around.end for hit in hits if hit <= file.lines)
        if 2 * found > sections:
            section = around
    return section


def _in_order(file: FileText, section: Span, most: int) -> Iterator[tuple[int, int]]:
    """All of a section, line by line; of a line that is too long `most` characters at a time."""
    for number in range(file.line_of(section.start), file.line_of(section.end - 1) + 1):
        begin, behind = file.start_of(number), file.start_of(number + 1)
        yield from ((start, min(start + most, behind)) for start in range(begin, behind, most))


def _paragraphs(file: FileText, candidate: Candidate, section: Span, most: int) -> Iterator[tuple[int, int]]:
    """The title, the paragraph of the hit, what is excepted from it, and the other paragraphs that match, what says
    most of the question first, each with what leads it in; of a line that is too long for that what stands around the
    matches.
    """
    yield from _title(file, section)
    terms = candidate.terms_by_line()
    for number in dict.fromkeys([candidate.line, *_excepted(candidate), *_by_terms(candidate, terms)]):
        if number > file.lines:
            continue
        line = Span(file.start_of(number), file.start_of(number + 1))
        if line.end - line.start > min(most, _LONG // 2):
            yield from parts_of_line(file, number, terms.get(number, ()), _best_in(file, candidate, number), most)
        else:
            paragraph = file.snippet(number, None, 0, 0)
            yield paragraph.start, max(paragraph.end, line.end)
            if file.file_type == "md":
                yield from _label(file, file.line_of(paragraph.start))


def _lines(file: FileText, candidate: Candidate, section: Span, most: int) -> Iterator[tuple[int, int]]:
    yield from _title(file, section)
    terms = candidate.terms_by_line()
    numbers = [
        number
        for number in dict.fromkeys([candidate.line, *_by_terms(candidate, terms)])
        if section.start <= file.start_of(number) < section.end
    ]
    for number in numbers:
        yield from _line(file, number, terms.get(number, ()), _best_in(file, candidate, number), most)
    if numbers == [file.line_of(section.start)]:
        yield from _first_paragraph(file, section)


def _line(file: FileText, number: int, terms: Iterable[str], best: int | None, most: int) -> Iterator[tuple[int, int]]:
    """What matches of a line, with what it is about: that stands at its beginning, as a rule, or above it; and with the
    rest of its sentence, in JSON of its object: the answer stands beside the question.
    """
    begin = file.start_of(number)
    for part, (start, end) in enumerate(parts_of_line(file, number, terms, best, most)):
        yield start, end
        if part == 0:
            yield begin, min(start, begin + _BEGINNING)
            first, last = sentence_lines(file, number) if file.file_type == "md" else (number, number)
            if first < last:
                yield file.start_of(first), file.start_of(last + 1)
            if file.file_type == "json" and (record := file.record_around(number, most)):
                yield record.start, record.end
            yield from _label(file, number)


def _label(file: FileText, number: int) -> Places:
    """The line above a line without which that does not say of what it speaks, with the rest of its sentence."""
    label = label_of(file, number)
    if label is None:
        return []
    first, last = sentence_lines(file, label) if file.file_type == "md" else (label, label)
    return [(file.start_of(first), file.start_of(last + 1))]


def _best_in(file: FileText, candidate: Candidate, number: int) -> int | None:
    """Where in a line the match is that was found best, if it is in this line."""
    return match_offset(file, candidate) if number == candidate.line else None


def _first_paragraph(file: FileText, section: Span) -> Iterator[tuple[int, int]]:
    """What stands first below a title: alone, that would not tell what the section says."""
    below = file.start_of(file.line_of(section.start) + 1)
    if file.file_type == "md" and (paragraph := _PARAGRAPH.search(file.text, below, section.end)):
        yield paragraph.start(), min(paragraph.end(), paragraph.start() + OF_OTHERS.line)


def _title(file: FileText, section: Span) -> Places:
    """The first line of a section, of a heading that is no longer than one."""
    end = file.start_of(file.line_of(section.start) + 1)
    return [(section.start, end)] if file.file_type == "md" and end - section.start <= OF_OTHERS.line else []


def _by_terms(candidate: Candidate, terms: Mapping[int, Sequence[str]]) -> list[int]:
    """The lines that have `terms`, those with most of the question first: a word that few of them have says more than
    one that all have, as it does in BM25.
    """
    rarity = {term: log(1 + len(terms) / len(lines)) for term, lines in candidate.why.get("terms", {}).items()}
    return sorted(terms, key=lambda line: (-fsum(rarity[term] for term in terms[line]), line))


def _excepted(candidate: Candidate) -> list[int]:
    """The lines of its file that except something from what it says: in a JSON file, which is one section whatever it
    is about, those near its line.
    """
    furthest = _NEAR if candidate.file_type == "json" else inf
    return [line for line in candidate.excepted_here() if abs(line - candidate.line) <= furthest]


def _footnotes(file: FileText, places: Places) -> Iterator[tuple[int, int]]:
    """What the footnotes say that stand in these places, [^1], where the file says it: as a rule at its end."""
    if file.file_type == "json":
        return
    wanted = {note[1] for start, end in places for note in _FOOTNOTE.finditer(file.text, start, end)}
    notes = list(_FOOTNOTE_TEXT.finditer(file.text)) if wanted else []
    for note, behind in zip_longest(notes, notes[1:]):
        if note[1] in wanted:
            most = min(note.start() + _LONG // 2, behind.start() if behind else len(file.text))
            said = _PARAGRAPH.match(file.text, note.start(), most)
            yield note.start(), said.end() if said else most


def _joined(places: Iterable[tuple[int, int]]) -> Places:
    """Those that touch as one, in order; `merge` counts both ends in."""
    return [(first, last + 1) for first, last in merge((start, end - 1) for start, end in places if start < end)]
