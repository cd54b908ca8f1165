"""How a place bears on the text that names it: 準用する, に準ずる, の例による. Pure."""

import re
from bisect import bisect_right

from .reference import Relation

_LIKE = re.compile("[^。、]{0,20}?に準[ずじ]")
_EXAMPLE = re.compile("[^。、]{0,12}?の例によ")
_RULE_IS = re.compile("の規定[はを]")


class Relations:
    """The relations that one line states.

    Asked once a line, not once a reference: a line may have 20,000 characters.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._applied = _applied_spans(text) if "準用" in text else []
        self._has_any = "準" in text or "の例によ" in text

    def of(self, start: int, end: int) -> Relation | None:
        """The relation that the words around a reference in these columns state."""
        text = self._text
        if not self._has_any:
            return None
        if text.endswith("準用する", 0, start) or self._is_applied(start):
            return "準用"
        if _LIKE.match(text, end):
            return "準ずる"
        return "例による" if _EXAMPLE.match(text, end) else None

    def _is_applied(self, start: int) -> bool:
        position = bisect_right(self._applied, (start, len(self._text))) - 1
        return position >= 0 and start < self._applied[position][1]


def _applied_spans(text: str) -> list[tuple[int, int]]:
    """Where sentences name what they apply by analogy: 第三条の規定は、…について準用する. Up to 「の規定は」."""
    spans = []
    start = 0
    for sentence in text.split("。"):
        if "準用する" in sentence and (rule := _RULE_IS.search(sentence)) and rule.end() < sentence.rindex("準用する"):
            spans.append((start, start + rule.start()))
        start += len(sentence) + 1
    return spans
