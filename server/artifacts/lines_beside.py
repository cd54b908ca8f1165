"""Tables and lists that say, beside a flowchart, which lines of the source its nodes rest on. Pure.

`| A | 12-18 |` or `- A: L12-L18` below a diagram: whoever does not write into its labels writes so.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .model import Element, SourceLines, Structure
from .words import word_key

_MOST_FLOWCHARTS = 10
"""So many before, and so many behind, are asked whether a table or a list is of their nodes: of thousands not all."""


def give_lines_beside(flowcharts: Sequence[Structure], structures: Sequence[Structure]) -> list[Structure]:
    """The structures of a file, its `flowcharts` among them, in order. Nodes that name no lines have those that a table
    or list names for them; one that does nothing else is no structure of its own any more.
    """
    drawn = [flowchart for flowchart in flowcharts if flowchart.elements]
    names = [_names(flowchart) for flowchart in drawn]
    given: list[dict[str, list[SourceLines]]] = [{} for _ in drawn]
    kept: list[Structure] = []
    for structure in structures:
        position = _flowchart_of(structure, drawn, names) if structure.kind in ("table", "list") else None
        if position is None:
            kept.append(structure)
            continue
        for element in structure.elements:
            if node := _node_of(element, names[position]):
                given[position].setdefault(node, []).extend(element.sources)
        if structure.branches or not all(_node_of(element, names[position]) for element in structure.elements):
            kept.append(structure)
    told = {id(flowchart): _with_lines(flowchart, lines) for flowchart, lines in zip(drawn, given, strict=True)}
    return [told.get(id(structure), structure) for structure in kept]


def _names(flowchart: Structure) -> dict[str, str]:
    """The nodes by what they may be called: their ids, and their labels."""
    labels = {word_key(name): node.id for node in flowchart.elements for name in node.names}
    return labels | {word_key(node.id): node.id for node in flowchart.elements}


def _node_of(element: Element, names: Mapping[str, str]) -> str | None:
    return names.get(word_key(element.id))


def _flowchart_of(structure: Structure, drawn: Sequence[Structure], names: Sequence[Mapping[str, str]]) -> int | None:
    """The position of the flowchart that most elements are nodes of: the nearest before, or else behind."""
    behind = bisect_left(drawn, structure.elements[0].line, key=lambda flowchart: flowchart.elements[0].line)
    for position in _nearest(behind, len(drawn)):
        named = sum(_node_of(element, names[position]) is not None for element in structure.elements)
        if named * 2 > len(structure.elements):
            return position
    return None


def _nearest(behind: int, count: int) -> Iterator[int]:
    yield from range(behind - 1, max(behind - 1 - _MOST_FLOWCHARTS, -1), -1)
    yield from range(behind, min(behind + _MOST_FLOWCHARTS, count))


def _with_lines(flowchart: Structure, lines: Mapping[str, Sequence[SourceLines]]) -> Structure:
    elements = tuple(
        element if element.sources else replace(element, sources=tuple(lines.get(element.id, ())))
        for element in flowchart.elements
    )
    return replace(flowchart, elements=elements)
