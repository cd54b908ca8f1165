"""Compounds that stand nowhere: 結婚休暇, where a text has 結婚したとき and 休暇, or 保管量, where it has 保管.

Some are written with a の alone: 医療費助成 as 医療費の助成.
"""

import re
from collections.abc import Iterator

from morenashi.indexer.tokens import is_kanji

from .index.postings import Index
from .question.terms import Term, make_term
from .slips import stands_in

# Words of two characters make most compounds; of longer runs nobody can tell without a dictionary.
_LONGEST, _WORD = 5, 2
_LONGEST_WITH_ASPECT = 8
_MOST_SPELLINGS = 4
# Words of kanji, katakana or Latin letters put together, with a kanji among them.
_COMPOUND = re.compile("(?=.*[\u4e00-\u9fff])[a-z\u30a1-\u30fa\u30fc\u3400-\u9fff々]{4,16}")
# What a text states without the word for it: 三年間保存する answers 保存期間, 安全課に提出する 提出場所.
_ASPECTS = tuple(
    "期間 期限 期日 時期 時間 時刻 日時 日程 日数 月数 年数 回数 人数 件数 台数 頻度 間隔 周期 方法 方式 手段 手順"
    " 手続 要領 場所 条件 要件 資格 基準 料金 費用 金額 割合 比率 上限 下限 範囲 対象 対象者 種類 理由 目的 内容"
    " 状況 担当 担当者 窓口 義務 権限 責任 責任者".split()
)
# What goes before a word that says the same without it, and what makes it say the opposite.
_BEFORE, _DENYING = frozenset("各全再新旧本当毎総"), frozenset("不未非無否反")


def find_parts(index: Index, term: Term) -> tuple[Term, ...]:
    """The words that a term of kanji is made of, if it stands nowhere in the scope and each of them somewhere: two, or
    the one that a single character or an aspect goes with, 輸血 of 輸血中, 検査 of 再検査, 保存 of 保存期間.
    """
    is_compound = _WORD < len(term.text) <= _LONGEST_WITH_ASPECT and all(map(is_kanji, term.text))
    if not is_compound or stands_in(index, term):
        return ()
    return next((parts for parts in _ways(term.text) if all(stands_in(index, part) for part in parts)), ())


def find_parted(index: Index, term: Term, *, is_nowhere: bool) -> Term | None:
    """A term to look for loosely instead of a compound that the scope has with a の inside alone: 医療費の助成 for
    医療費助成, 個人情報の漏えい for 個人情報漏洩. `None` if it stands there as it is, or not so either.

    `is_nowhere`: it is not looked whether it stands in the scope. The text is the term's with a tilde before it.
    """
    if not _COMPOUND.fullmatch(term.text) or (not is_nowhere and stands_in(index, term)):
        return None
    spellings = (term.text, *term.loose)[:_MOST_SPELLINGS]
    parted = Term(f"~{term.text}", (), tuple(written for one in spellings for written in _with_particle(one)))
    return parted if parted.loose and stands_in(index, parted) else None


def _with_particle(text: str) -> Iterator[str]:
    """The compound with a の where one of its words may end: between two kanji, or where the script changes."""
    for cut in range(_WORD, len(text) - _WORD + 1):
        if is_kanji(text[cut - 1]) or is_kanji(text[cut]):
            yield f"{text[:cut]}の{text[cut:]}"


def _ways(text: str) -> Iterator[tuple[Term, ...]]:
    """The ways to take a compound apart, that which says most first."""
    if len(text) == _WORD + 1:
        yield from _with_one_more(text)
        return
    if len(text) <= _LONGEST:
        yield from _halves(text)
    if aspect := max((aspect for aspect in _ASPECTS if text.endswith(aspect)), key=len, default=""):
        matter = text.removesuffix(aspect)
        if len(matter) >= _WORD:
            yield (make_term(matter, {}, {}),)
        if _WORD + 1 < len(matter) <= _LONGEST:
            yield from _halves(matter)


def _halves(text: str) -> Iterator[tuple[Term, ...]]:
    """The ways to part a compound of two words, one of them of two characters: 結婚休暇, 年間休日数."""
    for cut in dict.fromkeys((_WORD, len(text) - _WORD)):
        yield tuple(make_term(part, {}, {}) for part in (text[:cut], text[cut:]))


def _with_one_more(text: str) -> Iterator[tuple[Term, ...]]:
    """The words that may be in three characters. 非課税 is no 課税, and 蕁麻疹 no 麻疹."""
    if text[0] in _BEFORE:
        yield (make_term(text[1:], {}, {}),)
    if text[0] not in _DENYING:
        yield (make_term(text[:_WORD], {}, {}),)
