"""Lines of the source that the running text of a Markdown file names: its paragraphs, headings, comments, front matter.

Nothing there is an element, but what it cites is cited. Pure.
"""

import json
import re
from collections.abc import Iterator, Sequence

from .model import SourceLines
from .source_lines import find_source_lines

_DIGIT = re.compile(r"\d")
_STRING = r'"(?:[^"\\]|\\.)*"'
# How the bridge says where a copied text is from, in a front matter or in a comment.
_COPIED_FROM = re.compile(rf"source_manual_ids: \[({_STRING})\](?:; |\n)source_path: ({_STRING})(?:; |\n)")
# And how somebody else may, in a front matter.
_FILE = re.compile(r"^source(?:_path|_file)?: *([\"']?)([^\"'\n]+\.[A-Za-z]\w*)\1 *$", re.M)


def find_cited(lines: Sequence[str]) -> Iterator[SourceLines]:
    """What the lines of a file name, the front matter read as a whole."""
    end = _end_of_front_matter(lines)
    for text in ("\n".join(lines[:end]), *filter(_DIGIT.search, lines[end:])):
        spans = find_source_lines(text)
        file = _said_source(text) if spans else None
        yield from (span._replace(file=span.file or file) for span in spans)


def _end_of_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)


def _said_source(text: str) -> str | None:
    """The file that a front matter or the note of a copy is about; of a copy, as `<id>/<path>`."""
    if copied := _COPIED_FROM.search(text):
        return "/".join(json.loads(part) for part in copied.groups())
    named = _FILE.search(text)
    return named[2] if named else None
