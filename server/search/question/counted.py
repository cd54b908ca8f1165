"""Numbers with what they count, one word: 30日 of 30日以内に, 15万円, 2023年4月1日 of 2023年4月1日から. Pure.

Apart from it a number stands on lines about anything, and its other notations are not looked for. In kanji a number and
what it counts are one run anyway, of which a bound behind them is no part: 三十日 of 三十日以内に.
"""

import re

from morenashi.indexer.numerals import ERA, KANJI_NUMERALS

from .counting_marks import MARKS
from .dates import IN_FIGURES, date_spellings
from .shares import IN_FRACTIONS

_YEAR = f"(?:(?:{ERA})(?:元|[0-9]{{1,2}})年|[0-9]{{4}}年(?!間))"
_MONTH, _DAY = "[0-9]{1,2}月", "[0-9]{1,2}日"
_TIME = (
    "(?:午[前後][0-9]{1,2}時(?:[0-9]{1,2}分|半)?(?!間)|[0-9]{1,2}時(?:[0-9]{1,2}分|半)"
    "|(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?![0-9:]))"
)
_FIGURES = "[0-9]+(?:,[0-9]{3})*(?:[.][0-9]+)?"
_COUNTER = (
    f"(?:円|ドル|ユーロ|年|[{MARKS}]月|週|営業日|日|時間?|分|秒|世紀|人|名|社|件|回|割|倍|歳|才|個|台|枚|冊|部|頁|ページ"
    "|文字|桁|点|種類|段階|パーセント|ポイント|%|キロ|メートル|トン)"
)
_SUM = f"(?:{_FIGURES}[兆億万千百])+(?:{_FIGURES})?{_COUNTER}?"
_WHOLE = f"{IN_FIGURES}|{IN_FRACTIONS}|[0-9]{{1,2}}割[0-9]分|{_TIME}|{_SUM}"
_NOT_INSIDE = "(?<![0-9.,])"
_BOUND = "(?:以[内上下降前後]|未満)"
# Of two figures, as below: 十日, 三十日, 十五万円; neither 第十回 nor the day of 四月三十日.
_IN_KANJI = (
    f"(?<![{KANJI_NUMERALS}第数何年月])(?=[{KANJI_NUMERALS}][{KANJI_NUMERALS}万億]|[十百千])"
    f"[{KANJI_NUMERALS}]{{1,9}}[万億]?{_COUNTER}"
)
# A single figure says too little with its counter, too: 5日 stands in 15日.
_COUNTED = re.compile(
    f"{_NOT_INSIDE}(?:{_WHOLE}|{_YEAR}(?:{_MONTH}(?:{_DAY})?|代)?|{_MONTH}{_DAY}|1[0-2]月"
    f"|(?=[0-9][0-9,.]){_FIGURES}{_COUNTER}|{_IN_KANJI}(?=[間様]?{_BOUND}))"
)
_WITH_BOUND = re.compile(
    f"{_NOT_INSIDE}(?:{_WHOLE}|{_YEAR}[度代]?|{_MONTH}(?:{_DAY})?|{_FIGURES}{_COUNTER})[間様]?"
    f"(?:{_BOUND}|程度|前後)?|{_IN_KANJI}[間様]?{_BOUND}"
)
_BOUNDED = re.compile("(.+?)(?:以[内上下降前後]|未満|より前|[前後]?(?:まで|から)|超|を超え[てる])に?")
_KANJI_NUMBER = re.compile(_IN_KANJI + "間?")
_SPAN = re.compile(f"(?:{_COUNTED.pattern})[~-](?:{_COUNTED.pattern})")
_IS_LATIN = re.compile("[a-z]")
_WHOLE_DATE = re.compile(f"({_YEAR})({_MONTH}(?:{_DAY})?|度)")


def find_counted(text: str) -> list[str]:
    """The numbers of a normalised text with what they count, without the bounds that these are."""
    return _COUNTED.findall(text)


def without_counted(text: str) -> str:
    """The text without them and their bounds (以内 of 30日以内に), blanks in their place."""
    return _WITH_BOUND.sub(" ", text)


def without_bound(word: str) -> list[str]:
    """What a number or a date is without the bound that it is in a question: 4月1日 of 4月1日以降. Nothing of any other
    word.
    """
    bounded = _BOUNDED.fullmatch(word)
    if not bounded:
        return []
    is_number = not _WITH_BOUND.sub("", bounded[1]) or _KANJI_NUMBER.fullmatch(bounded[1])
    return [bounded[1]] if is_number else []


def ends_of_span(word: str) -> list[str]:
    """From where to where, of a span: 2023/4/1 and 2023/5/31 of 2023/4/1~2023/5/31. Nothing of any other word."""
    return find_counted(word) if _SPAN.fullmatch(word) else []


def parts_of_date(word: str) -> list[str]:
    """What a date or a fiscal year is known by where nothing says it whole: its year, and its day or month; nothing if
    the word is none. R5.4.1 may be a version as well, of which no part says anything.
    """
    if _IS_LATIN.match(word):
        return []
    date = _WHOLE_DATE.fullmatch(next(iter(date_spellings(word)), word))
    return [part for part in date.groups() if part != "度"] if date else []
