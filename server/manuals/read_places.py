"""`manual_read` of places: lines of several documents in one answer, as they are on disk now. A place is written as the
answers name what was found, manual/path:first-last: an agent that knows which lines it wants asks for all of them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from morenashi.indexer.files import file_type_of, key_below_root
from morenashi.server.calls.inputs import Place
from morenashi.server.delivery.delivered import root_of
from morenashi.server.errors import ToolError
from morenashi.server.ranges import subtract
from morenashi.server.reading import FileText
from morenashi.server.search.scope import has_manual
from morenashi.server.unreadable import refusing_unreadable
from morenashi.server.workspace import Workspace

from .files import check_line, locate_document, open_document
from .given import note_given
from .hit_pieces import GIVEN_BEFORE
from .named_parts import named_part, on_one_line, part_name, size_of
from .new_places import had_of
from .texts_read_on import texts_read_on


def read_places(
    workspace: Workspace, places: Sequence[Place], max_chars: int, *, only_new: bool = False
) -> dict[str, Any]:
    """Read these lines, as many as the limit allows; `next_places` are those that are left. With `only_new` those that
    the client has had whole are left out.

    One that is not there is named with the reason. Raises that, what `manual_read` raises for a ref, if none is there.
    """
    texts: list[str] = []
    room, is_whole, is_there, failure = max_chars, True, False, None
    left = [_in_its_manual(workspace, place) for place in places]
    # Many places of a file stand together as a rule: it is read once for them.
    read_file = lru_cache(1)(partial(_read_file, workspace))
    while left and room > 0:
        place = left[0]
        try:
            parts, file = read_file(place.manual_id, place.path)
            check_line(place.first, file.lines, "places")
        except ToolError as error:
            failure = failure or error
            new, note = [], f"{on_one_line(str(place))}, {error.code}\n"
        else:
            new = _new_lines(workspace, place, parts, file) if only_new else [place]
            note = "" if new else f"{on_one_line(str(place))}, {GIVEN_BEFORE}\n"
            is_there = True
        if new != [place]:
            if texts and len(note) > room:
                break
            texts.append(note)
            room -= len(note)
            left[:1] = new
            continue
        name, lines = on_one_line("/".join(parts)), range(place.first, min(place.last, file.lines) + 1)
        start = file.start_of(place.first)
        if any(texts) and _size(name, file, start, file.start_of(lines.stop)) > room:
            break
        stop = _end_of_what_fits(name, file, lines, room)
        texts.append(named_part(name, file, [(start, stop)]))
        note_given(workspace, key_below_root(parts), file, place.first, [(start, stop)])
        following = file.line_of(max(stop - 1, start)) + 1
        is_whole = is_whole and stop == file.start_of(following)
        room -= len(texts[-1])
        left[:1] = [place._replace(first=following)] if following in lines else []
    if failure and not is_there and not left:
        raise failure
    answer: dict[str, Any] = {
        "text": "".join(texts),
        "truncated": bool(left) or not is_whole,
        "applied": {"scope": "snippet", "max_sections": None, "max_chars": max_chars},
        "source": None,
        "next_cursor": None,
    }
    return answer | ({"next_places": list(map(str, left))} if left else {})


def _end_of_what_fits(name: str, file: FileText, lines: range, room: int) -> int:
    """Up to where there is room for these lines: the end of one of them; of the first, if it is too long, any place."""
    start = file.start_of(lines[0])
    fit = bisect_right(lines, room, key=lambda line: _size(name, file, start, file.start_of(line + 1)))
    stop = file.start_of(lines[0] + max(fit, 1))
    return stop if fit else max(stop - (_size(name, file, start, stop) + len("…\n") - room), start + 1)


def _size(name: str, file: FileText, start: int, end: int) -> int:
    """How many characters these take with their name."""
    return len(part_name(name, file, [(start, end)])) + size_of(file, start, end)


def _new_lines(workspace: Workspace, place: Place, parts: Sequence[str], file: FileText) -> list[Place]:
    """The lines of a place that the client has not had."""
    had = had_of(workspace.delivered, root_of(place.manual_id), "/".join(parts), file).lines
    left = subtract([(place.first, min(place.last, file.lines))], had) if had else [(place.first, place.last)]
    return [place._replace(first=first, last=last) for first, last in left]


def _in_its_manual(workspace: Workspace, place: Place) -> Place:
    """The same place, also if it is named as audits name it: manuals/manual/path:12-40."""
    manual_id, slash, path = place.path.partition("/")
    if place.manual_id != "manuals" or not slash or workspace.ask(lambda index: has_manual(index, place.manual_id)):
        return place
    return place._replace(manual_id=manual_id, path=path)


def _read_file(workspace: Workspace, manual_id: str, path: str) -> tuple[tuple[str, ...], FileText]:
    parts = locate_document(workspace, manual_id, path, "places", "places")
    whole = workspace.config.manuals.joinpath(*parts)
    try:
        with refusing_unreadable(whole, "places", "manual_ls"), open_document(workspace, parts, "places") as descriptor:
            file, _ = texts_read_on.read(descriptor, file_type_of(parts[-1]) or "md")
    except ToolError as error:
        if near := error.details.get("nearest"):
            error.details["nearest"] = [f"{parts[0]}/{other}" for other in near]
        raise
    return parts, file
