"""Places that go on with one that a text names, by their numbers alone."""

import pytest

from .citing import targets

BACK_MATTER = "## 第3条\n\n一。\n\n## 第5条\n\n二。\n\n## 第6条\n\n三。\n\n" + "".join(
    f"## {title}\n\n本文。\n\n" for title in ("別表1", "別表2", "別表3", "様式1", "様式2", "様式2-3", "別紙1", "別紙2")
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("別表1及び3の額を払う。", ["別表1", "別表3"]),
        ("別表第1、第2又は第3による。", ["別表1", "別表2", "別表3"]),
        ("別表1から3までに掲げる。", ["別表1", "別表2", "別表3"]),
        ("別表1～3を用いる。", ["別表1", "別表2", "別表3"]),
        ("様式1、2-3を出す。", ["様式1", "様式2-3"]),
        ("別紙1・2参照", ["別紙1", "別紙2"]),
        ("別表2及び8のとおり。", ["別表2", "別表8"]),
        ("第3条及び6条に定める。", ["条3", "条6"]),
        ("第3条第1項、5条第2項又は6条に定める。", ["条3項1", "条5項2", "条6"]),
        ("民法第3条及び5条による。", ["民法 条3", "民法 条5"]),
        ("旅費規程の別表1及び2による。", ["旅費規程 別表1", "旅費規程 別表2"]),
        ("書式は様式2-9とする。", ["様式2-9"]),
    ],
)
def test_an_enumeration_goes_on_by_numbers_alone(line: str, expected: list[str]) -> None:
    assert targets(line, before=BACK_MATTER) == expected


@pytest.mark.parametrize(
    "line",
    [
        "別表1及び2名の証人",
        "別表1、2万円の手当",
        "別表1・3%の割増",
        "別表1から3か月",
        "別表1と2人分",
        "別表1、2.5倍",
        "別表1及び二者の印",
        "別表1、2つの欄",
        "別表1の3倍の額",
    ],
)
def test_what_a_counter_follows_goes_on_with_nothing(line: str) -> None:
    assert targets(line, before=BACK_MATTER) == ["別表1"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("別表第1から別表第3までに掲げる。", ["別表1", "別表2", "別表3"]),
        ("別紙1～別紙2による。", ["別紙1", "別紙2"]),
        ("様式第1号から様式第2号まで", ["様式1", "様式2"]),
        ("第1号様式ないし第2号様式", ["様式1", "様式2"]),
        ("第2章から第4章までの規定", ["章2", "章3", "章4"]),
        ("第2章—第4章の規定", ["章2", "章3", "章4"]),
        ("別表1—3による。", ["別表1", "別表2", "別表3"]),
        ("旅費規程の様式7から様式9までとする。", ["旅費規程 様式7", "旅費規程 様式8", "旅費規程 様式9"]),
        ("民法の別表7から別表9まで、民法第2章から第4章まで", ["民法 別表7", "民法 別表9", "民法 章2", "民法 章4"]),
        ("様式7から様式9まで", ["様式7", "様式8", "様式9"]),
        ("別表1から様式2まで、別表1及び別表3、別表1の額から別表3の額を引く。", ["別表1", "様式2", "別表3"]),
    ],
)
def test_a_range_that_says_what_both_its_ends_are_has_what_lies_between(line: str, expected: list[str]) -> None:
    chapters = "".join(f"## 第{n}章　章\n\n本文。\n\n" for n in (2, 3, 4, 5))
    assert targets(line, before=BACK_MATTER + chapters) == expected


def test_conditions_and_days_are_no_articles_that_go_on() -> None:
    assert targets("第3条又は6条件を満たすとき、第5条、10日前まで。", before=BACK_MATTER) == ["条3", "条5"]
