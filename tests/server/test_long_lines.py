"""What is given of a line that is too long to be given whole."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.manuals.long_lines import parts_of_line
from morenashi.server.reading import FileText

MOST_AROUND = 1_250
FILLING = ["長い文。", "か\u3099", "\u200b", "\U0001f600", "ﷺ", "x\u0301", " ", "\\", '"']


def parts(line: str, *terms: str, best: int | None = None, most: int = 800, kind: str = "md") -> list[str]:
    file = FileText(f"前の行\n{line}\n", kind)
    begin = file.start_of(2)
    given = parts_of_line(file, 2, terms, None if best is None else begin + best, most)
    return [file.part(start, end) for start, end in given]


def filled(*words: str, count: int = 2_000) -> str:
    """These words with as many characters before, between and behind them."""
    filling = "長" * count
    return filling + filling.join(words) + filling


def test_a_line_is_whole_if_it_is_no_longer_than_allowed() -> None:
    line = f"点検{'長' * 797}"
    assert parts(line, "点検") == [f"{line}\n"]
    assert len(parts(f"{line}長", "点検")[0]) == 800


@pytest.mark.parametrize(("most", "size"), [(800, 800), (5_000, MOST_AROUND)])
def test_each_match_is_given_in_the_middle_of_as_much_as_is_allowed(most: int, size: int) -> None:
    given = parts(filled("点検", "点検", count=5_000), "点検", most=most)
    half = "長" * (size // 2 - 1)
    assert given == [f"{half}点検{half}"] * 2


def test_matches_that_stand_near_each_other_are_given_together_and_others_apart() -> None:
    furthest = f"点検{'長' * 398}点検"
    (given,) = parts(filled(furthest), "点検")
    assert furthest in given
    near = "点検".join(["長" * 100] * 5)
    assert len(parts(filled(near, near), "点検")) == 2
    assert len(parts(filled("点検" + "点検".join(["長" * 300] * 5)), "点検")) == 3


@pytest.mark.parametrize("line", [f"点検{'長' * 2_000}", f"{'長' * 2_000}点検"])
def test_at_the_edge_of_a_line_as_much_is_given(line: str) -> None:
    (given,) = parts(line, "点検")
    assert (len(given), "点検" in given) == (800, True)


def test_the_best_match_comes_first_and_once() -> None:
    line = filled("点検一", "点検二", "点検三")
    given = parts(line, "点検", best=line.index("点検二"))
    assert [words for part in given for words in re.findall("点検.", part)] == ["点検二", "点検一", "点検三"]


def test_a_match_that_the_part_around_the_best_one_cuts_is_given_again() -> None:
    line = filled(f"最良{'長' * 397}点検")
    first, second = parts(line, "点検", best=line.index("最良"))
    assert first.endswith("長点")
    assert "点検" in second


def test_what_has_most_of_the_question_comes_before_what_says_one_word_of_it_often() -> None:
    given = parts(filled("点検点検点検", "点検と免除"), "点検", "免除")
    assert ["免除" in part for part in given] == [True, False]


def test_where_no_term_is_found_as_it_is_normalised_the_beginning_is_given() -> None:
    assert parts(filled("点検"), "別の語") == ["長" * 800]


def test_of_a_term_with_words_near_each_other_each_is_given() -> None:
    near = f"点検{'長' * 30}省く"
    given = parts(filled(near, "点検", near), "点検~省く")
    assert [near in part for part in given] == [True, True]


def test_a_term_longer_than_what_is_given_is_given_from_its_beginning() -> None:
    assert parts(filled("点検の手順書"), "点検の手順書", most=4) == ["点検の手"]


@given(
    st.lists(st.sampled_from(["点検", "免除"]) | st.tuples(st.sampled_from(FILLING), st.integers(1, 300)), max_size=12),
    st.integers(20, 2_000),
    st.sampled_from(["md", "json", "escaped"]),
    st.floats(0, 1),
)
def test_every_match_is_given_whole_in_a_part_that_is_not_too_long(
    pieces: list[str | tuple[str, int]], most: int, kind: str, best: float
) -> None:
    said = "".join(piece if isinstance(piece, str) else piece[0] * piece[1] for piece in pieces)
    line = said if kind == "md" else json.dumps(said, ensure_ascii=kind == "escaped")
    file = FileText(f"{line}\n", "md" if kind == "md" else "json")
    given = list(parts_of_line(file, 1, ["点検", "免除"], int(best * len(line)), most))
    written = "|".join(json.dumps(term, ensure_ascii=kind == "escaped").strip('"') for term in ("点検", "免除"))
    assert all(
        any(start <= match.start() and match.end() <= end for start, end in given)
        for match in re.finditer(written.replace("\\", r"\\"), line)
    )
    assert all(0 <= start <= end <= len(line) + 1 and end - start <= most for start, end in given)
