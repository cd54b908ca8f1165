"""A document as the place that citations are read in: what it calls its own, and what it has named so far. Pure."""

import re
from collections.abc import Sequence

from .law_names import LawNames
from .named_places import NamedSections, Standing
from .place_keys import DIVISIONS


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

    def own_division(self, steps: list[tuple[str, str]]) -> str:
        """The name of a chapter or section by the way that is given, completed by where the line stands."""
        way = "".join(kind + number for kind, number in steps)
        above = re.findall(f"[{DIVISIONS}][0-9-]+", self.standing.division)
        while above:
            if (name := "".join(above) + way) in self.names.known:
                return name
            above.pop()
        return way
