"""A document as the place that citations are read in: what it calls its own, and what it has named so far. Pure."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from .law_names import LawNames
from .named_places import NamedSections, Standing
from .place_keys import DIVISIONS

_DIVISION_NAME = re.compile(f"((?:[{DIVISIONS}][0-9-]+)*[{DIVISIONS}])[0-9-]+")


class CitingDocument:
    """Its lines come in order: the laws that they name are remembered, and `same`, which is what 同条 means (what the
    document is called, and the name inside it). `standing` is where the lines that come next stand.
    """

    def __init__(self, names: NamedSections, titles: Sequence[str]) -> None:
        """`titles` are what the document itself is called."""
        self.laws = LawNames(titles)
        self.names = names
        self.titles = frozenset(titles)
        self.standing = Standing()
        self.same: tuple[str | None, str] | None = None
        self._positions = {
            block: {name: position for position, name in enumerate(articles)}
            for block, articles in names.articles.items()
        }

    def enter(self, standing: Standing) -> None:
        """The lines that come next stand there."""
        self.standing = standing
        self.same = None
        self.laws.begin()

    def own_article(self, number: str, *, is_supplement: bool) -> str:
        """The name of an article that is cited without a law."""
        if is_supplement:
            return f"{self.standing.block or '附則1'}条{number}"
        name = f"条{number}"
        # Some supplementary provisions go on with the numbers of the main body.
        is_further = name not in self.names.known and self.standing.block + name in self.names.known
        return self.standing.block + name if is_further else name

    def neighbours(self, side: str, count: int) -> tuple[str, str] | None:
        """The first and the last of the articles before (前) or after (次) the one that the line stands in."""
        articles = self.names.articles.get(self.standing.block, [])
        positions = self._positions.get(self.standing.block, {})
        here = [positions[name] for name in self.standing.names if name in positions]
        if not here:
            return None
        first, last = (here[0] - count, here[0] - 1) if side == "前" else (here[-1] + 1, here[-1] + count)
        return (articles[first], articles[last]) if first >= 0 and last < len(articles) else None

    def near_division(self, side: str, kind: str) -> str | None:
        """The name of the chapter or the like before (前) or after (次) the one that the line stands in.

        After 第三章 that is 第三章の二, if there is one. What the document has not may be another chapter of its book.
        """
        here = re.match(f"(.*{kind})([0-9]+)[0-9-]*", self.standing.division)
        if here is None:
            return None
        before, after = self._near_divisions.get(here[0], ("", ""))
        number = int(here[2])
        return (before or f"{here[1]}{number - 1}") if side == "前" else (after or f"{here[1]}{number + 1}")

    @cached_property
    def _near_divisions(self) -> dict[str, tuple[str, str]]:
        """What stands before and after each chapter or the like inside the same one; empty if nothing does."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for place in self.names.places:
            if match := _DIVISION_NAME.fullmatch(place.name):
                found[match[1]].append(place.name)
        return {
            name: (before, after)
            for names in found.values()
            for before, name, after in zip(["", *names], names, [*names[1:], ""], strict=False)
        }

    @cached_property
    def branched(self) -> frozenset[str]:
        """What has a part with a branch: 様式2 of 様式2-3."""
        return frozenset(name.partition("-")[0] for name in self.names.known if "-" in name)

    def own_division(self, steps: list[tuple[str, str]]) -> str:
        """The name of a chapter or section by the way that is given, completed by where the line stands."""
        way = "".join(kind + number for kind, number in steps)
        above = re.findall(f"[{DIVISIONS}][0-9-]+", self.standing.division)
        while above:
            if (name := "".join(above) + way) in self.names.known:
                return name
            above.pop()
        return way
