"""What to do next after a scan, a coverage or an audit (seed 001 §7), from the server's own records.

Lines that were never delivered come first, so that whoever follows the first proposals alone comes to an end. All
chunks have the same size (contract §1). A manual is read with `manual_read`, which the vault's tools cannot.
"""

from collections.abc import Sequence
from typing import Any

from morenashi.indexer.files import file_type_of
from morenashi.server.delivery.delivered import Delivered
from morenashi.server.delivery.given_places import given_places
from morenashi.server.manuals.read_limits import DEFAULT_CHARS
from morenashi.server.ranges import Range, merge, subtract
from morenashi.server.reading import FileText
from morenashi.server.search.actions import Action, propose, stop
from morenashi.server.workspace import Workspace

from .cursors import make_cursor
from .notes import ask_note, locate
from .sources import SourceFile
from .text_map import TextFile


def propose_after_scan(workspace: Workspace, path: str, next_cursor: dict[str, Any] | None) -> list[Action]:
    """The next chunk until the file ends; then the look at what is covered.

    Where new lines are followed by some that the session has had, that look comes first: it leads past them. A chunk
    without a new line is read again on purpose, and so is what follows it; if it was proposed, so is what else is not
    cited, and no more. `path` is in the vault; the cursor is that of the next chunk, `None` at the end of the file.
    """
    delivered = workspace.delivered.find("vault", path)
    coverage = propose("vault_coverage", 1.0, path=path, cited_ranges=as_objects(delivered.lines))
    if next_cursor is None:
        return [coverage]
    next_line: int = next_cursor["start_line"]
    chunk_lines = workspace.config.vault_scan_default_chunk_lines
    goes_on = propose("vault_scan", 0.5, path=path, cursor=next_cursor, chunk_lines=chunk_lines)
    again = delivered.to_reread
    if again is not None and not any(first <= next_line <= last for first, last in again):
        if not again:
            return [coverage, goes_on]
        return [propose("vault_scan", 1.0, path=path, start_line=again[0][0], chunk_lines=chunk_lines), goes_on]
    was_had = any(first <= next_line <= last for first, last in delivered.lines)
    if was_had and delivered.latest_lines:
        return [coverage, goes_on]
    return [propose("vault_scan", 1.0, path=path, cursor=next_cursor, chunk_lines=chunk_lines)]


def propose_scan(
    workspace: Workspace, source: SourceFile, delivered: Delivered, ranges: Sequence[Range], confidence: float
) -> Action:
    """Read the first of these lines of a source, numbered, as they are to be cited; one that was cut, from there on."""
    confidence = round(confidence, 3)
    if source.root == "manual":
        return _propose_manual_read(workspace, source, delivered, ranges[0], confidence)
    first, _ = ranges[0]
    begun = delivered.begun(first)
    chunk_lines = workspace.config.vault_scan_default_chunk_lines
    place: Action = {"start_line": first}
    if begun and (cursor := _cursor_in_line(workspace, source.path, first, begun)):
        place = {"cursor": cursor}
    return propose("vault_scan", confidence, path=source.path, **place, chunk_lines=chunk_lines, line_numbers=True)


def _propose_manual_read(
    workspace: Workspace, source: SourceFile, delivered: Delivered, lines: Range, confidence: float
) -> Action:
    """The section of the first of these lines, or as many as begin in them; a JSON file whole. A section that is longer
    than an answer is begun already if the line above was delivered: it would come from its start again. So it would,
    and never reach the line, where more stands above it in the section than an answer holds.
    """
    first, _ = lines
    manual_id, _, path = source.path.partition("/")
    ref = {"target": "manual", "manual_id": manual_id, "path": path}
    text = FileText(source.text, "")
    begun = delivered.begun(first)
    if begun >= len(text.line_text(first)):
        begun = 0
    if file_type_of(path) == "json":
        place: Action = {"ref": ref, "scope": "file"}
        goes_on = begun > 0 or first > 1
    else:
        place = {"ref": ref | {"start_line": first}} | _scope(workspace, manual_id, path, lines)
        above = text.start_of(first) - text.start_of(_section_start(workspace, manual_id, path, first))
        is_beyond = above >= min(DEFAULT_CHARS, workspace.config.hard_max_chars)
        goes_on = begun > 0 or is_beyond or any(last == first - 1 for _, last in delivered.lines)
    if goes_on:
        place["cursor"] = {"char_offset": text.start_of(first) + begun}
        given_places.remember("manual", source.path, text.start_of(first) + begun, text.version)
    return propose("manual_read", confidence, **place, line_numbers=True)


def _scope(workspace: Workspace, manual_id: str, path: str, lines: Range) -> Action:
    """How much of a document to read, that no section that was delivered comes again, by what the index knows of it."""
    first, last = lines
    values = {"manual_id": manual_id, "path": path, "first": first, "last": last}
    following: int = workspace.ask(lambda index: index.execute(_SECTIONS_BEGUN, values).fetchone()[0])
    if not following:
        return {"scope": "section"}
    return {"scope": "sections", "limits": {"max_sections": min(following + 1, workspace.config.hard_max_sections)}}


def _section_start(workspace: Workspace, manual_id: str, path: str, line: int) -> int:
    """The first line of the section that a line lies in, by what the index knows; 1 if it knows of none."""
    values = {"manual_id": manual_id, "path": path, "line": line}
    return int(workspace.ask(lambda index: index.execute(_SECTION_START, values).fetchone()[0]))


def _cursor_in_line(workspace: Workspace, path: str, line: int, begun: int) -> dict[str, Any] | None:
    """The cursor behind so many characters of a line; `None` if the line has no more of them by now."""

    def find(file: TextFile) -> dict[str, Any] | None:
        place = file.start_of(line) + begun
        return make_cursor(path, file, place) if place < file.start_of(line + 1) else None

    return ask_note(workspace, locate(workspace, path), find)


def propose_stop(confidence: float) -> Action:
    """Enough is known."""
    return stop(round(confidence, 3))


def propose_coverage(source: SourceFile, cited: Sequence[Range]) -> Action:
    """See which lines of a source are not cited."""
    return propose("vault_coverage", 0.5, path=source.asked, cited_ranges=as_objects(cited))


def undelivered(source: SourceFile, delivered: Delivered, ranges: Sequence[Range]) -> list[Range]:
    """Of these lines of a source, those that the session never had. Blank lines alone between others are none: what is
    read of hits leaves them out, and sections would be read again for them.
    """
    return [span for span in subtract(ranges, delivered.lines) if not source.cited.is_blank(span)]


def as_objects(ranges: Sequence[Range]) -> list[dict[str, int]]:
    """Ranges as answers and parameters have them."""
    return [as_object(span) for span in merge(ranges)]


def as_object(span: Range) -> dict[str, int]:
    """One of them."""
    return {"start_line": span[0], "end_line": span[1]}


_SECTIONS_BEGUN = """
SELECT COUNT(*)
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE
  documents.manual_id = :manual_id AND documents.path = :path
  AND sections.start_line > :first AND sections.start_line <= :last
"""

_SECTION_START = """
SELECT coalesce(max(sections.start_line), 1)
FROM documents
JOIN sections ON sections.document_id = documents.id
WHERE documents.manual_id = :manual_id AND documents.path = :path AND sections.start_line <= :line
"""
