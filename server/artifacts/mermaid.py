"""Mermaid flowcharts: what a diagram draws, as a structure. Pure.

Every id that is mentioned is a node, as Mermaid draws it. Subgraphs group nodes and are none themselves: what leads
to one leads to its nodes that nothing inside leads to, and what leaves one leaves all its nodes.
"""

from collections.abc import Sequence

from .joints import Joints, entries_of, ways_of
from .mentions import find_references
from .mermaid_sources import give_sources
from .mermaid_text import Diagram, Link, Node, plain, read_diagram
from .model import Branch, Element, Reference, Structure, Target
from .starts import find_entries, find_starts
from .targets import Targets
from .words import is_mark, is_start_word

_DECISIONS = {"{", "diam", "decision", "diamond", "question"}
_ROUND = {"((", "(((", "([", "stadium", "terminal", "pill", "circle", "circ", "start", "sm-circ", "small-circle"}


def parse_flowchart(text: str, first_line: int = 1) -> Structure:
    """The structure of a flowchart whose text begins on this line of the file. Line breaks are `\\n`."""
    diagram = read_diagram(text, first_line)
    give_sources(diagram)
    return _Builder(diagram).build()


class _Builder:
    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._joints = Joints()
        self._ways = ways_of((link.origin, link.target) for link in diagram.links)
        self._known_entries: dict[str, Sequence[str]] = {}

    def build(self) -> Structure:
        branches = [branch for link in self._diagram.links if not link.is_reference for branch in self._branches(link)]
        elements = tuple(map(self._element, self._diagram.nodes.values()))
        targets = Targets(elements)
        references = [
            Reference(branch.origin, branch.target, branch.line)
            for link in self._diagram.links
            if link.is_reference
            for branch in self._branches(link)
            if branch.origin in self._diagram.nodes and branch.target.name in self._diagram.nodes
        ]
        for node in self._diagram.nodes.values():
            references += [Reference(node.id, t, node.line) for t in find_references(plain(node.label), targets)]
        unread = tuple(sorted(set(self._diagram.unread)))
        starts = self._starts(elements, branches)
        return Structure("flowchart", elements, tuple(branches), tuple(references), starts, unread)

    def _starts(self, elements: tuple[Element, ...], branches: list[Branch]) -> frozenset[str]:
        """As for any flow; round nodes that are led to by none are starts too, by custom; so is a whole subgraph
        that is left, with a start in it. A flow without such marks may have several inputs."""
        if not branches:
            return frozenset(self._diagram.nodes)
        led_to = {branch.target.name for branch in branches if branch.target.name != branch.origin}
        leaving = {branch.origin for branch in branches}
        starts = set(find_starts(elements, branches))
        marked = {id for id, node in self._diagram.nodes.items() if node.shape in _ROUND and id in leaving - led_to}
        if marked or any(element.is_start for element in elements):
            starts |= marked
        else:
            starts |= find_entries(frozenset(starts), branches) & self._enterable()
        for id in {link.origin for link in self._diagram.links if self._is_subgraph(link.origin)}:
            if starts & set(self._diagram.subgraphs[id].members):
                starts.update(self._entries(id))
        return frozenset(starts)

    def _enterable(self) -> set[str]:
        """The nodes that may be inputs: those that are drawn, where nodes are, as the way to others was forgotten; none
        where something is decided, for that is a procedure, which starts once."""
        shapes = {id: node.shape for id, node in self._diagram.nodes.items()}
        if not _DECISIONS.isdisjoint(shapes.values()):
            return set()
        drawn = {id for id, shape in shapes.items() if shape}
        return drawn or set(shapes)

    def _element(self, node: Node) -> Element:
        label = plain(node.label).strip()
        texts = [text for text in (node.id, label) if text]
        return Element(
            node.id,
            node.line,
            tuple(node.sources),
            (label,) if label else (),
            is_start=any(map(is_start_word, texts)),
            is_mark=any(map(is_mark, texts)),
        )

    def _branches(self, link: Link) -> list[Branch]:
        origins = self._diagram.subgraphs[link.origin].members if self._is_subgraph(link.origin) else [link.origin]
        targets = self._entries(link.target) if self._is_subgraph(link.target) else [link.target]
        if len(origins) == len(targets) == 1:
            return [Branch(origins[0], Target("element", targets[0]), link.line, link.is_two_way)]
        there = self._joints.lead(link.line, link.origin, origins, link.target, targets)
        if not link.is_two_way:
            return there
        return there + self._joints.lead(link.line, f"entries {link.target}", targets, f"all {link.origin}", origins)

    def _entries(self, id: str) -> Sequence[str]:
        """The nodes of a subgraph that nothing inside it leads to."""
        if id not in self._known_entries:
            self._known_entries[id] = entries_of(self._diagram.subgraphs[id].members, self._ways)
        return self._known_entries[id]

    def _is_subgraph(self, id: str) -> bool:
        return id in self._diagram.subgraphs and id not in self._diagram.nodes
