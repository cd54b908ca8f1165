"""Lines of the source that the running text of a Markdown file names: its paragraphs, headings, comments, front matter.

Nothing there is an element, but what it cites is cited. Pure.
"""

import re
from collections.abc import Iterator, Sequence

from .copies import said_source
from .model import SourceLines
from .source_lines import find_source_lines

_DIGIT = re.compile(r"\d")
# How a front matter may say what it is about.
_FILE = re.compile(r"^source(?:_path|_file)?: *([\"']?)([^\"'\n]+\.[A-Za-z]\w*)\1 *$", re.M)

# A YAML list below its key, which may as well stand beside it: `- 12-18`.
_LISTED = re.compile(r"\n[ \t]*-[ \t]+([\"']?)(L?\d[^\"'\n]*)\1")
# - path: guide.md
#   lines: 12-18
_LINES_OF_FILE = re.compile(r"^[ \t]*-[ \t]*(?:path|file|source):[ \t]*([\"']?)(\S+)\1[ \t]*\n[ \t]*lines?:", re.M)


def find_cited(lines: Sequence[str]) -> Iterator[SourceLines]:
    """What the lines of a file name, the front matter read as a whole."""
    end = _end_of_front_matter(lines)
    front = "\n".join(lines[:end])
    yield from _of_source(front, _find_in_front_matter(front))
    for text in filter(_DIGIT.search, lines[end:]):
        yield from _of_source(text, find_source_lines(text))


def _end_of_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)


def _find_in_front_matter(text: str) -> tuple[SourceLines, ...]:
    flat = _LINES_OF_FILE.sub(r"source_lines: \2", text)
    return find_source_lines(_LISTED.sub(r", \2", flat).replace(":,", ":"))


def _of_source(text: str, spans: Sequence[SourceLines]) -> Iterator[SourceLines]:
    file = _subject(text) if spans else None
    return (span._replace(file=span.file or file) for span in spans)


def _subject(text: str) -> str | None:
    """The file that a front matter or the note of a copy is about."""
    if copied := said_source(text):
        return copied
    named = _FILE.search(text)
    return named[2] if named else None
