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
        self._patterns: dict[int, re.Pattern[str] | None] = {}

    def match(self, text: str) -> LineMatch | None:
        """The match of a normalised text, or `None` if it holds no term."""
        exact = self._match_normalised(text)
        found = {position for position, _ in exact}
        loose = self._match_loosely(text, found) if len(found) < len(self.terms) else []
        if not exact and not loose:
            return None
        terms_on_line: dict[int, set[int]] = {}
        columns: dict[int, int] = {}
        line = counted = 0
        for start, term in sorted((start, term) for term, start in exact + loose):
            line += text.count("\n", counted, start)
            counted = start
            if line not in columns:
                columns[line] = start - (text.rfind("\n", 0, start) + 1)
                terms_on_line[line] = set()
            terms_on_line[line].add(term)
        best = max(terms_on_line, key=lambda line: (len(terms_on_line[line]), -line))
        return LineMatch(
            best,
            columns[best],
            len(terms_on_line),
            frozenset(found),
            frozenset(term for term, _ in loose),
        )

    def _match_normalised(self, text: str) -> list[tuple[int, int]]:
        """Stage 0: (term, start) of the first hit of each notation on each line."""
        hits = []
        for position, term in enumerate(self.terms):
            for spelling in term.exact:
                start = text.find(spelling)
                while start >= 0:
                    hits.append((position, start))
                    next_line = text.find("\n", start)
                    start = text.find(spelling, next_line) if next_line >= 0 else -1
        return hits

    def _match_loosely(self, text: str, found: set[int]) -> list[tuple[int, int]]:
        """Stage 1: through separators, in other spellings and synonyms, for terms stage 0 did not find."""
        hits = []
        for position in range(len(self.terms)):
            if position not in found and (pattern := self._pattern(position)):
                hits += [(position, match.start()) for match in pattern.finditer(text)]
        return hits

    def _pattern(self, position: int) -> re.Pattern[str] | None:
        if position not in self._patterns:
            self._patterns[position] = self.terms[position].pattern()
        return self._patterns[position]
