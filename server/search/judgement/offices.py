"""Who of an organisation does something or is given it, so that two texts can be seen to contradict. Pure.

申請書は総務課に提出する and 申請書は人事課へ提出してください; expenses are approved by the line manager, by the project
manager. Sentences are compared that are alike in all else, and names that end alike: which 課 a 部 has is not known.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .alike import in_one_form, says_enough
from .blocks import names_its_thing
from .sentences import stands_alone, topic_of
from .wording import OBLIGED

# No desks or roles: 総合受付 and 正面受付 may be one, and so may 現場責任者 and 作業責任者.
_ENDS = "部|課|室|係|局|署|班|グループ|チーム|センター|委員会|支社|支店|本社|本店|工場|倉庫|長|主任"
_GIVEN = (
    "提出|送[付信るりっ]|連絡|報告|通[報知]|返却|返納|申請|申し?込|申し出|届け?出|届け|問い?合わせ|相談|持参|回付|納品"
    "|請求|引き渡|預け"
)
# What one alone does; several may check it.
_DONE = "承認|決裁|許可|審査|管理|担当|所管|保管|実施|行[うい]"
# 直ちに, 書面で; not 所属する社員は nor 定めた方法で, which say more of the office.
_HOW = "、?(?:[^。、はがるた]|た(?=だち)){0,12}"
_IS = "(?:とする|とします|です|である|になります|となります)"
# The last character of a name in one of three forms: begins with a class, which is what `re` looks for quickly.
_NAMED = re.compile(
    "[部課室係局署班プムー会社店場庫長任]"
    rf"(?:(?=(?:に(?!も)|へ|宛て?に|まで){_HOW}(?:{_GIVEN}))|(?=が{_HOW}(?:{_DONE}))|(?P<is_it>)(?={_IS}?(?:。|$)))"
)
_NAME = re.compile(f"(?P<name>[一-鿿々ァ-ヺーa-z0-9]{{1,12}}?(?P<kind>{_ENDS}))\\Z")
_WHO_IT_IS = re.compile("(?:先|窓口|部署|課|場所|責任者|承認者|決裁者|管理者|担当者?)は、?\\Z")
_LONGEST = 18
_ENDS_IN_ENGLISH = (
    "department|team|office|desk|division|unit|committee|board|manager|director|officer|administrator|supervisor|lead"
)
# Nor the one that is meant by the case.
_NO_WORDS_OF_NAME = (
    "the|your|our|an?|their|its|this|that|and|or|to|relevant|appropriate|responsible|respective|competent|local|nearest"
    "|assigned|designated|concerned|direct|immediate|other|same|own|right|correct"
)
_IN_ENGLISH = re.compile(
    r"[tb][oy](?<= ..) (?P<name>(?:the |your |our |an? )?"
    rf"(?P<words>(?:(?!(?:{_NO_WORDS_OF_NAME})\b)[a-z][a-z&'-]* ){{1,3}}?)"
    rf"(?P<kind>{_ENDS_IN_ENGLISH}))\b(?! of\b)"
)
# Directly before the office: send the form, is approved in writing; not what a sentence has besides, as in applies to.
_IS_GIVEN_IN_ENGLISH = re.compile(
    r"(?:\b(?:submit|send|return|forward|hand)|(?:^|\b(?:must|shall|should|please) )report)\b"
    r"(?: (?!(?:is|are|was|were|be)\b)[^ ,;]+)* \Z"
    r"|\b(?:submitted|sent|returned|reported|forwarded|handed)(?: (?!(?:is|are|was|were|be)\b)[a-z'-]+){0,4} \Z"
)
_IS_DONE_IN_ENGLISH = re.compile(
    r"\b(?:approved|authori[sz]ed|owned|maintained|managed|reviewed|signed|handled|reported|submitted|sent)"
    r"(?: (?!(?:is|are|was|were|be)\b)[a-z'-]+){0,4} \Z"
)
_IS_NO_NAME = re.compile(
    f"[一全内外両]部|(?:上|次|部門|部署|組織)長|.*部署|(?:各|当該|該当|所属|直属|担当|関[係連]|発生|発見|[発受]注|依頼|申請|起案"
    f"|主[管務]|所管|使用|利用|保有|最寄り|その|他|同|本人|自(?={_ENDS})).*"
)
_SEVERAL = re.compile(
    f"(?:{_ENDS})(?:、|・|/|及び|並びに|又は|または|および|もしくは|若しくは|か|と|や)[一-鿿々ァ-ヺーa-z0-9]{{1,12}}?(?:{_ENDS})"
)
_OBLIGES = re.compile(OBLIGED)
_JOINS_BEFORE = ("と", "や", "か", "・", "/", "及び", "並びに", "又は", "または", "および", "もしくは", "若しくは")
# What is denied, or only may be.
_IS_NO_RULE = re.compile(
    r"な[いくけ]|ません|不要|でき(?:る|ます)|可能|[てで]も?[良よい]い|\b(?:no|not|never|may|can|could)\b|n't"
)
# 第一営業部 is 営業1部.
_NUMBERS = str.maketrans("一二三四五六七八九", "123456789", "第")
_GAP = "\0"


class Office(NamedTuple):
    """What somebody is called, and the word that it ends with."""

    name: str
    kind: str

    @property
    def least(self) -> str:
        """The name: nobody is more or less than that."""
        return self.name

    @property
    def most(self) -> str:
        """The name."""
        return self.name

    def contradicts(self, other: "Office") -> bool:
        """Whether they are two; which 課 a 部 has is not known."""
        return self.kind == other.kind and not self._may_be(other) and not other._may_be(self)

    def _may_be(self, other: "Office") -> bool:
        """Whether the other one is called by all that this one is, or more: 総務部人事課 is 人事課, 情報システム部 is
        情シス部, and human resources is HR.
        """
        own, others = self._parts(), other._parts()
        return not Counter(own) - Counter(others) or own[0] == "".join(word[0] for word in others[:-1])

    def _parts(self) -> list[str]:
        """Words, or characters of a Japanese name."""
        return self.name.split() if self.name.isascii() else list(self.name.translate(_NUMBERS))


class Charge(NamedTuple):
    """Who does something or is given it. `rest` is all that the sentence says besides; what it is about is its `topic`,
    if that is the name of one thing.
    """

    office: Office
    rest: str
    topic: str


def may_be_charge(text: str) -> bool:
    """Whether it is worth looking for any."""
    return (_IN_ENGLISH if text.isascii() else _NAMED).search(text) is not None


def read_charges(parted: Iterable[str]) -> Iterator[Charge]:
    """Those of the sentences of a normalised line that name one office each."""
    for sentence in parted:
        found = list(_find(sentence))
        if len(found) != 1 or _IS_NO_RULE.search(_OBLIGES.sub("", sentence)) or _SEVERAL.search(sentence):
            continue
        [((begin, end), office)] = found
        if sentence.endswith(_JOINS_BEFORE, 0, begin):
            continue
        rest = f"{sentence[:begin]}{_GAP}{sentence[end:]}"
        if says_enough(rest) and stands_alone(rest):
            topic = topic_of(sentence)
            yield Charge(office, in_one_form(rest), topic if names_its_thing(topic) else "")


def _find(sentence: str) -> Iterator[tuple[tuple[int, int], Office]]:
    if sentence.isascii():
        for named in _IN_ENGLISH.finditer(sentence):
            says = _IS_GIVEN_IN_ENGLISH if named[0].startswith("to") else _IS_DONE_IN_ENGLISH
            if says.search(sentence, 0, named.start()):
                yield named.span("name"), Office(named["words"] + named["kind"], named["kind"])
        return
    for end in _NAMED.finditer(sentence):
        name = _NAME.search(sentence, max(end.end() - _LONGEST, 0), end.end())
        if name is None or _IS_NO_NAME.fullmatch(name["name"]):
            continue
        if end["is_it"] is None or _WHO_IT_IS.search(sentence, 0, name.start()):
            yield name.span("name"), Office(name["name"], name["kind"])
