"""Chapters and sections of one book that are documents of their own. Pure."""

import re
from collections.abc import Set

_IN_CHAPTER = re.compile(
    r"章(?P<chapter>[0-9]+)|section (?:(?P<number>[0-9]+)(?![0-9.])|(?:[0-9]+|[a-z])(?:\.[0-9]+)+)"
)
# What a section with a page of its own is called: 4.2, of an appendix B.2.
_PAGE = re.compile(r"section ([0-9]+|[a-z])((?:\.[0-9]+)+)")


def is_chapter(titles: Set[str]) -> bool:
    """Whether a document that is called so is a chapter of a book, or a section of one."""
    return any(map(is_part_of_book, titles))


def is_part_of_book(called: str) -> bool:
    """Whether that is what a chapter or a section with a page of its own is called."""
    return called.startswith(("chapter ", "appendix ")) or _PAGE.fullmatch(called) is not None


def page_above(called: str) -> str | None:
    """What the page is called that a section stands on if it has none of its own: that of the section around it, or the
    chapter or the appendix; `None` if it is no section.

    >>> page_above("section 4.2.1"), page_above("section 4.2"), page_above("section b.2"), page_above("chapter 4")
    ('section 4.2', 'chapter 4', 'appendix b', None)
    """
    match = _PAGE.fullmatch(called)
    if match is None:
        return None
    above = match[2].rpartition(".")[0]
    whole = "chapter" if match[1].isdigit() else "appendix"
    return f"section {match[1]}{above}" if above else f"{whole} {match[1]}"


def chapter_with(name: str, known: Set[str], titles: Set[str]) -> str | None:
    """What the chapter with a place is called, if a document is a part of a book and has no such place; of a section
    that may have a page of its own, this.

    `known` are the names of the document's places, `titles` what itself is called.

    >>> chapter_with("section 4", {"section 3.1"}, {"chapter 3"})
    'chapter 4'
    >>> chapter_with("section 4.2.1", {"section 3.1"}, {"chapter 4"})
    'section 4.2.1'
    """
    match = _IN_CHAPTER.match(name)
    if match is None or name in known or not is_chapter(titles):
        return None
    number = match["chapter"] or match["number"]
    called = f"chapter {number}" if number else match[0]
    return called if called not in titles else None
