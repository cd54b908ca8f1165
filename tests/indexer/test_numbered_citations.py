"""Places that Japanese text names by the numbers of their headings, and appendices by their letters."""

import pytest

from morenashi.indexer.documents import parse_document
from morenashi.indexer.exceptions import ExceptionFinder

from .citing import parse, shown

HEADINGS = "# 手引き\n\n## 2. 設定\n\n### ２．１　準備\n\n## 3. 点検\n\n### 3.2. 毎日の点検\n\n## 4. 付表\n\n{}\n"


def cited(line: str) -> list[str]:
    """What a line of a document with sections 2, 2.1, 3, 3.2 and 4 cites, as `CALLED NAME`."""
    found = parse_document(HEADINGS.format(line).encode(), "md", ExceptionFinder(()), "m.md").references
    return [f"{one.called or ''} {one.name}".strip() for one in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("詳細は3.2節を参照。", ["section 3.2"]),
        ("第2.1節、３.２ 項による。", ["section 2.1", "section 3.2"]),
        ("3.2を参照。", ["section 3.2"]),
        ("（2.1参照）", ["section 2.1"]),
        ("2.1をご覧ください。3.2に従う。", ["section 2.1", "section 3.2"]),
        ("「3.2. 毎日の点検」と「2.1 準備」を行う。", ["section 3.2", "section 2.1"]),
        ("2章と３ 章に書く。", ["章2", "章3"]),
        ("9.9節による。", ["section 9.9"]),
        ("2.1および3.2に定める。2.1で定義する。", ["section 2.1", "section 3.2"]),
        (
            "旅費規程4.1、「運用手引き」の2.2、運用マニュアルの3.2節を見る。",
            ["旅費規程 section 4.1", "運用手引き section 2.2", "運用マニュアル section 3.2"],
        ),
        (
            "QM-02の4.1と旅費規程 第4.2節、旅費規程4章による。",
            ["qm-02 section 4.1", "旅費規程 section 4.2", "旅費規程 章4"],
        ),
        (
            "手順書B-03の5章、環境管理手順書 E-07の2.1、「検査要領 F-1」の3.2節による。",
            ["b-03 章5", "e-07 section 2.1", "f-1 section 3.2"],
        ),
        ("本規程の2.1による。手引きの3.2に従う。", ["section 2.1", "section 3.2"]),
    ],
)
def test_numbers_of_headings_name_places(line: str, expected: list[str]) -> None:
    assert cited(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "図3.2を参照。表 2.1に示す。リスト3.2を参照。",
        "バージョン3.2を参照。Python 3.2 を参照。v3.2を参照。",
        "9.9を参照。「9.9 ほか」を見る。",
        "値は3.2より大きい。",
        "手引 1.5倍、安全規則 2.5%、利用ガイド 3.2版。",
        "全3章、2章立て、1.3.2倍、13.2を参照。3.2項目。",
    ],
)
def test_figures_versions_and_counts_name_none(line: str) -> None:
    assert cited(line) == []


def test_appendices_with_letters_are_told_apart() -> None:
    text = "# 規程\n\n付録Bと別紙 Ｃによる。\n\n## 付録A 用語\n\n一。\n\n## 付録B 様式\n\n二。\n\n## 別紙C 図\n\n三。\n"
    parsed = parse_document(text.encode(), "md", ExceptionFinder(()), "m.md")
    assert [one.name for one in parsed.references] == ["付録b", "別紙c"]
    lines = {place.name: place.line for place in parsed.names}
    assert (lines["付録a"], lines["付録b"], lines["別紙c"]) == (5, 9, 13)


def test_a_letter_that_no_appendix_has_means_the_one_appendix() -> None:
    text = "# 規程\n\n付録Bによる。\n\n## 付録\n\nA. 用語\n\nB. 様式\n"
    found = parse_document(text.encode(), "md", ExceptionFinder(()), "m.md").references
    assert [one.name for one in found] == ["付録"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2.1節から2.3節までを行う。", ["section 2.1", "section 2.2", "section 2.3"]),
        ("2.1～2.3節と第2.2項", ["section 2.1", "section 2.2", "section 2.3"]),
        ("2.1、2.3及び2.9節", ["section 2.1", "section 2.3", "section 2.9"]),
        ("電圧は2.1〜2.3Vとする。2.1及び2.2項目。", []),
    ],
)
def test_several_numbers_may_have_one_unit(line: str, expected: list[str]) -> None:
    text = f"# 手順\n\n## 2 準備\n\n### 2.1 あ\n\n### 2.2 い\n\n### 2.3 う\n\n## 3 実施\n\n{line}\n"
    found = [shown(one) for one in parse(text, "手順.md").references]
    assert sorted(found) == sorted(expected)
