"""That something has a limit, or none: ファイルの数に制限はない and ファイルの数は無制限とする; there is no limit on
uploads, uploads are unlimited. Pure.
"""

import re

from .blocks import names_its_thing
from .claims import Claim, marks_of
from .wording import bare, plain

_OF = "(?P<of>.{2,60}?)(?:に(?:は|も)?|の|は、?)(?:(?P<until>[一-鿿]{0,4}期限)|上限|制限|限度|制約)[はがも]、?"
_IS_NONE = "(?:な[いし]|無[いし]|ありません|ございません|(?:設け|定め)(?:て(?:い|おり))?(?:ない|ません)|無制限|無期限)"
_FORMS = (
    (re.compile(f"{_OF}(?:特に|一切)?{_IS_NONE}"), False),
    (re.compile("(?P<of>.{2,60})は、?無(?:制限|(?P<until>期限))"), False),
    (re.compile(f"{_OF}ある"), True),
)
_WHAT = "[a-z' -]{3,60}"
_ENGLISH_FORMS = (
    (
        re.compile(
            "there (?:is|are) no (?:upper |hard |fixed )?(?:limit|cap|restriction)s? (?:on|to|for) (?:the )?"
            f"(?P<of>{_WHAT})"
        ),
        False,
    ),
    (
        re.compile(f"(?:the )?(?P<of>{_WHAT}?) (?:(?:is|are) unlimited|ha(?:s|ve) no (?:upper )?(?:limit|maximum))"),
        False,
    ),
    (re.compile(f"(?:the )?(?:max(?:imum)? |limit (?:on|of|for) (?:the )?)(?P<of>{_WHAT}?) is [0-9].*"), True),
    (re.compile(f"(?:the )?(?P<of>{_WHAT}?) (?:is|are) (?:limited|restricted|capped)\\b.*"), True),
)
_SENSES = ("has a limit",)
_MAY_LIMIT = ("限", "制約", "limit", "cap", "max", "restrict")


def read_limit(sentence: str) -> Claim | None:
    """That something has a limit is the claim, that it has none its denial."""
    if not any(map(sentence.__contains__, _MAY_LIMIT)):
        return None
    said = plain(sentence)
    for form, is_so in _ENGLISH_FORMS if sentence.isascii() else _FORMS:
        if found := form.fullmatch(said):
            of = found["of"].removeprefix("number of ")
            rest = of if sentence.isascii() else bare(of) + (found["until"] or "")
            marks = marks_of(of)
            return Claim(rest, of if names_its_thing(of) else "", marks, is_so, _SENSES) if marks else None
    return None
