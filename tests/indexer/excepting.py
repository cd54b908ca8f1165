"""What the shipped dictionary, or entries of a test's own, find in a text."""

from pathlib import Path

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.exception_entries import read_entries
from morenashi.indexer.exception_scope import Layout
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.markdown import parse_blocks, sections_under
from morenashi.indexer.text import normalise

SHIPPED = ExceptionFinder(load_dictionaries(Path("/nonexistent")).exceptions)


def layout_of(text: str) -> Layout:
    """The layout of a Markdown text."""
    blocks = parse_blocks(text)
    return Layout(text, sections_under(blocks.headings, text), blocks.fences)


def kinds(text: str) -> list[tuple[str, str]]:
    """(expression, kind) that the shipped dictionary finds in a Markdown text."""
    return [(found.term, found.kind) for found in SHIPPED.find(normalise(text), layout_of(text))]


def terms(text: str, *own: str) -> list[tuple[int, str]]:
    """(line, expression) that a user's own entries find."""
    return [(found.line, found.term) for found in ExceptionFinder(read_entries(own, is_own=True)).find(text)]
