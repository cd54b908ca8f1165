"""Stage 0: what counts as the same text (seed 004 §4, contract §3). The query and the line, and the other way."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..server.serving import Serving, serving_indexed
from ..workspaces import make_workspace

SAME = [
    ("full width letters", "ＡＢＣ", "abc"),
    ("full width digits", "２０２６年", "2026年"),
    ("half width katakana", "ｶﾞｲﾄﾞﾗｲﾝ", "ガイドライン"),
    ("case", "WebHook", "webhook"),
    ("German sharp s", "Straße", "STRASSE"),
    ("composed and decomposed", "か\u3099いと\u3099", "がいど"),
    ("Latin accents in both forms", "re\u0301sume\u0301", "résumé"),
    ("Latin letters with and without accents", "São Paulo, Łódź, Ærø", "Sao Paulo, Lodz, Aero"),
    ("several accents on one letter", "Vi\u1ec7t", "Viet"),
    ("a text that is struck out", "o\u0336l\u0336d\u0336", "old"),
    ("ligatures", "ﬁle", "file"),
    ("squared letters", "㍿", "株式会社"),
    ("circled digits", "手順①", "手順1"),
    ("article in full width digits", "第３条", "第3条"),
    ("article in kanji", "第三条", "第3条"),
    ("article in Roman numerals", "第Ⅲ条", "第3条"),
    ("article in Latin letters", "第III条", "第3条"),
    ("article, kanji and Roman", "第十二条", "第Ⅻ条"),
    ("article, large", "第百二十条", "第120条"),
    ("article, positional kanji", "第一二〇条", "第120条"),
    ("three numbers in kanji", "第百二十三条第三項第四十五号", "第123条第3項第45号"),
    ("three numbers, each in another notation", "第一二三条第Ⅲ項第45号", "第百二十三条第3項第四十五号"),
    ("four numbers in kanji", "第三十五条の二第十一項第二十二号", "第35条の2第11項第22号"),
    ("five numbers in digits and kanji", "令和六年第12条第3項第四号の五", "令和6年第十二条第三項第4号の5"),
    ("a number at the beginning", "Ⅲ章", "3章"),
    ("thousands", "二千二十六年", "2026年"),
    ("hyphen and dash", "東京‐大阪", "東京—大阪"),
    ("minus and hyphen", "A−1", "A-1"),
    ("box drawing dash", "東京─大阪", "東京-大阪"),
    ("wave dash and full width tilde", "10〜20", "10～20"),
    ("wave dash and tilde", "東京〜大阪", "東京~大阪"),
    ("middle dots", "ウェブ･サイト", "ウェブ・サイト"),
    ("bullet and middle dot", "甲•乙", "甲・乙"),
    ("corner and round brackets", "「別表」", "（別表）"),
    ("lenticular and square brackets", "【注意】", "[注意]"),
    ("tortoise shell brackets", "〔注〕", "(注)"),
    ("slashes", "及び／又は", "及び/又は"),
    ("quotes", "“引用”", '"引用"'),
    ("ideographic space", "利用　規約", "利用 規約"),
    ("no-break space", "利用\u00a0規約", "利用 規約"),
    ("several blanks", "利用    規約", "利用 規約"),
    ("tab", "利用\t規約", "利用 規約"),
    ("zero-width space", "利用\u200b規約", "利用規約"),
    ("soft hyphen", "hyphen\u00adation", "hyphenation"),
    ("variation selector", "葛\ufe00城", "葛城"),
    ("ideographic variation selector", "葛\U000e0100城", "葛城"),
    ("byte order mark inside", "利用\ufeff規約", "利用規約"),
    ("iteration mark stays", "人々", "人々"),
    ("a sum in kanji", "十五万円以下", "15万円以下"),
    ("a sum in digits", "150000円以下", "15万円以下"),
    ("a sum of thousands", "30000000円", "三千万円"),
    ("thousands beside a unit", "1万2千円", "12000円"),
    ("a character drawn in two ways", "髙橋", "高橋"),
]
DIFFERENT = [
    ("another number", "第3条", "第4条"),
    ("a longer number", "第3条", "第13条"),
    ("the end of a Latin word is no number", "UI部品", "一部"),
    ("nor does it number loosely", "UI 部品", "一部"),
    ("a long vowel is no dash", "カ-ド", "カード規約"),
    ("voiced and voiceless", "カキ", "ガギ"),
    ("another kanji", "大阪", "太阪"),
]


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One manual a row and side, so that a search in it answers for that row alone."""
    root: Path = tmp_path_factory.mktemp("normalised") / "workspace"
    folder = make_workspace(root)
    for number, (_, left, right) in enumerate(SAME + DIFFERENT):
        folder.write(f"left{number}/x.md", f"# 題\n\n前置き。\nここに{left}がある。\n")
        folder.write(f"right{number}/x.md", f"# 題\n\n前置き。\nここに{right}がある。\n")
    with serving_indexed(folder) as manuals:
        yield manuals


def lines_found(manuals: Serving, query: str, manual_id: str) -> set[tuple[str, int]]:
    return manuals.find(
        f'"{query}"' if " " in query or "\u3000" in query else query, manual_id=manual_id, max_stage=3
    ).places()


@pytest.mark.parametrize("number", range(len(SAME)), ids=[row[0] for row in SAME])
def test_one_spelling_finds_the_other(manuals: Serving, number: int) -> None:
    assert lines_found(manuals, SAME[number][1], f"right{number}") == {("x.md", 4)}


@pytest.mark.parametrize("number", range(len(SAME)), ids=[row[0] for row in SAME])
def test_the_other_spelling_finds_the_one(manuals: Serving, number: int) -> None:
    assert lines_found(manuals, SAME[number][2], f"left{number}") == {("x.md", 4)}


@pytest.mark.parametrize("number", range(len(SAME)), ids=[row[0] for row in SAME])
def test_both_count_as_normalised(manuals: Serving, number: int) -> None:
    query = SAME[number][1]
    found = manuals.find(f'"{query}"' if "利用" in query else query, manual_id=f"right{number}", max_stage=3)
    assert [item["signals"][0] for item in found.hits()] == ["normalized"]


@pytest.mark.parametrize("number", range(len(SAME), len(SAME) + len(DIFFERENT)), ids=[row[0] for row in DIFFERENT])
def test_what_differs_is_not_found_as_the_same(manuals: Serving, number: int) -> None:
    _, left, _ = (SAME + DIFFERENT)[number]
    assert manuals.find(left, manual_id=f"right{number}", max_stage=3).lines["matched"] == 0
