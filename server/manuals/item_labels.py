"""The line that begins the item of a list in which a line of Markdown goes on: the option, of what is said of it. Pure.

Pages of manuals list options so, `- **-x**` and what it does some lines below: that alone does not say of what it is.
"""

import re

from morenashi.server.reading import FileText

_MARKED = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\S")
_FURTHEST, _LONGEST = 60, 200


def label_of(file: FileText, line: int) -> int | None:
    """The line with the mark of the item around it; `None` if it is in none, or in one that begins far above or has a
    paragraph for a label.
    """
    indent = _indent(file.line_text(line))
    if not indent:
        return None
    for number in range(line - 1, max(line - _FURTHEST, 1) - 1, -1):
        text = file.line_text(number)
        if not text.strip() or _indent(text) >= indent:
            continue
        return number if _MARKED.match(text) and len(text) <= _LONGEST else None
    return None


def _indent(line: str) -> int:
    # Tabs as Markdown has them, to the next multiple of four.
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())
