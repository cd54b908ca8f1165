"""Articles, chapters, appendices and numbered sections that begin on a line and have no heading."""

import re

import pytest

from .citing import parse, shown

RULES = """\
# 就業規則

## 第1章　総則

（目的）
第１条　この規則は、就業について定める。
２　前条はない。

**第2条（定義）**　第１条の従業員とは、次に掲げるものをいう。
第５条から続く文は条文ではない。

## 第2章　休暇

第3条
有給休暇は、前条の者に与える。
② 前項は、第2条第1項による。

附　則

第1条　この附則は、第3条第2項及び次条に係る。
第2条　附則第1条による。
"""


def test_lines_are_articles_where_no_heading_is_one() -> None:
    rules = parse(RULES, "就業規則.md")
    lines = {place.name: place.line for place in rules.names if "条" in place.name or "附則" in place.name}
    main = {"条1": 6, "条1項1": 6, "条1項2": 7, "条2": 9, "条2項1": 9, "条3": 14, "条3項1": 14, "条3項2": 16}
    supplement = {"附則1": 18, "附則1条1": 20, "附則1条1項1": 20, "附則1条2": 21, "附則1条2項1": 21}
    assert lines == main | supplement
    assert [(reference.line, shown(reference)) for reference in rules.references] == [
        (7, "前条"),
        (9, "条1"),
        (10, "条5"),
        (15, "条2"),
        (16, "条2項1"),
        (20, "条3項2"),
        (20, "附則1条2"),
        (21, "附則1条1"),
    ]


def test_where_headings_are_articles_no_line_is_one() -> None:
    names = {place.name for place in parse("## 第1条\n\n第2条　引用した条文。\n").names}
    assert "条1" in names
    assert "条2" not in names


CONTRACT = """\
# 業務委託契約書

第１条（総則）発注者及び受注者は、仕様書に従う。
第２条（秘密）この契約の秘密を漏らさない。
第３条（解除）次のとき解除できる。
(1) 前条に違反したとき。
第１条（総則）の定めのほか、
第４条（違約金）及び第２条（秘密）に
第５条（損害）第１項によるほか、協議する。
"""


def test_articles_are_lines_whose_text_follows_the_caption_at_once() -> None:
    contract = parse(CONTRACT, "契約書.md")
    assert {place.name: place.line for place in contract.names if "項" not in place.name and "条" in place.name} == {
        "条1": 3,
        "条2": 4,
        "条3": 5,
    }
    assert [(reference.line, shown(reference)) for reference in contract.references] == [
        (6, "条2"),
        (7, "条1"),
        (8, "条4"),
        (8, "条2"),
        (9, "条5"),
    ]


PLAIN_RULES = """\
備品貸出規程

第1章　総則

第1条（目的）
備品の貸出しについて定める。

第2章 貸出し

第2条（申込み）
1. 申込みは、様式第1号による。
2. 料金は別表第2による。第3章及び前章の定めを適用する。第2章の規定による。

第３章　雑則

第3条（補則）
この章による。第1章に定めるものを除く。第1節はない。第1条を見る。

別表第2（第2条関係）
| 区分 | 料金 |

様式第1号（第2条関係）
"""


def test_chapters_appendices_and_forms_are_lines_where_no_heading_is_an_article() -> None:
    rules = parse(PLAIN_RULES, "備品貸出規程.md")
    lines = {place.name: place.line for place in rules.names if re.match("章|別表|様式", place.name)}
    assert lines == {"章1": 3, "章2": 8, "章3": 14, "別表2": 19, "様式1": 22}
    assert [(reference.line, shown(reference)) for reference in rules.references] == [
        (11, "様式1"),
        (12, "別表2"),
        (12, "章3"),
        (12, "章1"),
        (17, "章1"),
        (17, "節1"),
        (17, "条1"),
        (19, "条2"),
        (22, "条2"),
    ]


@pytest.mark.parametrize(
    "line", ["別表第2に掲げる額とする。", "第2章の規定を準用する。", "様式は別に定める。", "第2章とする"]
)
def test_a_line_that_goes_on_is_no_chapter_and_no_appendix(line: str) -> None:
    names = {place.name for place in parse(f"第1条　定める。\n\n{line}\n").names}
    assert not names & {"章2", "別表2", "様式"}


LISTED = """\
目次
第1章　総則（第1条）
　第1節　通則
第2章　休暇（第2条―第3条）
附則
別表

第1章　総則

第1条　この規則は、第2章に定める。

第2章　休暇

第2条　休暇は、別表のとおりとする。
第3条　前条による。

附　則

この規則は、4月1日から施行する。

別表（第2条関係）
"""


def test_what_a_table_of_contents_lists_begins_nothing() -> None:
    rules = parse(LISTED, "休暇規則.md")
    lines = {place.name: place.line for place in rules.names if re.match("章|条[0-9]+$|附則[0-9]$", place.name)}
    assert lines == {"章1": 8, "条1": 10, "章2": 12, "条2": 14, "条3": 15, "附則1": 17}
    assert [(reference.line, shown(reference)) for reference in rules.references] == [
        (2, "条1"),
        (4, "条2-条3"),
        (10, "章2"),
        (14, "別表"),
        (15, "条2"),
        (21, "条2"),
    ]


def test_a_table_of_contents_may_stand_before_the_first_heading() -> None:
    rules = parse(f"# 条例\n\n**目次**\n第1章　総則\n附則\n\n## 第1章　総則\n\n{PLAIN_RULES}", "条例.md")
    assert {place.name: place.line for place in rules.names}.items() >= {"章1": 7, "条1": 13}.items()


PLAIN_SECTIONS = """\
Session Protocol

   1.  Introduction . . . . . . . . . . . 2

1.  Introduction

   See Section 2.2 and section 3.

2.2.  Resumption

   1. Send a hello.
   2. Wait, unless Section 2.3 says otherwise.

付録A.　様式

2.2 の申請は付録Aによる。
"""


def test_numbered_lines_are_sections_of_a_text_without_headings() -> None:
    protocol = parse(PLAIN_SECTIONS, "protocol.md")
    assert {place.name: place.line for place in protocol.names if place.name} == {
        "section 1": 5,
        "section 2.2": 9,
        "付録a": 14,
    }
    assert [(reference.line, shown(reference)) for reference in protocol.references] == [
        (7, "section 2.2"),
        (7, "section 3"),
        (12, "section 2.3"),
    ]
    assert not [place for place in parse(f"# A\n\n## B\n\n{PLAIN_SECTIONS}").names if place.name == "section 2.2"]
