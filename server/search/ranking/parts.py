"""The parts of a passage that a model reads one by one, and how near the passage is by theirs. Pure.

One sentence of a paragraph answers a question; a vector of the whole is drowned by the others. The parts put the answer
first more often than the whole does (docs/decisions/0016), and take a quarter less time to read: what a model attends
to grows with the square of a text.
"""

import math
import re
from collections.abc import Sequence

# Sentences are put together to this many characters; what is left over is a part of its own only from the second on.
_PART, _REST = 70, 28
# Of the cosines of the parts: towards 0 the highest alone would count, far above their differences the mean.
_SOFTNESS = 0.02
_SENTENCE_ENDS = re.compile(r"(?<=[。\n])(?!\n)|(?<=[.!?])(?= )")


def parts(text: str) -> list[str]:
    """The text in parts of whole sentences; together they are the text."""
    found, part = [], ""
    for sentence in _SENTENCE_ENDS.split(text):
        part += sentence
        if len(part) >= _PART:
            found.append(part)
            part = ""
    if found and len(part) < _REST:
        found[-1] += part
    else:
        found.append(part)
    return found


def nearness(cosines: Sequence[float]) -> float:
    """How near (-1..1) a passage is by the cosines of its parts: between their mean and the highest."""
    highest = max(cosines)
    mean = sum(math.exp((cosine - highest) / _SOFTNESS) for cosine in cosines) / len(cosines)
    return highest + _SOFTNESS * math.log(mean)
