"""Secrets that somebody calls so: `password: ...`, `API_KEY=...`, パスワードは..., `Authorization: Bearer ...`."""

import re
from collections.abc import Callable, Iterator

import re2

from .entropy import has_all_kinds, is_irregular
from .scanning import Span
from .tokens import is_placeholder

_IS = r"[\"'`」』)]?[ \t]{0,4}(?::=|=>|->|→|:|=|は|が| is )[ \t]{0,4}[\"'`「『(]?"
_NAME_GOES_ON = r"(?:[-_][A-Za-z0-9]{1,12}){0,2}"
_JAPANESE_GOES_ON = r"[ぁ-んァ-ヶ一-龥()]{0,8}?"
_PASSWORD = re2.compile(
    rf"(?i)(?:(?:pass ?word|passwd|passphrase|pass ?code|pwd|\bpw|\bpass){_NAME_GOES_ON}"
    rf"|(?:パスワード|パスフレーズ|パスコード|合言葉){_JAPANESE_GOES_ON}){_IS}([!-~]{{4,200}})"
)
_PASSWORD_AFTER_BLANK = re2.compile(r"(?i)(?:password|passwd|パスワード)[ \t]([!-~]{8,200})")
_PATH_OR_PASSWORD = re2.compile(rf"(?:パス|PASS){_IS}([!-~]{{4,200}})")
_PIN = re2.compile(
    rf"(?i)(?:暗証番号|\bpin(?: ?code| ?コード)?|pin番号|ピンコード){_IS}([0-9]{{4,8}})(?:[^0-9A-Za-z.-]|$)"
)
_KEY_NAME = (
    r"(?i)(?:(?:api[-_ ]?key|api[-_ ]?secret|secret(?:[-_ ]?(?:access)?[-_ ]?key)?|access[-_ ]?(?:key|token)"
    r"|auth[-_ ]?token|private[-_ ]?key|client[-_ ]?secret|encryption[-_ ]?key|signing[-_ ]?key|token|credentials?)"
    rf"{_NAME_GOES_ON}|(?:apiキー|api鍵|秘密鍵|暗号鍵|シークレット(?:キー)?|アクセスキー|トークン|認証キー|鍵){_JAPANESE_GOES_ON})"
)
_KEY = re2.compile(rf"{_KEY_NAME}{_IS}([!-~]{{12,500}})")
_KEY_AFTER_BLANK = re2.compile(rf"{_KEY_NAME}[ \t]([!-~]{{32,500}})")
_HEADER = re2.compile(r"(?i)\b(?:bearer|basic|authorization: ?(?:token|apikey)) ([A-Za-z0-9+/._~-]{12,}={0,2})")
_OPTION = re2.compile(
    r"(?:\b(?:mysql|mysqldump|mariadb)\b[^\n]{0,80}? -p|\bsshpass -p ?|--password[ =]| -u ?[A-Za-z0-9_.-]{1,40}:)"
    r"[\"']?([!-~]{4,200})"
)
_VALUE = re.compile(r"(?:[^\s\"'`,;&<>()\[\]{}|\\]|&(?![A-Za-z_]\w*=))+")
_EXPRESSION = re.compile(
    r"[A-Za-z_][\w.]*(?:[(\[{]|::|->)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|https?://|/|\.{1,2}/|--"
    r"|(?i:sha[0-9]{1,3}|md5|bcrypt|argon2\w*)[:-]|\$2[aby]\$"
)
_DIGIT, _LETTER, _SIGN = re.compile("[0-9]"), re.compile("[A-Za-z]"), re.compile(r"[!#$%&*+=?@^~]")
# A UUID, or a digest's worth of hexadecimal digits.
_KEY_SHAPE = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|[0-9a-f]{32,}$|[0-9A-F]{32,}$")
_PARTS = re.compile(r"[A-Za-z0-9+/]{12,}")
_LETTER_DIGIT = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_LEAST_CHANGES = 4
_LOWER, _UPPER_OR_SIGN = re.compile("[a-z]"), re.compile(r"[A-Z!#$%&*+=?@^~_-]")
_DATE = re.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}")


def find_assigned_secrets(text: str) -> Iterator[Span]:
    """Values that are called passwords, keys or tokens and can be such."""
    for pattern, can_be in _FORMS:
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


def _is_password_and_no_path(value: str) -> bool:
    return _can_be_password(value) and _SIGN.search(value) is not None and "/" not in value


def _is_strong_password(value: str) -> bool:
    """What nobody would take for the next word of a sentence."""
    kinds = (_LOWER, _DIGIT, _UPPER_OR_SIGN)
    return len(value) >= 8 and all(kind.search(value) for kind in kinds) and _can_be_password(value)


def _can_be_key(value: str) -> bool:
    """A string drawn by lot, in whatever alphabet: it is called a key here."""
    is_drawn = has_all_kinds(value) and is_irregular(value)
    return is_drawn or _KEY_SHAPE.match(value) is not None or any(map(_is_mixed, _PARTS.findall(value)))


def _can_be_bearer(value: str) -> bool:
    return any(_DIGIT.search(part) and _LETTER.search(part) for part in _PARTS.findall(value))


def _is_mixed(part: str) -> bool:
    """Letters and digits that change more often than in the names that people make up."""
    return _DIGIT.search(part) is not None and len(_LETTER_DIGIT.findall(part)) >= _LEAST_CHANGES


_FORMS: tuple[tuple["re2._Regexp", Callable[[str], bool]], ...] = (
    (_PASSWORD, _can_be_password),
    (_PASSWORD_AFTER_BLANK, _is_strong_password),
    (_PATH_OR_PASSWORD, _is_password_and_no_path),
    (_OPTION, _can_be_password),
    (_KEY, _can_be_key),
    (_KEY_AFTER_BLANK, _can_be_key),
    (_HEADER, _can_be_bearer),
)
