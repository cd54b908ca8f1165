"""Graphs in JSON: nodes and edges, in the spellings in use. Pure.

Nodes are an array or an object by id, under `nodes`, `steps`, `states` and the like; edges an array beside them, or
what nodes say themselves (`next`, `yes`, `transitions`, ...). Cytoscape's `elements` and its `data` are read too.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from morenashi.indexer.json_text import Value, find_values

from . import json_fields as fields
from .json_beside import count_ids
from .json_fields import Object
from .json_frames import find_frames, open_frames
from .mentions import find_references
from .model import Branch, Element, Reference, Structure, Target
from .source_lines import parse_source_lines
from .starts import find_roots, find_starts
from .targets import Targets
from .words import is_mark, is_start_word, says_nothing

_MOST_LEVELS = 100
_LEADING = fields.NEXT | fields.ANSWERS | fields.EVENTS

Place = tuple[str, ...]
"""The names and numbers that lead to a value."""


@dataclass(frozen=True, slots=True)
class _Node:
    id: str
    line: int
    body: Object


@dataclass(frozen=True, slots=True)
class _Graph:
    """A graph before it is known where its nodes lead. Edges come with their lines."""

    body: Object
    nodes: list[_Node]
    edges: list[tuple[Any, int]]


class _Drawn(NamedTuple):
    """Where a graph stands: an object, with the keys of its nodes and edges, or nodes alone, or the root of a tree."""

    value: Any
    place: Place
    nodes_key: str | None = None
    edges_key: str | None = None
    is_tree: bool = False


class NoJsonError(Exception):
    """The text is not valid JSON, or none that anybody would draw; `line` is where it ceases to be."""

    def __init__(self, line: int, problem: str = "not valid JSON") -> None:
        super().__init__(f"{problem} from line {line} on")
        self.line = line


def parse_graph(text: str, first_line: int = 1) -> list[Structure]:
    """The graphs of a JSON text that begins on this line of the file. Raises `NoJsonError`."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise NoJsonError(first_line + error.lineno - 1) from None
    except ValueError:
        raise NoJsonError(first_line, "not JSON: a number of thousands of digits") from None
    except RecursionError:
        raise _too_deep(first_line) from None
    if _is_deep(value):
        raise _too_deep(first_line)
    lines = _Lines(text, first_line)
    graphs = [_read_graph(drawn, lines) for drawn in _find_graphs(value, ())]
    graphs = graphs or [_read_tree(tree, place, lines) for tree, place in _find_trees(value, ())]
    beside = count_ids(([node.id for node in graph.nodes] for graph in graphs), value)
    return [_structure(graph, beside) for graph in graphs if graph.nodes]


def _too_deep(line: int) -> NoJsonError:
    return NoJsonError(line, f"nested more than {_MOST_LEVELS} levels deep")


def _is_deep(value: Any) -> bool:
    """Whether arrays and objects lie in each other deeper than any graph does. What follows descends into them."""
    level = [value]
    for _ in range(_MOST_LEVELS):
        level = [inner for part in level if isinstance(part, (dict, list)) for inner in _values(part)]
    return bool(level)


def _values(part: Object | list[Any]) -> Iterable[Any]:
    return part.values() if isinstance(part, dict) else part


class _Lines:
    """The line on which a value begins, by the names and numbers that lead to it."""

    def __init__(self, text: str, first_line: int) -> None:
        self._root = find_values(text)
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._first_line = first_line

    def line(self, place: Place) -> int:
        value: Value | None = self._root
        for step in place:
            value = value.at(step) if value else None
        return self._first_line + bisect_left(self._breaks, value.start if value else 0)


def _find_graphs(value: Any, place: Place, *, is_beside: bool = False) -> Iterator[_Drawn]:
    """Objects with nodes, outermost first; an array of steps is a graph by itself, but not beside the nodes of a graph:
    there it groups them.
    """
    if isinstance(value, dict):
        is_graph = fields.has_nodes(value)
        if not is_graph and not is_beside and fields.is_rooted(value):
            yield _Drawn(value, place, is_tree=True)
            return
        if not is_graph and not is_beside and fields.are_named_nodes(value):
            yield _Drawn(value, place)
            return
        own = (fields.key_of(value, fields.NODES), fields.key_of(value, fields.EDGES)) if is_graph else ()
        if is_graph:
            yield _Drawn(value, place, *own)
        for key in value:
            if key not in own:
                yield from _find_graphs(value[key], (*place, key), is_beside=is_beside or is_graph)
    elif isinstance(value, list):
        if not is_beside and fields.are_nodes(value) and fields.lead_on(value):
            yield _Drawn(value, place)
            return
        for position, part in enumerate(value):
            yield from _find_graphs(part, (*place, str(position)), is_beside=is_beside)


def _find_trees(value: Any, place: Place) -> Iterator[tuple[Object, Place]]:
    """Nodes that hold the nodes that they lead to, outermost first: a decision with its answers inside."""
    if isinstance(value, dict) and (fields.asks(value) or _leads_to_held(value)):
        yield value, place
    elif isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _find_trees(part, (*place, str(key)))


def _leads_to_held(body: Object) -> bool:
    return fields.id_of(body) is not None and any(map(_holds_node, _leading(body).values()))


def _leading(body: Object) -> Object:
    return {key: part for key, part in body.items() if fields.plain_name(key) in _LEADING}


def _holds_node(value: Any) -> bool:
    """Whether a node is in this, be it in an answer that has no id itself."""
    if isinstance(value, dict) and fields.id_of(value) is not None:
        return True
    return isinstance(value, (dict, list)) and any(map(_holds_node, _values(value)))


def _read_tree(tree: Object, place: Place, lines: _Lines) -> _Graph:
    reader = _TreeReader(lines, are_called_by_text=fields.id_of(tree) is None)
    reader.take(tree, place)
    return _Graph({}, reader.nodes, [])


class _TreeReader:
    """Takes up the nodes of a tree, each before those that it holds. Without ids they are called by what they say,
    and the texts among their answers are no nodes, but ends."""

    def __init__(self, lines: _Lines, *, are_called_by_text: bool) -> None:
        self.nodes: list[_Node] = []
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
        self.nodes.append(_Node(id, line, value))
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


def _structure(graph: _Graph, beside: Mapping[str, int]) -> Structure:
    """A node may lead to one of another graph, where the flow ends here; an edge may not. `beside` as `count_ids`."""
    nodes = graph.nodes
    elements = _elements(nodes, {id for key in fields.STARTS for id in fields.ids_under(graph.body, [key])})
    terminals = fields.ids_under(graph.body, fields.TERMINALS)
    ends = Targets(elements, terminals, is_prose=False)
    branches = [branch for edge, line in graph.edges for branch in _edge_branches(edge, line, ends)]
    ids, targets = Targets(elements, terminals, beside, is_prose=False), Targets(elements, terminals, beside)
    branches += [Branch(node.id, t, node.line) for node, t in _other_targets(nodes, ids, targets)]
    branches_to: list[Branch] = []
    references: list[Reference] = []
    for node in nodes:
        following = [
            *_node_targets(node.body, fields.NEXT, ids),
            *_node_targets(node.body, fields.ANSWERS, targets),
        ]
        branches += [Branch(node.id, target, node.line) for target in following]
        references += _node_references(node, targets)
        before = _node_targets(node.body, fields.PREVIOUS, targets)
        branches_to += [Branch(t.name, Target("element", node.id), node.line) for t in before if t.kind == "element"]
        references += [Reference(node.id, t, node.line) for t in before if t.kind == "missing"]
    frames = find_frames([(node.id, node.body) for node in nodes])
    linked = {id for branch in branches for id in (branch.origin, branch.target.name)}
    groups = {node.id for node in nodes if fields.is_group(node.body) and frames[node.id]}
    elements = tuple(e for e in elements if e.id not in groups and (e.id not in frames or e.sources or e.id in linked))
    flow = tuple(dict.fromkeys(open_frames(branches + branches_to, frames, {element.id for element in elements})))
    starts = find_starts(elements, flow) if branches else find_roots(elements, flow)
    if fields.are_wired(node.body for node in nodes):
        # Several flows in one file, each with inputs of its own.
        starts |= {branch.origin for branch in flow} - {branch.target.name for branch in flow}
    return Structure("graph", elements, flow, tuple(references), starts)


def _read_graph(drawn: _Drawn, lines: _Lines) -> _Graph:
    value, place, nodes_key, edges_key, is_tree = drawn
    if is_tree:
        return _read_tree(value, place, lines)
    nodes: list[_Node] = []
    edges: list[tuple[Any, int]] = []
    if nodes_key is None:
        _gather(value, place, lines, nodes, edges)
        return _Graph({}, nodes, _with_ids(edges, [node.id for node in nodes]))
    _gather(value[nodes_key], (*place, nodes_key), lines, nodes, edges)
    if edges_key is not None:
        edges += _edges(value[edges_key], (*place, edges_key), lines)
    return _Graph(value, nodes, _with_ids(edges, [node.id for node in nodes]))


def _with_ids(edges: list[tuple[Any, int]], ids: list[str]) -> list[tuple[Any, int]]:
    """Edges whose ends are places among the nodes, with the ids of these instead."""
    places = [fields.places_of(edge) for edge, _ in edges]
    if not all(places) or any(id.isdigit() for id in ids):
        return edges
    called = dict(enumerate(ids))
    return [
        ([called.get(end, str(end)) for end in ends], line)
        for ends, (_, line) in zip(filter(None, places), edges, strict=True)
    ]


def _edges(value: Any, place: Place, lines: _Lines) -> list[tuple[Any, int]]:
    """An array of edges, or an object that maps each origin to its targets, be it by their kinds as n8n does."""
    if isinstance(value, dict):
        return [
            ([origin, target], lines.line((*place, origin)))
            for origin, targets in value.items()
            for target in fields.ends_in(targets)
        ]
    return [(edge, lines.line((*place, str(position)))) for position, edge in enumerate(value)]


def _gather(value: Any, place: Place, lines: _Lines, nodes: list[_Node], edges: list[tuple[Any, int]]) -> None:
    """Take up the nodes of an array or of an object by id, those that they hold, and edges that stand among them."""
    are_wired = isinstance(value, list) and fields.are_wired(value)
    for step, part in value.items() if isinstance(value, dict) else enumerate(value):
        here = (*place, str(step))
        if isinstance(value, list) and fields.is_edge(part):
            edges.append((part, lines.line(here)))
            continue
        body = fields.body_of(part) if isinstance(part, dict) else {}
        id = str(step) if isinstance(value, dict) else str(part) if fields.is_name(part) else fields.id_of(body)
        if id is None or (are_wired and not fields.is_wired(body)):
            continue
        nodes.append(_Node(id, lines.line(here), body))
        for key in body:
            if fields.plain_name(key) in fields.NESTED and isinstance(body[key], list) and fields.are_nodes(body[key]):
                _gather(body[key], (*here, key), lines, nodes, edges)


def _elements(nodes: list[_Node], declared_starts: set[str]) -> tuple[Element, ...]:
    """One of each id: a node that is given again goes on with what was said of it."""
    found: dict[str, Element] = {}
    for node in nodes:
        element, known = _element(node, declared_starts), found.get(node.id)
        found[node.id] = element if known is None else replace(
            known,
            sources=known.sources + element.sources,
            names=known.names + element.names,
            is_start=known.is_start or element.is_start,
        )  # fmt: skip
    return tuple(found.values())


def _element(node: _Node, declared_starts: set[str]) -> Element:
    names = tuple(
        str(name)
        for key in fields.NAMES
        if isinstance(name := fields.value_of(node.body, [key]), str) and name != node.id
    )
    type_ = str(fields.value_of(node.body, fields.TYPES) or "")
    texts = (node.id, *names)
    return Element(
        node.id,
        node.line,
        fields.sources_of(node.body),
        names,
        is_start=node.id in declared_starts or is_start_word(type_) or any(map(is_start_word, texts))
        or any(fields.value_of(node.body, [key]) is True for key in ("start", "isstart", "initial", "entry")),
        is_mark=any(map(is_mark, texts)) or fields.plain_name(type_) in fields.END_TYPES | {"start", "開始"},
    )  # fmt: skip


def _edge_branches(edge: Any, line: int, targets: Targets) -> list[Branch]:
    ends = fields.ends_of(edge)
    if ends is None:
        return []
    origin = targets.find_one(ends[0])
    if origin is None:
        # The branch hangs in the air: it leads from no existing element.
        return [Branch(ends[0], Target("missing", ends[0]), line)]
    return [Branch(origin.name, target, line) for target in (_named(ends[1], targets) if ends[1] else ())]


def _node_targets(body: Object, keys: frozenset[str], targets: Targets) -> list[Target]:
    found: list[Target] = []
    for key, part in body.items():
        if fields.plain_name(key) in keys and not isinstance(part, bool) and not _is_ordinal(key, body):
            found += _all_targets(part, targets)
    return list(dict.fromkeys(found))


def _other_targets(nodes: list[_Node], ids: Targets, targets: Targets) -> Iterator[tuple[_Node, Target]]:
    """Where nodes lead by events and by objects that they hold, if what is called so leads to a node in one of them:
    elsewhere `on_error`, `to` and `target` say other things.
    """
    found = [(node, "", target) for node in nodes for target in _node_targets(node.body, fields.EVENTS, targets)]
    for node in nodes:
        for name, held in fields.wrapped(node.body):
            found += [(node, name, target) for target in _node_targets(held, fields.NEXT, ids)]
            found += [(node, name, t) for t in _node_targets(held, fields.ANSWERS | fields.EVENTS, targets)]
    leading = {name for _, name, target in found if target.kind == "element"}
    return ((node, target) for node, name, target in found if name in leading)


def _is_ordinal(key: str, body: Object) -> bool:
    """Whether `no` is short for number, and no answer: there is no `yes` beside it."""
    return fields.plain_name(key) == "no" and isinstance(body[key], int) and fields.value_of(body, fields.YES) is None


def _all_targets(value: Any, targets: Targets) -> list[Target]:
    """What a field names: an id, a list of them, objects that hold one, or answers mapped to ids."""
    if fields.is_name(value):
        return [] if says_nothing(str(value)) else _named(str(value), targets)
    if isinstance(value, list):
        return [target for part in value for target in _all_targets(part, targets)]
    if isinstance(value, dict):
        held = fields.value_of(value, [*fields.TO, "id", "node", "step"])
        if held is None and (id := fields.id_of(value)) is not None and (named := targets.find_one(id)):
            return [named]
        if held is not None:
            return _all_targets(held, targets)
        return [target for part in value.values() for target in _all_targets(part, targets)]
    return []


def _named(text: str, targets: Targets) -> list[Target]:
    """What a text as a whole names, or those that it lists: `S2, S3`."""
    if found := targets.find_one(text):
        return [found]
    listed = targets.find(text)
    is_list = len(listed) == 1 or any(target.kind == "element" for target in listed)
    return listed if is_list else [Target("missing", text)]


def _node_references(node: _Node, targets: Targets) -> list[Reference]:
    found: list[Target] = []
    for key, value in node.body.items():
        if fields.plain_name(key) in fields.REFERENCES and not parse_source_lines(value):
            found += _all_targets(value, targets)
        elif isinstance(value, str):
            found += find_references(value, targets)
    return [Reference(node.id, target, node.line) for target in found if target.kind in ("element", "missing")]
