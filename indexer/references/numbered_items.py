"""Items of lists by the number of their section and their own: 6.3.1.4, the fourth inside the first below 6.3. Pure.

Bylaws and contracts are cited so. A manual has many lists that nobody cites: what the text itself cites has a name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from morenashi.indexer.markdown import Section

_CITED = re.compile(r"(?:§ ?|[Ss]ections? |[Cc]lauses? )([0-9]{1,3}(?:\.[0-9]{1,3}){1,6})(?![\w.]{0,40}[0-9])")
_ITEM = re.compile(r"([ \t]{0,40})([0-9]{1,3})[.)][ \t]")


def numbers_cited(lines: Sequence[str]) -> frozenset[str]:
    """The numbers with stops inside that a text cites as sections."""
    may_cite = (line for line in lines if "§" in line or "ection" in line or "lause" in line)
    return frozenset(number for line in may_cite for number in _CITED.findall(line))


def numbered_items(
    lines: Sequence[str], sections: Sequence[Section], numbers: Mapping[int, str], cited: Set[str]
) -> Iterator[tuple[str, int, int]]:
    """The cited numbers that items of the sections' own texts have, with section and line. `numbers` are those of the
    sections, by position.
    """
    above = {number[:stop] for number in cited for stop, sign in enumerate(number) if sign == "."}
    for position, number in numbers.items():
        if number in above:
            items = _items(lines, sections[position], number)
            yield from ((name, position, line) for name, line in items if name in cited)


def _items(lines: Sequence[str], section: Section, number: str) -> Iterator[tuple[str, int]]:
    """The items of a section, each by all numbers down to its own."""
    inside: list[tuple[int, str]] = []
    for line in range(section.start_line + 1, min(section.own_end_line, len(lines)) + 1):
        if (item := _ITEM.match(lines[line - 1])) is None:
            continue
        indent = len(item[1].expandtabs(4))
        while inside and inside[-1][0] >= indent:
            inside.pop()
        inside.append((indent, item[2]))
        yield ".".join((number, *(own for _, own in inside))), line
