"""A file's text to an artifact: which of its parts are a flowchart, a table, a list or a graph. Pure."""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from morenashi.indexer.files import MARKDOWN_SUFFIXES
from morenashi.indexer.markdown import Blocks, parse_blocks, without_front_matter
from morenashi.indexer.text import unify_line_breaks

from .copies import find_copies, rest_on_copies
from .delimited import read_delimited
from .footnotes import put_in_footnotes
from .json_graph import NoJsonError, parse_graph
from .lines_beside import give_lines_beside
from .lists import parse_lists
from .markdown_tables import find_tables
from .mermaid import parse_flowchart
from .mermaid_text import is_flowchart
from .model import Artifact, SourceLines, Structure
from .running_text import find_cited
from .sections import parse_sections
from .tables import count_tables, link_steps, read_rows, read_steps

_FENCE = re.compile(
    r"(?P<before>[ \t>]*)(?P<item>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*+)"
    r"(?P<marks>`{3,}(?=[^`]*$)|~{3,}|:{3,})[ \t]*\{?\.?(?P<language>[\w-]*).*"
)
# What has none of these need not be parsed: no fence is indented so far, or stands in a comment.
_MAY_HIDE_FENCE = re.compile(r"^[ >]*(?:\t| {4})|<!--", re.M)
_MERMAID_SUFFIXES = (".mmd", ".mermaid")
_JSON_SUFFIXES = (".json", ".canvas")
_TABLE_SUFFIXES = (".tsv", ".csv", ".tab")


class _Fence(NamedTuple):
    """A fenced block, by the positions of its first line, of the end of its text, and of the line behind it. In a
    quotation, the margin is what stands before each of its lines: without it, the quotation and its lists would end.
    One that begins an item stands behind the mark of that.
    """

    start: int
    end: int
    behind: int
    language: str
    margin: str
    begins_item: bool


class _Hidden(NamedTuple):
    """The positions of the lines of indented code, and of those of comments."""

    indented: set[int]
    commented: set[int]


def read_artifact(path: str, text: str) -> Artifact:
    """The artifact in a file. What kind it is, the file's name says, for other names the text.

    Raises `NoJsonError` for a .json or .canvas file that is not JSON.
    """
    suffix, text = PurePosixPath(path).suffix.casefold(), unify_line_breaks(text.removeprefix("\ufeff"))
    if suffix in _JSON_SUFFIXES:
        structures = parse_graph(text)
    elif suffix in _MERMAID_SUFFIXES or (suffix not in MARKDOWN_SUFFIXES and is_flowchart(text)):
        structures = [parse_flowchart(text) if is_flowchart(text) else _unread(1)]
    elif suffix in _TABLE_SUFFIXES or (suffix not in MARKDOWN_SUFFIXES and _is_tabbed(text)):
        structures = _table(text.split("\n"), 1)
    else:
        return _read_markdown(path, text)
    return Artifact(tuple(structures))


def _read_markdown(path: str, text: str) -> Artifact:
    """Fences first: their text is no table, list or link of the file itself."""
    lines = text.split("\n")
    structures: list[Structure] = []
    for fence in _fences(lines, _find_hidden(text)):
        inside = _unquoted(lines[fence.start + 1 : fence.end], fence.margin.count(">"))
        structures += _read_fence(fence.language, inside, fence.start + 2)
        # Without its first line there would be no item; what reads Markdown passes over it as over any code.
        if not fence.begins_item:
            lines[fence.start : fence.behind] = [fence.margin] * (fence.behind - fence.start)
    flowcharts = [structure for structure in structures if structure.kind == "flowchart"]
    bare, noted = "\n".join(lines), put_in_footnotes(lines)
    blocks = parse_blocks(bare)
    shown = _without_code(noted, blocks.code)
    tables, facts, cited = _read_tables(shown)
    structures += tables
    nodes = {element.id for flowchart in flowcharts for element in flowchart.elements}
    if lists := parse_lists(without_front_matter("\n".join(noted)), alone=not structures, nodes=nodes):
        structures.append(lists)
    copies = list(find_copies(text))
    structures = rest_on_copies(give_lines_beside(flowcharts, structures, facts), copies)
    if sections := parse_sections(path, bare, blocks):
        structures.append(sections)
    copied = {copy.source: copy.lines for copy in copies}
    return Artifact(tuple(structures), (*cited, *find_cited(shown)), copied)


def _without_code(lines: list[str], code: list[tuple[int, int]]) -> list[str]:
    """The lines without indented code and comments of several lines."""
    shown = lines[:]
    for first, last in code:
        if first < last or not _begins_comment(lines[first - 1]):
            shown[first - 1 : last] = [""] * len(shown[first - 1 : last])
    return shown


def _read_tables(lines: list[str]) -> tuple[list[Structure], list[Structure], list[SourceLines]]:
    """The step tables, which may lead to each other's steps; other tables that name lines of the source; the lines."""
    found = [(table, read_steps(table)) for table in find_tables(lines)]
    tables = [steps for _, steps in found if steps]
    step_tables = count_tables(tables)
    others = [read_rows(table) for table, steps in found if not steps]
    cited = [span for rows in others for row in rows for span in row.sources]
    called = (tuple(row for row in rows if row.id) for rows in others)
    facts = [Structure("table", rows) for rows in called if any(row.sources for row in rows)]
    return [link_steps(table, step_tables) for table in tables], facts, cited


def _read_fence(language: str, lines: list[str], first_line: int) -> list[Structure]:
    text = "\n".join(lines)
    if language == "mermaid":
        # Of another diagram nothing is checked: its first line says so as one that is not read.
        return [parse_flowchart(text, first_line) if is_flowchart(text) else _unread(first_line)]
    if language == "json":
        try:
            return parse_graph(text, first_line)
        except NoJsonError:
            return []
    return _table(lines, first_line) if language in ("tsv", "csv") else []


def _unread(line: int) -> Structure:
    return Structure("flowchart", (), unread_lines=(line,))


def _table(lines: list[str], first_line: int) -> list[Structure]:
    table = read_delimited(lines, first_line)
    steps = read_steps(table) if table else None
    return [link_steps(steps)] if steps else []


def _find_hidden(text: str) -> _Hidden:
    hidden = _Hidden(set(), set())
    blocks = parse_blocks(text) if _MAY_HIDE_FENCE.search(text) else Blocks()
    lines = text.split("\n") if blocks.code else []
    for first, last in set(blocks.code) - set(blocks.fences):
        is_comment = _begins_comment(lines[first - 1])
        (hidden.commented if is_comment else hidden.indented).update(range(first - 1, last))
    return hidden


def _begins_comment(line: str) -> bool:
    return line.lstrip(" \t>").startswith("<!--")


def _fences(lines: list[str], hidden: _Hidden) -> list[_Fence]:
    """The fences; one that is commented out has no language. A comment ends at the first arrow of a diagram in it, the
    fence does not.
    """
    found = []
    number = 0
    while number < len(lines):
        match = None if number in hidden.indented else _FENCE.fullmatch(lines[number])
        if match and _opens(match):
            margin = match["before"] if ">" in match["before"] else ""
            end, behind = _end_of_fence(lines, number + 1, match)
            language = "" if number in hidden.commented else match["language"].casefold()
            found.append(_Fence(number, end, behind, language, margin, begins_item=bool(match["item"])))
            number = behind
        else:
            number += 1
    return found


def _opens(fence: re.Match[str]) -> bool:
    """Three colons also enclose remarks: as a fence they are known for mermaid alone, and to no reader of Markdown."""
    return fence["marks"][0] != ":" or (fence["language"].casefold() == "mermaid" and not fence["item"])


def _end_of_fence(lines: list[str], number: int, opening: re.Match[str]) -> tuple[int, int]:
    """Where what a fence encloses ends, and the line behind that. Without a closing line it is closed where the
    quotation or the item around it ends, or the text (CommonMark 4.5).
    """
    marks = opening["marks"]
    closing = re.compile(rf"[ \t>]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*")
    while number < len(lines):
        if closing.fullmatch(lines[number]):
            return number, number + 1
        if _is_outside(lines[number], opening):
            break
        number += 1
    return number, number


def _is_outside(line: str, opening: re.Match[str]) -> bool:
    """Whether a line is none of the quotation, or of the item, in which a fence was opened."""
    if ">" in opening["before"] and not line.lstrip().startswith(">"):
        return True
    text = line.lstrip(" \t>")
    return bool(opening["item"] and text) and len(line) - len(text) <= len(opening["before"])


def _unquoted(lines: list[str], levels: int) -> list[str]:
    """The lines without the marks of a quotation (`>`) around them."""
    marks = re.compile(rf"(?:[ \t]*>){{0,{levels}}}[ \t]?")
    return [marks.sub("", line, count=1) for line in lines] if levels else lines


def _is_tabbed(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    return len(lines) > 1 and all("\t" in line.strip() for line in lines[:2])
