"""Graphs in JSON: nodes and edges, in the spellings in use. Pure.

Nodes are an array or an object by id, under `nodes`, `steps`, `states` and the like; edges an array beside them, or
what nodes say themselves (`next`, `yes`, `transitions`, ...). Cytoscape's `elements` and its `data` are read too.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from morenashi.indexer.json_text import Value, find_values

from .mentions import find_references
from .model import Branch, Element, Reference, Structure, Target
from .source_lines import find_source_lines, parse_source_lines
from .starts import find_starts
from .targets import Targets
from .words import is_mark, is_start_word, says_nothing

# Keys, as `_plain` spells them.
_NODES = "nodes vertices steps states elements items tasks activities stages ノード 要素 手順 ステップ 工程".split()
_EDGES = (
    "edges links transitions connections arrows relations relationships flows branches arcs エッジ 遷移 分岐 矢印"
).split()
_IDS = (
    "id nodeid stepid key no code number stepno stepnumber ノードid 手順id 番号 手順番号 項番 "
    "step node 手順 ステップ name"
).split()
_NAMES = "label name title text 名称 名前 ラベル タイトル".split()
_FROM = "from source src start origin tail fromid sourceid fromnode sourcenode startnode fromstep 遷移元 元".split()
_TO = (
    "to target dst dest destination end head goto next toid targetid tonode targetnode endnode tostep 遷移先 先"
).split()
_SURE_ENDS = (("source", "target"), ("from", "to"))
_NESTED = frozenset("children steps items nodes 子".split())
# What these say is the id of a node ...
_NEXT = frozenset("next nextstep nextsteps nextnode goto target targets successors transitions 次 次へ 遷移先".split())
# ... and what these say, may be.
_ANSWERS = frozenset(
    """
    to then else otherwise yes no true false onyes onno iftrue iffalse children branches on always default choices
    options はい いいえ 分岐
    """.split()
)
_YES = "yes onyes iftrue true then はい".split()
_PREVIOUS = frozenset("previous prev parent parents dependson predecessors requires 前 前提".split())
_REFERENCES = frozenset("refs references reference ref see seealso related 参照 関連".split())
_SOURCES = frozenset("sourcelines sourceline sourcerange sourceranges lines 根拠行 出典行 原文行 参照行".split())
_LOOSE_SOURCES = frozenset(
    "source sources evidence provenance citation citations ref refs line range linerange 根拠 出典 行 行番号".split()
)
_STARTS = "start entry initial startnode startat entrypoint 開始".split()
_TERMINALS = "terminals ends end final finals terminalnodes endstates 終端 終了".split()
_TYPES = "type kind role 種別".split()
_END_TYPES = frozenset("end terminal final stop 終了 終端".split())

_MOST_LEVELS = 100

Object = dict[str, Any]
Place = tuple[str, ...]
"""The names and numbers that lead to a value."""


@dataclass(frozen=True, slots=True)
class _Node:
    id: str
    line: int
    body: Object


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
    graphs = list(_find_graphs(value, ()))
    return [structure for graph, place in graphs if (structure := _structure(graph, place, lines))]


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


def _find_graphs(value: Any, place: Place, *, is_beside: bool = False) -> Iterator[tuple[Object, Place]]:
    """Objects with nodes, outermost first; an array of steps is a graph by itself, but not beside the nodes of a graph:
    there it groups them.
    """
    if isinstance(value, dict):
        has_nodes = _has_nodes(value)
        if has_nodes:
            yield value, place
        own = (_key_of(value, _NODES), _key_of(value, _EDGES)) if has_nodes else ()
        for key in value:
            if key not in own:
                yield from _find_graphs(value[key], (*place, key), is_beside=is_beside or has_nodes)
    elif isinstance(value, list):
        if not is_beside and _are_nodes(value) and any(_points(part) for part in value):
            yield {"nodes": value, "": "array"}, place
            return
        for position, part in enumerate(value):
            yield from _find_graphs(part, (*place, str(position)), is_beside=is_beside)


def _has_nodes(value: Object) -> bool:
    key = _key_of(value, _NODES)
    if key is None:
        return False
    nodes = value[key]
    if isinstance(nodes, dict):
        return bool(nodes) and all(isinstance(node, (dict, type(None))) for node in nodes.values())
    are_ids = bool(nodes) and all(map(_is_name, nodes)) and _key_of(value, _EDGES) is not None
    return are_ids or _are_nodes(nodes)


def _are_nodes(value: list[Any]) -> bool:
    return bool(value) and all(
        isinstance(part, str) or (isinstance(part, dict) and _id_of(_unwrapped(part)) is not None) or _is_edge(part)
        for part in value
    ) and any(isinstance(part, dict) for part in value)  # fmt: skip


def _points(part: Any) -> bool:
    return isinstance(part, dict) and any(_plain(key) in _NEXT | _ANSWERS | _SOURCES for key in part)


def _structure(graph: Object, place: Place, lines: _Lines) -> Structure | None:
    nodes, edges = _split(graph, place, lines)
    if not nodes:
        return None
    declared_starts = {str(name) for key in _STARTS for name in _as_list(_get(graph, [key])) if _is_name(name)}
    elements = _elements(nodes, declared_starts)
    terminals = [str(name) for name in _as_list(_get(graph, _TERMINALS)) if _is_name(name)]
    ids, targets = Targets(elements, terminals, is_prose=False), Targets(elements, terminals)
    branches = [branch for edge, line in edges for branch in _edge_branches(edge, line, ids)]
    references: list[Reference] = []
    for node in nodes:
        following = [*_node_targets(node.body, _NEXT, ids), *_node_targets(node.body, _ANSWERS, targets)]
        branches += [Branch(node.id, target, node.line) for target in following]
        references += _node_references(node, targets)
        before = _node_targets(node.body, _PREVIOUS, targets)
        branches += [Branch(t.name, Target("element", node.id), node.line) for t in before if t.kind == "element"]
        references += [Reference(node.id, t, node.line) for t in before if t.kind == "missing"]
    flow = tuple(dict.fromkeys(branches))
    starts = find_starts(elements, flow) if flow else frozenset(element.id for element in elements)
    return Structure("graph", elements, flow, tuple(references), starts)


def _split(graph: Object, place: Place, lines: _Lines) -> tuple[list[_Node], list[tuple[Any, int]]]:
    """A graph's nodes with their lines, and its edges."""
    key = _key_of(graph, _NODES) or "nodes"
    inside = graph[key]
    nodes: list[_Node] = []
    edges: list[tuple[Any, int]] = []
    _gather(inside, place if graph.get("") == "array" else (*place, key), lines, nodes, edges)
    edge_key = _key_of(graph, _EDGES)
    if edge_key is not None:
        edges += _edges(graph[edge_key], (*place, edge_key), lines)
    return nodes, edges


def _edges(value: Any, place: Place, lines: _Lines) -> list[tuple[Any, int]]:
    """An array of edges, or an object that maps each origin to its targets."""
    if isinstance(value, dict):
        return [
            ([origin, target], lines.line((*place, origin)))
            for origin, targets in value.items()
            for target in _as_list(targets)
        ]
    return [(edge, lines.line((*place, str(position)))) for position, edge in enumerate(value)]


def _gather(value: Any, place: Place, lines: _Lines, nodes: list[_Node], edges: list[tuple[Any, int]]) -> None:
    """Take up the nodes of an array or of an object by id, those that they hold, and edges that stand among them."""
    for step, part in value.items() if isinstance(value, dict) else enumerate(value):
        here = (*place, str(step))
        body = _unwrapped(part) if isinstance(part, dict) else {}
        if isinstance(value, list) and _is_edge(part):
            edges.append((body, lines.line(here)))
            continue
        id = str(step) if isinstance(value, dict) else str(part) if _is_name(part) else _id_of(body)
        if id is None:
            continue
        nodes.append(_Node(id, lines.line(here), body))
        for key in body:
            if _plain(key) in _NESTED and isinstance(body[key], list) and _are_nodes(body[key]):
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
    names = tuple(str(name) for key in _NAMES if isinstance(name := _get(node.body, [key]), str) and name != node.id)
    type_ = str(_get(node.body, _TYPES) or "")
    texts = (node.id, *names)
    return Element(
        node.id,
        node.line,
        _sources(node.body),
        names,
        is_start=node.id in declared_starts or is_start_word(type_) or any(map(is_start_word, texts))
        or any(_get(node.body, [key]) is True for key in ("start", "isstart", "initial", "entry")),
        is_mark=any(map(is_mark, texts)) or _plain(type_) in _END_TYPES | {"start", "開始"},
    )  # fmt: skip


def _sources(body: Object) -> tuple[tuple[int, int], ...]:
    for key, value in body.items():
        if _plain(key) in _SOURCES:
            return parse_source_lines(value)
    for key, value in body.items():
        if _plain(key) in _LOOSE_SOURCES and (found := parse_source_lines(value)):
            return found
    metadata = [
        value for key, value in body.items() if _plain(key) in ("metadata", "meta", "data", "properties", "attributes")
    ]
    for value in metadata:
        if isinstance(value, dict) and (found := _sources(value)):
            return found
    return tuple(span for value in body.values() if isinstance(value, str) for span in find_source_lines(value))


def _edge_branches(edge: Any, line: int, targets: Targets) -> list[Branch]:
    ends = _ends(edge)
    if ends is None:
        return []
    origin = targets.find_one(ends[0])
    found = [_named(ends[1], targets)] if ends[1] else []
    if origin is None:
        # The branch hangs in the air: it leads from no existing element.
        return [Branch(ends[0], Target("missing", ends[0]), line)]
    return [Branch(origin.name, target, line) for target in found]


def _ends(edge: Any) -> tuple[str, str] | None:
    if isinstance(edge, list) and len(edge) >= 2 and all(_is_name(end) for end in edge[:2]):
        return str(edge[0]), str(edge[1])
    if isinstance(edge, str) and (pair := re.fullmatch(r"\s*(.+?)\s*(?:-+>|=+>|→|⇒)\s*(.+?)\s*", edge)):
        return pair[1], pair[2]
    if not isinstance(edge, dict):
        return None
    edge = _unwrapped(edge)
    origin, target = _end(_get(edge, _FROM)), _end(_get(edge, _TO))
    return (origin, target) if origin is not None and target is not None else None


def _end(value: Any) -> str | None:
    """An end may be an id, or an object that holds it."""
    if isinstance(value, dict):
        value = _get(value, [*_IDS, "node", "step", "ref"])
    return str(value) if _is_name(value) else None


def _is_edge(part: Any) -> bool:
    """Among nodes only what names both ends in so many words is an edge: a node may have a source and a next, too."""
    if not isinstance(part, dict):
        return False
    body = {_plain(key): value for key, value in _unwrapped(part).items()}
    return any(_is_name(body.get(origin)) and _is_name(body.get(target)) for origin, target in _SURE_ENDS)


def _node_targets(value: Any, keys: frozenset[str], targets: Targets) -> list[Target]:
    if not isinstance(value, dict):
        return []
    found: list[Target] = []
    for key, part in value.items():
        if _plain(key) in keys and not isinstance(part, bool) and not _is_ordinal(key, value):
            found += _all_targets(part, targets)
    return list(dict.fromkeys(found))


def _is_ordinal(key: str, body: Object) -> bool:
    """Whether `no` is short for number, and no answer: there is no `yes` beside it."""
    return _plain(key) == "no" and isinstance(body[key], int) and _get(body, _YES) is None


def _all_targets(value: Any, targets: Targets) -> list[Target]:
    """What a field names: an id, a list of them, objects that hold one, or answers mapped to ids."""
    if _is_name(value):
        return [] if says_nothing(str(value)) else [_named(str(value), targets)]
    if isinstance(value, list):
        return [target for part in value for target in _all_targets(part, targets)]
    if isinstance(value, dict):
        held = _get(value, [*_TO, "id"])
        if held is not None:
            return _all_targets(held, targets)
        return [target for part in value.values() for target in _all_targets(part, targets)]
    return []


def _named(text: str, targets: Targets) -> Target:
    found = targets.find_one(text)
    if found is None:
        several = targets.find(text)
        found = several[0] if len(several) == 1 else Target("missing", text)
    return found


def _node_references(node: _Node, targets: Targets) -> list[Reference]:
    found: list[Target] = []
    for key, value in node.body.items():
        if _plain(key) in _REFERENCES and not parse_source_lines(value):
            found += _all_targets(value, targets)
        elif isinstance(value, str):
            found += find_references(value, targets)
    return [Reference(node.id, target, node.line) for target in found if target.kind in ("element", "missing")]


def _unwrapped(part: Object) -> Object:
    """Cytoscape keeps what a node is under `data`."""
    data = part.get("data")
    return data if isinstance(data, dict) and _id_of(part) is None else part


def _id_of(body: Object) -> str | None:
    value = _get(body, _IDS)
    return str(value) if _is_name(value) else None


def _get(body: Object, keys: list[str]) -> Any:
    """The value of the first of these keys that the object has, in whatever case."""
    plain = {_plain(key): value for key, value in body.items()}
    return next((plain[key] for key in keys if key in plain and plain[key] is not None), None)


def _key_of(body: Object, keys: list[str]) -> str | None:
    plain = {_plain(key): key for key in body}
    return next((plain[key] for key in keys if key in plain and isinstance(body[plain[key]], (list, dict))), None)


def _plain(key: str) -> str:
    """A key without case and separators: `source_id`, `source-id` and `sourceId` are one."""
    return re.sub(r"[-_\s]", "", key).casefold()


def _is_name(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
