"""Markdown text to sections: what lies under which heading. Pure.

Headings are those that CommonMark 0.31 sees (markdown-it-py's block parser): ATX and setext, also
inside block quotes and list items; never inside fences, indented code or HTML blocks. Front matter
is no heading, whatever its dashes look like. Text before the first heading is a section of its own; where no heading is
the document's title, it has that of the front matter.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .text import count_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

LOWEST_LEVEL = 6
"""Of headings. What stands before the first one counts as so low: it ends where that begins, whatever its level."""

_CODE = ("fence", "code_block")
# What a line begins with that may be more than text: headings, quotes, lists, rules, fences, HTML; at the beginning of
# a paragraph also the definition of a link, later on what underlines a heading.
_BLOCK_STARTS = frozenset("#->*+_~`<")
_FIRST_STARTS, _LATER_STARTS = _BLOCK_STARTS | {"["}, _BLOCK_STARTS | {"="}
_ORDERED_ITEM = re.compile(r"[0-9]{1,9}[.)]")

_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:(?!---[ \t]*$)[^\n]*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.M)
_FRONT_MATTER_START = re.compile(r"[ \t]*[\w\"'#${-]")
_FRONT_MATTER_KEY = re.compile(r"^[ \t]*[\w\"'$][^\n:]*:(?:\s|$)", re.M)
# Of one line, quoted or bare; nothing that goes on below.
_FRONT_MATTER_TITLE = re.compile(
    r"^title:[ \t]+(?:\"(?P<double>(?:[^\"\\\n]|\\.){1,300})\"|'(?P<single>(?:[^'\n]|''){1,300})'"
    r"|(?P<bare>[^\s\"'>|&*!{\[#][^\n]{0,300}?))(?:[ \t]+#.*)?[ \t]*$",
    re.M,
)
# The explicit anchors in use: `## Title {#id}`, `{#id .class}`, `{ #id }`, `{: #id}` and `{/*id*/}`.
_ANCHOR = re.compile(r"\{(?::?\s*#([^\s{}]+)(?:\s[^{}]*)?|/\*\s*([^\s{}]+?)\s*\*/)\}$")
# The marks that close a heading may stand before its anchor: ## Title ## {: #id}. Each gap is looked at from its start.
_CLOSING = re.compile(r"(?<!\s)\s++#++$")
# A permanent link to the heading itself, as site generators put behind or before it: [¶](#id "Permalink"), [](#id).
_PERMALINK = r"\[[^\w\[\]]{0,4}\]\(#([^\s()]{1,200})(?:\s+[\"'(][^\n]{0,100}?[\"')])?\)"
_ITS_LINK = re.compile(rf"^{_PERMALINK}\s*(?=\S)|(?<=\S)\s*{_PERMALINK}$")
# The same in HTML, with nothing in it: <span id="x"></span>Title, Title <a name="x"></a>. What leads there is found
# in the line itself.
_HTML_PLACE = r"(?:<(?:a|span)\s[^<>]{0,200}?\b(?:id|name)=[^<>]{1,200}>\s*</(?:a|span)>\s*)"
_ITS_PLACES = re.compile(rf"^{_HTML_PLACE}{{1,9}}(?=\S)|(?<=\S)\s*{_HTML_PLACE}{{1,9}}$")
# And a permanent link in HTML: Title<a href="#id" class="headerlink" title="Permalink">¶</a>.
_HTML_PERMALINK = r"<a\s[^<>]{0,200}?\bhref=[\"']#([^\"'<>\s]{1,200})[\"'][^<>]{0,300}>[^\w<>]{0,4}</a>"
_ITS_HTML_LINK = re.compile(rf"^{_HTML_PERMALINK}\s*(?=\S)|(?<=\S)\s*{_HTML_PERMALINK}$")
# What only says how a part of the title looks: <span class="section-number">4.2. </span>Title. In code it is code.
_CODE_OR_SPAN = re.compile(r"(`[^`]+`)|<span(?:\s[^<>]{0,300})?>([^<>]{0,300})</span>")
# Badges behind a title, each a picture or a link of one: Title [![build](status.svg)](https://…).
_IMAGE = r"!\[[^\[\]]{0,200}\]\([^()\s]{0,500}\)"
_BADGES = re.compile(rf"(?<=\S)(?:\s+(?:{_IMAGE}|\[{_IMAGE}\]\([^()\s]{{0,500}}\)))+")
_NO_LETTERS = re.compile(r"[\W_]+")
# A whole title that is a link to itself, as pages saved from a site have it: [Title](#title).
_LINKS_TO_ITSELF = re.compile(r"\[([^\[\]]{1,300})\]\(#([^\s()]{1,200})\)$")


class Section(NamedTuple):
    """A heading and what stands under it. Lines are 1-based and inclusive.

    `own_end_line` ends the section's own text, before its first subsection; `end_line` ends all of
    it, descendants included. `parent` is a position in the same list. Level 0 is the text of a file
    before its first heading, or a whole file without headings; its title is that of the front matter, if no heading has
    level 1, or empty.
    """

    level: int
    title: str
    anchor: str | None
    parent: int | None
    start_line: int
    own_end_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as CommonMark sees it, on its first line (1-based)."""

    line: int
    level: int
    title: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Blocks:
    """What the blocks of a text are. `code` are first and last lines (1-based) of what is shown as it stands, and of
    comments; `fences` are those of fenced code alone: what is only indented may be prose. `definitions` map link
    labels, in capitals, to destinations.
    """

    headings: list[Heading] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)
    fences: list[tuple[int, int]] = field(default_factory=list)
    definitions: dict[str, str] = field(default_factory=dict)


def parse_blocks(text: str) -> Blocks:
    """The blocks of a Markdown text whose line breaks are `\\n`, in order."""
    environment: dict[str, Any] = {}
    tokens = _block_parser().parse(without_front_matter(text), environment)
    blocks = Blocks()
    for position, token in enumerate(tokens):
        if token.map is None:
            continue
        if token.type == "heading_open":
            title, anchor = _split_anchor(" ".join(tokens[position + 1].content.split("\n")))
            blocks.headings.append(Heading(token.map[0] + 1, int(token.tag[1]), title, anchor))
        elif token.type in _CODE or (token.type == "html_block" and token.content.startswith("<!--")):
            blocks.code.append((token.map[0] + 1, token.map[1]))
            if token.type == "fence":
                blocks.fences.append(blocks.code[-1])
    blocks.definitions.update((label, found["href"]) for label, found in environment.get("references", {}).items())
    return blocks


def split_sections(text: str) -> list[Section]:
    """The sections of a Markdown text whose line breaks are `\\n`; at least one, ordered by line."""
    return sections_under(parse_blocks(text).headings, text)


def sections_under(headings: list[Heading], text: str) -> list[Section]:
    """The sections that the headings of a text make; at least one."""
    last_line = max(1, count_lines(text))
    headings = headings[:]
    if not headings or _has_preamble(text, headings[0].line):
        is_titled = any(heading.level == 1 for heading in headings)
        headings.insert(0, Heading(1, 0, "" if is_titled else _front_matter_title(text)))
    ends = [following.line - 1 for following in headings[1:]] + [last_line]
    parents, subtree_ends = _nest(headings, last_line)
    return [
        Section(
            level=heading.level,
            title=heading.title,
            anchor=heading.anchor,
            parent=parents[position],
            start_line=heading.line,
            own_end_line=ends[position],
            end_line=subtree_ends[position],
        )
        for position, heading in enumerate(headings)
    ]


def section_at(starts: Sequence[int], line: int) -> int:
    """The position of the section that holds a line (1-based), by the lines that sections start on. Blank lines before
    the first one belong to it.
    """
    return max(bisect_right(starts, line) - 1, 0)


def new_block_parser() -> "MarkdownIt":
    """A parser of CommonMark's blocks that several threads may be the first to use."""
    # Imported for the first text: a server that starts with an index waits for the first search, not for this.
    from markdown_it import MarkdownIt

    blocks = MarkdownIt("commonmark")
    # Block structure is all we read; inline parsing would take half the time.
    blocks.core.ruler.enableOnly(["normalize", "block"])
    # Its first text makes it gather its rules; another thread would parse meanwhile with those that it has by then.
    blocks.parse("-")
    return blocks


@cache
def _block_parser() -> "MarkdownIt":
    blocks = new_block_parser()
    blocks.block.ruler.before("code", "plain_paragraph", _pass_plain_paragraph)
    # Gathered anew with that rule, before another thread parses.
    blocks.parse("-")
    return blocks


def _pass_plain_paragraph(state: "StateBlock", start_line: int, _: int, __: bool) -> bool:
    """A rule of the block parser: pass a paragraph none of whose lines may begin, end or be anything else.

    We read nothing of paragraphs, and most of a text is such. All others are left to the parser's own rules.
    """
    source, begins, ends = state.src, state.bMarks, state.eMarks
    indents, blanks, most_indent = state.sCount, state.tShift, state.blkIndent + 3
    if indents[start_line] > most_indent:
        return False
    line, starts = start_line, _FIRST_STARTS
    while line < state.lineMax and (first := begins[line] + blanks[line]) < ends[line]:
        # What is indented further goes on with the paragraph, as does what stands in a block quote without its mark
        # (an indent below 0).
        if 0 <= indents[line] <= most_indent and (
            source[first] in starts or (source[first].isdigit() and _ORDERED_ITEM.match(source, first))
        ):
            return False
        line, starts = line + 1, _LATER_STARTS
    state.line = line
    return True


def without_front_matter(text: str) -> str:
    """A text with empty lines for its front matter."""
    match = _FRONT_MATTER.match(text)
    return "\n" * match[0].count("\n") + text[match.end() :] if match and _is_front_matter(match[1]) else text


def _front_matter_title(text: str) -> str:
    """What the front matter calls the document; empty if it does not."""
    match = _FRONT_MATTER.match(text)
    title = _FRONT_MATTER_TITLE.search(match[1]) if match and _is_front_matter(match[1]) else None
    if title is None:
        return ""
    if title["double"]:
        return re.sub(r"\\(.)", r"\1", title["double"]).strip()
    return (title["bare"] or title["single"].replace("''", "'")).strip()


def _is_front_matter(between: str) -> bool:
    """Whether what stands between the dashes is YAML, or the JSON that it admits, and no text between two rules."""
    if between.lstrip(" \t").startswith("\n"):
        # After a blank line a key has to come first, and what looks like a heading is one.
        return _FRONT_MATTER_KEY.match(between.lstrip()) is not None and "\n#" not in between
    return _FRONT_MATTER_START.match(between) is not None and _FRONT_MATTER_KEY.search(between) is not None


def _split_anchor(title: str) -> tuple[str, str | None]:
    if "></" in title:
        title = _ITS_PLACES.sub("", title)
    if "</span>" in title:
        title = _CODE_OR_SPAN.sub(r"\1\2", title)
    if "![" in title:
        title = _without_badges(title)
    if "href=" in title and (link := _ITS_HTML_LINK.search(title)):
        return title[: link.start()] + title[link.end() :], link[1] or link[2]
    if title.endswith("}") and "{" in title and (match := _ANCHOR.match(title, title.rfind("{"))):
        return _CLOSING.sub("", title[: match.start()].rstrip()), match[1] or match[2]
    if "](#" in title and (link := _ITS_LINK.search(title)):
        return title[: link.start()] + title[link.end() :], link[1] or link[2]
    if "](#" in title and (link := _LINKS_TO_ITSELF.match(title)) and _letters(link[1]) == _letters(link[2]):
        return link[1], link[2]
    return title, None


def _without_badges(title: str) -> str:
    """Without those at its end. Each row of badges is gone through once: looked for with the end of the title behind
    it, it would be from each of its badges on.
    """
    rows = (row for row in _BADGES.finditer(title) if row.end() == len(title))
    return title[: row.start()] if (row := next(rows, None)) else title


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()


def _has_preamble(text: str, first_heading_line: int) -> bool:
    position = -1
    for _ in range(first_heading_line - 1):
        position = text.index("\n", position + 1)
    return bool(text[: position + 1].strip())


def _nest(headings: list[Heading], last_line: int) -> tuple[list[int | None], list[int]]:
    """The positions of the headings' parents, and the last lines of all that lies under them."""
    parents: list[int | None] = []
    ends = [last_line] * len(headings)
    open_sections: list[int] = []
    for position, heading in enumerate(headings):
        while open_sections and (headings[open_sections[-1]].level or LOWEST_LEVEL) >= heading.level:
            ends[open_sections.pop()] = heading.line - 1
        parents.append(open_sections[-1] if open_sections else None)
        open_sections.append(position)
    return parents, ends
