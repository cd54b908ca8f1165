"""From headings to sections: what lies under which."""

from itertools import pairwise

import pytest
from hypothesis import given

from morenashi.indexer.markdown import Section, parse_blocks, split_sections
from morenashi.indexer.text import count_lines

from .texts import markdown_texts


def outline(text: str) -> list[tuple[int, str, int, int, int]]:
    return [(s.level, s.title, s.start_line, s.own_end_line, s.end_line) for s in split_sections(text)]


def test_a_section_ends_before_the_next_heading_of_its_level() -> None:
    text = "# 一\n本文\n## 一の一\n本文\n## 一の二\n# 二\n本文\n"
    assert outline(text) == [(1, "一", 1, 2, 5), (2, "一の一", 3, 4, 4), (2, "一の二", 5, 5, 5), (1, "二", 6, 7, 7)]


def test_a_section_lies_under_the_nearest_heading_above_its_level() -> None:
    sections = split_sections("# 一\n### 深い\n## 二\n### 三\n# 四\n")
    assert [section.parent for section in sections] == [None, 0, 0, 2, None]


def test_text_before_the_first_heading_is_a_section_of_its_own() -> None:
    assert outline("前文\n\n# 一\n") == [(0, "", 1, 2, 2), (1, "一", 3, 3, 3)]


def test_the_text_before_the_first_heading_is_nobodys_parent() -> None:
    assert [section.parent for section in split_sections("前文\n# 一\n## 二\n")] == [None, None, 1]


def test_blank_lines_before_the_first_heading_are_no_section() -> None:
    assert outline("\n  \n# 一\n") == [(1, "一", 3, 3, 3)]


def test_front_matter_is_text_before_the_first_heading() -> None:
    assert outline("---\ntitle: x\n---\n# 一\n") == [(0, "", 1, 3, 3), (1, "一", 4, 4, 4)]


def test_headings_without_a_body_are_sections_of_one_line() -> None:
    assert outline("# 一\n# 二") == [(1, "一", 1, 1, 1), (1, "二", 2, 2, 2)]


def test_the_same_heading_twice_makes_two_sections() -> None:
    assert outline("## 附則\nA\n## 附則\nB\n") == [(2, "附則", 1, 2, 2), (2, "附則", 3, 4, 4)]


def test_a_text_without_headings_is_one_section_from_line_one() -> None:
    assert outline("一\n二\n三") == [(0, "", 1, 3, 3)]


def test_a_text_of_blank_lines_is_one_section() -> None:
    assert outline("\n\n") == [(0, "", 1, 2, 2)]


def test_an_empty_text_is_one_section() -> None:
    assert outline("") == [(0, "", 1, 1, 1)]


@given(markdown_texts)
def test_own_ranges_partition_the_file_from_the_first_section_on(text: str) -> None:
    sections = split_sections(text)
    assert all(section.start_line <= section.own_end_line <= section.end_line for section in sections)
    assert all(before.own_end_line + 1 == after.start_line for before, after in pairwise(sections))
    assert sections[-1].own_end_line == max(1, count_lines(text))


@given(markdown_texts)
def test_what_is_before_the_first_section_is_blank(text: str) -> None:
    before = text.split("\n")[: split_sections(text)[0].start_line - 1]
    assert not "".join(before).strip()


@given(markdown_texts)
def test_a_section_ends_where_its_last_descendant_ends(text: str) -> None:
    sections = split_sections(text)
    for position, section in enumerate(sections):
        inside = [s for n, s in enumerate(sections) if n == position or _descends(sections, n, position)]
        assert section.end_line == max(s.own_end_line for s in inside)


@given(markdown_texts)
def test_a_parent_stands_before_its_child_and_has_a_lower_level(text: str) -> None:
    sections = split_sections(text)
    for position, section in enumerate(sections):
        if section.parent is not None:
            assert section.parent < position
            assert 0 < sections[section.parent].level < section.level


@given(markdown_texts)
def test_every_heading_has_its_section(text: str) -> None:
    headings = [(heading.line, heading.level, heading.title, heading.anchor) for heading in parse_blocks(text).headings]
    sections = [(s.start_line, s.level, s.title, s.anchor) for s in split_sections(text) if s.level]
    assert sections == headings


def _descends(sections: list[Section], position: int, ancestor: int) -> bool:
    parent = sections[position].parent
    while parent is not None and parent != ancestor:
        parent = sections[parent].parent
    return parent == ancestor


@pytest.mark.parametrize(
    ("front_matter", "title"),
    [
        ("title: Scheduled jobs", "Scheduled jobs"),
        ("weight: 5\ntitle: Jobs # the first page\nlinks: []", "Jobs"),
        ('title: "Jobs: \\"cron\\" | Guide"', 'Jobs: "cron" | Guide'),
        ("title: 'The page''s title'", "The page's title"),
        ("title: >\n  folded\n  over lines", ""),
        ("menu:\n  title: Menu", ""),
    ],
)
def test_a_page_without_a_heading_of_the_first_level_has_the_title_of_its_front_matter(
    front_matter: str, title: str
) -> None:
    page = f"---\n{front_matter}\n---\n\nText.\n\n"
    assert [(s.level, s.title) for s in split_sections(f"{page}## Below\n")] == [(0, title), (2, "Below")]
    assert [(s.level, s.title) for s in split_sections(page)] == [(0, title)]
    assert [(s.level, s.title) for s in split_sections(f"{page}# Own\n")] == [(0, ""), (1, "Own")]
