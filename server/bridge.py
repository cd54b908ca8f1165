"""The bridge: text of a manual into the vault, without passing through the model (contract §2).

The text goes from file to file a block at a time: neither answer nor log has any of it, nor is it ever held whole. What
a limit cuts has a cursor, by which the next call appends what is left: the parts together are the exact text.
"""

import contextlib
import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from morenashi.indexer import markdown
from morenashi.indexer.files import file_type_of, key_below_root
from morenashi.indexer.text import unify_line_breaks

from .calls import bridge_inputs
from .errors import ToolError
from .manuals.files import FILE_NEEDS, check_line, locate_document, may_take_file, open_document
from .manuals.known_sections import known_sections
from .ranges import Range
from .search.adaptation.reads import Read
from .unreadable import refusing_unreadable
from .vault import changes
from .vault.changes import Written, may_write
from .vault.cursors import version_of
from .vault.edits import with_line_end
from .vault.text_map import ChangedMeanwhileError, TextFile, open_text
from .workspace import Workspace

Copy = bridge_inputs.CopySection | bridge_inputs.CopyFile
_CURSOR = re.compile(r"([0-9]{1,15})\.[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Characters [start, end) of a document: what is copied. `sections` counts the headings in it, `cursor` is where
    what was cut off begins.
    """

    start: int
    end: int
    sections: int
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a copied text is from; the hash is that of the text in UTF-8."""

    manual_id: str
    path: str
    first_line: int
    last_line: int
    sha256: str

    def fields(self) -> dict[str, str]:
        """Names and values, as YAML has them."""
        return {
            "source_manual_ids": json.dumps([self.manual_id], ensure_ascii=False),
            "source_path": json.dumps(self.path, ensure_ascii=False),
            "source_lines": f"{self.first_line}-{self.last_line}",
            "source_sha256": self.sha256,
        }

    def as_front_matter(self) -> str:
        """For the beginning of a file."""
        return "---\n" + "".join(f"{name}: {value}\n" for name, value in self.fields().items()) + "---\n\n"

    def as_comment(self) -> str:
        """For anywhere else. A name may hold what would end the comment."""
        stated = "; ".join(f"{name}: {value}" for name, value in self.fields().items()).replace(">", "\\u003e")
        return f"\n<!-- {stated} -->\n\n"


def bridge_copy_section(workspace: Workspace, call: bridge_inputs.CopySection) -> dict[str, Any]:
    """Copy the section that a ref lies in, its subsections included."""
    ref, line = call.from_ref, call.from_ref.start_line or 1
    parts = locate_document(workspace, ref.manual_id, ref.path, "from_ref.path", "from_ref.manual_id")
    if file_type_of(parts[-1]) == "json":
        message = "from_ref.path: a .json file has no sections; copy it with bridge_copy_file"
        raise ToolError("invalid_scope", message, parameter="from_ref.path")

    def choose(file: TextFile) -> Excerpt:
        check_line(line, file.map.lines, "from_ref.start_line")
        sections = _sections(workspace, parts, file)
        position = markdown.section_at([start for start, _ in sections], line)
        first, last = sections[position]
        inside = [start for start, _ in sections[position:] if start <= last]
        return _choose(workspace, call, file, inside, file.start_of(first), file.start_of(last + 1))

    excerpt, written = _copy(workspace, call, parts, "from_ref.path", choose)
    workspace.traces.record_read(Read(*key_below_root(parts), line))
    return _answer(excerpt, written) | {"written_sections": excerpt.sections}


def bridge_copy_file(workspace: Workspace, call: bridge_inputs.CopyFile) -> dict[str, Any]:
    """Copy a file, where a whole one may be read."""
    parts = locate_document(workspace, call.manual_id, call.from_path, "from_path")
    file_type = file_type_of(parts[-1]) or "md"
    may_copy = file_type == "json" or may_take_file(workspace, allow_file=bool(call.limits and call.limits.allow_file))

    def choose(file: TextFile) -> Excerpt:
        if not may_copy:
            message = f"from_path: {FILE_NEEDS}; or copy its sections with bridge_copy_section"
            raise ToolError("forbidden", message, parameter="from_path")
        starts = [start for start, _ in _sections(workspace, parts, file)] if file_type == "md" else [1]
        return _choose(workspace, call, file, starts, 0, file.map.characters)

    excerpt, written = _copy(workspace, call, parts, "from_path", choose)
    workspace.traces.record_read(Read(*key_below_root(parts), 1))
    return _answer(excerpt, written)


def _copy(
    workspace: Workspace, call: Copy, parts: tuple[str, ...], parameter: str, choose: Callable[[TextFile], Excerpt]
) -> tuple[Excerpt, Written]:
    target = may_write(workspace, call.to_path, "create", "to_path")
    is_new = not target.is_there
    if not is_new:
        target = may_write(workspace, call.to_path, call.mode, "to_path")
    if call.cursor is not None:
        _check_goes_on(call, target)
    with open_document(workspace, parts, parameter) as descriptor, _refusing_change(parameter):
        with refusing_unreadable(workspace.config.manuals.joinpath(*parts), parameter, "manual_ls"):
            file = open_text(descriptor)
        excerpt = choose(file)
        is_noted = call.provenance is not False and call.cursor is None
        says_source = is_noted and file_type_of(target.parts[-1]) == "md"
        head = [_head(parts, file, excerpt, is_appended=not is_new and call.mode == "append")] if says_source else []
        if is_new:
            # The new file's line ends are those of the text; a file that is there keeps its own.
            head = [with_line_end(line, file.map.line_end) for line in head]

        def pieces() -> Iterator[str]:
            yield from head
            # Here: to what writes, it would be the file of the vault that has changed.
            with _refusing_change(parameter):
                yield from file.slices(excerpt.start, excerpt.end)

        if is_new:
            return excerpt, changes.create(workspace, target, pieces())
        if call.mode == "append":
            return excerpt, changes.append(workspace, target, pieces(), begins_line=call.cursor is None)
        return excerpt, changes.overwrite(workspace, target, pieces())


def _check_goes_on(call: Copy, target: changes.Target) -> None:
    """A cursor goes on with a copy: what has been copied has to be there, and to stay."""
    if call.mode != "append":
        message = "mode: expected append, to go on at a cursor"
        raise ToolError("invalid_parameter", message, parameter="mode", expected="append, to go on at a cursor")
    if not target.is_there:
        raise target.conflict("there is no such file to go on with; copy without a cursor first")


@contextlib.contextmanager
def _refusing_change(parameter: str) -> Iterator[None]:
    """Raise `conflict` for a document that is written while it is read."""
    try:
        yield
    except ChangedMeanwhileError:
        message = f"{parameter}: the file is being written; try again"
        raise ToolError("conflict", message, parameter=parameter) from None


def _sections(workspace: Workspace, parts: tuple[str, ...], file: TextFile) -> list[Range]:
    """The lines of all sections of a Markdown document: from the index, if that has this content; otherwise parsed."""
    manual_id, path = key_below_root(parts)
    digest = bytes.fromhex(file.map.sha256)
    sections = workspace.ask(lambda index: known_sections(index, manual_id, path, digest))
    if not sections:
        sections = markdown.split_sections(unify_line_breaks(file.part(0, file.map.characters)))
    return [(section.start_line, section.end_line) for section in sections] or [(1, file.map.lines)]


def _choose(
    workspace: Workspace,
    call: Copy,
    file: TextFile,
    headings: Sequence[int],
    start: int,
    end: int,
) -> Excerpt:
    """Of the characters [start, end), those from the cursor on, as far as the limits reach. `headings` are the lines of
    those in them.
    """
    if call.cursor is not None:
        start = _resume(file, call.cursor, start, end)
    config, limits = workspace.config, call.limits or bridge_inputs.CopyLimits()
    most_sections = min(limits.max_sections or config.hard_max_sections, config.hard_max_sections)
    most_chars = min(limits.max_chars or config.hard_max_chars, config.hard_max_chars)
    stop = _keep_line_breaks(file, start, min(end, start + most_chars))
    first_line = file.line_of(start)
    ahead = headings[bisect_left(headings, first_line + (file.start_of(first_line) < start)) :]
    if len(ahead) > most_sections:
        stop = min(stop, file.start_of(ahead[most_sections]))
    sections = bisect_right(ahead, file.line_of(max(stop - 1, start)))
    return Excerpt(start, stop, sections, _cursor(file, stop) if stop < end else None)


def _cursor(file: TextFile, place: int) -> str:
    """A place in a file, good only for the content that it has now."""
    return f"{place}.{version_of(file)}"


def _resume(file: TextFile, cursor: str, start: int, end: int) -> int:
    """The place of a cursor. Raises `conflict` if the file changed, or if the place is not in this text."""
    found = _CURSOR.fullmatch(cursor)
    if not found:
        expected = "the next_cursor of a truncated copy"
        raise ToolError("invalid_parameter", f"cursor: expected {expected}", parameter="cursor", expected=expected)
    place = int(found[1])
    if cursor != _cursor(file, place) or not start <= place < end:
        message = "cursor: the file changed, or this is another text; copy it again without a cursor"
        raise ToolError("conflict", message, parameter="cursor")
    return place


def _keep_line_breaks(file: TextFile, start: int, stop: int) -> int:
    """Where to stop instead, if a line break would be cut in two: each half would be written as one."""
    if stop == start or file.part(stop - 1, stop + 1) != "\r\n":
        return stop
    return stop - 1 if stop - 1 > start else stop + 1


def _head(parts: tuple[str, ...], file: TextFile, excerpt: Excerpt, *, is_appended: bool) -> str:
    digest = hashlib.sha256()
    for piece in file.slices(excerpt.start, excerpt.end):
        digest.update(piece.encode())
    first, last = (file.line_of(place) for place in (excerpt.start, max(excerpt.end - 1, excerpt.start)))
    provenance = Provenance(*key_below_root(parts), first, last, digest.hexdigest())
    return provenance.as_comment() if is_appended else provenance.as_front_matter()


def _answer(excerpt: Excerpt, written: Written) -> dict[str, Any]:
    return written.as_answer() | {"truncated": excerpt.cursor is not None, "next_cursor": excerpt.cursor}
