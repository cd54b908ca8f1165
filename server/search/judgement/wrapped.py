"""Sentences that go on from one line of a paragraph to the next, as in text that is wrapped at a width. Pure."""

import re
from collections.abc import Sequence

from .blocks import MARK

_MOST_LINES = 3
# A shorter line may end where its author ended it.
_SHORTEST_WRAPPED = 50
_JAPANESE = re.compile("[ぁ-んァ-ヶー一-鿿]")
_EMPHASIS = "*_"
# With these a sentence ends, or a value of JSON or of code; with a comma behind one of the latter, too.
_CLOSED = "\"'()"
_ENDS = f".。:;!?{_CLOSED}"
_END_OF_SENTENCE = re.compile(r"[.;。](?=[\"')*_ ]|\Z)")
# A row of a table, a heading.
_STANDS_ALONE = re.compile(r"^ ?[|#]| \| |\|\Z")
_BEGINS_ANEW = re.compile(rf"{MARK.pattern}| ?(?:[#>|]|'''|~~~)")


def unwrap(lines: Sequence[str], at: int) -> str:
    """A line with the beginning of its first sentence and the end of its last, if those stand on other lines."""
    first = last = at
    earliest, latest = max(at - _MOST_LINES, 0), min(at + _MOST_LINES, len(lines) - 1)
    while first > earliest and _goes_on(lines[first - 1], lines[first]):
        first -= 1
    while last < latest and _goes_on(lines[last], lines[last + 1]):
        last += 1
    if first == last:
        return lines[at]
    begun = _END_OF_SENTENCE.split(_join(lines[first:at]))[-1].lstrip()
    rest = _join(lines[at + 1 : last + 1])
    end = _END_OF_SENTENCE.search(rest)
    return _join([part for part in (begun, lines[at], rest[: end.end()] if end else rest) if part])


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence goes on from a line to the next."""
    if not _ends_inside(line) or not following.strip():
        return False
    return not (_BEGINS_ANEW.match(following) or _STANDS_ALONE.search(line))


def _ends_inside(line: str) -> bool:
    """Whether a line ends before its last sentence does."""
    end = line.rstrip(_EMPHASIS)[-2:]
    if end.endswith("、") or (end.endswith(",") and _JAPANESE.match(end)):
        return True
    if len(line) < _SHORTEST_WRAPPED or end[-1:] in _ENDS or (end.endswith(",") and end[0] in _CLOSED):
        return False
    return line.isascii() or not _JAPANESE.search(line)


def _join(lines: Sequence[str]) -> str:
    joined = ""
    for line in lines:
        joined += line if not joined or joined[-1] == "、" else f" {line.lstrip()}"
    return joined
