"""`source_lines`: the lines of the source that an element rests on, in every notation of the contract (§3). Pure.

`12`, `12-18`, `12-18, 40`, `L12-L18`, `12〜18行`, `guide.md:12-18`, full width, a JSON array of any of these, of pairs
or of objects with `start_line` and `end_line`. What is no such notation names no lines. The file that is named before
lines is kept with them, as it is written.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import Any

from morenashi.indexer.combining import normal_form

from .cited_lines import find_cited_lines, find_trailing_runs, put_files_first
from .file_names import find_names, match_name
from .line_spans import (
    LETTERS,
    NO_WORD,
    NO_WORD_BUT_PARTICLE,
    RANGES,
    Span,
    find_spans,
    in_file,
    is_list,
    match_list,
    match_span,
    read_spans,
    without_ordinals,
)
from .linked_lines import spell_out_links
from .model import SourceLines

_KEY = re.compile(
    r"(?:source[\s_\\-]*(?:lines?|ranges?)\s*[\"'`*]*\s*[:=]?|(?:根拠行?|出典行?|原文行|参照行)\s*[:=]"
    r"|(?:根拠|出典|原文)\s*(?=L\.?\d)|\b(?:sources?|evidence|citations?)\s*[:=](?=\s*(?:[\[(]\s*)?(?:L\.?|lines?\s+)\d))\s*[\"'`*]*\s*",
    re.I,
)
_STATEMENT = re.compile(
    r"[*_`]{0,3}(?:source[\s_-]?(?:lines?|ranges?)|sources?|evidence|citations?|(?:根拠|出典|原文|参照|該当)(?:行|箇所)?)"
    r"[*_`]{0,3}\s{0,3}[:=][*_`]{0,3}\s{0,3}([^\n]{1,400})",
    re.I,
)
_BLANKS = re.compile(r"[ \t]+")
# Without the blanks before it: of very many, each would be gone through as often as there are some.
_TAG_BREAK = re.compile(r"<br\s*/?>\s*", re.I)
_REMARK_BETWEEN = re.compile(r"\s*\([^()\n]{1,100}\)\s*[,;、]\s*")
# Bounded, as very many may begin that nothing closes.
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]\n]{1,400})[)\]]")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = ("[", "{")
_COUNTS_SOMETHING = re.compile(r"[ \t]*\w")
_WORD = re.compile(r"\w")
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
    return tuple(found or find_cited_lines(text))


def find_trailing_lines(texts: Sequence[str]) -> list[tuple[SourceLines, ...]]:
    """For each of the labels or items of one structure, the lines that it ends with: `受付 L3`, if another one names
    a range so, `審査 L4-6`; of none any otherwise.
    """
    plain = (_BLANKS.sub(" ", _TAG_BREAK.sub("\n", normal_form("NFKC", text))) for text in texts)
    ends = [[span for run in find_trailing_runs(text) for span in run] for text in plain]
    if not any(span.first != span.last for spans in ends for span in spans):
        return [() for _ in texts]
    return [tuple(in_file(spans)) for spans in ends]


def parse_statement(text: str) -> tuple[SourceLines, ...]:
    """What a text that only says where something stands names: `出典: L1-3`, `Source: guide.md, lines 4-6`."""
    stated = _STATEMENT.fullmatch(normal_form("NFKC", text).strip())
    return parse_source_lines(stated[1]) if stated else ()


def are_marked_lines(texts: Sequence[str]) -> bool:
    """Whether texts are nothing but lines, with an L or the word before each, and one is a range: `L1-3`."""
    plain = [normal_form("NFKC", text).strip() for text in texts]
    marked = (text for text in plain if not text[:1].isdigit())
    spans = [span for text in marked if (span := match_span(text)) and span.end == len(text)]
    return len(spans) == len(plain) and any(span.first != span.last for span in spans)


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
    return without_ordinals(spell_out_links(normal_form("NFKC", text)))


def _is_number(value: Any) -> bool:
    """To Python, `true` is one, too."""
    return isinstance(value, int) and not isinstance(value, bool)


def _parse_text(text: str) -> tuple[SourceLines, ...]:
    text = _TAG_BREAK.sub(" ", _plain(text).translate(_SHOWN).replace("**", ""))
    text = text.strip().strip("\"'*").strip(" \t\n,;、。").rstrip(" .")
    text = put_files_first(text)
    if keyed := _KEY.match(text):
        text = text[keyed.end() :]
    if text[:1] in _OPENING and (stated := _parse_json(text)) is not None:
        return stated
    if _is_in_brackets(text):
        text = text[1:-1].strip()
    by_file = list(_by_file(_without_brackets(text)))
    spans = _parse_spans("".join(part for _, part in by_file))
    if len(by_file) == 1:
        return spans
    in_files = tuple(span for file, part in by_file for span in _parse_spans(part, file))
    # A remark may name a file and lines, too. What they are of is only sure where they are all that is named.
    is_sure = [span[:2] for span in in_files] == [span[:2] for span in spans]
    return in_files if is_sure else spans


def _is_in_brackets(text: str) -> bool:
    """Whether one pair of brackets holds all of a text, which (12-18), (20-22) has not."""
    opening, closing = text[:1], _CLOSING.get(text[:1])
    if closing is None or not text.endswith(closing):
        return False
    depth = accumulate((character == opening) - (character == closing) for character in text[:-1])
    return all(level > 0 for level in depth)


def _without_brackets(text: str) -> str:
    """`guide.md:12, L3` for `(guide.md:12), (L3)`. As it is where none of its brackets hold lines of a file: then what
    else stands in some is a remark.
    """
    inside = [found[1].strip() for found in _IN_BRACKETS.finditer(text)]
    if not any(match_name(part, 0) and _is_lines(part) for part in inside):
        return text
    return _IN_BRACKETS.sub(lambda found: f" {found[1]} " if _is_lines(found[1].strip()) else found[0], text)


def _is_lines(text: str) -> bool:
    """Whether a text is nothing but lines, of a file or with an L or the word before them."""
    if named := match_name(text, 0):
        return is_list(text[named.end :])
    span = match_span(text)
    return span is not None and span.says_lines and is_list(text)


def _parse_spans(text: str, file: str | None = None) -> tuple[SourceLines, ...]:
    text = text.strip(" \t\n,;、")
    if text.startswith("(") and is_list(text[1:-1]) and text.endswith(")"):
        text = text[1:-1]
    if is_list(text):
        return tuple(in_file(read_spans(text), file))
    # A remark in brackets behind the numbers is no part of them.
    without_remarks = re.sub(r"(?:(?<!\s)\s+)?\([^()]*\)", "", text).strip()
    if is_list(without_remarks):
        return tuple(in_file(read_spans(without_remarks), file))
    each = _IN_BRACKETS.sub(r" \1 ", text).strip()
    if is_list(each):
        return tuple(in_file(read_spans(each), file))
    # In a field for them also beside what else is cited: 第39条第1項（L12-L18）, Article 7, line 12.
    return tuple(in_file((span for span in find_spans(text) if _names_lines(text, span)), file))


def _names_lines(text: str, span: Span) -> bool:
    """Whether numbers in a field for lines are some: lines 12-18を参照, but not L2の機器, which may be a level."""
    if span.style == "counted":
        return True
    behind = NO_WORD_BUT_PARTICLE if span.style in (*RANGES, "word") else NO_WORD
    is_end_of_word = span.style in LETTERS and _WORD.match(text, span.start - 1, span.start)
    return span.is_marked and bool(behind.match(text, span.end)) and not is_end_of_word


def _by_file(text: str) -> Iterator[tuple[str | None, str]]:
    """A text in parts: before the first file's name, then behind each, with that name."""
    names = list(find_names(text))
    ends = [named.start for named in names[1:]] + [len(text)]
    yield None, text[: names[0].start] if names else text
    for named, end in zip(names, ends, strict=False):
        yield named.name, text[named.end : end]


def _parse_after_key(text: str) -> tuple[SourceLines, ...]:
    text = put_files_first(text)
    file = None if text[:1] in _OPENING else match_name(text, 0)
    start = file.end if file else 0
    if text[start : start + 1] in _OPENING:
        inside = _balanced(text[start:])
        spans = _parse_text(inside) if inside else ()
        return tuple(span._replace(file=span.file or file.name) for span in spans) if file else spans
    found: list[SourceLines] = []
    while match := match_list(text, start):
        found += in_file(read_spans(match[0]), file.name if file else None)
        if remark := _remark_between(text, match.end()):
            start = remark.end()
            continue
        between = _BETWEEN_FILES.match(text, match.end())
        file = match_name(text, between.end()) if between else None
        if not file:
            break
        start = file.end
    return tuple(found)


def _remark_between(text: str, start: int) -> re.Match[str] | None:
    """A remark in brackets that more lines follow: 12-18 (§ 3), 20. A number that counts something is none of them."""
    remark = _REMARK_BETWEEN.match(text, start)
    span = match_span(text, remark.end()) if remark else None
    return None if span is None or _COUNTS_SOMETHING.match(text, span.end) else remark


def _balanced(text: str) -> str:
    """The text up to where its first bracket is closed; empty if it is not."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "[{") - (character in "]}")
        if depth == 0:
            return text[: position + 1]
    return ""


def _parse_json(text: str) -> tuple[SourceLines, ...] | None:
    """What JSON names; `None` if it is none, or lies in itself deeper than Python descends."""
    try:
        return parse_source_lines(json.loads(text))
    except (ValueError, RecursionError):
        return None
