"""Chapters and sections of one book that are documents of their own. Pure."""

import re
from collections.abc import Set

_IN_CHAPTER = re.compile(r"(?:章|section )([0-9]+(?:\.[0-9]+)*)")
# What a section with a page of its own is called.
PAGE = re.compile(r"section ([0-9]+)((?:\.[0-9]+)+)")


def is_chapter(titles: Set[str]) -> bool:
    """Whether a document that is called so is a chapter of a book, or a section of one."""
    return any(map(is_part_of_book, titles))


def is_part_of_book(called: str) -> bool:
    """Whether that is what a chapter or a section with a page of its own is called."""
    return called.startswith("chapter ") or PAGE.fullmatch(called) is not None


def chapter_with(name: str, known: Set[str], titles: Set[str]) -> str | None:
    """What the chapter with a place is called, if a document is another chapter of the same book and has no such place;
    the section with it, if the document is one.

    `known` are the names of the document's places, `titles` what itself is called.

    >>> chapter_with("section 4.2", {"section 3.1"}, {"chapter 3"})
    'chapter 4'
    >>> chapter_with("section 4.2.1", {"section 3.1"}, {"section 3.1"})
    'section 4.2'
    """
    match = _IN_CHAPTER.match(name)
    if match is None or name in known or not is_chapter(titles):
        return None
    number = match[1].split(".")
    depth = next((1 + page[2].count(".") for page in map(PAGE.fullmatch, titles) if page), 0)
    called = f"section {'.'.join(number[:depth])}" if 1 < depth <= len(number) else f"chapter {number[0]}"
    return called if called not in titles else None
