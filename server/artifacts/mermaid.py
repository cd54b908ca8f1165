"""Mermaid flowcharts: `graph` and `flowchart`, as the Mermaid documentation describes them (v11). Pure.

Every id that is mentioned is a node, as Mermaid draws it. Subgraphs group nodes and are none themselves: what leads
to one leads to its nodes that nothing inside leads to, and what leaves one leaves all its nodes. Lines that style
(`classDef`, `class`, `style`, `linkStyle`) are passed over. `source_lines` stand in a label, in a comment that names
nodes, behind a statement, in the comment above one, or in the link of a `click`.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from .joints import Joints
from .mentions import find_references
from .model import Branch, Element, Reference, SourceLines, Structure, Target
from .source_lines import find_source_lines, parse_source_lines
from .starts import find_starts
from .targets import Targets
from .words import is_mark, is_start_word

_HEADER = re.compile(r"\s*(?:flowchart(?:-elk|-v2)?|graph)\b[ \t]*(?:TB|TD|BT|RL|LR|[<>^v])?[ \t]*(?=;|\n|$|%%)")
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n.*?\n[ \t]*---[ \t]*(?=\n)", re.S)
_BLANK = re.compile(r"[\s;]+")
_SPACE = re.compile(r"[ \t\u3000]*")
_REST = re.compile(r"[^\n]*")
_DIRECTIVE = re.compile(r"%%\{.*?\}%%", re.S)
_COMMENT = re.compile(r"%%[^\n]*")
_STYLING = re.compile(
    r"(?:classDef|class|style|linkStyle|direction)[ \t]+(?![-=<&])[^\n;]*"
    r"|acc(?:Title|Descr)\s*:[^\n]*"
)
_CLICK = re.compile(r"click[ \t]+(?![-=<&])(?P<id>[^\s;]*)(?P<link>(?:\"[^\"\n]*\"|[^\n;])*)")
_DESCRIPTION = re.compile(r"accDescr\s*\{.*?\}", re.S)
_SUBGRAPH = re.compile(r"subgraph\b[ \t]*([^\n;]*)")
_SUBGRAPH_ID = re.compile(r"([^\s\[\]\"()]+)[ \t]*(?:\[.*)?$")
_END = re.compile(r"end(?=\s|;|$)")
_SPECIAL = r"\s\[\](){}<>|&;:,\"@%~=.\-`"
_ID = re.compile(rf"(?:[^{_SPECIAL}]|[-.](?=[^{_SPECIAL}>])|=(?!=)|%(?!%)|:(?=[^{_SPECIAL}:]))+")
_CLASS = re.compile(r":::\w+(?:-\w+)*")
_DATA = re.compile(r"@\{(?P<data>(?:\"[^\"]*\"|[^}\"])*)\}")
_DATA_LABEL = re.compile(r"label\s*:\s*(?:\"([^\"]*)\"|'([^']*)'|([^,\n]+))")
_DATA_SHAPE = re.compile(r"shape\s*:\s*\"?([\w-]+)")
_LINK = re.compile(
    # Bounded, as it is looked for at every link of a line.
    r"(?:(?P<id>[^\s@]{1,200})@)?(?:"
    r"(?P<invisible>~~~+)"
    r"|(?P<head>[<xo]?)(?:--+(?P<plain>[-xo>])|==+(?P<thick>[=xo>])|-\.+-(?P<dotted>[xo>]?))"
    r"|(?P<open>[<xo]?)(?P<kind>--|==|-\.)"
    r"(?P<text>[ \t]*\"[^\"]*\"[ \t]*|[^\n]+?)"
    r"(?:(?<=.)(?:--+(?P<plain_end>[-xo>])|==+(?P<thick_end>[=xo>])|\.+-(?P<dotted_end>[xo>]?)))"
    r")"
)
_LINK_LABEL = re.compile(r"[ \t]*\|(?P<text>[ \t]*\"[^\"]*\"[ \t]*|[^|]*)\|")
_SHAPES = (
    ("(((", (")))",)), ("((", ("))",)), ("([", ("])",)), ("[[", ("]]",)), ("[(", (")]",)), ("[/", ("/]", "\\]")),
    ("[\\", ("\\]", "/]")), ("{{", ("}}",)), ("(", (")",)), ("[", ("]",)), ("{", ("}",)), (">", ("]",)),
)  # fmt: skip
_ROUND = {"((", "(((", "([", "stadium", "terminal", "pill", "circle", "circ", "start", "sm-circ", "small-circle"}
_REFERRING = re.compile(r"参照|\bsee\b|\bref(?:er(?:s|ence)?)?\b", re.I)
_STATED_LINES = re.compile(r"source[\s_-]*lines?\s*[:=]?[\s\dLl,;~\[\](){}〜–-]*", re.I)
_KEY_BEFORE_IDS = re.compile(r"source[\s_-]*lines?\s*(?:[ \t]|[:：=](?=\s*[^\s:：=,;]+\s*[:：=]))\s*", re.I)
_KEY_ALONE = re.compile(r"%+\s*(?:source[\s_-]*lines?|sources?|(?:根拠|出典|原文)行?)\s*[:：=]?\s*", re.I)
_ID_WITH_MARKED_LINES = re.compile(
    r"%+\s*(?=[^\s:：=,;]+\s*[:：=]\s*(?:[Ll]\.?\d|lines?\s*\d|第?\d+[^,;、]{0,20}行"
    r"|[^\s:：=,;]+\.[A-Za-z]\w*[\s:：#]+[Ll]?\d))"
)
_ID_WITH_LINES = re.compile(
    r"([^\s:：=,;]+)\s*[:：=]\s*(\[[^\]]*\]|(?:[^\s:：=,;]+\.[A-Za-z]\w*\s*:\s*(?=[\dLl]))?[^:：=]*?)"
    r"(?=[\s,;、]+[^\s:：=,;]+\s*[:：=]|\s*$)"
)
_BEFORE_DIAGRAM = re.compile(r"\s*(?:%%\{.*?\}%%|%%[^\n]*\n)", re.S)
_BLANKS = re.compile(r"\s*")
# A link may stand on lines of its own between what it links. `x-->` and `o-->` there are nodes that are called so.
_LINES = r"(?>(?:[ \t\u3000]*(?:%%(?!\{)[^\n]*)?\n)+[ \t\u3000]*)"
_BEFORE_LINK = re.compile(rf"{_LINES}(?=<?(?:--|==|-\.|~~~))")
_BEHIND_LINK = re.compile(rf"{_LINES}(?!(?:subgraph|end|classDef|class|style|linkStyle|click|direction)\b)")
_QUOTED = re.compile(r'\s*"[^"]*"\s*')
_MARKUP = re.compile(r"<[^>]{1,40}>|&[a-z]+;|#\w+;")


@dataclass(slots=True)
class _Node:
    id: str
    line: int
    first_mention: int
    label: str = ""
    shape: str = ""
    sources: list[SourceLines] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Link:
    origin: str
    target: str
    line: int
    is_two_way: bool
    is_reference: bool


@dataclass(slots=True)
class _Subgraph:
    """`named` are the nodes that its own statements name; `members` those that turn out to be its own or lie in a
    subgraph inside it."""

    id: str
    named: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)


def is_flowchart(text: str) -> bool:
    """Whether a Mermaid text is a flowchart: its first statement says so."""
    return _HEADER.match(text, _start_of_diagram(text)) is not None


def parse_flowchart(text: str, first_line: int = 1) -> Structure:
    """The structure of a flowchart whose text begins on this line of the file. Line breaks are `\\n`."""
    return _Parser(text, first_line).parse()


def _start_of_diagram(text: str) -> int:
    """Behind front matter, directives and comments."""
    front = _FRONT_MATTER.match(text)
    position = front.end() if front else 0
    while match := _BEFORE_DIAGRAM.match(text, position):
        position = match.end()
    return position


class _Parser:
    """Statement by statement. What cannot be read is passed over to the end of its line, which is noted."""

    def __init__(self, text: str, first_line: int) -> None:
        self._text = text
        self._first_line = first_line
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._position = 0
        self._nodes: dict[str, _Node] = {}
        self._mentioned: dict[int, list[_Node]] = {}
        self._links: list[_Link] = []
        self._link_ids: set[str] = set()
        self._ways: dict[str, list[str]] = {}
        self._subgraphs: dict[str, _Subgraph] = {}
        self._joints = Joints()
        self._known_entries: dict[str, list[str]] = {}
        self._open: list[_Subgraph] = []
        self._grouped: set[str] = set()
        self._comments: list[tuple[int, str]] = []
        self._clicks: list[tuple[str, str]] = []
        self._unread: list[int] = []

    def parse(self) -> Structure:
        front = _FRONT_MATTER.match(self._text)
        self._position = front.end() if front else 0
        while self._skip(_BLANK) or self._position < len(self._text):
            if self._position < len(self._text):
                self._read_statement()
        while self._open:
            self._close_subgraph()
        self._drop_mentioned_links()
        self._drop_mentioned_subgraphs()
        self._give_sources_of_links()
        self._give_sources_of_comments()
        return self._structure()

    def _read_statement(self) -> None:
        if self._skip(_DIRECTIVE) or self._take_comment() or self._skip(_HEADER):
            return
        if match := self._skip(_SUBGRAPH):
            self._open_subgraph(match[1])
        elif self._skip(_END):
            if self._open:
                self._close_subgraph()
        elif match := self._skip(_CLICK):
            self._clicks.append((match["id"], match["link"]))
        elif self._skip(_DESCRIPTION) or self._skip(_STYLING):
            pass
        elif not self._read_chain():
            self._unread.append(self._line())
            self._skip(_REST)

    def _open_subgraph(self, rest: str) -> None:
        rest = rest.strip()
        match = _SUBGRAPH_ID.match(rest)
        id = match[1] if match else rest.strip('"')
        self._open.append(self._subgraphs.setdefault(id, _Subgraph(id)))

    def _close_subgraph(self) -> None:
        """A node is a member of the first subgraph to end of those that name it, wherever it was named before."""
        ended = self._open.pop()
        for id in ended.named:
            if id not in self._grouped:
                self._grouped.add(id)
                for subgraph in (ended, *self._open):
                    subgraph.members.append(id)
        # It may be opened again.
        ended.named = []

    def _read_chain(self) -> bool:
        """`A & B --> C -- text --> D`. False if it makes no sense to its end."""
        group = self._read_group()
        while group:
            self._go_on_below(_BEFORE_LINK)
            self._skip(_SPACE)
            link = self._skip(_LINK)
            if link is None:
                return self._is_at_end() or self._take_comment()
            if link["id"]:
                self._link_ids.add(link["id"])
            behind, line = self._position, self._line()
            self._go_on_below(_BEHIND_LINK)
            label = self._skip(_LINK_LABEL)
            self._skip(_SPACE)
            following = self._read_group()
            if not following:
                self._position = behind
                return False
            self._add_links(group, following, link, label["text"] if label else link["text"] or "", line)
            group = following
        return False

    def _go_on_below(self, lines: re.Pattern[str]) -> None:
        """Past line breaks, and the comments between them, if the chain goes on behind them."""
        below = lines.match(self._text, self._position)
        while below and self._position < below.end():
            self._skip(_BLANKS)
            self._take_comment()

    def _read_group(self) -> list[str]:
        group = []
        while node := self._read_node():
            group.append(node)
            before = self._position
            self._skip(_SPACE)
            if not self._text.startswith("&", self._position):
                self._position = before
                break
            self._position += 1
            self._skip(_BLANKS)
        return group

    def _read_node(self) -> str | None:
        line = self._line()
        match = self._skip(_ID)
        if match is None:
            return None
        if match[0] not in self._nodes:
            self._nodes[match[0]] = _Node(match[0], line, line)
        if self._open:
            self._open[-1].named.append(match[0])
        node = self._nodes[match[0]]
        self._mentioned.setdefault(line, []).append(node)
        self._skip(_CLASS)
        self._read_shape(node, line)
        self._skip(_CLASS)
        return node.id

    def _read_shape(self, node: _Node, line: int) -> None:
        if data := self._skip(_DATA):
            named, shaped = _DATA_LABEL.search(data["data"]), _DATA_SHAPE.search(data["data"])
            label = (named[1] or named[2] or named[3]) if named else ""
            self._define(node, line, label, shaped[1] if shaped else "")
            node.sources += find_source_lines(_DATA_LABEL.sub("", data["data"]))
            return
        before = self._position
        self._skip(_SPACE)
        for opening, closings in _SHAPES:
            if self._text.startswith(opening, self._position) and (end := self._find_closing(opening, closings)):
                label = self._text[self._position + len(opening) : end[0]]
                self._position = end[1]
                self._define(node, line, label.strip().strip('"`'), opening)
                return
        self._position = before

    def _find_closing(self, opening: str, closings: tuple[str, ...]) -> tuple[int, int] | None:
        """Where a label ends and what follows it begins."""
        start = self._position + len(opening)
        quoted = _QUOTED.match(self._text, start)
        if quoted:
            return next(
                ((quoted.end(), quoted.end() + len(c)) for c in closings if self._text.startswith(c, quoted.end())),
                None,
            )
        found = [(at, at + len(c)) for c in closings if (at := self._text.find(c, start)) >= 0]
        end = min(found, default=None)
        # A label without quotes may go over lines, but not over another statement.
        return None if end is None or "-->" in self._text[start : end[0]] else end

    def _define(self, node: _Node, line: int, label: str, shape: str) -> None:
        if not node.shape:
            node.line = line
        node.label, node.shape = node.label or label, node.shape or shape or "data"
        node.sources += find_source_lines(_MARKUP.sub(" ", label))

    def _add_links(self, origins: list[str], targets: list[str], link: re.Match[str], label: str, line: int) -> None:
        if link["invisible"]:
            return
        head = link["head"] or link["open"] or ""
        tail = next(
            (link[n] for n in ("plain", "thick", "dotted", "plain_end", "thick_end", "dotted_end") if link[n]), ""
        )
        has_tail = tail in (">", "x", "o")
        for origin in origins:
            for target in targets:
                pair = (target, origin) if head and not has_tail else (origin, target)
                self._links.append(_Link(*pair, line, bool(head) == has_tail, bool(_REFERRING.search(label))))
                self._ways.setdefault(pair[0], []).append(pair[1])

    def _drop_mentioned_links(self) -> None:
        """`e1@{ animate: true }` says something of a link that is called so (`A e1@--> B`), and is no node."""
        ends = {end for link in self._links for end in (link.origin, link.target)}
        for id in self._link_ids - ends:
            self._nodes.pop(id, None)

    def _drop_mentioned_subgraphs(self) -> None:
        """A subgraph that a link names is no node; the link is one of its nodes'."""
        for id in [id for id in self._subgraphs if id in self._nodes and not self._nodes[id].shape]:
            del self._nodes[id]
        order = {id: place for place, id in enumerate(self._nodes)}
        for subgraph in self._subgraphs.values():
            subgraph.members = sorted(order.keys() & subgraph.members, key=order.__getitem__)

    def _give_sources_of_links(self) -> None:
        """`click A "guide.md#L5-L9"`. The lines of what lies elsewhere on the web are none of a source's."""
        for id, link in self._clicks:
            if id in self._nodes and "://" not in link:
                self._nodes[id].sources += find_source_lines(link)

    def _give_sources_of_comments(self) -> None:
        list_goes_on = 0
        lines_with_nodes = list(self._mentioned)
        for line, comment in self._comments:
            is_listed = line == list_goes_on
            if is_listed or _KEY_ALONE.fullmatch(comment):
                list_goes_on = line + 1
            if self._give_named_sources(comment, is_listed=is_listed):
                continue
            spans = find_source_lines(comment)
            if not spans:
                continue
            words = re.split(r"[\s:：,、()\[\]=]+|\.(?=\s|$)", _STATED_LINES.sub(" ", comment.lstrip("% ")))
            named = [self._nodes[word] for word in dict.fromkeys(words) if word in self._nodes]
            for node in named or self._nodes_beside(line, lines_with_nodes):
                node.sources += spans

    def _give_named_sources(self, comment: str, *, is_listed: bool) -> bool:
        """`source_lines A: 1-3, B: 4`: each node after the key gets its own. `A: 1-3` alone does below a comment that
        is the key alone, `A: L1-L3` everywhere.
        """
        key = _KEY_BEFORE_IDS.search(comment) or _ID_WITH_MARKED_LINES.match(comment)
        start = key.end() if key else len("%%")
        pairs = _ID_WITH_LINES.findall(comment, start) if key or is_listed else []
        known = [(self._nodes[id], parse_source_lines(lines)) for id, lines in pairs if id in self._nodes]
        for node, spans in known:
            node.sources += spans
        return bool(known)

    def _nodes_beside(self, line: int, lines_with_nodes: list[int]) -> list[_Node]:
        """Those on the comment's line, or on the first one below it that names any; new ones rather than known."""
        following = bisect_left(lines_with_nodes, line)
        beside = lines_with_nodes[following] if following < len(lines_with_nodes) else 0
        there = self._mentioned.get(beside, [])
        return [node for node in there if node.first_mention == beside] or there

    def _structure(self) -> Structure:
        branches = [branch for link in self._links if not link.is_reference for branch in self._branches(link)]
        elements = tuple(map(self._element, self._nodes.values()))
        targets = Targets(elements)
        references = [
            Reference(branch.origin, branch.target, branch.line)
            for link in self._links
            if link.is_reference
            for branch in self._branches(link)
            if branch.origin in self._nodes and branch.target.name in self._nodes
        ]
        for node in self._nodes.values():
            references += [
                Reference(node.id, t, node.line) for t in find_references(_MARKUP.sub(" ", node.label), targets)
            ]
        unread = tuple(sorted(set(self._unread)))
        starts = self._starts(elements, branches)
        return Structure("flowchart", elements, tuple(branches), tuple(references), starts, unread)

    def _starts(self, elements: tuple[Element, ...], branches: list[Branch]) -> frozenset[str]:
        """As for any flow; round nodes that are led to by none are starts too, by custom; so is a whole subgraph
        that is left, with a start in it."""
        if not branches:
            return frozenset(self._nodes)
        led_to = {branch.target.name for branch in branches if branch.target.name != branch.origin}
        leaving = {branch.origin for branch in branches}
        starts = set(find_starts(elements, branches))
        starts |= {id for id, node in self._nodes.items() if node.shape in _ROUND and id in leaving - led_to}
        for id in {link.origin for link in self._links if self._is_subgraph(link.origin)}:
            if starts & set(self._subgraphs[id].members):
                starts.update(self._entries(id))
        return frozenset(starts)

    def _element(self, node: _Node) -> Element:
        label = _MARKUP.sub(" ", node.label).strip()
        texts = [text for text in (node.id, label) if text]
        return Element(
            node.id,
            node.line,
            tuple(node.sources),
            (label,) if label else (),
            is_start=any(map(is_start_word, texts)),
            is_mark=any(map(is_mark, texts)),
        )

    def _branches(self, link: _Link) -> list[Branch]:
        origins = self._subgraphs[link.origin].members if self._is_subgraph(link.origin) else [link.origin]
        targets = self._entries(link.target) if self._is_subgraph(link.target) else [link.target]
        if len(origins) == len(targets) == 1:
            return [Branch(origins[0], Target("element", targets[0]), link.line, link.is_two_way)]
        there = self._joints.lead(link.line, link.origin, origins, link.target, targets)
        if not link.is_two_way:
            return there
        return there + self._joints.lead(link.line, f"entries {link.target}", targets, f"all {link.origin}", origins)

    def _entries(self, id: str) -> list[str]:
        """The nodes of a subgraph that nothing inside it leads to; the first, if all are led to."""
        if id not in self._known_entries:
            members = self._subgraphs[id].members
            led_to = {target for member in members for target in self._ways.get(member, ()) if target != member}
            self._known_entries[id] = [member for member in members if member not in led_to] or members[:1]
        return self._known_entries[id]

    def _is_subgraph(self, id: str) -> bool:
        return id in self._subgraphs and id not in self._nodes

    def _take_comment(self) -> bool:
        line = self._line()
        match = self._skip(_COMMENT)
        if match:
            self._comments.append((line, match[0]))
        return match is not None

    def _is_at_end(self) -> bool:
        return self._position >= len(self._text) or self._text[self._position] in "\n;"

    def _skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match:
            self._position = match.end()
        return match

    def _line(self) -> int:
        return self._first_line + bisect_left(self._breaks, self._position)
