"""Parts of several files in one text. Each begins with a line that names it, a value of JSON with one that has its JSON
Pointer, and every line of a file with its number and a tab: none of them can pass for such a name. A line that is cut
has an ellipsis behind its number. Pure.
"""

import re
from collections.abc import Sequence
from operator import add

from morenashi.server.reading import FileText

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def on_one_line(path: str) -> str:
    """A path, with escapes for what would end the line: a file can be called anything."""
    return _BREAKS.sub(lambda found: found[0].encode("unicode_escape").decode(), path)


def named_part(
    name: str,
    file: FileText,
    places: Sequence[tuple[int, int]],
    *,
    is_whole: bool = True,
    heads: Sequence[str] = (),
) -> str:
    """The characters [start, end) of a file behind their name, `name:first-last`; each behind one of the `heads`, whole
    lines, if there are any.
    """
    numbered = (_ended(_numbered(file, start, end)) for start, end in places)
    texts = map(add, heads, numbered) if heads else numbered
    return part_name(name, file, places, is_whole=is_whole) + "".join(texts)


def part_name(name: str, file: FileText, places: Sequence[tuple[int, int]], *, is_whole: bool = True) -> str:
    """The line that such a part begins with."""
    lines = f"{file.line_of(places[0][0])}-{_last_line(file, *places[-1])}"
    return f"{name}:{lines}{'' if is_whole else ', in parts'}\n"


def size_of(file: FileText, start: int, end: int) -> int:
    """How many characters a place takes in such a text, with the numbers of its lines."""
    if start == end:
        return 0
    first, last = file.line_of(start), _last_line(file, start, end)
    digits = _digits_up_to(last) - _digits_up_to(first - 1)
    marks = _is_cut(file, first, start, end) + (first < last and _is_cut(file, last, start, end))
    return end - start + digits + (last - first + 1) + marks + (file.part(end - 1, end) != "\n")


def _digits_up_to(last: int) -> int:
    """Of all numbers from 1 on: the places are many, and some have very many lines."""
    return sum(last - 10**power + 1 for power in range(len(str(last)))) if last else 0


def _numbered(file: FileText, start: int, end: int) -> str:
    if start == end:
        return ""
    return "".join(
        _line(file, number, start, end) for number in range(file.line_of(start), _last_line(file, start, end) + 1)
    )


def _line(file: FileText, number: int, start: int, end: int) -> str:
    mark = "…" if _is_cut(file, number, start, end) else ""
    first, behind = file.start_of(number), file.start_of(number + 1)
    return f"{number}{mark}\t{file.part(max(first, start), min(behind, end))}"


def _is_cut(file: FileText, number: int, start: int, end: int) -> bool:
    """Whether [start, end) has a line in part: without its break alone it is whole."""
    behind = file.start_of(number + 1)
    return file.start_of(number) < start or behind - end > len("\r\n") or bool(file.part(end, behind).strip("\r\n"))


def _last_line(file: FileText, start: int, end: int) -> int:
    return file.line_of(max(end - 1, start))


def _ended(text: str) -> str:
    """A text with a line feed at its end: to many that read the answer a carriage return ends no line."""
    return text if text.endswith("\n") else text + "\n"
