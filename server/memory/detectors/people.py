"""Names of people, as far as a policy lists them."""

import functools
import re
from collections.abc import Iterator

import re2

from .folding import fold
from .scanning import Span

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
    parts = [re2.escape(part) for part in re.split(r"[\s・]+", name.strip()) if part]
    joined = "[ \t・]{0,2}".join(parts) if not name.isascii() else r"[ \t]{1,3}".join(parts)
    return rf"\b{joined}\b" if name.isascii() else joined
