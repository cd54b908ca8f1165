"""Sections that English text names by where they stand."""

import pytest

from .citing import parse, shown

BOOK = """# Handbook

## Chapter 1: Hours

### 1.1 Day

{first}

### 1.2 Night

{second}

## Chapter 2: Leave

{third}

### Sick leave

### Unpaid leave

{fourth}
"""


def cited(**lines: str) -> list[str]:
    whole = {name: lines.get(name, "") for name in ("first", "second", "third", "fourth")}
    return [shown(one) for one in parse(BOOK.format(**whole), "handbook.md").references]


@pytest.mark.parametrize(
    ("where", "line", "expected"),
    [
        ("first", "Exceptions are listed in the next section.", ["section 1.2"]),
        ("second", "As in the immediately preceding section, and the foregoing Section.", ["section 1.1"]),
        ("second", "The next chapter is on leave.", ["chapter 2"]),
        ("third", "The previous chapter and the previous section.", ["chapter 1"]),
        ("fourth", "See the preceding section.", ["~sickleave"]),
        ("fourth", "See [the preceding section](#hours).", ["~hours"]),
        ("first", "The previous section. The previous chapter.", []),
        ("first", "The next section of your form; add the following section. The next sections.", []),
    ],
)
def test_the_section_beside_is_meant(where: str, line: str, expected: list[str]) -> None:
    assert cited(**{where: line}) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("前節の出庫を止める。", ["section 3.2"]),
        ("次節で述べる。", ["section 3.4"]),
        ("以前節約した。次節約する。", []),
    ],
)
def test_the_section_beside_is_meant_in_japanese_too(line: str, expected: list[str]) -> None:
    text = f"# 手順\n\n## 3 操作\n\n### 3.2 出庫\n\n### 3.3 棚卸\n\n#### 3.3.1 準備\n\n{line}\n\n### 3.4 記録\n"
    assert [shown(one) for one in parse(text, "手順.md").references] == expected


def test_beside_an_article_stands_no_section() -> None:
    assert parse("# 法\n\n## 第1条\n\n次節で定める。\n\n## 第2条\n\n前節による。\n", "法.md").references == []


def test_text_before_any_heading_has_no_section_beside() -> None:
    assert parse("See the next section.\n\n# A\n", "a.md").references == []
