"""Which lines a proviso or an exclusion governs."""

import pytest

from morenashi.indexer.text import normalise

from ..workspaces import require_devset
from .excepting import SHIPPED, layout_of


def governed(text: str) -> dict[str, tuple[int, int]]:
    """First and last line that each expression of a Markdown text governs; the last of equal ones."""
    return {found.term: (found.first_line, found.last_line) for found in SHIPPED.find(normalise(text), layout_of(text))}


def test_a_sentence_on_a_line_of_its_own_is_its_line() -> None:
    assert governed("前の段落。\n\n場合を除き、届け出る。\n\n次の段落。\n") == {"を除き": (3, 3)}


def test_a_proviso_governs_the_clause_before_it_on_its_line() -> None:
    assert governed("届け出る。ただし、急なときは、この限りでない。\n\n次。\n") == {
        "ただし": (1, 1),
        "この限りでない": (1, 1),
    }


def test_an_exclusion_governs_the_items_that_its_sentence_introduces() -> None:
    text = "次に掲げる者を除き、届け出る。\n\n- 一　甲\n- 二　乙\n  - イ　丙\n\n次の項。\n"
    assert governed(text) == {"を除き": (1, 5)}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("前。\n\n:::warning\n\n消える。\n\n- 甲\n\n:::\n\n次。\n", (3, 9)),
        ("/// danger | 甲\n\n消える。\n\n///\n\n次。\n", (1, 5)),
        ("<Warning>\n\n消える。\n\n</Warning>\n次。\n", (1, 5)),
        ("<Warning>消える。</Warning>\n次。\n", (1, 1)),
        ('!!! warning "甲"\n\n    消える。\n\n次。\n', (1, 3)),
        (":::warning\n\n閉じない。\n", (1, 1)),
    ],
)
def test_what_opens_a_block_governs_it(text: str, lines: tuple[int, int]) -> None:
    assert list(governed(text).values()) == [lines]


@pytest.mark.parametrize("start", ["２　", "②", "第三条　", "\u3000"])
def test_what_begins_as_a_paragraph_does_is_one_without_a_blank_line_too(start: str) -> None:
    assert governed(f"１　届け出る\n{start}甲は、\nこの限りでない。\n") == {"この限りでない": (2, 3)}


def test_items_numbered_without_a_list_mark_are_items_too() -> None:
    text = "2 次の場合は、この限りでない。\n\n一 甲の場合\n\nイ 乙\n\n(1) 丙\n\n二 丁\n\n3 前項の届出をする。\n"
    assert governed(text) == {"この限りでない": (1, 9)}


def test_an_item_governs_what_hangs_below_it_alone() -> None:
    text = "次による。\n\n- 一　次の者を除く。\n  - イ　甲\n  - ロ　乙\n- 二　丙\n"
    assert governed(text) == {"を除く": (3, 5)}


def test_a_further_paragraph_of_an_item_hangs_below_it() -> None:
    assert governed("- 次の者を除く。\n\n  乙による。\n\n- 丙\n") == {"を除く": (1, 3)}


def test_a_proviso_that_begins_a_paragraph_belongs_to_the_one_before() -> None:
    assert governed("# 一\n\n届け出る。\n\nただし、急なときを除く。\n")["ただし"] == (3, 5)


def test_a_proviso_after_a_list_governs_the_list_and_what_introduces_it() -> None:
    assert governed("次の者は届け出る。\n\n- 甲\n- 乙\n\nただし、丙による。\n") == {"ただし": (1, 6)}


def test_a_proviso_that_is_an_item_belongs_to_the_item_before() -> None:
    assert governed("次による。\n- 甲は可とする。\n- ただし、乙による。\n- 丙\n") == {"ただし": (2, 3)}


def test_a_heading_ends_what_is_governed() -> None:
    assert governed("届け出る。\n\n# 二\n\nただし、次による。\n\n- 甲\n\n# 三\n\n- 乙\n") == {"ただし": (5, 7)}


def test_an_expression_in_a_heading_governs_its_section() -> None:
    assert governed("# 一\n\n## 第四条（適用除外）\n\n甲。\n\n### 細目\n\n乙。\n\n## 第五条\n") == {"適用除外": (3, 10)}


def test_a_sentence_over_several_lines_is_followed_to_both_sides() -> None:
    text = "First sentence here.\nForward it to the desk\nunless you are\ntravelling today.\nLast sentence.\n"
    assert governed(text) == {"unless": (2, 4)}


def test_a_proviso_inside_a_wrapped_paragraph_governs_it_from_its_start() -> None:
    assert governed("いつもは可である。\nただし、夜間は\n不可である。\n\n別の段落。\n") == {"ただし": (1, 3)}


def test_a_sentence_before_the_last_does_not_govern_the_items() -> None:
    text = "Forward it unless\nyou travel.\nThe rest follows:\n- one\n- two\n"
    assert governed(text) == {"unless": (1, 2)}


def test_an_expression_in_a_wrapped_item_governs_the_item() -> None:
    assert governed("Rules:\n- Forward it\n  unless you travel.\n- Sleep.\n") == {"unless": (2, 3)}


def test_a_blank_line_of_a_quotation_ends_its_paragraph() -> None:
    assert governed("> 甲を定める\n>\n> 乙を除く\n>\n> 丙を定める\n") == {"を除く": (3, 3)}


def test_the_row_of_a_table_stands_alone() -> None:
    assert governed("| 甲 | 可 |\n| --- | --- |\n| 乙 | 対象外 |\n| 丙 | 可 |\n") == {"対象外": (3, 3)}


def test_so_does_the_row_of_an_indented_table() -> None:
    assert governed("- 表\n\n  | 甲 | 可 |\n  | 乙 | ただし、夜間は不可 |\n  | 丙 | 可 |\n") == {"ただし": (4, 4)}


def test_an_item_indented_by_one_more_stands_beside_the_one_before() -> None:
    assert governed("次による。\n\n- 甲\n  - 次の者を除く。\n   - 乙\n- 丙\n") == {"を除く": (4, 4)}


def test_without_a_layout_an_expression_governs_its_line() -> None:
    (found,) = SHIPPED.find('{\n "a": "only if"\n}\n')
    assert (found.first_line, found.last_line) == (2, 2)


def test_what_is_governed_lies_in_the_file_around_the_line_in_all_material() -> None:
    for path in sorted(require_devset("manuals").rglob("*.md")):
        text = path.read_text("utf-8")
        lines = text.count("\n") + 1
        for found in SHIPPED.find(normalise(text), layout_of(text)):
            assert 1 <= found.first_line <= found.line <= found.last_line <= lines
