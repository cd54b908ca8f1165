"""Does a passage hold the terms, and on which line? Stages 0 and 1 on one text. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from morenashi.indexer.tokens import squeeze

from .question.near import Place, near_each_other
from .question.terms import Term, blank_separators

_NONE: frozenset[int] = frozenset()
_FIRST = frozenset({0})


class LineMatch(NamedTuple):
    """What stages 0 and 1 found in one passage.

    `line` and `column` (0-based, normalised) are of a line that holds most terms, the first of them until `on` moves
    it. `exact` and `loose` are the positions of the terms found as normalised, or only loosely; `places` has every
    line with the terms on it, `columns` where the first of them begins there, on a long line where most stand together.
    """

    line: int
    column: int
    matched_lines: int
    exact: frozenset[int]
    loose: frozenset[int]
    places: Sequence[tuple[int, Collection[int]]]
    columns: Sequence[int]

    @classmethod
    def near(cls, line: int) -> "LineMatch":
        """No term, but much of the question, most of it on this line."""
        return cls(line, 0, 0, _NONE, _NONE, (), ())

    @property
    def held(self) -> frozenset[int]:
        """The positions of the terms that were found in whatever way."""
        return self.exact | self.loose

    def lines_with_most(self) -> list[int]:
        """The lines that hold most terms."""
        most = max((len(terms) for _, terms in self.places), default=0)
        return [line for line, terms in self.places if len(terms) == most]

    def on(self, line: int) -> "LineMatch":
        """The same on another of its lines."""
        place = next(place for place, (own, _) in enumerate(self.places) if own == line)
        return self._replace(line=line, column=self.columns[place])


# A line of JSON may be the whole file. What stands further apart than a snippet is long does not stand together.
_LONG, _FURTHEST = 200, 1_200

_Hit = tuple[int, int]
"""Where a term starts in a text, and which term it is."""


class _LookedFor(NamedTuple):
    """A term, and what finds it. `is_whole`: its pattern finds whatever its exact spellings do."""

    position: int
    exact: tuple[str, ...]
    bounded: re.Pattern[str] | None
    pattern: re.Pattern[str] | None
    is_whole: bool
    may_overlap: bool

    @classmethod
    def of(cls, term: Term, position: int) -> "_LookedFor":
        is_whole = all(len(squeeze(spelling)) > 1 for spelling in term.exact)
        return cls(position, term.exact, term.as_bounded(), term.pattern(), is_whole, _may_overlap(term))


class _LookedForNear(NamedTuple):
    """A term that asks for others near each other, and what finds these on each side."""

    position: int
    sides: Sequence[Sequence[re.Pattern[str]]]

    @classmethod
    def of(cls, term: Term, position: int) -> "_LookedForNear":
        return cls(position, [[one for part in side for one in _patterns_of(part)] for side in term.sides])

    def find(self, text: str, steppable: str) -> list[_Hit]:
        """Where in a text what stands near each other begins."""
        places: list[Place] = []
        for side, patterns in enumerate(self.sides):
            found = {start for pattern in patterns for start in _starts(pattern, text, steppable)}
            if not found:
                return []
            places += (Place(start, side) for start in found)
        return [(start, self.position) for start in near_each_other(text, places, len(self.sides))]


class TermMatcher:
    """Matches the terms of one question against passage texts."""

    def __init__(self, terms: tuple[Term, ...], counted: int) -> None:
        """Lines are counted as matched if they hold one of the first `counted` terms."""
        self.terms = terms
        self._counted = counted
        numbered = list(enumerate(terms))
        self._looked_for = [_LookedFor.of(term, position) for position, term in numbered if not term.sides]
        self._looked_for_near = [_LookedForNear.of(term, position) for position, term in numbered if term.sides]

    def match(self, text: str) -> LineMatch | None:
        """The match of a normalised text, or `None` if it holds no term."""
        exact: list[_Hit] = []
        loose: list[_Hit] = []
        steppable = blank_separators(text)
        find = text.find
        for position, spellings, bounded, pattern, is_whole, may_overlap in self._looked_for:
            anyhow = () if pattern is None else pattern.findall(steppable)
            if is_whole and not anyhow:
                continue
            known = len(exact)
            for spelling in spellings:
                start = find(spelling)
                while start >= 0:
                    exact.append((start, position))
                    start = find(spelling, start + len(spelling))
            if bounded is not None:
                exact += ((match.start(), position) for match in bounded.finditer(text))
            # Mostly the pattern has found nothing else, and counting is cheaper than looking where.
            if pattern is not None and (may_overlap or len(anyhow) != len(exact) - known):
                hits = ((start, position) for start in _starts(pattern, text, steppable))
                loose += set(hits).difference(exact[known:])
        for near in self._looked_for_near:
            exact += near.find(text, steppable)
        if not exact and not loose:
            return None
        if len(exact) == 1 and not loose and len(self.terms) == 1:
            first = exact[0][0]
            line = text.count("\n", 0, first)
            column = _column(text, first)
            return LineMatch(line, column, 1, _FIRST, _NONE, ((line, _FIRST),), (column,))
        return self._integrate_lines(text, exact, loose)

    def _integrate_lines(self, text: str, exact: list[_Hit], loose: list[_Hit]) -> LineMatch:
        """The lines of the hits, and which of them holds most terms."""
        places: list[tuple[int, set[int]]] = []
        firsts: list[int] = []
        hits = sorted(exact + loose)
        line = counted = 0
        for position, (start, term) in enumerate(hits):
            breaks = text.count("\n", counted, start)
            counted = start
            if breaks or not places:
                line += breaks
                places.append((line, {term}))
                firsts.append(position)
            else:
                places[-1][1].add(term)
        held = [len(terms) for _, terms in places]
        best = held.index(max(held))
        matched = sum([min(terms) < self._counted for _, terms in places])
        found, found_loosely = frozenset([term for _, term in exact]), frozenset([term for _, term in loose])
        runs = pairwise([*firsts, len(hits)])
        columns = [_column(text, _densest(hits, begin, end)) for begin, end in runs]
        return LineMatch(places[best][0], columns[best], matched, found, found_loosely, places, columns)


def _patterns_of(part: Term) -> Iterator[re.Pattern[str]]:
    """What finds a term beside others: a single character, too, of which its own pattern says nothing."""
    yield from filter(None, (part.pattern(), part.as_bounded()))
    yield from (re.compile(re.escape(spelling)) for spelling in part.exact if len(squeeze(spelling)) < 2)


def _densest(hits: Sequence[_Hit], begin: int, end: int) -> int:
    """Where of the hits on a line the first is; if they are far apart, the first of the fewest characters that hold
    most of the terms.
    """
    first = hits[begin][0]
    if hits[end - 1][0] - first <= _LONG:
        return first
    held: Counter[int] = Counter()
    left, together, most = begin, 0, (0, 0)
    for start, term in islice(hits, begin, end):
        together += not held[term]
        held[term] += 1
        while held[hits[left][1]] > 1 or start - hits[left][0] > _FURTHEST:
            held[hits[left][1]] -= 1
            together -= not held[hits[left][1]]
            left += 1
        if (found := (together, hits[left][0] - start)) > most:
            most, first = found, hits[left][0]
    return first


def _starts(pattern: re.Pattern[str], text: str, steppable: str) -> Iterator[int]:
    """Where a term starts, on whichever line it does. One that goes on below may overlap with one that starts there."""
    at = 0
    while match := pattern.search(steppable, at):
        yield match.start()
        below = text.find("\n", *match.span()) + 1
        at = below or match.end()


def _may_overlap(term: Term) -> bool:
    """Whether an occurrence of the term may begin inside another one: of 規規 in 規規規, 程度 in 規程度 for 規程."""
    squeezed = list(map(squeeze, (*term.spellings, *term.words)))
    firsts = {spelling[:1] for spelling in squeezed}
    rests = (s[at:] for s in squeezed for at in range(1, len(s)) if s[at] in firsts)
    return any(rest.startswith(s) or s.startswith(rest) for rest in rests for s in squeezed)


def _column(text: str, start: int) -> int:
    return start - (text.rfind("\n", 0, start) + 1)
