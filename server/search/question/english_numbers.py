"""Numbers of two figures in English, in figures or in a word: 14 = fourteen, 30 = thirty. Pure, on normalised text.

A single figure says nothing beside other words: it stands before every step.
"""

_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ONES = "one two three four five six seven eight nine".split()
_WORDS = _TEENS + [word for tens in _TENS for word in (tens, *(f"{tens}-{ones}" for ones in _ONES))]
_OTHERS = {word: str(number) for number, word in enumerate(_WORDS, 10)}
_OTHERS |= {number: word for word, number in _OTHERS.items()}


def number_spellings(word: str) -> list[str]:
    """A word that is such a number and nothing else in the other notation; nothing of any other word."""
    return [_OTHERS[word]] if word in _OTHERS else []
