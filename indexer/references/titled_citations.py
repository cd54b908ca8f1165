"""Places that text names by their titles in quotes: 「お手入れ」をご覧ください, see or under "Cleaning". Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from morenashi.indexer.text import normalise

from .place_keys import anchor_key
from .reference import Reference

_TITLE = r"[^「」『』“”\"\n]{1,80}"
_CITATION = re.compile(
    rf"[「『“]({_TITLE})[」』”](?:の?(?:項目?|章|節|欄|ページ|頁|手順|説明))?"
    r"[ 　]?(?:[をもにで]?[ 　]?(?:ご?参照|ご?覧|ご?確認|お読み|従[いっう]|記載|説明し)|へ(?=[。、）)\s]|$|お?進|戻))"
    rf"|\b(?:[Ss]ee|[Rr]efer to|[Uu]nder|[Ii]n|[Ss]ections?|[Cc]hapters?)(?: also)?(?: the)?(?: sections?| chapters?)?"
    rf"(?: (?:titled|entitled|called|headed|named))? [“\"]({_TITLE})[”\"]"
)
MAY_CITE = ("参照", "覧", "に従", "確認", "お読み", "記載", "」へ", "』へ", "で説明", ' "', " “")
_NUMBER = re.compile("~(?:第?[0-9]+[章節項]?|[a-z](?=[^a-z]))")


def by_title(names: Iterable[str]) -> dict[str, str]:
    """The names of a document's headings by what they say, with the numbers that they begin with and without these;
    what several say is none's.

    >>> by_title(["~32設定", "~41概要", "~51概要", "条3"])
    {'~設定': '~32設定', '~32設定': '~32設定', '~41概要': '~41概要', '~51概要': '~51概要'}
    """
    said = {slug: _NUMBER.sub("~", slug, count=1) for slug in names if slug.startswith("~")}
    times = Counter(said.values())
    titles = {words: slug for slug, words in said.items() if words != slug and times[words] == 1}
    # A second heading of the same text has a number behind it.
    return titles | {slug: slug for slug in said if f"{slug}1" not in said}


def find_titled_citations(line: int, text: str, titles: Mapping[str, str]) -> Iterator[Reference]:
    """The references of a line; `titles` as `by_title` has them. A title that no heading has may be anything's."""
    for match in _CITATION.finditer(text):
        group = match.lastindex or 1
        if name := titles.get(anchor_key(match[group])):
            yield Reference(line, match.start(group), "section", None, normalise(match[group]).strip(), None, name)
