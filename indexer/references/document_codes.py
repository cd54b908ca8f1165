"""What an office numbers its documents with: SOP-014, QM-DO-02, SOP-4.2-001, 手順書B-03. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from morenashi.indexer.text import normalise

from .reference import Reference

_NUMBER = r"[0-9]{1,5}(?:[.-][0-9]{1,5}){0,3}"
CODE = rf"[A-Z]{{2,6}}(?:-[A-Z]{{1,6}})?-{_NUMBER}"
# Beside a word for what it is, one letter is enough.
_CODE_OF_KIND = rf"[A-Z]{{1,6}}(?:-[A-Z]{{1,6}})?-{_NUMBER}(?![0-9A-Za-z-])"
_KINDS = (
    "規程|規則|要領|要綱|細則|手順書|要領書|標準書|仕様書|説明書|計画書|手引書?|手引き"
    "|マニュアル|ガイドライン|ガイド|ポリシー"
)
CODED = rf"[^\s、。，．,.:：;→「」『』（）()\[\]|ぁ-ん]{{0,30}}(?:{_KINDS})[ 　]?{_CODE_OF_KIND}"
"""A document by its kind and its number: 手順書B-03, 環境管理手順書 E-07."""
MAY_CITE = re.compile("[程則領綱書引きルンドー][ 　]?[A-Z]{1,6}-")

# Of a place in it that says more: 手順書B-03の5章. Atomic: of 手順書B-03.1の5章 no B-03 is cited.
_CITED = re.compile(rf"(?>{CODED})(?![」』]?[ 　]?の?[ 　]?第?[0-9０-９])")
_SERIES = re.compile("[0-9].*")
_NAME_AND_CODE = re.compile(f"(.*?) ?({_CODE_OF_KIND.lower()})")
# Not 本社規程.
_SELF = re.compile(f"[本当同](?:{_KINDS})")
# As a title has it: 入退室管理手順書(b-03), 手順書 f-05 受入検査, b-03 入退室管理手順書; and a line of its own for it.
_IN_TITLE = re.compile(
    f"^(?P<first>(?:{CODE.lower()}|[a-z]-[0-9]{{2,5}})(?=[-_:. ]|$))|\\((?P<behind>{_CODE_OF_KIND.lower()})\\)$"
    f"|(?:{_KINDS}) ?(?P<of_kind>{_CODE_OF_KIND.lower()})(?=[ :]|$)"
)
# Not 上位規程番号.
_STATED = re.compile(rf"(?<![一-鿿])(?:文書|管理|規程|資料)(?:番号|コード|no\.?)[ :|]{{1,5}}({_CODE_OF_KIND.lower()})")
_MAY_STATE = ("文書", "管理", "規程", "資料")
_MOST_LINES, _LONGEST_LINE = 15, 300


def codes_of(names: Iterable[str], lines: Sequence[str]) -> list[str]:
    """The codes of a document with these names, normalised, and these first lines: 文書番号：B-03."""
    found = [match[match.lastgroup or 0] for name in names for match in _IN_TITLE.finditer(name)]
    begun = (line[:_LONGEST_LINE] for line in lines[:_MOST_LINES])
    first = [line for line in begun if any(map(line.__contains__, _MAY_STATE))]
    return found + [match[1] for line in first for match in _STATED.finditer(normalise(line))]


def find_coded_documents(line: int, text: str, titles: Set[str]) -> Iterator[Reference]:
    """The references of a line to documents as wholes; `titles` are what the document itself is called."""
    for match in _CITED.finditer(text):
        if called := meant_by(match[0], titles):
            yield Reference(line, match.start(), "document", None, normalise(match[0]), called, "")


def meant_by(written: str, titles: Set[str]) -> str | None:
    """What the document is called that a text names so: by its code, if it has one. `None` for one with these titles,
    and for 本手順書B-03.

    >>> meant_by("環境管理手順書 E-07", set()), meant_by("旅費規程", {"旅費規程"})
    ('e-07', None)
    """
    name = normalise(written)
    coded = _NAME_AND_CODE.fullmatch(name)
    called = coded[2] if coded else name
    is_own = called in titles or (coded is not None and _SELF.fullmatch(coded[1]))
    return None if is_own else called


def may_be_document(code: str, name: str, known: Set[str], titles: Set[str]) -> bool:
    """Whether SOP-014 before a place means a document: SHA-256 does not, where the document itself has the place.

    `name` is that of the place, `known` are those of the document's own, `titles` what itself is called: SOP-015.
    """
    series = _SERIES.sub("", normalise(code))
    return name not in known or any(title.startswith(series) for title in titles)
