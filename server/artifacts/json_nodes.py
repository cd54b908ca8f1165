"""Where graphs stand in a JSON value, and which nodes and edges they have; where these lead is not asked. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from morenashi.indexer.json_text import Value, find_values

from . import json_fields as fields
from .json_fields import Object
from .words import is_mark

_LEADING = fields.NEXT | fields.ANSWERS | fields.EVENTS

Place = tuple[str, ...]
"""The names and numbers that lead to a value."""


@dataclass(frozen=True, slots=True)
class Node:
    """What a node says of itself, and on which line."""

    id: str
    line: int
    body: Object


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges come with their lines. `body` is the object that nodes and edges stand in, empty for nodes alone."""

    body: Object
    nodes: list[Node]
    edges: list[tuple[Any, int]]


class Lines:
    """The line on which a value begins, by the names and numbers that lead to it."""

    def __init__(self, text: str, first_line: int) -> None:
        self._root = find_values(text)
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._first_line = first_line

    def line(self, place: Place) -> int:
        """A place in the text that was parsed to its line in the file."""
        value: Value | None = self._root
        for step in place:
            value = value.at(step) if value else None
        return self._first_line + bisect_left(self._breaks, value.start if value else 0)


def find_graphs(value: Any, lines: Lines) -> list[Graph]:
    """The graphs in a value, outermost first; without any, the trees whose nodes hold those that they lead to."""
    graphs = list(_find_graphs(value, (), lines)) or list(_find_trees(value, (), lines))
    return [replace(graph, edges=_with_ids(graph)) for graph in graphs if graph.nodes]


def _find_graphs(value: Any, place: Place, lines: Lines, *, is_beside: bool = False) -> Iterator[Graph]:
    """Objects with nodes. Nodes alone are a graph by themselves, but not beside the nodes of a graph: there an array
    groups them.
    """
    own = fields.graph_keys(value)
    if own:
        yield _read_graph(value, place, lines, *own)
    elif not is_beside and isinstance(value, dict) and fields.is_rooted(value):
        yield _read_tree(value, place, lines)
        return
    elif not is_beside and fields.are_nodes_alone(value):
        graph = Graph({}, [], [])
        _gather(value, place, lines, graph)
        yield graph
        return
    for step, part in fields.parts_of(value):
        if step not in own:
            yield from _find_graphs(part, (*place, step), lines, is_beside=is_beside or bool(own))


def _find_trees(value: Any, place: Place, lines: Lines, *, is_item: bool = False) -> Iterator[Graph]:
    """Nodes that hold the nodes that they lead to, outermost first: a decision with its answers inside. Of a checklist
    of which one item has children, the others are items as well.
    """
    if isinstance(value, dict) and (fields.asks(value) or _leads_to_held(value) or is_item):
        yield _read_tree(value, place, lines)
        return
    is_checklist = isinstance(value, list) and fields.are_items(value)
    for step, part in fields.parts_of(value):
        yield from _find_trees(part, (*place, step), lines, is_item=is_checklist)


def _leads_to_held(body: Object) -> bool:
    return fields.id_of(body) is not None and any(map(_holds_node, _leading(body).values()))


def _leading(body: Object) -> Object:
    return {key: part for key, part in body.items() if fields.plain_name(key) in _LEADING}


def _holds_node(value: Any) -> bool:
    """Whether a node is in this, be it in an answer that has no id itself."""
    if isinstance(value, dict) and fields.id_of(value) is not None:
        return True
    return any(_holds_node(part) for _, part in fields.parts_of(value))


def _read_tree(tree: Object, place: Place, lines: Lines) -> Graph:
    reader = _TreeReader(lines, are_called_by_text=fields.id_of(tree) is None)
    reader.take(tree, place)
    return Graph({}, reader.nodes, [])


class _TreeReader:
    """Takes up the nodes of a tree, each before those that it holds. Without ids they are called by what they say,
    and the texts among their answers are no nodes, but ends."""

    def __init__(self, lines: Lines, *, are_called_by_text: bool) -> None:
        self.nodes: list[Node] = []
        self._lines = lines
        self._are_called_by_text = are_called_by_text
        self._called: set[str] = set()

    def take(self, value: Any, place: Place) -> Any:
        """Take up the nodes in a value; the value with their ids in their place."""
        if isinstance(value, list):
            return [self.take(part, (*place, str(position))) for position, part in enumerate(value)]
        if not isinstance(value, dict):
            return "" if self._are_called_by_text else value
        line = self._lines.line(place)
        id = self._id_of(value, line)
        if id is None:
            return {key: self.take(part, (*place, key)) for key, part in value.items()}
        position = len(self.nodes)
        self.nodes.append(Node(id, line, value))
        held = {key: self.take(part, (*place, key)) for key, part in _leading(value).items()}
        self.nodes[position] = replace(self.nodes[position], body=value | held)
        return id

    def _id_of(self, body: Object, line: int) -> str | None:
        id = fields.id_of(body)
        if id is not None or not self._are_called_by_text:
            return id
        said = fields.said_of(body)
        # All that say 終了 are one end.
        if said is None or is_mark(said):
            return said
        # Others may say the same, also on one line.
        names = (said, f"{said}@{line}", f"{said}@{line}.{len(self.nodes) + 1}")
        called = next(name for name in names if name not in self._called)
        self._called.add(called)
        return called


def _read_graph(body: Object, place: Place, lines: Lines, nodes_key: str, edges_key: str | None) -> Graph:
    graph = Graph(body, [], [])
    _gather(body[nodes_key], (*place, nodes_key), lines, graph)
    if edges_key is not None:
        graph.edges.extend(_edges(body[edges_key], (*place, edges_key), lines))
    return graph


def _gather(value: Any, place: Place, lines: Lines, graph: Graph) -> None:
    """Take up the nodes of an array or of an object by id, those that they hold, and edges that stand among them."""
    are_wired = isinstance(value, list) and fields.are_wired(value)
    for step, part in fields.parts_of(value):
        here = (*place, step)
        if isinstance(value, list) and fields.is_edge(part):
            graph.edges.append((part, lines.line(here)))
            continue
        body = fields.body_of(part) if isinstance(part, dict) else {}
        id = step if isinstance(value, dict) else str(part) if fields.is_name(part) else fields.id_of(body)
        if id is None or (are_wired and not fields.is_wired(body)):
            continue
        graph.nodes.append(Node(id, lines.line(here), body))
        for key in body:
            if fields.plain_name(key) in fields.NESTED and isinstance(body[key], list) and fields.are_nodes(body[key]):
                _gather(body[key], (*here, key), lines, graph)


def _edges(value: Any, place: Place, lines: Lines) -> list[tuple[Any, int]]:
    """An array of edges, or an object that maps each origin to its targets, be it by their kinds as n8n does."""
    if isinstance(value, dict):
        return [
            ([origin, target], lines.line((*place, origin)))
            for origin, targets in value.items()
            for target in fields.ends_in(targets)
        ]
    return [(edge, lines.line((*place, str(position)))) for position, edge in enumerate(value)]


def _with_ids(graph: Graph) -> list[tuple[Any, int]]:
    """The edges; where all their ends are places among the nodes, with the ids of these instead."""
    places = [fields.places_of(edge) for edge, _ in graph.edges]
    if not all(places) or any(node.id.isdigit() for node in graph.nodes):
        return graph.edges
    called = {place: node.id for place, node in enumerate(graph.nodes)}
    return [
        ([called.get(end, str(end)) for end in ends], line)
        for ends, (_, line) in zip(filter(None, places), graph.edges, strict=True)
    ]
