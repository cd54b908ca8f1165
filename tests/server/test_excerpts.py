"""What is given of a section that was found, where many are read at once."""

import pytest

from morenashi.server.manuals.excerpts import excerpt
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


def candidate(line: int) -> Candidate:
    return Candidate("m", "x.md", "md", 1, line, 0, (), 1.0, {"terms": {"点検": [line]}})


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
