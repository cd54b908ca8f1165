"""A file's bytes to what the index holds of it. Pure, so that it can run in another process."""

import string
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from . import markdown
from .encodings import Decoded, UndecodableError, decode
from .exception_scope import Layout
from .exceptions import ExceptionFinder, ExceptionTerm
from .files import FileType
from .json_escapes import unescape
from .json_text import is_valid
from .markdown import Section
from .references.find_references import FoundReferences, find_references
from .references.named_places import NamedPlace
from .references.reference import Reference
from .script import Script, script_of_text
from .text import count_lines, normalise, unify_line_breaks
from .tokens import PASSAGE_CHARACTERS

Status = Literal["indexed", "unreadable", "encoding", "too_large"]

_PUNCTUATION = sorted(string.punctuation)


class Passage(NamedTuple):
    """Whole consecutive lines (1-based, inclusive) of `section`, a position in the section list."""

    section: int
    first_line: int
    last_line: int
    text: str


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What the index holds of one file. `titles` are what others call it, `names` what they call its places,
    `general` are the positions of sections that hold for all beside them.

    `punctuation` is the ASCII punctuation in its text, each once, in the order of ASCII. `script` is `None` where there
    is no letter of either.
    """

    status: Status
    problem: str | None = None
    encoding: str | None = None
    lines: int = 0
    punctuation: str = ""
    script: Script | None = None
    sections: list[Section] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    exceptions: list[ExceptionTerm] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    names: list[NamedPlace] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    general: frozenset[int] = frozenset()


def parse_document(data: bytes, file_type: FileType, finder: ExceptionFinder | None, path: str = "") -> ParsedDocument:
    """Decode and parse a file. What cannot be decoded has status `encoding` and no text, what a parser fails on
    `unreadable`: that is no reason to pass over other files.

    Without a finder, neither exceptions nor references are looked for: nobody asks for those of a note.
    `path` is the file's from the root of its manual: what it is called, and what links in it start from.
    """
    try:
        decoded = decode(data)
    except UndecodableError as error:
        return _without_text(data, "encoding", str(error))
    try:
        return _parse_text(decoded, file_type, finder, path)
    except Exception as error:  # noqa: BLE001 - a parser may fail in any way, and would end the writer
        return _without_text(data, "unreadable", f"it cannot be parsed: {type(error).__name__}")


def _searched_form(text: str, file_type: FileType) -> str:
    """A file's text as the index holds it: normalised, the escapes of JSON resolved; line breaks are `\\n` before
    and after.
    """
    return normalise(unescape(text) if file_type == "json" else text)


def _parse_text(decoded: Decoded, file_type: FileType, finder: ExceptionFinder | None, path: str) -> ParsedDocument:
    text = unify_line_breaks(decoded.text)
    problem = layout = None
    found = FoundReferences([normalise(PurePosixPath(path).stem)], [NamedPlace("", 0, 1)])
    if file_type == "md":
        blocks = markdown.parse_blocks(text)
        sections = markdown.sections_under(blocks.headings, text)
        if finder:
            layout = Layout(text, sections, blocks.fences)
            found = find_references(path, text, sections, blocks)
    else:
        sections = [_whole_file(text)]
    if file_type == "json" and not is_valid(text):
        problem = "invalid_json"
    normal = _searched_form(text, file_type)
    lines = normal.split("\n")[: count_lines(text)]
    passages = [passage for position in range(len(sections)) for passage in _cut(sections, position, lines)]
    if not lines:
        return ParsedDocument("indexed", problem, decoded.encoding)
    return ParsedDocument(
        "indexed",
        problem,
        decoded.encoding,
        lines=len(lines),
        punctuation=_punctuation_in(text),
        script=script_of_text(normal),
        sections=sections,
        passages=passages,
        exceptions=list(finder.find(normal, layout)) if finder else [],
        titles=found.titles,
        names=found.names,
        references=found.references,
        general=found.general,
    )


def _punctuation_in(text: str) -> str:
    return "".join(mark for mark in _PUNCTUATION if mark in text)


def _without_text(data: bytes, status: Status, problem: str) -> ParsedDocument:
    """A file that cannot be searched. Its lines are counted all the same: as not examined."""
    lines = count_lines(unify_line_breaks(data.decode("latin-1")))
    return ParsedDocument(status, problem, lines=lines)


def _whole_file(text: str) -> Section:
    last_line = max(1, count_lines(text))
    return Section(0, "", None, None, 1, last_line, last_line)


def _cut(sections: list[Section], position: int, lines: list[str]) -> list[Passage]:
    """Cut a section's own lines into passages, at blank lines where they are near."""
    start, end = sections[position].start_line - 1, min(sections[position].own_end_line, len(lines))
    passages = []
    while start < end:
        stop = _passage_end(lines, start, end)
        passages.append(Passage(position, start + 1, stop, "\n".join(lines[start:stop])))
        start = stop
    return passages


def _passage_end(lines: list[str], start: int, end: int) -> int:
    stop, length = start + 1, len(lines[start])
    while stop < end and (length := length + 1 + len(lines[stop])) <= PASSAGE_CHARACTERS:
        stop += 1
    if stop == end:
        return end
    for blank in range(stop - 1, (start + stop) // 2, -1):
        if not lines[blank].strip():
            return blank + 1
    return stop
