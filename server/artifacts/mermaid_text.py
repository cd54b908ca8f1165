"""The text of a Mermaid flowchart (`graph`, `flowchart`), as the Mermaid documentation describes it (v11). Pure.

Lines that style (`classDef`, `class`, `style`, `linkStyle`) are passed over.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from .joints import Joints
from .model import SourceLines

# Nobody draws subgraphs in each other deeper than that.
_MOST_LEVELS = 50
_HEADER = re.compile(r"\s*(?:flowchart(?:-elk|-v2)?|graph)\b[ \t]*(?:TB|TD|BT|RL|LR|[<>^v])?[ \t]*(?=;|\n|$|%%)")
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n.*?\n[ \t]*---[ \t]*(?=\n)", re.S)
_BETWEEN_STATEMENTS = re.compile(r"[\s;]+")
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
# A comment behind it is about no node.
_SUBGRAPH = re.compile(r"subgraph\b[ \t]*((?:\"[^\"\n]*\"|(?!%%)[^\n;])*+)(?:%%[^\n]*)?")
_SUBGRAPH_ID = re.compile(r"([^\s\[\]\"()]+)[ \t]*(?:\[.*)?$")
_END = re.compile(r"end(?=\s|;|$)")
_SPECIAL = r"\s\[\](){}<>|&;:,\"@%~=.\-`"
_ID = re.compile(rf"(?:[^{_SPECIAL}]|[-.](?=[^{_SPECIAL}>])|=(?!=)|%(?!%)|:(?=[^{_SPECIAL}:]))+")
_CLASS = re.compile(r":::\w+(?:-\w+)*")
# Bounded, as nodes without number may begin so.
_DATA = re.compile(r"@\{(?P<data>(?:\"[^\"]{0,2000}\"|[^}\"]){0,2000})\}")
_DATA_LABEL = re.compile(r"label\s*:\s*(?:\"([^\"]*)\"|'([^']*)'|([^,\n]+))")
_DATA_SHAPE = re.compile(r"shape\s*:\s*\"?([\w-]+)")
_LINK = re.compile(
    # Bounded, as it is looked for at every link of a line.
    r"(?:(?P<id>[^\s@]{1,200})@)?(?:"
    r"(?P<invisible>~~~+)"
    r"|(?P<head>[<xo]?)(?:--+[-xo>]|==+[=xo>]|-\.+-[xo>]?"
    r"|(?:--|==|-\.)(?P<text>[ \t]*\"[^\"]*\"[ \t]*|[^\n]+?)(?:--+[-xo>]|==+[=xo>]|(?<!\.)\.+-[xo>]?))"
    r")"
)
_LINK_LABEL = re.compile(r"[ \t]*\|(?P<text>[ \t]*\"[^\"]*\"[ \t]*|[^|]*)\|")
_SHAPES = (
    ("(((", (")))",)), ("((", ("))",)), ("([", ("])",)), ("[[", ("]]",)), ("[(", (")]",)), ("[/", ("/]", "\\]")),
    ("[\\", ("\\]", "/]")), ("{{", ("}}",)), ("(", (")",)), ("[", ("]",)), ("{", ("}",)), (">", ("]",)),
)  # fmt: skip
_REFERRING = re.compile(r"参照|\bsee\b|\bref(?:er(?:s|ence)?)?\b", re.I)
_BEFORE_DIAGRAM = re.compile(r"\s*(?:%%\{.*?\}%%|%%[^\n]*\n)", re.S)
_COMMENT_BEFORE_DIAGRAM = re.compile(r"\s*%%[^\n]*\n")
_BLANKS = re.compile(r"\s*")
# A link may stand on lines of its own between what it links. `x-->` and `o-->` there are nodes that are called so.
_LINES = r"(?>(?:[ \t\u3000]*(?:%%(?!\{)[^\n]*)?\n)+[ \t\u3000]*)"
_BEFORE_LINK = re.compile(rf"{_LINES}(?=<?(?:--|==|-\.|~~~))")
_BEHIND_LINK = re.compile(rf"{_LINES}(?!(?:subgraph|end|classDef|class|style|linkStyle|click|direction)\b)")
_QUOTED = re.compile(r'\s*"[^"]*"\s*')
_TAG_BREAK = re.compile(r"<br\s*/?>", re.I)
_MARKUP = re.compile(r"<[^>]{1,40}>|&[a-z]+;|#\w+;")


@dataclass(slots=True)
class Node:
    """`said` are its label and its data, which may name source lines."""

    id: str
    line: int
    first_mention: int
    label: str = ""
    shape: str = ""
    said: list[str] = field(default_factory=list)
    sources: list[SourceLines] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Link:
    """From a node or a subgraph to another."""

    origin: str
    target: str
    line: int
    is_two_way: bool
    is_reference: bool


@dataclass(slots=True)
class Subgraph:
    """`named` are the nodes that its own statements name; `members` those that turn out to be its own or lie in a
    subgraph inside it."""

    id: str
    named: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Diagram:
    """What a text draws. `mentioned` are the nodes that each line names, `comments` come with their line, `clicks` are
    ids with what follows them, `unread` lines that make no sense.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    subgraphs: dict[str, Subgraph] = field(default_factory=dict)
    mentioned: dict[int, list[Node]] = field(default_factory=dict)
    comments: list[tuple[int, str]] = field(default_factory=list)
    clicks: list[tuple[str, str]] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)


def is_flowchart(text: str) -> bool:
    """Whether a Mermaid text is a flowchart: its first statement says so."""
    return _HEADER.match(text, _start_of_diagram(text)) is not None


def read_diagram(text: str, first_line: int) -> Diagram:
    """Read a flowchart whose text begins on this line of the file. Line breaks are `\\n`."""
    return _Reader(text, first_line).read()


def plain(label: str) -> str:
    """A label with blanks for its markup, and the line breaks that stand there as tags."""
    return _MARKUP.sub(" ", _TAG_BREAK.sub("\n", label))


def _start_of_diagram(text: str) -> int:
    """Behind front matter, directives and comments."""
    front = _FRONT_MATTER.match(text)
    position = front.end() if front else 0
    last = text.rfind("}%%")
    while match := (_BEFORE_DIAGRAM if position < last else _COMMENT_BEFORE_DIAGRAM).match(text, position):
        position = match.end()
    return position


class _Reader:
    """Statement by statement. What cannot be read is passed over to the end of its line, which is noted."""

    def __init__(self, text: str, first_line: int) -> None:
        self._text = text
        self._first_line = first_line
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        # Behind these nothing that begins is closed: it need not be looked for again and again.
        self._last_directive, self._last_brace = text.rfind("}%%"), text.rfind("}")
        self._position = 0
        # Of each text that was looked for: from where on, and where it stands.
        self._found: dict[str, tuple[int, int]] = {}
        self._diagram = Diagram()
        self._joints = Joints()
        self._link_ids: set[str] = set()
        self._open: list[Subgraph] = []
        self._grouped: set[str] = set()

    def read(self) -> Diagram:
        front = _FRONT_MATTER.match(self._text)
        self._position = front.end() if front else 0
        self._skip(_BETWEEN_STATEMENTS)
        while self._position < len(self._text):
            self._read_statement()
            self._skip(_BETWEEN_STATEMENTS)
        while self._open:
            self._close_subgraph()
        self._drop_mentioned_links()
        self._drop_mentioned_subgraphs()
        return self._diagram

    def _read_statement(self) -> None:
        is_directive = self._position < self._last_directive and self._skip(_DIRECTIVE)
        if is_directive or self._take_comment() or self._skip(_HEADER):
            return
        if match := self._skip(_SUBGRAPH):
            self._open_subgraph(match[1])
        elif self._skip(_END):
            if self._open:
                self._close_subgraph()
        elif match := self._skip(_CLICK):
            self._diagram.clicks.append((match["id"], match["link"]))
        elif (self._position < self._last_brace and self._skip(_DESCRIPTION)) or self._skip(_STYLING):
            pass
        elif not self._read_chain():
            self._diagram.unread.append(self._line())
            self._skip(_REST)

    def _open_subgraph(self, rest: str) -> None:
        rest = rest.strip()
        match = _SUBGRAPH_ID.match(rest)
        id = match[1] if match else rest.strip('"')
        self._open.append(self._diagram.subgraphs.setdefault(id, Subgraph(id)))

    def _close_subgraph(self) -> None:
        """A node is a member of the first subgraph to end of those that name it, wherever it was named before."""
        ended = self._open.pop()
        for id in ended.named:
            if id not in self._grouped:
                self._grouped.add(id)
                for subgraph in (ended, *self._open[-_MOST_LEVELS:]):
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
        if match[0] not in self._diagram.nodes:
            self._diagram.nodes[match[0]] = Node(match[0], line, line)
        if self._open:
            self._open[-1].named.append(match[0])
        node = self._diagram.nodes[match[0]]
        self._diagram.mentioned.setdefault(line, []).append(node)
        self._skip(_CLASS)
        if not self._read_data(node, line):
            self._read_shape(node, line)
            self._skip(_CLASS)
            self._read_data(node, line)
        return node.id

    def _read_data(self, node: Node, line: int) -> bool:
        """`@{ shape: rect, label: "受付" }`, alone or behind a shape; whether it is there."""
        data = self._skip(_DATA)
        if data is None:
            return False
        named, shaped = _DATA_LABEL.search(data["data"]), _DATA_SHAPE.search(data["data"])
        label = (named[1] or named[2] or named[3]) if named else ""
        self._define(node, line, label, shaped[1] if shaped else "")
        node.said.append(_DATA_LABEL.sub("", data["data"]))
        return True

    def _read_shape(self, node: Node, line: int) -> None:
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
        end = min((at, at + len(c)) for c in closings for at in [self._find(c, start)])
        # A label without quotes may go over lines, but not over another statement.
        is_one = end[1] <= len(self._text) and self._find("-->", start) + len("-->") > end[0]
        return end if is_one else None

    def _find(self, sought: str, start: int) -> int:
        """Where a text stands next, from `start` on; behind the end if nowhere. What very many nodes look for is not
        looked for again while they stand before it.
        """
        asked, at = self._found.get(sought, (0, -1))
        if not asked <= start <= at:
            found = self._text.find(sought, start)
            at = found if found >= 0 else len(self._text)
            self._found[sought] = start, at
        return at

    def _define(self, node: Node, line: int, label: str, shape: str) -> None:
        if not node.shape:
            node.line = line
        node.label, node.shape = node.label or label, node.shape or shape or "data"
        node.said.append(plain(label))

    def _add_links(self, origins: list[str], targets: list[str], link: re.Match[str], label: str, line: int) -> None:
        if link["invisible"]:
            return
        has_head, has_tail = bool(link["head"]), link[0][-1] in ">xo"
        is_reference = bool(_REFERRING.search(label))
        for origin, target in self._joints.pairs(f"{line}:{link.start()}", origins, f"{line}:{link.end()}", targets):
            pair = (target, origin) if has_head and not has_tail else (origin, target)
            self._diagram.links.append(Link(*pair, line, has_head == has_tail, is_reference))

    def _drop_mentioned_links(self) -> None:
        """`e1@{ animate: true }` says something of a link that is called so (`A e1@--> B`), and is no node."""
        ends = {end for link in self._diagram.links for end in (link.origin, link.target)}
        for id in self._link_ids - ends:
            self._diagram.nodes.pop(id, None)

    def _drop_mentioned_subgraphs(self) -> None:
        """A subgraph that a link names is no node; the link is one of its nodes'."""
        nodes = self._diagram.nodes
        for id in [id for id in self._diagram.subgraphs if id in nodes and not nodes[id].shape]:
            del nodes[id]
        order = {id: place for place, id in enumerate(nodes)}
        for subgraph in self._diagram.subgraphs.values():
            subgraph.members = sorted(order.keys() & subgraph.members, key=order.__getitem__)

    def _take_comment(self) -> bool:
        line = self._line()
        match = self._skip(_COMMENT)
        if match:
            self._diagram.comments.append((line, match[0]))
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
