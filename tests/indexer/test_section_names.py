"""What the places of a document are called, where headings begin them."""

import pytest

from .citing import parse, shown

SUPPLEMENTED = """# 試験法

## 第一条（目的）

本文。

## 第二条

前条の規定による。附則第一条による。

## 附則

### 第一条（施行期日）

公布の日から施行する。

### 第二条

前条、第二条及び附則第一条による。

## 附則（平成十年法律第三号）

### 第一条

前条。

### 第二条

前条による。第二条の規定による改正後の附則第一条による。
"""


def test_supplementary_provisions_count_by_themselves() -> None:
    by_line: dict[int, list[str]] = {}
    for reference in parse(SUPPLEMENTED).references:
        by_line.setdefault(reference.line, []).append(shown(reference))
    assert by_line == {
        9: ["条1", "附則1条1"],
        19: ["附則1条1", "条2"],
        25: ["前条"],
        29: ["附則2条1", "改正法 条2"],
    }


def test_joint_and_branched_headings_are_passed_in_order() -> None:
    text = "## 第一条\n\n## 第二条から第四条まで　削除\n\n## 第四条の二\n\n前条、前二条\n\n## 第五条\n\n前条\n"
    found = parse(text)
    assert {place.name for place in found.names} >= {"条1", "条2", "条3", "条4", "条4-2", "条5"}
    assert [shown(reference) for reference in found.references] == ["条4", "条3-条4", "条4-2"]


@pytest.mark.parametrize(
    ("heading", "articles"),
    [
        ("第三条の二から第三条の四まで", {"条3-2", "条3-3", "条3-4"}),
        ("第三条の四から第三条の二まで", {"条3-4", "条3-2"}),
        ("第三条の二から第四条の三まで", {"条3-2", "条4-3"}),
        ("第五条から第三条まで", {"条5", "条3"}),
        ("第３条～第５条", {"条3", "条4", "条5"}),
        ("第3条 - 第5条", {"条3", "条4", "条5"}),
        ("第三条・第五条", {"条3", "条5"}),
    ],
)
def test_a_joint_heading_names_what_lies_between_its_numbers(heading: str, articles: set[str]) -> None:
    assert {place.name for place in parse(f"## {heading}　削除\n").names if place.name.startswith("条")} == articles


def test_chapters_before_and_after_are_those_beside_the_one_it_stands_in() -> None:
    chapters = ("次章", "前章、次章、前節、次節", "前章")
    articles = "".join(
        f"## 第{n}章\n\n### 第2節\n\n#### 第{n}条\n\n{said}による。\n\n" for n, said in enumerate(chapters, 2)
    )
    assert [shown(reference) for reference in parse(articles).references] == [
        "章3",
        "章2",
        "章4",
        "章3節1",
        "章3節3",
        "章3",
    ]


def test_what_comes_after_a_joint_heading_comes_after_its_last_article() -> None:
    found = parse("## 第一条及び第三条　削除\n\n次条\n\n## 第四条\n\n## 第五条\n")
    assert [shown(reference) for reference in found.references] == ["条4"]
    assert "条2" not in {place.name for place in found.names}


@pytest.mark.parametrize(("text", "line"), [("前文\n\n# 題\n", 3), ("# 甲\n\n# 乙\n", 1), ("前文\n\n## 節\n", 1)])
def test_the_document_is_its_title_and_not_what_stands_before(text: str, line: int) -> None:
    assert [place.line for place in parse(text).names if place.name == ""] == [line]


def test_paragraphs_have_lines() -> None:
    text = "## 第一条\n\n（目的）\n\n一項。\n\n２　二項。\n\n- 一　号\n\n③　三項。\n\n2020 年の話。\n"
    places = {place.name: place.line for place in parse(text).names if "項" in place.name}
    assert places == {"条1項1": 5, "条1項2": 7, "条1項3": 11}


def test_headings_are_named_by_their_letters_and_copies_are_counted() -> None:
    text = "# [Set-up](x.md) of [[page|Words]], [[more]]\n\n## Copy\n\n## Copy {#own}\n\n## ***\n"
    places = {place.name: place.line for place in parse(text, "guide.md").names if place.name.startswith("~")}
    assert places == {"~setupofwordsmore": 1, "~copy": 3, "~own": 5, "~copy1": 5}


@pytest.mark.parametrize("marks", ["**{}**", "__{}__", "*{}*", "**{}** "])
def test_emphasis_in_a_heading_is_no_part_of_its_number(marks: str) -> None:
    chapter, article = marks.format("第2章　休暇"), marks.format("第5条（届出）")
    text = f"## {chapter}\n\n### {article}\n\n1. 届け出る。\n2. 第2章による。第5条による。\n"
    rules = parse(text)
    assert {"章2": 1, "条5": 3, "条5項2": 6}.items() <= {place.name: place.line for place in rules.names}.items()
    assert not rules.references
