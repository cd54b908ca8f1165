"""Whether cited lines still say what they said when they were cited. Pure.

A fingerprint holds digests of the cited lines and of what stood around them, no text. Lines are compared as they are,
without their line breaks. The verdicts, each tried in this order:

`same`     the cited lines stand where they were cited.
`moved`    they stand elsewhere, one below the other as before. Of several places, the one whose surroundings are most
           like those at the citing, then the nearest. Copies that stood elsewhere already do not count as places,
           unless the nearest lines before and behind are those of the citation. Of more than fifty places, those next
           to one of these lines are compared, and the nearest.
`changed`  not all of them stand together any more, but some of them are left, or something else stands in their place.
           Left is a line that stood nowhere else in the file and is somewhere in it now. Their place is between the
           nearest lines around them that are still there; up to eight lines on each side are known.
`gone`     nothing is left of them, and nothing stands in their place.

Blank lines say nothing, and are all alike: they are neither left, nor neighbours, nor something else, and at the edges
of a citation they are no part of it. Of lines that are all blank only `same` and `gone` are said.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b, sha256
from os.path import commonprefix
from typing import Literal, TypeVar

from morenashi.server.newest import Newest
from morenashi.server.ranges import Range

T = TypeVar("T")

State = Literal["same", "moved", "changed", "gone"]

DIGEST_BYTES = 8
_NEIGHBOURS, _MOST_ANCHORS = 8, 50
_MOST_PLACES, _NEAREST, _PLACES_KEPT = 50, 16, 64


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A citation of the lines `span`, as it was made; `lead` of them were blank before the first that is not.

    `lines`, `before` and `behind` are digests of lines, 8 bytes each: of the cited ones without blank edges, and of
    their nearest neighbours that are not blank, nearest first. `alone` has a byte a line: 1 if it is not blank and
    stood nowhere else. `copies` counts the places elsewhere that had the same lines. `sha256` is of their text.
    """

    span: Range
    lead: int
    sha256: bytes
    lines: bytes
    alone: bytes
    before: bytes
    behind: bytes
    copies: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a citation; `now` is where its lines stand, if they moved."""

    state: State
    now: Range | None = None


def digest_lines(lines: Iterable[str]) -> list[bytes]:
    """A digest of each line, which has no line break; of every blank one the same."""
    return [_digest(line) if line.strip() else _BLANK for line in lines]


def occurrences(wanted: Sequence[T], lines: Sequence[T]) -> list[int]:
    """Where some lines, or their digests, stand one below the other, overlaps included, in time linear in the
    file however much of it repeats itself (Knuth, Morris and Pratt 1977).
    """
    borders = [0] * len(wanted)
    length = 0
    for position in range(1, len(wanted)):
        while length and wanted[position] != wanted[length]:
            length = borders[length - 1]
        length += wanted[position] == wanted[length]
        borders[position] = length
    places, length = [], 0
    for position, line in enumerate(lines):
        while length == len(wanted) or (length and line != wanted[length]):
            length = borders[length - 1]
        length += line == wanted[length]
        if length == len(wanted):
            places.append(position + 1 - length)
    return places


class CitedFile:
    """A file's lines (without line breaks), by their digests."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        # Thousands of citations may be of one line that stands everywhere.
        self._known_places = Newest[bytes, list[int]](_PLACES_KEPT)

    @property
    def total(self) -> int:
        return len(self.lines)

    def cite(self, span: Range) -> Fingerprint:
        """The fingerprint of lines of this file, 1-based and within it."""
        start, end = self._written_part(span)
        digests = self.digests[start:end]
        within = Counter(digests)
        alone = bytes(digest != _BLANK and self._counts[digest] == within[digest] for digest in digests)
        return Fingerprint(
            span,
            start - span[0] + 1,
            sha256("\n".join(self.lines[start:end]).encode("utf-8", "surrogatepass")).digest(),
            b"".join(digests),
            alone,
            b"".join(self._before(start)),
            b"".join(self._behind(end)),
            len(self._places(digests)) - 1 if digests else 0,
        )

    def cite_copied(self, span: Range, lines: Sequence[str]) -> Fingerprint:
        """That of lines which stood at a range within this file when they were copied, between what is there now. Of
        the last one the beginning may have been copied alone.
        """
        last = self.lines[span[1] - 1]
        if lines[-1].strip() and last.startswith(lines[-1]):
            lines = [*lines[:-1], last]
        was = CitedFile(lines).cite((1, len(lines)))
        return replace(self.cite(span), lead=was.lead, sha256=was.sha256, lines=was.lines, alone=was.alone, copies=0)

    def judge(self, cited: Fingerprint) -> Verdict:
        """What has become of a citation in this state of the file."""
        digests = _split(cited.lines)
        if not digests:
            is_blank = set(self.digests[cited.span[0] - 1 : cited.span[1]]) == {_BLANK}
            return Verdict("same" if is_blank else "gone")
        start = cited.span[0] - 1 + cited.lead
        if self.digests[start : start + len(digests)] == digests:
            return Verdict("same")
        if (place := self._moved_to(cited, digests)) is not None:
            return Verdict("moved", (place + 1, place + len(digests)))
        is_left = any(alone and self._counts[digest] for alone, digest in zip(cited.alone, digests, strict=True))
        return Verdict("changed" if is_left or self._has_other_in_place(cited) else "gone")

    def is_blank(self, span: Range) -> bool:
        """Whether nothing is written on these lines."""
        start, end = self._written_part(span)
        return start == end

    def written_lines(self, span: Range) -> Range:
        """The lines of a range, 1-based, without blank ones at its edges; itself if all are blank."""
        start, end = self._written_part(span)
        return (start + 1, end) if start < end else span

    def _written_part(self, span: Range) -> Range:
        """The lines of a range without blank ones at its edges, as a slice; empty if all are blank."""
        first, last = bisect_left(self._written, span[0] - 1), bisect_left(self._written, span[1])
        return (self._written[first], self._written[last - 1] + 1) if first < last else (span[0] - 1, span[0] - 1)

    @cached_property
    def digests(self) -> list[bytes]:
        """Of all lines, in order."""
        return digest_lines(self.lines)

    @cached_property
    def _counts(self) -> Counter[bytes]:
        return Counter(self.digests)

    @cached_property
    def _positions(self) -> dict[bytes, list[int]]:
        positions: dict[bytes, list[int]] = {}
        for position, digest in enumerate(self.digests):
            positions.setdefault(digest, []).append(position)
        return positions

    @cached_property
    def _written(self) -> list[int]:
        """The positions of the lines that are not blank."""
        return [position for position, line in enumerate(self.lines) if line.strip()]

    def _before(self, start: int) -> list[bytes]:
        at = bisect_right(self._written, start - 1)
        return [self.digests[position] for position in reversed(self._written[max(at - _NEIGHBOURS, 0) : at])]

    def _behind(self, end: int) -> list[bytes]:
        at = bisect_right(self._written, end - 1)
        return [self.digests[position] for position in self._written[at : at + _NEIGHBOURS]]

    def _places(self, digests: list[bytes]) -> list[int]:
        """Where these lines stand one below the other, in order."""
        joined = b"".join(digests)
        if joined not in self._known_places:
            self._known_places.put(joined, self._find_places(digests))
        return self._known_places[joined]

    def _find_places(self, digests: list[bytes]) -> list[int]:
        """The same, looked for by the rarest of these lines."""
        rarest = min(range(len(digests)), key=lambda n: self._counts[digests[n]])
        positions = self._positions.get(digests[rarest], [])
        if len(positions) * len(digests) > self.total:
            return occurrences(digests, self.digests)
        starts = (position - rarest for position in positions)
        return [start for start in starts if start >= 0 and self.digests[start : start + len(digests)] == digests]

    def _moved_to(self, cited: Fingerprint, digests: list[bytes]) -> int | None:
        places = self._places(digests)
        if not places:
            return None
        stood = cited.span[0] - 1 + cited.lead
        compared = places if len(places) <= _MOST_PLACES else self._likely(cited, places, len(digests), stood)
        likeness = {place: self._likeness(cited, place, place + len(digests)) for place in compared}
        best = min(likeness, key=lambda place: (-sum(likeness[place]), abs(place - stood), place))
        if len(places) > cited.copies or all(likeness[best]):
            return best
        return None

    def _likely(self, cited: Fingerprint, places: list[int], length: int, stood: int) -> set[int]:
        """Those of many places that stand next to a nearest neighbour of the citation, or nearest to where it stood."""
        likely = {places[0], places[-1], *_nearest(places, stood)}
        for digest in _split(cited.before)[:1]:
            for position in _nearest(self._positions.get(digest, []), stood):
                at = bisect_right(self._written, position)
                likely.update(self._written[at : at + 1])
        for digest in _split(cited.behind)[:1]:
            for position in _nearest(self._positions.get(digest, []), stood):
                at = bisect_left(self._written, position)
                likely.update(last + 1 - length for last in self._written[max(at - 1, 0) : at])
        return {place for place in likely if places[bisect_left(places, place, 0, len(places) - 1)] == place}

    def _likeness(self, cited: Fingerprint, start: int, end: int) -> tuple[int, int]:
        """How many neighbours, from the nearest on, are those of the citation: before and behind.

        Where the citation had none, at the file's end, having none again counts as one.
        """
        return (
            _common(_split(cited.before), self._before(start)),
            _common(_split(cited.behind), self._behind(end)),
        )

    def _has_other_in_place(self, cited: Fingerprint) -> bool:
        """Whether between the nearest neighbours that are left stands what did not stand there."""
        before, behind = _split(cited.before), _split(cited.behind)
        gaps = [
            (high - low, low, high, known)
            for low, known_before in self._anchors(before, -1)
            for high, known_behind in self._anchors(behind, self.total)
            if low < high
            for known in [known_before + known_behind]
        ]
        if not gaps:
            return False
        _, low, high, known = min(gaps)
        between = Counter(digest for digest in self.digests[low + 1 : high] if digest != _BLANK)
        return bool(between - Counter(known))

    def _anchors(self, neighbours: list[bytes], edge: int) -> list[tuple[int, list[bytes]]]:
        """Where the nearest neighbour that is left stands, with those that were nearer. The file's own edge is one."""
        for number, digest in enumerate(neighbours):
            if positions := self._positions.get(digest):
                return [(position, neighbours[:number]) for position in positions[:_MOST_ANCHORS]]
        return [(edge, neighbours)] if len(neighbours) < _NEIGHBOURS else []


def _nearest(positions: list[int], position: int) -> list[int]:
    """Some of these positions, in order, on both sides of one."""
    at = bisect_left(positions, position)
    return positions[max(at - _NEAREST, 0) : at + _NEAREST]


def _digest(line: str) -> bytes:
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def _split(digests: bytes) -> list[bytes]:
    return [digests[at : at + DIGEST_BYTES] for at in range(0, len(digests), DIGEST_BYTES)]


def _common(cited: list[bytes], found: list[bytes]) -> int:
    return len(commonprefix((cited, found))) if cited else int(not found)  # noqa: RUF071 - lines are what is compared


_BLANK = _digest("")
