"""`source_lines`: the lines of the source that an element rests on, in every notation of the contract (§3). Pure.

`12`, `12-18`, `12-18, 40`, `L12-L18`, `12〜18行`, `guide.md:12-18`, full width, a JSON array of any of these, of pairs
or of objects with `start_line` and `end_line`. What is no such notation names no lines. The file that is named before
lines is kept with them, as it is written.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from morenashi.indexer.files import MARKDOWN_SUFFIXES

from .linked_lines import spell_out_links
from .model import SourceLines

_DASH = r"(?:[-‐‑‒–—―−~〜ー]|\.\.+|から|to|through)"
_LINE = r"(?:[Ll]{1,2}\.?\s*|lines?\s*(?::\s*)?|行\s*)?(\d{1,9})(?:\s*行目?)?"
_SPAN = rf"{_LINE}(?:\s*{_DASH}\s*{_LINE}(?:\s*まで)?)?"
_SEPARATOR = r"(?:\s*(?:[,;、，・&/]|及び|および|と|and)\s*|\s+(?=[Ll]?\d))"
# 第1行〜第3行, 第1-3行; 第3条 is no line.
_ORDINAL = re.compile(rf"第\s*(?=\d{{1,9}}(?:\s*行目?)?(?:\s*{_DASH}\s*(?:第\s*)?\d{{1,9}})?\s*行)")
_ORDINAL_LINE = re.compile(r"第\s*(\d{1,9})\s*行(?!目)")
# The number that a file's name begins with is no line: 12, 001_guide.md:3.
_NO_NAME = r"(?![^\s,;:#、]{1,200}\.[A-Za-z]\w{0,9}(?:\s{0,3}[:#]|\s{1,3}(?:[Ll行の第]|\d)))"
_SPANS = re.compile(rf"{_SPAN}(?:{_SEPARATOR}{_NO_NAME}{_SPAN})*", re.I)
_ONE_SPAN = re.compile(_SPAN, re.I)

_KEY = re.compile(
    r"(?:source[\s_\\-]*(?:lines?|ranges?)\s*[\"'`*]*\s*[:=]?|(?:根拠行?|出典行?|原文行|参照行)\s*[:=]"
    r"|(?:根拠|出典|原文)\s*(?=L\.?\d)|\b(?:sources?|evidence|citations?)\s*[:=](?=\s*(?:[\[(]\s*)?(?:L\.?|lines?\s+)\d))\s*[\"'`*]*\s*",
    re.I,
)
# Without a key only what cannot be anything else: L12-L18, (L12, L20-L22), (ll. 12-18), 【12-18行】, (lines 12, 14-18),
# guide.md:12-18, guide.md L12, L12 alone or beside an article on the last line of a label, or behind a dash at the end
# of a line.
_L = r"L\.?\d{1,9}"
_MARKED = rf"{_L}(?:\s*{_DASH}\s*(?:L\.?)?\d{{1,9}})?"
_COUNTED = rf"\d{{1,9}}(?:行目?)?\s*{_DASH}\s*\d{{1,9}}\s*行目?|\d{{1,9}}\s*行目"
_RANGE = rf"\d{{1,5}}\s*{_DASH}\s*\d{{1,5}}"
_SOME = rf"\d{{1,9}}(?:\s*{_DASH}\s*\d{{1,9}})?"
_NAMED = rf"(?:[Ll]ines?\s{{0,3}}:?\s*|[Ll]{{1,2}}\.\s*|行\s*){_SOME}"
_AND = r"(?:\s*[,;、]\s*(?:and\s{1,3})?|\s{1,3}(?:and|&)\s{1,3})"
_BEHIND_FILE = f"(?:{'|'.join(f'(?<={re.escape(suffix)})' for suffix in (*MARKDOWN_SUFFIXES, '.txt', '.json'))})`?"
_OF_FILE = (
    rf"\s{{0,3}}[:#,、]?\s{{0,3}}(?:{_MARKED}|{_NAMED})|:{_SOME}|\s{{0,3}}[の:,、]?\s{{0,3}}(?:{_COUNTED})"
    rf"|\s{{0,3}}:?\s{{0,3}}{_RANGE}(?=\s*[)\]】〕])"
)
# Of very many lines with one each, every one would be gone through from each of those before it.
_ALONE = rf"\n[^\w\n]{{0,8}}{_MARKED}(?:\s*[,;、]\s*{_MARKED}){{0,200}}[^\w\n]{{0,8}}\Z"
_AT_END = rf"{_MARKED}(?:\s*[,;、]\s*{_MARKED})*"
# What an item ends with, behind a dash.
_LAST = (
    rf"(?:\s[-–—―]{{1,2}}\s|[—―])\s{{0,3}}(?:{_AT_END}|{_NAMED}(?:{_AND}{_SOME}){{0,20}}|{_COUNTED})"
    r"(?=[\s.。]{0,8}(?:\n|\Z))"
)
# Beside what else is cited, in brackets: （第9条第1項、48〜49行）, (Article 7, line 39), (§ 4.2 L12).
_INSIDE = "[^()\\[\\]【】〔〕\n]"
_ARTICLE = (
    r"[\d一二三四五六七八九十百]\s?[条項号章節款]"
    r"|(?:§|[Aa]rt(?:icle|\.)|[Ss]ection|[Cc]hapter|[Cc]lause|[Pp]aragraph)\s?\d"
)
_LINES_BESIDE = rf"(?:{_MARKED}|{_COUNTED}|{_NAMED}|\d{{1,9}}\s*行)"
_BESIDE_ARTICLE = (
    rf"[(\[【〔](?>{_INSIDE}{{0,80}}?(?:{_ARTICLE})){_INSIDE}{{0,40}}?[\s,;、](?P<beside>{_LINES_BESIDE}"
    rf"(?:\s*[,;、]\s*{_LINES_BESIDE})*)(?=\s*[)\]】〕])"
)
_BELOW = rf"\n[^\n]{{0,40}}?(?:{_ARTICLE})[^\n]{{0,20}}?[\s,;、](?P<below>{_AT_END})[^\w\n]{{0,8}}\Z"
_NOT_IN_FILES = ' \t\n,;:#()[]<>`"「『【〈《“'
# lines 12-18, 22 of guide.md; of very many lines, the last ones alone.
_LINES_OF_FILE = re.compile(
    rf"(?<!\w)((?:{_NAMED}|{_MARKED})(?:{_AND}(?:{_MARKED}|{_SOME})){{0,20}})\s{{1,3}}(?:of|in)\s{{1,3}}"
    rf"`?([^{re.escape(_NOT_IN_FILES)}]{{1,400}}\.[A-Za-z]\w{{0,9}})`?"
)
# In brackets also numbers alone go on with them: (L12-18, 22).
_GOING_ON = rf"(?:\s*[,;、]\s*{_MARKED})*(?:(?:\s*[,;、]\s*{_SOME})+(?=\s*[)\]】〕]))?"
_BARE = re.compile(
    rf"(?:(?<![\w-]){_L}\s*{_DASH}\s*{_L}|(?:[(\[【〔※@#]|<!--)\s*(?:(?:see|cf\.?)\s+)?{_MARKED}){_GOING_ON}(?!\w)"
    rf"|[(\[【〔]\s*(?:(?:see|cf\.?)\s+)?(?:(?:{_COUNTED})(?:\s*[,;、]\s*(?:{_COUNTED}))*|{_NAMED}(?:{_AND}{_SOME})*)(?=\s*[)\]】〕,;、])"
    rf"|{_BEHIND_FILE}(?:{_OF_FILE})(?:(?:\s*[,;、]\s*{_MARKED})+|(?:\s*[,;、]\s*{_SOME})+(?=\s*[)\]】〕]))?(?![0-9A-Za-z:])"
    rf"|{_ALONE}|{_LAST}|{_BELOW}|{_BESIDE_ARTICLE}"
)
# What a label or an item ends with, without any sign before it: 受付 L1-3, 受付 `L1-3`, 受付 📄L1-3. Alone it may be
# something else, as a level of support: one of those that end so has to name a range.
_TRAILING = re.compile(
    rf"(?:(?<=[^\s,;、]\s)|(?<=[ぁ-んァ-ヶ一-龠。]))[^\w\s→⇒>-]{{0,3}}(?P<lines>{_AT_END})[`*_}}>\s.。]{{0,8}}(?:\n|\Z)"
)
_STATEMENT = re.compile(
    r"[*_`]{0,3}(?:source[\s_-]?(?:lines?|ranges?)|sources?|evidence|citations?|(?:根拠|出典|原文|参照|該当)(?:行|箇所)?)"
    r"[*_`]{0,3}\s{0,3}[:=][*_`]{0,3}\s{0,3}([^\n]{1,400})",
    re.I,
)
_NOTHING_BUT_LINES = re.compile(
    rf"(?:[Ll]{{1,2}}\.?\s?|[Ll]ines?\s)\d{{1,9}}(?P<range>\s*{_DASH}\s*(?:[Ll]\.?)?\d{{1,9}})?"
)
_BLANKS = re.compile(r"[ \t]+")
_TRAILING_RANGE = re.compile(rf"{_L}\s*{_DASH}")
# In a field for them also beside what else is cited: 第39条第1項（L12-L18）, 第39条 12-18行, Article 7, line 12.
_BESIDE = re.compile(rf"(?<![\w-])(?:{_MARKED}|{_NAMED})(?!\w)|(?<![第\d])(?:{_COUNTED}|\d{{1,9}}\s*行(?!\w))")
# Without the blanks before it: of very many, each would be gone through as often as there are some.
_TAG_BREAK = re.compile(r"<br\s*/?>\s*", re.I)
# A name may have a 、, though none that stands behind lines: guide.md:12-14、b.md:3.
_LINES_BEFORE_NAME = r"[L\d行目〜~–−-]{1,30}、"
_NAME_BEHIND_LINES = re.compile(rf"(?:{_LINES_BEFORE_NAME})+", re.I)
# A page of the web may have a port, and a name without an ending: Makefile, README.md?plain=1.
_PAGE = r"(?<=:)(?a://[\w.-]++(?::\d{1,5}(?=/))?[\w!$%&'*+./=?@~-]*+)"
_FILE_BEFORE = re.compile(
    rf"(?:(?<![^\s,;:#])(?!{_LINES_BEFORE_NAME})(?:https?:)?({_PAGE}|[^\s,;:#]+\.[A-Za-z]\w*)"
    r"|(?<=[\d行目]、)([^\s,;:#、]+\.[A-Za-z]\w*))"
    r"(?:\s*[:#,、]|\s|(?=\())\s*",
    re.I,
)
# guide.md § 2 (L12), guide.md 第2条第1項（L12）
_ARTICLES_AT_END = re.compile(
    r"(?<=\w)[`,、]?(?:\s{0,3}(?:第?\d{1,4}[条項号章節款](?:の\d{1,3})?|(?:§|[Aa]rt(?:icle|\.)|[Ss]ection|[Cc]hapter)\s?\d[\d.]{0,9})){1,4}\s{0,3}\Z"
)
_IS_PAGE = re.compile(_PAGE)
_FILE = re.compile(r".+\.[A-Za-z]\w*")
_LONGEST_FILE = 400
# 12-18 (§ 3), 20: the number behind it is one of lines unless it counts something, 12-18 (§ 3), 20 days.
_REMARK_BETWEEN = re.compile(rf"\s*\([^()\n]{{1,100}}\)\s*[,;、]\s*(?={_SPAN}[ \t]*(?:[^\w \t]|\Z))", re.I)
# Of `guide.md` L12 and 【guide.md L12】 the file's name is what stands between the marks.
_SHOWN = str.maketrans("【】〔〕", "()()", "`")
_BETWEEN_FILES = re.compile(r"\s*(?:[,;、&/]|and\b)\s*", re.I)
_FILE_KEYS = ("file", "path", "sourcepath", "sourcefile", "source")
_FIRST_AND_LAST_KEYS = (
    ("startline", "endline"),
    ("linestart", "lineend"),
    ("start", "end"),
    ("first", "last"),
    ("firstline", "lastline"),
    ("from", "to"),
)


def parse_source_lines(value: Any) -> tuple[SourceLines, ...]:
    """What the value of a `source_lines` field or cell names: text, a number, or JSON. Empty if it names no lines."""
    if _is_number(value):
        return (SourceLines(value, value),)
    if isinstance(value, list):
        if len(value) == 2 and all(map(_is_number, value)):
            return (SourceLines(value[0], value[1]),)
        return tuple(span for part in value for span in parse_source_lines(part))
    if isinstance(value, dict):
        return _parse_object(value)
    return _parse_text(value) if isinstance(value, str) else ()


def find_source_lines(text: str) -> tuple[SourceLines, ...]:
    """The lines that a free text (a label, a comment, an item) names: after a key, or as `L12-L18`."""
    text = _TAG_BREAK.sub("\n", _plain(text))
    found: list[SourceLines] = []
    keys = list(_KEY.finditer(text))
    for key, following in zip_longest(keys, keys[1:]):
        found += _parse_after_key(text[key.end() : following.start() if following else len(text)])
    if not found:
        text = _LINES_OF_FILE.sub(r"\2 (\1)", text)
        found = [span for match in _BARE.finditer(text) for span in _spans(_lines_in(match), _file_of(text, match))]
    return tuple(found)


def find_trailing_lines(texts: Sequence[str]) -> list[tuple[SourceLines, ...]]:
    """For each of the labels or items of one structure, the lines that it ends with: `受付 L3`, if another one names
    a range so, `審査 L4-6`; of none any otherwise.
    """
    plain = (_BLANKS.sub(" ", _TAG_BREAK.sub("\n", unicodedata.normalize("NFKC", text))) for text in texts)
    ends = [[match["lines"] for match in _TRAILING.finditer(text)] for text in plain]
    if not any(_TRAILING_RANGE.search(end) for found in ends for end in found):
        return [() for _ in texts]
    return [tuple(span for end in found for span in _spans(end)) for found in ends]


def parse_statement(text: str) -> tuple[SourceLines, ...]:
    """What a text that only says where something stands names: `出典: L1-3`, `Source: guide.md, lines 4-6`."""
    stated = _STATEMENT.fullmatch(unicodedata.normalize("NFKC", text).strip())
    return parse_source_lines(stated[1]) if stated else ()


def are_marked_lines(texts: Sequence[str]) -> bool:
    """Whether texts are nothing but lines, with an L or the word before each, and one is a range: `L1-3`."""
    found = [_NOTHING_BUT_LINES.fullmatch(unicodedata.normalize("NFKC", text).strip()) for text in texts]
    return all(found) and any(match and match["range"] for match in found)


def find_marked_lines(value: Any) -> tuple[SourceLines, ...]:
    """What a value names that may be something else: objects with lines, and texts that name them in so many words."""
    if isinstance(value, list):
        return tuple(span for part in value for span in find_marked_lines(part))
    if isinstance(value, dict):
        return _parse_object(value)
    return find_source_lines(f"({value})") if isinstance(value, str) else ()


def _parse_object(value: dict[str, Any]) -> tuple[SourceLines, ...]:
    named = {re.sub(r"[-_]", "", key).casefold(): part for key, part in value.items()}
    file = next((named[key] for key in _FILE_KEYS if isinstance(named.get(key), str)), None)
    for first, last in _FIRST_AND_LAST_KEYS:
        if _is_number(named.get(first)):
            end = named.get(last, named[first])
            return (SourceLines(named[first], end, file),) if _is_number(end) else ()
    for key in ("lines", "sourcelines", "linerange", "lineranges", "range", "ranges", "line"):
        if key in named:
            return tuple(span._replace(file=span.file or file) for span in parse_source_lines(named[key]))
    return ()


def _plain(text: str) -> str:
    """NFKC, with links spelt out, and 12行目 for 第12行."""
    return _ORDINAL.sub("", _ORDINAL_LINE.sub(r"\1行目", spell_out_links(unicodedata.normalize("NFKC", text))))


def _is_number(value: Any) -> bool:
    """To Python, `true` is one, too."""
    return isinstance(value, int) and not isinstance(value, bool)


def _parse_text(text: str) -> tuple[SourceLines, ...]:
    text = _TAG_BREAK.sub(" ", _plain(text).translate(_SHOWN).replace("**", ""))
    text = text.strip().strip("\"'*").strip(" \t\n,;、。")
    text = _LINES_OF_FILE.sub(r"\2 \1", text)
    if keyed := _KEY.match(text):
        text = text[keyed.end() :]
    if text[:1] in ("[", "{") and (stated := _parse_json(text)) is not None:
        return stated
    if len(text) > 1 and text[0] in "[({" and text[-1] in "])}":
        text = text[1:-1].strip()
    spans = _parse_spans(_FILE_BEFORE.sub("", text))
    in_files = tuple(span for file, part in _by_file(text) for span in _parse_spans(part, file))
    # A remark may name a file and lines, too. What they are of is only sure where they are all that is named.
    is_sure = [span[:2] for span in in_files] == [span[:2] for span in spans]
    return in_files if is_sure else spans


def _parse_spans(text: str, file: str | None = None) -> tuple[SourceLines, ...]:
    text = text.strip(" \t\n,;、")
    if text.startswith("(") and _SPANS.fullmatch(text[1:-1]) and text.endswith(")"):
        text = text[1:-1]
    if not _SPANS.fullmatch(text):
        # A remark in brackets behind the numbers is no part of them.
        bare = re.sub(r"(?:(?<!\s)\s+)?\([^()]*\)", "", text).strip()
        text = bare if _SPANS.fullmatch(bare) else " ".join(match[0] for match in _BESIDE.finditer(text))
    return _spans(text, file)


def _by_file(text: str) -> Iterator[tuple[str | None, str]]:
    """A text in parts: before the first file's name, then behind each, with that name."""
    names = list(_FILE_BEFORE.finditer(text))
    ends = [name.start() for name in names[1:]] + [len(text)]
    yield None, text[: names[0].start()] if names else text
    for name, end in zip(names, ends, strict=False):
        yield _name_in(name), text[name.end() : end]


def _parse_after_key(text: str) -> tuple[SourceLines, ...]:
    text = _LINES_OF_FILE.sub(r"\2 \1", text)
    if text[:1] in ("[", "{"):
        inside = _balanced(text)
        return _parse_text(inside) if inside else ()
    found: list[SourceLines] = []
    file = _FILE_BEFORE.match(text)
    start = file.end() if file else 0
    while match := _SPANS.match(text, start):
        found += _spans(match[0], _name_in(file) if file else None)
        if remark := _REMARK_BETWEEN.match(text, match.end()):
            start = remark.end()
            continue
        between = _BETWEEN_FILES.match(text, match.end())
        file = _FILE_BEFORE.match(text, between.end()) if between else None
        if not file:
            break
        start = file.end()
    return tuple(found)


def _lines_in(found: re.Match[str]) -> str:
    """What names lines, without the article beside it."""
    return found["beside"] or found["below"] or found[0]


def _file_of(text: str, found: re.Match[str]) -> str | None:
    """The file that is named before lines, or beside the article that is: (guide.md § 2, L12)."""
    beside = max(found.start("beside"), found.start("below"))
    names = list(_FILE_BEFORE.finditer(text[found.start() + 1 : beside])) if beside >= 0 else []
    return _name_in(names[-1]) if names else _file_before(text, found.start())


def _name_in(found: re.Match[str]) -> str:
    return found[1] or found[2]


def _file_before(text: str, end: int) -> str | None:
    """The file whose name ends directly before a position."""
    before = _ARTICLES_AT_END.sub("", text[max(end - _LONGEST_FILE, 0) : end]).rstrip(" \t:#,、`")
    if page := _IS_PAGE.fullmatch(before, max(before.rfind("://") + 1, 0)):
        return page[0]
    name = before[max(map(before.rfind, _NOT_IN_FILES)) + 1 :]
    if lines := _NAME_BEHIND_LINES.match(name):
        name = name[lines.end() :]
    return name if _FILE.fullmatch(name) else None


def _balanced(text: str) -> str:
    """The text up to where its first bracket is closed; empty if it is not."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "[{") - (character in "]}")
        if depth == 0:
            return text[: position + 1]
    return ""


def _spans(text: str, file: str | None = None) -> tuple[SourceLines, ...]:
    return tuple(SourceLines(int(m[1]), int(m[2] or m[1]), file) for m in _ONE_SPAN.finditer(text))


def _parse_json(text: str) -> tuple[SourceLines, ...] | None:
    """What JSON names; `None` if it is none, or lies in itself deeper than Python descends."""
    try:
        return parse_source_lines(json.loads(text))
    except (ValueError, RecursionError):
        return None
