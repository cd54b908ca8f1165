"""Whether two English words are inflections of one: policies and policy, resigning and resigned. Pure.

Stems say less: that of severance and of several is sever.
"""

import re

_WORD = re.compile("[a-z]{4,}")
# Endings, and what stands in their place in the word that is inflected.
_ENDINGS = [("s", ""), ("es", ""), ("ies", "y"), ("d", ""), ("ed", ""), ("ied", "y"), ("ing", ""), ("ing", "e")]
_SHORTEST = 3
IRREGULAR = {"kept": "keep", "made": "make", "paid": "pay", "sent": "send", "held": "hold"}
"""Participles of verbs that are often said of a value, and those verbs."""


def holds_inflection(text: str, word: str) -> bool:
    """Whether a normalised text has the word, or another inflection of it."""
    forms = _uninflected(word)
    return any(not forms.isdisjoint(_uninflected(other)) for other in _WORD.findall(text) if other[:3] == word[:3])


def _uninflected(word: str) -> set[str]:
    """The words that this may be an inflection of, itself among them."""
    found = {word}
    for ending, instead in _ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST:
            found.add(base + instead)
            # stopped, stopping
            if base[-1] == base[-2] and ending in ("ed", "ing"):
                found.add(base[:-1])
    return found
