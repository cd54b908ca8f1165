"""Where each of many fixed strings stands in a text. Pure.

An alternation of fifty is tried at every character, and a search for each reads the text fifty times. Neither is
needed: most Latin strings are in none of the text's few Latin letters, and most others have a kanji, which a set finds.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from .tokens import is_kanji


class FixedStrings:
    """Strings to look for together."""

    def __init__(self, strings: Iterable[str]) -> None:
        self._latin: list[str] = []
        self._kana: list[str] = []
        self._by_kanji: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for string in dict.fromkeys(strings):
            place = next((place for place, character in enumerate(string) if is_kanji(character)), None)
            if place is not None:
                self._by_kanji[string[place]].append((string, place))
            else:
                (self._latin if string.isascii() else self._kana).append(string)
        self._kanji = re.compile(f"[{''.join(self._by_kanji)}]" if self._by_kanji else "(?!)")

    def find(self, text: str) -> dict[str, list[int]]:
        """The places of those strings that the text holds."""
        if text.isascii():
            return _places(text, self._latin)
        # A byte each, quicker looked through than the text. What is left out may join others: they are looked at again.
        ascii_part = text.encode("ascii", "ignore").decode("ascii")
        found = _places(text, [string for string in self._latin if string in ascii_part] + self._kana)
        found |= self._with_kanji(text)
        return found

    def _with_kanji(self, text: str) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for match in self._kanji.finditer(text):
            place = match.start()
            for string, before in self._by_kanji[match[0]]:
                if place >= before and text.startswith(string, place - before):
                    found[string].append(place - before)
        return found


def _places(text: str, strings: Iterable[str]) -> dict[str, list[int]]:
    found = {}
    for string in strings:
        at = text.find(string)
        if at >= 0:
            found[string] = places = [at]
            while (at := text.find(string, at + 1)) >= 0:
                places.append(at)
    return found
