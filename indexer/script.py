"""Which script a text is in: whoever asks in Japanese finds nothing that a page says in English. Pure."""

import re
from typing import Literal

Script = Literal["japanese", "latin"]

# English names stand in every Japanese text, and a half-translated page has a Japanese title.
_LEAST_SHARE = 0.1
# Letters are counted in every n-th character of a long text.
_SAMPLE = 20_000
_JAPANESE = re.compile("[ぁ-ゖァ-ヺー々一-鿿]+")
_LATIN = re.compile("[A-Za-z]+")


def script_of_text(text: str) -> Script | None:
    """Of a normalised text: Japanese if a tenth of its letters are, Latin if not; `None` if it has neither."""
    sample = text[:: len(text) // _SAMPLE + 1]
    japanese, latin = _count(_JAPANESE, sample), _count(_LATIN, sample)
    if not japanese + latin:
        return None
    return "japanese" if japanese >= _LEAST_SHARE * (japanese + latin) else "latin"


def script_of_question(text: str) -> Script | None:
    """Of a normalised question: Japanese if anything in it is."""
    if _JAPANESE.search(text):
        return "japanese"
    return "latin" if _LATIN.search(text) else None


def _count(letters: re.Pattern[str], text: str) -> int:
    return sum(map(len, letters.findall(text)))
