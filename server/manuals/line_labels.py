"""The line above a line of Markdown without which that does not say of what it speaks: the mark of the item in which it
goes on, what leads in the list of which it is an item, or the head of the table of which it is a row. Pure.

Pages of manuals list options as `- **-x**`, and some lines below what it does; what the cells of a row are the head of
the table says. Of a law the items say what, and the sentence above them who has to do what with that, and by when.
"""

import re

from morenashi.server.reading import FileText

_MARKED = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\S")
_NO_TEXT = re.compile(r"[ \t]*(?:#|\||<|`{3}|~{3}|(?:[-*_][ \t]*){3,}$)")
_FURTHEST, _MOST_ROWS, _LONGEST, _LONGEST_LEAD = 60, 500, 200, 400


def label_of(file: FileText, line: int) -> int | None:
    """The number of that line; `None` if there is none, or it is far above or a paragraph."""
    if _MARKED.match(file.line_text(line)) and not _indent(file.line_text(line)):
        return _lead_of_list(file, line)
    label = _head_of_table(file, line) if _is_row(file, line) else _mark_of_item(file, line)
    return label if label and len(file.line_text(label)) <= _LONGEST else None


def _lead_of_list(file: FileText, line: int) -> int | None:
    for number in range(line - 1, max(line - _FURTHEST, 1) - 1, -1):
        text = file.line_text(number)
        if text.strip() and not _indent(text) and not _MARKED.match(text):
            return number if len(text) <= _LONGEST_LEAD and not _NO_TEXT.match(text) else None
    return None


def _head_of_table(file: FileText, line: int) -> int | None:
    for number in range(line, max(line - _MOST_ROWS, 1) - 1, -1):
        if number == 1 or not _is_row(file, number - 1):
            return number if number < line else None
    return None


def _is_row(file: FileText, line: int) -> bool:
    return file.line_text(line).lstrip().startswith("|")


def _mark_of_item(file: FileText, line: int) -> int | None:
    indent = _indent(file.line_text(line))
    if not indent:
        return None
    for number in range(line - 1, max(line - _FURTHEST, 1) - 1, -1):
        text = file.line_text(number)
        if text.strip() and _indent(text) < indent:
            if _MARKED.match(text):
                return number
            # An item that goes on less deep than the list in it does.
            indent = _indent(text)
    return None


def _indent(line: str) -> int:
    # Tabs as Markdown has them, to the next multiple of four.
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())
