"""JSON as it is searched, without its escapes."""

from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.json_escapes import raw_columns, unescape


@given(
    st.lists(st.sampled_from(["a", "\\u70b9", "\\ud83d\\ude00", "\\n", '\\"', "\\\\", "\\", "\\u12"]), max_size=12).map(
        "".join
    )
)
def test_the_columns_of_a_line_as_it_is_read_lead_to_what_stands_there(line: str) -> None:
    readable = unescape(line)
    columns = raw_columns(line, range(len(readable)))
    assert [unescape(line[column:])[:1] for column in columns] == list(readable)
    assert raw_columns(line, [len(readable)]) == [len(line)]


def test_an_escaped_line_break_breaks_no_line() -> None:
    assert unescape(r"a\nb\u000ac\u000Dd\re\u0085") == "a b c d e\u0085"
