"""Documents that Japanese text cites as a whole: 賃金規程による, 別に定める「旅費規程」に基づき. Pure.

A name counts where the text goes by what stands there (による, に定める, を参照), or where it is named together with
one that does. Laws are left out: too many are cited that no manual has. So is what is somebody else's
(他社の就業規則), what is no longer in force (従前の就業規則), and the document itself.
"""

import re
from collections.abc import Iterator, Set

from .law_names import means, whole_name_start
from .named_documents import in_one_spelling
from .reference import Reference, plain_normal

# What offices call what they lay down.
_KINDS = (
    *"規程 規則 規定 規約 細則 要綱 要領 約款 協定 定款 条例 会則 内規 基準 指針 方針 綱領 憲章".split(),
    *"手順書 仕様書 説明書 計画書 契約書 協定書 手引 手引き 用語集".split(),
    *"マニュアル ハンドブック ガイドライン ガイド ポリシー".split(),
)
# Of these an office has one, and calls it so.
_NAMED_SO = re.compile("(?<![^\\W_ぁ-ん])(?:定款|会則|用語集)\\Z")
# The last character of a name, of which の規定 is none; and what may be said of it in brackets.
_END = f"(?<!の規)[{''.join(sorted({kind[-1] for kind in _KINDS}))}]"
_BEHIND = r"\*{0,3}[」』]?\*{0,3}(?:[（(][^（）()\n]{0,60}[）)])?"
_CITES = (
    "(?:に(?:[もは、])?(?:定め|規定|記載|よ[らりるっれ]|基づ|もとづ|従|したが[いうっ]|沿[いうっ]|則[しっ]|準[じず拠]|違反|反[しす])"
    "|の(?:[^。、\n]{1,20}に関する)?(?:定め|規定)|の(?:例に|とおり|適用)"
    "|(?:で(?:[^。、ぁ-ん\n]{1,8}と)?|が)定め"
    "|を(?:ご?参照|ご?覧|ご?確認|お読み|適用|準用|踏まえ|遵守|守[らりるっ])|のほか"
    "|(?:及び|並びに|および|ならびに|その他)[^。「」\n]{1,30}(?:の定め|に従[いうっ]|を遵守|を守[らりるっ]))"
)
_JOINS = "(?:及び|並びに|又は|若しくは|および|ならびに|または|もしくは|[、，・/／やと])"
MAY_CITE = re.compile(f"{_END}{_BEHIND}{_CITES}")
_NAMED = re.compile(f"{_END}{_BEHIND}(?:(?P<cites>{_CITES})|(?P<joins>{_JOINS}\\*{{0,3}}[「『]?\\*{{0,3}}))")
# 本規程, 当該規程; and 納期限に関する規定, which are provisions.
_NO_NAME = re.compile(f"当該.*|.?(?:{'|'.join(_KINDS)})|.*[ぁ-ん]規定")
_QUOTED = re.compile(r"[「『]([^「」『』]{1,80})\Z")
_LONGEST_QUOTE = 81
# What stands before a name as one word with it, and is no part of it.
_BEFORE = re.compile("(?:別途|上記|前記|当社|弊社|自社)(?=..)")
# Whose it is, to be the one of the manual; and what says that it is another one.
_OURS = re.compile(r"(?:会社|当社|弊社|自社|法人|本会|当会|本学|学校|組合|機構|協会)の\Z")
_NOT_THAT_ONE = re.compile(r"(?:の|この|その|従前の)\Z")
_LONGEST_BEFORE = 4
_PARTS = re.compile("[・/／]")


def find_whole_documents(line: int, text: str, titles: Set[str]) -> Iterator[Reference]:
    """The references of a line; `titles` are what the document itself is called."""
    found: list[Reference] = []
    cited_from = -1
    for match in reversed(list(_NAMED.finditer(text))):
        if not (match["cites"] or match.end() == cited_from):
            continue
        end = match.start() + 1
        start = _start(text, end)
        if start is None:
            continue
        cited_from = start
        name = plain_normal(text[start:end])
        if not _is_own(name, titles) and not _is_another(text, start):
            found.append(Reference(line, start, "document", None, name, name, ""))
    yield from reversed(found)


def _start(text: str, end: int) -> int | None:
    """Where the name begins that ends there; `None` if it is none, or says no more than 本規程."""
    if not text.endswith(_KINDS, 0, end):
        return None
    if text[end : end + 1] in ("」", "』"):
        quoted = _QUOTED.search(text, max(end - _LONGEST_QUOTE, 0), end)
        return quoted.start(1) if quoted else None
    if alone := _NAMED_SO.search(text, max(end - _LONGEST_BEFORE, 0), end):
        return alone.start()
    start = whole_name_start(text, end)
    if start is None:
        return None
    # 就業規則・賃金規程 are two.
    for part in _PARTS.finditer(text, start, end):
        if text.endswith(_KINDS, start, part.start()):
            start = part.end()
    if before := _BEFORE.match(text, start, end):
        start = before.end()
    return None if _NO_NAME.fullmatch(text, start, end) else start


def _is_own(name: str, titles: Set[str]) -> bool:
    spelling = in_one_spelling(name)
    return any(means(name, title) or in_one_spelling(title) == spelling for title in titles)


def _is_another(text: str, start: int) -> bool:
    """Whether what stands before a name says that it is none of the manual's: その就業規則, 他社の就業規則."""
    before = text[max(start - _LONGEST_BEFORE, 0) : start].rstrip("「『")
    return bool(_NOT_THAT_ONE.search(before)) and not _OURS.search(before)
