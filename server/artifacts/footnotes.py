"""Footnotes of a Markdown text that name lines of the source: `受付[^1]` and `[^1]: guide.md L12-L18`. Pure."""

import re

from .model import SourceLines
from .source_lines import find_marked_lines

_DEFINITION = re.compile(r"[ ]{0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(.*)")
# It may stand in the place of very many marks.
_LONGEST = 200
_MARK = re.compile(r"\[\^([^\]\s]{1,100})\]")


def put_in_footnotes(lines: list[str]) -> list[str]:
    """The lines with what footnotes name in the place of their marks. Where these stand below, there is nothing left:
    a list above would go on with them.
    """
    named: dict[str, str] = {}
    shown = lines[:]
    for number, line in enumerate(lines):
        definition = _DEFINITION.fullmatch(line)
        stated = "".join(map(_written, find_marked_lines(definition[2]))) if definition else ""
        if definition and 0 < len(stated) <= _LONGEST:
            named[definition[1]] = stated
            shown[number] = ""
    return [_MARK.sub(lambda mark: named.get(mark[1], mark[0]), line) for line in shown] if named else lines


def _written(span: SourceLines) -> str:
    file = f"{span.file} " if span.file else ""
    return f" ({file}L{span.first}-L{span.last})"
