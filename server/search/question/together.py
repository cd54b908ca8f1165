"""Words that say something together: annual leave, get rid of. Pure."""

from collections.abc import Callable, Iterator, Sequence

_LONGEST = 4
# They say nothing apart from the verb that they go with.
PARTICLES = frozenset("away back down in off on out over up".split())


def find_phrases(words: Sequence[str], is_known: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """The known phrases of two to four words side by side, each from its first word to behind its last; of those that
    begin at a place the longest.
    """
    start = 0
    while start < len(words):
        ends = range(min(len(words), start + _LONGEST), start + 1, -1)
        end = next((end for end in ends if is_known(" ".join(words[start:end]))), start + 1)
        if end > start + 1:
            yield start, end
        start = end
