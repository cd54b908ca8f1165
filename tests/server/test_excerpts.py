"""What is given of a section that was found, where many are read at once."""

from typing import Any

import pytest

from morenashi.server.manuals.excerpts import OF_THE_BEST, Limits, Places, excerpt, matching_lines
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate

from ..limited_work import RunWithin

CPU_SECONDS = 4
_CUT_OUT = """
import sys
from morenashi.server.manuals.excerpts import Limits, excerpt, matching_lines
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate
lines = [*range(3, 40_000, 2)]
found = Candidate("m", "x.md", "md", 1, 3, 0, (), 1.0, {"terms": {"点検": lines, "検": lines}})
if sys.argv[1] == "lines":
    file = FileText("# 章\\n\\n" + "点検\\n\\n" * len(lines), "md")
    assert not matching_lines(file, found).is_whole
    assert len(excerpt(file, found, [3], Limits.named(20_000)).places) > 1_000
else:
    file = FileText("# 章\\n\\n点検[^a]\\n\\n# 注\\n\\n" + "[^a]: 注\\n" * 20_000, "md")
    for _ in range(20):
        assert excerpt(file, found, [3]).places
"""


def candidate(line: int, kind: str = "md", column: int = 0, **why: Any) -> Candidate:
    return Candidate("m", f"x.{kind}", kind, 1, line, column, (), 1.0, {"terms": {"点検": [line]}} | why)


def lines_of(file: FileText, places: Places) -> list[int]:
    """The numbers of the lines that are given, the title left out."""
    return [n for start, end in places for n in range(file.line_of(start), file.line_of(end - 1) + 1) if n > 1]


@pytest.mark.parametrize("what", ["lines", "footnotes"])
def test_a_section_with_many_that_match_is_cut_out_in_linear_time(run_within: RunWithin, what: str) -> None:
    run_within(CPU_SECONDS, _CUT_OUT, what)


def test_nothing_is_given_of_a_file_that_has_become_empty() -> None:
    assert excerpt(FileText("", "md"), candidate(1), [1]).places == []


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_an_excerpt_is_the_same_with_any_line_breaks(end: str) -> None:
    lines = ["# 章", "", "前置き。", "", "点検の本文。[^1]", "", "## 節", "", "長い文。" * 10, "", "[^1]: 注。"]
    file = FileText(end.join([*lines, ""]), "md")
    given = [file.part(*place).rstrip() for place in excerpt(file, candidate(5), [5]).places]
    assert given == [end.join(lines[:5]), "[^1]: 注。"]


def test_with_little_room_the_lines_with_most_of_the_question_are_given_and_of_equal_ones_the_first() -> None:
    file = FileText("# 章\n\n" + f"{'文' * 99}\n" * 40, "md")
    found = candidate(3, terms={"点検": [*range(3, 20), 30], "免除": [*range(20, 37), 30]})
    assert lines_of(file, matching_lines(file, found, Limits(parts=313, line=100)).places) == [3, 4, 30]


@pytest.mark.parametrize(("kind", "lines"), [("json", [40, 50, 60]), ("md", [39, 40, 50, 60, 61])])
def test_exceptions_are_given_that_stand_near_of_a_json_file_and_all_of_a_section(kind: str, lines: list[int]) -> None:
    file = FileText(f"{'文' * 1_000}\n" * 100, kind)
    found = candidate(50, kind, exceptions=[["m", f"x.{kind}", line, "ただし"] for line in (39, 40, 60, 61)])
    assert lines_of(file, excerpt(file, found, [50], Limits(parts=50_000, line=1_250)).places) == lines


@pytest.mark.parametrize("kind", ["md", "json"])
def test_a_line_that_is_no_longer_there_is_passed_over(kind: str) -> None:
    file = FileText(f"# 章\n[\n点検。]\n\n{'別の文。' * 1_000}\n{{}}", kind)
    found = candidate(3, kind, terms={"点検": [3, 3_000, 4_000]})
    given = lines_of(file, excerpt(file, found, [3], OF_THE_BEST).places)
    assert 3 in given
    assert file.lines not in given


def test_what_stands_in_the_next_section_is_not_given_with_the_paragraph_above_it() -> None:
    file = FileText("# 章\n\n" + "別の文。\n\n" * 1_000 + "点検。\n## 節\n別の節。\n", "md")
    assert lines_of(file, excerpt(file, candidate(2_003), [2_003]).places) == [2_003]


def test_of_a_line_that_an_answer_has_no_room_for_what_matches_is_given() -> None:
    file = FileText(f"# 章\n\n{'別の文。' * 250}点検。\n", "md")
    places = excerpt(file, candidate(3, column=1_000), [3], OF_THE_BEST.within(400, None)).places
    assert [("点検" in file.part(*place), place[1] - place[0]) for place in places[1:]] == [(True, 200)]


def test_a_line_that_is_longer_than_a_snippet_is_given_to_its_end() -> None:
    line = f'"{"文" * 1_230}点検"'
    file = FileText(f'["{"x" * 3_000}",\n{line}\n]', "json")
    (given,) = excerpt(file, candidate(2, "json"), [2]).places
    assert file.part(*given).startswith(line)


def test_where_a_section_does_not_fit_what_matches_of_it_is_given() -> None:
    file = FileText("# 章\n\n" + "別の文。\n\n" * 200 + "点検。\n", "md")
    assert file.lines < 500
    (title, given) = excerpt(file, candidate(403), [403], OF_THE_BEST.within(800, None)).places
    assert (file.part(*title), file.part(*given)) == ("# 章\n", "点検。\n")


def test_the_title_comes_with_what_matches_if_it_is_no_longer_than_a_line() -> None:
    for title, is_given in ((f"# {'題' * 700}", True), (f"# {'題' * 900}", False)):
        file = FileText(f"{title}\n\n" + "別の文。\n\n" * 1_000 + "点検。\n", "md")
        places = excerpt(file, candidate(2_003), [2_003]).places
        assert (places[0][0] == 0) == is_given


LEAD = "1. Content: the notice is in plain language and has to have, whoever it is sent to,\n   all of this:"
ITEMS = "    * when the 点検 was;\n    * who was there."


@pytest.mark.parametrize("are_lines", [True, False])
def test_what_leads_in_a_list_that_matches_is_given_with_it_to_the_end_of_its_sentence(*, are_lines: bool) -> None:
    others = "\n\n".join(f"1. {'Other words. ' * 20}" for _ in range(12))
    text = f"# Rules\n\n{others}\n\n{LEAD}\n\n{ITEMS}\n\n{others}\n"
    file = FileText(text, "md")
    line = file.line_of(text.index("    * when"))
    found = candidate(line)
    places = matching_lines(file, found).places if are_lines else excerpt(file, found, [line]).places
    given = [line - 3, line - 2, line] if are_lines else [line - 3, line - 2, line, line + 1]
    assert lines_of(file, places) == given
