"""Which law a text names before an article: 所得税法, 同法, 法 in its orders, an abbreviation it defined. Pure.

`means` says whether a document's title is the one that a text calls so.
"""

import re
from collections.abc import Sequence

from .text import normalise

_ENDINGS = frozenset("法律令則例程約綱款定")
_GENERIC = re.compile("法律|政令|省令|府令|条例|規則|規程|規定|協定|条約|約款|要綱|規約|定款")
# What a name goes on over, backwards: 投資信託及び投資法人に関する法律.
_JOINTS = (
    "に関する",
    "に係る",
    "に対する",
    "における",
    "による",
    "のための",
    "及び",
    "並びに",
    "等の",
    "の",
    "と",
    "を",
    "する",
    "に",
)
_OWN = re.compile("[本当](?:法|法律|令|政令|省令|規則|規程|条例|約款|要綱|規約|規定|定款|細則|協定)")
_SAME = re.compile("同(?:法|令|法律|政令|省令|府令|規則|規程|条例|約款|要綱|規約|協定|条約|規定)")
_NO_LAW = re.compile(
    "(?:方|手|用|文|司|立|違|合|適|不|技|療|話|寸|製)法$|(?:命|指|号|法|司|辞)令$|(?:原|罰|反|変|附|付)則$|"
    "(?:日|課|工|過|行|旅|音|射)程$|(?:契|予|制|節|集|要)約$|(?:^規|決|認|設|特|指|推|判|測|算|選|暫|否|安|所|一|固|限|約|改)定$|"
    "(?:事|実|慣|先|用|特|凡|比|判|定)例$|(?:借|落|返)款$"
)
_FORMER = re.compile("(?:改正|廃止|施行)前の?$|改正後の?$|従前の$|旧$|新$")
_HIRAGANA = re.compile("[ぁ-ん]")
_NAME_CHARACTER = re.compile(r"[^\s、。，,.;:：；「」『』（）()\[\]【】〔〕<>＜＞\"'`*|#\-－ぁ-ん]")
_MOST = 80


class LawNames:
    """The laws that one document names. `titles` are what the document itself is called, normalised."""

    def __init__(self, titles: Sequence[str]) -> None:
        self._titles = tuple(titles)
        self._defined = dict(_family(titles))
        self._last: str | None = None

    def define(self, abbreviation: str, called: str) -> None:
        """From here on the abbreviation means that law."""
        if abbreviation[-1:] in _ENDINGS:
            self._defined[normalise(abbreviation)] = called

    def mention(self, called: str) -> None:
        """同法 means this one now."""
        self._last = called

    def is_own(self, called: str) -> bool:
        """Whether a name means this document."""
        return any(means(called, title) for title in self._titles)

    def before(self, text: str, end: int) -> tuple[int, str] | None:
        """The law named in `text` right before `end`: where its name starts, and the name; `""` for this document."""
        if end == 0 or text[end - 1] not in _ENDINGS:
            return None
        start = _run_start(text, end)
        tail = text[start:end]
        if _OWN.fullmatch(tail) or (_GENERIC.fullmatch(tail) and text[max(start - 2, 0) : start] in ("この", "その")):
            return start, ""
        if _SAME.fullmatch(tail):
            return start, self._last if self._last is not None else tail
        if _NO_LAW.search(tail):
            return None
        name = normalise(tail)
        if name in self._defined:
            return start, self._defined[name]
        former = _FORMER.search(text, max(start - 4, 0), start)
        if former:
            return former.start(), normalise(text[former.start() : end])
        if _GENERIC.match(tail) or text.endswith(_JOINTS[:6], 0, start):
            start = _extended(text, start, end)
            name = normalise(text[start:end])
        return start, "" if self.is_own(name) else name


def means(called: str, title: str) -> bool:
    """Whether a name as a text has it, with what may stand before it, is a document's title. Both normalised.

    >>> means("又は所得税法", "所得税法"), means("地方会計法", "会計法"), means("不当表示防止法", "不当景品類及び不当表示防止法")
    (True, False, True)
    """
    if called == title:
        return True
    if len(title) < 2 or title[-1] not in _ENDINGS:
        return False
    if called.endswith(title):
        before = called[: -len(title)]
        return bool(_HIRAGANA.match(before[-1])) and not (
            _FORMER.search(before) or before.endswith(("に関する", "に係る", "に対する", "等の", "のための"))
        )
    return len(called) > 3 and title.endswith(("及び" + called, "並びに" + called))


def _family(titles: Sequence[str]) -> list[tuple[str, str]]:
    """What 法, 令 and 規則 mean in the orders to a law."""
    for title in titles:
        for ending in ("施行令", "施行規則", "施行細則"):
            base = title.removesuffix(ending)
            if base != title and base:
                return [("法", base), ("令", base + "施行令"), ("施行令", base + "施行令"), ("規則", base + "施行規則")]
    return []


def _run_start(text: str, end: int) -> int:
    start = end
    while start > 0 and end - start < _MOST and _NAME_CHARACTER.match(text[start - 1]):
        start -= 1
    return start


def _extended(text: str, start: int, end: int) -> int:
    """Where a name starts that goes on over its joints: 個人情報の保護に関する|法律."""
    while start > 0 and end - start < _MOST:
        joint = next((joint for joint in _JOINTS if text.endswith(joint, 0, start)), None)
        if joint is None:
            break
        further = _run_start(text, start - len(joint))
        if further == start - len(joint) and not text.endswith(_JOINTS, 0, further):
            break
        start = further
    return start
