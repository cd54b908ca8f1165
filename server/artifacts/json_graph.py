"""Graphs in JSON: nodes and edges, in the spellings in use. Pure.

Nodes are an array or an object by id, under `nodes`, `steps`, `states` and the like; edges an array beside them, or
what nodes say themselves (`next`, `yes`, `transitions`, ...). Cytoscape's `elements` and its `data` are read too.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from . import json_fields as fields
from .json_beside import count_ids
from .json_fields import Object
from .json_frames import find_frames, open_frames
from .json_nodes import Graph, Lines, Node, find_graphs
from .mentions import find_references
from .model import Branch, Element, Reference, Structure, Target
from .source_lines import parse_source_lines
from .starts import find_roots, find_starts
from .targets import Targets
from .words import is_mark, is_start_word, says_nothing

_MOST_LEVELS = 100

_AreNodes = Callable[[Any], bool]


class NoJsonError(Exception):
    """The text is not valid JSON, or none that anybody would draw; `line` is where it ceases to be."""

    def __init__(self, line: int, problem: str = "not valid JSON") -> None:
        super().__init__(f"{problem} from line {line} on")
        self.line = line


def parse_graph(text: str, first_line: int = 1) -> list[Structure]:
    """The graphs of a JSON text that begins on this line of the file. Raises `NoJsonError`."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise NoJsonError(first_line + error.lineno - 1) from None
    except ValueError:
        raise NoJsonError(first_line, "not JSON: a number of thousands of digits") from None
    except RecursionError:
        raise _too_deep(first_line) from None
    if _is_deep(value):
        raise _too_deep(first_line)
    graphs = find_graphs(value, Lines(text, first_line))
    beside = count_ids(([node.id for node in graph.nodes] for graph in graphs), value)
    return [_structure(graph, beside) for graph in graphs]


def _too_deep(line: int) -> NoJsonError:
    return NoJsonError(line, f"nested more than {_MOST_LEVELS} levels deep")


def _is_deep(value: Any) -> bool:
    """Whether arrays and objects lie in each other deeper than any graph does. What follows descends into them."""
    level = [value]
    for _ in range(_MOST_LEVELS):
        level = [inner for part in level for _, inner in fields.parts_of(part)]
    return bool(level)


def _structure(graph: Graph, beside: Mapping[str, int]) -> Structure:
    """A node may lead to one of another graph, where the flow ends here; an edge may not. `beside` as `count_ids`."""
    nodes = graph.nodes
    are_nodes_named = _find_named(nodes)
    elements = _elements(
        nodes, are_nodes_named, {id for key in fields.STARTS for id in fields.ids_under(graph.body, [key])}
    )
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
        references += _node_references(node, targets, are_nodes_named)
        before = _node_targets(node.body, fields.PREVIOUS, targets)
        branches_to += [Branch(t.name, Target("element", node.id), node.line) for t in before if t.kind == "element"]
        references += [Reference(node.id, t, node.line) for t in before if t.kind == "missing"]
    elements, flow = _without_frames(nodes, elements, branches, branches_to)
    held = {(node.id, id) for node in nodes for id in fields.held_children(node.body)}
    leads_on = any((branch.origin, branch.target.name) not in held for branch in branches)
    starts = find_starts(elements, flow) if leads_on else find_roots(elements, flow)
    if fields.are_wired(node.body for node in nodes):
        # Several flows in one file, each with inputs of its own.
        starts |= {branch.origin for branch in flow} - {branch.target.name for branch in flow}
    return Structure("graph", elements, flow, tuple(references), starts)


def _without_frames(
    nodes: list[Node], elements: tuple[Element, ...], branches: list[Branch], branches_to: list[Branch]
) -> tuple[tuple[Element, ...], tuple[Branch, ...]]:
    """The elements without those that only frame others, and the flow as it leads past frames. `branches_to` are what
    nodes say of what comes before them: a frame that is named there alone is no element by that.
    """
    frames = find_frames([(node.id, node.body) for node in nodes])
    linked = {id for branch in branches for id in (branch.origin, branch.target.name)}
    groups = {node.id for node in nodes if fields.is_group(node.body) and frames[node.id]}
    elements = tuple(e for e in elements if e.id not in groups and (e.id not in frames or e.sources or e.id in linked))
    flow = open_frames(branches + branches_to, frames, {element.id for element in elements})
    return elements, tuple(dict.fromkeys(flow))


def _find_named(nodes: list[Node]) -> _AreNodes:
    """Whether what `refs` holds is nodes: where nodes name lines elsewhere, a number that a node has is that node."""
    if not any(fields.names_lines(node.body) for node in nodes):
        return lambda _: False
    ids = Targets(Element(node.id, node.line) for node in nodes)
    return lambda value: any(target.kind == "element" for target in _all_targets(value, ids))


def _elements(nodes: list[Node], are_nodes_named: _AreNodes, declared_starts: set[str]) -> tuple[Element, ...]:
    """One of each id: a node that is given again goes on with what was said of it."""
    found: dict[str, Element] = {}
    for node in nodes:
        element, known = _element(node, are_nodes_named, declared_starts), found.get(node.id)
        found[node.id] = element if known is None else replace(
            known,
            sources=known.sources + element.sources,
            names=known.names + element.names,
            is_start=known.is_start or element.is_start,
        )  # fmt: skip
    return tuple(found.values())


def _element(node: Node, are_nodes_named: _AreNodes, declared_starts: set[str]) -> Element:
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
        fields.sources_of(node.body, are_nodes_named),
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


def _other_targets(nodes: list[Node], ids: Targets, targets: Targets) -> Iterator[tuple[Node, Target]]:
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
        # Beside `then` stands when that is.
        said = fields.consequences_in(value) or list(value.values())
        return [target for part in said for target in _all_targets(part, targets)]
    return []


def _named(text: str, targets: Targets) -> list[Target]:
    """What a text as a whole names, or those that it lists: `S2, S3`."""
    listed = targets.find(text)
    is_list = len(listed) == 1 or any(target.kind == "element" for target in listed)
    return listed if is_list else [Target("missing", text)]


def _node_references(node: Node, targets: Targets, are_nodes_named: _AreNodes) -> list[Reference]:
    found: list[Target] = []
    for key, value in node.body.items():
        is_field = fields.plain_name(key) in fields.REFERENCES
        if is_field and (are_nodes_named(value) or not parse_source_lines(value)):
            found += _all_targets(value, targets)
        elif isinstance(value, str):
            found += find_references(value, targets)
    return [Reference(node.id, target, node.line) for target in found if target.kind in ("element", "missing")]
