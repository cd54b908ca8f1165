"""The grammar of places in Japanese text: 第三条の二第一項, 前条, 第二章第一節, 別表第一, 第三号様式. Pure.

What stands at a token of a line, and what that means in the document that the line is of.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from morenashi.indexer.numerals import KANJI_NUMERALS

from .chapters import chapter_with
from .citing_document import CitingDocument
from .japanese_enumerations import further_numbers
from .place_keys import (
    BRANCHES,
    DIVISION_NUMBER,
    HYPHENS,
    LETTER,
    NO_ONE,
    NO_WORD,
    NUMBER,
    NUMBER_BRANCHES,
    OF_ARTICLES,
    RANGE_SIGNS,
    between,
    branched,
)
from .reference import ReferenceKind, plain_normal

# No document, but the supplementary provisions that an amending law brought cite it without a name.
_AMENDING_LAW = "改正法"
# 第三章の二; but not 第三章の一部, 第三章の二つ.
_DIVISION_BRANCHES = rf"(?:の(?![一1１](?![0-9０-９{KANJI_NUMERALS}])){NUMBER}+(?![分人つ点部項種件割個以]))*"
# A first character comes before the alternatives and is looked back at: a set of characters is what Python's re can
# search for quickly, 4 times as quick as the same alternatives side by side.
TOKEN = re.compile(
    "[（(）)「」第前次同別附付様0-9０-９](?:"
    + "|".join(
        (
            "(?P<open>(?<=[（(]))",
            "(?P<close>(?<=[）)]))",
            "(?P<quote>(?<=「))",
            "(?P<unquote>(?<=」))",
            rf"(?P<article>(?:(?<=第)|(?<=附)(?P<supplement>則) ?の?第) ?(?P<number>{NUMBER}) ?条{NO_WORD}"
            rf"(?P<branches>{NUMBER_BRANCHES}))",
            rf"(?P<bare>(?<=[{OF_ARTICLES}綱）)」』][0-9０-９])(?P<digits>[0-9０-９]*) ?条{NO_WORD}"
            rf"(?P<bare_branches>{NUMBER_BRANCHES}))",
            rf"(?P<paragraph>(?<=附)則 ?第? ?(?P<paragraph_number>{NUMBER}) ?項)",
            rf"(?P<relative>(?<=[前次])(?<![事以従直空][前次])(?P<count>々|{NUMBER})?条{NO_WORD})",
            f"(?P<same>(?<=同)条{NO_WORD})",
            f"(?P<division>(?<=第) ?{DIVISION_NUMBER} ?[編章節款]{_DIVISION_BRANCHES}"
            f"(?:第 ?{DIVISION_NUMBER} ?[編章節款]{_DIVISION_BRANCHES})*)",
            "(?P<near>(?<=[前次])[編章節款])",
            rf"(?P<form>(?:(?<=別)[記紙添] ?様式|(?<=様)式){NO_ONE} ?第? ?(?P<form_number>{NUMBER}) ?号?"
            rf"(?P<form_branches>{BRANCHES})"
            rf"|(?<=第) ?(?P<form_first>{NUMBER}) ?号様式(?P<first_branches>{BRANCHES}))",
            rf"(?P<appendix>(?:(?<=別)[表紙添図記]|(?<=[付附])[表録]){NO_ONE}"
            rf"(?: ?第? ?(?P<row>{NUMBER})(?P<row_branches>{BRANCHES})| ?(?P<letter>{LETTER}))?)",
        )
    )
    + ")"
)
_DETAIL = re.compile(rf"(?:第? ?({NUMBER}) ?項)?(?:第? ?{NUMBER} ?号{NUMBER_BRANCHES})?")
_TO = re.compile(
    rf"(?:(?P<from>から)|ないし|乃至|[{RANGE_SIGNS}{HYPHENS}])"
    rf"(?:第? ?(?P<number>{NUMBER}) ?条(?P<branches>{NUMBER_BRANCHES})|前条)"
    rf"(?:第? ?{NUMBER} ?項)?(?:第? ?{NUMBER} ?号{NUMBER_BRANCHES})?(?(from)(?:まで|(?=[のをには、。（(]|各)))"
)
_DIVISION = re.compile(f"第 ?({DIVISION_NUMBER}) ?([編章節款])({_DIVISION_BRANCHES})")
# の二分の一 is a fraction, no branch.
_FRACTION = re.compile("分の|以上|以下|以内|[人つ]")


class Target(NamedTuple):
    """What is cited, as in `Reference`."""

    kind: ReferenceKind
    called: str | None
    name: str
    detail: str | None = None
    last: str | None = None

    @property
    def place(self) -> str:
        """The name of the place, be it that of a document of its own."""
        return self.name or self.called or ""


Cited = tuple[Target | None, int]
"""What is cited, if anything is, and where the words that say so end."""


def read_target(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    """What a match of `TOKEN` cites that is neither a bracket, a quote nor 同条; `called` is the law it is of."""
    return _TARGETS[match.lastgroup or ""](document, match, called)


def read_detail(text: str, start: int) -> tuple[str | None, int]:
    """The paragraph that is named there, 項2 if any, and where its words end."""
    match = _DETAIL.match(text, start)
    if match is None:
        return None, start
    number = branched(match[1], "") if match[1] else ""
    return (f"項{number}" if number else None), match.end()


def read_further(
    document: CitingDocument, match: re.Match[str], end: int, called: str | None
) -> Iterator[tuple[int, int, Target]]:
    """What goes on behind a place that ends there, if that is an appendix or form with a number: where its words begin
    and end, and what is cited.
    """
    first = match["row"] or match["form_number"] or match["form_first"]
    if not first:
        return
    kind: ReferenceKind = "appendix" if match["row"] else "form"
    word = match[0][:2] if match["row"] else "様式"
    last = branched(first, "")
    for further in further_numbers(match.string, end, first):
        number = branched(further.number, further.branches)
        if not number:
            return
        for one in (*(between(last, number) if further.is_range else ()), number):
            yield further.start, further.end, back_matter(document, kind, called, word + one)
        last = number


def _article(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    text, end = match.string, match.end()
    is_bare = match.lastgroup == "bare"
    branches = match["bare_branches"] if is_bare else match["branches"]
    if branches and (_FRACTION.match(text, end) or branches.endswith(("の一", "の1", "の１"))):
        end -= len(branches) - branches.rfind("の")
        branches = branches[: branches.rfind("の")]
    number = branched(match[0][0] + match["digits"] if is_bare else match["number"], branches)
    if not number:
        return None, end
    is_supplement = match["supplement"] is not None
    if called is None and not is_supplement and document.standing.block in document.names.amending_blocks:
        called = _AMENDING_LAW
    if called is None:
        name = document.own_article(number, is_supplement=is_supplement)
    else:
        name = f"附則1条{number}" if is_supplement else f"条{number}"
    detail, end = read_detail(text, end)
    to = _TO.match(text, end)
    if to is None:
        return Target("article", called, name, detail), end
    last = _end_of_range(name, to)
    if last is None:
        near = document.neighbours("前", 1)
        last = near[0] if near else name
    if last == name:
        return Target("article", called, name, detail), to.end()
    return Target("range", called, name, last=last), to.end()


def _supplement_paragraph(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    """附則第2項: of supplementary provisions without articles."""
    block = document.standing.block if called is None else ""
    number = branched(match["paragraph_number"], "")
    return (Target("article", called, block or "附則1", f"項{number}") if number else None), match.end()


def _relative(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    is_second = match["count"] == "々"
    count = 2 if is_second else int(branched(match["count"], "") or 0) if match["count"] else 1
    near = document.neighbours(match[0][0], count) if 0 < count < 100 else None
    detail, end = read_detail(match.string, match.end())
    if near is None:
        return Target("relative", None, match[0]), end
    first, last = near
    if is_second:
        # 前々条: the farther one alone.
        first = last = first if match[0][0] == "前" else last
    if to := _TO.match(match.string, end):
        end = to.end()
        last = _end_of_range(first, to) or last
    return Target("relative", None, first, detail, None if first == last else last), end


def _division(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    steps = [(step[2], branched(step[1], step[3])) for step in _DIVISION.finditer(match[0])]
    if not all(number for _, number in steps):
        return None, match.end()
    way = "".join(kind + number for kind, number in steps)
    name = document.own_division(steps) if called is None else way
    is_here = called is None and re.match(f"{name}(?![0-9-])", document.standing.division) is not None
    return None if is_here else _in_book(document, called, name), match.end()


def _near(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    name = document.near_division(*match[0])
    return (_in_book(document, None, name) if name else None), match.end()


def _in_book(document: CitingDocument, called: str | None, name: str) -> Target:
    """A chapter, or a part of one: of this document, or the whole or a part of another one that is a chapter."""
    chapter = None if called else chapter_with(name, document.names.known, document.titles)
    if chapter:
        called, name = chapter, name if "節" in name else ""
    return Target("division", called, name)


def _appendix(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    name, known = match[0][:2], document.names.known
    if match["row"]:
        name = _branch(document, called, name, match["row"], match["row_branches"])
    elif match["letter"] and ((lettered := name + plain_normal(match["letter"])) in known or name not in known):
        name = lettered
    elif called is None and name not in known:
        return None, match.end()
    return back_matter(document, "appendix", called, name), match.end()


def _form(document: CitingDocument, match: re.Match[str], called: str | None) -> Cited:
    branches = match["form_branches"] or match["first_branches"] or ""
    name = _branch(document, called, "様式", match["form_number"] or match["form_first"], branches)
    return back_matter(document, "form", called, name) if name != "様式" else None, match.end()


def _branch(document: CitingDocument, called: str | None, kind: str, number: str, branches: str) -> str:
    """The name of an appendix or form; of 別表1-3, where that is none, 別表1: it is the first of a range."""
    name, whole = kind + branched(number, branches), kind + branched(number, "")
    known = document.names.known
    is_range = called is None and "の" not in branches and name not in known and whole in known
    # Where there is a 様式2-3, 様式2-9 is none of 様式2 to 様式9.
    return whole if is_range and whole not in document.branched else name


def back_matter(document: CitingDocument, kind: ReferenceKind, called: str | None, name: str) -> Target:
    """An appendix or form: of this document if it has it, or a document of its own."""
    if called is None and name not in document.names.known:
        return Target(kind, name, "")
    return Target(kind, called, name)


def _end_of_range(first: str, to: re.Match[str]) -> str | None:
    """The name of the article that a range from `first` ends with; `None` if that is not told by its number."""
    return first[: first.rindex("条") + 1] + branched(to["number"], to["branches"]) if to["number"] else None


# By the group of TOKEN that matched.
_TARGETS = {
    "article": _article,
    "bare": _article,
    "paragraph": _supplement_paragraph,
    "relative": _relative,
    "division": _division,
    "near": _near,
    "appendix": _appendix,
    "form": _form,
}
