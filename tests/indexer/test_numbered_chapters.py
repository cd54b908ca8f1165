"""Headings with a bare number, which text cites as chapters or sections."""

import pytest

from .citing import parse, shown

PROCEDURE = """# 手順書

## 1. 概要

{line}

## 2. 発行

前章と次章による。第2章の{{もの}}。

### 2.1 受付

第3章で消す。

## 3. 削除
"""


def cited(text: str, path: str = "手順書.md") -> list[tuple[int, str]]:
    """(line, what it cites) in a document."""
    return [(one.line, shown(one)) for one in parse(text, path).references]


def test_numbered_headings_are_the_chapters_of_a_document_without_any() -> None:
    assert cited(PROCEDURE.format(line="第2章、3章、第１章。")) == [
        (5, "章2"),
        (5, "章3"),
        (9, "章1"),
        (9, "章3"),
        (13, "章3"),
    ]


def test_a_chapter_needs_no_mark_of_order_before_its_number() -> None:
    text = "# 手順書\n\n## 1章 概要\n\n第2章と3章。\n\n## 2章　発行\n\n## ３章：削除\n"
    assert cited(text) == [(5, "章2"), (5, "章3")]


@pytest.mark.parametrize(
    "text",
    [
        "# 規程\n\n## 1. 総則\n\n## 第2章 細則\n\n## 2. 附録\n",
        "# 規程\n\n## 1. 総則\n\n### 第1条\n\n## 2. 細則\n",
        "# 一覧\n\n## 1. 一\n\n## 3. 三\n\n## 2. 二\n",
        "# Guide\n\n## 1. One\n\n## 2. Two\n",
    ],
)
def test_other_numbers_are_no_chapters(text: str) -> None:
    assert {place.name for place in parse(text, "m.md").names if place.name.startswith("章")} <= {"章2"}
    assert "章1" not in {place.name for place in parse(text, "m.md").names}


def test_a_chapter_of_a_book_has_no_chapters_inside() -> None:
    assert cited("# 設定\n\n## 1. 準備\n\n第2章を見る。\n\n## 2. 開始\n", "ch04.md") == [(5, "chapter 2")]


def test_headings_whose_numbers_have_no_stop_are_sections_if_they_count_up() -> None:
    text = "# SOP\n\n## 1 Purpose\n\nSee § 3 and section 2.\n\n## 2 Scope\n\n## 3 Steps\n\n## Annex A\n"
    assert cited(text, "sop.md") == [(5, "section 3"), (5, "section 2")]
    assert not [place for place in parse("# A\n\n## 2 ways\n\n## 2025 plans\n").names if place.name == "section 2"]
    assert not [place for place in parse("# A\n\n## 2 ways\n\n## 3 steps\n").names if place.name == "section 2"]


AGREEMENT = "# {title}\n\n## 1. 定義\n\n{line}\n\n## 2. 許諾\n\n2.1 許諾する。\n\n## 3. 禁止\n\n前条の例外はない。\n"


def test_numbered_headings_of_a_contract_are_articles_too() -> None:
    text = AGREEMENT.format(title="使用許諾契約書", line="第2条第1項及び第3条、第2章による。")
    assert cited(text, "a.md") == [(5, "条2項1"), (5, "条3"), (5, "章2"), (13, "条2")]
    places = {place.name: place.line for place in parse(text, "a.md").names}
    assert (places["条2"], places["条2項1"], places["条3"]) == (7, 9, 11)


@pytest.mark.parametrize(
    ("title", "line"), [("契約の手引", "第2条による。"), ("使用許諾契約書", "第1条（定義）　定める。")]
)
def test_numbered_headings_of_a_handbook_or_above_articles_are_none(title: str, line: str) -> None:
    names = {place.name for place in parse(AGREEMENT.format(title=title, line=line), "a.md").names}
    assert "条2" not in names
