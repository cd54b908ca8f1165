"""Numbers that open something: 暗証番号は1234, `PIN: 1234`, `door code 4321`."""

import re
from collections.abc import Iterator

import re2

from .said_values import CELL, IS
from .scanning import Span

_CODE_NAME = r"\b(?:verification|one[- ]time|door|gate|alarm|keypad) (?:pass)?code"
# Of numbers that open something, or say that somebody has the telephone.
_PIN_NAME = (
    r"(?:暗証番号|\bpin(?: ?code| ?コード)?|pin番号|ピンコード"
    r"|(?:認証|確認|ワンタイム|解錠|開錠)コード|(?:解錠|開錠)番号"
    r"|(?:ドア|ゲート|金庫|キーボックス|宅配ボックス|オートロック)の?(?:コード|番号|解除番号)"
    rf"|{_CODE_NAME})"
)
# What it opens, or where: the door code of the server room is 4321, door code (back entrance): 4321, 暗証番号（裏口）.
_OF_WHAT = r"(?: ?\([^()\n]{1,24}\)| (?:of|for|on|in|at|to)(?: [\w.@'-]{1,30}){1,5})"
_PIN = re2.compile(
    r"(?i)(?:(?:暗証番号|(?:解錠|開錠)(?:コード|番号)|\bpin ?コード"
    r"|(?:ドア|ゲート|金庫|キーボックス|宅配ボックス|オートロック)の?(?:コード|解除番号))を?[ \t]?[(「『]?"
    rf"|\b(?:door|gate|keypad) code[ \t]|{_PIN_NAME}(?:{IS}|{CELL})"
    rf"|(?:{_CODE_NAME}|\b(?-i:PIN)|暗証番号){_OF_WHAT}{IS})#?"
    r"([0-9]{4,8}|[0-9](?:-[0-9]){3,7})(?:[^0-9A-Za-z.\-年月桁字]|\.(?:[^0-9]|$)|$)"
)
_PIN_CHANGED_TO = re.compile(r"[」』]?[ \t]?(?:から|→|->)[ \t]?[「『]?([0-9]{4,8})(?![0-9A-Za-z.年月桁字-])")


def find_pins(text: str) -> Iterator[Span]:
    """Such numbers, and those that came in their place."""
    for match in _PIN.finditer(text):
        yield match.span(1)
        if after := _PIN_CHANGED_TO.match(text, match.end(1)):
            yield after.span(1)
