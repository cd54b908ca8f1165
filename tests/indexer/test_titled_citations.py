"""Places that text names by the titles of their headings, in quotes."""

import pytest

from morenashi.indexer.documents import parse_document
from morenashi.indexer.exceptions import ExceptionFinder

HEADINGS = """# 取扱説明書

{}

## ■ お手入れ・点検について

## 3. 設定

### 3.1 概要

### 3.2 時計

## 4. Cleaning the filter

### 4.1 概要

## 保証

## 保証

## 5. 保証
"""


def cited(line: str) -> list[str]:
    found = parse_document(HEADINGS.format(line).encode(), "md", ExceptionFinder(()), "m.md").references
    return [one.name for one in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("「お手入れ・点検について」をご覧ください。", ["~お手入れ点検について"]),
        ("詳しくは『3.2 時計』を参照。", ["~32時計"]),
        ("「時計」の項をご参照ください。", ["~32時計"]),
        ("「設定」に従ってください（「時計」参照）。", ["~3設定", "~32時計"]),
        ("「時計」で確認してください。『設定』へ。「時計」へ進む。", ["~32時計", "~3設定"]),
        ("「設定」に記載の値。必ず「時計」をお読みください。", ["~3設定", "~32時計"]),
        ('As said below under "Cleaning the filter".', ["~4cleaningthefilter"]),
        ("The section titled “Cleaning the filter” holds.", ["~4cleaningthefilter"]),
        ('See "Cleaning the filter", and refer to the section “4.1 概要”.', ["~4cleaningthefilter", "~41概要"]),
    ],
)
def test_a_title_in_quotes_names_its_place(line: str, expected: list[str]) -> None:
    assert cited(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "「時計」を押す。「設定」と表示される。",
        '「ほか」を参照。See "Nothing".',
        "「概要」を参照。「保証」をご覧ください。",
        "時計を参照。",
        "「時計」への道。「設定」が説明する。",
        'Press "Cleaning the filter" again; under "Nothing".',
    ],
)
def test_what_is_no_citation_or_several_headings_say_names_none(line: str) -> None:
    assert cited(line) == []
