"""The other number of an English noun: retry of retries, policies of policy. Pure.

A plural that ends in -s has its singular in itself; so only these two are not found by looking for the word.
"""

import re

_WORD = re.compile("[a-z]{4,}")
_NO_PLURAL = ("ss", "us", "is")
_HISSING = ("sses", "shes", "ches", "xes", "zes")
_VOWELS = "aeiou"


def other_number(word: str) -> str | None:
    """What a normalised word is in its other number, if that is not found wherever the word itself is looked for."""
    if not _WORD.fullmatch(word):
        return None
    if word.endswith("y"):
        return f"{word[:-1]}ies" if word[-2] not in _VOWELS else None
    if not word.endswith("s") or word.endswith(_NO_PLURAL):
        return None
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(_HISSING) else word[:-1]
