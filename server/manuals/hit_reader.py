"""One hit of a search after the other, as its file is on disk now, and what is given of it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from morenashi.indexer.collections import display_name
from morenashi.indexer.files import Key
from morenashi.server.delivery.delivered import Delivered, root_of
from morenashi.server.errors import ToolError
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate
from morenashi.server.workspace import Workspace

from .excerpts import (
    OF_OTHERS,
    OF_THE_BEST,
    Excerpt,
    Had,
    Limits,
    Places,
    all_of_section,
    excerpt,
    is_bare,
    matching_lines,
    whole_section,
)
from .hit_files import HitFiles
from .hit_pieces import GIVEN_BEFORE, ONLY_REFERRED_TO, Piece, shorten
from .hit_titles import hit_titles
from .hits_asked import HitsAsked
from .named_parts import on_one_line
from .new_places import had_of, new_places

# Measured on 26 questions for everything about a subject (docs/decisions/0021): to give more of the sections whole
# leaves room for fewer, to give none loses what stands beside the lines that match.
_BEST = 3


class HitReader:
    """Reads the hits of a search when they are asked for: what the limits leave no room for need not be read."""

    def __init__(self, workspace: Workspace, call: HitsAsked, candidates: Sequence[Candidate]) -> None:
        self._workspace = workspace
        self._shelf = workspace.vault if call.tool == "vault_find" else workspace.manuals
        self._call = call
        self._candidates = candidates
        self._files = HitFiles(self._shelf)
        self._had_of: dict[Key, Delivered] = {}
        # Those that were passed over were given before: what was given with them is not given again. Where what the
        # client has had is known line by line, that decides: in an answer with less room there was less with them.
        passed_over = call.offset if call.only_new else 0
        known = candidates[passed_over:] if call.hits is None else [candidates[hit] for hit in dict.fromkeys(call.hits)]
        self._hits: defaultdict[Key, list[int]] = defaultdict(list)
        for candidate in known:
            self._hits[candidate.key].append(candidate.line)

    def gives_lines(self, hit: int) -> bool:
        """Whether of a hit the lines that match are given alone."""
        # Who names them wants all of them.
        is_best = self._call.hits is not None or hit < _BEST
        return self._call.scope == "snippet" or (self._call.scope == "sections" and not is_best)

    def has_no_lines(self, hit: int) -> bool:
        """Whether there is nothing to give of a hit but that others refer to it; of one that is named there is."""
        is_named = self._call.hits is not None
        return not is_named and self.gives_lines(hit) and self._candidates[hit].is_only_referred_to

    def named(self, hits: Sequence[int], beside: Sequence[Piece], most: int) -> list[Piece]:
        """Those of which there is nothing else to give by their titles: as many as there is room for beside others in
        `most` characters, in a quarter of the answer. None where lines alone are asked for.
        """
        if self._call.scope != "sections" or not hits:
            return []
        room = min(_room_beside(beside, most), self._call.max_chars // 4)
        # No name is shorter: of those that there is no room for the titles need not be looked up.
        first = hits[: max(room, 0) // len(ONLY_REFERRED_TO)]
        keys = [self._candidates[hit].section for hit in first]
        titles = self._shelf.ask(lambda index: hit_titles(index, keys))
        notes = [f"{ONLY_REFERRED_TO}: {on_one_line(titles.get(key, ''))}" for key in keys]
        named = [Piece(hit, self._candidates[hit], note=note) for hit, note in zip(first, notes, strict=True)]
        sizes = accumulate(len(piece.text) for piece in named)
        return [piece for piece, size in zip(named, sizes, strict=True) if size <= room]

    def piece(self, hit: int, most: int | None = None) -> Piece:
        """What is given of a hit; of one that is given in parts `most` characters, as many as usual if it is `None`."""
        candidate = self._candidates[hit]
        try:
            file = self._files.read(candidate)
        except ToolError as error:
            return Piece(hit, candidate, note=f"{error.code}; search again")
        return self._piece(hit, file, self._cut(hit, file, most))

    def with_more(self, pieces: Sequence[Piece], most: int) -> list[Piece]:
        """The same, with more of them, `most` characters together, the best first. Not of a heading alone above
        sections that were found: what else stands below it may be about something else, and would leave them no room.
        """
        room = _room_beside(pieces, most)
        longer = []
        for piece in pieces:
            may_grow = room > 0 and not _is_above(piece, pieces)
            whole = self._longer(piece, len(piece.text) + room) if may_grow else piece
            room -= len(whole.text) - len(piece.text)
            longer.append(whole)
        return longer

    def _longer(self, piece: Piece, most: int) -> Piece:
        """Of a hit in parts more that matches, of one of which the lines that match are given all of its section: the
        other lines say when that holds, and for whom.
        """
        if not piece.is_whole:
            return shorten(self.piece(piece.hit, most), most)
        if piece.file is None or not piece.places or self._call.scope != "sections":
            return piece
        whole = self._piece(piece.hit, piece.file, all_of_section(piece.file, piece.candidate, most))
        return whole if whole.places and whole.fits(most) and len(whole.text) > len(piece.text) else piece

    def _piece(self, hit: int, file: FileText, cut: Excerpt) -> Piece:
        candidate, had = self._candidates[hit], self._had(hit, file)
        places = cut.places if had is None else self._new(hit, file, cut.places, had)
        was_had = had is not None and candidate.line <= file.lines
        note = "" if places else _why_nothing(cut, was_had=was_had)
        return Piece(hit, candidate, file, places, cut.is_whole, note)

    def _cut(self, hit: int, file: FileText, most: int | None) -> Excerpt:
        candidate, had = self._candidates[hit], self._had(hit, file)
        if self._call.scope == "section":
            return whole_section(file, candidate)
        limits = (OF_OTHERS if self.gives_lines(hit) else OF_THE_BEST).within(self._call.max_chars, most)
        if self._call.hits is not None:
            limits = Limits.named(max(self._call.max_chars - len(Piece(hit, candidate).name), 1))
        if self.gives_lines(hit):
            return matching_lines(file, candidate, limits, had)
        return excerpt(file, candidate, self._hits[candidate.key], limits, had)

    def _new(self, hit: int, file: FileText, places: Places, had: Delivered) -> Places:
        """What of these places the reader has not had: of a line that was cut all of it again, as a rule."""
        left = new_places(file, places, replace(had, same_parts={}))
        # What is longer than an answer goes on where the last one was cut, also inside a line.
        is_long = not Piece(hit, self._candidates[hit], file, left, is_whole=False).fits(self._call.max_chars)
        return new_places(file, left, had) if is_long else left

    def _had(self, hit: int, file: FileText) -> Had:
        """Once a file: to compare it with what was delivered takes as long as it has lines."""
        if not self._call.only_new:
            return None
        key = self._candidates[hit].key
        if key not in self._had_of:
            self._had_of[key] = had_of(self._workspace.delivered, root_of(key[0]), display_name(key), file)
        return self._had_of[key]


def _room_beside(pieces: Sequence[Piece], most: int) -> int:
    return most - sum(len(piece.text) for piece in pieces)


def _is_above(piece: Piece, others: Sequence[Piece]) -> bool:
    """Whether a piece is of a heading alone, and others are of sections below it."""
    if piece.file is None or not is_bare(piece.file, piece.candidate.line):
        return False
    heading, file = piece.candidate, piece.file
    below = file.section(heading.line)
    found = (other.candidate for other in others if other.places and other.hit != piece.hit)
    lines = (candidate.line for candidate in found if candidate.key == heading.key and candidate.line <= file.lines)
    return any(below.start <= file.start_of(line) < below.end for line in lines)


def _why_nothing(cut: Excerpt, *, was_had: bool) -> str:
    """Why nothing is given of a hit."""
    if cut.with_line is not None:
        return f"given with line {cut.with_line}"
    return GIVEN_BEFORE if was_had else "the file has changed; search again"
