"""Parts that begin on a line and have no heading: 第３条（届出）　…, 第2章　採用, 附則, 別表第1（第5条関係）. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

from morenashi.indexer.markdown import LOWEST_LEVEL, Section

from .listed_parts import listed_parts
from .part_names import PartNamer
from .place_keys import (
    APPENDICES,
    ARTICLE,
    BRANCHES,
    DIVISION_NUMBER,
    DIVISIONS,
    LETTER,
    NO_ONE,
    NUMBER,
    NUMBER_BRANCHES,
    branched,
    plain_title,
)

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
    rf"(?:\*\*|__)?第[ \u3000]?{DIVISION_NUMBER}[ \u3000]?[{DIVISIONS}]{NUMBER_BRANCHES}"
    r"(?:[ \u3000\t*_][^。]{0,60})?$"
)
_BACK_MATTER_LINE = re.compile(
    rf"(?:\*\*|__)?(?:{APPENDICES}|(?:別[記紙添][ \u3000]?)?様式|第{NUMBER}号様式){NO_ONE}"
    rf"(?:[ \u3000]?第?{NUMBER}号?{BRANCHES}|[ \u3000]?{LETTER})?[.．:：]?"
    r"(?:[ \u3000\t*_（(][^。]{0,60})?$"
)
_BACK_MATTER_STARTS = ("別", "付", "附", "様", "**別", "**付", "**附", "**様")


def name_part_lines(namer: PartNamer, lines: Sequence[str], position: int, section: Section) -> None:
    """What begins on lines of a section and has no headings: articles, chapters, supplements, appendices."""
    first, last = section.start_line, namer.last_line(section)
    found = namer.found
    begins = [line for line in range(first, last + 1) if _begins_part(lines[line - 1])]
    listed = listed_parts(lines[first - 1 : last], [line - first for line in begins])
    found.inside |= {first + index: (namer.standing(), label) for index, label in listed.items()}
    for line, following in pairwise([*begins, last + 1]):
        text = lines[line - 1]
        if line - first in listed:
            continue
        if _SUPPLEMENT_LINE.match(text):
            namer.begin_supplement("", section.level or LOWEST_LEVEL, position, line, following - 1)
            found.inside[line] = namer.standing(), 0
        elif _DIVISION_LINE.match(text):
            namer.begin_division(plain_title(text), position, line)
            found.inside[line] = namer.standing(), 0
        elif _BACK_MATTER_LINE.match(text):
            names = namer.begin_back_matter(plain_title(text), position, line)
            found.inside[line] = namer.standing(names), 0
        elif (match := _ARTICLE_LINE.match(text)) and (number := branched(match[1], match[2])):
            name = namer.article_name(number)
            if namer.begin_article(name, position, line):
                found.add(f"{name}項1", position, line)
                namer.name_paragraphs(name, position, line + 1, following - 1, last=1)
            found.inside[line] = namer.standing((name,)), match.end()


def _begins_part(text: str) -> bool:
    """Whether a line begins an article, a chapter, an appendix or the supplementary provisions by itself."""
    if text.startswith(("第", "**第", "__第")):
        return bool(_ARTICLE_LINE.match(text) or _DIVISION_LINE.match(text) or _BACK_MATTER_LINE.match(text))
    if text.startswith(_BACK_MATTER_STARTS) and _BACK_MATTER_LINE.match(text):
        return True
    return "附" in text[:20] and _SUPPLEMENT_LINE.match(text) is not None
