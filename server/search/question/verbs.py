"""What manuals call what a question says with a verb: 削除 of 消したい, 継続 of 続けられるか. Pure.

A verb is no term: its forms are many, and a text that answers need have none of them. The noun that says the same
orders what the terms have found.
"""

from collections.abc import Mapping, Sequence

Verbs = Mapping[str, Sequence[str]]
"""The nouns for a verb, by each of the beginnings that its forms have."""

# 取り替え, ふりかえり直さ
_LONGEST = 8


def nouns_of_verbs(question: str, verbs: Verbs) -> list[str]:
    """The nouns for the verbs of a normalised question, each once; none that it has itself."""
    beginnings = (
        question[start : start + length] for start in range(len(question)) for length in range(2, _LONGEST + 1)
    )
    nouns = (noun for beginning in beginnings for noun in verbs.get(beginning, ()))
    return [noun for noun in dict.fromkeys(nouns) if noun not in question]
