"""Parts of several files in one text. Each begins with a line that names it, and every line of a file with its number
and a tab: none of them can pass for such a name. Pure.
"""

import re
from collections.abc import Sequence

from morenashi.server.line_numbers import number_lines
from morenashi.server.reading import FileText

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def on_one_line(path: str) -> str:
    """A path, with escapes for what would end the line: a file can be called anything."""
    return _BREAKS.sub(lambda found: found[0].encode("unicode_escape").decode(), path)


def named_part(name: str, file: FileText, places: Sequence[tuple[int, int]], *, is_whole: bool = True) -> str:
    """The characters [start, end) of a file behind their name, `name:first-last`."""
    first, (start_of_last, end) = places[0][0], places[-1]
    lines = f"{file.line_of(first)}-{file.line_of(max(end - 1, start_of_last))}"
    texts = (number_lines(file.part(start, end), file.line_of(start)) for start, end in places)
    return f"{name}:{lines}{'' if is_whole else ', in parts'}\n" + "".join(map(_ended, texts))


def _ended(text: str) -> str:
    """A text with a line feed at its end: to many that read the answer a carriage return ends no line."""
    return text if text.endswith("\n") else text + "\n"
