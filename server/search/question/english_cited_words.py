"""Citations in English as words of a question: section 9.3 is one, and so is the employee handbook whose section it is.
Pure, on normalised text.
"""

import re
from typing import NamedTuple

from .question_citations import OF, find_english_places

_WORD = re.compile(r"[^\s,;:?!()\"]+")
# What a document is called by its last word. One without another word says nothing of which.
_DOCUMENTS = frozenset(
    "act agreement book bylaws charter code contract guide guidelines handbook manual notice plan policies policy "
    "procedure regulation regulations rules specification standard statement terms".split()
)
_ENDS_NAME = frozenset(
    "a an and are at by do does for how if is or say says that the to what when where which who".split()
)
_MOST_WORDS = 6
_TELLS_MUCH = 3


class CitedWords(NamedTuple):
    """A run of a question that is one term, where it begins and ends, and what it means where no line holds it."""

    start: int
    end: int
    meant: list[str]


def find_cited_words(question: str) -> list[CitedWords]:
    """The places that a question cites by one number, and the names of their documents, in order and apart."""
    places = list(find_english_places(question))
    found = [CitedWords(start, end, [number] if len(number) >= _TELLS_MUCH else []) for start, end, number in places]
    names = (name for start, end, _ in places for name in (_name_behind(question, end), _name_before(question, start)))
    for first, last in names:
        words = _WORD.findall(question, first, last)
        if len(words) > 1 and not any(first < other.end and other.start < last for other in found):
            found.append(CitedWords(first, last, words))
    return sorted(found)


def _name_behind(question: str, end: int) -> tuple[int, int]:
    """Where the name of the document begins and ends behind a place: of the employee handbook; (0, 0) if nowhere."""
    of = OF.match(question, end)
    words: list[re.Match[str]] = []
    for word in _WORD.finditer(question, of.end()) if of else ():
        is_apart = bool(words) and question[words[-1].end() : word.start()] != " "
        if is_apart or word[0] in _ENDS_NAME or len(words) == _MOST_WORDS:
            break
        words.append(word)
    while words and words[-1][0].rstrip(".") not in _DOCUMENTS:
        words.pop()
    return (words[0].start(), words[-1].start() + len(words[-1][0].rstrip("."))) if words else (0, 0)


def _name_before(question: str, start: int) -> tuple[int, int]:
    """The same before a place: debian policy section 9.3."""
    words: list[re.Match[str]] = []
    for word in reversed(list(_WORD.finditer(question, 0, start))):
        between = question[word.end() : words[-1].start() if words else start]
        if between not in (" ", *(() if words else (", ",))) or word[0] in _ENDS_NAME or len(words) == _MOST_WORDS:
            break
        words.append(word)
    return (words[-1].start(), words[0].end()) if words and words[0][0] in _DOCUMENTS else (0, 0)
