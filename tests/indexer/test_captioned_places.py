"""Figures and tables with a caption in the text are places."""

import pytest

from .citing import parse, shown

MANUAL = """# 操作手順書

## 2. 準備

### 2.1 機材

図1　全体の構成

![図2 操作画面](2.png)

### 2.2 確認

**表1：部品の一覧**

<figcaption>図2-1. 細部</figcaption>

表2. 周期

表3　料金

## 3. 補足

{line}

## 4. 別の章

表3　別の料金

表9に示す額のとおり支払う

表8 に示すとおり
"""
GUIDE = """# Operations Guide

## 1. Overview

Table 1. Sizes

*Figure 1 – Layout*

Fig. 2: Wiring

<span class="caption">Table 3-1: Codes</span>

Table 4 gives nothing

Table 5. Contents . . . . . 9

## 2. Notes

{line}
"""


def _cited(manual: str, line: str) -> list[str]:
    text = manual.format(line=line)
    number = text.split("\n").index(line) + 1
    return [shown(one) for one in parse(text, "説明.md").references if one.line == number]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("図1に示す。", ["図1"]),
        ("図 2 を参照。", ["図2"]),
        ("周期（表２参照）", ["表2"]),
        ("細部は図2-1のとおり。", ["図2-1"]),
        ("図1、2及び表1を見る。", ["図1", "図2", "表1"]),
        ("図1～2に示す。", ["図1", "図2"]),
        ("第1図を見る。", ["図1"]),
        ("旅費規程の表4による。", ["旅費規程 表4"]),
        ("表3、表8、表9による。", []),
        ("図7を見る。", []),
        ("図2枚と表1列目と代表1名と地図2と図1.5倍と図2Dと表1つ", []),
        ("上記2.2のとおり、前述の2.1で行う。", ["section 2.2", "section 2.1"]),
        ("上記2.1及び2.2を終える。", ["section 2.1", "section 2.2"]),
        ("上記2.2kgに上記2.1倍をかけ、上記9.9のとおり。", []),
    ],
)
def test_japanese_text_names_figures_and_numbers_above(line: str, expected: list[str]) -> None:
    assert _cited(MANUAL, line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Table 1 lists them.", ["table 1"]),
        ("See Fig. 2 and table 3-1.", ["figure 2", "table 3-1"]),
        ("Compare figs. 1–2.", ["figure 1", "figure 2"]),
        ("Tables 1, 3.1 and 9", ["table 1", "table 3-1"]),
        ("Table 9 of the Reference Manual", ["reference manual table 9"]),
        ("Table 1に示す。詳しくはFig. 2 を参照（Table 3-1）、Table 2つ", ["table 1", "figure 2", "table 3-1"]),
        ("Table 4 and Table 5 say so.", []),
        ("Table 1 people at each table 1 to 3 seats, a figure 2 times as high.", []),
    ],
)
def test_english_text_names_figures(line: str, expected: list[str]) -> None:
    assert _cited(GUIDE, line) == expected


def test_a_caption_does_not_cite_itself() -> None:
    assert parse(GUIDE.format(line="None."), "guide.md").references == []
