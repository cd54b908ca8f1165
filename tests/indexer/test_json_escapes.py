"""JSON as it is searched, without its escapes."""

import json
import re
from collections.abc import Callable

import pytest
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


def in_capitals(text: str) -> str:
    return re.sub(r"(?<=\\u)[0-9a-f]{4}", lambda match: match[0].upper(), text)


# Of all planes, and of all pairs of surrogates a part.
SIGNS = [chr(code) for code in range(0, 0x11_0000, 0x101) if not 0xD800 <= code < 0xE000]


@pytest.mark.parametrize("spell", [str, in_capitals])
def test_an_escape_is_what_json_says_that_it_stands_for(spell: Callable[[str], str]) -> None:
    text = "".join(SIGNS) + '"\\/\\u7089\b\f\t'
    assert unescape(spell(json.dumps(text)[1:-1])) == text
    assert unescape(r"\/") == "/"


@pytest.mark.parametrize("text", [r"\ud800", r"\udc00\ud800", r"\u12", r"\x", r"a\ ", "\\"])
def test_what_is_no_escape_stays(text: str) -> None:
    assert unescape(text) == text


def test_an_escaped_line_break_breaks_no_line() -> None:
    assert unescape(r"a\nb\u000ac\u000Dd\re\u0085") == "a b c d e\u0085"
