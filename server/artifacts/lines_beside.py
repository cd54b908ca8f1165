"""Tables and lists that say, beside a flowchart, which lines of the source its nodes rest on. Pure.

`| A | 12-18 |` or `- A: L12-L18` below a diagram: whoever does not write into its labels writes so.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .model import Element, SourceLines, Structure
from .words import word_key

_BEHIND_ID = re.compile(r"[\s(:]")
_MOST_FLOWCHARTS = 10
"""So many before, and so many behind, are asked whether a table or a list is of their nodes: of thousands not all."""


def give_lines_beside(
    flowcharts: Sequence[Structure], structures: Sequence[Structure], facts: Sequence[Structure]
) -> list[Structure]:
    """The structures of a file, its `flowcharts` among them, in order. Nodes have also the lines that a table or list
    names for them; one that does nothing else is no structure of its own any more. `facts` are tables without steps.
    """
    drawn = _Flowcharts([flowchart for flowchart in flowcharts if flowchart.elements])
    beside = [structure for structure in structures if structure.kind in ("table", "list") and drawn.take(structure)]
    for table in facts:
        drawn.take(table)
    left_out = {id(structure) for structure in beside if not (structure.branches or structure.references)}
    told = drawn.with_lines()
    return [told.get(id(structure), structure) for structure in structures if id(structure) not in left_out]


class _Flowcharts:
    """The flowcharts of a file, in order, with the lines that are named for their nodes elsewhere."""

    def __init__(self, drawn: Sequence[Structure]) -> None:
        self._drawn = drawn
        self._names = [_names(flowchart) for flowchart in drawn]
        self._given: list[dict[str, list[SourceLines]]] = [{} for _ in drawn]

    def take(self, beside: Structure) -> bool:
        """Note the lines that elements of a table or list name for nodes; whether all are nodes of one flowchart."""
        position = self._position(beside)
        if position is None:
            return False
        nodes = [(_node_of(element, self._names[position]), element) for element in beside.elements]
        for node, element in nodes:
            if node is not None:
                self._given[position].setdefault(node, []).extend(element.sources)
        return all(node is not None for node, _ in nodes)

    def with_lines(self) -> dict[int, Structure]:
        """The flowcharts by their identity, with the lines that nodes name and have been given."""
        return {
            id(flowchart): _with_lines(flowchart, lines)
            for flowchart, lines in zip(self._drawn, self._given, strict=True)
        }

    def _position(self, beside: Structure) -> int | None:
        """Which flowchart most elements are nodes of: the nearest before, or else behind."""
        behind = bisect_left(self._drawn, beside.elements[0].line, key=lambda drawn: drawn.elements[0].line)
        for position in _nearest(behind, len(self._drawn)):
            named = sum(_node_of(element, self._names[position]) is not None for element in beside.elements)
            if named * 2 > len(beside.elements):
                return position
        return None


def _names(flowchart: Structure) -> dict[str, str]:
    """The nodes by what they may be called: their ids, and their labels. A label that two have names neither."""
    labels: dict[str, str] = {}
    for node in flowchart.elements:
        for name in map(word_key, node.names):
            labels[name] = node.id if labels.get(name, node.id) == node.id else ""
    return labels | {word_key(node.id): node.id for node in flowchart.elements}


def _node_of(element: Element, names: Mapping[str, str]) -> str | None:
    """A（受付）, A: 受付 is A."""
    called = word_key(element.id)
    return names.get(called) or names.get(_BEHIND_ID.split(called, maxsplit=1)[0]) or None


def _nearest(behind: int, count: int) -> Iterator[int]:
    yield from range(behind - 1, max(behind - 1 - _MOST_FLOWCHARTS, -1), -1)
    yield from range(behind, min(behind + _MOST_FLOWCHARTS, count))


def _with_lines(flowchart: Structure, lines: Mapping[str, Sequence[SourceLines]]) -> Structure:
    elements = tuple(
        replace(element, sources=(*element.sources, *lines.get(element.id, ()))) for element in flowchart.elements
    )
    return replace(flowchart, elements=elements)
