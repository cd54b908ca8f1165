"""Chapters of one book that are documents of their own. Pure."""

import re
from collections.abc import Set

_IN_CHAPTER = re.compile(r"(?:章|section )([0-9]+)")


def is_chapter(titles: Set[str]) -> bool:
    """Whether a document that is called so is a chapter of a book."""
    return any(title.startswith("chapter ") for title in titles)


def chapter_with(name: str, known: Set[str], titles: Set[str]) -> str | None:
    """What the chapter with a place is called, if a document is another chapter of the same book and has no such place.

    `known` are the names of the document's places, `titles` what itself is called.

    >>> chapter_with("section 4.2", {"section 3.1"}, {"chapter 3"})
    'chapter 4'
    """
    match = _IN_CHAPTER.match(name)
    if match is None or name in known or not is_chapter(titles):
        return None
    called = f"chapter {match[1]}"
    return called if called not in titles else None
