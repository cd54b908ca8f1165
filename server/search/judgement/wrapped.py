"""Sentences that go on from one line of a paragraph to the next, as in text that is wrapped at a width. Pure."""

import re
from collections.abc import Sequence

from .blocks import MARK

_MOST_LINES = 3
# A shorter line may end where its author ended it.
_SHORTEST_WRAPPED = 50
_JAPANESE = re.compile("[ぁ-んァ-ヶ一-鿿]")
# A sentence ends, or a value of JSON or of code.
_IS_OVER = re.compile(r"[.。:;!?][\"')\]*_`]*\Z|[\"'{}()\[\]][,;]?\Z")
_IS_CUT = re.compile("(?:、|[ぁ-んァ-ヶー一-鿿],)\\Z")
_END_OF_SENTENCE = re.compile(r"[.;。](?=[\"')\]*_` ]|\Z)")
# A row of a table, a heading.
_STANDS_ALONE = re.compile(r"^ ?[|#]| \| |\|\Z")
_BEGINS_ANEW = re.compile(rf"{MARK.pattern}| ?(?:[#>|]|'''|~~~)")


def unwrap(lines: Sequence[str], at: int) -> str:
    """A line with the beginning of its first sentence and the end of its last, if those stand on other lines."""
    first = last = at
    while first > max(at - _MOST_LINES, 0) and _goes_on(lines[first - 1], lines[first]):
        first -= 1
    while last < min(at + _MOST_LINES, len(lines) - 1) and _goes_on(lines[last], lines[last + 1]):
        last += 1
    begun = _END_OF_SENTENCE.split(_join(lines[first:at]))[-1].lstrip()
    rest = _join(lines[at + 1 : last + 1])
    end = _END_OF_SENTENCE.search(rest)
    return _join([part for part in (begun, lines[at], rest[: end.end()] if end else rest) if part])


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence goes on from a line to the next."""
    if not following.strip() or _BEGINS_ANEW.match(following) or _STANDS_ALONE.search(line):
        return False
    if _IS_CUT.search(line):
        return True
    return len(line) >= _SHORTEST_WRAPPED and not _IS_OVER.search(line) and not _JAPANESE.search(line)


def _join(lines: Sequence[str]) -> str:
    joined = ""
    for line in lines:
        joined += line if not joined or joined[-1] == "、" else f" {line.lstrip()}"
    return joined
