"""Citations that hold: what has become of cited lines after edits, told from digests alone."""

import dataclasses
import random
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.delivery.citations import CitedFile, State, Verdict
from morenashi.server.ranges import Range

from ..limited_work import RunWithin

NOTE = ["# 手引き", "", "申請は窓口で行う。", "期限は三十日。", "", "手数料は千円。", "", "以上"]


def verdict(before: list[str], span: Range, after: list[str]) -> Verdict:
    return CitedFile(after).judge(CitedFile(before).cite(span))


def test_untouched_lines_are_the_same() -> None:
    assert verdict(NOTE, (3, 4), NOTE) == Verdict("same")


def test_an_edit_elsewhere_leaves_them_the_same() -> None:
    assert verdict(NOTE, (3, 4), [*NOTE[:5], "手数料は二千円。", *NOTE[6:]]) == Verdict("same")


def test_lines_inserted_above_move_them() -> None:
    assert verdict(NOTE, (3, 4), ["前書き", "", *NOTE]) == Verdict("moved", (5, 6))


def test_lines_of_which_the_last_alone_stands_nowhere_else_are_found_where_they_moved() -> None:
    before = ["注意", "甲", "注意", "乙", "丙"]
    assert verdict(before, (3, 4), ["前書き", *before]) == Verdict("moved", (4, 5))


def test_one_word_changed_in_one_line_is_a_change() -> None:
    assert verdict(NOTE, (4, 4), [*NOTE[:3], "期限は六十日。", *NOTE[4:]]) == Verdict("changed")


def test_a_line_between_them_is_a_change() -> None:
    assert verdict(NOTE, (3, 4), [*NOTE[:3], "ただし書き。", *NOTE[3:]]) == Verdict("changed")


def test_lines_in_another_order_are_a_change() -> None:
    assert verdict(NOTE, (3, 4), [*NOTE[:2], NOTE[3], NOTE[2], *NOTE[4:]]) == Verdict("changed")


def test_deleted_lines_are_gone() -> None:
    assert verdict(NOTE, (3, 4), NOTE[:2] + NOTE[4:]) == Verdict("gone")


def test_lines_deleted_with_all_around_them_are_gone() -> None:
    assert verdict(NOTE, (3, 4), []) == Verdict("gone")


def test_lines_rewritten_with_their_neighbours_are_a_change() -> None:
    assert verdict(NOTE, (4, 4), [*NOTE[:2], "まったく別の文。", "もう一つの別の文。", *NOTE[6:]]) == Verdict("changed")


def test_lines_that_are_gone_with_the_eight_around_them_have_no_place_where_others_could_stand() -> None:
    above = [f"前 {number}" for number in range(8)]
    assert verdict([*above, "引用", "以上"], (9, 9), ["別の文。", "以上"]) == Verdict("gone")
    assert verdict([*above[1:], "引用", "以上"], (8, 8), ["別の文。", "以上"]) == Verdict("changed")


def test_where_neighbours_stand_together_more_than_once_those_nearest_to_each_other_say_what_stood_there() -> None:
    before = ["甲", "前", "申請", "後", "乙"]
    assert verdict(before, (3, 3), ["前", "他", "後", "丙", "前", "後"]) == Verdict("gone")
    assert verdict(before, (3, 3), ["前", "後", "丙", "前", "他", "後"]) == Verdict("gone")
    assert verdict(before, (3, 3), ["前", "丙", "丁", "戊", "前", "他", "後"]) == Verdict("changed")


def test_line_breaks_and_their_kind_make_no_difference() -> None:
    texts = [separator.join(NOTE) for separator in ("\n", "\r\n", "\r")]
    assert {verdict(NOTE, (3, 4), text.replace("\r\n", "\n").replace("\r", "\n").split("\n")) for text in texts} == {
        Verdict("same")
    }


def test_blank_lines_at_the_edges_are_no_part_of_a_citation() -> None:
    assert verdict(NOTE, (2, 5), [*NOTE[:4], *NOTE[5:]]) == Verdict("same")


def test_a_blank_line_inside_is_a_part_of_it() -> None:
    assert verdict(NOTE, (3, 6), [*NOTE[:4], *NOTE[5:]]) == Verdict("changed")


def test_lines_that_are_all_blank_are_the_same_or_gone() -> None:
    assert verdict(NOTE, (2, 2), NOTE) == Verdict("same")
    assert verdict(NOTE, (2, 2), [NOTE[0], "文", *NOTE[2:]]) == Verdict("gone")


def test_a_copy_that_was_there_before_is_not_taken_for_the_lines() -> None:
    before = ["甲", "注意", "乙", "丙", "丁", "注意", "戊"]
    assert verdict(before, (2, 2), ["甲", "乙", "丙", "丁", "注意", "戊"]) == Verdict("gone")


def test_of_several_places_the_one_with_the_same_surroundings_is_meant() -> None:
    before = [f"行{n}" for n in range(10)] + ["甲", "注意", "乙"] + ["丙", "注意", "丁"]
    after = [f"新{n}" for n in range(4)] + before
    assert verdict(before, (12, 12), after) == Verdict("moved", (16, 16))
    assert verdict(before, (15, 15), after) == Verdict("moved", (19, 19))


def test_of_places_that_are_alike_the_nearest_to_the_lines_is_meant_not_to_the_blanks_before_them() -> None:
    before = ["甲", "", "", "", "", "", "乙"]
    after = ["甲", "", "乙", "", "", "", "", "", "", "乙"]
    assert verdict(before, (6, 7), after) == Verdict("moved", (10, 10))


def test_a_copy_that_comes_to_stand_on_the_cited_line_says_the_same() -> None:
    before = ["甲", "注意", "乙", "丙", "注意", "丁"]
    assert verdict(before, (5, 5), ["一", "二", "三", *before]) == Verdict("same")


def test_the_last_copy_is_the_moved_one_if_its_neighbours_say_so() -> None:
    before = ["甲", "注意", "乙", "丙", "注意", "丁"]
    assert verdict(before, (5, 5), ["甲", "乙", "丙", "注意", "丁"]) == Verdict("moved", (4, 4))


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=14), st.data())
def test_all_copies_of_cited_lines_are_counted_those_that_overlap_too(lines: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    cited = lines[first - 1 : last]
    places = [start for start in range(len(lines)) if lines[start : start + len(cited)] == cited]
    assert CitedFile(lines).cite((first, last)).copies == len(places) - 1


_ALIKE = """
from morenashi.server.delivery.citations import CitedFile
lines = ["| 1 | 2 |"] * 60_000
cited = CitedFile(lines).cite((1, 30_000))
assert CitedFile(["#", *lines]).judge(cited).state == "moved"
"""


def test_many_lines_of_a_file_whose_lines_are_all_alike_take_linear_time(run_within: RunWithin) -> None:
    run_within(6, _ALIKE)


_EACH_ALIKE = """
from morenashi.server.delivery.citations import CitedFile
lines = ["| 1 | 2 |"] * 6_000
file, moved = CitedFile(lines), CitedFile(["#"] * 6_000 + lines)
for cited in [file.cite((line, line)) for line in range(1, 4_000)]:
    assert moved.judge(cited).state in ("moved", "gone")
"""


def test_each_of_many_lines_that_are_all_alike_is_found_again_in_linear_time(run_within: RunWithin) -> None:
    run_within(6, _EACH_ALIKE)


@pytest.mark.parametrize("inserted", [1, 40, 300])
def test_of_very_many_copies_the_one_with_the_same_neighbours_is_meant(inserted: int) -> None:
    before = [line for n in range(200) for line in (f"名{n}", "終", "")]
    after = [line for n in range(1_000, 1_000 + inserted) for line in (f"名{n}", "終", "文")] + before
    line = 302 + 3 * inserted
    assert verdict(before, (302, 302), ["", *after]) == Verdict("moved", (line + 1, line + 1))


@pytest.mark.parametrize("inserted", [1, 40, 300])
def test_of_very_many_copies_the_one_is_meant_that_has_the_same_neighbour_before_it(inserted: int) -> None:
    before = [line for n in range(200) for line in ("同", f"名{n}", "終")]
    after = [line for n in range(1_000, 1_000 + inserted) for line in ("同", f"名{n}", "終")] + before
    line = 303 + 3 * inserted
    assert verdict(before, (303, 303), ["", *after]) == Verdict("moved", (line + 1, line + 1))


@pytest.mark.parametrize("inserted", [1, 40, 300])
def test_of_very_many_copies_the_one_is_meant_that_has_the_same_neighbour_behind_it(inserted: int) -> None:
    before = [line for n in range(200) for line in ("始", f"名{n}", "同")]
    after = [line for n in range(1_000, 1_000 + inserted) for line in ("始", f"名{n}", "同")] + before
    line = 301 + 3 * inserted
    assert verdict(before, (301, 301), ["", *after]) == Verdict("moved", (line + 1, line + 1))


@pytest.mark.parametrize(
    ("span", "written"), [((1, 3), (1, 3)), ((2, 5), (3, 4)), ((3, 3), (3, 3)), ((7, 8), (8, 8)), ((5, 5), (5, 5))]
)
def test_of_a_range_those_lines_are_told_that_are_not_blank_at_its_edges(span: Range, written: Range) -> None:
    assert CitedFile(NOTE).written_lines(span) == written


def test_a_fingerprint_holds_no_text() -> None:
    fingerprint = CitedFile(NOTE).cite((3, 4))
    parts = dataclasses.astuple(fingerprint)
    stored = [part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part) for part in parts]
    assert [part for part in stored if "申請" in part or "三十日" in part] == []


@dataclass(eq=False)
class Line:
    """A line that is itself, whatever stands in it."""

    text: str


class Editor:
    """Random edits of a text whose lines are all different, which knows what became of each line."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = 0
        self.lines = [self.new() for _ in range(60)]

    def new(self) -> Line:
        self.number += 1
        return Line("" if self.random.random() < 0.15 else f"文 {self.number}")

    def edit(self) -> tuple[list[Line], dict[Line, str]]:
        """One edit: the lines that result, and the new texts of lines that were rewritten."""
        lines = self.lines[:]
        at, count = self.random.randrange(len(lines) + 1), self.random.randint(1, 6)
        kind = self.random.choice(["insert", "delete", "move", "rewrite"])
        if kind == "insert":
            lines[at:at] = [self.new() for _ in range(count)]
        elif kind == "delete":
            del lines[at : at + count]
        elif kind == "move":
            taken = lines[at : at + count]
            del lines[at : at + count]
            to = self.random.randrange(len(lines) + 1)
            lines[to:to] = taken
        else:
            written = [line for line in lines[at : at + count] if line.text]
            self.number += len(written)
            return lines, {line: f"別の文 {self.number - n}" for n, line in enumerate(written)}
        return lines, {}


def expected(before: list[Line], span: Range, after: list[Line], rewritten: dict[Line, str]) -> Verdict:
    """The verdict by what became of the lines themselves."""
    cited = before[span[0] - 1 : span[1]]
    while cited and not cited[0].text:
        cited = cited[1:]
    while cited and not cited[-1].text:
        cited = cited[:-1]
    start = before.index(cited[0])
    texts = [line.text for line in cited]
    places = (n for n in range(len(after)) if [line.text for line in after[n : n + len(cited)]] == texts)
    place = next(places, None)
    if place is not None and not any(line in rewritten for line in cited):
        return Verdict("same") if place == start else Verdict("moved", (place + 1, place + len(cited)))
    written = [line for line in cited if line.text]
    if any(line in after for line in written):
        return Verdict("changed")
    around = [line for line in before if line.text and line not in cited and line in after and line not in rewritten]
    above = [line for line in around if before.index(line) < start]
    below = [line for line in around if before.index(line) > start]
    low = after.index(above[-1]) if above else -1
    high = after.index(below[0]) if below else len(after)
    return Verdict("changed" if any(line.text for line in after[low + 1 : high]) else "gone")


@given(st.integers(0, 2**32))
def test_a_thousand_random_edits_bring_no_wrong_verdict(seed: int) -> None:
    editor = Editor(seed)
    for _ in range(10):
        total = len(editor.lines)
        first = editor.random.randint(1, total)
        span = first, min(first + editor.random.randint(0, 7), total)
        before = editor.lines
        texts = [line.text for line in before]
        after, rewritten = editor.edit()
        if any(texts[span[0] - 1 : span[1]]):
            new_texts = [rewritten.get(line, line.text) for line in after]
            assert verdict(texts, span, new_texts) == expected(before, span, after, rewritten)
        for line, text in rewritten.items():
            line.text = text
        editor.lines = after if len(after) > 20 else [editor.new() for _ in range(60)]


LINES = st.lists(st.sampled_from(["", "甲", "乙", "丙", "丁", "---"]), min_size=1, max_size=14)


@given(LINES, LINES, st.data())
def test_whatever_is_repeated_a_verdict_is_never_contradicted_by_the_texts(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, len(before)))
    span = first, data.draw(st.integers(first, len(before)))
    found = verdict(before, span, after)
    cited = before[span[0] - 1 : span[1]]
    if after[span[0] - 1 : span[1]] == cited:
        assert found.state == "same"
    if found.now:
        core = "\n".join(cited).strip("\n").split("\n")
        assert after[found.now[0] - 1 : found.now[1]] == core
    if found.state == "gone" and any(cited):
        alone = [line for line in cited if line and before.count(line) == cited.count(line)]
        assert not set(alone) & set(after)


def test_the_states_are_these() -> None:
    assert set(State.__args__) == {"same", "moved", "changed", "gone"}  # type: ignore[attr-defined]
