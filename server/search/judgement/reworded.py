"""Sentences that say the same of a value in other words, so that two texts can be seen to contradict. Pure.

ログは90日間保持されます and ログの保持期間は1年です: but for what any sentence about a value may have, both have
the same words. A word more on one side is a case, or another thing: then the two are not compared.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .bounds import Bound, bound_of, take_from_english, take_from_name
from .content_words import ENGLISH_WORD, acts_in_english, english_words, japanese_words
from .frequencies import bound_of_frequency, is_frequency, may_say_how_often
from .measures import QUANTITY, Measure, may_measure
from .placed_values import PlacedValue, read_placed
from .sentences import stands_alone, topic_of
from .short_forms import in_short_form
from .starts import start_before, start_behind
from .suppositions import CONJUNCTIONS, NUMBERED, SUPPOSES, UNTIL
from .wording import in_one_case

# More are a list or a formula.
_MOST_VALUES, _LONGEST = 3, 90
# 18歳以上であれば, 10日を超えるときは, 二十万円以下の罰金.
_IS_SUPPOSED = re.compile(f"[^。、,]{{0,12}}?(?:{SUPPOSES}|(?:以[下上内]|未満|超)の|者)")
_SUPPOSES = re.compile(rf"\b(?:{CONJUNCTIONS})\b|\b{UNTIL}|{NUMBERED}")
# 紛失した場合は and 紛失は are one; what holds before something is done is told from what holds after it.
_CASE = re.compile(
    "(?:(?P<past>[ただ])|(?P<present>[うくぐすつぬぶむる]))?(?:(?<![そこ])の)?(?:とき(?!ど)|(?<=[一-鿿])時に?は)"
)
_DENIES = re.compile(
    r"な[いくし]|ません|ず(?!つ)|不(?!動産)|無(?!線)|禁|非(?!常)|未(?!満)|除[かきくけい外]|\b(?:no|not|never|without|except|unless)\b|n't"
)
_BOUND_BEFORE = re.compile(r"(最大|最小|最低|最長|最高|上限|下限)(?:でも?|は|を)?、?\Z")
_BOUND_BEHIND = re.compile("を?(限度|上限|下限)")
_KANA = re.compile("[ぁ-んァ-ヶ]")
# Each page has a default of its own.
_ANY_DEFAULT = frozenset("既定初期標準値") | {"デフォルト", "default"}
# 帰着後, 帰着の日から and 帰着してから are one.
_SINCE = frozenset("後日時点")
_FEWEST, _FEWEST_IN_ENGLISH = 2, 3


class Reworded(NamedTuple):
    """The words that a sentence has besides a value, of what kind that is, and how much it says. What it is about is
    its `topic`, as far as it says; from when a time is counted, its `start`. The `tense` of the case in which it is so
    is that of 紛失した場合 or of 退会する場合; `acts` are what it may be that is done within a time.
    """

    words: frozenset[str]
    kind: str
    measure: Measure
    topic: str
    start: frozenset[str]
    tense: str | None
    acts: frozenset[str]

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
        """Whether two of one quantity cannot both hold: counted from two days, before and after what is done, or of
        two acts, they may.
        """
        is_counted_alike = not self.start or not other.start or self.start == other.start
        is_one_case = not self.tense or not other.tense or self.tense == other.tense
        is_one_act = not self.acts or not other.acts or not self.acts.isdisjoint(other.acts)
        return is_counted_alike and is_one_case and is_one_act and self.measure.contradicts(other.measure)


def read_reworded(parted: Iterable[str]) -> Iterator[Reworded]:
    """What the sentences of a normalised line, spelt out, say of values, each by its words."""
    for sentence in parted:
        # The most of what is read: few sentences of a line with numbers have one.
        if len(sentence) <= _LONGEST and (may_measure(sentence) or may_say_how_often(sentence)):
            yield from _read(*_as_topic(in_short_form(sentence)))


def _as_topic(sentence: str) -> tuple[str, str | None]:
    """A sentence whose case is its topic, unless a value is the case, and its tense: 紛失したときは as 紛失は."""
    in_case = in_one_case(sentence)
    case = _CASE.search(in_case)
    if case is None or QUANTITY.search(in_case, 0, case.start()):
        return sentence, None
    return f"{in_case[: case.start()]}は{in_case[case.end() :]}", case.lastgroup


def _read(sentence: str, tense: str | None) -> Iterator[Reworded]:
    values = read_placed(sentence)
    if not 0 < len(values) <= _MOST_VALUES or not stands_alone(sentence) or _DENIES.search(sentence):
        return
    is_english, topic = _is_english(sentence), topic_of(sentence)
    words_of = english_words if is_english else japanese_words
    # What a sentence begins with may be one case of several: on Mondays the desk is open.
    begin = sentence.index(topic) + len(topic) if topic else 1
    for value in values:
        before, behind = sentence[: value.begin], sentence[value.end :]
        if value.begin < begin or _SUPPOSES.search(before) or _IS_SUPPOSED.match(sentence, value.number_end):
            continue
        whole, start = _with_its_start(sentence, value, is_english=is_english) if topic else (value, "")
        words = words_of(_without(sentence, [whole if other is value else other for other in values], whole))
        if _says_enough(words, topic, behind, is_english=is_english):
            bound = value.measure.bound or _bound(before, behind, topic, is_english=is_english)
            if is_frequency(value.measure):
                bound = bound_of_frequency(bound or ("least" if behind.startswith("は") else ""))
            acts = acts_in_english(sentence) if is_english and value.measure.is_time else frozenset[str]()
            measured = value.measure._replace(bound=bound)
            yield Reworded(words, value.kind, measured, topic, words_of(start) - _SINCE, tense, acts)


def _is_english(sentence: str) -> bool:
    return sentence.isascii() or (
        not _KANA.search(sentence) and len(ENGLISH_WORD.findall(sentence)) >= _FEWEST_IN_ENGLISH
    )


def _with_its_start(sentence: str, value: PlacedValue, *, is_english: bool) -> tuple[PlacedValue, str]:
    """A value together with what says from when it is counted, and what that is."""
    if is_english:
        end = value.end + start_behind(sentence[value.end :], value.measure)
        return value._replace(end=end), sentence[value.end : end]
    begin = start_before(sentence[: value.begin], value.measure)
    return value._replace(begin=begin), sentence[begin : value.begin]


def _is_span(one: PlacedValue, other: PlacedValue) -> bool:
    """Whether they are the two ends of one time: 9時から17時まで."""
    return one.measure.unit == other.measure.unit and {one.marker, other.marker} == {"から", "まで"}


def _without(sentence: str, values: list[PlacedValue], value: PlacedValue) -> str:
    """A sentence without one of its values, and without the other end of its time; all others count as words, whatever
    their notation.
    """
    parts, at = [], 0
    for other in values:
        said = " " if other is value or _is_span(value, other) else f" v{other.measure.least:g}{other.measure.unit} "
        parts += [sentence[at : other.begin], said]
        at = other.end
    return "".join([*parts, sentence[at:]])


def _bound(before: str, behind: str, topic: str, *, is_english: bool) -> Bound:
    if is_english:
        *_, bound = take_from_english(before, behind)
        bound = bound or ("most" if before.endswith("within ") else "")
    else:
        word = _BOUND_BEFORE.search(before) or _BOUND_BEHIND.match(behind)
        bound = bound_of(word[1]) if word else ""
    return bound or take_from_name(topic)[1]


def _says_enough(words: frozenset[str], topic: str, behind: str, *, is_english: bool) -> bool:
    """Whether words name what a value is of. A sentence without a topic has to say more; an item of a list is none."""
    naming = words - _ANY_DEFAULT
    if topic:
        return len(naming) >= _FEWEST or any(len(word) > 1 for word in naming)
    if is_english:
        return len(words) >= _FEWEST_IN_ENGLISH
    return len(naming) >= 2 * _FEWEST and _KANA.search(behind) is not None
