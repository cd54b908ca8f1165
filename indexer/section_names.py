"""What the places of a document are called: 第二十八条第二項, 別表第一, chapter 4, #anchor. Pure.

Names are short keys, the same for every notation:

    条28-2          article 28 of the main body, branch 2; 条28-2項3 its third paragraph
    附則2条1        article 1 of the second block of supplementary provisions; 附則2 the block
    章2節1, 編1章2  chapters by their way from the top
    別表1, 様式3-2  appendices and forms; 付録b where they have letters
    section 3.2     numbered headings in English; also chapter 4, appendix b
    ~slug           anchors and headings by their letters and digits alone, as no two slug rules agree
    (empty)         the document, from its title on
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .listed_parts import listed_parts
from .markdown import LOWEST_LEVEL, Section
from .numerals import KANJI_NUMERALS, parse_number
from .text import normalise

NUMBER = f"[0-9０-９{KANJI_NUMERALS}]+"
ARTICLE = rf"第 ?({NUMBER}) ?条((?:の{NUMBER})*)"
DIVISIONS = "編章節款目"
APPENDICES = "別表|別紙|別添|別図|付表|付録|附録"
ENGLISH_DIVISIONS = "chapter|section|appendix|annex|part|article|schedule|exhibit"

_MOST_JOINED = 500
_ARTICLE_HEADING = re.compile(ARTICLE)
_JOINED = re.compile(rf"(?:(から)|及び|並びに|、|,| )+{ARTICLE}")
DIVISION_HEADING = re.compile(rf"第 ?({NUMBER}) ?([{DIVISIONS}])((?:の{NUMBER})*)")
_SUPPLEMENT_HEADING = re.compile("附 ?則")
# Articles and supplementary provisions that are lines and no headings: 第３条（届出）　…, **第3条** …. In contracts the
# text follows the caption at once, 第３条（届出）受注者は…; where it cites an article, what follows joins the two.
_CAPTION_IN_LINE = "[（(][^（）()]{1,60}[）)]"
_TEXT_AT_ONCE = r"[こそ]の|[^\W\d_ぁ-ん第又及並若]"
_ARTICLE_LINE = re.compile(
    rf"(?:\*\*|__)?{ARTICLE}(?=(?:\*\*|__)?"
    rf"(?:[ \u3000\t]|$| ?{_CAPTION_IN_LINE}(?:\*\*|__)?(?:[ \u3000\t]|$|{_TEXT_AT_ONCE})))"
)
_SUPPLEMENT_LINE = re.compile("[ \u3000\t]*附[ \u3000\t]*則[ \u3000\t]*$")
# Likewise chapters, appendices and forms, each alone on its line: 第2章　採用, 別表第1（第5条関係）.
_DIVISION_LINE = re.compile(
    rf"(?:\*\*|__)?第[ \u3000]?{NUMBER}[ \u3000]?[{DIVISIONS}](?:の{NUMBER})*(?:[ \u3000\t*_][^。]{{0,60}})?$"
)
_BACK_MATTER_LINE = re.compile(
    rf"(?:\*\*|__)?(?:{APPENDICES}|(?:別記[ \u3000]?)?様式|第{NUMBER}号様式)"
    rf"(?:[ \u3000]?第?{NUMBER}号?(?:の{NUMBER})*|[ \u3000]?[A-Za-zＡ-Ｚ](?![A-Za-zＡ-Ｚ]))?[.．:：]?"
    r"(?:[ \u3000\t*_（(][^。]{0,60})?$"
)
_BACK_MATTER_STARTS = ("別", "付", "附", "様", "**別", "**付", "**附", "**様")
_EMPHASIS = re.compile(r"\*+|__")
_APPENDIX_HEADING = re.compile(rf"({APPENDICES}) ?(?:第? ?({NUMBER})((?:の{NUMBER})*)|([a-z])(?![a-z]))?")
_FORM_HEADING = re.compile(rf"(?:別記 ?)?(?:様式 ?第? ?({NUMBER})?|第 ?({NUMBER}) ?号様式)号?((?:の{NUMBER})*)")
_ENGLISH_HEADING = re.compile(
    rf"(?:({ENGLISH_DIVISIONS}) +([0-9]+(?:\.[0-9]+)*|[a-z])\b"
    r"|([0-9]+(?:\.[0-9]+)+)(?=[.:) ]|$)|([0-9]+|[a-z])[.:)])"
)
# Headings of a text without markup, each alone between blank lines: 3.2.  GOAWAY, 2.1.　SFTP. Not those of a table of
# contents, which end with a page after dots.
_NUMBERED_LINE = re.compile(
    r" {0,3}([0-9]{1,3}(?:\.[0-9]{1,3}){0,5})\.?[ \u3000\t]{1,8}[^\s.,。、](?![^\n]{0,90}\. ?\.)[^。\n]{0,90}$"
)
_PARAGRAPH = re.compile(r"(?:([0-9０-９]{1,3})(?:[.．][ 　\t]|[ 　\t])|([①-⑳㉑-㉟㊱-㊿]))")
_HEADING_CAPTION = re.compile(r" ?\((.+)\)$")
_CAPTION = re.compile(r"[（(].*[)）]\s*$")
_HTML_ANCHOR = re.compile(r"<[a-zA-Z][a-zA-Z0-9]{0,9}\s[^<>]{0,200}?(?<=\s)(?:id|name)\s*=\s*[\"']?([^\"'<>\s]{1,200})")
# What a heading shows of a code span, of a wiki link, of a link by its destination or by its label; of a tag nothing.
# `arr[i][j]` is no link, and what a backslash goes before is no tag.
_TITLE_MARKUP = re.compile(
    r"`([^`]{1,300})`|\[\[(?:[^\[\]|]{0,200}\|)?([^\[\]|]{0,200})\]\]|!?\[([^\[\]]{0,300})\]\([^()]{0,500}\)"
    r"|(?<![\w\]])\[([^\[\]]{1,300})\]\[[^\[\]]{1,300}\]|(?<!\\)</?[a-zA-Z!][^<>]{0,300}>"
)
_IN_ANGLES = re.compile(r"<[^<>]{0,300}>")
_NO_LETTERS = re.compile(r"[\W_]+")


class NamedPlace(NamedTuple):
    """A name with its place: a position in the list of sections, and a line (1-based).

    `article` counts the articles of the document from 0; `None` for other names.
    """

    name: str
    section: int
    line: int
    article: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a section stands: what 前条, 次章 and the like count from.

    `block` is empty in the main body, 附則N in the supplementary provisions. `names` are those of the section or the
    one around it: of its article, several for a joint heading, of its appendix or form. `is_named`: its own.
    """

    block: str = ""
    names: tuple[str, ...] = ()
    division: str = ""
    is_named: bool = False


@dataclass(slots=True)
class NamedSections:
    """All names of a document: `known`, and with their places. `articles` are those of each block, in order; `captions`
    stand behind them in brackets.

    `inside` has the lines inside sections from which on text stands elsewhere, with the length of the number that they
    begin with: articles without headings. `amending_blocks` are supplementary provisions that an amending law brought.
    """

    known: set[str] = field(default_factory=set)
    places: list[NamedPlace] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    inside: dict[int, tuple[Standing, int]] = field(default_factory=dict)
    articles: dict[str, list[str]] = field(default_factory=dict)
    captions: dict[str, str] = field(default_factory=dict)
    amending_blocks: set[str] = field(default_factory=set)


def name_sections(lines: Sequence[str], sections: Sequence[Section]) -> NamedSections:
    """Name the sections of a Markdown document. `lines` are as in the file.

    A name that occurs twice means its first place; a bare number that does means none. Lines that begin as articles do
    are articles where no heading is one.
    """
    namer = _Namer(lines, has_headings=any(_ARTICLE_HEADING.match(plain_title(section.title)) for section in sections))
    for position, section in enumerate(sections):
        namer.take(position, section)
    return namer.finish(sections)


def anchor_key(anchor: str) -> str:
    """The name of an anchor or of a heading's text.

    >>> anchor_key("Using-`v-for`") == anchor_key("using-v-for")
    True
    """
    return "~" + _NO_LETTERS.sub("", normalise(anchor))


def back_matter_name(title: str) -> str:
    """The name of the appendix or form that a heading begins, 別表1 or 様式3; empty if it begins none."""
    if form := _FORM_HEADING.match(title):
        number = form[1] or form[2]
        return "様式" + (branched(number, form[3]) if number else "")
    if appendix := _APPENDIX_HEADING.match(title):
        return appendix[1] + (branched(appendix[2], appendix[3]) if appendix[2] else appendix[4] or "")
    return ""


def plain_title(title: str) -> str:
    """A normalised title without emphasis: of **第2章　採用**, what it says."""
    return _EMPHASIS.sub("", normalise(title)).strip()


@lru_cache(4096)
def branched(number: str, branches: str | None) -> str:
    """A number with its branches, as names have it; empty if it is none.

    >>> branched("三十五", "の二の3")
    '35-2-3'
    """
    values = [parse_number(part) for part in (number, *(branches or "").split("の")[1:])]
    return "" if None in values else "-".join(map(str, values))


class _Namer:
    """Takes the sections in order, and gives their names at the end: some are only told when all are known."""

    def __init__(self, lines: Sequence[str], *, has_headings: bool) -> None:
        self._lines = lines
        self._has_headings = has_headings
        self._found = NamedSections()
        self._slugs: Counter[str] = Counter()
        self._division: dict[str, str] = {}
        self._block = ""
        self._block_level = 0
        self._blocks = 0
        self._article = 0
        self._slug_places: list[NamedPlace] = []
        self._short_places: list[NamedPlace] = []
        self._bare: dict[str, list[NamedPlace]] = {}
        self._english_numbers: dict[int, str] = {}

    def take(self, position: int, section: Section) -> None:
        title = plain_title(section.title)
        names: tuple[str, ...] = ()
        parent = self._found.standings[section.parent] if section.parent is not None else None
        if self._block and section.level <= self._block_level:
            self._block = ""
        if title.startswith("第"):
            names = self._take_article(title, position, section)
            if not names:
                names = self._take_back_matter(title, position, section.start_line)
            if not names:
                self._take_division(title, position, section.start_line)
        elif title[:1] == "附" and _SUPPLEMENT_HEADING.match(title):
            self._take_supplement(title, position, section.start_line, section.level)
            self._take_paragraphs(self._block, position, section.start_line + 1, _own_end(section, self._lines))
        elif title[:1] in ("別", "付", "附", "様"):
            line = section.start_line
            names = self._take_back_matter(title, position, line)
        elif title.isascii() or title[:1].isascii():
            self._take_english(title, position, section)
        is_named = bool(names)
        if not names and parent is not None and parent.block == self._block:
            names = parent.names
        self._found.standings.append(self._standing(names, is_named=is_named))
        if not names and not self._has_headings:
            self._take_lines(position, section)
        if section.level:
            self._take_slug(position, section)

    def finish(self, sections: Sequence[Section]) -> NamedSections:
        self._take_html_anchors(sections)
        if sections and all(section.level < 2 for section in sections):
            self._take_numbered_lines(sections)
        for places in self._bare.values():
            if len(places) == 1:
                self._add(*places[0][:3])
        for place in (*self._slug_places, *self._short_places):
            self._add(*place[:3])
        if sections:
            whole = _first_to_read(sections)
            self._add("", whole, sections[whole].start_line)
        return self._found

    def _standing(self, names: tuple[str, ...], *, is_named: bool = False) -> Standing:
        return Standing(self._block, names, "".join(self._division.values()), is_named)

    def _add(self, name: str, section: int, line: int, article: int | None = None) -> bool:
        if name in self._found.known:
            return False
        self._found.known.add(name)
        self._found.places.append(NamedPlace(name, section, line, article))
        return True

    def _add_article(self, name: str, section: int, line: int) -> bool:
        is_new = self._add(name, section, line, self._article)
        self._article += is_new
        return is_new

    def _take_article(self, title: str, position: int, section: Section) -> tuple[str, ...]:
        match = _ARTICLE_HEADING.match(title)
        number = branched(match[1], match[2]) if match else ""
        if match is None or not number:
            return ()
        numbers = [number]
        joined = _JOINED.match(title, match.end())
        while joined and len(numbers) < _MOST_JOINED:
            numbers += _joined_numbers(numbers[-1], branched(joined[2], joined[3]), is_range=bool(joined[1]))
            joined = _JOINED.match(title, joined.end())
        order = self._found.articles.setdefault(self._block, [])
        names = tuple(
            name
            for number in numbers
            if self._add_article(name := f"{self._block}条{number}", position, section.start_line)
        )
        order += names
        if len(names) == 1:
            self._take_paragraphs(names[0], position, section.start_line + 1, _own_end(section, self._lines))
            if caption := _HEADING_CAPTION.match(title, match.end()):
                self._found.captions[names[0]] = caption[1]
        return names or (f"{self._block}条{number}",)

    def _take_lines(self, position: int, section: Section) -> None:
        """What begins on lines of a section and has no headings: articles, chapters, supplements, appendices."""
        end = _own_end(section, self._lines)
        begins = [line for line in range(section.start_line, end + 1) if _begins_part(self._lines[line - 1])]
        first = section.start_line
        listed = listed_parts(self._lines[first - 1 : end], [line - first for line in begins])
        self._found.inside |= {first + index: (self._standing(()), label) for index, label in listed.items()}
        for line, following in pairwise([*begins, end + 1]):
            text = self._lines[line - 1]
            if line - first in listed:
                continue
            if _SUPPLEMENT_LINE.match(text):
                self._take_supplement("", position, line, section.level or LOWEST_LEVEL)
                self._take_paragraphs(self._block, position, line + 1, following - 1)
                self._found.inside[line] = self._standing(()), 0
            elif _DIVISION_LINE.match(text):
                self._take_division(plain_title(text), position, line)
                self._found.inside[line] = self._standing(()), 0
            elif _BACK_MATTER_LINE.match(text):
                title = plain_title(text)
                names = self._take_back_matter(title, position, line)
                self._found.inside[line] = self._standing(names), 0
            elif (match := _ARTICLE_LINE.match(text)) and (number := branched(match[1], match[2])):
                name = f"{self._block}条{number}"
                if self._add_article(name, position, line):
                    self._found.articles.setdefault(self._block, []).append(name)
                    self._add(f"{name}項1", position, line)
                    self._take_paragraphs(name, position, line + 1, following - 1, last=1)
                self._found.inside[line] = self._standing((name,)), match.end()

    def _take_paragraphs(self, article: str, position: int, first_line: int, last_line: int, last: int = 0) -> None:
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
                self._add(f"{article}項{number}", position, line)

    def _take_division(self, title: str, position: int, line: int) -> None:
        match = DIVISION_HEADING.match(title)
        number = branched(match[1], match[3]) if match else ""
        if match is None or not number:
            return
        above = DIVISIONS[: DIVISIONS.index(match[2])]
        self._division = {kind: name for kind, name in self._division.items() if kind in above}
        self._division[match[2]] = match[2] + number
        self._add(self._block + "".join(self._division.values()), position, line)

    def _take_supplement(self, title: str, position: int, line: int, level: int) -> None:
        self._blocks += 1
        self._block, self._block_level = f"附則{self._blocks}", level
        self._division = {}
        if re.search(rf"(法律|政令|省令|府令|規則|条例|令) ?第 ?{NUMBER} ?号", title):
            self._found.amending_blocks.add(self._block)
        self._add(self._block, position, line)

    def _take_back_matter(self, title: str, position: int, line: int) -> tuple[str, ...]:
        name = back_matter_name(title)
        if not name:
            return ()
        self._block, self._division = "", {}
        self._add(name, position, line)
        return (name,)

    def _take_english(self, title: str, position: int, section: Section) -> None:
        match = _ENGLISH_HEADING.match(title)
        if match is None:
            return
        if match[1]:
            self._add(f"{match[1]} {match[2]}", position, section.start_line)
            self._english_numbers[position] = match[2]
            return
        number = match[3] or match[4]
        above = self._english_numbers.get(section.parent) if section.parent is not None else None
        numbers = [f"{above}.{number}", number] if above and "." not in number else [number]
        self._english_numbers[position] = numbers[0]
        for name in (f"section {number}" for number in numbers):
            self._bare.setdefault(name, []).append(NamedPlace(name, position, section.start_line))

    def _take_numbered_lines(self, sections: Sequence[Section]) -> None:
        starts = [section.start_line for section in sections]
        for line, text in enumerate(self._lines, 1):
            if not (text[:5].lstrip(" ")[:1].isdigit() and (match := _NUMBERED_LINE.match(text))):
                continue
            if not any(map(str.strip, (*self._lines[max(line - 2, 0) : line - 1], *self._lines[line : line + 1]))):
                place = NamedPlace(f"section {match[1]}", max(bisect_right(starts, line) - 1, 0), line)
                self._bare.setdefault(place.name, []).append(place)

    def _take_slug(self, position: int, section: Section) -> None:
        if section.anchor:
            self._add(anchor_key(section.anchor), position, section.start_line)
        plain = _TITLE_MARKUP.sub(lambda match: match[match.lastindex] if match.lastindex else "", section.title)
        key = anchor_key(plain)
        if key == "~":
            return
        # As GitHub numbers headings of the same text: title, title-1, title-2.
        copies = self._slugs[key]
        self._slugs[key] += 1
        self._slug_places.append(NamedPlace(key + (str(copies) if copies else ""), position, section.start_line))
        # Who links to Map<Key> by hand may leave out what stands in the brackets.
        if (short := anchor_key(_IN_ANGLES.sub("", plain))) not in (key, "~"):
            self._short_places.append(NamedPlace(short, position, section.start_line))

    def _take_html_anchors(self, sections: Sequence[Section]) -> None:
        starts = [section.start_line for section in sections]
        for line, text in enumerate(self._lines, 1):
            if "<" not in text:
                continue
            for match in _HTML_ANCHOR.finditer(text):
                position = max(bisect_right(starts, line) - 1, 0)
                following = position + 1
                is_above = line not in starts[position : position + 1] and following < len(starts)
                if is_above and self._stands_above(line, starts[following]):
                    self._add(anchor_key(match[1]), following, starts[following])
                elif starts:
                    self._add(anchor_key(match[1]), position, max(line, starts[position]))

    def _stands_above(self, line: int, heading: int) -> bool:
        """Whether at most a blank line or two lie between an anchor and a heading."""
        return heading - line <= 3 and not any(map(str.strip, self._lines[line : heading - 1]))


def _begins_part(text: str) -> bool:
    """Whether a line begins an article, a chapter, an appendix or the supplementary provisions by itself."""
    if text.startswith(("第", "**第", "__第")):
        return bool(_ARTICLE_LINE.match(text) or _DIVISION_LINE.match(text) or _BACK_MATTER_LINE.match(text))
    if text.startswith(_BACK_MATTER_STARTS) and _BACK_MATTER_LINE.match(text):
        return True
    return "附" in text[:20] and _SUPPLEMENT_LINE.match(text) is not None


def _own_end(section: Section, lines: Sequence[str]) -> int:
    """The last line of a section's own text that there is."""
    return min(section.own_end_line, len(lines))


def _first_to_read(sections: Sequence[Section]) -> int:
    """The section that who is sent to the document should see: its title, not what stands before that."""
    return int(sections[0].level == 0 and len(sections) > 1 and sections[1].level == 1)


def _joined_numbers(first: str, last: str, *, is_range: bool) -> list[str]:
    """What a joint heading adds to its first number: 第三条から第五条まで, 第三条及び第四条."""
    if not last:
        return []
    if is_range and first.isdigit() and last.isdigit() and int(first) < int(last) <= int(first) + _MOST_JOINED:
        return [str(number) for number in range(int(first) + 1, int(last) + 1)]
    head, _, branch = first.rpartition("-")
    head_last, _, branch_last = last.rpartition("-")
    if is_range and head and head == head_last and int(branch) < int(branch_last) <= int(branch) + _MOST_JOINED:
        return [f"{head}-{number}" for number in range(int(branch) + 1, int(branch_last) + 1)]
    return [last]
