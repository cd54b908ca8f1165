"""How sufficient a candidate set is called: for lists of words and for long questions as for short ones."""

import pytest

from morenashi.server.search.evidence import Evidence
from morenashi.server.search.findings import Findings, PassageHit
from morenashi.server.search.index.passages import StoredPassage
from morenashi.server.search.judgement.sufficiency import estimate_sufficiency
from morenashi.server.search.matching import LineMatch
from morenashi.server.search.question.terms import Term

ALL, HALF, LITTLE = 1.0, 0.5, 0.3
"""Of the question's weight, how much the best passage covers."""


def found(held: list[set[int]], *, asked: int, coverage: float, titled: int = 0, inflected: int | None = None) -> float:
    """The estimate for passages that hold such terms and score all alike, each in a section of its own. The title of
    the first has so many of the terms; `inflected` is the position of another form of the last one.
    """
    hits = [
        PassageHit(
            StoredPassage(number, 1, number, 1, 3, ""),
            LineMatch(0, 0, 1, frozenset(terms), frozenset(), [(0, terms)], [0]),
            5.0,
        )
        for number, terms in enumerate(held)
    ]
    terms = tuple(Term(f"word{number}", (f"word{number}",), ()) for number in range(asked + (inflected is not None)))
    findings = Findings(terms, hits, coverage=coverage, rarities=(1.0,) * len(terms))
    findings.inflected = {} if inflected is None else {asked - 1: inflected}
    evidence = Evidence(findings, {hit.passage.section_id: [hit] for hit in hits}, {})
    evidence.titled = {0: frozenset(range(titled))}
    return estimate_sufficiency(evidence, asked, 1.0)


def test_many_words_of_a_long_question_in_one_passage_are_no_chance_though_it_covers_little() -> None:
    together = found([set(range(8)), {8}, {9}], asked=11, coverage=LITTLE)
    scattered = found([{0}, {1}, {2}, {3}, {4, 5}], asked=11, coverage=LITTLE)
    assert together > 0.5 > 0.2 > scattered


def test_a_list_of_words_of_which_each_stands_somewhere_is_better_than_one_of_which_half_do() -> None:
    everywhere = found([{0, 1, 2, 3}, {4, 5}, {6, 7}], asked=8, coverage=HALF)
    half = found([{0, 1, 2, 3}, {0, 1}, {2, 3}], asked=8, coverage=HALF)
    assert everywhere > half + 0.15


def test_one_word_that_texts_mention_is_no_answer_as_one_that_a_title_names_is() -> None:
    mentioned = found([{0}] * 3, asked=1, coverage=ALL)
    named = found([{0}] * 3, asked=1, coverage=ALL, titled=1)
    assert mentioned < 0.5 < 0.7 < named


def test_another_form_of_a_word_counts_as_the_word() -> None:
    as_asked = found([{0, 1}, {0}], asked=2, coverage=ALL)
    assert found([{0, 2}, {0}], asked=2, coverage=ALL, inflected=2) == as_asked
    assert found([{0}, {0}], asked=2, coverage=ALL) < as_asked


def test_of_what_a_limit_left_over_nothing_is_known() -> None:
    evidence = Evidence(Findings(()), {}, {})
    assert estimate_sufficiency(evidence, 0, 0.0) == 0
    assert estimate_sufficiency(evidence, 0, 1.0) < 0.05


@pytest.mark.parametrize("asked", [1, 4])
def test_more_of_what_was_asked_for_is_never_less_sufficient(asked: int) -> None:
    estimates = [found([set(range(held))], asked=asked, coverage=held / asked) for held in range(asked + 1)]
    assert estimates == sorted(estimates)
