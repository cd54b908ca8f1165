"""Secrets that somebody calls so: `password: ...`, `API_KEY=...`, パスワードは..., `Authorization: Bearer ...`."""

import re
from collections.abc import Iterator

import re2

from .keys import KEY_FORMS
from .passwords import PASSWORD_FORMS, PASSWORD_IN_KANA
from .pins import find_pins
from .scanning import Span
from .secret_values import find_values
from .strength import can_be_key

_COOKIES = re2.compile(r"(?i)\b(?:set-)?cookie[\"']?: ?([^\n]+)")
_COOKIE = re.compile(r"[\w-]=[\"']?([^\s;,\"']{12,})")


def find_assigned_secrets(text: str) -> Iterator[Span]:
    """Values that are called passwords, keys or tokens and can be such."""
    for pattern, can_be in (*PASSWORD_FORMS, *KEY_FORMS):
        yield from find_values(pattern, can_be, text)
    yield from find_pins(text)
    yield from (match.span(1) for match in PASSWORD_IN_KANA.finditer(text))
    for header in _COOKIES.finditer(text):
        yield from (cookie.span(1) for cookie in _COOKIE.finditer(text, *header.span(1)) if can_be_key(cookie[1]))
