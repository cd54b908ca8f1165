"""Sentences that are alike but for a denial, so that two texts can be seen to contradict. Pure.

再委託することができる and 再委託してはならない; may subcontract and shall not subcontract. All else is the same, the
case that it holds in included.
"""

import re
from collections.abc import Iterator, Sequence

from .bearers import read_bearer
from .claims import Claim, Marks, longest_two, marks_of
from .sentences import sentences, stands_alone, topic_of
from .suppositions import CONJUNCTIONS
from .unlimited import read_limit
from .valueless import without_value
from .wording import OBLIGED, bare, in_one_case, plain

_POLITE = "(?:です|である|であります|とする|とします|となる|となります)?"
_MADE = f"(?:に(?:する(?:こと)?|します|してください|な(?:る|ります)|なって(?:いる|います))|{_POLITE})"
_NOT = "(?:ない|ません)(?:です)?"


def _ended(*forms: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(forms)})$")


# What a Japanese sentence ends with that says, or denies, what stands before: that it has to be, and all else.
_NEEDS_AT_END = _ended(
    f"(?:を|は|が)?必(?:要|須){_POLITE}",
    "(?:する)?必要が(?:ある|あります)",
    "(?:を|が)?(?:要する|要します|要る|要ります)",
)
_VERB_NEEDS_AT_END = _ended(OBLIGED)
_NEEDS_NOT_AT_END = _ended(
    "(?:する)?必要(?:は|も|が|では)?(?:ない|ありません)(?:です)?",
    "(?:する)?必要としない",
    f"(?:を|は|も|が)?(?:要し|要ら|いら|要り|いり){_NOT}",
    f"(?:は|も|が)?(?:不要|不必要|任意){_POLITE}",
)
_VERB_NEEDS_NOT_AT_END = _ended(
    "なくても?(?:よい|良い|いい|構わない|構いません|差し支えない|差し支えありません|かまわない|かまいません)(?:です)?"
)
_DENIES_AT_END = _ended(
    "(?:(?:する)?こと[がはも])?でき(?:ない|ません|かねます)",
    "して?は(?:ならない|なりません|いけない|いけません)",
    "し(?:ない|ません)(?:こと|でください|ものとする|ものとします)?",
    "され(?:ない|ません)",
    f"して?は(?:だめ|駄目){_POLITE}",
    "では(?:ない|ありません)",
    f"(?:を|は|が)?(?:認め|禁じ|許さ)(?:られ|れ)?(?:て(?:い|おり))?{_NOT}",
    f"(?:を|は|が)?許可(?:し|され)(?:て(?:い|おり))?{_NOT}",
    "られて(?:いない|いません)",
    "(?:を|は|が)?(?:ご遠慮|お断り)(?:(?:いた)?し(?:ます|て(?:います|おります))|ください|願います"
    "|(?:いただ|頂)(?:きます|いて(?:います|おります)))",
    f"(?:を|は|が)?禁止(?:する|します|(?:し|され)て(?:いる|います|おります)|されます?|される|{_POLITE})",
    "(?:を|は|が)?禁じ(?:られて(?:いる|います)|られます|られる|ます|る)",
    f"不(?:可|可能){_POLITE}|無効{_MADE}|無料{_POLITE}",
    f"の?対象外{_POLITE}|(?<=適用)(?:除)?外{_POLITE}",
    "の?対象(?:と|に|で)は?(?:し|なら|なり|含ま|含め|含まれ|あり)?(?:ない|ません)",
)
_MAY_AT_END = _ended(
    "(?:(?:する)?こと[がはも])?でき(?:る|ます)(?:ものとする|ものとします)?",
    "しても?(?:よい|良い|いい|構わない|構いません|差し支えない|差し支えありません)(?:です)?",
    "(?:を|は|が)?許可(?:する|します|(?:し|され)て(?:いる|います|おります)|される|されます)",
    f"(?:を|は|が)?許可{_POLITE}",
    "(?:を|は|が)?認め(?:られ)?(?:て(?:いる|います|おります)|る|ます)",
    f"(?<!不)可(?:能)?{_POLITE}|有効{_MADE}|有料{_POLITE}",
)
_DOES_AT_END = _ended(
    f"の?対象(?:に含(?:む|める|まれる|みます|めます|まれます)|{_POLITE})",
    "(?<!ものと)(?<!ことと)(?:します|する(?:こと|ものとする|ものとします)?)|され(?:る|ます)|してください|である|です",
    "られて(?:いる|います)",
)
# Any other verb: 行わない, 受け付けていません, which ends with neither ならない nor なりません; 行う, 受け付けています.
_VERB_DENIES_AT_END = _ended(
    "(?<=[わかがさたなばまらいきぎじちにびみりえけげせぜてねべめれ])(?<![はば]なら)(?<![はば]なり)(?<![はばと]いけ)"
    "(?:ない|(?P<polite>ません))(?:こと|でください|(?:もの|こと)と(?:する|します))?"
)
_VERB_AT_END = _ended("(?:[うくぐすつぬぶむる]|ます)(?:こと|(?:もの|こと)と(?:する|します))?")
_DOES, _NEEDS = "does", "needs"
# What is not needed may be allowed, and what is needed or done is neither forbidden nor needless.
_End = tuple[re.Pattern[str], tuple[str, ...], bool]
_DENIALS_AT_END: tuple[_End, ...] = (
    (_NEEDS_NOT_AT_END, (_NEEDS,), False),
    (_VERB_NEEDS_NOT_AT_END, (_NEEDS,), False),
    (_DENIES_AT_END, (_DOES,), False),
    (_VERB_DENIES_AT_END, (_DOES,), False),
)
_ENDS: tuple[_End, ...] = (
    *_DENIALS_AT_END,
    (_NEEDS_AT_END, (_DOES, _NEEDS), True),
    (_VERB_NEEDS_AT_END, (_DOES, _NEEDS), True),
    (_MAY_AT_END, (_DOES,), True),
    (_DOES_AT_END, (_DOES, _NEEDS), True),
    (_VERB_AT_END, (_DOES, _NEEDS), True),
)
# Of a verb and what it can: 繰り越せない denies 繰り越すことができる; 受け付けておりません denies 受け付けます.
_VERB_TAIL = re.compile("(?:[えけげせてねべめれ]?る|[うくぐすつぬぶむえけげせてねべめれ])$")
_IS_DOING, _IS_DOING_AT_END = re.compile("[てで](?:おり|い)$"), re.compile("[てで](?:おります|います|いる)$")
_LONGEST_END = 20
_SUBJECT = re.compile("[はもがを]")
_FEWEST_CHARACTERS, _FEWEST_WORDS = 2, 3

# What an English word says once a denial is taken out of it, which is told apart.
_WORDS = (
    dict.fromkeys(("not", "never", "no", "do", "does", "did", "a", "an", "the", "also", "always"), "")
    | dict.fromkeys(("may", "can", "could", "must", "shall", "will", "should", "cannot"), "may")
    | dict.fromkeys(("prohibited", "forbidden", "permitted", "allowed"), "allowed")
    | {"disabled": "enabled", "optional": "required", "unsupported": "supported", "unavailable": "available"}
    | dict.fromkeys(("required", "mandatory", "compulsory"), "required")
    | {"ca": "may", "wo": "may"}
)
_DENYING = frozenset(
    ("not", "never", "no", "cannot", "disabled", "prohibited", "forbidden", "optional", "unsupported", "unavailable")
)
DENIABLE = frozenset(_WORDS.values()) - {"", "may"} | _DENYING - {"not", "never", "no", "cannot"}
"""Words that say that something is so, or that it is not: enabled, disabled."""
# Neither no more than 5, nor the answer No (true by default), denies anything.
_NO_DENIAL = re.compile(r"\bno (?:(?:more|less|fewer|longer|later|earlier|sooner|one)\b|[^a-z])")
_HAS_TO = re.compile(r"\b(?:have|has|needs?) to\b|\bneed not\b")
_NEED_NOT = re.compile(r"(?:\bnot|n't) must\b")
_MAY = re.compile(r"\b(?:may|can|could|allowed|permitted)\b")
_ENGLISH_WORD = re.compile("[a-z0-9][a-z0-9'-]*")
# What is not so in a clause is the case that the sentence is about: if the values are not equal; those who do not pay.
_IN_CLAUSE = re.compile(
    rf"\b(?:{CONJUNCTIONS}|whether|since|until|although|though)\b[^,]*\Z"
    r"|\b(?:who|which|that)(?: [a-z]+){0,2} \Z"
)
# What a line holds that denies something.
_DENIALS = (
    *("ない", "無い", "無し", "なくて", "ません", "かねます", "禁", "不可", "不要", "不必要", "任意", "無効"),
    *("だめ", "駄目", "遠慮", "断り", "対象外", "適用外", "除外", "無料"),
    *("負担", "無制限", "無期限", "限はなし", "上限なし"),
)
_ENGLISH_DENIALS = (*sorted(_DENYING - {"cannot", "no"}), "no ", "n't", "non-", "unlimited", "borne by", "paid by")
_ALL_DENIALS = (*_DENIALS, *_ENGLISH_DENIALS)
_THERE_IS = re.compile("^there (?:is|are) ")


def read_denials(line: str) -> Iterator[Claim]:
    """What the sentences of a normalised line deny."""
    if _may_deny(line):
        for sentence in filter(_may_deny, sentences(line)):
            claim = _read(sentence, _DENIALS_AT_END)
            if claim and not claim.is_so:
                yield claim


def read_assertions(line: str, marks: Marks) -> Iterator[Claim]:
    """What the sentences of a normalised line say that have all the marks of one of the claims looked for."""
    if marks.are_in(line):
        for sentence in sentences(line):
            if marks.are_in(sentence):
                for said in filter(None, (sentence, without_value(sentence))):
                    claim = _read(said, _ENDS)
                    if claim and claim.is_so:
                        yield claim


def _may_deny(text: str) -> bool:
    # Not one pattern: looked for one by one, words are found ten times as fast.
    return any(map(text.__contains__, _ENGLISH_DENIALS if text.isascii() else _ALL_DENIALS))


def _read(sentence: str, ends: Sequence[_End]) -> Claim | None:
    # First of all, as half of the sentences do not.
    if not stands_alone(_THERE_IS.sub("", sentence)):
        return None
    if claim := read_bearer(sentence) or read_limit(sentence):
        return claim
    return _read_english(sentence) if sentence.isascii() else _read_japanese(sentence, ends)


def _read_japanese(sentence: str, ends: Sequence[_End]) -> Claim | None:
    begun = max(len(sentence) - _LONGEST_END, 0)
    read = ((pattern.search(sentence, begun), senses, is_so) for pattern, senses, is_so in ends)
    end, senses, is_so = next((one for one in read if one[0]), (None, (), False))
    if end is None or not _SUBJECT.search(sentence, 0, end.start() + 1):
        return None
    said = sentence[: end.start()]
    # Which particle stands there often depends on what is denied: 返品は受けられない, 返品を受けられる.
    rest = _VERB_TAIL.sub("", bare(plain(_with_its_verb(sentence, said, end))))
    marks = marks_of(in_one_case(said))
    if len(rest) < _FEWEST_CHARACTERS or not marks:
        return None
    return Claim(rest, topic_of(sentence), marks, is_so, senses)


def _with_its_verb(sentence: str, said: str, end: re.Match[str]) -> str:
    """What it says with a verb that `plain` knows: 行わない as 行わなければならない, 行いません as 行います."""
    if end.re is _VERB_NEEDS_NOT_AT_END:
        return f"{said}なければならない"
    if end.re is _VERB_DENIES_AT_END:
        said = _IS_DOING.sub("", said)
        return f"{said}ます" if end["polite"] else f"{said}なければならない"
    if end.re is _VERB_AT_END:
        return _IS_DOING_AT_END.sub("ます", sentence)
    return sentence if end.re is _VERB_NEEDS_AT_END else said


def _read_english(sentence: str) -> Claim | None:
    if "no " in sentence and _NO_DENIAL.search(sentence):
        return None
    sentence = _HAS_TO.sub(lambda to: "not must" if "not" in to[0] else "must", sentence)
    written = list(_ENGLISH_WORD.finditer(sentence))
    words, denials = [], []
    for found in written:
        word = found[0]
        stem = word.removeprefix("non-").removesuffix("n't")
        if word in _DENYING or stem != word:
            denials.append(found.start())
        if said := _WORDS.get(stem, f"{stem[:-3]}y" if stem.endswith("ies") else stem.removesuffix("s")):
            words.append(said)
    if len(denials) > 1 or len(written) < _FEWEST_WORDS:
        return None
    if denials and _IN_CLAUSE.search(sentence[: denials[0]]):
        return None
    marks = longest_two(word for word in words if word not in _WORDS)
    rest = " ".join(words).replace("is allowed to ", "may ").replace("are allowed to ", "may ")
    return Claim(rest, topic_of(sentence), marks, not denials, _senses(sentence, denials)) if marks else None


def _senses(sentence: str, denials: Sequence[int]) -> tuple[str, ...]:
    """As of `_ENDS`: what need not be done may be allowed."""
    if denials:
        return (_NEEDS,) if _NEED_NOT.search(sentence) else (_DOES,)
    return (_DOES,) if _MAY.search(sentence) else (_DOES, _NEEDS)
