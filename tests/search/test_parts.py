"""A passage is read in parts of whole sentences, and is as near as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.ranking.parts import nearness, parts

SENTENCE = "装置を止めるときは、先に弁を閉じ、圧力が下がったことを計器で確かめてから電源を切る。"
LINE = "Close the valve before the pump is stopped, and wait until the gauge reads zero."


@given(st.text(st.sampled_from("あ。\n.!? x"), max_size=400))
def test_the_parts_together_are_the_text(text: str) -> None:
    assert "".join(parts(text)) == text


def test_sentences_are_put_together_until_a_part_is_long_enough() -> None:
    assert parts(SENTENCE * 4) == [SENTENCE * 2, SENTENCE * 2]


def test_an_english_sentence_ends_before_a_space_and_not_in_a_number() -> None:
    assert parts(f"{LINE} {LINE}") == [LINE, f" {LINE}"]
    assert parts(f"Version 1.{'2' * 80}") == [f"Version 1.{'2' * 80}"]


def test_a_short_rest_is_no_part_of_its_own() -> None:
    assert parts(f"{SENTENCE * 2}以上。") == [f"{SENTENCE * 2}以上。"]
    assert parts("以上。") == ["以上。"]


cosines = st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=14)


@given(cosines)
def test_a_passage_is_no_nearer_than_its_nearest_part_and_no_farther_than_their_mean(cosines: list[float]) -> None:
    assert sum(cosines) / len(cosines) - 1e-9 <= nearness(cosines) <= max(cosines) + 1e-9


def test_one_near_part_among_others_counts_more_than_all_that_are_half_as_near() -> None:
    assert nearness([0.90, 0.80, 0.80]) > nearness([0.85, 0.85, 0.85])


def test_a_passage_of_one_part_is_as_near_as_that() -> None:
    assert nearness([0.8]) == pytest.approx(0.8)
