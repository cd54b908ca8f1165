"""Which law a text names before an article: 所得税法, 同法, 法 in its orders, an abbreviation it defined. Pure.

`means` says whether a document's title is the one that a text calls so.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from morenashi.indexer.numerals import KANJI_NUMERALS

from .document_codes import CODED, meant_by
from .reference import plain_normal

LAW_ENDINGS = "法律令則例程約綱款定"
"""The last characters of what laws and rules are called."""

_GENERIC = re.compile("法律|政令|省令|府令|条例|規則|規程|規定|協定|条約|約款|要綱|規約|定款")
# What a name goes on behind: 投資信託及び投資法人に関する|法律.
_JOINTS = ("に関する", "に係る", "に対する", "における", "のための", "及び", "等の")
_JOINTS_BEFORE_A_KIND = ("に関する", "に係る", "に対する", "のための")
# Rules that are named as a whole before a place in them is; of laws too many are.
_OF_ONE_OFFICE = ("規程", "規則", "規約", "要綱", "約款", "協定")
# How far behind its name 同規程 may stand, in characters: each looks back for itself.
_FARTHEST = 300
# Between a name and a place: 就業規則 第3条.
_BLANKS = " \u3000"
# In a list of what words mean, a term and a wide blank stand before its meaning: 三　新法　第二条の規定による改正後の…
_DEFINED_TERM = re.compile(f"[ \u3000*0-9０-９{KANJI_NUMERALS}-]*\\Z")
# What no name holds.
_BREAK = re.compile(
    "又は|若しくは|は|が|別[に途]定める|規定する|により|よる|おいて|ついて|として|その他の?|いう|から|まで"
    "|[〇一二三四五六七八九十0-9０-９][条項号章節](?:の[〇一二三四五六七八九十0-9０-９]+)*(?:中|及び|並びに|の)?"
)
_OWN = re.compile(
    "[本当](?:法|法律|令|政令|省令|規則|規程|条例|約款|要綱|規約|規定|定款|細則|協定|契約|特約)"
    "|本(?:利用|会員|個別|基本|業務委託|秘密保持)(?:規約|契約|約款)"
)
_SAME = re.compile("同(?:法|令|法律|政令|省令|府令|規則|規程|条例|約款|要綱|規約|協定|条約|規定)")
# Words that end as names of laws do.
_NO_LAW = re.compile(
    ".*方法|[手用文司立違合適不技話製]法|[命指号法司辞]令|[原罰反変附付総雑補]則|[日課工過行旅]程|[契予制節要]約"
    "|[規決認設特指推判測算選暫否安所一固限改]定|[事実慣先用特凡比判]例|[借落]款"
)
# What has orders to it besides 法, and is called so there.
_WITH_ORDERS = ("条例", "規則", "規程", "要綱")
_FORMER = re.compile("(?:改正|廃止|施行)前の?$|改正後の?$|従前の$|旧$|新$")
# What may stand before a name without being part of it; る and の may not: 独立行政法人の保有する|公開に関する法律.
_BEFORE_A_NAME = re.compile("[びにはがをでもやてりらいくずれと]$")
_HIRAGANA = re.compile("[ぁ-ん]")
_NAME_CHARACTER = re.compile(r"[^\s、。，,.;:：；「」『』（）()\[\]【】〔〕<>＜＞\"'`*|#\-－ぁ-ん]")
_MOST = 80
# 運用手順書第2章: no law, but a document of its own.
_DOCUMENTS = (
    "手順書",
    "仕様書",
    "説明書",
    "要領",
    "基準",
    "指針",
    "手引",
    "マニュアル",
    "ガイドライン",
    "ガイド",
    "ポリシー",
)
_RULES = ("法", "規則", "規程", "条例", "約款", "要綱", "規約", "細則")
# 就業規則の第3条.
_BEFORE_PARTICLE = (*_RULES, *_DOCUMENTS)
# 「旅費規程」第三条, 「運用手順書」第2章.
_QUOTED_NAME = f"[^「」『』]{{0,{_MOST - 1}}}(?:[{LAW_ENDINGS}]|手引き|{'|'.join(_DOCUMENTS)})"
_QUOTED = re.compile(f"[「『]({_QUOTED_NAME})[」』]\\Z")
# 手順書B-03の第5条.
_CODED = re.compile(f"[「『]?({CODED})[」』]?の?\\Z")


class LawNames:
    """The laws that one document names. `titles` are what the document itself is called, normalised."""

    def __init__(self, titles: Sequence[str]) -> None:
        self._titles = tuple(titles)
        self._defined = {name: "" if law in titles else law for name, law in _family(titles).items()}
        self._last: str | None = None
        self._is_last_here = False
        self._lines: list[str] = []

    def begin(self) -> None:
        """The lines that come next are of another place."""
        self._is_last_here = False
        self._lines.clear()

    def read(self, line: str) -> None:
        """A line that has been read, of the same place: 同規程 in the next one may mean a rule that it names."""
        self._lines.append(line)

    def define(self, abbreviation: str, called: str) -> None:
        """From here on the abbreviation means that law. A name that hiragana cut short is that of the law whose orders
        these are, if that ends so: in the orders to ごみ処理条例 the text's 処理条例.
        """
        if abbreviation and abbreviation[-1] in LAW_ENDINGS:
            name = plain_normal(abbreviation)
            known = self._defined.get(name, "")
            self._defined[name] = known if called and known.endswith(called) else called

    def mention(self, called: str) -> None:
        """同法 means this one now."""
        self._last = called
        self._is_last_here = True

    def is_own(self, called: str) -> bool:
        """Whether a name means this document."""
        return any(means(called, title) for title in self._titles)

    def before(self, text: str, end: int) -> tuple[int, str] | None:
        """The law named in `text` right before `end`: where its name starts, and the name; `""` for this document."""
        if end and text[end - 1] in _BLANKS:
            end -= 1
            if text[end] == "\u3000" and _DEFINED_TERM.match(text, 0, _run_start(text, end)):
                return None
        if text[max(end - 2, 0) : end].rstrip("の」』")[-1:].isdecimal():
            return self._coded_before(text, end)
        if text[end - 1 : end] == "の":
            return self._with_particle(text, end - 1)
        return self._directly_before(text, end)

    def _with_particle(self, text: str, end: int) -> tuple[int, str] | None:
        """就業規則の第20条; but neither 規則の第20条 nor 保険契約の第20条に規定する者."""
        if text[end - 1 : end] not in ("」", "』"):
            tail = text[_run_start(text, end) : end]
            if tail in _BEFORE_PARTICLE or not tail.endswith(_BEFORE_PARTICLE) or _classified(tail)[0] == "none":
                return None
        return self._directly_before(text, end)

    def _directly_before(self, text: str, end: int) -> tuple[int, str] | None:
        if text[end - 1 : end] in ("」", "』"):
            return self._quoted_before(text, end)
        if text.endswith(_DOCUMENTS, 0, end):
            return self._document_before(text, end)
        if end == 0 or text[end - 1] not in LAW_ENDINGS:
            return None
        start = _name_start(text, end)
        tail = text[start:end]
        kind, name = _classified(tail)
        if kind == "own" or (kind == "generic" and text[max(start - 2, 0) : start] in ("この", "その")):
            return start, ""
        if kind == "same":
            return start, self._named_before(text, start, tail)
        if kind == "none":
            return None
        if name in self._defined:
            return start, self._defined[name]
        former = _FORMER.search(text, max(start - 4, 0), start)
        if former:
            return former.start(), plain_normal(text[former.start() : end])
        if _GENERIC.match(tail) or text.endswith(_JOINTS, 0, start):
            start = _extended(text, start, end)
            name = plain_normal(text[start:end])
        return start, "" if self.is_own(name) else name

    def _named_before(self, text: str, end: int, same: str) -> str:
        """What 同規程 means there: the rule of this kind that is named last, be it as a whole.

        同法 is the law of which a place was cited last; so is 同規程, but from another article only one of its kind.
        """
        kind = same[1:]
        if kind not in _OF_ONE_OFFICE:
            return self._last if self._last is not None else same
        if name := _rule_named(text, end, kind):
            return name
        left = _FARTHEST - end
        for line in reversed(self._lines):
            if left <= 0:
                break
            if name := _rule_named(line, len(line), kind):
                return name
            left -= len(line)
        is_meant = self._last is not None and (self._is_last_here or self._last.endswith(kind))
        return self._last if self._last is not None and is_meant else same

    def _coded_before(self, text: str, end: int) -> tuple[int, str] | None:
        coded = _CODED.search(text, max(end - _MOST, 0), end)
        if coded is None:
            return None
        return coded.start(), meant_by(coded[1], frozenset(self._titles)) or ""

    def _document_before(self, text: str, end: int) -> tuple[int, str] | None:
        """運用手順書, but neither 手順書 alone nor 本手順書."""
        start = _run_start(text, end)
        tail = text[start:end]
        if tail in _DOCUMENTS or tail[0] in "本当同":
            return None
        name = plain_normal(tail)
        return start, "" if self.is_own(name) else name

    def _quoted_before(self, text: str, end: int) -> tuple[int, str] | None:
        quoted = _QUOTED.search(text, max(end - _MOST - 2, 0), end)
        if quoted is None:
            return None
        name = plain_normal(quoted[1])
        return quoted.start(), "" if self.is_own(name) else self._defined.get(name, name)


def is_rule(called: str) -> bool:
    """Whether what is called so is a law or a rule, which has its appendices and forms in itself; no handbook."""
    return called.endswith((*_RULES, "法律", "令"))


def is_rule_of_office(called: str) -> bool:
    """Whether it is a rule that may lie beside the document; of laws too many are elsewhere."""
    return called.endswith(_RULES) and not called.endswith("法")


def whole_name_start(text: str, end: int) -> int | None:
    """Where the name of a document begins that ends there, be it over hiragana: 個人情報の保護に関する|規程.

    `None` if it says nothing but what kind of document it is.
    """
    start = _name_start(text, end)
    if text.endswith(_JOINTS_BEFORE_A_KIND, 0, start):
        start = _extended(text, start, end)
    return start if _classified(text[start:end])[0] == "name" else None


def _rule_named(text: str, end: int, kind: str) -> str:
    """The rule of this kind that a line names last before `end`, be it as a whole: 旅費規程による。同規程第2条."""
    farthest = max(end - _FARTHEST, 0)
    place = text.rfind(kind, farthest, end)
    while place >= 0:
        tail = text[_name_start(text, place) : place + len(kind)]
        if place > 0 and _classified(tail)[0] == "name":
            return plain_normal(tail)
        place = text.rfind(kind, farthest, place)
    return ""


def means(called: str, title: str) -> bool:
    """Whether a name as a text has it, with what may stand before it, is a document's title. Both normalised.

    >>> means("又は所得税法", "所得税法"), means("地方会計法", "会計法"), means("改正前の会計法", "会計法")
    (True, False, False)
    """
    if called == title:
        return True
    if len(title) < 2 or title[-1] not in LAW_ENDINGS:
        return False
    if called.endswith(title):
        before = called[: -len(title)]
        is_behind_clause = before.endswith(("に関する", "に係る")) and not _HIRAGANA.search(title)
        return is_behind_clause or bool(_BEFORE_A_NAME.search(before))
    return len(called) > 3 and title.endswith(("及び" + called, "並びに" + called))


def _family(titles: Sequence[str]) -> dict[str, str]:
    """What 法, 令 and 規則 mean in the orders to a law, 条例 in those to a bylaw."""
    for title in titles:
        for ending in ("施行令", "施行規則", "施行細則"):
            base = title.removesuffix(ending)
            if base == title or not base:
                continue
            kind = next((kind for kind in _WITH_ORDERS if base.endswith(kind)), "法")
            return {"令": base + "施行令", "施行令": base + "施行令", "規則": base + "施行規則", kind: base}
    return {}


@lru_cache(4096)
def _classified(tail: str) -> tuple[Literal["own", "same", "none", "generic", "name"], str]:
    """What sort of word may be the end of a law's name, and the word, normalised."""
    if not tail or _NO_LAW.fullmatch(tail):
        return "none", ""
    if _OWN.fullmatch(tail):
        return "own", ""
    if _SAME.fullmatch(tail):
        return "same", ""
    return "generic" if _GENERIC.fullmatch(tail) else "name", plain_normal(tail)


def _name_start(text: str, end: int) -> int:
    """Where a name may begin that ends there, behind the places that are named before it."""
    start = _run_start(text, end)
    if "第" in text[start:end]:
        start = max([start, *(match.end() for match in _BREAK.finditer(text, start, end))])
    return start


def _run_start(text: str, end: int) -> int:
    start = end
    while start > 0 and end - start < _MOST and _NAME_CHARACTER.match(text[start - 1]):
        start -= 1
    return start


def _extended(text: str, start: int, end: int) -> int:
    """Where a name starts that goes on over hiragana: 個人情報の保護に関する|法律.

    Rather too early than too late: `means` looks at the end.
    """
    while (
        start > 0
        and end - start < _MOST
        and (_HIRAGANA.match(text[start - 1]) or _NAME_CHARACTER.match(text[start - 1]))
    ):
        start -= 1
    breaks = [match.end() for match in _BREAK.finditer(text, start, end)]
    return breaks[-1] if breaks else start
