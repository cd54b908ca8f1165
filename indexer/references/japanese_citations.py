"""Places that Japanese text names in words: 第三条の二第一項, 前条, 所得税法第二十八条, 別表第一. Pure.

A line is read once from left to right. An article without the name of a law is the document's own, unless it
goes on an enumeration (法第三条及び第五条: both of 法), as drafting has it. 同条 and 同法 mean what was named last.
What stands in quotes as the wording of an amendment is no reference.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from morenashi.indexer.numerals import ERA

from .citing_document import CitingDocument
from .japanese_enumerations import further_article
from .japanese_targets import TOKEN, Target, back_matter, read_detail, read_further, read_target
from .law_names import LAW_ENDINGS, is_rule, is_rule_of_office
from .place_keys import HYPHENS, NUMBER, RANGE_SIGNS, between
from .reference import Reference, each_target_once, plain_normal
from .relations import Relations

# A set of characters to begin with, as in TOKEN.
_TRIGGER = re.compile(
    "[条章節編款式表紙添図記録則う]"
    f"(?:(?<=[条章節編款])|(?<=様式)|(?<=別[表紙添図記])|(?<=[附付][表録])|(?<=附則)|(?<=[{LAW_ENDINGS}]」という))"
)
# Each step is taken in one way only: の111項 could be parted in two, and many of them in very many ways.
_CONNECTED = re.compile(
    rf"(?>[、,，・ 　]|及び|又は|若しくは|並びに|および|または|もしくは|ならびに|から|まで|と"
    rf"|の?第?{NUMBER}[項号]|の{NUMBER}|各号|[前後]段|本文|ただし書)*+"
)
_MOST_CONNECTED = 200
_MOST_FURTHER = 50
_DEFINED = re.compile("以下[^「」（）()。]{0,30}$")
_REWORDED = re.compile("とある|と読み|を「|及び「|、「|とする|に改め|を加え|を削")
_DATED = re.compile(ERA)
_RANGE = re.compile(f"から|ないし|乃至|[{RANGE_SIGNS}{HYPHENS}]")
_LAST_NUMBER = re.compile("(.*[^0-9-])([0-9]+)")


def may_cite(text: str) -> bool:
    """Whether it is worth to read the lines of a text."""
    return bool(_TRIGGER.search(text))


def find_japanese_citations(document: CitingDocument, line: int, text: str) -> Iterator[Reference]:
    """The references of a line as it stands in the file, none to where it stands."""
    if _TRIGGER.search(text):
        for reference in each_target_once(_LineReader(document, line, text).read()):
            if reference.name not in document.standing.names or reference.called or reference.last:
                yield reference
    document.laws.read(text)


@dataclass(slots=True)
class _Frame:
    """What a line has said between a pair of brackets, or outside all."""

    start: int = 0
    cursor: int = 0
    chained: str | None = None
    """The law that an enumeration goes on with."""
    group: tuple[int, int] = (-1, -1)
    """The last inner pair of brackets: where it opened, where it ended."""


class _LineReader:
    """One line, read once."""

    def __init__(self, document: CitingDocument, line: int, text: str) -> None:
        self._document = document
        self._laws = document.laws
        self._line = line
        self._text = text
        self._frames = [_Frame()]
        self._quotes: list[tuple[int, list[tuple[Reference, int]]]] = [(0, [])]
        """The line, and the quotes that are open: where each began, and the references in it with their ends."""
        self._relations = Relations(text)
        self._has_wording = "とあるのは" in text
        self._range_from: tuple[Target, int] | None = None
        """What was cited last, and where its words ended."""

    def read(self) -> Iterator[Reference]:
        consumed = 0
        for match in TOKEN.finditer(self._text):
            kind = match.lastgroup
            if kind == "open":
                self._open(match)
            elif kind == "close":
                self._close(match)
            elif kind == "quote":
                self._quotes.append((match.start(), []))
            elif kind == "unquote":
                self._unquote(match)
            elif match.start() >= consumed:
                found, consumed = self._cite(match)
                self._quotes[-1][1].extend((reference, consumed) for reference in found)
        return (reference for _, kept in self._quotes for reference, _ in kept)

    def _open(self, match: re.Match[str]) -> None:
        frame = self._frames[-1]
        self._go_on(frame, match.start())
        if _DATED.match(self._text, match.end()) and (law := self._law_before(frame, match.start())):
            self._laws.mention(law[1])
        frame.group = (match.start(), -1)
        self._frames.append(_Frame(match.end(), match.end()))

    def _close(self, match: re.Match[str]) -> None:
        if len(self._frames) > 1:
            self._frames.pop()
            frame = self._frames[-1]
            frame.group = (frame.group[0], match.end())
            frame.cursor = match.end()

    def _unquote(self, match: re.Match[str]) -> None:
        if len(self._quotes) == 1:
            return
        text = self._text
        opened, kept = self._quotes.pop()
        if len(self._frames) > 1 and text.startswith("という", match.end()):
            frame = self._frames[-2]
            if _DEFINED.search(text, max(opened - 35, 0), opened) and (law := self._law_before(frame, frame.group[0])):
                self._laws.define(text[opened + 1 : match.start()], law[1])
        if kept and self._is_wording(opened, match.end()):
            kept = [(reference, end) for reference, end in kept if self._has_own_caption(reference, end)]
        self._quotes[-1][1].extend(kept)

    def _is_wording(self, opened: int, closed: int) -> bool:
        """Whether a quote is the wording of a provision, as it is or as it is to be read."""
        return (
            self._text[opened - 1 : opened] == "中"
            or bool(_REWORDED.match(self._text, closed))
            or (self._has_wording and self._text.startswith("と", closed))
        )

    def _has_own_caption(self, reference: Reference, end: int) -> bool:
        """Whether the caption of the document's own article stands behind its number: then it is that one."""
        caption = self._document.names.captions.get(reference.name) if reference.called is None else None
        if not caption:
            return False
        return plain_normal(self._text[end : end + 2 * len(caption) + 2]).startswith(f"({caption})")

    def _go_on(self, frame: _Frame, end: int) -> None:
        """End an enumeration where other words than and, or, paragraph stand between."""
        if frame.chained is not None:
            near = end - frame.cursor <= _MOST_CONNECTED
            if not (near and _CONNECTED.fullmatch(self._text, frame.cursor, end)):
                frame.chained = None
        frame.cursor = end

    def _law_before(self, frame: _Frame, end: int) -> tuple[int, str] | None:
        """The law named right before a place, over brackets between: 民法（明治…号）第三条, 民法（第三条を除く。）."""
        opened, closed = frame.group
        if closed == end:
            end = opened
        elif frame.start == end and len(self._frames) > 1:
            end -= 1
        return self._laws.before(self._text, end)

    def _cite(self, match: re.Match[str]) -> tuple[list[Reference], int]:
        """The references at a token, several of an enumeration, and where what it says ends."""
        frame = self._frames[-1]
        start, end = match.span()
        self._go_on(frame, start)
        if match.lastgroup == "same":
            return self._cite_same(match)
        law = self._law_before(frame, start)
        if law is None and match.lastgroup == "bare":
            # 3条 is no article by itself, as it is in 民法3条.
            return [], end
        if law is not None and self._may_be_beside(match, law[1]):
            law = None
        called = frame.chained if law is None else law[1] or None
        if law is not None and called:
            self._laws.mention(called)
        target, end = read_target(self._document, match, called)
        if target is None:
            return [], end
        frame.cursor, frame.chained = end, called
        self._document.same = (target.called, target.name)
        written = self._text[match.start() : end]
        if law is not None and frame.start != start:
            # The number of the law between its name and the article is left out.
            opened = frame.group[0] if frame.group[1] == start else start
            written = self._text[law[0] : opened] + written
            start = law[0]
        inside = self._inside_range(match, target)
        found = [self._reference(start, end, written, one) for one in (*inside, target)]
        further, frame.cursor = self._go_on_with(match, end, called)
        self._range_from = target, end
        return found + further, frame.cursor

    def _go_on_with(self, match: re.Match[str], end: int, called: str | None) -> tuple[list[Reference], int]:
        """What an enumeration names behind its first place by numbers alone, and where it ends."""
        found: list[Reference] = []
        text = self._text
        for start, end_of, target in read_further(self._document, match, end, called):
            end = end_of
            found.append(self._reference(start, end, text[start:end], target))
        while (
            match.lastgroup in ("article", "bare")
            and len(found) < _MOST_FURTHER
            and (more := further_article(text, end))
        ):
            target_of, end = read_target(self._document, more, called)
            if target_of is None:
                break
            start = more.start("article")
            found.append(self._reference(start, end, text[start:end], target_of))
            self._document.same = (target_of.called, target_of.name)
        return found, end

    def _reference(self, start: int, end: int, written: str, target: Target) -> Reference:
        """What is cited from `start` to `end` of the line, in the words that name it."""
        relation = self._relations.of(start, end)
        return Reference(self._line, start, target.kind, relation, plain_normal(written), *target[1:])

    def _inside_range(self, match: re.Match[str], last: Target) -> list[Target]:
        """What lies between two places of one kind that a range names both as such: 様式第2号から様式第4号まで.

        Of the chapters of the document itself (第2章～第4章) those that it has; of a law elsewhere only what is said.
        """
        if self._range_from is None or match.lastgroup not in ("appendix", "form", "division"):
            return []
        first, ended = self._range_from
        begin, end = _LAST_NUMBER.fullmatch(first.place), _LAST_NUMBER.fullmatch(last.place)
        if begin is None or end is None or begin[1] != end[1] or not _RANGE.fullmatch(self._text, ended, match.start()):
            return []
        names = [end[1] + number for number in between(begin[2], end[2])]
        called = last.called if last.name else None
        if called and not is_rule_of_office(called):
            return []
        if match.lastgroup != "division":
            return [back_matter(self._document, last.kind, called, name) for name in names]
        return [last._replace(name=name) for name in names if called or name in self._document.names.known]

    def _may_be_beside(self, match: re.Match[str], called: str) -> bool:
        """Whether a document of its own may be meant: 操作説明書の別紙2, if this has none, but not 旅費規程の別表2."""
        is_of = match.lastgroup in ("appendix", "form") and self._text[match.start() - 1 : match.start()] == "の"
        if not is_of or is_rule(called):
            return False
        own, _ = read_target(self._document, match, None)
        return own is None or own.called is not None

    def _cite_same(self, match: re.Match[str]) -> tuple[list[Reference], int]:
        detail, end = read_detail(self._text, match.end())
        self._frames[-1].cursor = end
        if self._document.same is None or detail is None:
            return [], end
        called, name = self._document.same
        self._frames[-1].chained = called
        target = Target("relative", called, name, detail)
        return [self._reference(match.start(), end, self._text[match.start() : end], target)], end
