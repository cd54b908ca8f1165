"""Nested lists: every item is an element, and what it holds follows it. Pure.

A list counts if it is nested or if one of its items names lines of the source; other lists are prose. All lists of
a file that count are one structure, so that items may point across.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it.token import Token

from morenashi.indexer.markdown import new_block_parser

from .contents import is_contents
from .mentions import OF_ANOTHER, find_references
from .model import Branch, Element, Reference, Structure, Target
from .source_lines import find_source_lines
from .targets import Targets
from .words import is_mark

_BLOCKS = new_block_parser()

_ID = re.compile(
    r"(?:\[[ xX]\]\s*)?[*_`\[(（【]{0,3}"
    r"([A-Za-z]{1,8}[-_]?\d+(?:[.\-]\d+)*[a-z]?|\d+(?:[.\-]\d+)+[a-z]?|[A-Za-z]{1,3}\d*[.\-]\d+)"
    r"[*_`\])）】]{0,3}(?=[\s:：.、)）]|$)"
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

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def parse_lists(text: str, *, alone: bool) -> Structure | None:
    """The structure of the lists of a Markdown text whose line breaks are `\\n`; `None` if none counts.

    `alone` says that the file holds nothing else that is an artifact: then its flat lists count as well.
    """
    groups = [items for items in _read_lists(text) if alone or _counts(items)]
    _number_items(groups)
    items = [item for group in groups for item in group]
    if not items:
        return None
    _name_items(items)
    elements = tuple(_element(item) for item in items)
    targets = Targets(elements)
    branches = [Branch(item.parent.id, Target("element", item.id), item.line) for item in items if item.parent]
    references: list[Reference] = []
    for item in items:
        branches += [Branch(item.id, target, item.line) for target in _pointed(item, targets)]
        references += [Reference(item.id, target, item.line) for target in find_references(item.text, targets)]
    starts = frozenset(item.id for item in items if item.parent is None)
    return Structure("list", elements, tuple(branches), tuple(references), starts)


def _counts(items: list[_Item]) -> bool:
    return any(item.parent for item in items) or any(find_source_lines(item.text) for item in items)


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
        id = match[1] if match else item.number
        item.id = id if id and id not in taken else f"{item.ordinal}@{item.line}"
        taken.add(item.id)


def _element(item: _Item) -> Element:
    id = _ID.match(item.text)
    said = item.text[id.end() :].lstrip(" \t:：.、)）") if id else item.text
    # `* 1. text` is an item that only holds another list.
    is_empty = not item.text.strip()
    return Element(item.id, item.line, find_source_lines(item.text), is_mark=is_mark(said) or is_empty)


def _pointed(item: _Item, targets: Targets) -> Iterator[Target]:
    """What arrows point to, if it is an id, as arrows also stand in prose; and the steps that one is told to go to."""
    for arrow in _ARROW.finditer(item.text):
        yield from targets.find_mentions(arrow[1])
    for led in _STEP_LED_TO.finditer(unicodedata.normalize("NFKC", item.text)):
        step = targets.find_step(led[1] or led[2])
        # Inside a nested list it may be one of that list's own.
        if step and (item.parent is None or step.kind == "element"):
            yield step
