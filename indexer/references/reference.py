"""What a document says about other places: the value. The grammars have files of their own."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from morenashi.indexer.text import IDEOGRAPHS, normalise

ReferenceKind = Literal[
    "article", "relative", "range", "division", "appendix", "form", "section", "document", "link", "wiki"
]
Relation = Literal["準用", "準ずる", "例による"]

# Letters that normalisation leaves as they are.
_PLAIN = re.compile(f"[\u3005\u3007\u3041-\u3096\u30a1-\u30fa\u30fc{IDEOGRAPHS}]+")


class Reference(NamedTuple):
    """A place that another place is named in.

    `line` is 1-based, `column` counts code points of the line as it stands in the file. `text` is as written, for
    links what they show, normalised. `called` is what the other document is called, `None` for the same document:
    a name, or a path from the manual's root with a leading slash. `name` is one of `section_names`; `detail` goes
    behind it; `last` ends a range. `heading` is what a link to an anchor says of the heading there, as a name, which is
    meant where the anchor is not there.
    """

    line: int
    column: int
    kind: ReferenceKind
    relation: Relation | None
    text: str
    called: str | None
    name: str
    detail: str | None = None
    last: str | None = None
    heading: str | None = None


def each_target_once(references: Iterable[Reference]) -> Iterator[Reference]:
    """Leave out what says of a target no more than an earlier one."""
    said = set()
    for reference in references:
        if reference[5:] not in said:
            said.add(reference[5:])
            yield reference


def lines_with(text: str, signs: re.Pattern[str] | Iterable[str]) -> list[int]:
    """The lines (1-based) of a text with one of these signs, of which strings are found far quicker than a pattern."""
    if isinstance(signs, re.Pattern):
        places = [match.start() for match in signs.finditer(text)]
    else:
        places = sorted({place for sign in signs for place in _places(text, sign)})
    lines, line, passed = [], 1, 0
    for place in places:
        line += text.count("\n", passed, place)
        passed = place
        lines.append(line)
    return list(dict.fromkeys(lines))


def _places(text: str, sign: str) -> Iterator[int]:
    place = text.find(sign)
    while place >= 0:
        yield place
        place = text.find(sign, place + 1)


def plain_normal(text: str) -> str:
    """`normalise`, for short texts that mostly are normal already: a tenth of its time."""
    return text if _PLAIN.fullmatch(text) else normalise(text)
