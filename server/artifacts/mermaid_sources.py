"""Which source lines the nodes of a Mermaid flowchart are made from. Pure.

They stand in a label, in a comment that names nodes, behind a statement, in the comment above one, or in the link of a
`click`.
"""

import re
from bisect import bisect_left

from .mermaid_text import Diagram, Node
from .source_lines import find_source_lines, find_trailing_lines, parse_source_lines

_STATED_LINES = re.compile(r"source[\s_-]*lines?\s*[:=]?[\s\dLl,;~\[\](){}〜–-]*", re.I)
_WORD = r"[^\s:：=,;、]+"
_KEY_BEFORE_IDS = re.compile(rf"source[\s_-]*lines?\s*(?:[ \t]|[:：=](?=\s*{_WORD}\s*[:：=]))\s*", re.I)
_ID_WITH_KEY = re.compile(rf"(?<![^\s:：=,;、])({_WORD})(?: ?[:：=] ?| )(?=source[\s_-]*lines?\b)", re.I)
_KEY_ALONE = re.compile(r"%+\s*(?:source[\s_-]*lines?|sources?|(?:根拠|出典|原文)行?)\s*[:：=]?\s*", re.I)
_ID_WITH_MARKED_LINES = re.compile(
    rf"%++\s*(?={_WORD}\s*[:：=]\s*(?:[Ll]\.?\d|lines?\s*\d|第?\d+[^,;、]{{0,20}}行|{_WORD}\.[A-Za-z]\w*[\s:：#]+[Ll]?\d))"
)
# %% A -> L1-3
_LEADS_TO_LINES = re.compile(
    r"(%++ ?[^\s%:：=,;、][^\s:：=,;、]*) (?:-+>|=+>|[→⇒]) (?=(?P<to>L\.?\d+)|lines? \d)", re.I
)
# From the beginning of a word on: a long one is not tried from each of its letters, nor a run of separators from each.
# A list in brackets is bounded, as very many may begin that nothing closes.
_BETWEEN = r"[\s,;、]"
_ID_WITH_LINES = re.compile(
    rf"(?<![^\s:：=,;、])({_WORD})\s*[:：=]\s*"
    rf"(\[[^\]]{{0,2000}}\]|(?:{_WORD}\.[A-Za-z]\w*\s*:\s*(?=[\dLl]))?(?:{_WORD}|{_BETWEEN}++(?!{_WORD}\s*[:：=]))*+)"
    rf"(?={_BETWEEN}+{_WORD}\s*[:：=]|\s*$)"
)


def give_sources(diagram: Diagram) -> None:
    """Note with each node the source lines that are named for it."""
    for node in diagram.nodes.values():
        for text in node.said:
            node.sources += find_source_lines(text)
    _give_sources_of_links(diagram)
    _give_sources_of_comments(diagram)
    _give_trailing_sources(diagram)


def _give_trailing_sources(diagram: Diagram) -> None:
    """`A["受付 L1-3"]`, of nodes that name no lines otherwise."""
    nodes = [node for node in diagram.nodes.values() if not node.sources and node.said]
    for node, spans in zip(nodes, find_trailing_lines(["\n".join(node.said) for node in nodes]), strict=True):
        node.sources += spans


def _give_sources_of_links(diagram: Diagram) -> None:
    """`click A "guide.md#L5-L9"`. The lines of what lies elsewhere on the web are none of a source's."""
    for id, link in diagram.clicks:
        if id in diagram.nodes and "://" not in link:
            diagram.nodes[id].sources += find_source_lines(link)


def _give_sources_of_comments(diagram: Diagram) -> None:
    list_goes_on = 0
    lines_with_nodes = list(diagram.mentioned)
    for line, written in diagram.comments:
        # A run of very many blanks would be gone through from each of them.
        comment = " ".join(written.split())
        leads = _LEADS_TO_LINES.match(comment)
        # `%% A --> L2` may be a link that was taken out.
        if leads and leads["to"] not in diagram.nodes:
            comment = f"{leads[1]}: {comment[leads.end() :]}"
        is_listed = line == list_goes_on
        if is_listed or _KEY_ALONE.fullmatch(comment):
            list_goes_on = line + 1
        if _give_named_sources(diagram, comment, is_listed=is_listed):
            continue
        spans = find_source_lines(comment)
        if not spans:
            continue
        words = re.split(r"[\s:：,、()\[\]=]+|\.(?=\s|$)", _STATED_LINES.sub(" ", comment.lstrip("% ")))
        named = [diagram.nodes[word] for word in dict.fromkeys(words) if word in diagram.nodes]
        if _give_each_sources(named, comment):
            continue
        for node in named or _nodes_beside(diagram, line, lines_with_nodes):
            node.sources += spans


def _give_named_sources(diagram: Diagram, comment: str, *, is_listed: bool) -> bool:
    """`source_lines A: 1-3, B: 4`: each node after the key gets its own. `A: 1-3` alone does below a comment that
    is the key alone, `A: L1-L3` everywhere.
    """
    key = _KEY_BEFORE_IDS.search(comment) or _ID_WITH_MARKED_LINES.match(comment)
    said = comment[key.end() :] if key else comment.removeprefix("%%")
    pairs = _ID_WITH_LINES.findall(said) if key or is_listed else []
    known = [(diagram.nodes[id], parse_source_lines(lines)) for id, lines in pairs if id in diagram.nodes]
    for node, spans in known:
        node.sources += spans
    return bool(known)


def _give_each_sources(named: list[Node], comment: str) -> bool:
    """`A: source_lines: 1-3, B: source_lines: 4`: to each of several nodes what stands behind its own key."""
    said = comment.lstrip("% ")
    keys = list(_ID_WITH_KEY.finditer(said))
    if len(keys) < 2 or [key[1] for key in keys] != [node.id for node in named]:
        return False
    ends = [key.start() for key in keys[1:]] + [len(said)]
    for node, key, end in zip(named, keys, ends, strict=True):
        node.sources += find_source_lines(said[key.end() : end])
    return True


def _nodes_beside(diagram: Diagram, line: int, lines_with_nodes: list[int]) -> list[Node]:
    """Those on the comment's line, or on the first one below it that names any; new ones rather than known."""
    following = bisect_left(lines_with_nodes, line)
    beside = lines_with_nodes[following] if following < len(lines_with_nodes) else 0
    there = diagram.mentioned.get(beside, [])
    return [node for node in there if node.first_mention == beside] or there
