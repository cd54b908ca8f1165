"""`vault_read` and `vault_scan`: the text of a file, a part at a time (seed 003 §3, §4; contract §1); or of all that a
search found.
"""

from dataclasses import dataclass
from typing import Any

from morenashi.server.calls import vault_inputs
from morenashi.server.calls.vault_inputs import MOST_CHARS
from morenashi.server.delivery.delivered import Delivery, describe_delivery
from morenashi.server.errors import ToolError
from morenashi.server.line_numbers import number_lines
from morenashi.server.manuals.hits_asked import HitsAsked, refuse_beside_trace, refuse_without_trace
from morenashi.server.manuals.read_hits import read_hits
from morenashi.server.workspace import Workspace

from .actions import propose_after_scan
from .cursors import NOWHERE, check_cursor, make_cursor
from .notes import ask_note, locate
from .text_map import TextFile


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file and its lines. `cut_by` says what ended it before the file did, `cursor` where that goes on."""

    text: str
    first_line: int
    last_line: int
    cut_by: str
    cursor: dict[str, Any] | None
    delivery: Delivery
    sha256: str

    def fields(self, *, line_numbers: bool | None) -> dict[str, Any]:
        """What both tools answer of a part."""
        return {
            "text": number_lines(self.text, self.first_line) if line_numbers else self.text,
            "truncated": self.cut_by != "none",
            "applied_range": {"start_line": self.first_line, "end_line": self.last_line},
            "next_cursor": self.cursor or NOWHERE,
            "truncated_reason": self.cut_by,
        }


def vault_read(workspace: Workspace, call: vault_inputs.VaultRead) -> dict[str, Any]:
    """Read a range of lines, or the file from its beginning; or what a search found."""
    if call.trace_id is not None:
        return _read_trace(workspace, call, call.trace_id)
    if call.path is None:
        raise _refuse("path", "a file of the vault, or a trace_id beside no path")
    refuse_without_trace(call, "path", "offset", "hits", "only_new", "scope")
    lines = None if call.full else _range(call.range)
    max_chars = _max_chars(call.limits)
    parts = locate(workspace, call.path)
    part = ask_note(workspace, parts, lambda file: _read(file, "/".join(parts), lines, max_chars))
    workspace.delivered.record(part.delivery)
    applied = {"full": bool(call.full), "max_chars": max_chars}
    return part.fields(line_numbers=call.line_numbers) | {
        "returned_chars": len(part.text),
        "applied": applied,
        "sha256": part.sha256,
    }


def _read_trace(workspace: Workspace, call: vault_inputs.VaultRead, trace_id: str) -> dict[str, Any]:
    """Of several files at once there is no one range, cursor or digest."""
    refuse_beside_trace(call, "path", "full", "range")
    asked = HitsAsked(
        "vault_find",
        trace_id,
        call.scope or "sections",
        call.hits,
        call.offset or 0,
        max_sections=None,
        max_chars=_max_chars(call.limits),
        only_new=bool(call.only_new),
    )
    found = read_hits(workspace, asked)
    return found | {
        "returned_chars": len(found["text"]),
        "applied": {"full": False, "max_chars": asked.max_chars},
        "applied_range": None,
        "next_cursor": NOWHERE,
        "truncated_reason": "max_chars" if found["truncated"] else "none",
        "sha256": None,
    }


def vault_scan(workspace: Workspace, call: vault_inputs.VaultScan) -> dict[str, Any]:
    """Read the next chunk of a file. All chunks together are its text."""
    max_chars = _max_chars(call.limits)
    most_lines = workspace.config.vault_scan_max_chunk_lines
    if call.chunk_lines is not None and call.chunk_lines > most_lines:
        raise _refuse("chunk_lines", f"at most {most_lines}")
    parts = locate(workspace, call.path)
    path = "/".join(parts)
    part = ask_note(workspace, parts, lambda file: _scan(file, path, call, max_chars))
    workspace.delivered.record(part.delivery)
    actions = propose_after_scan(workspace, path, part.cursor)
    return part.fields(line_numbers=call.line_numbers) | {
        "eof": part.cut_by == "none",
        "applied": {"max_chars": max_chars},
        "next_actions": [_with_line_numbers(action) for action in actions] if call.line_numbers else actions,
    }


def _with_line_numbers(action: dict[str, Any]) -> dict[str, Any]:
    """The next chunk like this one."""
    if action["type"] != "vault_scan":
        return action
    return action | {"params": action["params"] | {"line_numbers": True}}


def _max_chars(limits: vault_inputs.TextLimits | None) -> int:
    return (limits.max_chars if limits else None) or MOST_CHARS


def _range(lines: vault_inputs.LineRange | None) -> tuple[int, int | None]:
    """The first line and the last one, `None` for the file's."""
    if lines is None or (lines.start_line or lines.end_line) is None:
        raise _refuse("range", "start_line, end_line or both, or full=true")
    first, last = lines.start_line or 1, lines.end_line
    if last is not None and last < first:
        raise _refuse("range", "an end_line that is not before start_line")
    return first, last


def _read(file: TextFile, path: str, lines: tuple[int, int | None] | None, max_chars: int) -> Part:
    start, end = 0, file.map.characters
    if lines is not None:
        first, last = lines
        _check_line(file, first, "range.start_line")
        start, end = file.start_of(first), end if last is None else file.start_of(last + 1)
    return _part(file, path, start, end, max_chars, "range_end")


def _scan(file: TextFile, path: str, call: vault_inputs.VaultScan, max_chars: int) -> Part:
    start = _scan_start(file, path, call)
    end = file.map.characters
    if call.chunk_lines is not None:
        end = file.start_of(file.line_of(start) + call.chunk_lines)
    return _part(file, path, start, end, max_chars, "chunk_end")


def _scan_start(file: TextFile, path: str, call: vault_inputs.VaultScan) -> int:
    if call.start_line is not None:
        _check_line(file, call.start_line, "start_line")
        return file.start_of(call.start_line)
    cursor = call.cursor or vault_inputs.ScanCursor()
    check_cursor(path, file, cursor)
    if cursor.char_offset is not None:
        return cursor.char_offset
    _check_line(file, cursor.start_line or 1, "cursor.start_line")
    return file.start_of(cursor.start_line or 1)


def _part(file: TextFile, path: str, start: int, end: int, max_chars: int, end_name: str) -> Part:
    """What stands from `start` to `end`, as far as `max_chars` reach. `end_name` is why it ends there."""
    stop = min(end, start + max_chars)
    is_end = stop == file.map.characters
    cut_by = end_name if stop == end else "max_chars"
    return Part(
        text=file.part(start, stop),
        first_line=file.line_of(start),
        last_line=file.line_of(max(stop - 1, start)),
        cut_by="none" if is_end else cut_by,
        cursor=None if is_end else make_cursor(path, file, stop),
        delivery=describe_delivery("vault", path, file, start, stop, file.map.version),
        sha256=file.map.sha256,
    )


def _check_line(file: TextFile, line: int, parameter: str) -> None:
    if line > file.map.lines:
        raise _refuse(parameter, f"at most {file.map.lines}, the file's last line")


def _refuse(parameter: str, expected: str) -> ToolError:
    message = f"{parameter}: expected {expected}"
    return ToolError("invalid_parameter", message, parameter=parameter, expected=expected)
