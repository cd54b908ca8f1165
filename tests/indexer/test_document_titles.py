"""What others may call a document."""

import pytest

from .citing import parse


@pytest.mark.parametrize(
    ("path", "first_line", "title"),
    [
        ("01_就業規則.md", "# 株式会社甲 就業規則", "就業規則"),
        ("teikan.md", "# 特定非営利活動法人あおぞら　定款", "定款"),
        ("就業規則.md", "# **就業規則**", "就業規則"),
        ("r12345.md", "○若葉市体育館条例", "若葉市体育館条例"),
        ("r12345.md", "# ○若葉市体育館条例（抄）", "若葉市体育館条例(抄)"),
        ("x.md", "# 個人情報の保護に関する法律", "個人情報保護法"),
        ("個人情報の保護に関する法律施行令.md", "", "個人情報保護法施行令"),
        ("労働基準法.md", "# 労働基準法（昭和二十二年法律第四十九号）", "労基法"),
        ("x.md", "# 労働安全衛生法施行令", "安衛法施行令"),
        ("x.md", "# 育児休業、介護休業等育児又は家族介護を行う労働者の福祉に関する法律", "育児・介護休業法"),
        ("cleaning.md", "# SOP-014: Cleaning of Tank T-3", "sop-014"),
        ("QM-02_文書管理.md", "# 文書管理", "qm-02"),
        ("x.md", "# SOP-DO-049: Document Control", "sop-do-049"),
        ("x.md", "# SOP-4.2-001 Cleaning", "sop-4.2-001"),
        ("B-03_情報セキュリティ手順書.md", "# 情報セキュリティ手順書", "b-03"),
        ("x.md", "# 情報セキュリティ手順書（B-03）", "b-03"),
        ("x.md", "# 品質管理 手順書 F-05 受入検査", "f-05"),
        ("x.md", "# 保守手順書\n\n文書番号：C-02　対象機種：MX-350", "c-02"),
        ("x.md", "# 保守手順書\n\n| 文書番号 | QM-C-2 |\n| --- | --- |", "qm-c-2"),
        ("x.md", "# 保守手順書\n\n文書番号：Ｃ－０２", "c-02"),
        ("Getting-Started.md", "Welcome.", "getting started"),
    ],
)
def test_a_document_is_called_without_what_numbers_or_marks_it(path: str, first_line: str, title: str) -> None:
    assert title in parse(f"{first_line}\n\n第1条　定める。\n", path).titles


def test_the_number_of_another_document_in_the_head_of_one_is_not_its_own() -> None:
    titles = parse("# 保守手順書\n\n文書番号：C-02\n\n上位規程番号：A-01\n", "x.md").titles
    assert "c-02" in titles
    assert "a-01" not in titles


@pytest.mark.parametrize(
    ("text", "is_called"),
    [
        ("## Appendix C: Keywords\n\nThey are reserved.\n\n### In use\n\nfor\n", True),
        ("## Appendix C: Keywords\n\nThey are reserved.\n\n## In use\n\nfor\n", False),
    ],
)
def test_a_page_under_one_heading_of_any_level_is_called_by_it(text: str, *, is_called: bool) -> None:
    assert ("appendix c" in parse(text, "03-keywords.md").titles) is is_called


@pytest.mark.parametrize("first_line", ["# T-3 タンクの清掃", "# 型番 A-1 の部品", "# 部品 A-1"])
def test_one_letter_with_one_digit_is_no_number_of_a_document(first_line: str) -> None:
    assert not {"t-3", "a-1"} & {*parse(f"{first_line}\n\n本文。\n", "x.md").titles}
