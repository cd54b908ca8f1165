"""Places that English text names in words: section 3.2, Chapter 4, Appendix B, § 3, Sections 5 and 7 to 9, and those
of contracts: clause 7.2(b), Schedule 2, Annex II. Pure.
"""

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from morenashi.indexer.text import normalise

from .chapters import chapter_with, is_chapter
from .document_codes import CODE, may_be_document
from .place_keys import ENGLISH_DIVISIONS, between
from .reference import Reference

MAY_CITE = (
    *("ection", "hapter", "ppendi", "nnex", "SECTION", "CHAPTER", "APPENDI", "ANNEX", "§"),
    *("Sec.", "cl. ", "cls. ", "Sch. ", "App. ", "Art. ", "LAUSE", "CHEDULE", "XHIBIT"),
    *("lause", "rticle", "chedule", "xhibit", "ttachment", "Part "),
)
_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}"
_LETTER = r"(?:[IVX]{2,5}|[A-Z])(?:\.(?:[0-9]{1,3}|[A-Z](?![A-Za-z]))|\((?:[0-9]{1,3}|[A-Z])\)){0,2}"
# A schedule or a part in small letters is one of another kind.
_KIND = (
    r"[Ss]ection|Sec\.|[Cc]hapter|[Aa]ppendix|[Aa]nnex|[Cc]lause|[Aa]rticle|Schedule|Exhibit|Attachment|Part"
    r"|SECTION|CHAPTER|APPENDIX|ANNEX|CLAUSE|SCHEDULE|EXHIBIT|[Cc]ls?\.|Sch\.|App\.|Art\."
    "|[Ss]ub-?clause"
)
# Of whose clauses, articles and parts a text speaks without saying it, nobody knows.
_OF_ANYTHING = ("clause", "article", "part")
_IN_SHORT = {
    "sec.": "section",
    "cl.": "clause",
    "cls.": "clause",
    "subclause": "clause",
    "sub-clause": "clause",
    "sch.": "schedule",
    "app.": "appendix",
    "art.": "article",
}
# No letter, but the particle of a Japanese sentence (section 3.2を参照), and not in the middle of a number: of 3.2 what
# is cited is not 3.
_ENDS = r"(?![^\Wぁ-っづ-ん]|\.[0-9])"
_CITATION = re.compile(
    r"(?<![^\Wぁ-ん])(?<!\.)"
    rf"(?:(?:(?P<kind>{_KIND})(?P<plural>s|S|es|ES)?|(?P<appendices>[Aa]ppendices|APPENDICES))[ \t]{{1,3}}"
    rf"(?P<number>{_NUMBER}|{_LETTER})|(?P<signs>§{{1,2}})\s?(?P<sign>{_NUMBER})){_ENDS}(?!/[A-Z])"
)
# What goes on with a plural: , 5 and 7 to 9.
_FURTHER = re.compile(
    r"(?:,[ \t]{1,2}(?:(?:and|or)[ \t]{1,2})?|[ \t]{1,2}(?:and|or|&|(?P<range>to|through))[ \t]{1,2}|(?P<dash>[–-]))"
    rf"(?:(?P<number>{_NUMBER})|(?P<letter>{_LETTER})){_ENDS}"
)
_MOST_FURTHER = 50
# Stops inside a name: 3.2, U.S. Code, Ordinance No. 5; elsewhere a sentence ends with one.
_IN_WORD = r"(?:[\w'’-]|\.(?=\w)|(?:(?<=\.[A-Z])|(?<=No))\.){0,40}"
# The other document may be a link, or set in quotes or bold: section 5 of [RFC 9110][], "the Act".
_OF_ANOTHER = re.compile(
    r"(?:\(\w{1,5}\)){0,4},?[ \t]{1,2}(?:of|in|to)[ \t]{1,2}(?:the[ \t]{1,2})?[\[\\\"“*_]{0,4}"
    rf"([A-Z]{_IN_WORD}(?:[ \t]{{1,2}}[A-Z0-9]{_IN_WORD}){{0,5}})"
)
_OWN_PLACE = re.compile(f"(?:{ENGLISH_DIVISIONS}) (?:[0-9]+|[ivx]+|[a-z])\\b")
_LETTERED = re.compile(r"([ivx]+)\.[a-z]")
# Also what an office numbers: SOP-014, section 5.
_AFTER_STANDARD = re.compile(
    rf"\b((?:RFC|ISO(?:/IEC)?|IEC|IEEE|NIST(?: SP)?|FIPS|ANSI|EN|BS|DIN|U\.?S\.?C\.?|CFR)"
    rf"[ -]?[0-9]{{0,6}}(?:[-:.][0-9]{{1,5}}){{0,3}}|(?P<code>{CODE}))"
    # Where a link led there are blanks.
    r"\\?\]?(?:\[[^\[\]]{0,80}\])?[ \t]{0,200},?[ \t]{0,2}\(?$"
)
# Employee Handbook, chapter 4; but not This Agreement, section 5.
_AFTER_TITLE = re.compile(
    r"\b(?!(?:This|The|These|Our|Your|Such|Any|In|Under|See)\b)((?:[A-Z][\w'’-]{1,40}[ \t]{1,2}){1,5}"
    r"(?:Agreement|Handbook|Manual|Guide|Policy|Act|Terms|Code|Regulations?|Rules|Plan|Standard|Statement|Charter)"
    r"(?:[ \t][0-9]{4})?)[\]\"”*_]{0,3},?[ \t]{1,2}$"
)
_MOST_BEFORE, _MOST_TITLE = 300, 120
_A_DOCUMENT = re.compile(r".*\b(?:rfc|iso|ieee|agreement|handbook|manual|guide|policy|act|terms|code|standard)\b")
# What may stand behind a number that is the name of something, and is no count: Table 2 lists, Table 2を見る; but
# Table 2 people.
STANDS_ALONE = re.compile(
    r"(?:$|[,;:)\]!?\"”’*_|]|\.(?![0-9])|[ \t]*[–—(\[]|[ \t]?[ぁ-っづ-ん、。，）」（「]|'s\b"
    r"|[ \t]+(?:and|or|for|in|on|of|to|at|as|by|with|from"
    r"|below|above"
    r"|is|are|was|were|be|has|have|had|does|do|did|can|may|must|shall|should|will|sets?|prescribes?|forms?|applies|apply|prevails?|lists?|listed"
    r"|shows?|shown|gives?|given|says?|said|states?|contains?|includes?|covers?|means?|summari[sz]es?|describes?"
    r"|illustrates?|provides?|presents?|defines?|specif(?:y|ies)|depicts?|outlines?|details?|compares?|explains?"
    r"|indicates?|contents?|under|when|if|that|which|where|about)\b)"
)


def find_english_citations(line: int, text: str, known: Set[str], titles: Set[str]) -> Iterator[Reference]:
    """The references of a line. `known` are the names of the document's sections, `titles` what itself is called."""
    for match in _CITATION.finditer(text):
        kind = _kind(match)
        cited, end = [_Cited(match.start(), match[0], _key(match["number"] or match["sign"]))], match.end()
        if _may_count(match) and f"{kind} {cited[0].number}" not in known and not STANDS_ALONE.match(text, end):
            continue
        if match["plural"] or match["kind"] in ("cls.", "Cls.") or match["appendices"] or match["signs"] == "§§":
            further, end = _further(text, end, cited[0].number)
            cited += further
        for place, shown, number in cited:
            name = _name(kind, number, known, titles)
            # A lone letter that goes on with an enumeration may be an article.
            is_word = place > match.start() and number[0].isalpha() and name not in known
            if is_word or name in titles or _heads(text, place):
                continue
            called, inside = _target(text, match.start(), end, kind, name, known, titles)
            # Part B of Schedule 2: it is the schedule that is cited, behind.
            is_inside = called is not None and (outer := _OWN_PLACE.match(called)) is not None and outer[0] in known
            if not is_inside and (called or kind not in _OF_ANYTHING or name in known):
                yield Reference(line, place, "section", None, normalise(shown), called, inside)


def _may_count(match: re.Match[str]) -> bool:
    """Whether it may be no name of a place: the annex 40 metres away, they Schedule 5 calls."""
    kind, number = match["kind"] or "", match["number"] or "."
    return kind in ("annex", "appendix", "Schedule", "SCHEDULE") and number.isdigit()


def may_be_name(text: str, end: int, number: str) -> bool:
    """Whether a number or letter that ends there names a place: clause 7.2, schedule 2, but not schedule 2 meetings."""
    return (
        "." in number or (number[0].isalpha() and number not in ("a", "i")) or STANDS_ALONE.match(text, end) is not None
    )


def _kind(match: re.Match[str]) -> str:
    """What kind of place it is, in full and small letters."""
    written = "appendix" if match["appendices"] else (match["kind"] or "section").lower()
    return _IN_SHORT.get(written, written)


def document_behind(text: str, end: int) -> str | None:
    """What the other document is called behind a place that ends there: of the Reference Manual, in RFC 9110."""
    other = _OF_ANOTHER.match(text, end)
    called = normalise(other[1]).strip(" .") if other else ""
    return called if _A_DOCUMENT.match(called) else None


def _heads(text: str, place: int) -> bool:
    """Whether it is the number of the heading that it stands in: ## Chapter 2."""
    return text.startswith("#") and not text[:place].strip("#*_ \t")


class _Cited(NamedTuple):
    """One of the places that a citation names: its column, what is written there, its number as in names."""

    place: int
    shown: str
    number: str


def _further(text: str, end: int, first: str) -> tuple[list[_Cited], int]:
    """What an enumeration names behind its first place, all of one kind, and where it ends."""
    found: list[_Cited] = []
    last = first
    while len(found) < _MOST_FURTHER and (match := _FURTHER.match(text, end)):
        shown = match["number"] or match["letter"]
        if shown[0].isdigit() != first[0].isdigit():
            break
        place = match.end() - len(shown)
        if match["range"] or match["dash"]:
            found += [_Cited(place, shown, number) for number in between(last, _key(shown))]
        last, end = _key(shown), match.end()
        found.append(_Cited(place, shown, last))
    return found, end


def _name(kind: str, number: str, known: Set[str], titles: Set[str]) -> str:
    """What the place is called: clause 7.2 is the heading 7.2, and so is article 7.2 if no heading is one.

    So is Part III, but Part 2 may be that of a form. Of Section II.B without a heading B it is the section II.
    """
    if (lettered := _LETTERED.fullmatch(number)) and f"section {number}" not in known:
        number = lettered[1]
    name, numbered = f"{kind} {number}", f"section {number}"
    if name in known:
        return name
    if kind in ("appendix", "annex") and "." in number:
        return _name_inside(f"{kind} {number}", numbered, known, titles)
    is_numbered = kind == "article" or (kind == "part" and not number[0].isdigit())
    return numbered if kind == "clause" or (is_numbered and numbered in known) else name


def _name_inside(name: str, numbered: str, known: Set[str], titles: Set[str]) -> str:
    """What Appendix B.1 is called: as the heading B.1, here or in another part of the book; without one, Appendix B."""
    if numbered in known or is_chapter(titles):
        return numbered
    whole = name.partition(".")[0]
    return whole if whole in known else name


def _key(number: str) -> str:
    """A number as names have it: b.5 for B(5)."""
    return normalise(number).replace("(", ".").replace(")", "")


def _target(
    text: str, start: int, end: int, kind: str, name: str, known: Set[str], titles: Set[str]
) -> tuple[str | None, str]:
    """What the document is called, and the name inside it, for a citation in these columns."""
    if other := _OF_ANOTHER.match(text, end):
        return normalise(other[1]).strip(" ."), name
    other = _AFTER_STANDARD.search(text, max(start - _MOST_BEFORE, 0), start)
    if other and (not other["code"] or may_be_document(other["code"], name, known, titles)):
        return normalise(other[1]), name
    if other := _AFTER_TITLE.search(text, max(start - _MOST_TITLE, 0), start):
        return normalise(other[1]), name
    if kind in ("section", *_OF_ANYTHING) or name in known or name.startswith("section "):
        return chapter_with(name, known, titles), name
    return name, ""
