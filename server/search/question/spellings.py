"""The spellings of words that are written with more or less hiragana, or with other characters: 引渡し = 引き渡し,
漏えい = 漏洩. Pure.

Which words these are say `data/dictionaries/okurigana.txt` and `spellings.txt`; others are left as they are.
"""

from collections.abc import Iterator, Mapping, Sequence

_LONGEST = 11

Spellings = Mapping[str, Sequence[str]]
"""All other spellings of a word, by each of its spellings."""


def respell(text: str, spellings: Spellings, most: int) -> list[str]:
    """The text with each such word in it in its other spellings; at most `most`, not itself."""
    found = [""]
    for part in _cut(text, spellings):
        choices = [part, *spellings.get(part, ())]
        found = [prefix + choice for prefix in found for choice in choices][: most + 1]
    return found[1:]


def find_spelt(text: str, spellings: Spellings) -> list[str]:
    """The words of several spellings in a text, each once."""
    return list(dict.fromkeys(part for part in _cut(text, spellings) if part in spellings))


def _cut(text: str, spellings: Spellings) -> Iterator[str]:
    """The text as words of several spellings, the longest that begin at a place, and single characters."""
    start = 0
    while start < len(text):
        ends = range(min(len(text), start + _LONGEST), start, -1)
        end = next((end for end in ends if text[start:end] in spellings), start + 1)
        yield text[start:end]
        start = end
