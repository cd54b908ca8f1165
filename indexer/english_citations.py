"""Places that English text names in words: section 3.2, Chapter 4, Appendix B, § 3. Pure."""

import re
from collections.abc import Iterator, Set

from .references import Reference
from .text import normalise

_TRIGGER = re.compile("[Ss]ection|[Cc]hapter|[Aa]ppendix|[Aa]nnex|SECTION|CHAPTER|APPENDIX|ANNEX|§")
_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}"
_CITATION = re.compile(
    r"(?<![\w.])(?:(?P<kind>[Ss]ection|[Cc]hapter|[Aa]ppendix|[Aa]nnex|SECTION|CHAPTER|APPENDIX|ANNEX)s?[ \t]{1,3}"
    rf"(?P<number>{_NUMBER}|[A-Z](?:\.[0-9]{{1,3}}|\([0-9]{{1,3}}\)){{0,2}})|§{{1,2}}\s?(?P<sign>{_NUMBER}))(?!\w)"
)
_OF_ANOTHER = re.compile(
    r"(?:\(\w{1,5}\)){0,4},?[ \t]{1,2}(?:of|in|to)[ \t]{1,2}(?:the[ \t]{1,2})?((?:[A-Z][\w'’.-]{0,40}[ \t]{0,2}){1,6})"
)
_AFTER_STANDARD = re.compile(r"\b(?:RFC|ISO|IEEE|U\.?S\.?C\.?|CFR)[ -]?[0-9]{0,6},?[ \t]{0,2}\(?$")


def find_english_citations(line: int, text: str, known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """The references of a line. `known` are the names of the document's sections, `titles` what itself is called."""
    if not _TRIGGER.search(text):
        return
    for match in _CITATION.finditer(text):
        kind = (match["kind"] or "section").lower()
        number = normalise(match["number"] or match["sign"]).replace("(", ".").replace(")", "")
        name = f"{kind} {number}"
        if name in titles:
            continue
        called, inside = _target(text, match, kind, name, known)
        yield Reference(line, match.start(), "section", None, normalise(match[0]), called, inside)


def _target(text: str, match: re.Match[str], kind: str, name: str, known: Set[str]) -> tuple[str | None, str]:
    """What the document is called, and the name inside it."""
    if other := _OF_ANOTHER.match(text, match.end()):
        return normalise(other[1]).strip(" ."), name
    if other := _AFTER_STANDARD.search(text, max(match.start() - 24, 0), match.start()):
        return normalise(other[0]).strip(" ,("), name
    if kind == "section" or name in known:
        return None, name
    return name, ""
