"""What manuals call what a question says with a verb: 削除 of 消したい, 継続 of 続けられるか. Pure.

A verb is no term: its forms are many, and a text that answers need have none of them. The noun that says the same
orders what the terms have found.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

Verbs = Mapping[str, Sequence[str]]
"""The nouns for a verb, by each of the beginnings that its forms have."""

# 取り替え, ふりかえり直さ
_LONGEST = 8
_KANJI = re.compile("[\u4e00-\u9fff]+")


def nouns_of_verbs(question: str, verbs: Verbs) -> list[str]:
    """The nouns for the verbs of a normalised question, each once; none that it has itself."""
    nouns = (noun for beginning in _beginnings(question, verbs) for noun in verbs[beginning])
    return [noun for noun in dict.fromkeys(nouns) if noun not in question]


def runs_of_verbs(question: str, verbs: Verbs) -> frozenset[str]:
    """The runs of kanji that are verbs in a normalised question, and no nouns: 手放 of 手放したい."""
    runs = (_KANJI.match(beginning) for beginning in _beginnings(question, verbs) if not _KANJI.fullmatch(beginning))
    return frozenset(run[0] for run in runs if run)


def _beginnings(question: str, verbs: Verbs) -> Iterator[str]:
    """The beginnings of verbs that stand in a question."""
    for start in range(len(question)):
        for length in range(2, _LONGEST + 1):
            if question[start : start + length] in verbs:
                yield question[start : start + length]
