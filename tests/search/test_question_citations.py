"""What a question cites is read in small letters, and what counts something is no citation."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.question.question_citations import find_citations


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does Schedule 2 say about late payment?", ["schedule 2"]),
        ("Is exhibit B part of the contract?", ["exhibit b"]),
        ("Summarise clauses 5.1 and 5.2", ["clause 5.1", "section 5.1", "clause 5.2", "section 5.2"]),
        ("What does clause 7.2 exclude?", ["clause 7.2", "section 7.2"]),
        ("annexes I and II", ["annex i", "annex ii"]),
        ("codes in table 4-1 and Figure 3", ["table 4-1", "figure 3"]),
        ("explain figs. 1 and 2", ["figure 1", "figure 2"]),
        ("section 4.2の例外は？", ["section 4.2"]),
        ("readme.mdのsection 12を読みたい", ["section 12"]),
        ("§5.2によると、chapters 2 and 3は？", ["section 5.2", "chapter 2", "chapter 3"]),
        ("section 3つとpart 3人分", []),
        ("別表3及び5の違いは？", ["別表3", "別表5"]),
        ("表3の周期は？", ["表3"]),
        ("図2-1と図4を説明して", ["図2-1", "図4"]),
        ("How do I schedule 2 meetings with part 3 clients at a table 2 m wide?", []),
        ("図2枚と代表3名", []),
    ],
)
def test_a_question_cites_places(question: str, expected: list[str]) -> None:
    assert [citation.name for citation in find_citations(normalise(question))] == expected


def test_a_question_may_name_the_document_of_a_figure() -> None:
    japanese, english = (
        next(iter(find_citations(normalise(question)))).called
        for question in ("保守手引の表6はいつのもの？", "table 6 of your Operations Guide")
    )
    assert "保守手引" in japanese
    assert "operations guide" in english
