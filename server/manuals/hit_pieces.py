"""What is given of each hit of a search, and of how many there is room for. Pure, but for what was given before."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from morenashi.indexer.files import Key, parts_below_root
from morenashi.server.delivery.delivered import Deliveries, Root, root_of
from morenashi.server.ranges import Range, subtract
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate

from .named_parts import named_part, on_one_line

GIVEN_BEFORE = "given before"
"""The note of a hit, or of a place, of which the client has had all."""
_GIVEN = "given above"


@dataclass(frozen=True, slots=True)
class Piece:
    """What is given of a hit: places in its file; or a note why there are none."""

    hit: int
    candidate: Candidate
    file: FileText | None = None
    places: Sequence[tuple[int, int]] = ()
    is_whole: bool = True
    note: str = ""

    @property
    def key(self) -> Key:
        """Its document: (manual_id, path), of a note without the id."""
        return self.candidate.manual_id, self.candidate.path

    @property
    def path(self) -> str:
        """Of its file, below the root."""
        return "/".join(parts_below_root(*self.key))

    @property
    def root(self) -> Root:
        return root_of(self.candidate.manual_id)

    @property
    def name(self) -> str:
        """How its line begins."""
        return f"[{self.hit}] {on_one_line(self.path)}"

    @property
    def characters(self) -> int:
        return len(self.name) + sum(end - start for start, end in self.places)

    def is_part_of(self, other: "Piece") -> bool:
        """Whether all that is given of it is given of the other, too."""
        return self.path == other.path and all(
            any(first <= start and end <= last for first, last in other.places) for start, end in self.places
        )


def only_new(deliveries: Deliveries, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Each without the lines that the client that calls has had whole, as they stand now."""
    had: dict[str, Sequence[Range]] = {}
    for piece in pieces:
        file, path = piece.file, piece.path
        if file is None or not piece.places:
            yield piece
            continue
        if path not in had:
            had[path] = lines_had(deliveries, piece.root, path, file)
        yield _without(piece, file, had[path]) if had[path] else piece


def lines_had(deliveries: Deliveries, root: Root, path: str, file: FileText) -> Sequence[Range]:
    """The lines of a file, by its path below the root, that the client has had whole, as they stand now."""
    if not deliveries.find(root, path).lines:
        return ()
    return deliveries.find(root, path, file.digests).lines


def _without(piece: Piece, file: FileText, lines: Sequence[Range]) -> Piece:
    asked = [(file.line_of(start), file.line_of(end - 1)) for start, end in piece.places]
    new = [(file.start_of(first), file.start_of(last + 1)) for first, last in subtract(asked, lines)]
    left = [(max(start, a), min(end, b)) for start, end in piece.places for a, b in new if a < end and start < b]
    places = [(start, end) for start, end in left if file.part(start, end).strip()]
    return replace(piece, places=places, note="" if places else GIVEN_BEFORE)


def take(pieces: Iterable[Piece], most: int, max_chars: int) -> list[Piece]:
    """Those that the limits have room for, in order: the first in any case, cut if need be. Nothing is given twice."""
    taken: list[Piece] = []
    room = max_chars
    for piece in pieces:
        if piece.note == GIVEN_BEFORE:
            taken.append(piece)
        elif most == 0:
            break
        elif piece.places and any(piece.is_part_of(other) for other in taken):
            taken.append(replace(piece, places=(), note=_GIVEN))
            most -= 1
        elif piece.characters <= room or room == max_chars:
            taken.append(_shorten(piece, room))
            room -= piece.characters
            most -= 1
        else:
            break
    return taken


def _shorten(piece: Piece, most: int) -> Piece:
    if piece.characters <= most:
        return piece
    places = []
    for start, end in piece.places:
        places.append((start, min(end, start + most)))
        most -= min(end - start, most)
        if not most:
            break
    return replace(piece, places=places, is_whole=False)


def in_reading_order(pieces: Sequence[Piece]) -> list[Piece]:
    """What is of one file together, in the order of its lines; the file of the best hit first."""
    files = list(dict.fromkeys(piece.path for piece in pieces))
    return sorted(pieces, key=lambda one: (files.index(one.path), not one.places, one.candidate.line))


def as_text(piece: Piece) -> str:
    """The line that names it and its numbered lines; or why there are none."""
    file = piece.file
    if file is None or not piece.places:
        return f"{piece.name}:{piece.candidate.line}, {piece.note}\n"
    return named_part(piece.name, file, piece.places, is_whole=piece.is_whole)
