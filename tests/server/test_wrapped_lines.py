"""On which lines the sentence of a line stands, where paragraphs are broken to a width."""

import pytest

from morenashi.server.manuals.wrapped_lines import sentence_lines
from morenashi.server.reading import FileText

WRAPPED = """# Travel

You may be reimbursed for your expenses from official travel, or any other
approved expense paid for via personal funds, by creating a voucher in the
system. Do it soon. If you do not yet have access to it, you can request it
by asking.

- An item that is so long that it has to be broken before the end of what it
  says.
- Another item, as long as the one before it and without a period at its end
- A third item.

| a cell of a table that is as wide as the lines of text above it | another |
| --- | --- |
| a row of the table that is as wide as the lines of text above it | another |

A short line
ends where its writer wanted.

この文は幅に合わせて途中で折り返してあるので、一行だけを読んでも何を言っている
のか分からない。
"""


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (3, (3, 5)),
        (4, (3, 5)),
        (5, (3, 6)),
        (6, (5, 6)),
        (8, (8, 9)),
        (9, (8, 9)),
        (10, (10, 10)),
        (11, (11, 11)),
        (13, (13, 13)),
        (15, (15, 15)),
        (17, (17, 17)),
        (18, (18, 18)),
        (20, (20, 21)),
    ],
)
def test_the_lines_of_a_sentence_are_those_that_go_on(line: int, lines: tuple[int, int]) -> None:
    assert sentence_lines(FileText(WRAPPED, "md"), line) == lines


def test_of_a_long_sentence_the_line_stands_alone() -> None:
    text = "".join(f"{'long ' * 30}{number}\n" for number in range(9))
    assert sentence_lines(FileText(text, "md"), 5) == (5, 5)


def test_no_sentence_goes_on_over_more_than_three_lines_to_either_side() -> None:
    text = "".join(f"{'x' * 55} {number:04}\n" for number in range(20))
    assert sentence_lines(FileText(text, "md"), 10) in {(7, 13), (10, 10)}
