"""Places that Japanese text names in words: 第三条の二第一項, 前条, 所得税法第二十八条, 別表第一. Pure.

A line is read once from left to right. An article without the name of a law is the document's own, unless it
goes on an enumeration (法第三条及び第五条: both of 法), as drafting has it. 同条 and 同法 mean what was named last.
What stands in quotes as the wording of an amendment is no reference.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .chapters import chapter_with
from .law_names import LawNames
from .named_places import NamedSections, Standing
from .place_keys import DIVISIONS, NUMBER, branched
from .references import Kind, Reference, Relation, each_target_once, plain_normal

AMENDING_LAW = "改正法"
"""An amending law is no document, but the supplementary provisions that it brought cite it without a name."""

_BRANCHES = f"(?:の{NUMBER})*"
_LETTER = "[A-Za-zＡ-Ｚ](?![A-Za-zＡ-Ｚ])"
# 条件, 条約 and 条例 are no articles.
_NO_WORD = "(?![件約例文理数])"
# In these two a first character comes before the alternatives and is looked back at: a set of characters is what
# Python's re can search for quickly, 4 times as quick as the same alternatives side by side.
_TRIGGER = re.compile(
    "[条章節編款式表紙添図録則う]"
    "(?:(?<=[条章節編款])|(?<=様式)|(?<=別[表紙添図])|(?<=[附付][表録])|(?<=附則)|(?<=[法律令則例程約綱款定]」という))"
)
_TOKEN = re.compile(
    "[（(）)「」第前次同別附付様](?:"
    + "|".join(
        (
            "(?P<open>(?<=[（(]))",
            "(?P<close>(?<=[）)]))",
            "(?P<quote>(?<=「))",
            "(?P<unquote>(?<=」))",
            rf"(?P<article>(?:(?<=第)|(?<=附)(?P<supplement>則) ?第) ?(?P<number>{NUMBER}) ?条{_NO_WORD}"
            rf"(?P<branches>{_BRANCHES}))",
            rf"(?P<relative>(?<=[前次])(?<![事以従直空][前次])(?P<count>{NUMBER})?条{_NO_WORD})",
            f"(?P<same>(?<=同)条{_NO_WORD})",
            f"(?P<division>(?<=第) ?{NUMBER}{_BRANCHES}[編章節款](?:第 ?{NUMBER}{_BRANCHES}[編章節款])*)",
            "(?P<near>(?<=[前次])[編章節款])",
            rf"(?P<form>(?:(?<=別)記 ?様式|(?<=様)式) ?第? ?(?P<form_number>{NUMBER}) ?号?"
            rf"(?P<form_branches>{_BRANCHES})"
            rf"|(?<=第) ?(?P<form_first>{NUMBER}) ?号様式(?P<first_branches>{_BRANCHES}))",
            rf"(?P<appendix>(?:(?<=別)[表紙添図]|(?<=[付附])[表録])"
            rf"(?: ?第? ?(?P<row>{NUMBER})(?P<row_branches>{_BRANCHES})| ?(?P<letter>{_LETTER}))?)",
        )
    )
    + ")"
)
_DETAIL = re.compile(rf"(?:第? ?({NUMBER}) ?項)?(?:第? ?{NUMBER} ?号{_BRANCHES})?")
_TO = re.compile(
    rf"(?:から|(?P<dash>[~〜～–—―－-]))(?:第? ?(?P<number>{NUMBER}) ?条(?P<branches>{_BRANCHES})|前条)"
    rf"(?:第? ?{NUMBER} ?項)?(?:第? ?{NUMBER} ?号{_BRANCHES})?(?(dash)|まで)"
)
_CONNECTED = re.compile(
    rf"(?:[、,，・ 　]|及び|又は|若しくは|並びに|から|まで|と|第?{NUMBER}[項号]|の{NUMBER}"
    "|各号|[前後]段|本文|ただし書)*"
)
_MOST_CONNECTED = 200
_DIVISION = re.compile(f"第 ?({NUMBER})({_BRANCHES})([編章節款])")
# の二分の一 is a fraction, no branch.
_FRACTION = re.compile("分の|以上|以下|以内|[人つ]")
_DEFINED = re.compile("以下[^「」（）()。]{0,30}$")
_REWORDED = re.compile("とある|と読み|を「|及び「|、「|とする|に改め|を加え|を削")
_DATED = re.compile("(?:明治|大正|昭和|平成|令和)")
_LIKE = re.compile("[^。、]{0,20}?に準[ずじ]")
_EXAMPLE = re.compile("[^。、]{0,12}?の例によ")
_RULE_IS = re.compile("の規定[はを]")


@dataclass(slots=True)
class _Frame:
    """What a line has said between a pair of brackets, or outside all."""

    start: int = 0
    cursor: int = 0
    chained: str | None = None
    """The law that an enumeration goes on with."""
    group: tuple[int, int] = (-1, -1)
    """The last inner pair of brackets: where it opened, where it ended."""


class _Target(NamedTuple):
    """What is cited, as in `Reference`."""

    kind: Kind
    called: str | None
    name: str
    detail: str | None = None
    last: str | None = None


_Cited = tuple[_Target | None, int]
"""What is cited, if anything is, and where the words that say so end."""


class JapaneseCitations:
    """Finds what the lines of one document cite. Lines come in order: the laws that were named are remembered."""

    def __init__(self, names: NamedSections, titles: Sequence[str]) -> None:
        """`titles` are what the document itself is called."""
        self.laws = LawNames(titles)
        self.names = names
        self.titles = frozenset(titles)
        self.standing = Standing()
        self.same: tuple[str | None, str] | None = None
        self._positions = {
            block: {name: position for position, name in enumerate(articles)}
            for block, articles in names.articles.items()
        }

    def enter(self, standing: Standing) -> None:
        """The lines that come next stand there."""
        self.standing = standing
        self.same = None

    @staticmethod
    def may_be_in(text: str) -> bool:
        """Whether it is worth to read the lines of a text."""
        return bool(_TRIGGER.search(text))

    def find(self, line: int, text: str) -> Iterator[Reference]:
        """The references of a line as it stands in the file, none to where it stands."""
        if _TRIGGER.search(text):
            for reference in each_target_once(_LineReader(self, line, text).read()):
                if reference.name not in self.standing.names or reference.called or reference.last:
                    yield reference

    def own_article(self, number: str, *, is_supplement: bool) -> str:
        """The name of an article that is cited without a law."""
        if is_supplement:
            return f"{self.standing.block or '附則1'}条{number}"
        name = f"条{number}"
        # Some supplementary provisions go on with the numbers of the main body.
        is_further = name not in self.names.known and self.standing.block + name in self.names.known
        return self.standing.block + name if is_further else name

    def neighbours(self, side: str, count: int) -> tuple[str, str] | None:
        """The first and the last of the articles before (前) or after (次) the one that the line stands in."""
        articles = self.names.articles.get(self.standing.block, [])
        positions = self._positions.get(self.standing.block, {})
        here = [positions[name] for name in self.standing.names if name in positions]
        if not here:
            return None
        first, last = (here[0] - count, here[0] - 1) if side == "前" else (here[-1] + 1, here[-1] + count)
        return (articles[first], articles[last]) if first >= 0 and last < len(articles) else None

    def own_division(self, steps: list[tuple[str, str]]) -> str:
        """The name of a chapter or section by the way that is given, completed by where the line stands."""
        way = "".join(kind + number for kind, number in steps)
        above = re.findall(f"[{DIVISIONS}][0-9-]+", self.standing.division)
        while above:
            if (name := "".join(above) + way) in self.names.known:
                return name
            above.pop()
        return way


class _LineReader:
    """One line, read once."""

    def __init__(self, document: JapaneseCitations, line: int, text: str) -> None:
        self._document = document
        self._laws = document.laws
        self._line = line
        self._text = text
        self._frames = [_Frame()]
        self._quotes: list[tuple[int, list[tuple[Reference, int]]]] = []
        # Asked once a line, not once a reference: a line may have 20,000 characters.
        self._applied = _applied_spans(text) if "準用" in text else []
        self._has_relations = "準" in text or "の例によ" in text
        self._has_wording = "とあるのは" in text

    def read(self) -> Iterator[Reference]:
        consumed = 0
        for match in _TOKEN.finditer(self._text):
            kind = match.lastgroup
            if kind == "open":
                self._open(match)
            elif kind == "close":
                self._close(match)
            elif kind == "quote":
                self._quotes.append((match.start(), []))
            elif kind == "unquote":
                yield from self._unquote(match)
            elif match.start() >= consumed:
                reference, consumed = self._cite(match)
                if reference is not None and self._quotes:
                    self._quotes[-1][1].append((reference, consumed))
                elif reference is not None:
                    yield reference
        for _, kept in self._quotes:
            yield from (reference for reference, _ in kept)

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

    def _unquote(self, match: re.Match[str]) -> Iterator[Reference]:
        if not self._quotes:
            return
        text = self._text
        opened, kept = self._quotes.pop()
        if len(self._frames) > 1 and text.startswith("という", match.end()):
            frame = self._frames[-2]
            if _DEFINED.search(text, max(opened - 35, 0), opened) and (law := self._law_before(frame, frame.group[0])):
                self._laws.define(text[opened + 1 : match.start()], law[1])
        if kept and self._is_wording(opened, match.end()):
            kept = [(reference, end) for reference, end in kept if self._has_own_caption(reference, end)]
        if self._quotes:
            self._quotes[-1][1].extend(kept)
        else:
            yield from (reference for reference, _ in kept)

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
        if not caption or not self._text.startswith("（", end):
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

    def _cite(self, match: re.Match[str]) -> tuple[Reference | None, int]:
        """The reference at a token, and where what it says ends."""
        frame = self._frames[-1]
        kind = match.lastgroup or ""
        start, end = match.span()
        self._go_on(frame, start)
        if kind == "same":
            return self._cite_same(match)
        law = self._law_before(frame, start)
        called: str | None
        if law is not None:
            called = law[1] or None
            if called:
                self._laws.mention(called)
        else:
            called = frame.chained
        target, end = _TARGETS[kind](self, match, called)
        if target is None:
            return None, end
        frame.cursor, frame.chained = end, called
        self._document.same = (target.called, target.name)
        written = self._text[match.start() : end]
        if law is not None and frame.start != start:
            # The number of the law between its name and the article is left out.
            opened = frame.group[0] if frame.group[1] == start else start
            written = self._text[law[0] : opened] + written
            start = law[0]
        relation = self._relation(start, end)
        return Reference(self._line, start, target.kind, relation, plain_normal(written), *target[1:]), end

    def _cite_same(self, match: re.Match[str]) -> tuple[Reference | None, int]:
        detail, end = self._detail(match.end())
        self._frames[-1].cursor = end
        if self._document.same is None or detail is None:
            return None, end
        called, name = self._document.same
        self._frames[-1].chained = called
        text = plain_normal(self._text[match.start() : end])
        relation = self._relation(match.start(), end)
        return Reference(self._line, match.start(), "relative", relation, text, called, name, detail), end

    def _detail(self, start: int) -> tuple[str | None, int]:
        match = _DETAIL.match(self._text, start)
        if match is None:
            return None, start
        number = branched(match[1], "") if match[1] else ""
        return (f"項{number}" if number else None), match.end()

    def _article(self, match: re.Match[str], called: str | None) -> _Cited:
        text, end = self._text, match.end()
        branches = match["branches"]
        if branches and (_FRACTION.match(text, end) or branches.endswith(("の一", "の1", "の１"))):
            end -= len(branches) - branches.rfind("の")
            branches = branches[: branches.rfind("の")]
        number = branched(match["number"], branches)
        if not number:
            return None, end
        is_supplement = match["supplement"] is not None
        if (
            called is None
            and not is_supplement
            and self._document.standing.block in self._document.names.amending_blocks
        ):
            called = AMENDING_LAW
        if called is None:
            name = self._document.own_article(number, is_supplement=is_supplement)
        else:
            name = f"附則1条{number}" if is_supplement else f"条{number}"
        detail, end = self._detail(end)
        to = _TO.match(text, end)
        if to is None:
            return _Target("article", called, name, detail), end
        last = _end_of_range(name, to)
        if last is None:
            near = self._document.neighbours("前", 1)
            last = near[0] if near else name
        if last == name:
            return _Target("article", called, name, detail), to.end()
        return _Target("range", called, name, last=last), to.end()

    def _relative(self, match: re.Match[str], called: str | None) -> _Cited:
        count = int(branched(match["count"], "") or 0) if match["count"] else 1
        near = self._document.neighbours(match[0][0], count) if 0 < count < 100 else None
        detail, end = self._detail(match.end())
        if near is None:
            return _Target("relative", None, match[0]), end
        first, last = near
        if to := _TO.match(self._text, end):
            end = to.end()
            last = _end_of_range(first, to) or last
        return _Target("relative", None, first, detail, None if first == last else last), end

    def _division(self, match: re.Match[str], called: str | None) -> _Cited:
        steps = [(step[3], branched(step[1], step[2])) for step in _DIVISION.finditer(match[0])]
        if not all(number for _, number in steps):
            return None, match.end()
        way = "".join(kind + number for kind, number in steps)
        name = self._document.own_division(steps) if called is None else way
        is_here = called is None and self._document.standing.division.startswith(name)
        return None if is_here else self._in_book(called, name), match.end()

    def _near(self, match: re.Match[str], called: str | None) -> _Cited:
        way = self._document.standing.division
        found = re.search(f"(.*{match[0][1]})([0-9]+)", way)
        if found is None:
            return None, match.end()
        name = f"{found[1]}{int(found[2]) + (-1 if match[0][0] == '前' else 1)}"
        return self._in_book(None, name), match.end()

    def _in_book(self, called: str | None, name: str) -> _Target:
        """A chapter, or a part of one: of this document, or the whole or a part of another one that is a chapter."""
        chapter = None if called else chapter_with(name, self._document.names.known, self._document.titles)
        if chapter:
            called, name = chapter, name if "節" in name else ""
        return _Target("division", called, name)

    def _appendix(self, match: re.Match[str], called: str | None) -> _Cited:
        name, known = match[0][:2], self._document.names.known
        if match["row"]:
            name += branched(match["row"], match["row_branches"])
        elif match["letter"] and ((lettered := name + plain_normal(match["letter"])) in known or name not in known):
            name = lettered
        elif called is None and name not in known:
            return None, match.end()
        return self._back_matter("appendix", called, name), match.end()

    def _form(self, match: re.Match[str], called: str | None) -> _Cited:
        branches = match["form_branches"] or match["first_branches"]
        number = branched(match["form_number"] or match["form_first"], branches)
        return self._back_matter("form", called, f"様式{number}") if number else None, match.end()

    def _back_matter(self, kind: Kind, called: str | None, name: str) -> _Target:
        """An appendix or form: of this document if it has it, or a document of its own."""
        if called is None and name not in self._document.names.known:
            return _Target(kind, name, "")
        return _Target(kind, called, name)

    def _relation(self, start: int, end: int) -> Relation | None:
        """The relation that the words around a reference state."""
        text = self._text
        if not self._has_relations:
            return None
        if text.endswith("準用する", 0, start) or self._is_applied(start):
            return "準用"
        if _LIKE.match(text, end):
            return "準ずる"
        return "例による" if _EXAMPLE.match(text, end) else None

    def _is_applied(self, start: int) -> bool:
        position = bisect_right(self._applied, (start, len(self._text))) - 1
        return position >= 0 and start < self._applied[position][1]


# By the group of _TOKEN that matched.
_TARGETS = {
    "article": _LineReader._article,
    "relative": _LineReader._relative,
    "division": _LineReader._division,
    "near": _LineReader._near,
    "appendix": _LineReader._appendix,
    "form": _LineReader._form,
}


def _end_of_range(first: str, to: re.Match[str]) -> str | None:
    """The name of the article that a range from `first` ends with; `None` if that is not told by its number."""
    return first[: first.rindex("条") + 1] + branched(to["number"], to["branches"]) if to["number"] else None


def _applied_spans(text: str) -> list[tuple[int, int]]:
    """Where sentences name what they apply by analogy: 第三条の規定は、…について準用する. Up to 「の規定は」."""
    spans = []
    start = 0
    for sentence in text.split("。"):
        if "準用する" in sentence and (rule := _RULE_IS.search(sentence)) and rule.end() < sentence.rindex("準用する"):
            spans.append((start, start + rule.start()))
        start += len(sentence) + 1
    return spans
