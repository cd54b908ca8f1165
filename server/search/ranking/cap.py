"""The candidate cap: which sections stay, and which fall out. Pure."""

from collections.abc import Collection, Container, Sequence
from typing import NamedTuple

from .candidates import Ranked


class Capped(NamedTuple):
    """The candidates that stay, the best first, and the others."""

    kept: list[Ranked]
    dropped: list[Ranked]


def cap(ranked: Sequence[Ranked], hits: Container[int], most: int, first: Collection[int]) -> Capped:
    """Keep the best `most`, a quarter of them those that the best sections refer to.

    Of the others, sections with a hit come first, so that a search that is taken up again gets on. `hits`
    holds their ids. Those that are to come `first` leave at least a tenth to all others.
    """
    kept = {section.section_id for section in [s for s in ranked if s.section_id in first][: most - most // 10]}
    referred = sorted((section for section in ranked if section.referred), key=lambda section: -section.referred)
    kept |= {section.section_id for section in referred[: min(most // 4, most - len(kept))]}
    by_hit = sorted(ranked, key=lambda section: (section.section_id in first, section.section_id not in hits))
    for section in by_hit:
        if len(kept) < most:
            kept.add(section.section_id)
    return Capped(
        [section for section in ranked if section.section_id in kept],
        [section for section in ranked if section.section_id not in kept],
    )
