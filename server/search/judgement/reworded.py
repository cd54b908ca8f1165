"""Sentences that say the same of a value in other words, so that two texts can be seen to contradict. Pure.

ログは90日間保持されます and ログの保持期間は1年です: but for what any sentence about a value may have, both have
the same words. A word more on one side is a case, or another thing: then the two are not compared.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from morenashi.server.search.question.clock_times import CLOCK_TIME, MAY_BE_CLOCK, time_of

from .bounds import Bound, bound_of, take_from_english, take_from_name
from .frequencies import (
    FREQUENCY,
    bound_of_frequency,
    frequency_of,
    frequency_of_period,
    frequency_with_gaps,
    is_frequency,
    may_say_how_often,
)
from .measures import QUANTITY, Measure, may_measure, measure
from .sentences import stands_alone, topic_of
from .starts import start_before, start_behind
from .weekdays import WEEKDAY, may_be_weekday, weekday_of

# More are a list or a formula.
_MOST_VALUES, _LONGEST = 3, 90
_YEAR = re.compile("[12][0-9]{3}年")
# 18歳以上であれば, 10日を超えるときは, 二十万円以下の罰金.
_IS_SUPPOSED = re.compile(
    "[^。、,]{0,12}?(?:れば(?!なら|なり)|たら|なら(?!な|び)|とき|場合|際|(?:以[下上内]|未満|超)の|超え|者)"
)
_SUPPOSES = re.compile(
    r"\b(?:if|when|where|while|unless|once|because)\b|\b(?:until|after|before|since) [^, ]|(?:令和|平成|昭和|第)\Z"
)
# Within 7 days you may: a deadline as any other.
_MAY_WITHIN = re.compile(
    "以内(?:であれば|ならば?|に限り|の場合は?)、?(?=[^。]*(?:でき(?:る|ます)|可能|認め|受け付け|承り))"
)
# 1回につき and 1回当たり are 1回.
_PER = re.compile("(?<=[回日人件名月泊年間個枚台])(?:に?つき|[当あ]たり)、?")
_HAS_TO = "(?:なければ|なくては)(?:ならない|なりません|いけない|いけません)"
_OBLIGES = re.compile(f"{_HAS_TO}|必ず|少なくとも")
_EXCEEDS_NOT = re.compile(
    "を超え(?:て(?:は(?:ならない|なりません|いけない|いけません)|[^。、]{1,8}(?:ない|ません))"
    "|る(?:こと)?[はが]?(?:でき)?(?:ない|ません)|ない|ません)"
)
_DENIES = re.compile(r"な[いくし]|ません|ず(?!つ)|[不非未無禁除]|\b(?:no|not|never|without|except|unless)\b|n't")
# What makes another value of the same number: 3日前まで, 9時から. And what is done every so often.
_MARKER = re.compile(" ?(から|より|以降|以後|前|後|目|まで)")
_EACH, _EVERY = re.compile(" ?(?:ごと|毎|おき)"), "every "
_SINCE = ("より", "以降", "以後")
_BOUND_BEFORE = re.compile(r"(最大|最小|最低|最長|最高|上限|下限|少なくとも)(?:でも?|は|を)?、?\Z")
_BOUND_BEHIND = re.compile("を?(限度|上限|下限)")

# Verbs that only say that it is so, and words for what kind of value it is.
_LIGHT = re.compile(
    "期[間限日]|期|長さ|時間帯|(?<!勤務)(?<!労働)時間(?!外)|時刻|日時|日数|回数|件数|人数|枚数|金額|料金|最[大小長短高低]|[上下]限|限度"
    "|額|利?率|(?<=者)数|(?<=の)数|以[内上下]|まで|必要|可能|実施|実行|開催|設定|支給|付与|行[わいうっ]|認め(?:られ)?|許可|受け付け"
    "|原則(?:として)?|少なくとも|当社(?:で)?は?|又は|こと"
)
_SAME = {"保持": "保存", "保管": "保存", "申し込": "申請", "申込": "申請", "届け出": "届出"}
_HAS_SAME = re.compile("|".join(_SAME))
_WORD = re.compile("[一-鿿々]|[ァ-ヺー]{2,}|[a-z0-9][a-z0-9.]*|(?P<kanji>(?<=[一-鿿々]))?(?P<kana>[ぁ-ん]+)")
_JOINS = re.compile("^[はがをにでとのへもや]+|[はがをにでとのへもや]+$")
# Of two that begin alike the longer one first: none is tried a second time, as in には is に and は, too.
_GRAMMAR = (
    f"{_HAS_TO}|それぞれ|ください|あり?ます|ある|いる|います|おります|でき(?:る|ます)|られ(?:る|ます)|され(?:る|ます)|する|します"
    "|なり?ます|なる|ます|です|れる|から|まで|より|こと|よう|べき|なお|また|ずつ|うち|され(?:て|た)?|し(?:て|た)?|[てで]"
    "|[はがをにとのへもや]|[うくぐすつぬぶむる]"
)
_IS_GRAMMAR = re.compile(f"(?:{_GRAMMAR})++")
# Behind the first character of a verb: 届け出なければならない.
_IS_ENDING = re.compile(f"[ぁ-ん]{{0,2}}?(?:{_GRAMMAR})*+")
_KANA = re.compile("[ぁ-んァ-ヶ]")

_LIGHT_IN_ENGLISH = frozenset(
    "a an the is are was be been being will shall must should may can has have had to of in on at by for with from and"
    " or that which its their our your you we within after up least most more less than maximum minimum max min limit"
    " limits limited period length size duration time number amount value rate rates total only also always required"
    " take takes set allow allows allowed need needs performed run runs process processed handled completed happen"
    " happens done made long all each every any".split()
)
_SAME_IN_ENGLISH = {"kept": "keep", "retain": "keep", "stor": "keep", "preserv": "keep", "paid": "pay", "sent": "send"}
_TIME_OUT = re.compile(r"\btimes? out\b|\btimeouts\b")
_ENGLISH_WORD = re.compile("[a-z0-9](?:[a-z0-9.'-]*[a-z0-9])?|[一-鿿々]+")
_ENDING_IN_ENGLISH = re.compile("(?:'s|ies|ing|ed|es|s|e|y)$")
# Each page has a default of its own.
_ANY_DEFAULT = frozenset("既定初期標準値") | {"デフォルト", "default"}
_FEWEST, _FEWEST_IN_ENGLISH = 2, 3


class Reworded(NamedTuple):
    """The words that a sentence has besides a value, of what kind that is, and how much it says. What it is about is
    its `topic`, as far as it says; from when a time is counted, its `start`.
    """

    words: frozenset[str]
    kind: str
    measure: Measure
    topic: str
    start: frozenset[str]

    @property
    def quantity(self) -> tuple[frozenset[str], str]:
        """What two agree in if they are about the same."""
        return self.words, self.kind

    @property
    def least(self) -> float:
        """The least that the value is."""
        return self.measure.least

    @property
    def most(self) -> float:
        """The most that the value is."""
        return self.measure.most

    def contradicts(self, other: "Reworded") -> bool:
        """Whether two of one quantity cannot both hold: counted from two days, they may."""
        is_counted_alike = not self.start or not other.start or self.start == other.start
        return is_counted_alike and self.measure.contradicts(other.measure)


class _Value(NamedTuple):
    """A value by its place, with what belongs to it up to `end`; the number and its unit end at `number_end`."""

    begin: int
    end: int
    number_end: int
    marker: str
    measure: Measure


def read_reworded(parted: Iterable[str]) -> Iterator[Reworded]:
    """What the sentences of a normalised line, spelt out, say of values, each by its words."""
    for sentence in parted:
        # The most of what is read: few sentences of a line with numbers have one.
        if len(sentence) <= _LONGEST and (may_measure(sentence) or may_say_how_often(sentence)):
            yield from _read(_PER.sub("", _MAY_WITHIN.sub("以内に", sentence)))


def _read(sentence: str) -> Iterator[Reworded]:
    values = _values(sentence)
    if not 0 < len(values) <= _MOST_VALUES or not stands_alone(sentence) or _denies(sentence):
        return
    is_english, topic = _is_english(sentence), topic_of(sentence)
    # What a sentence begins with may be one case of several: on Mondays the desk is open.
    begin = sentence.index(topic) + len(topic) if topic else 1
    for value in values:
        before, behind = sentence[: value.begin], sentence[value.end :]
        if value.begin < begin or _SUPPOSES.search(before):
            continue
        if _IS_SUPPOSED.match(sentence, value.number_end) and not _EXCEEDS_NOT.match(behind):
            continue
        words_of = _english_words if is_english else _japanese_words
        whole, start = _with_its_start(sentence, value, is_english=is_english) if topic else (value, "")
        others = [whole if other is value else other for other in values]
        words, since = words_of(_without(sentence, others, whole)), words_of(start)
        if _says_enough(words, topic, behind, is_english=is_english):
            bound = value.measure.bound or _bound(before, behind, topic, is_english=is_english)
            if is_frequency(value.measure):
                bound = bound_of_frequency(bound or ("least" if behind.startswith("は") else ""))
            kind = f"{value.marker} {value.measure.unit}"
            yield Reworded(words, kind, value.measure._replace(bound=bound), topic, since)


def _with_its_start(sentence: str, value: _Value, *, is_english: bool) -> tuple[_Value, str]:
    """A value together with what says from when it is counted, and what that is."""
    if is_english:
        end = value.end + start_behind(sentence[value.end :], value.measure)
        return value._replace(end=end), sentence[value.end : end]
    begin = start_before(sentence[: value.begin], value.measure)
    return value._replace(begin=begin), sentence[begin : value.begin]


def _denies(sentence: str) -> bool:
    """Whether it denies anything but that there may be more."""
    return _DENIES.search(_OBLIGES.sub("", _EXCEEDS_NOT.sub("", sentence))) is not None


def _is_english(sentence: str) -> bool:
    return sentence.isascii() or (
        not _KANA.search(sentence) and len(_ENGLISH_WORD.findall(sentence)) >= _FEWEST_IN_ENGLISH
    )


def _values(sentence: str) -> list[_Value]:
    """The values of a sentence in their order; how often something is done, if there is no other."""
    found: list[_Value] = []
    if MAY_BE_CLOCK.search(sentence):
        times = ((match, time_of(match)) for match in CLOCK_TIME.finditer(sentence))
        found += [_placed(match, Measure("time", time, time)) for match, time in times if time is not None]
    if may_be_weekday(sentence):
        days = ((match, weekday_of(match)) for match in WEEKDAY.finditer(sentence))
        found += [_placed(match, Measure("weekday", day, day)) for match, day in days]
    frequencies = FREQUENCY.finditer(sentence) if may_say_how_often(sentence) else ()
    often = [_placed(match, frequency_of(match)) for match in frequencies]
    for match in QUANTITY.finditer(sentence):
        if not _YEAR.match(match[0]) and not any(_overlap(match, value) for value in (*found, *often)):
            measured = measure(match)
            found += [_counted(match, measured)] if measured else []
    return sorted(found or often)


def _overlap(match: re.Match[str], value: _Value) -> bool:
    return value.begin < match.end() and match.start() < value.end


def _placed(match: re.Match[str], measured: Measure) -> _Value:
    marker = _MARKER.match(match.string, match.end())
    end = marker.end() if marker else match.end()
    return _Value(match.start(), end, match.end(), _marked(marker), measured)


def _counted(match: re.Match[str], measured: Measure) -> _Value:
    """A number with its unit, or how often that makes it: every 3 months."""
    text, start = match.string, match.start()
    each, is_every = _EACH.match(text, match.end()), text.endswith(_EVERY, 0, start)
    times_of = frequency_with_gaps if each and each[0].endswith("おき") else frequency_of_period
    often = times_of(measured) if each or is_every else None
    if often:
        begin = start - len(_EVERY) if is_every else start
        return _Value(begin, each.end() if each else match.end(), match.end(), "", often)
    limit = match["limit"] or ""
    bound, placed = bound_of(limit), _placed(match, measured)
    marker = ("" if bound else limit.removesuffix("まで")) + placed.marker
    return placed._replace(number_end=match.end("unit"), marker=marker, measure=measured._replace(bound=bound))


def _marked(marker: re.Match[str] | None) -> str:
    return "" if marker is None else "から" if marker[1] in _SINCE else marker[1]


def _bound(before: str, behind: str, topic: str, *, is_english: bool) -> Bound:
    if is_english:
        *_, bound = take_from_english(before, behind)
    elif _EXCEEDS_NOT.match(behind):
        bound = "most"
    else:
        word = _BOUND_BEFORE.search(before) or _BOUND_BEHIND.match(behind)
        bound = bound_of(word[1]) if word else ""
    return bound or take_from_name(topic)[1]


def _without(sentence: str, values: list[_Value], value: _Value) -> str:
    """A sentence without one of its values; the others count as words, whatever their notation."""
    parts, at = [], 0
    for other in values:
        said = " " if other is value else f" v{other.measure.least:g}{other.measure.unit} "
        parts += [sentence[at : other.begin], said]
        at = other.end
    return "".join([*parts, sentence[at:]])


def _japanese_words(said: str) -> frozenset[str]:
    """Its kanji one by one, as verbs are written with and without their kana, and all other words that are none of
    grammar.
    """
    said = _OBLIGES.sub("", _EXCEEDS_NOT.sub("", said))
    said = _LIGHT.sub(" ", _HAS_SAME.sub(lambda word: _SAME[word[0]], said))
    words = set()
    for found in _WORD.finditer(said):
        kana = found["kana"]
        if kana is None:
            words.add(found[0].rstrip("ー"))
        elif not (_IS_GRAMMAR if found["kanji"] is None else _IS_ENDING).fullmatch(kana):
            words.add(_JOINS.sub("", kana))
    return frozenset(words - {""})


def _english_words(said: str) -> frozenset[str]:
    words = set()
    for word in _ENGLISH_WORD.findall(_TIME_OUT.sub("timeout", said)):
        if word not in _LIGHT_IN_ENGLISH:
            stem = _ENDING_IN_ENGLISH.sub("", word) if len(word) > _FEWEST_IN_ENGLISH else word
            words.add(_SAME_IN_ENGLISH.get(word, _SAME_IN_ENGLISH.get(stem, stem)))
    return frozenset(words)


def _says_enough(words: frozenset[str], topic: str, behind: str, *, is_english: bool) -> bool:
    """Whether words name what a value is of. A sentence without a topic has to say more; an item of a list is none."""
    naming = words - _ANY_DEFAULT
    if topic:
        return len(naming) >= _FEWEST or any(len(word) > 1 for word in naming)
    if is_english:
        return len(words) >= _FEWEST_IN_ENGLISH and len(naming) >= _FEWEST
    return len(naming) >= 2 * _FEWEST and _KANA.search(behind) is not None
