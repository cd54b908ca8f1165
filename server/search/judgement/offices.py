"""Who of an organisation does something or is given it, so that two texts can be seen to contradict. Pure.

申請書は総務課に提出する and 申請書は人事課へ提出してください; expenses are approved by the line manager, by the project
manager. Sentences are compared that are alike in all else, and names that end alike: which 課 a 部 has is not known.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .alike import in_one_form, says_enough
from .blocks import names_its_thing
from .sentences import stands_alone, topic_of

_ENDS = (
    "部|課|室|係|局|署|班|グループ|チーム|センター|委員会|窓口|受付|支社|支店|本社|本店|工場|倉庫|長|責任者|担当者|管理者"
    "|主任"
)
_GIVEN = (
    "提出|送[付信るりっ]|連絡|報告|通[報知]|返却|返納|申請|申し?込|申し出|届け?出|届け|問い?合わせ|相談|持参|回付|納品"
    "|請求|引き渡|預け"
)
_DONE = "承認|決裁|許可|審査|管理|担当|所管|保管|実施|対応|確認|行[うい]"
_IS = "(?:とする|とします|です|である|になります|となります)"
# The last character of a name in one of three forms: begins with a class, which is what `re` looks for quickly.
_NAMED = re.compile(
    "[部課室係局署班プムー会口付社店場庫長者任]"
    rf"(?:(?=(?:に(?!も)|へ|宛て?に|まで)、?[^。、]{{0,12}}(?:{_GIVEN}))"
    rf"|(?=が、?[^。、]{{0,12}}(?:{_DONE}))|(?P<is_it>)(?={_IS}?(?:。|$)))"
)
_NAME = re.compile(f"(?P<name>[一-鿿々ァ-ヺーa-z0-9]{{1,12}}?(?P<kind>{_ENDS}))\\Z")
_WHO_IT_IS = re.compile("(?:先|窓口|部署|課|場所|責任者|承認者|決裁者|管理者|担当者?)は、?\\Z")
_LONGEST = 18
_ENDS_IN_ENGLISH = (
    "department|team|office|desk|division|unit|committee|board|manager|director|officer|administrator|supervisor|lead"
)
_IN_ENGLISH = re.compile(
    r"[tb][oy](?<= ..) (?P<name>(?:the |your |our |an? )?"
    r"(?P<words>(?:(?!(?:the|your|our|an?|their|its|this|that|and|or|to)\b)[a-z][a-z&'-]* ){1,3}?)"
    rf"(?P<kind>{_ENDS_IN_ENGLISH}))\b(?! of\b)"
)
_VERBS_IN_ENGLISH = re.compile(
    r"\b(?:submit|sen[dt]|return|report|forward|hand|approv|authori[sz]|own|maintain|manag|review|sign|handl)"
)
# Any of several, or the one that is meant by the case.
_IS_NO_NAME = re.compile("[一全内外各他両]部|各.*|当該.*|所属.*|担当.*|関係.*|その.*|他の?.*|同.*|本人.*")
_SEVERAL = re.compile(
    f"(?:{_ENDS})(?:、|・|/|及び|並びに|又は|または|および|もしくは|若しくは|か|と|や)[一-鿿々ァ-ヺーa-z0-9]{{1,12}}?(?:{_ENDS})"
)
_DENIES = re.compile(r"な[いくけ]|ません|不要|\b(?:no|not|never)\b|n't")
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
        """Whether they are two: 総務部人事課 is 人事課, and which 課 a 部 has is not known."""
        is_part = self.name in other.name or other.name in self.name
        return self.kind == other.kind and not is_part


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
        if len(found) != 1 or _DENIES.search(sentence) or _SEVERAL.search(sentence):
            continue
        [((begin, end), office)] = found
        rest = f"{sentence[:begin]}{_GAP}{sentence[end:]}"
        if says_enough(rest) and stands_alone(rest):
            topic = topic_of(sentence)
            yield Charge(office, in_one_form(rest), topic if names_its_thing(topic) else "")


def _find(sentence: str) -> Iterator[tuple[tuple[int, int], Office]]:
    if sentence.isascii():
        for named in _IN_ENGLISH.finditer(sentence) if _VERBS_IN_ENGLISH.search(sentence) else ():
            yield named.span("name"), Office(named["words"] + named["kind"], named["kind"])
        return
    for end in _NAMED.finditer(sentence):
        name = _NAME.search(sentence, max(end.end() - _LONGEST, 0), end.end())
        if name is None or _IS_NO_NAME.fullmatch(name["name"]):
            continue
        if end["is_it"] is None or _WHO_IT_IS.search(sentence, 0, name.start()):
            yield name.span("name"), Office(name["name"], name["kind"])
