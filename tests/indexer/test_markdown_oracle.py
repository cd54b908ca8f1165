"""Headings as another CommonMark parser sees them (pulldown-cmark, through pyromark)."""

import pyromark
from hypothesis import given

from morenashi.indexer.encodings import UndecodableError, decode
from morenashi.indexer.markdown import _block_parser, parse_blocks, without_front_matter
from morenashi.indexer.text import unify_line_breaks

from ..workspaces import require_devset
from .texts import markdown_texts


def test_headings_of_all_material_are_those_of_another_parser() -> None:
    differing = []
    files = sorted(require_devset().rglob("*.md"))
    for file in files:
        try:
            text = unify_line_breaks(decode(file.read_bytes()).text)
        except UndecodableError:
            continue
        if _ours(text) != _theirs(text):
            differing.append(file.name)
    assert len(files) > 1000
    assert differing == []


@given(markdown_texts)
def test_headings_of_any_arrangement_are_those_of_another_parser(text: str) -> None:
    assert _ours(text) == _theirs(text)


@given(markdown_texts)
def test_blocks_are_those_of_the_parser_without_our_rule(text: str) -> None:
    with_it = parse_blocks(text)
    rules = _block_parser().block.ruler
    rules.disable("plain_paragraph")
    try:
        assert parse_blocks(text) == with_it
    finally:
        rules.enable("plain_paragraph")


def _ours(text: str) -> list[tuple[int, int]]:
    return [(heading.line, heading.level) for heading in parse_blocks(text).headings]


def _theirs(text: str) -> list[tuple[int, int]]:
    body = without_front_matter(text)
    data = body.encode()
    found = []
    for event, span in pyromark.events_with_range(body):
        start = event.get("Start") if isinstance(event, dict) else None
        if isinstance(start, dict) and "Heading" in start:
            found.append((data.count(b"\n", 0, span["start"]) + 1, int(start["Heading"]["level"][1])))
    return found
