"""Nested lists: every item is an element, and what it holds follows it. Pure.

A list counts if it is nested or if one of its items names lines of the source; other lists are prose. All lists of
a file that count are one structure, so that items may point across.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from markdown_it.token import Token

from morenashi.indexer.combining import normal_form
from morenashi.indexer.markdown import new_block_parser

from .contents import is_contents
from .mentions import OF_ANOTHER, find_references
from .model import Branch, Element, Reference, SourceLines, Structure, Target
from .source_lines import find_marked_lines, find_source_lines, find_trailing_lines, parse_statement
from .targets import Targets
from .words import is_mark

_BLOCKS = new_block_parser()

_ID = re.compile(
    r"(?:\[[ xX]\]\s*)?[*_`\[(（【]{0,3}"
    r"([A-Za-z]{1,8}[-_]?\d+(?:[.\-]\d+)*[a-z]?|\d+(?:[.\-]\d+)+[a-z]?|[A-Za-z]{1,3}\d*[.\-]\d+)"
    r"[*_`\])）】]{0,3}(?=[\s:：.、)）]|$)"
)
# A: L1-3, **A** (受付): lines 1-3, `A` 受付 — L1-3
_NODE = re.compile(
    r"[*_`\[(（【]{0,3}([^\s:：()（）\[\]*`=—–、,]{1,100})[*_`\])）】]{0,3}"
    r"(?:\s{0,3}[(（\s][^:：=—–→⇒>\n]{0,100})?\s{0,3}(?:[:：=—–→⇒]|-+>?\s)\s{0,3}"
)
_ARROW = re.compile(r"(?:→|⇒|->|=>|(?:次(?:へ|の手順)?|\bnext)\s*[:：])\s*[*`]*([^\s、。,;()（）*`]+)", re.I)
_NUMBER = r"\d+(?:[-.]\d+)*(?![-.]?\d)"
# 手順5へ進む, return to step 3; not 設置手引の手順5へ, to step 3 of the network guide.
_STEP_LED_TO = re.compile(
    rf"(?<!{OF_ANOTHER})((?:ステップ|手順|工程|項番)\s*{_NUMBER})\s*"
    r"(?:(?:へ|に|まで)\s*(?:進|戻|差し?戻|移|飛|行|続|ジャンプ|スキップ)|から\s*(?:やり直|再開|繰り?返|始))"
    r"|\b(?:go|jump|skip|move|proceed|return|loop|continue|resume|restart|start again|repeat)\s+"
    rf"(?:back\s+|on\s+|ahead\s+)?(?:to|from|at|with)\s+(step\s+{_NUMBER})(?!\s+(?:of|in)\b)",
    re.I,
)
_STEP_OF_ANOTHER = re.compile(rf"{OF_ANOTHER}(?:ステップ|手順|工程|項番)\s*\d|\bstep\s+{_NUMBER}\s+(?:of|in)\b", re.I)


@dataclass(slots=True)
class _Item:
    line: int
    ordinal: str
    parent: "_Item | None"
    mark: str
    number: str = ""
    texts: list[str] = field(default_factory=list)
    children: int = 0
    id: str = ""
    node: str = ""
    sources: tuple[SourceLines, ...] = ()
    is_of_another: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def parse_lists(text: str, *, alone: bool, nodes: Collection[str] = ()) -> Structure | None:
    """The structure of the lists of a Markdown text whose line breaks are `\\n`; `None` if none counts.

    `alone` says that the file holds nothing else that is an artifact: then its flat lists count as well. `nodes` are
    the ids in the file's flowcharts: an item may begin with one, and say the lines of it.
    """
    lists = _read_lists(text)
    _read_items([item for items in lists for item in items], nodes)
    lists = [_without_statements(items) for items in lists]
    groups = [items for items in lists if alone or _counts(items)]
    _number_items(groups)
    items = [item for group in groups for item in group]
    if not items:
        return None
    _name_items(items)
    elements = tuple(_element(item) for item in items)
    targets = Targets(elements)
    branches = [Branch(item.parent.id, Target("element", item.id), item.line) for item in items if item.parent]
    references: list[Reference] = []
    are_numbered_inside = any(item.mark for item in items if item.parent)
    for item in items:
        pointed = dict.fromkeys(_pointed(item, targets, are_numbered_inside=are_numbered_inside))
        branches += [Branch(item.id, target, item.line) for target in pointed]
        references += [Reference(item.id, target, item.line) for target in find_references(item.text, targets)]
    starts = frozenset(item.id for item in items if item.parent is None)
    return Structure("list", elements, tuple(branches), tuple(references), starts)


def _counts(items: list[_Item]) -> bool:
    return any(item.parent or item.sources for item in items)


def _read_items(items: list[_Item], nodes: Collection[str]) -> None:
    """Note with each item the lines that it names, and whether it speaks of the steps of another document."""
    for item in items:
        item.sources = find_source_lines(item.text)
        is_inside = item.parent is not None and item.parent.is_of_another
        item.is_of_another = is_inside or bool(_STEP_OF_ANOTHER.search(item.text))
        called = _NODE.match(item.text) if nodes else None
        if called and called[1] in nodes:
            item.node = called[1]
            item.sources = item.sources or find_marked_lines(item.text[called.end() :].strip())
    others = [item for item in items if not item.sources]
    for item, spans in zip(others, find_trailing_lines([item.text for item in others]), strict=True):
        item.sources = spans


def _read_lists(text: str) -> list[list[_Item]]:
    """The items of each outermost list, in order; tables of contents left out."""
    lists: list[list[_Item]] = []
    open_items: list[_Item] = []
    depth = outermost = 0
    for token in _BLOCKS.parse(text):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
            if depth == 1:
                lists.append([])
                outermost = 0
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open":
            outermost += not open_items
            item = _open_item(token, open_items[-1] if open_items else None, outermost)
            lists[-1].append(item)
            open_items.append(item)
        elif token.type == "list_item_close":
            open_items.pop()
        elif token.type in ("inline", "html_block") and open_items:
            open_items[-1].texts.append(token.content)
    return [items for items in lists if not is_contents([item.text for item in items])]


def _without_statements(items: list[_Item]) -> list[_Item]:
    """The items without those inside others that only name lines, `- 出典: L1-3`: these are the lines of what they are
    inside."""
    stated = [parse_statement(item.text) if item.parent and not item.children else () for item in items]
    given: dict[int, list[SourceLines]] = {}
    for item, spans in zip(items, stated, strict=True):
        given.setdefault(id(item.parent), []).extend(spans)
    for item in items:
        item.sources += tuple(given.get(id(item), ()))
    return [item for item, spans in zip(items, stated, strict=True) if not spans]


def _open_item(token: Token, parent: _Item | None, outermost: int) -> _Item:
    if parent:
        parent.children += 1
        ordinal = f"{parent.ordinal}.{parent.children}"
    else:
        ordinal = str(outermost)
    line = token.map[0] + 1 if token.map else 1
    return _Item(line, ordinal, parent, token.info)


def _number_items(groups: list[list[_Item]]) -> None:
    """The outermost items of numbered lists get their numbers as they are shown: counted on from the list's first mark.

    Where two lists count alike, a number (手順3) says of neither which is meant, and all go without.
    """
    numbered: dict[str, _Item] = {}
    for items in groups:
        outermost = [item for item in items if item.parent is None]
        for position, item in enumerate(outermost if outermost[0].mark else ()):
            number = str(int(outermost[0].mark) + position)
            if number in numbered:
                return
            numbered[number] = item
    for number, item in numbered.items():
        item.number = number


def _name_items(items: list[_Item]) -> None:
    """An item is called by the id or the number it begins with; without one, or with one that is taken, by line and
    ordinal."""
    taken: set[str] = set()
    for item in items:
        match = _ID.match(item.text)
        id = item.node or (match[1] if match else item.number)
        item.id = id if id and id not in taken else f"{item.ordinal}@{item.line}"
        taken.add(item.id)


def _element(item: _Item) -> Element:
    id = _ID.match(item.text)
    said = item.text[id.end() :].lstrip(" \t:：.、)）") if id else item.text
    # `* 1. text` is an item that only holds another list, `- 次: M03` one that only leads on.
    is_empty = not item.text.strip() or bool(_ARROW.fullmatch(item.text.strip().rstrip("。.")))
    return Element(item.id, item.line, item.sources, is_mark=is_mark(said) or is_empty)


def _pointed(item: _Item, targets: Targets, *, are_numbered_inside: bool) -> Iterator[Target]:
    """What arrows point to, if it is an id, as arrows also stand in prose; and the steps that one is told to go to."""
    # A number that no step has may be that of a nested list, whose items are not called by it, or of the document that
    # an item around it speaks of.
    may_be_inner = item.parent is not None and (are_numbered_inside or item.parent.is_of_another)
    for arrow in _ARROW.finditer(item.text):
        yield from targets.find_mentions(arrow[1])
    for led in _STEP_LED_TO.finditer(normal_form("NFKC", item.text)):
        step = targets.find_step(led[1] or led[2])
        if step and (step.kind == "element" or not may_be_inner):
            yield step
