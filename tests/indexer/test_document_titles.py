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
        ("Getting-Started.md", "Welcome.", "getting started"),
    ],
)
def test_a_document_is_called_without_what_numbers_or_marks_it(path: str, first_line: str, title: str) -> None:
    assert title in parse(f"{first_line}\n\n第1条　定める。\n", path).titles


@pytest.mark.parametrize(
    ("text", "is_called"),
    [
        ("## Appendix C: Keywords\n\nThey are reserved.\n\n### In use\n\nfor\n", True),
        ("## Appendix C: Keywords\n\nThey are reserved.\n\n## In use\n\nfor\n", False),
    ],
)
def test_a_page_under_one_heading_of_any_level_is_called_by_it(text: str, *, is_called: bool) -> None:
    assert ("appendix c" in parse(text, "03-keywords.md").titles) is is_called
