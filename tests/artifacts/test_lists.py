"""Nested lists, whoever reads them."""

import importlib

from morenashi.server.artifacts import lists

from ..threads import call_at_once


def test_the_first_lists_of_several_threads_have_all_their_items() -> None:
    text = "- 受付\n  - 審査\n  - 決定\n"
    expected = lists.parse_lists(text, alone=True)
    for _ in range(100):
        importlib.reload(lists)
        assert call_at_once(lambda text: lists.parse_lists(text, alone=True), [text] * 4) == [expected] * 4
