"""What is looked for in place of terms that stand nowhere: another form of a word, a compound with a の inside, a word
that is spelt almost like it. A compound that few passages have is looked for with the の as well.
"""

from collections import Counter
from dataclasses import dataclass, field

from .compounds import find_parted
from .findings import Findings
from .index.postings import Index
from .question.terms import Term
from .slips import find_inflected, find_similar

FEW = 20
"""Passages: what more of them call so is hardly called otherwise elsewhere."""


@dataclass(frozen=True, slots=True)
class StandIns:
    """Each by the position of the term that it stands in for."""

    inflected: dict[int, Term] = field(default_factory=dict)
    parted: dict[int, Term] = field(default_factory=dict)
    similar: dict[int, Term] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.inflected or self.parted or self.similar)


def find_stand_ins(index: Index, findings: Findings, *, is_all: bool) -> StandIns:
    """What the scope has instead of the terms without a hit; `is_all` if these stand nowhere in it for sure."""
    others = StandIns()
    for position in _with_few_hits(findings):
        if other := find_parted(index, findings.terms[position], is_nowhere=True):
            others.parted[position] = other
    for position in findings.terms_without_hit():
        term = findings.terms[position]
        if other := find_inflected(index, term, is_nowhere=is_all):
            others.inflected[position] = other
        elif other := find_parted(index, term, is_nowhere=is_all):
            others.parted[position] = other
        elif other := find_similar(index, term, is_nowhere=is_all and index.is_whole):
            others.similar[position] = other
    return others


def _with_few_hits(findings: Findings) -> list[int]:
    """The positions of the terms that hardly a passage holds; none where some were left over."""
    if findings.matches_left:
        return []
    held = Counter(position for hit in findings.hits for position in hit.match.held)
    return [position for position, hits in held.items() if hits < FEW]
