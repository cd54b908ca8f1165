"""Documents that Japanese text cites as a whole."""

import pytest

from .citing import parse

TITLE = "就業規則"


def cited(line: str) -> list[str]:
    """What a line of 就業規則 cites as a whole."""
    found = parse(f"# {TITLE}\n\n## 第1条\n\n{line}\n", f"{TITLE}.md").references
    return [str(one.called) for one in found if one.kind == "document"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("賃金は、別に定める賃金規程により支給する。", ["賃金規程"]),
        ("旅費は「出張旅費規程」に沿って精算し、**経費規程**にも従う。", ["出張旅費規程", "経費規程"]),
        ("情報セキュリティ基本方針（2024年改定）に基づき扱う。", ["情報セキュリティ基本方針"]),
        ("別途定める育児・介護休業等に関する規程の定めるところによる。", ["育児・介護休業等に関する規程"]),
        ("文書規程、「経理規程」及び旅費規程に定めるものを除く。", ["文書規程", "経理規程", "旅費規程"]),
        ("文書規程・経理規程を遵守する。", ["文書規程", "経理規程"]),
        ("「賃金規程」並びに労働基準法その他の法令の定めるところによる。", ["賃金規程"]),
        ("賃金規程で無給と定められた日、旅費規程の研修に関する定めによる。", ["賃金規程", "旅費規程"]),
        ("法人の定款に違反した者、用語集を参照。当社文書規程をご覧ください。", ["定款", "用語集", "文書規程"]),
        ("詳しくは運用手順書を参照する。在宅勤務ガイドラインに従う。", ["運用手順書", "在宅勤務ガイドライン"]),
    ],
)
def test_a_document_that_a_text_goes_by_is_cited(line: str, expected: list[str]) -> None:
    assert cited(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "この規程により、本規程に基づき、同規程に定める。規則で定める。諸規程に従う。",
        "前条の規定による。納期限に関する規定の適用による。当該規約に定める。",
        "就業規則に定める日、「就業規則」による。",
        "他社の旅費規程による。この旅費規程に定める。その定款に従う。従前の旅費規程による。",
        "賃金規程を改める。賃金規程の写しを渡す。賃金規程及び旅費規程がある。",
        "所得税法による。民法の定めるところによる。",
        "賃金規程第3条に定める額。",
        "[賃金規程](https://example.com/)による。",
        "`賃金規程`による。",
    ],
)
def test_what_is_no_other_document_that_a_text_goes_by_is_not_cited(line: str) -> None:
    assert cited(line) == []


def test_a_document_is_cited_from_where_its_name_begins() -> None:
    found = parse(f"# {TITLE}\n\n## 第1条\n\n額は、別途定める「賃金規程」による。\n", f"{TITLE}.md").references
    assert [(one.line, one.column, one.text, one.name) for one in found] == [(5, 9, "賃金規程", "")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("廃油の処理は「環境管理手順書 E-07」による。", ["e-07"]),
        (
            "測定器は校正済みのものを使う（→ 手順書F-09）。規程QM-02-1、マニュアル C-12",
            ["f-09", "qm-02-1", "c-12"],
        ),
        ("手順書B-03の5章、手順書B-03第2条、手順書B-03 3.2節による。", []),
        ("手順書B-03.1の5章による。", []),
        ("本手順書B-03による。就業規則A-01に定める。", []),
        ("本社規程A-02に定める。", ["a-02"]),
        ("手順書-03、ガイドISO-、仕様書 A4-用紙", []),
    ],
)
def test_a_document_is_cited_by_its_number_behind_its_kind(line: str, expected: list[str]) -> None:
    found = parse(f"# {TITLE}（A-01）\n\n{line}\n", f"{TITLE}.md").references
    assert [one.called for one in found if one.kind == "document"] == expected


def test_an_article_of_a_document_with_a_number_is_not_the_own_one() -> None:
    text = "# 手順\n\n## 第5条\n\n一。\n\n## 第6条\n\n手順書B-03の第5条と「規程 A-1」第5条による。本手順書C-01第5条。\n"
    found = [(one.called, one.name) for one in parse(text, "C-01_手順.md").references]
    assert found == [("b-03", "条5"), ("a-1", "条5"), (None, "条5")]
