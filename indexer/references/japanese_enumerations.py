"""What goes on with a place that Japanese text names: 別表1及び2, 第5条及び6条, 様式1から3まで. Pure.

A number that goes on counts only where no unit or counter follows it: 別表1及び2名の証人.
"""

import re
from typing import NamedTuple

from .place_keys import BRANCHES, NO_WORD, NUMBER, NUMBER_BRANCHES, RANGE_SIGNS

AND = "(?:、|，|,[ ]?|・|及び|および|又は|または|若しくは|もしくは|並びに|ならびに|と)"
# What may stand behind a number that is the name of something.
STANDS = (
    r"[ 　]?(?:$|[、。，）)」』】\]・|]|[,.．](?![0-9０-９])|[のをはがへ]|に(?!つ)|で|も(?!の)|と(?!お)|のとおり"
    f"|による|より|から(?!なる)|まで|及び|および|又は|または|若しくは|もしくは|並びに|ならびに|参照|記載|以外|[{RANGE_SIGNS}-])"
)
_FURTHER = re.compile(
    rf"(?:{AND}|(?P<from>から)|(?P<range>[{RANGE_SIGNS}]))[ 　]?第?(?P<number>{NUMBER})号?(?P<branches>{BRANCHES})"
    rf"(?(from)まで|(?={STANDS}))"
)
_FURTHER_ARTICLE = re.compile(
    rf"{AND}(?P<article>(?P<supplement>(?!))?(?P<number>{NUMBER}) ?条{NO_WORD}(?P<branches>{NUMBER_BRANCHES}))"
)
_MOST = 50


class Further(NamedTuple):
    """A number that goes on, with its branches and where its words begin and end; `is_range` if those between too."""

    number: str
    branches: str
    start: int
    end: int
    is_range: bool


def further_numbers(text: str, end: int, first: str) -> list[Further]:
    """What goes on behind an appendix or a form with the number `first` that ends there."""
    found: list[Further] = []
    while len(found) < _MOST and (match := _FURTHER.match(text, end)):
        if match["number"][0].isdigit() != first[0].isdigit():
            break
        is_range = bool(match["from"] or match["range"])
        found.append(Further(match["number"], match["branches"], match.start("number"), match.end(), is_range))
        end = match.end()
    return found


def further_article(text: str, end: int) -> re.Match[str] | None:
    """An article without 第 that goes on behind one: 及び6条."""
    return _FURTHER_ARTICLE.match(text, end)
