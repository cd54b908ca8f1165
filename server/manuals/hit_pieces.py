"""What is given of each hit of a search, and of how many there is room for. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from morenashi.indexer.collections import display_name
from morenashi.server.ranges import merge, subtract
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate

from .json_names import pointer_lines
from .named_parts import named_part, on_one_line

GIVEN_BEFORE = "given before"
"""The note of a hit, or of a place, of which the client has had all."""
ONLY_REFERRED_TO = "only referred to"
"""That of one in which no line matches."""
_GIVEN = "given above"


@dataclass(frozen=True)
class Piece:
    """What is given of a hit: places in its file; or a note why there are none."""

    hit: int
    candidate: Candidate
    file: FileText | None = None
    places: Sequence[tuple[int, int]] = ()
    is_whole: bool = True
    note: str = ""

    @property
    def path(self) -> str:
        """Of its file, below the root."""
        return display_name(self.candidate.key)

    @property
    def name(self) -> str:
        """How its line begins."""
        return f"[{self.hit}] {on_one_line(self.path)}"

    @cached_property
    def text(self) -> str:
        """The line that names it and its numbered lines; or why there are none."""
        if self.file is None or not self.places:
            return f"{self.name}:{self.candidate.line}, {self.note}\n"
        terms = self.candidate.why.get("terms", ())
        heads = pointer_lines(self.file, self.places, terms) if self.file.file_type == "json" else ()
        return named_part(self.name, self.file, self.places, is_whole=self.is_whole, heads=heads)

    @property
    def given(self) -> int:
        """How many characters of its file are given."""
        return sum(end - start for start, end in self.places)

    def fits(self, room: int) -> bool:
        """Whether there is room for its text. Of a large file that is far too much no text is made."""
        return self.given <= room and len(self.text) <= room

    @property
    def had(self) -> Sequence[tuple[int, int]]:
        """What the client has by it: of a line that lacks nothing but its break, all. It is not said to be cut."""
        if self.file is None:
            return ()
        return [(start, _behind_break(self.file, end)) for start, end in self.places]

    def is_part_of(self, other: "Piece") -> bool:
        """Whether all that is given of it is given of the other, too."""
        return self.path == other.path and all(
            any(first <= start and end <= last for first, last in other.places) for start, end in self.places
        )


def take(pieces: Iterable[tuple[Piece, int]], most: int) -> list[Piece]:
    """Those that the limits have room for, in order, each with the room of an answer that ends behind it: the first in
    any case, cut if need be. Nothing is given twice.
    """
    taken: list[Piece] = []
    before: list[int] = []
    size = told = 0
    for piece, room in pieces:
        if piece.note == GIVEN_BEFORE:
            if told and size + len(as_line(GIVEN_BEFORE, [*before, piece.hit])) > room:
                break
            before.append(piece.hit)
            taken.append(piece)
            continue
        if _is_given(piece, taken):
            piece = replace(piece, places=(), note=_GIVEN)
        left = room - size - len(as_line(GIVEN_BEFORE, before))
        if told == most or (told and not piece.fits(left)):
            break
        taken.append(shorten(piece, left))
        size += len(taken[-1].text)
        told += 1
    return taken


def as_line(said: str, hits: Sequence[int]) -> str:
    """A line that says the same of all these hits."""
    runs = (f"[{first}]" if first == last else f"[{first}-{last}]" for first, last in merge((hit, hit) for hit in hits))
    return f"{said}: {' '.join(runs)}\n" if hits else ""


def shorten(piece: Piece, most: int) -> Piece:
    """The first lines of what is given of it, no more characters than `most` with its name; of a line that alone is too
    long the beginning.
    """
    while piece.file and not piece.fits(most) and piece.given > 1:
        size = len(piece.text) if piece.given <= most else piece.given
        characters = max(min(piece.given * most // size, piece.given - 1), 1)
        piece = replace(piece, places=list(_first(piece.file, piece.places, characters)), is_whole=False)
    return piece


def _first(file: FileText, places: Sequence[tuple[int, int]], characters: int) -> Iterator[tuple[int, int]]:
    for start, end in places:
        stop = min(start + characters, end)
        line = file.start_of(file.line_of(stop))
        if stop < end and (line > start or start != places[0][0]):
            stop = line
        if stop <= start:
            return
        yield start, stop
        if stop < end:
            return
        characters -= stop - start


def each_once(pieces: Iterable[Piece]) -> list[Piece]:
    """The same, with a note in place of what is given with a better one."""
    given: list[Piece] = []
    for piece in pieces:
        given.append(replace(piece, places=(), note=_GIVEN) if _is_given(piece, given) else piece)
    return given


def _is_given(piece: Piece, others: Iterable[Piece]) -> bool:
    return bool(piece.places) and any(piece.is_part_of(other) for other in others)


def each_line_once(pieces: Iterable[Piece]) -> list[Piece]:
    """The same, each without what is given with a better one: a section may hold another one that comes before it, and
    two may refer to one footnote.
    """
    given: list[Piece] = []
    for piece in pieces:
        others = [(start, end - 1) for other in given if other.path == piece.path for start, end in other.places]
        places = [(first, last + 1) for first, last in subtract(((a, b - 1) for a, b in piece.places), others)]
        given.append(replace(piece, places=places, note=piece.note or ("" if places else _GIVEN)))
    return given


def _behind_break(file: FileText, end: int) -> int:
    behind = file.start_of(file.line_of(max(end - 1, 0)) + 1)
    return end if file.part(end, behind).strip("\r\n") else behind


def in_reading_order(pieces: Sequence[Piece]) -> list[Piece]:
    """What is of one file together, in the order of its lines; the file of the best hit first."""
    files = list(dict.fromkeys(piece.path for piece in pieces))
    return sorted(pieces, key=lambda one: (files.index(one.path), not one.places, one.candidate.line))
