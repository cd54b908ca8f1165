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

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self.terms = terms
        self._spellings = [(position, spelling) for position, term in enumerate(terms) for spelling in term.exact]
        self._patterns: dict[int, re.Pattern[str] | None] = {}

    def match(self, text: str) -> LineMatch | None:
        """The match of a normalised text, or `None` if it holds no term."""
        exact = self._match_normalised(text)
        if exact and len(self._spellings) == 1:
            first = exact[0][0]
            return LineMatch(text.count("\n", 0, first), _column(text, first), len(exact), _FIRST, _NONE)
        found = frozenset(position for _, position in exact)
        loose = self._match_loosely(text, found) if len(found) < len(self.terms) else []
        if not exact and not loose:
            return None
        return _integrate_lines(text, exact + loose, found, frozenset(position for _, position in loose))

    def _match_normalised(self, text: str) -> list[tuple[int, int]]:
        """Stage 0: (start, term) of the first hit of each notation on each line."""
        hits = []
        for position, spelling in self._spellings:
            start = text.find(spelling)
            while start >= 0:
                hits.append((start, position))
                next_line = text.find("\n", start)
                start = text.find(spelling, next_line) if next_line >= 0 else -1
        return hits

    def _match_loosely(self, text: str, found: frozenset[int]) -> list[tuple[int, int]]:
        """Stage 1: through separators, in other spellings and synonyms, for terms stage 0 did not find."""
        hits = []
        for position in range(len(self.terms)):
            if position not in found and (pattern := self._pattern(position)):
                hits += [(match.start(), position) for match in pattern.finditer(text)]
        return hits

    def _pattern(self, position: int) -> re.Pattern[str] | None:
        if position not in self._patterns:
            self._patterns[position] = self.terms[position].pattern()
        return self._patterns[position]


_NONE: frozenset[int] = frozenset()
_FIRST = frozenset({0})


def _integrate_lines(text: str, hits: list[tuple[int, int]], exact: frozenset[int], loose: frozenset[int]) -> LineMatch:
    """The lines of the hits, and which of them holds most terms."""
    terms_on_line: dict[int, set[int]] = {}
    starts: dict[int, int] = {}
    line = counted = 0
    for start, term in sorted(hits):
        line += text.count("\n", counted, start)
        counted = start
        starts.setdefault(line, start)
        terms_on_line.setdefault(line, set()).add(term)
    best = max(terms_on_line, key=lambda line: (len(terms_on_line[line]), -line))
    return LineMatch(best, _column(text, starts[best]), len(terms_on_line), exact, loose)


def _column(text: str, start: int) -> int:
    return start - (text.rfind("\n", 0, start) + 1)
