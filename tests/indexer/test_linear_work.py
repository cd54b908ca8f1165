"""Files made to stall the parser, which the keeper runs in a thread of its own. They are parsed in a process that is
ended when it takes as much processor time as only more than linear work can need: at these sizes, linear work takes a
fifth of it."""

import pytest

from ..examples import Rounds
from ..limited_work import RunWithin

CPU_SECONDS, SOAK_CPU_SECONDS = 8, 30
_PARSE = """
import sys
from morenashi.indexer.documents import parse_document
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.dictionaries import load_dictionaries
from pathlib import Path
finder = ExceptionFinder(load_dictionaries(Path("no-dictionaries-of-its-own")).exceptions)
file_type, characters, *pieces = sys.argv[1:]
for piece in pieces:
    text = piece * (int(characters) // len(piece) + 1)
    assert parse_document(text.encode(), file_type, finder, "試験法.md").status == "indexed"
"""
_NEST = """
from morenashi.indexer.markdown import Heading, sections_under
count = 200_000
for levels in (1, 6):
    sections_under([Heading(line, line % levels + 1, "a") for line in range(1, count + 1)], "# a\\n" * count)
"""
_GOVERN = """
from morenashi.indexer.exception_scope import Layout
layout = Layout("次の者を除く：\\n\\n" + "- 甲\\n" * 20_000, [], [])
for _ in range(2_000):
    assert layout.governed_lines(0, "exclusion", starts_line=False) == (0, 20_001)
"""
_NAME = """
from morenashi.indexer.references.named_documents import NamedDocument, NamedDocuments
count = 15_000
documents = NamedDocuments(NamedDocument(n, f"{n}/index.md", ("概要",)) for n in range(count))
for n in range(count):
    assert documents.find("概要", str(n)) == n
    assert documents.find(f"/{n}/missing/index", "") is None
"""
_POINT = r"""
from morenashi.indexer.json_text import end_of, find_values, offset_of, pointers_at
text = '{"a": "' + '\\"' * 100_000
assert pointers_at(text, [len(text) - 1]) == ["/a"]
assert offset_of(text, "/b") is None
assert end_of(text, 0) == len(text)
assert find_values(text).at("a").start == 1
"""
_MAKE_CLAIM_TOKENS = """
import sys
from morenashi.indexer.claim_tokens import length_of, searchable, token_kinds
for unit in sys.argv[1:]:
    text = searchable((unit * (60_000 // len(unit) + 1))[:60_000])
    assert length_of(text) >= 0 and len(token_kinds(text)) < 100
"""
ONE_LINE = {
    "signs": [
        "（",
        "）",
        "「",
        "」",
        "[",
        "](",
        "[[",
        "`",
        "``",
        "\\",
        "!",
        "](a(",
        "[a][",
        "{% ",
        "[a](b) ",
        "<a id=",
    ],
    "numbers": ["第", "第三", "〇", "〇" * 50, "1", "1,", "の二", "section "],
    "citations": [
        "第三条、",
        "及び",
        "法",
        "に関する法律",
        "同法第一条（",
        "同規約別表、",
        "第一条から",
        "「第三条」とあるのは",
    ],
    "places by number": ["see 1.1, ", "1.1 and ", "1.1、", "規程の", "1.1による", "SOP-1-", "様式2-", "第三章の二の"],
    "enumerations": [
        "別表1及び",
        "、1",
        "第1条、1条",
        "様式1-",
        "から1まで",
        "民法第1条、" + "の111項" * 37 + "並に第2条\n",
    ],
    "captions": ["図1、", "表1～", "図1 a\n\n", "Table 1, ", "<a>図", "上記1.1、", "図表"],
    "places beside": ["# a\n\nThe next section. ", "## 第三章\n\n前章", "**1. a** ", 'under "', "「a」で確認"],
    "links that show places": ["".join(f"[第{number}条](b)、" for number in range(1, 6_000))],
    "relations": [
        "第三条を準用する。",
        "第三条に準ずる",
        "前条第二項の",
        "（以下「法」という。）",
        "ただし、",
        "を除き",
    ],
}
BLOCKS = {
    "headings": ["# a\n", "# a\n## b\n", "a\n=\n", "# 第三条\n前条\n"],
    "lists": ["- a\n", "1. ただし、この限りでない\n", "- a\n\n  b\n\n"],
    "quotes and code": ["> a\n", "> a\nb\n", "```\nx\n```\n", "    a\n", "<!-- a -->\n", "<div>\n"],
    "tables": ["|第三条|を除く|\n", "|a|b|\n|-|-|\n|c|d|\n"],
    "links": ["[a](b.md)\n", "[[a]]\n", "[a]: b.md\n", "<a href='b.md'>", "<a href=", "<a "],
}
HEADINGS = {
    "a long gap": "# 設定" + " " * 100_000 + "{#setup\n",
    "a long gap before an anchor": "# 設定" + " " * 100_000 + "b {#setup}\n",
    "badges and a word": "# 設定" + " ![a](b)" * 20_000 + " a\n",
    "spans": "# 設定" + "<span></span>" * 100_000 + "\n",
}
JSON = {
    "phrases": ["😀" + "those apart from " * 100_000],
    "json": ["[", '{"a":', "[1,", "\\u3042", '"aaaa",', '"a', "1e"],
}


def parse(run_within: RunWithin, rounds: Rounds, file_type: str, characters: int, pieces: list[str]) -> None:
    """Files of so many characters, with --soak four times as many."""
    cpu_seconds, size = rounds(CPU_SECONDS, SOAK_CPU_SECONDS), rounds(characters, 4 * characters)
    run_within(cpu_seconds, _PARSE, file_type, str(size), *pieces)


@pytest.mark.parametrize("pieces", ONE_LINE.values(), ids=ONE_LINE)
def test_hostile_lines_are_read_in_linear_work(run_within: RunWithin, pieces: list[str], rounds: Rounds) -> None:
    parse(run_within, rounds, "md", 25_000, [*pieces, *(piece + "\n" for piece in pieces)])


@pytest.mark.parametrize("pieces", BLOCKS.values(), ids=BLOCKS)
def test_files_of_very_many_blocks_are_read_in_linear_work(
    run_within: RunWithin, pieces: list[str], rounds: Rounds
) -> None:
    parse(run_within, rounds, "md", 40_000, pieces)


@pytest.mark.parametrize("marks", ["\u0300\u0316", "\u0f73\u0316", "\uff9e\u0316"])
def test_very_many_marks_are_put_in_order_in_linear_work(run_within: RunWithin, marks: str, rounds: Rounds) -> None:
    parse(run_within, rounds, "md", 160_000, [marks])


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
def test_a_very_long_heading_is_read_in_linear_work(run_within: RunWithin, heading: str, rounds: Rounds) -> None:
    parse(run_within, rounds, "md", 50_000, [heading])


@pytest.mark.parametrize("pieces", JSON.values(), ids=JSON)
def test_hostile_json_is_read_in_linear_work(run_within: RunWithin, pieces: list[str], rounds: Rounds) -> None:
    parse(run_within, rounds, "json", 40_000, pieces)


def test_the_sections_of_very_many_headings_are_found_in_linear_work(run_within: RunWithin) -> None:
    run_within(CPU_SECONDS, _NEST)


def test_the_items_below_many_expressions_are_looked_for_once(run_within: RunWithin) -> None:
    run_within(CPU_SECONDS, _GOVERN)


def test_one_of_very_many_documents_of_one_name_is_found_without_looking_at_all(run_within: RunWithin) -> None:
    run_within(CPU_SECONDS, _NAME)


def test_a_string_of_json_that_nothing_closes_is_read_once(run_within: RunWithin) -> None:
    run_within(CPU_SECONDS, _POINT)


def test_long_claims_are_taken_apart_in_linear_work(run_within: RunWithin) -> None:
    run_within(
        CPU_SECONDS, _MAKE_CLAIM_TOKENS, "a", "A", "aA", "1", "a1", "あ", "漢", "ｱ", "a\u0301", "x_", "第1条", "1-"
    )
