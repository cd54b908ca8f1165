"""What a sentence says or denies, and how what may be denied is looked for in many texts. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from operator import add
from typing import NamedTuple

_NAME = re.compile("[a-z0-9]{2,}|[一-鿿ァ-ヶー]+")
# So many are looked for one by one in less time than it takes to part a text.
_FEW_MARKS = 50


class Claim(NamedTuple):
    """What a sentence says, without its denial; whether `is_so`. What it is about is its `topic`, as far as it says. Of
    a claim and a denial of the same, one of the `senses` is the same.

    Both `marks` are in a sentence that says or denies the same, unless a particle parts one of them there.
    """

    rest: str
    topic: str
    marks: tuple[str, str]
    is_so: bool
    senses: tuple[str, ...]


class Marks:
    """The marks of the claims that are looked for. Of many, those alone are looked for in a text whose rarest two
    characters it has.
    """

    def __init__(self, marks: Iterable[tuple[str, str]]) -> None:
        pairs = {both: _pairs(both[0]) | _pairs(both[1]) for both in marks}
        counts = Counter(pair for held in pairs.values() for pair in held)
        self._by_rarest: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for both, held in pairs.items():
            self._by_rarest[min(held, key=lambda pair: (counts[pair], pair))].append(both)

    def are_in(self, text: str) -> bool:
        """Whether a text has both marks of one of the claims."""
        if len(self._by_rarest) <= _FEW_MARKS:
            asked = [rarest for rarest in self._by_rarest if rarest in text]
        else:
            asked = [*self._by_rarest.keys() & _pairs(text), *self._by_rarest.keys() & set(text)]
        return any(first in text and last in text for rarest in asked for first, last in self._by_rarest[rarest])


def marks_of(said: str) -> tuple[str, str] | None:
    """The two longest words of what is said, or twice its one; `None` if it has none."""
    return longest_two(_NAME.findall(said))


def longest_two(words: Iterable[str]) -> tuple[str, str] | None:
    """The same of words, of which the longest comes first."""
    longest = sorted(words, key=len)[-2:]
    return (longest[-1], longest[0]) if longest else None


def _pairs(mark: str) -> set[str]:
    """Each two adjacent characters; the character of a mark that is one."""
    return set(map(add, mark, mark[1:])) or {mark}
