"""`source_lines`: the lines of the source that an element rests on, in every notation of the contract (§3). Pure.

`12`, `12-18`, `12-18, 40`, `L12-L18`, `12〜18行`, `guide.md:12-18`, full width, a JSON array of any of these, of pairs
or of objects with `start_line` and `end_line`. What is no such notation names no lines.
"""

import json
import re
import unicodedata
from itertools import zip_longest
from typing import Any

from morenashi.server.ranges import Range

_DASH = r"(?:[-‐‑‒–—―−~〜ー]|\.\.+|から|to)"
_LINE = r"(?:[Ll]{1,2}\.?\s*|lines?\s*:?\s*|行\s*)?(\d{1,9})(?:\s*行目?)?"
_SPAN = rf"{_LINE}(?:\s*{_DASH}\s*{_LINE}(?:\s*まで)?)?"
_SEPARATOR = r"(?:\s*(?:[,;、，・&/]|及び|および|と|and)\s*|\s+(?=[Ll]?\d))"
# 第1行〜第3行, 第1-3行; 第3条 is no line.
_ORDINAL = re.compile(rf"第\s*(?=\d{{1,9}}(?:\s*行目?)?(?:\s*{_DASH}\s*(?:第\s*)?\d{{1,9}})?\s*行)")
_SPANS = re.compile(rf"{_SPAN}(?:{_SEPARATOR}{_SPAN})*", re.I)
_ONE_SPAN = re.compile(_SPAN, re.I)

_KEY = re.compile(
    r"(?:source[\s_\\-]*(?:lines?|ranges?)\s*[\"'`*]*\s*[:=]?|(?:根拠行?|出典行?|原文行|参照行)\s*[:=])\s*[\"'`*]*\s*",
    re.I,
)
# Without a key only what cannot be anything else: L12-L18, (L12), (L12, L20-L22), (12-18行), (lines 12-18).
_L = r"L\.?\d{1,9}"
_MARKED = rf"{_L}(?:\s*{_DASH}\s*(?:L\.?)?\d{{1,9}})?"
_COUNTED = rf"\d{{1,9}}(?:行目?)?\s*{_DASH}\s*\d{{1,9}}\s*行目?|\d{{1,9}}\s*行目"
_BARE = re.compile(
    rf"(?:(?<![\w-]){_L}\s*{_DASH}\s*{_L}|[(\[@#]\s*{_MARKED})(?:\s*[,;、]\s*{_MARKED})*(?!\w)"
    rf"|[(\[]\s*(?:{_COUNTED}|[Ll]ines?\s*\d{{1,9}}(?:\s*{_DASH}\s*\d{{1,9}})?)(?=\s*[)\],;、])"
)
# In a field for them also beside what else is cited: 第39条第1項（L12-L18）, 第39条 12-18行.
_BESIDE = re.compile(rf"(?<![\w-]){_MARKED}(?!\w)|(?<![第\d])(?:{_COUNTED}|\d{{1,9}}\s*行(?!\w))")
_TAG_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.I)
_FILE_BEFORE = re.compile(r"(?<![^\s,;:#])[^\s,;:#]+\.[A-Za-z]\w*(?:\s*[:#]|\s)\s*")
_IN_BRACKETS = re.compile(r"^[\[({]\s*(.*?)\s*[\])}]$", re.S)
_KEYS = (("startline", "endline"), ("start", "end"), ("first", "last"), ("firstline", "lastline"), ("from", "to"))


def parse_source_lines(value: Any) -> tuple[Range, ...]:
    """What the value of a `source_lines` field or cell names: text, a number, or JSON. Empty if it names no lines."""
    if isinstance(value, bool) or value is None:
        return ()
    if isinstance(value, int):
        return ((value, value),)
    if isinstance(value, list):
        if len(value) == 2 and all(isinstance(part, int) and not isinstance(part, bool) for part in value):
            return ((value[0], value[1]),)
        return tuple(span for part in value for span in parse_source_lines(part))
    if isinstance(value, dict):
        return _parse_object(value)
    return _parse_text(value) if isinstance(value, str) else ()


def find_source_lines(text: str) -> tuple[Range, ...]:
    """The lines that a free text (a label, a comment, an item) names: after a key, or as `L12-L18`."""
    text = _ORDINAL.sub("", unicodedata.normalize("NFKC", text))
    found: list[Range] = []
    keys = list(_KEY.finditer(text))
    for key, following in zip_longest(keys, keys[1:]):
        found += _parse_after_key(text[key.end() : following.start() if following else len(text)])
    if not found:
        found = [span for match in _BARE.finditer(text) for span in _spans(match[0])]
    return tuple(found)


def _parse_object(value: dict[str, Any]) -> tuple[Range, ...]:
    named = {re.sub(r"[-_]", "", key).casefold(): part for key, part in value.items()}
    for first, last in _KEYS:
        if isinstance(named.get(first), int) and not isinstance(named[first], bool):
            end = named.get(last, named[first])
            return ((named[first], end),) if isinstance(end, int) and not isinstance(end, bool) else ()
    for key in ("lines", "sourcelines", "range", "ranges", "line"):
        if key in named:
            return parse_source_lines(named[key])
    return ()


def _parse_text(text: str) -> tuple[Range, ...]:
    text = _TAG_BREAK.sub(" ", unicodedata.normalize("NFKC", text)).strip().strip("\"'`*").strip(" \t\n,;、。")
    text = _ORDINAL.sub("", text)
    if keyed := _KEY.match(text):
        text = text[keyed.end() :]
    if text[:1] in ("[", "{") and (parsed := _as_json(text)) is not None:
        return parse_source_lines(parsed)
    if bracketed := _IN_BRACKETS.match(text):
        text = bracketed[1]
    text = _FILE_BEFORE.sub("", text).strip()
    if not _SPANS.fullmatch(text):
        # A remark in brackets behind the numbers is no part of them.
        bare = re.sub(r"\s*\([^()]*\)", "", text).strip()
        text = bare if _SPANS.fullmatch(bare) else " ".join(match[0] for match in _BESIDE.finditer(text))
    return _spans(text)


def _parse_after_key(text: str) -> tuple[Range, ...]:
    if text[:1] in ("[", "{"):
        inside = _balanced(text)
        return _parse_text(inside) if inside else ()
    file = _FILE_BEFORE.match(text)
    match = _SPANS.match(text, file.end() if file else 0)
    return _spans(match[0]) if match else ()


def _balanced(text: str) -> str:
    """The text up to where its first bracket is closed; empty if it is not."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "[{") - (character in "]}")
        if depth == 0:
            return text[: position + 1]
    return ""


def _spans(text: str) -> tuple[Range, ...]:
    return tuple((int(m[1]), int(m[2] or m[1])) for m in _ONE_SPAN.finditer(text))


def _as_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
