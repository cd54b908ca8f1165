"""What is read of an artifact before its structure is: tables of contents, and tables of delimited text."""

import pytest

from morenashi.server.artifacts.contents import contents_lines
from morenashi.server.artifacts.delimited import read_delimited


@pytest.mark.parametrize(
    ("lines", "contents"),
    [
        (["- [一](#1)", "- [二](#2)", "- [三](#3)"], {1, 2, 3}),
        (["題", "1. [一](#1)", "", "* [二](#2) | [二の二](#22)", "  - [三](#3)", "本文"], {2, 4, 5}),
        (["- [一](#1)", "- [二](#2)", "本文", "- [三](#3)"], set()),
        (["- [一](#1)", "- [二](#2)"], set()),
        (["- [一](#1) を見よ", "- [二](#2) を見よ", "- [三](#3) を見よ"], set()),
        (["- [一](a.md)", "- [二](b.md)", "- [三](c.md)"], set()),
    ],
)
def test_a_table_of_contents_is_links_to_sections_and_nothing_else(lines: list[str], contents: set[int]) -> None:
    assert contents_lines(lines) == contents


def test_comments_of_a_delimited_text_are_kept_and_are_no_rows() -> None:
    lines = ["# terminals: END", "id,next", "", "  // a remark", "a,b", "#1,END"]
    table = read_delimited(lines, 11)
    assert table is not None
    assert table.comments == ("# terminals: END", "// a remark")
    assert [(row.line, row.cells) for row in (table.header, *table.rows)] == [
        (12, ("id", "next")),
        (15, ("a", "b")),
        (16, ("#1", "END")),
    ]
