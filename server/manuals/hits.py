"""The lists of a trace, a page at a time."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.files import parts_below_root
from morenashi.indexer.json_text import is_valid, pointers_at
from morenashi.server.calls.inputs import MAX_POINTER_CHARS, HitKind
from morenashi.server.delivery.delivered import root_of
from morenashi.server.errors import ToolError
from morenashi.server.reading import FileText
from morenashi.server.search.judgement.conflicts import Conflict
from morenashi.server.search.judgement.gaps import Gap
from morenashi.server.search.ranking.candidates import Candidate
from morenashi.server.search.scope import Unscanned
from morenashi.server.search.traces import Trace
from morenashi.server.shelf import Shelf
from morenashi.server.whole_files import read_text
from morenashi.server.workspace import Workspace

from .hit_titles import hit_titles
from .match_offsets import match_offset

Item = dict[str, Any]

_MOST_LINES = 5
# A section with matching lines so far apart is not read in one call, nor are those at once that stand near each other.
_LONG, _APART = 200, 20
# Among pointers by line: of the match, which need not begin its line.
_MATCH = 0


def page_hits(workspace: Workspace, trace: Trace, kind: HitKind, offset: int, limit: int) -> tuple[list[Item], int]:
    """The items [offset, offset + limit) of a list of the trace, and its whole length."""
    if kind == "unscanned":
        total = sum(item.places for item in trace.unscanned)
        return _unscanned_items(trace.unscanned, offset, limit), total
    if kind == "gaps":
        return [_gap_item(gap) for gap in trace.gaps[offset : offset + limit]], len(trace.gaps)
    if kind == "conflicts":
        return [_conflict_item(conflict) for conflict in trace.conflicts[offset : offset + limit]], len(trace.conflicts)
    page = trace.candidates[offset : offset + limit]
    reason = "ranked_by_integration" if kind == "integrated_top" else None
    shelf = workspace.vault if trace.tool == "vault_find" else workspace.manuals
    return _candidate_items(shelf, page, reason), len(trace.candidates)


def _unscanned_items(unscanned: tuple[Unscanned, ...], offset: int, limit: int) -> list[Item]:
    items: list[Item] = []
    for group in unscanned:
        if offset < group.places:
            places = group.page(offset, limit - len(items))
            items += [_item(_ref(*place), reason=group.reason) for place in places]
        offset = max(offset - group.places, 0)
        if len(items) >= limit:
            break
    return items


def _gap_item(gap: Gap) -> Item:
    ref = _ref(gap.manual_id, gap.path, gap.line) if gap.manual_id is not None and gap.path else None
    return _item(ref, reason="gap", gap_hint=gap.hint)


def _conflict_item(conflict: Conflict) -> Item:
    item = _item(_ref(*conflict.place), reason="conflict", conflict_with=[_ref(*conflict.other)])
    return item | {"conflict_kind": conflict.kind}


def _candidate_items(shelf: Shelf, page: tuple[Candidate, ...], reason: str | None) -> list[Item]:
    keys = [candidate.section for candidate in page]
    titles = shelf.ask(lambda connection: hit_titles(connection, keys))
    further = [_further_lines(candidate) for candidate in page]
    pointers = _json_pointers(shelf.collection.root, page, [lines.listed for lines in further])
    return [
        _candidate_item(candidate, reason, titles.get(key), lines, pointers.get(position, {}))
        for position, (candidate, key, lines) in enumerate(zip(page, keys, further, strict=True))
    ]


class _FurtherLines(NamedTuple):
    """Lines of a candidate that match beside its own: those that are listed, and how many there are."""

    listed: Sequence[int] = ()
    total: int = 0


def _candidate_item(
    candidate: Candidate, reason: str | None, title: str | None, further: _FurtherLines, pointers: dict[int, str]
) -> Item:
    """`pointers` are the JSON Pointers of its match and lines, as far as they have any. What there is none of is left
    out.
    """
    ref = _ref(candidate.manual_id, candidate.path, candidate.line, pointers.get(_MATCH))
    if title:
        ref["title"] = title
    item = _item(ref, reason=reason, signals=list(candidate.signals), score=candidate.score)
    item["exceptions"] = _exceptions(candidate, pointers)
    if total := candidate.why.get("exceptions_total"):
        item["exceptions_total"] = total
    if further.listed:
        item["lines"] = [{"start_line": line, "json_path": pointers.get(line)} for line in further.listed]
    if further.total > len(further.listed):
        item["lines_total"] = further.total
    return item


def _further_lines(candidate: Candidate) -> _FurtherLines:
    """Up to five: of a JSON file, which is one section, and of a section that is too long to be read at once, of which
    they stand apart from each other. First those that hold terms which none before them does (a key, beside lines that
    name the program and say "default"), then those with most terms.
    """
    held = {line: set(terms) for line, terms in candidate.terms_by_line().items()}
    is_json = candidate.file_type == "json"
    if not held or not (is_json or max(held) - min(held) >= _LONG):
        return _FurtherLines()
    apart = 1 if is_json else _APART
    taken = [candidate.line]
    said = set(held.get(candidate.line, ()))
    left = sorted(held, key=lambda line: (-len(held[line]), line))
    while len(taken) <= _MOST_LINES:
        left = [line for line in left if all(abs(line - other) >= apart for other in taken)]
        if not left:
            break
        best = max(left, key=lambda line: len(held[line] - said))
        taken.append(best)
        said |= held[best]
    return _FurtherLines(sorted(taken[1:]), len(held.keys() - {candidate.line}))


def _json_pointers(
    root: Path, page: tuple[Candidate, ...], further: Sequence[Sequence[int]]
) -> dict[int, dict[int, str]]:
    """The JSON Pointers of each JSON candidate, by its position and as `_pointers` has them, as the file stands now."""
    wanted = sorted((c.key, position) for position, c in enumerate(page) if c.file_type == "json")
    pointers: dict[int, dict[int, str]] = {}
    for key, places in groupby(wanted, key=itemgetter(0)):
        file = _read_json(root, parts_below_root(*key))
        if file is None:
            continue
        for _, position in places:
            pointers[position] = _pointers(file, page[position], further[position])
    return pointers


def _read_json(root: Path, parts: tuple[str, ...]) -> FileText | None:
    try:
        text = read_text(root, parts, "path")
    except (ToolError, UndecodableError, OSError):
        # The file went away after the search: the hit stands, without a pointer.
        return None
    return FileText(text, "json") if is_valid(text) else None


def _pointers(file: FileText, candidate: Candidate, further: Sequence[int]) -> dict[int, str]:
    """That of the match, by `_MATCH`; by line, of others and of exceptions, those of what begins there."""
    lines = [line for line in {*further, *candidate.excepted_here()} if line <= file.lines]
    places = {_MATCH: match_offset(file, candidate)} if candidate.line <= file.lines else {}
    places |= {line: _first_character(file, line) for line in lines}
    wanted = sorted(set(places.values()))
    pointer_at = dict(zip(wanted, pointers_at(file.text, wanted), strict=True))
    found = ((line, pointer_at[offset]) for line, offset in places.items())
    # A longer one could not be sent back; the line says where it is.
    return {line: pointer for line, pointer in found if pointer is not None and len(pointer) <= MAX_POINTER_CHARS}


def _first_character(file: FileText, line: int) -> int:
    text = file.line_text(line)
    return file.start_of(line) + len(text) - len(text.lstrip())


def _exceptions(candidate: Candidate, pointers: Mapping[int, str]) -> list[Item]:
    """What is excepted from what the candidate says: a place and its kind. Empty: nothing in this section says so."""
    return [
        {
            "ref": _ref(manual_id, path, line, pointers.get(line) if (manual_id, path) == candidate.key else None),
            "rule": kind,
        }
        for manual_id, path, line, kind in candidate.why.get("exceptions", ())
    ]


def _ref(manual_id: str, path: str, line: int | None, json_path: str | None = None) -> Item:
    return {
        "target": root_of(manual_id),
        "manual_id": manual_id or None,
        "path": path,
        "start_line": line,
        "json_path": json_path,
    }


def _item(
    ref: Item | None,
    *,
    reason: str | None,
    signals: list[Any] | None = None,
    score: float | None = None,
    conflict_with: list[Item] | None = None,
    gap_hint: str | None = None,
) -> Item:
    return {
        "ref": ref,
        "path": ref["path"] if ref else None,
        "start_line": ref["start_line"] if ref else None,
        "reason": reason,
        "signals": signals or [],
        "score": score,
        "conflict_with": conflict_with or [],
        "gap_hint": gap_hint,
    }
