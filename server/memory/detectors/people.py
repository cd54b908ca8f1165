"""Names of people, as far as a policy lists them."""

import functools
import re
from collections.abc import Iterator

import re2

from .folding import fold, rewrite
from .scanning import Span

# Where the parts of a name are set apart, and where a line ends inside it.
_GAP, _LATIN_GAP = re.compile(r"(?<![\s・])[\s・]{1,2}(?![\s・])"), r"\s{1,3}"
_MOST_BYTES = 64 << 20


def find_names(text: str, names: tuple[str, ...]) -> Iterator[Span]:
    """The names, with or without blanks between their parts; Latin ones as whole words, in any case."""
    latin, others = (tuple(name for name in names if name.isascii() == is_latin) for is_latin in (True, False))
    if latin:
        yield from (match.span() for match in _compiled(latin).finditer(text))
    # Where the family name ends is not said: 山田太郎, 山田 太郎. So they are looked for without gaps.
    if others and _compiled(others).search(_GAP.sub("", text)) is not None:
        joined = rewrite(text, _GAP, lambda gap: "")
        yield from (joined.original(match.span()) for match in _compiled(others).finditer(joined.text))


def letters_of(name: str) -> str:
    """A name without what sets its parts apart, and without what nobody sees."""
    return re.sub(r"[\s・]", "", fold(name).text)


@functools.lru_cache(maxsize=16)
def _compiled(names: tuple[str, ...]) -> "re2._Regexp":
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = _MOST_BYTES
    # Longer names first, so that 山田太郎 is not left as 山田.
    ordered = sorted(names, key=len, reverse=True)
    return re2.compile("|".join(map(_pattern, ordered)), options)


def _pattern(name: str) -> str:
    if not name.isascii():
        return str(re2.escape(letters_of(name)))
    words = name.split()
    # A sign is no part of a word: behind the last one of Jr. no word ends.
    begin, end = (r"\b" if sign.isalnum() else "" for sign in (words[0][0], words[-1][-1]))
    return f"{begin}{_LATIN_GAP.join(map(re2.escape, words))}{end}"
