"""What lets somebody in where a password does not: seeds of one-time codes, recovery codes, phrases of wallets."""

import re
from collections.abc import Iterator

import re2

from .scanning import Span

_IS = r"[\"'`」』)]?[ \t]*(?::|=|=>|->|→|は、?|が、?| is |\|)[ \t]*[\"'`「『(]?"
_SEED = re2.compile(
    rf"(?i:\botpauth://[^\s\"'<>]{{1,300}}[?&]secret=|\b(?:totp|otp|2fa|mfa|二段階認証|2段階認証|二要素認証|2要素認証)"
    rf"[^\n:=]{{0,20}}?(?:secret|seed|key|シークレット|シード|キー|鍵){_IS})"
    r"([A-Z2-7]{16,64}|(?:[A-Za-z2-7]{4} ){3,15}[A-Za-z2-7]{4})\b"
)
_CODE_NAME = r"(?i:(?:recovery|backup|バックアップ|リカバリー?|復旧用?|回復用?) ?(?:codes?|コード))"
_GROUPS = "[A-Za-z0-9]{4,6}(?:-[A-Za-z0-9]{4,6}){1,3}"
_CODES = re2.compile(rf"{_CODE_NAME}(?:{_IS}|:?[ \t]{{0,4}}\r?\n)((?:[-* \t]{{0,4}}{_GROUPS}[,、\s]{{0,3}}){{1,20}})")
_CODE = re.compile(_GROUPS)
_DIGIT, _LETTER = re.compile("[0-9]"), re.compile("[A-Za-z]")
# Digits alone may be a date or a version: more than one of them is a list of codes, and one that is no date a code.
_EIGHT_DIGITS = "[0-9]{4}[ -]?[0-9]{4}"
_NUMBERS = re2.compile(
    rf"{_CODE_NAME}(?:{_IS}|:?[ \t]{{0,4}}\r?\n)"
    rf"((?:[-* \t]{{0,4}}{_EIGHT_DIGITS}[,、\s]{{1,3}}){{1,20}}[-* \t]{{0,4}}{_EIGHT_DIGITS})\b"
)
_NUMBER = re.compile(_EIGHT_DIGITS)
_ONE_NUMBER = re2.compile(rf"{_CODE_NAME}(?:{_IS}|:?[ \t]{{1,4}})([0-9]{{8}})(?:[^0-9A-Za-z.\-年]|\.(?:[^0-9]|$)|$)")
_DATE = re.compile("(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")
_PHRASE = re2.compile(
    r"(?i:(?:seed|recovery|secret|wallet) phrase|mnemonic|bip-?39|(?:シード|リカバリー|秘密の?)フレーズ|ニーモニック)"
    rf"{_IS}((?:[a-z]{{3,8}}[ \t]){{11,23}}[a-z]{{3,8}})\b"
)


def find_recovery_codes(text: str) -> Iterator[Span]:
    """Seeds in base 32, codes in groups, phrases of twelve words or more; each only where it is called so."""
    for pattern in (_SEED, _PHRASE):
        for match in pattern.finditer(text):
            yield match.span(1)
    for match in _CODES.finditer(text):
        codes = list(_CODE.finditer(text, *match.span(1)))
        # Among others of its form, one may have come out with letters or digits alone.
        forms = {_form_of(code[0]) for code in codes if _DIGIT.search(code[0]) and _LETTER.search(code[0])}
        yield from (code.span() for code in codes if _form_of(code[0]) in forms)
    for match in _NUMBERS.finditer(text):
        yield from (number.span() for number in _NUMBER.finditer(text, *match.span(1)))
    yield from (match.span(1) for match in _ONE_NUMBER.finditer(text) if _DATE.match(match[1]) is None)


def _form_of(code: str) -> tuple[int, ...]:
    """How long its groups are."""
    return tuple(map(len, code.split("-")))
