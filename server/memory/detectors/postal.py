"""Postal codes: seven digits where something says that they are one, and foreign ones that are called so."""

import re
from collections.abc import Iterator
from itertools import chain

from .folding import fold_kanji_digits
from .scanning import Span, is_called_otherwise, scan

_PREFECTURES = (
    "北海道|青森|岩手|宮城|秋田|山形|福島|茨城|栃木|群馬|埼玉|千葉|東京|神奈川|新潟|富山|石川|福井|山梨|長野|岐阜|静岡|愛知|三重"
    "|滋賀|京都|大阪|兵庫|奈良|和歌山|鳥取|島根|岡山|広島|山口|徳島|香川|愛媛|高知|福岡|佐賀|長崎|熊本|大分|宮崎|鹿児島|沖縄"
)
_ROMAN = (
    "hokkaido|aomori|iwate|miyagi|akita|yamagata|fukushima|ibaraki|tochigi|gunma|saitama|chiba|tokyo|kanagawa|niigata"
    "|toyama|ishikawa|fukui|yamanashi|nagano|gifu|shizuoka|aichi|mie|shiga|kyoto|osaka|hyogo|nara|wakayama|tottori"
    "|shimane|okayama|hiroshima|yamaguchi|tokushima|kagawa|ehime|kochi|fukuoka|saga|nagasaki|kumamoto|oita|miyazaki"
    "|kagoshima|okinawa|japan|yokohama|nagoya|sapporo|sendai|kobe"
)
_CODE = re.compile(
    r"(?<![0-9A-Za-z])[0-9]{3}(?P<dash>[-ー]| ?- ?|)[0-9]{4}(?![0-9A-Za-z])(?![-ー_][0-9A-Za-z])(?![.,][0-9])"
)
_SIGN_BEFORE = re.compile(
    r"(?:〒|郵便(?:番号)?|postal[ _-]?code|post[ _-]?code|(?<![a-z])zip(?:[ _-]?code)?)"
    r"[\s:;=|,、は\"'「」『)(>*`]{0,8}$",
    re.IGNORECASE,
)
_WITH_BLANK = re.compile(r"〒\s?(?P<code>[0-9]{3} [0-9]{4})(?![0-9A-Za-z-])")
_PLACE_BEFORE = re.compile(
    rf"(?:住所|所在地|宛先|送付先|届け先|address)[\s:は]{{0,4}}$|\b(?:{_ROMAN})[, ]{{1,3}}$", re.IGNORECASE | re.ASCII
)
_PLACE_AFTER = re.compile(
    rf"[\s,)、]{{0,4}}(?:[A-Z][a-z]+-(?:ku|shi|cho|machi|gun)\b|(?:{_PREFECTURES})[都道府県市]?|[一-龥ヶケのノ]{{1,5}}[市区郡町村](?![場長議])|(?:{_ROMAN})\b)",
    re.IGNORECASE | re.ASCII,
)
_FOREIGN = re.compile(
    r"(?:(?<![a-z])zip(?:[ _-]?code)?|postal[ _-]?code|post[ _-]?code|郵便番号)"
    r"(?:\*\*)?(?: is|は)?[\"']?[\s:;=>]{1,3}(?:\*\*\s?)?[\"'`]?"
    r"(?P<code>[0-9]{5}(?:-[0-9]{4})?"
    r"|[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9])(?![0-9A-Za-z-])",
    re.IGNORECASE,
)
_AMERICAN = re.compile(r", [A-Z]{2} (?P<code>[0-9]{5}(?:-[0-9]{4})?)(?![0-9A-Za-z-])")
_TOWN_BEFORE = re.compile(r"[A-Z][a-z]+,$")
_WINDOW = 24


def find_postal_codes(text: str) -> Iterator[Span]:
    """Postal codes, without the sign before them."""
    yield from scan(_CODE, text, _is_code)
    if "〇" in text:
        yield from scan(_CODE, fold_kanji_digits(text), _is_code)
    for match in chain(_FOREIGN.finditer(text), _WITH_BLANK.finditer(text)):
        yield match.span("code")
    for match in _AMERICAN.finditer(text):
        if _TOWN_BEFORE.search(text[max(match.start() - _WINDOW, 0) : match.start() + 1]):
            yield match.span("code")


def _is_code(match: re.Match[str]) -> bool:
    text, (start, end) = match.string, match.span()
    before = text[max(start - _WINDOW, 0) : start]
    if _SIGN_BEFORE.search(before):
        return True
    if not match["dash"] or re.search(r"[0-9A-Za-z][-_.]\Z", before) or is_called_otherwise(text, start):
        return False
    return bool(_PLACE_BEFORE.search(before) or _PLACE_AFTER.match(text, end, end + _WINDOW))
