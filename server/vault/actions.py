"""What to do next after a scan, a coverage or an audit (seed 001 §7), from the server's own records.

Lines that were never delivered come first, so that whoever follows the first proposals alone comes to an end. All
chunks have the same size (contract §1). A manual is read with `manual_read`, which the vault's tools cannot.
"""

from collections.abc import Sequence
from typing import Any

from morenashi.server.delivered import Delivered
from morenashi.server.ranges import Range, merge, subtract
from morenashi.server.workspace import Workspace

from .sources import SourceFile

Action = dict[str, Any]


def propose_after_scan(
    workspace: Workspace, path: str, next_cursor: dict[str, Any] | None, next_line: int | None
) -> list[Action]:
    """The next chunk until the file ends; then the look at what is covered.

    Where new lines are followed by some that the session has had, that look comes first: it leads past them. A chunk
    without a new line is read again on purpose, and so is what follows it. `path` is in the vault; cursor and line are
    those of the next chunk, `None` at the end of the file.
    """
    delivered = workspace.delivered.find("vault", path)
    coverage = _action("vault_coverage", 1.0, path=path, cited_ranges=as_objects(delivered.lines))
    if next_cursor is None:
        return [coverage]
    chunk_lines = workspace.config.vault_scan_default_chunk_lines
    was_had = any(first <= (next_line or 0) <= last for first, last in delivered.lines)
    if was_had and delivered.latest_lines:
        return [coverage, _action("vault_scan", 0.5, path=path, cursor=next_cursor, chunk_lines=chunk_lines)]
    return [_action("vault_scan", 1.0, path=path, cursor=next_cursor, chunk_lines=chunk_lines)]


def propose_scan(workspace: Workspace, source: SourceFile, ranges: Sequence[Range], confidence: float) -> Action:
    """Read the first of these lines of a source."""
    first, _ = ranges[0]
    if source.root == "manual":
        manual_id, _, path = source.path.partition("/")
        ref = {"target": "manual", "manual_id": manual_id, "path": path, "start_line": first}
        scope = "snippet" if path.casefold().endswith(".json") else "section"
        return _action("manual_read", confidence, ref=ref, scope=scope)
    chunk_lines = workspace.config.vault_scan_default_chunk_lines
    return _action("vault_scan", confidence, path=source.path, start_line=first, chunk_lines=chunk_lines)


def propose_stop(confidence: float) -> Action:
    """Enough is known."""
    return {"type": "stop", "confidence": round(confidence, 3), "params": None}


def propose_coverage(source: SourceFile, cited: Sequence[Range]) -> Action:
    """See which lines of a source are not cited."""
    return _action("vault_coverage", 0.5, path=source.shown, cited_ranges=as_objects(cited))


def undelivered(delivered: Delivered, ranges: Sequence[Range]) -> list[Range]:
    """Of these lines, those that the session never had."""
    return subtract(ranges, delivered.lines)


def as_objects(ranges: Sequence[Range]) -> list[dict[str, int]]:
    """Ranges as answers and parameters have them."""
    return [{"start_line": first, "end_line": last} for first, last in merge(ranges)]


def _action(tool: str, confidence: float, **params: object) -> Action:
    return {"type": tool, "confidence": round(confidence, 3), "params": params}
