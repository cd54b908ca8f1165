"""Does a passage hold the terms, and on which line? Stages 0 and 1 on one text. Pure."""

import re
from typing import NamedTuple

from .query import Term


class LineMatch(NamedTuple):
    """What stages 0 and 1 found in one passage.

    `line` and `column` (0-based, normalised) are of the first line that holds most terms. `exact`
    and `loose` are the positions of the terms found as normalised, or only loosely.
    """

    line: int
    column: int
    matched_lines: int
    exact: frozenset[int]
    loose: frozenset[int]

    @classmethod
    def near(cls, line: int) -> "LineMatch":
        """No term, but much of the question, most of it on this line."""
        return cls(line, 0, 0, frozenset(), frozenset())


class TermMatcher:
    """Matches the terms of one question against passage texts."""

    def __init__(self, terms: tuple[Term, ...], counted: int) -> None:
        """Lines are counted as matched if they hold one of the first `counted` terms."""
        self.terms = terms
        self._counted = counted
        self._spellings = [(position, spelling) for position, term in enumerate(terms) for spelling in term.exact]
        self._patterns: dict[int, re.Pattern[str] | None] = {}

    def match(self, text: str) -> LineMatch | None:
        """The match of a normalised text, or `None` if it holds no term."""
        exact = self._match_normalised(text)
        loose = self._match_loosely(text).difference(exact)
        if len(exact) == 1 and not loose and len(self.terms) == 1:
            first = exact[0][0]
            return LineMatch(text.count("\n", 0, first), _column(text, first), 1, _FIRST, _NONE)
        if not exact and not loose:
            return None
        return self._integrate_lines(text, exact, loose)

    def _match_normalised(self, text: str) -> list[tuple[int, int]]:
        """Stage 0: (start, term) of every hit of each notation."""
        hits = []
        for position, spelling in self._spellings:
            start = text.find(spelling)
            while start >= 0:
                hits.append((start, position))
                start = text.find(spelling, start + len(spelling))
        return hits

    def _match_loosely(self, text: str) -> set[tuple[int, int]]:
        """Stage 1: (start, term) of hits through separators, in other spellings, of synonyms; also plain ones."""
        return {
            (match.start(), position)
            for position in range(len(self.terms))
            if (pattern := self._pattern(position))
            for match in pattern.finditer(text)
        }

    def _integrate_lines(self, text: str, exact: list[tuple[int, int]], loose: set[tuple[int, int]]) -> LineMatch:
        """The lines of the hits, and which of them holds most terms."""
        terms_on_line: dict[int, set[int]] = {}
        starts: dict[int, int] = {}
        line = counted = 0
        for start, term in sorted({*exact, *loose}):
            line += text.count("\n", counted, start)
            counted = start
            starts.setdefault(line, start)
            terms_on_line.setdefault(line, set()).add(term)
        best = max(terms_on_line, key=lambda line: (len(terms_on_line[line]), -line))
        matched = sum(min(terms) < self._counted for terms in terms_on_line.values())
        found, found_loosely = (frozenset(term for _, term in hits) for hits in (exact, loose))
        return LineMatch(best, _column(text, starts[best]), matched, found, found_loosely)

    def _pattern(self, position: int) -> re.Pattern[str] | None:
        if position not in self._patterns:
            self._patterns[position] = self.terms[position].pattern()
        return self._patterns[position]


_NONE: frozenset[int] = frozenset()
_FIRST = frozenset({0})


def _column(text: str, start: int) -> int:
    return start - (text.rfind("\n", 0, start) + 1)
