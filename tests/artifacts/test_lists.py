"""Nested lists, whoever reads them."""

import importlib

import pytest

from morenashi.server.artifacts import lists

from ..threads import call_at_once


def test_the_first_lists_of_several_threads_have_all_their_items() -> None:
    text = "- 受付\n  - 審査\n  - 決定\n"
    expected = lists.parse_lists(text, alone=True)
    for _ in range(100):
        importlib.reload(lists)
        assert call_at_once(lambda text: lists.parse_lists(text, alone=True), [text] * 4) == [expected] * 4


@pytest.mark.parametrize("arrow", ["→", "⇒", "->", "=>", "次へ:", "次の手順：", "次:", "next:"])
@pytest.mark.parametrize("target", ["S2", "B.3", "B-3", "S-12a"])
def test_an_item_leads_to_what_stands_behind_an_arrow(arrow: str, target: str) -> None:
    structure = lists.parse_lists(f"- A1 受付 {arrow} {target}\n- {target} 審査\n", alone=True)
    assert structure is not None
    assert [element.id for element in structure.elements] == ["A1", target]
    assert [(branch.origin, branch.target.kind, branch.target.name) for branch in structure.branches] == [
        ("A1", "element", target)
    ]
