"""Unicode's normal forms in linear work, whatever a text is made of. Pure.

A normal form has the marks behind a character in the order of their classes (Unicode 15, 3.11), and CPython brings them
there by insertion: 80,000 marks behind one letter took seven seconds. Runs that are in that order already take it no
time, and have the same normal form.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Literal

# Of shorter runs there may be many, and each is sorted at once.
_LONG_RUN = 30
_LONG_TEXT = 1_000


Form = Literal["NFC", "NFKC"]
_DECOMPOSED: dict[Form, Literal["NFD", "NFKD"]] = {"NFC": "NFD", "NFKC": "NFKD"}


def normal_form(form: Form, text: str) -> str:
    """What `unicodedata.normalize` makes of a text."""
    if len(text) >= _LONG_TEXT and not text.isascii():
        text = in_order(form, text, set(text))
    return unicodedata.normalize(form, text)


def in_order(form: Form, text: str, characters: Iterable[str]) -> str:
    """The text, which has the same normal form, with long runs of marks in their order. Its marks are all among
    `characters`.
    """

    def sort(run: re.Match[str]) -> str:
        # A few characters are two marks of two classes.
        return "".join(sorted("".join(_parts(form, mark) for mark in run[0]), key=unicodedata.combining))

    marks = "".join(one for one in characters if not one.isascii() and unicodedata.combining(_parts(form, one)[0]))
    return re.sub(f"[{marks}]{{{_LONG_RUN},}}", sort, text) if marks else text


@cache
def _parts(form: Form, character: str) -> str:
    return unicodedata.normalize(_DECOMPOSED[form], character)
