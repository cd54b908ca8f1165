"""Names of people, as far as a policy lists them."""

import functools
import re
from collections.abc import Iterator

import re2

from .folding import fold
from .scanning import Span

_LATIN_GAP = r"[ \t]{1,3}"
_MOST_BYTES = 64 << 20


def find_names(text: str, names: tuple[str, ...]) -> Iterator[Span]:
    """The names, with or without blanks between their parts; Latin ones as whole words, in any case."""
    if names:
        for match in _compiled(names).finditer(text):
            yield match.span()


@functools.lru_cache(maxsize=16)
def _compiled(names: tuple[str, ...]) -> "re2._Regexp":
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = _MOST_BYTES
    # Longer names first, so that 山田太郎 is not left as 山田.
    ordered = sorted(names, key=len, reverse=True)
    return re2.compile("|".join(_pattern(fold(name)) for name in ordered), options)


def _pattern(name: str) -> str:
    parts = re.split(r"[\s・]+", name.strip())
    if name.isascii():
        return rf"\b{_LATIN_GAP.join(map(re2.escape, parts))}\b"
    # Where the family name ends is not said: 山田太郎, 山田 太郎.
    return "[ \t・]?".join(map(re2.escape, "".join(parts)))
