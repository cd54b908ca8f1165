"""What manuals call what a question says with a verb: 削除 of 消したい, 継続 of 続けられるか, resign of quit. Pure.

A Japanese verb is no term: its forms are many, and a text that answers need have none of them. The noun that says the
same orders what the terms have found, and is looked for where the scope has the verb not.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .terms import Term, synonyms_of

Verbs = Mapping[str, Sequence[str]]
"""The nouns for a verb, by each of the beginnings that its forms have; an English one by itself."""

# 取り替え, ふりかえり直さ
_LONGEST = 8
_KANJI = re.compile("[\u4e00-\u9fff]{2,}")
# What follows a noun of kanji and looks like the form of a verb: 年休まで, 退職届いつ, 申請書から, 解雇および.
_NO_VERB = re.compile(
    "(?<=[\u4e00-\u9fff])[\u4e00-\u9fff](?:か(?:ら|つ|も|どうか|(?![\u3041-\u309f]))|い(?:つ(?![つくけこ])|くら)|も(?![うっ])"
    "|ま(?:で|た)|お(?:よび|ける|いて)|くらい|ぐらい|し(?:か|くは)|ば(?:かり)?|なら)"
)
# Behind a single kanji it is a noun with that, of another meaning: 手続き, 忌引き休暇, 下書きした, and not 鍵開けたい.
_NOUN_END = re.compile(
    "(?<=(?<![\u4e00-\u9fff])[\u4e00-\u9fff])[\u4e00-\u9fff][いきぎしちにびみりえけげせてねべめれ]"
    "(?:(?![\u3041-\u309f])|[のをはがへし]|す(?!ぎ)|さ(?!せ)|に(?!くい)|から|まで|など)"
)
_ENDINGS = [chr(code) for code in range(0x3041, 0x3097)]


@dataclass(frozen=True, slots=True)
class AskedVerb:
    """A verb as a question has it, for finding the passages that have it; what says the same; and the term of the
    question that it is, if it is one.
    """

    asked: Term
    nouns: tuple[Term, ...]
    term: str = ""


def nouns_of_verbs(question: str, verbs: Verbs) -> list[str]:
    """The nouns for the Japanese verbs of a normalised question, each once; none that it has itself."""
    nouns = (noun for beginning in _beginnings(question, verbs) for noun in verbs[beginning])
    return [noun for noun in dict.fromkeys(nouns) if noun not in question]


def runs_of_verbs(question: str, verbs: Verbs) -> frozenset[str]:
    """The runs of kanji that are verbs in a normalised question, and no nouns: 手放 of 手放したい."""
    runs = (_KANJI.match(beginning) for beginning in _beginnings(question, verbs) if not _KANJI.fullmatch(beginning))
    return frozenset(run[0] for run in runs if run)


def find_verbs(question: str, terms: Iterable[str], verbs: Verbs, make: Callable[[str], Term]) -> Iterator[AskedVerb]:
    """The verbs of a normalised question that has these terms: an English verb is one of them. `make` makes a term."""
    for beginning in dict.fromkeys(_beginnings(question, verbs)):
        if nouns := [noun for noun in dict.fromkeys(verbs[beginning]) if noun not in question]:
            forms = [form for ending in _ENDINGS if verbs.get(form := beginning[:-1] + ending) == verbs[beginning]]
            yield AskedVerb(Term(beginning, tuple(dict.fromkeys((beginning, *forms))), ()), tuple(map(make, nouns)))
    for term in terms:
        if term.isascii() and (nouns := [*synonyms_of(term, verbs)]):
            yield AskedVerb(Term(term, (), (), words=(term,)), tuple(map(make, nouns)), term)


def _beginnings(question: str, verbs: Verbs) -> Iterator[str]:
    """The beginnings of Japanese verbs that stand in a question."""
    for start in range(len(question)):
        if question[start].isascii() or _NO_VERB.match(question, start) or _NOUN_END.match(question, start):
            continue
        for length in range(2, _LONGEST + 1):
            if question[start : start + length] in verbs:
                yield question[start : start + length]
