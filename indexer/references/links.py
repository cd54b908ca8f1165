"""Links of a Markdown text to other places of its manual: inline, by reference, wiki, HTML. Pure, in linear time.

What leads out of the manual, to an image or to a file that is no document is no reference.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from morenashi.indexer.files import MARKDOWN_SUFFIXES, to_nfc
from morenashi.indexer.text import normalise

from .place_keys import anchor_key, title_key
from .reference import Reference, ReferenceKind

# The set of first characters stands before the alternatives: that is what Python's re can search for quickly.
# A component of MDX, whose name begins with a capital, may be a link as <a> is.
_TOKEN = re.compile(
    r"[\\\[\]\n`<](?:(?<=\\).|(?<=\[)\[?|(?<=\])|(?<=\n)[ \t]*(?=\n)|(?<=`)`*|(?<=<)(?:a|[A-Z]\w{0,40})(?=\s))", re.S
)
_HTML = re.compile(
    r"(?:\s[^<>]{0,500})?\shref\s{0,9}=\s{0,9}(?:\"([^\"<>\n]{1,2000})\"|'([^'<>\n]{1,2000})')[^<>]{0,500}>"
    # What ends with its tag shows nothing, and what follows is not its own.
    r"((?<!/>)[^<>]{0,1000}|)"
)
_WIKI = re.compile(r"([^\[\]\n|#^]{0,300})(?:#\^?([^\[\]\n|]{0,300}))?(?:\\?\|([^\[\]\n]{0,300}))?\]\]")
# Of [[4]](#note) or [[1]](https://…), as converters write notes: a link whose text is in brackets.
_LINKED = re.compile(r"\(<?[^\s()<>]{0,200}[#/.]")
_LONGEST_DESTINATION = 2_000
_DESTINATION = re.compile(
    r"\(\s{0,9}(?:<([^<>\n]{0,2000})>|(\{%[^{}\n]{0,500}%\}|(?:\{\{[^{}\n]{0,200}\}\})?(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,300}\)){0,2000}))"
    r"(?:\s{1,9}(?:\"([^\"]{0,500})\"|'([^']{0,500})'|\(([^()]{0,500})\)))?\s{0,9}\)"
)
_LABEL = re.compile(r"\[([^\[\]]{0,500})\]")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_TEMPLATE = re.compile(r"\{%-?\s*\w+\s+[\"']?([^\"'\s%]+)[\"']?.*%\}$|\{\{[^{}]*\}\}")
# What no file name holds: [[yii\\web\\View::registerJs()]] is a link to something else.
_NO_FILE_NAME = re.compile(r"\\|::")
# What stands for the contents of the page, or lists them, and is no page: [[toc]], [[_TOC_]].
_CONTENTS = ("toc", "_toc_")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKUP = re.compile(r"[`*]|(?<!\w)_|_(?!\w)")
_WEB_SUFFIXES = (*MARKDOWN_SUFFIXES, ".html", ".htm")
_DOCUMENT_SUFFIXES = ("", *_WEB_SUFFIXES, ".json")
_MOST_TEXT = 1000
# A heading as links call it that was made of a number and a title: 第8.9.2節「時刻同期」, Section 8.9.2, “Clocks”.
_NUMBERED_PART = re.compile(
    "^(?:第 ?([0-9]+(?:[.][0-9]+)+) ?[章節項]|section ((?:[0-9]+|[a-z])(?:[.][0-9]+)+)(?=[,:. ]))"
)


class Link(NamedTuple):
    """A link as it stands: where it begins in the text, what it shows, where it leads, where what it shows begins, and
    its title.
    """

    start: int
    text: str
    destination: str
    shown_start: int
    is_wiki: bool = False
    is_image: bool = False
    title: str = ""


def read_links(text: str, definitions: Mapping[str, str]) -> list[Link]:
    """The links and images of a text, in order. It has `\\n` line breaks, and blanks in place of code blocks;
    `definitions` maps reference labels to destinations.
    """
    return sorted(_links(text, definitions))


def find_links(path: str, text: str, links: Iterable[Link]) -> Iterator[Reference]:
    """The references that the links of a text make. `path` is the document's, from the root of its manual."""
    line, line_start, passed = 1, 0, 0
    for link in links:
        if link.is_image:
            continue
        line += text.count("\n", passed, link.start)
        line_start = max(line_start, text.rfind("\n", passed, link.start) + 1)
        passed = link.start
        target = _wiki_target(link.destination) if link.is_wiki else link_target(path, link.destination)
        if target is not None:
            shown = normalise(_MARKUP.sub("", link.text).replace("\n", " ")).strip()
            kind: ReferenceKind = "wiki" if link.is_wiki else "link"
            heading = _heading_said(normalise(link.title), shown) if target[1] else None
            yield Reference(line, link.start - line_start, kind, None, shown, *target, heading=heading)


def _heading_said(*said: str) -> str | None:
    """What the first of these that says anything is called as a heading: 8.9.2. 時刻同期 for 第8.9.2節「時刻同期」. A
    number alone is the mark of a note.
    """
    keys = (title_key(_NUMBERED_PART.sub(r"\1\2 ", one)) for one in said)
    return next((key for key in keys if len(key) > 1 and not key[1:].isdigit()), None)


def find_shown(links: Iterable[Link]) -> list[tuple[int, int, str]]:
    """What links and images show, in order: from where to where in the text, and where each leads."""
    found = (link for link in links if not link.is_wiki)
    return sorted((link.shown_start, link.shown_start + len(link.text), link.destination) for link in found)


def leads_out(destination: str) -> bool:
    """Whether a destination lies out of the manual."""
    return _SCHEME.match(destination.strip()) is not None


def link_target(path: str, destination: str) -> tuple[str | None, str] | None:
    """What a destination in the document `path` means: (called, name) as in `Reference`, or `None` for no reference."""
    destination = _ESCAPE.sub(r"\1", destination.strip())
    if match := _TEMPLATE.match(destination):
        destination = (match[1] or "") + destination[match.end() :]
    if not destination or _SCHEME.match(destination):
        return None
    place, _, anchor = destination.partition("#")
    place = unquote(place.partition("?")[0])
    name = anchor_key(unquote(anchor)) if anchor else ""
    if name == "~":
        name = ""
    if not place:
        return (None, name) if name else None
    return None if _is_other_file(place) else (_absolute(path, place), name)


def _is_other_file(place: str) -> bool:
    """Whether a path leads to no document: a.png; but what follows a dot may be no kind of file: version-1.2, ch. 3."""
    suffix = PurePosixPath(place).suffix.lower()
    is_part_of_name = suffix[1:].isdigit() or not suffix.isascii() or len(suffix) > 6 or " " in suffix
    return suffix not in _DOCUMENT_SUFFIXES and not is_part_of_name


def _absolute(path: str, place: str) -> str:
    """A path from the manual's root (NFC), without the endings that only a web site has."""
    steps: list[str] = [] if place.startswith("/") else path.split("/")[:-1]
    for step in place.split("/"):
        if step == "..":
            # Above the root there may be a site that the manual was taken from: kept, to be found by its end.
            steps = steps[:-1]
        elif step not in ("", "."):
            steps.append(step)
    # The folders that the document lies in may be decomposed, too.
    called = to_nfc("/" + "/".join(steps))
    for suffix in _WEB_SUFFIXES:
        if called.lower().endswith(suffix):
            called = called[: -len(suffix)]
            break
    return called + ("/" if place.endswith("/") and steps else "")


def _wiki_target(destination: str) -> tuple[str | None, str] | None:
    page, _, anchor = destination.partition("#")
    name = anchor_key(anchor.rpartition("#")[2]) if anchor else ""
    page = page.strip()
    if not page:
        return (None, name) if len(name) > 1 else None
    if (
        page.lower() in _CONTENTS
        or _SCHEME.match(page)
        or _NO_FILE_NAME.search(page)
        or PurePosixPath(page).suffix.lower() in (".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf")
    ):
        return None
    if "/" in page:
        return _absolute("", "/" + page), name
    return normalise(page.removesuffix(".md")), name


def _links(text: str, definitions: Mapping[str, str]) -> Iterator[Link]:
    opened: list[tuple[int, int, bool]] = []
    codes = _CodeSpans(text)
    position = escaped = 0
    while match := _TOKEN.search(text, position):
        token, start, position = match[0], match.start(), match.end()
        is_image = text[start - 1 : start] == "!" and start != escaped
        if token[0] == "\\":
            escaped = position
        elif token[0] == "`":
            position = codes.end(start, position)
        elif token[0] == "\n":
            opened.clear()
        elif token[0] == "<":
            if html := _HTML.match(text, position):
                position = html.end()
                yield Link(start, html[3], html[1] or html[2], html.start(3))
        elif token == "[[" and (wiki := _WIKI.match(text, position)) and not _LINKED.match(text, wiki.end()):
            position = wiki.end()
            if link := _wiki_link(wiki, start, is_image=is_image):
                yield link
        elif token[0] == "[":
            opened.extend((first, first + 1, is_image) for first in range(start, position))
        elif token == "]" and opened:
            first, content, is_image = opened.pop()
            shown = text[content:start] if start - content <= _MOST_TEXT else ""
            destination, title, position = _destination(text, shown, position, definitions)
            if destination:
                yield Link(first, shown, destination, content, is_image=is_image, title=title)


def _wiki_link(wiki: re.Match[str], start: int, *, is_image: bool) -> Link | None:
    # In a table the bar before what a link shows is escaped: [[Page\|text]].
    page = wiki[1] if wiki[3] is None else wiki[1].removesuffix("\\")
    # ![[Page#Head]] shows what stands there; ![[picture.webp]] a file that is no document.
    if is_image and _is_other_file(page.strip()):
        return None
    return Link(start, wiki[3] or wiki[2] or page, page + (f"#{wiki[2]}" if wiki[2] else ""), start, is_wiki=True)


def _destination(text: str, shown: str, position: int, definitions: Mapping[str, str]) -> tuple[str, str, int]:
    """Where the link that shows this leads, with its title, and where it ends: `[shown](destination "title")`, or by
    its label.
    """
    if direct := _DESTINATION.match(text, position):
        return direct[1] or direct[2] or "", direct[3] or direct[4] or direct[5] or "", direct.end()
    destination, end = _defined(text, shown, position, definitions)
    return destination, "", end


def _defined(text: str, shown: str, position: int, definitions: Mapping[str, str]) -> tuple[str, int]:
    """The destination of `[shown][label]`, `[shown][]` or `[shown]`, and where it ends."""
    if not definitions:
        return "", position
    label = _LABEL.match(text, position)
    if label and (destination := definitions.get(reference_label(label[1] or shown))):
        return destination, label.end()
    if text.startswith(":", position):
        return "", position
    return definitions.get(reference_label(shown), ""), position


def destinations_by_label(definitions: Mapping[str, str]) -> dict[str, str]:
    """Where the definitions of a text lead, by their labels as `read_links` and the like look them up.

    CommonMark knows no footnotes, and takes [^1]: …。 for the definition of a link. Nor is one that is longer than what
    a link itself may say: each link with its label would have all of it.
    """
    return {
        reference_label(label): destination
        for label, destination in definitions.items()
        if label[0] != "^" and len(destination) <= _LONGEST_DESTINATION
    }


def reference_label(label: str) -> str:
    """A label as definitions are looked up by (CommonMark 0.31, matching of link labels)."""
    return " ".join(label.split()).casefold()


class _CodeSpans:
    """Where code spans end, by the lengths of their runs of backticks; each run is looked at twice at most."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs: dict[int, list[int]] | None = None

    def end(self, start: int, content: int) -> int:
        """The end of the span that opens with the run [start, content), or of the run if nothing closes it."""
        text = self._text
        if (
            content - start == 1
            and (near := text.find("`", content, content + 200)) >= 0
            and text[near + 1 : near + 2] != "`"
        ):
            return content if text.find("\n\n", content, near) >= 0 else near + 1
        if self._runs is None:
            self._runs = {}
            for match in reversed(list(re.finditer("`+", self._text))):
                self._runs.setdefault(len(match[0]), []).append(match.start())
        runs = self._runs.get(content - start, [])
        while runs and runs[-1] < content:
            runs.pop()
        if not runs or self._text.find("\n\n", content, min(runs[-1], content + 2000)) >= 0:
            return content
        return runs[-1] + content - start
