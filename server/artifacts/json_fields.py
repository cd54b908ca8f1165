"""What the fields of nodes and edges in JSON are called, in the spellings in use, and what they hold. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from .model import SourceLines
from .source_lines import find_marked_lines, find_source_lines, parse_source_lines

Object = dict[str, Any]

# Keys, as `plain_name` spells them. The first of a list that a node or graph has counts.
NODES = (
    "nodes vertices steps states elements items tasks activities stages nodedataarray ノード 要素 手順 ステップ 工程"
).split()
EDGES = (
    "edges links transitions connections arrows relations relationships flows branches arcs linkdataarray エッジ 遷移"
    " 分岐 矢印"
).split()
_IDS = (
    "id nodeid stepid taskid stateid activityid questionid elementid itemid actionid ruleid reqid requirementid key "
    "no code number stepno stepnumber ノードid 手順id 番号 手順番号 項番 "
    "step node 手順 ステップ name"
).split()
_SURE_IDS = "id nodeid key".split()
NAMES = "label name title text 名称 名前 ラベル タイトル".split()
_FROM = "from source src start origin tail fromid sourceid fromnode sourcenode startnode fromstep 遷移元 元".split()
TO = (
    "to target dst dest destination end head goto next toid targetid tonode targetnode endnode tostep 遷移先 先"
).split()
# From where a run of signs begins: each would be gone through as often as it has some.
_ARROW = re.compile("(?<!-)-+>|(?<!=)=+>|[→⇒]")
# Among nodes only what names both ends in so many words is an edge: a node may have a source and a next, too.
_SURE_ENDS = (("source", "target"), ("from", "to"))
NESTED = frozenset("children steps items nodes 子".split())
# What these say is the id of a node ...
NEXT = frozenset(
    "next nextstep nextsteps nextnode goto target targets successors transitions wires 次 次へ 遷移先".split()
)
# ... and what these say, may be.
ANSWERS = frozenset(
    """
    to then else otherwise yes no true false onyes onno iftrue iffalse
    children branches on always default choices options はい いいえ 分岐
    """.split()
)
# What leads to one of two, where nodes hold the nodes that they lead to.
_EITHER = frozenset("yes no true false then else otherwise onyes onno iftrue iffalse はい いいえ".split())
# By which such nodes are called if they have no ids.
_SAID = "question condition decision action result outcome text title 質問 問い 条件 判断 処理 対応 結果 結論".split()
# These lead on if one of them in the graph names a node: elsewhere they say what is done.
EVENTS = frozenset("onsuccess onfailure onerror ondone".split())
YES = "yes onyes iftrue true then はい".split()
_PARENTS = frozenset("parent parents".split())
PREVIOUS = _PARENTS | frozenset(
    "previous prev dependson predecessors requires needs blockedby prerequisites waitsfor 前 前提".split()
)
REFERENCES = frozenset("refs references reference ref see seealso related 参照 関連".split())
_SOURCES = frozenset("sourcelines sourceline sourcerange sourceranges lines 根拠行 出典行 原文行 参照行".split())
# These may hold something else: they count if they name lines.
_LOOSE_SOURCES = frozenset(
    "source sources evidence provenance citation citations cite ref refs line range linerange 根拠 出典 行"
    " 行番号".split()
)
# Of others these count if they name lines in so many words (source_refs, manualReference), or by numbers, too.
_SOURCE_WORD = re.compile(r"source|evidence|citation|reference|provenance|根拠|出典")
_LINES_WORD = re.compile(r"(?:evidence|cited?|manual|reference|document|text|file)lines?(?:ranges?)?|(?:該当|引用)行")
_METADATA = frozenset("metadata meta data properties attributes".split())
_OWN_FIELDS = (
    NEXT | ANSWERS | EVENTS | PREVIOUS | REFERENCES | NESTED | _METADATA | _SOURCES | _LOOSE_SOURCES | frozenset(EDGES)
)
FRAMES = "parentnode parentid".split()
"""What a node lies in. A mere `parentId` is one of a frame only if that is a group: trees have it, too."""
_GROUP_TYPES = frozenset("group frame lane swimlane".split())
STARTS = "start entry initial startnode startat entrypoint 開始".split()
TERMINALS = "terminals ends end final finals terminalnodes endstates 終端 終了".split()
TYPES = "type kind role 種別".split()
END_TYPES = frozenset("end terminal final stop 終了 終端".split())


def parts_of(value: Any) -> Iterable[tuple[str, Any]]:
    """What stands in an object by its name, and in an array by its number; nothing in any other value."""
    if isinstance(value, dict):
        return value.items()
    return ((str(number), part) for number, part in enumerate(value)) if isinstance(value, list) else ()


def graph_keys(value: Any) -> tuple[str, str | None] | tuple[()]:
    """The keys of its nodes and edges, if an object is a graph: with an array or an object of nodes, or with ids and
    edges."""
    key = _key_of(value, NODES) if isinstance(value, dict) else None
    if key is None:
        return ()
    nodes, edges_key = value[key], _key_of(value, EDGES)
    if isinstance(nodes, dict):
        is_graph = bool(nodes) and all(isinstance(node, (dict, type(None))) for node in nodes.values())
    else:
        are_ids = bool(nodes) and all(map(is_name, nodes)) and edges_key is not None
        is_graph = are_ids or are_nodes(nodes)
    return (key, edges_key) if is_graph else ()


def are_nodes_alone(value: Any) -> bool:
    """Whether an object by id, or an array, is nodes that say themselves what follows them."""
    if isinstance(value, dict):
        return _are_named_nodes(value)
    return isinstance(value, list) and are_nodes(value) and _lead_on(value)


def are_nodes(value: list[Any]) -> bool:
    """Whether an array holds nodes: objects with ids, and ids or edges among them."""
    return bool(value) and all(
        isinstance(part, str) or (isinstance(part, dict) and id_of(_unwrapped(part)) is not None) or is_edge(part)
        for part in value
    ) and any(isinstance(part, dict) for part in value)  # fmt: skip


def _are_named_nodes(value: Object) -> bool:
    """Whether an object holds nodes by their ids, whatever it is called: objects, one of which leads to another."""
    if len(value) < 2 or not all(isinstance(part, dict) for part in value.values()):
        return False
    return any(end in value and end != id for id, part in value.items() for end in _ends_said(part))


def _ends_said(body: Object) -> Iterator[str]:
    """The ids in what a node says of what follows it, or of what it waits for."""
    for part in (body, *(part for _, part in wrapped(body))):
        for key, value in part.items():
            if plain_name(key) in (NEXT | ANSWERS | EVENTS | PREVIOUS) - _PARENTS - {"default", "children"}:
                yield from ends_in(value)


def wrapped(body: Object) -> Iterator[tuple[str, Object]]:
    """Objects that a node holds under other names, which may say what follows it: `decision`, `rules`, `catch`."""
    for key, value in body.items():
        if (name := plain_name(key)) not in _OWN_FIELDS:
            yield from ((name, part) for part in _as_list(value) if isinstance(part, dict))


def _lead_on(parts: list[Any]) -> bool:
    """Whether nodes say what follows them, or what they rest on. Answers, and what they wait for, do if one names a
    node: `options` need not."""
    bodies = [part for part in parts if isinstance(part, dict)]
    if any(plain_name(key) in NEXT | _SOURCES for body in bodies for key in body):
        return True
    ids = {id_of(_unwrapped(body)) for body in bodies}
    saying = (ANSWERS | PREVIOUS) - _PARENTS
    said = ((id_of(_unwrapped(body)), body[key]) for body in bodies for key in body if plain_name(key) in saying)
    return any(end in ids and end != id for id, part in said for end in ends_in(part))


def is_edge(part: Any) -> bool:
    """Whether it is an edge that stands among nodes."""
    if not isinstance(part, dict):
        return False
    body = {plain_name(key): value for key, value in _unwrapped(part).items()}
    return any(is_name(body.get(origin)) and is_name(body.get(target)) for origin, target in _SURE_ENDS)


def ends_of(edge: Any) -> tuple[str, str] | None:
    """From where to where an edge leads: a pair, `a -> b`, or an object with fields for both ends."""
    if isinstance(edge, list) and len(edge) >= 2 and all(is_name(end) for end in edge[:2]):
        return str(edge[0]), str(edge[1])
    if isinstance(edge, str):
        return _ends_of_text(edge.strip())
    if not isinstance(edge, dict):
        return None
    edge = _unwrapped(edge)
    origin, target = _end(value_of(edge, _FROM)), _end(value_of(edge, TO))
    return (origin, target) if origin is not None and target is not None else None


def _ends_of_text(edge: str) -> tuple[str, str] | None:
    """What stands on both sides of its first arrow."""
    arrow = _ARROW.search(edge, 1)
    if arrow is None or arrow.end() == len(edge):
        return None
    return edge[: arrow.start()].rstrip(), edge[arrow.end() :].lstrip()


def _end(value: Any) -> str | None:
    """An end may be an id, or an object that holds it."""
    if isinstance(value, dict):
        value = value_of(value, [*_IDS, "node", "step", "ref"])
    return str(value) if is_name(value) else None


def ends_in(value: Any) -> list[str]:
    """The ids in what an origin is mapped to: ids, objects that hold one, lists and objects of these."""
    if is_name(value):
        return [str(value)]
    if isinstance(value, dict):
        end = _end(value_of(value, TO)) or _end(value)
        return [end] if end is not None else ends_in(list(value.values()))
    return [end for part in value for end in ends_in(part)] if isinstance(value, list) else []


def places_of(edge: Any) -> tuple[int, int] | None:
    """Both ends of an edge, if they are numbers: of nodes without ids, as d3 counts them from 0."""
    if not isinstance(edge, dict):
        return None
    origin, target = value_of(edge, _FROM), value_of(edge, TO)
    are_numbers = all(isinstance(end, int) and not isinstance(end, bool) for end in (origin, target))
    return (origin, target) if are_numbers else None


def names_lines(body: Object) -> bool:
    """Whether a node has a field for lines of the source, and says some there."""
    return any(plain_name(key) in _SOURCES and parse_source_lines(value) for key, value in body.items())


def sources_of(body: Object, are_nodes_named: Callable[[Any], bool] = lambda _: False) -> tuple[SourceLines, ...]:
    """The lines of the source that a node names: in a field for them, in its metadata, or in its texts.

    `are_nodes_named` tells of the value of a field for references that it holds nodes, and no lines.
    """
    for key, value in body.items():
        if plain_name(key) in _SOURCES:
            return parse_source_lines(value)
    return next(filter(None, _possible_sources(body, are_nodes_named)), ())


def _possible_sources(body: Object, are_nodes_named: Callable[[Any], bool]) -> Iterator[tuple[SourceLines, ...]]:
    """What other fields name, those first that say the least else."""
    named = [(plain_name(key), value) for key, value in body.items()]
    loose = [(name, value) for name, value in named if name in _LOOSE_SOURCES]
    yield from (parse_source_lines(part) for name, part in loose if name not in REFERENCES or not are_nodes_named(part))
    yield from (sources_of(value) for name, value in named if name in _METADATA and isinstance(value, dict))
    for name, value in named:
        if _LINES_WORD.fullmatch(name):
            yield parse_source_lines(value)
        if _SOURCE_WORD.search(name):
            yield find_marked_lines(value)
    own = {name: value for name, value in named if name in ("startline", "endline")}
    yield parse_source_lines(own) if len(own) == 2 else ()
    yield tuple(span for _, value in named if isinstance(value, str) for span in find_source_lines(value))


def is_group(body: Object) -> bool:
    """Whether a node is there to frame others."""
    return plain_name(str(value_of(body, TYPES) or "")) in _GROUP_TYPES


def body_of(part: Object) -> Object:
    """What a node says of itself, in `data` too. What Cytoscape calls its parent is a frame, and no step before."""
    data = part.get("data")
    if not isinstance(data, dict):
        return part
    if id_of(part) is None:
        return {FRAMES[0] if key == "parent" else key: value for key, value in data.items()}
    return data | {key: value for key, value in part.items() if key != "data"}


def are_wired(bodies: Iterable[Any]) -> bool:
    """Whether nodes are those of Node-RED: whatever takes part in the flow has `wires`, be they none.

    Source: https://nodered.org/docs/developing-flows/flow-structure; `comment` nodes have some, too.
    """
    return any(isinstance(body, dict) and isinstance(body.get("wires"), list) for body in bodies)


def is_wired(body: Object) -> bool:
    """Whether one of these takes part in the flow: tabs, settings and comments do not."""
    return "wires" in body and body.get("type") != "comment"


def _unwrapped(part: Object) -> Object:
    """Cytoscape keeps what a node or an edge is under `data`."""
    data = part.get("data")
    return data if isinstance(data, dict) and id_of(part) is None else part


def id_of(body: Object) -> str | None:
    """The id that a node has. Beside a `yes` the key `no` is an answer, not a number."""
    has_yes = any(plain_name(key) == "yes" for key in body)
    value = value_of(body, [key for key in _IDS if key != "no"] if has_yes else _IDS)
    return str(value) if is_name(value) else None


def said_of(body: Object) -> str | None:
    """What a node of a tree asks or does, by which it is called if it has no id."""
    # A label may be that of an answer, with the node inside.
    is_alone = not any(isinstance(value, dict) for value in body.values())
    said = value_of(body, [*_SAID, *(["label"] if is_alone else [])])
    return said if isinstance(said, str) and said.strip() else None


def asks(body: Object) -> bool:
    """Whether a node has no id, and holds another for one of two answers, or children of which one names lines."""
    if id_of(body) is not None or said_of(body) is None:
        return False
    children = value_of(body, ["children"])
    if isinstance(children, list) and all(isinstance(child, dict) and said_of(child) for child in children):
        return any(map(sources_of, children))
    answers = (value for key, value in body.items() if plain_name(key) in _EITHER)
    return any(isinstance(answer, dict) and said_of(answer) is not None for answer in answers)


def are_items(value: list[Any]) -> bool:
    """Whether all in an array say what they are, without ids, and one of them has children that name lines."""
    said = all(isinstance(part, dict) and id_of(part) is None and said_of(part) is not None for part in value)
    return said and any("children" in part and asks(part) for part in value)


def held_children(body: Object) -> list[str]:
    """The ids of the children that a node holds inside it."""
    children = value_of(body, ["children"])
    held = (id_of(child) for child in children if isinstance(child, dict)) if isinstance(children, list) else ()
    return [id for id in held if id is not None]


def consequences_in(body: Object) -> list[Any]:
    """What a condition says to do if it holds, and if not: `{"if": "ok", "then": "S2", "else": "S3"}`."""
    named = {plain_name(key): value for key, value in body.items()}
    return [named[key] for key in ("then", "else", "otherwise") if key in named] if "then" in named else []


def is_rooted(body: Object) -> bool:
    """Whether a node holds its children, and is more than the name of all of them: it has an id, or names lines."""
    children = value_of(body, ["children"])
    if not isinstance(children, list) or not are_nodes(children):
        return False
    return value_of(body, _SURE_IDS) is not None or (id_of(body) is not None and bool(sources_of(body)))


def ids_under(body: Object, keys: list[str]) -> list[str]:
    """The ids, one or several, that the first of these keys holds."""
    return [str(value) for value in _as_list(value_of(body, keys)) if is_name(value)]


def value_of(body: Object, keys: list[str]) -> Any:
    """The value of the first of these keys that the object has, in whatever case."""
    plain = {plain_name(key): value for key, value in body.items()}
    return next((plain[key] for key in keys if key in plain and plain[key] is not None), None)


def _key_of(body: Object, keys: list[str]) -> str | None:
    """As it is written, the first of these keys that the object has an array or an object under."""
    plain = {plain_name(key): key for key in body}
    return next((plain[key] for key in keys if key in plain and isinstance(body[plain[key]], (list, dict))), None)


@lru_cache(1_000)
def plain_name(key: str) -> str:
    """A key without case and separators: `source_id`, `source-id` and `sourceId` are one."""
    return re.sub(r"[-_\s]", "", key).casefold()


def is_name(value: Any) -> bool:
    """Whether it may be an id: a text or a number."""
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _as_list(value: Any) -> list[Any]:
    """The values of an array, or the one that stands in its place; none of `null`."""
    return value if isinstance(value, list) else [] if value is None else [value]
