"""A question to its pieces: what quotes and blanks set apart. Pure."""

import re
from collections.abc import Iterator

from morenashi.indexer.text import normalise

_PIECE = re.compile(r'"([^"]+)"|(\S+)')
_EDGE = re.compile(r"^[?!。、,;:()'\"※]+|[?!。、.,;:()'\"]+$")
_BETWEEN_JAPANESE = re.compile("(?<=[^!-~ ]) +(?=[^!-~ ])")
_SENTENCE_CHARACTERS = 12
_HIRAGANA = re.compile("[\u3041-\u309f]")
# A sentence in which Latin words are set apart, as typography has it: apt で依存関係を固定する, サーバへの SSH.
_JOINS = (
    "(?:[のをがはにでとへもや]|から|まで|より|(?:で|と|へ|から|まで)の|[にでと]は|って|によ[るり]"
    "|における|について|に関する|に対する)"
)
_GOES_ON_PAST_LATIN = re.compile(
    f"(?<=[!-~]) {_JOINS}(?=[^\u3041-\u309f])"
    "|(?:(?<=[^\u3041-\u309f ][のをがはにでとへもや])|(?<=から)|(?<=まで)|(?<=[でとへ]の)|(?<=[にで]は)) (?=[!-~])"
)


def normal_text(asked: str) -> str:
    """A question, or a part of it, normalised and on one line: what makes two of them the same."""
    return normalise(asked).replace("\n", " ").strip()


def split_pieces(told: str) -> Iterator[tuple[str, str, bool]]:
    """Each piece, quoted or bare, and whether it is part of a sentence that has Latin words between blanks. Where a
    question has quotes, all blanks count.
    """
    for part in [told] if '"' in told else _BETWEEN_JAPANESE.split(told):
        in_sentence = '"' not in told and is_long(part) and _GOES_ON_PAST_LATIN.search(part) is not None
        yield from ((quoted, bare, in_sentence) for quoted, bare in _PIECE.findall(part))


def is_long(piece: str) -> bool:
    """Whether a piece without blanks is a sentence, if it says more than one thing."""
    return len(piece) > _SENTENCE_CHARACTERS and bool(_HIRAGANA.search(piece))


def without_punctuation(piece: str) -> str:
    """A normalised piece without punctuation, brackets and quotes at its ends; what has nothing else as it is."""
    return _EDGE.sub("", piece) or piece
