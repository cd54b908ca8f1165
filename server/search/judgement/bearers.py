"""Who of two bears a cost: 送料は当社が負担する and 送料はお客様の負担とする cannot both hold. Pure.

Only of those who stand against each other: what the head office pays, the company pays too.
"""

import re

from .blocks import names_its_thing
from .claims import Claim, marks_of
from .wording import bare, plain

_AGAINST = (
    (
        "会社 当社 弊社 当店 弊店 当館 当院 当行 当校 当会 主催者 事業主",
        "お客様 お客さま 利用者 ご利用者 購入者 契約者 ご契約者 申込者 参加者 受講者 会員"
        " 本人 自己 個人 従業員 社員 職員",
    ),
    ("貸主 賃貸人 家主", "借主 賃借人 入居者"),
    ("売主 販売者 出品者", "買主 購入者 落札者"),
    ("company employer", "employee customer client"),
    ("seller vendor supplier merchant", "customer buyer purchaser"),
    ("landlord lessor", "tenant lessee"),
)
# On which side each of them stands, and in which pairs.
_SIDES = {
    who: (side == 0, tuple(f"pair {place}" for place, pair in enumerate(_AGAINST) if who in pair[side].split()))
    for pair in _AGAINST
    for side, names in enumerate(pair)
    for who in names.split()
}
_BEARS = re.compile(
    "は、?(?:全て|すべて|原則として)?(?P<who>[^はがをの、。]{2,4}?)(?:が(?:全額)?(?:を|、)?|の(?:全額)?ご?)?負担"
    "(?:いた|致|すべき)?$"
)
_BEARS_IN_ENGLISH = re.compile(r" (?:is|are|(?:shall|must|will) be) (?:paid|borne) by (?:the )?(?P<who>[a-z]+?)s?$")
_BORNE, _BY = "負担", " by"
_LONGEST_END = 40


def read_bearer(sentence: str) -> Claim | None:
    """Who bears what: that the one does is the claim, that the other does its denial."""
    form, mark = (_BEARS_IN_ENGLISH, _BY) if sentence.isascii() else (_BEARS, _BORNE)
    if mark not in sentence:
        return None
    sentence = plain(sentence)
    found = form.search(sentence, max(len(sentence) - _LONGEST_END, 0))
    side = found and _SIDES.get(found["who"])
    borne = sentence[: found.start()] if found else ""
    marks = marks_of(borne)
    if not side or not marks:
        return None
    is_first, senses = side
    # 送料は: of what, the headings say.
    return Claim(bare(borne), borne if names_its_thing(borne) else "", (marks[0], mark), is_first, senses)
