"""Secrets that somebody calls so: `password: ...`, `API_KEY=...`, パスワードは..., `Authorization: Bearer ...`."""

import re
from collections.abc import Iterator

import re2

from .entropy import looks_random
from .scanning import Span
from .tokens import is_placeholder

_IS = r"[\"'`」』)]?[ \t]{0,4}(?::=|=>|->|→|:|=|は|が| is )[ \t]{0,4}[\"'`「『(]?"
_PASSWORD = re2.compile(
    r"(?i)(?:pass ?word|passwd|passphrase|pass ?code|pwd|\bpw|パスワード|パスフレーズ|パスコード|合言葉)" + _IS + r"([!-~]{4,200})"
)
_PIN = re2.compile(r"(?i)(?:暗証番号|\bpin(?: ?code| ?コード)?|pin番号|ピンコード)" + _IS + r"([0-9]{4,8})(?:[^0-9A-Za-z.-]|$)")
_KEY = re2.compile(
    r"(?i)(?:api[-_ ]?key|api[-_ ]?secret|secret(?:[-_ ]?(?:access)?[-_ ]?key)?|access[-_ ]?(?:key|token)|auth[-_ ]?token"
    r"|private[-_ ]?key|client[-_ ]?secret|encryption[-_ ]?key|signing[-_ ]?key|token|credentials?"
    r"|apiキー|api鍵|秘密鍵|暗号鍵|シークレット(?:キー)?|アクセスキー|トークン|認証キー|鍵)" + _IS + r"([!-~]{12,500})"
)
_HEADER = re2.compile(r"(?i)\b(?:bearer|basic|authorization: ?(?:token|apikey)) ([A-Za-z0-9+/._~-]{12,}={0,2})")
_VALUE = re.compile(r"[^\s\"'`,;&<>()\[\]{}|\\]+")
_EXPRESSION = re.compile(r"[A-Za-z_][\w.]*[(\[{]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|https?://|/|\.{1,2}/|--")
_DIGIT, _LETTER, _SIGN = re.compile("[0-9]"), re.compile("[A-Za-z]"), re.compile(r"[!#$%&*+=?@^~]")
_DATE = re.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}")


def find_assigned_secrets(text: str) -> Iterator[Span]:
    """Values that are called passwords, keys or tokens and can be such."""
    for pattern, can_be in ((_PASSWORD, _can_be_password), (_KEY, _can_be_key), (_HEADER, _can_be_key)):
        for match in pattern.finditer(text):
            value = _VALUE.match(match[1])
            if value is None or _EXPRESSION.match(match[1]) or is_placeholder(match[1]):
                continue
            if can_be(value[0].rstrip(".:!?")):
                yield match.start(1), match.start(1) + len(value[0])
    for match in _PIN.finditer(text):
        yield match.span(1)


def _can_be_password(value: str) -> bool:
    if len(value) < 6 or _DATE.match(value):
        return False
    kinds = sum(kind.search(value) is not None for kind in (_DIGIT, _LETTER, _SIGN))
    return kinds > 1 or value.isdigit()


def _can_be_key(value: str) -> bool:
    """Digits and letters that change often; a digest in hexadecimal too, as it is called a key here."""
    if len(value) < 12 or _DIGIT.search(value) is None or _LETTER.search(value) is None:
        return False
    return looks_random(value, min_kinds=2, most_in_words=0.55)
