"""The lines of Markdown on which the sentence of a line stands, where paragraphs are broken into lines of a width: one
of them alone would be half a sentence. Pure.
"""

import re
from unicodedata import east_asian_width

from morenashi.server.reading import FileText

# What is broken to a width is about as wide as that; a shorter line, or a much longer one, ends where its writer had it
# end. In columns of a terminal.
_NARROWEST, _WIDEST = 60, 130
_MOST_LINES, _MOST_CHARACTERS = 3, 400
_ENDS = re.compile(r"[.!?:;。！？：；][\"'”’)\]）」』*_]*\s*$")
_ENDS_WITHIN = re.compile(r"[.!?][\"'”’)\]]*[ \t]+\S|[。！？]")
_BEGINS_BLOCK = re.compile(r"[ \t]*(?:[-*+][ \t]|[0-9]{1,9}[.)][ \t]|#|\||>|`{3}|~{3}|<|$)")


def sentence_lines(file: FileText, line: int) -> tuple[int, int]:
    """The first and the last of these lines; the line alone where it is longer than they may be together."""
    first = last = line
    while line - first < _MOST_LINES and first > 1 and _goes_on(file, first - 1):
        first -= 1
        if _ENDS_WITHIN.search(file.line_text(first)):
            break
    while last - line < _MOST_LINES and last < file.lines and _goes_on(file, last):
        last += 1
        if _ENDS_WITHIN.search(file.line_text(last)):
            break
    is_short = file.start_of(last + 1) - file.start_of(first) <= _MOST_CHARACTERS
    return (first, last) if is_short else (line, line)


def _goes_on(file: FileText, line: int) -> bool:
    """Whether the sentence with which a line ends goes on in the next one."""
    text = file.line_text(line)
    return (
        not _ENDS.search(text)
        and not _BEGINS_BLOCK.match(file.line_text(line + 1))
        and not text.lstrip().startswith(("#", "|", "`" * 3, "~" * 3))
        and _NARROWEST <= _width(text.rstrip()) <= _WIDEST
    )


def _width(text: str) -> int:
    return len(text) + sum(east_asian_width(character) in "FW" for character in text)
