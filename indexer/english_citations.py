"""Places that English text names in words: section 3.2, Chapter 4, Appendix B, § 3. Pure."""

import re
from collections.abc import Iterator, Set

from .references import Reference
from .text import normalise

_TRIGGERS = ("ection", "hapter", "ppendix", "nnex", "SECTION", "CHAPTER", "APPENDIX", "ANNEX", "§")
_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}"
_CITATION = re.compile(
    r"(?<![\w.])(?:(?P<kind>[Ss]ection|[Cc]hapter|[Aa]ppendix|[Aa]nnex|SECTION|CHAPTER|APPENDIX|ANNEX)s?[ \t]{1,3}"
    rf"(?P<number>{_NUMBER}|[A-Z](?:\.[0-9]{{1,3}}|\([0-9]{{1,3}}\)){{0,2}})|§{{1,2}}\s?(?P<sign>{_NUMBER}))(?!\w)"
)
# The other document may be a link, or set in quotes or bold: section 5 of [RFC 9110][], "the Act".
_OF_ANOTHER = re.compile(
    r"(?:\(\w{1,5}\)){0,4},?[ \t]{1,2}(?:of|in|to)[ \t]{1,2}(?:the[ \t]{1,2})?[\[\\\"“*_]{0,4}"
    r"([A-Z][\w'’.-]{0,40}(?:[ \t]{1,2}[A-Z0-9][\w'’.-]{0,40}){0,5})"
)
_AFTER_STANDARD = re.compile(
    r"\b((?:RFC|ISO|IEEE|U\.?S\.?C\.?|CFR)[ -]?[0-9]{0,6})"
    # Where a link led there are blanks.
    r"\\?\]?(?:\[[^\[\]]{0,80}\])?[ \t]{0,200},?[ \t]{0,2}\(?$"
)
_MOST_BEFORE = 300


def lines_to_read(text: str) -> list[int]:
    """The lines (1-based) of a text that may hold a citation; fixed strings are found far quicker than patterns."""
    places = sorted({place for trigger in _TRIGGERS for place in _places(text, trigger)})
    lines, line, passed = [], 1, 0
    for place in places:
        line += text.count("\n", passed, place)
        passed = place
        lines.append(line)
    return list(dict.fromkeys(lines))


def find_english_citations(line: int, text: str, known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """The references of a line. `known` are the names of the document's sections, `titles` what itself is called."""
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
    if other := _AFTER_STANDARD.search(text, max(match.start() - _MOST_BEFORE, 0), match.start()):
        return normalise(other[1]), name
    if kind == "section" or name in known:
        return None, name
    return name, ""


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)
