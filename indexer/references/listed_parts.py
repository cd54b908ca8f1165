"""Chapters and supplementary provisions that a table of contents lists, among those that are lines. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

_PART = re.compile(r"(?:\*\*|__)?(?:第[^条編章節款目]{1,20}([編章節款目条])|[ \u3000\t]*(附)[ \u3000\t]*則)")
_CONTENTS = re.compile(r"[\s*_#【〔\[]*目\s*次[\s*_】〕\]]*$")
_RANKS = "別附編章節款目条"
# Forms are often no more than their line, and no article is.
_NEVER_LISTED = frozenset((_RANKS.index("別"), _RANKS.index("条")))


def listed_parts(lines: Sequence[str], begins: Sequence[int]) -> dict[int, int]:
    """The lines (indexes) that only list a part, with the length of what they begin with: those of `begins` below which
    nothing stands but parts of the same rank or a higher one, or what is listed itself; and what these list further in.

    At the end of the lines that is said of none, unless the lines are headed 目次: what they begin may go on below the
    next heading.
    """
    has_contents = any(map(_CONTENTS.match, lines[: begins[0]])) if begins else False
    listed: dict[int, int] = {}
    for begin, following in reversed(list(pairwise([*begins, len(lines)]))):
        rank = _rank(lines[begin])
        below = [index for index in range(begin, following) if lines[index].strip()]
        labels = {index: label for index in below if (label := _length_of_label(lines[index]))}
        if rank in _NEVER_LISTED or len(labels) < len(below):
            continue
        is_last = following == len(lines)
        if has_contents if is_last else following in listed or _rank(lines[following]) <= rank:
            listed |= labels
    return listed


def _rank(line: str) -> int:
    """How high a part stands: an appendix or a form above 附則, that above 編, and so on down to an article."""
    match = _PART.match(line)
    return _RANKS.index(match[1] or match[2]) if match else 0


def _length_of_label(line: str) -> int:
    """How much of a line, blanks before it included, is the number of the part that it lists; 0 if it lists none."""
    blanks = len(line) - len(line.lstrip())
    match = None if "。" in line else _PART.match(line, blanks)
    return match.end() if match else 0
