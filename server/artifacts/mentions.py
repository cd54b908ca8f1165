"""References in words: `M03 参照`, `参照: M03`, `手順3を参照`, `see M03 and M04`. Pure."""

import re

from morenashi.indexer.combining import normal_form

from .model import Target
from .targets import NAMED_STEP, Targets

OF_ANOTHER = "[^記述次下上]の"
"""Before a step's number: of another document (設置手引の手順12), unless it is one of the 上記の, 次の, 以下の."""

_ID = rf"(?:(?<!{OF_ANOTHER}){NAMED_STEP}|[A-Za-z]{{1,8}}[-_.]?\d+(?:[-_.]\d+)*[A-Za-z]?)"
_BETWEEN = r"\s*(?:,|、|・|/|&|and|or|及び|および|と)\s*"
_IDS = rf"{_ID}(?:{_BETWEEN}{_ID})*"
_BEFORE = re.compile(
    rf"(?:\bsee(?:\s+also)?|\brefer(?:s)?\s+to|\bcf\.?|\brefs?\s*[:=]|参照\s*[:：]|関連\s*[:：])\s*({_IDS})", re.I
)
# All ids that stand together, and whether 参照 does behind them: looked for from each of very many, all others would be
# gone through. Of A1B-2 none but the last id can stand before it.
_WHOLE_ID = rf"{_ID}(?:(?![A-Za-z\d]|[-_.]\d)|(?=and|or))"
_TOGETHER = re.compile(rf"({_WHOLE_ID}(?:{_BETWEEN}{_WHOLE_ID})*)(\s*(?:[をも]\s*)?参照)?")


def find_references(text: str, targets: Targets) -> list[Target]:
    """The elements that a text refers to, and those shaped like elements of the structure that it has not."""
    # A run of very many blanks would be gone through from each of them.
    text = " ".join(normal_form("NFKC", text).split())
    named = [match[1] for match in _BEFORE.finditer(text)]
    named += [match[1] for match in _TOGETHER.finditer(text) if match[2]]
    return list(dict.fromkeys(target for ids in named for target in targets.find_mentions(ids)))
