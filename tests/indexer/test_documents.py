"""A file's bytes to sections and passages."""

import random
from itertools import pairwise

import pytest
from hypothesis import given

from morenashi.indexer.documents import ParsedDocument, parse_document
from morenashi.indexer.exception_entries import read_entries
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.text import count_lines, normalise
from morenashi.indexer.tokens import PASSAGE_CHARACTERS

from ..workspaces import require_devset
from .texts import markdown_texts, texts

FINDER = ExceptionFinder(read_entries(["ただし", "except"], is_own=True))


def parse(content: str | bytes, file_type: str = "md") -> ParsedDocument:
    data = content if isinstance(content, bytes) else content.encode()
    document = parse_document(data, "json" if file_type == "json" else "md", FINDER)
    assert document.status != "unreadable"
    return document


def lines_of(document: ParsedDocument) -> list[tuple[int, str]]:
    """Every line that a passage covers, in order, with its number."""
    return [
        (passage.first_line + offset, line)
        for passage in document.passages
        for offset, line in enumerate(passage.text.split("\n"))
    ]


def assert_covers_every_line_once(text: str) -> None:
    document = parse(text)
    lines = normalise(text).split("\n")[: count_lines(text)]
    first = document.sections[0].start_line if document.sections else 1
    assert document.lines == len(lines)
    assert lines_of(document) == list(enumerate(lines, 1))[first - 1 :]
    assert all(before.last_line + 1 == after.first_line for before, after in pairwise(document.passages))


@given(markdown_texts)
def test_passages_cover_every_line_once_from_the_first_section_on(text: str) -> None:
    assert_covers_every_line_once(text)


@given(texts)
def test_passages_cover_every_line_of_awkward_text(text: str) -> None:
    # A carriage return would be a line break, a leading mark would be taken off.
    assert_covers_every_line_once(text.lstrip("\ufeff").replace("\0", "") + "\n終")


def test_passages_cover_every_line_of_all_material() -> None:
    files = sorted(require_devset("wide", "odd").glob("*.md")) + sorted(require_devset("manuals").rglob("*.md"))[::9]
    assert len(files) > 40
    for file in files:
        document = parse(file.read_bytes())
        numbers = [number for number, _ in lines_of(document)]
        start = document.sections[0].start_line if document.sections else 1
        assert numbers == list(range(start, document.lines + 1)), file.name


@given(markdown_texts)
def test_a_passage_lies_within_the_own_lines_of_its_section(text: str) -> None:
    document = parse(text)
    for passage in document.passages:
        section = document.sections[passage.section]
        assert section.start_line <= passage.first_line <= passage.last_line <= section.own_end_line


def test_a_passage_of_several_lines_is_no_longer_than_it_may_be() -> None:
    words = random.Random(1)
    text = "\n".join("語" * words.randrange(300) for _ in range(500))
    for passage in parse(text).passages:
        assert len(passage.text) <= PASSAGE_CHARACTERS or passage.first_line == passage.last_line


def test_a_passage_ends_at_a_blank_line_where_one_is_near() -> None:
    lines = ["文" * 100] * 12 + [""] + ["文" * 100] * 5
    assert [passage.last_line for passage in parse("\n".join(lines)).passages] == [13, 18]


def test_a_line_longer_than_a_passage_is_a_passage_of_its_own() -> None:
    document = parse(f"短い\n{'長' * 4000}\n短い\n")
    assert [(passage.first_line, passage.last_line) for passage in document.passages] == [(1, 1), (2, 2), (3, 3)]


def test_a_single_line_of_three_megabytes_is_one_passage() -> None:
    text = "旅費規程第3条の定め。" * 100_000
    document = parse(text)
    assert len(text.encode()) > 3_000_000
    assert [(p.first_line, p.last_line, len(p.text)) for p in document.passages] == [(1, 1, len(text))]


@pytest.mark.parametrize("line_break", ["\r\n", "\r"])
def test_line_breaks_of_any_kind_give_the_same_document(line_break: str) -> None:
    text = "前文\n\n# 第一章\n本文\n\n## 第二章\nただし\n"
    assert parse(text.replace("\n", line_break)) == parse(text)


def test_a_form_feed_and_a_line_separator_break_no_line() -> None:
    document = parse("# 一\x0c二\u2028三\u2029四\x85五\x0b六\n本文\n")
    assert document.lines == 2
    assert document.sections[0].end_line == 2


def test_a_missing_final_line_break_loses_no_line() -> None:
    assert parse("# 一\n本文").passages == parse("# 一\n本文\n").passages


def test_an_empty_file_has_no_lines_no_sections_and_no_passages() -> None:
    assert parse("") == ParsedDocument("indexed", encoding="utf-8")


def test_punctuation_is_named_once_in_the_order_of_ascii() -> None:
    assert parse("~ b_a(1)、(2)。\n").punctuation == "()_~"
    assert parse("届出").punctuation == ""


def test_an_undecodable_file_has_its_status_and_nothing_else() -> None:
    document = parse(random.Random(1).randbytes(3000))
    assert document.status == "encoding"
    assert document.problem
    assert (document.sections, document.passages) == ([], [])


def test_json_is_one_section_of_its_lines() -> None:
    document = parse('{\n  "Ａ": 1\n}\n', "json")
    assert [(s.level, s.title, s.start_line, s.end_line) for s in document.sections] == [(0, "", 1, 3)]
    assert [passage.text for passage in document.passages] == ['(\n "a": 1\n)']


def test_marks_in_json_are_no_headings() -> None:
    assert len(parse("[\n# 1\n]\n", "json").sections) == 1


def test_invalid_json_is_indexed_as_text_and_said() -> None:
    document = parse('{"a": 1,}\n', "json")
    assert (document.status, document.problem, document.lines) == ("indexed", "invalid_json", 1)
    assert document.passages


def test_an_exception_is_found_on_its_line() -> None:
    found = parse("# 一\n\nただし、次による。\nEXCEPT\n").exceptions
    assert [(term.line, term.term) for term in found] == [(3, "ただし"), (4, "except")]
