"""Many strings looked for together."""

from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.fixed_strings import FixedStrings

_LETTERS = "aab x'除限をい\u00e9\u3400𠮟\n"
_strings = st.text(_LETTERS, min_size=1, max_size=4)


@given(st.lists(_strings, max_size=12), st.text(_LETTERS, max_size=60))
def test_every_place_of_every_string_is_found(strings: list[str], text: str) -> None:
    places = {
        string: [place for place in range(len(text)) if text.startswith(string, place)] for string in set(strings)
    }
    assert FixedStrings(strings).find(text) == {string: found for string, found in places.items() if found}


def test_strings_with_one_kanji_in_common_are_told_apart() -> None:
    found = FixedStrings(["を除", "除外", "除", "外"]).find("除外を除く")
    assert found == {"を除": [2], "除外": [0], "除": [0, 3], "外": [1]}
