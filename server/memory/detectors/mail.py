"""E-mail addresses, also those that write (at) for the sign, or %40 as in an address of the web."""

import re
from collections.abc import Iterator

from .scanning import Span

_LOCAL_CHARS = 64
# A label may be Japanese: 例え.jp
_LETTER = "A-Za-z0-9À-ɏ一-龥ぁ-んァ-ヶ"
_DOT = r"(?:\.| ?[\[(](?:dot|ドット)[\])] ?)"
_DOMAIN = rf"(?:[{_LETTER}][{_LETTER}ー-]{{0,62}}{_DOT}){{1,8}}(?P<top>xn--[A-Za-z0-9-]{{2,59}}|[A-Za-z]{{2,24}})"
# From the sign on: the local part is looked for backwards, so that a long word is not tried from each letter.
_FROM_SIGN = re.compile(
    rf"(?:@|%40| ?[\[(<](?:at|@|アット|アットマーク)[\])>] ?|[★☆]){_DOMAIN}(?![A-Za-z0-9])(?!-[A-Za-z0-9])",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"[A-Za-z0-9_À-ɏ][A-Za-z0-9._%+'À-ɏ-]*\Z")
# Not on from an address to what a sentence or a row has behind it: https://example.com、taro@...
_LOGIN_BEFORE = re.compile(r"://[!#-&*+.0-:=?A-Z\\^_a-z~-]*\Z")
# icon@2x.png, getty@tty1.service
_NO_TOP_DOMAINS = frozenset(
    "png jpg jpeg gif svg webp bmp ico pdf txt json yaml yml toml js ts jsx tsx css html xml service socket timer "
    "mount target conf cfg ini lock log csv zip gz".split()
)


def find_emails(text: str) -> Iterator[Span]:
    """Addresses with a domain that has a top level."""
    for match in _FROM_SIGN.finditer(text):
        window = max(match.start() - _LOCAL_CHARS, 0)
        local = _LOCAL.search(text, window, match.start())
        if local and match["top"].lower() not in _NO_TOP_DOMAINS and not _is_other(text, local.start(), match):
            yield local.start(), match.end()


def _is_other(text: str, start: int, match: re.Match[str]) -> bool:
    """A name on a social network (@name@host), a repository (git@host:path), a login (scheme://user:password@host)."""
    is_handle = text[start - 1 : start] == "@"
    is_repository = text[start : match.start()] == "git" and text[match.end() : match.end() + 1] in (":", "/")
    is_login = _LOGIN_BEFORE.search(text, max(start - _LOCAL_CHARS, 0), start) is not None
    return is_handle or is_repository or is_login
