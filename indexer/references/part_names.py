"""Articles, paragraphs, chapters, supplementary provisions and appendices, named in the order they stand in. Pure."""

import re
from collections.abc import Sequence

from morenashi.indexer.markdown import Section
from morenashi.indexer.text import normalise

from .named_places import NamedSections, Standing
from .place_keys import DIVISION_HEADING, DIVISIONS, NUMBER, back_matter_name, branched

_AMENDING_LAW = re.compile(rf"(法律|政令|省令|府令|規則|条例|令) ?第 ?{NUMBER} ?号")
_PARAGRAPH = re.compile(r"(?:([0-9０-９]{1,3})(?:[.．][ 　\t]|[ 　\t])|([①-⑳㉑-㉟㊱-㊿]))")
_CAPTION = re.compile(r"[（(].*[)）]\s*$")


class PartNamer:
    """Is told of each part where it begins, and knows which block and which chapter that is in.

    `found` are the names so far. Positions are those of sections, lines are 1-based.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        """`lines` are as in the file."""
        self.found = NamedSections()
        self._lines = lines
        self._division: dict[str, str] = {}
        self._block = ""
        self._block_level = 0
        self._blocks = 0
        self._articles = 0

    def end_block(self, level: int) -> None:
        """A heading of this level begins: it ends supplementary provisions that do not stand above it."""
        if self._block and level <= self._block_level:
            self._block = ""

    def standing(self, names: tuple[str, ...] = (), *, is_named: bool = False) -> Standing:
        """Where the text that comes next stands, in the article or appendix of these names."""
        return Standing(self._block, names, "".join(self._division.values()), is_named)

    def last_line(self, section: Section) -> int:
        """The last line of a section's own text that there is."""
        return min(section.own_end_line, len(self._lines))

    def article_name(self, number: str) -> str:
        """The name of an article that begins here."""
        return f"{self._block}条{number}"

    def begin_article(self, name: str, position: int, line: int) -> bool:
        """Take an article; false if there is one of this name."""
        is_new = self.found.add(name, position, line, self._articles)
        if is_new:
            self._articles += 1
            self.found.articles.setdefault(self._block, []).append(name)
        return is_new

    def begin_division(self, title: str, position: int, line: int) -> None:
        """Take a chapter or section by its plain title, if that is one."""
        match = DIVISION_HEADING.match(title)
        number = branched(match[1], match[3]) if match else ""
        if match and number:
            self.begin_numbered_division(match[2], number, position, line)

    def begin_numbered_division(self, kind: str, number: str, position: int, line: int) -> None:
        """Take a chapter (章) or the like by its number."""
        above = DIVISIONS[: DIVISIONS.index(kind)]
        self._division = {division: name for division, name in self._division.items() if division in above}
        self._division[kind] = kind + number
        self.found.add(self._block + "".join(self._division.values()), position, line)

    def begin_supplement(self, title: str, level: int, position: int, line: int, last_line: int) -> None:
        """Take supplementary provisions, and their paragraphs up to `last_line`."""
        self._blocks += 1
        self._block, self._block_level = f"附則{self._blocks}", level
        self._division = {}
        if _AMENDING_LAW.search(title):
            self.found.amending_blocks.add(self._block)
        self.found.add(self._block, position, line)
        self.name_paragraphs(self._block, position, line + 1, last_line)

    def begin_back_matter(self, title: str, position: int, line: int) -> tuple[str, ...]:
        """Take an appendix or form by its plain title: its name; none if that is none."""
        name = back_matter_name(title)
        if not name:
            return ()
        self._block, self._division = "", {}
        self.found.add(name, position, line)
        return (name,)

    def name_paragraphs(self, part: str, position: int, first_line: int, last_line: int, last: int = 0) -> None:
        """Name the paragraphs on these lines that go on after the number `last`."""
        for line in range(first_line, last_line + 1):
            text = self._lines[line - 1]
            if not text or text[0] in "\n|-*<>" or text.isspace():
                continue
            match = _PARAGRAPH.match(text)
            if match:
                number = int(normalise(match[1] or match[2]))
            elif last == 0 and not _CAPTION.match(text) and not text[0].isspace():
                number = 1
            else:
                continue
            # Numbers that do not follow each other are something else: years, items.
            if number == last + 1 or (last == 0 and number == 2):
                last = number
                self.found.add(f"{part}項{number}", position, line)
