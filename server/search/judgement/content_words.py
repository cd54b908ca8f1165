"""The words that say what a sentence is about: all but those of grammar, and those that any sentence about a value may
have. Pure.
"""

import re

from .inflections import IRREGULAR

# Verbs that only say that it is so, and words for what kind of value it is.
_LIGHT = re.compile(
    "期[間限日]|期|長さ|時間帯|(?<!勤務)(?<!労働)時間(?!外)|時刻|日時|日数|回数|件数|人数|枚数|金額|料金|最[大小長短高低]|[上下]限|限度"
    "|額|利?率|(?<=者)数|(?<=の)数|以[内上下]|まで|必要|可能|実施|実行|開催|設定|支給|付与|行[わいうっ]|認め(?:られ)?|(?<!に)許可|受け付け"
    "|サイズ|容量(?!器)|大きさ|原則(?:として)?|当社(?:で)?は?|又は|こと"
)
_SAME = {"保持": "保存", "保管": "保存", "申し込": "申請", "申込": "申請", "届け出": "届出"}
_HAS_SAME = re.compile("|".join(_SAME))
_WORD = re.compile("[一-鿿々]|[ァ-ヺー]{2,}|[a-z0-9][a-z0-9.]*|(?P<kanji>(?<=[一-鿿々]))?(?P<kana>[ぁ-ん]+)")
_JOINS = re.compile("^[はがをにでとのへもや]+|[はがをにでとのへもや]+$")
# Of two that begin alike the longer one first: none is tried a second time, as in には is に and は, too.
_GRAMMAR = (
    "それぞれ|ください|あり?ます|ある|いる|います|おります|でき(?:る|ます)|られ(?:る|ます)|され(?:る|ます)|する|します"
    "|なり?ます|なる|ます|です|れる|から|まで|より|こと|よう|べき|なお|また|ずつ|うち|され(?:て|た)?|し(?:て|た)?|[てで]"
    "|[はがをにとのへもや]|[うくぐすつぬぶむる]"
)
_IS_GRAMMAR = re.compile(f"(?:{_GRAMMAR})++")
# Behind the first character of a verb: 届け出る.
_IS_ENDING = re.compile(f"[ぁ-ん]{{0,2}}?(?:{_GRAMMAR})*+")

_LIGHT_IN_ENGLISH = frozenset(
    "a an the is are was be been being will shall must should may can has have had to of in on at by for with from"
    " and or that which its their our your you we within after up least most more less than maximum minimum max min"
    " limit limits limited period length size duration time number amount value rate rates total only also always"
    " required take takes taken last lasts set send sent issued made make makes entitled allow allows allowed need"
    " needs performed run runs process processed handled completed happen happens done long all each every any apply"
    " applies cover covers covered automatically permanently".split()
)
_SAME_IN_ENGLISH = {
    **IRREGULAR,
    "retain": "keep",
    "stor": "keep",
    "retention": "keep",
    "preserv": "keep",
    "timeout": "expir",
    "valid": "expir",
    "begin": "start",
    "began": "start",
    "inactiv": "idl",
    "inactivity": "idl",
}
# What is done with a thing, where two such words may be about two of its times: claims are sent within 30 days and
# processed within 10. What expires is valid until then, or times out.
_ACTS = {
    **dict.fromkeys(("last", "lasts", "cover", "covers", "covered", "apply", "applies"), frozenset({"last"})),
    **dict.fromkeys(("take", "takes", "run", "runs"), frozenset({"last", "process"})),
    **dict.fromkeys(
        ("taken", "issued", "processed", "handled", "completed", "performed", "done", "happen", "happens"),
        frozenset({"process"}),
    ),
    **dict.fromkeys(("send", "sent"), frozenset({"send"})),
    **dict.fromkeys(("make", "makes", "made"), frozenset({"make"})),
    **dict.fromkeys(("expire", "expires", "expiry"), frozenset({"be valid", "time out"})),
    "valid": frozenset({"be valid"}),
    "timeout": frozenset({"time out"}),
}
_TIME_OUT = re.compile(r"\btimes? out\b|\btimeouts\b")
ENGLISH_WORD = re.compile("[a-z0-9](?:[a-z0-9.'-]*[a-z0-9])?|[一-鿿々]+")
"""Also a run of kanji, in a sentence that is English but for that."""
_ENDING_IN_ENGLISH = re.compile("(?:'s|ies|ing|ed|es|s|e|y)$")
_SHORTEST_INFLECTED = 4


def japanese_words(said: str) -> frozenset[str]:
    """Its kanji one by one, as verbs are written with and without their kana, and all other words that are none of
    grammar.
    """
    said = _LIGHT.sub(" ", _HAS_SAME.sub(lambda word: _SAME[word[0]], said))
    words = set()
    for found in _WORD.finditer(said):
        kana = found["kana"]
        if kana is None:
            words.add(found[0].rstrip("ー"))
        elif not (_IS_GRAMMAR if found["kanji"] is None else _IS_ENDING).fullmatch(kana):
            words.add(_JOINS.sub("", kana))
    return frozenset(words - {""})


def english_words(said: str) -> frozenset[str]:
    """Its words, each in one form: stores, kept and retained are keep."""
    return frozenset(
        _in_one_form(word)
        for word in ENGLISH_WORD.findall(_TIME_OUT.sub("timeout", said))
        if word not in _LIGHT_IN_ENGLISH
    )


def acts_in_english(said: str) -> frozenset[str]:
    """What it may say that is done with a thing, among what has a time of its own each; empty if it does not say."""
    words = ENGLISH_WORD.findall(_TIME_OUT.sub("timeout", said))
    return frozenset().union(*(_ACTS[word] for word in words if word in _ACTS))


def _in_one_form(word: str) -> str:
    stem = _ENDING_IN_ENGLISH.sub("", word) if len(word) >= _SHORTEST_INFLECTED else word
    return _SAME_IN_ENGLISH.get(word, _SAME_IN_ENGLISH.get(stem, stem))
