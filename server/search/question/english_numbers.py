"""Numbers below a hundred in English, in words or in figures: fourteen = 14, thirty = 30. Pure, on normalised text."""

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_FROM_TEN = _TEENS + [word for tens in _TENS for word in (tens, *(f"{tens}-{ones}" for ones in _ONES))]

NUMBER_WORDS = {word: number for number, word in enumerate(_ONES + _FROM_TEN, 1)}
"""Each word with its number."""
NUMBER_WORD = f"{'|'.join(_ONES + _TEENS)}|(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_ONES)}))?"
"""An expression for one of them, without groups."""

# A single figure says nothing beside other words: it stands before every step.
_OTHERS = {word: str(NUMBER_WORDS[word]) for word in _FROM_TEN}
_OTHERS |= {number: word for word, number in _OTHERS.items()}


def number_spellings(word: str) -> list[str]:
    """A word that is such a number of two figures and nothing else in the other notation; nothing of any other word."""
    return [_OTHERS[word]] if word in _OTHERS else []
