"""From a claim's text to what its full-text row holds. Pure.

A claim is short and is looked for by whatever of it one remembers. So its row holds every pair of letters that is
not plain Latin (hiragana too), the script runs as words, the parts of names such as `handleUpsert`, and single kanji.
"""

import re
from itertools import pairwise
from typing import Literal

from .text import normalise
from .tokens import is_kanji, runs, stem

TokenKind = Literal["pair", "word", "kanji"]
LETTERS: dict[str, str] = {"pair": "p", "word": "w", "kanji": "k"}

# Looked for where a run of letters begins, not from each of them: that took a minute for sixty thousand.
_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*")
_LATIN_RUN = re.compile("[a-z0-9]+")
_LATIN_FOR_ONE = 3
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def searchable(text: str) -> str:
    """The normalised text, in one line; after a name like `handleUpsert` its parts too."""
    joined = _NAME.sub(lambda match: f"{match[0]} {' '.join(_PARTS.findall(match[0]))} ", text)
    return normalise(joined).replace("\n", " ").strip()


def length_of(searchable_text: str) -> int:
    """How long a text is beside others: three Latin letters say about what one character of Japanese does.

    Claims of both stand side by side, and the same said in English would count as long and be ranked below.
    """
    latin = sum(map(len, _LATIN_RUN.findall(searchable_text)))
    return len(searchable_text) - latin + latin // _LATIN_FOR_ONE


def token_kinds(searchable_text: str) -> dict[tuple[TokenKind, str], None]:
    """The distinct tokens of a searchable text, each with its kind, in order."""
    pairs = (left + right for left, right in pairwise(searchable_text) if is_pair(left, right))
    found: dict[tuple[TokenKind, str], None] = dict.fromkeys(("pair", pair) for pair in pairs)
    found |= dict.fromkeys(("word", stem(run)) for run in runs(searchable_text))
    return found | dict.fromkeys(("kanji", character) for character in searchable_text if is_kanji(character))


def is_pair(left: str, right: str) -> bool:
    """Whether two adjacent characters are kept as a pair: letters or digits, not both ASCII."""
    return left.isalnum() and right.isalnum() and not (left.isascii() and right.isascii())
