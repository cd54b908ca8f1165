"""What stages 0 and 1 of a search found, and what they left over (seed 004 §3)."""

from collections import Counter
from collections.abc import Container, Set
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .cited_places import CitedPlace
from .index.passages import StoredPassage
from .matching import LineMatch
from .question.terms import Term

_MOST_NAMED = 3

CutBy = Literal["time_budget", "candidate_cap", "hard_limit"]


class PassageHit(NamedTuple):
    """A passage that holds a term, with its score; positions of terms refer to `Findings.terms`."""

    passage: StoredPassage
    match: LineMatch
    score: float


@dataclass(slots=True)
class Findings:
    """What stages 0 and 1 know.

    `left` are the ids of passages that were not examined: the first `matches_left` may hold a term, the
    others are near misses. `coverage` is the share (0..1) of the question that the best passages cover,
    `share_in_terms` that which its terms are: the rest are verbs, and what stands nowhere. `rarities` are the terms'
    idf, in their order. `slips` has the positions of terms that stand nowhere, with those of the similar ones that were
    looked for instead; `inflected` has those of words that stand in other forms alone, with those of these forms or of
    what they share. `cited` are the sections that the question cites. Of a search that takes up a rest, `delivered` are
    the passages outside of that which were found though they hold no term.
    """

    terms: tuple[Term, ...]
    hits: list[PassageHit] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    matches_left: int = 0
    cut_by: CutBy | None = None
    nothing_known: bool = False
    coverage: float = 0.0
    share_in_terms: float = 1.0
    rarities: tuple[float, ...] = ()
    slips: dict[int, int] = field(default_factory=dict)
    inflected: dict[int, int] = field(default_factory=dict)
    cited: dict[int, CitedPlace] = field(default_factory=dict)
    delivered: Set[int] = frozenset()

    def terms_without_hit(self) -> list[int]:
        """The positions of terms that no hit holds."""
        held = {position for hit in self.hits for position in hit.match.held}
        return [position for position in range(len(self.terms)) if position not in held]

    def places_of(self, texts: Container[str]) -> frozenset[int]:
        """The positions of the terms with these texts."""
        return frozenset(position for position, term in enumerate(self.terms) if term.text in texts)

    def commonest(self, asked: int) -> list[str]:
        """Those of the first so many terms that a third of the hits hold, the commonest first: what fills a cap. None
        where there is but one.
        """
        if asked < 2:
            return []
        held = Counter(position for hit in self.hits for position in hit.match.held if position < asked)
        return [
            self.terms[position].text for position, hits in held.most_common(_MOST_NAMED) if 3 * hits >= len(self.hits)
        ]

    def matches(self) -> int:
        """How many passages hold a term. Those left over count: how rare a term is must not depend on the budget."""
        return sum(bool(hit.match.matched_lines) for hit in self.hits) + self.matches_left

    def are_not_left(self, passages: Container[int]) -> None:
        """These were examined after all. If no others were left over, nothing was cut."""
        self.matches_left -= sum(passage in passages for passage in self.left[: self.matches_left])
        self.left = [passage for passage in self.left if passage not in passages]
        self.cut_by = self.cut_by if self.left else None

    def take_near_misses(self, near: list[PassageHit], most: int) -> None:
        """Take as many as a candidate cap allows beside a match; the others are left over, too."""
        taken = most - min(len(self.hits), 1)
        self.hits += near[:taken]
        if len(near) > taken:
            self.left += [hit.passage.id for hit in near[taken:]]
            self.cut_by = self.cut_by or "candidate_cap"
