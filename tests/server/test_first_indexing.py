"""While files wait to be indexed: they are known, and an answer that lacks them says so and what to do."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unicodedata import normalize

import pytest

from morenashi.indexer.database import open_reader
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache

from ..workspaces import WorkspaceFolder, eventually
from .serving import Serving, index_now, serving, serving_indexed

pytestmark = pytest.mark.usefixtures("brisk")

Waiting = tuple[Serving, Callable[[], None]]
NAMED: dict[str, dict[str, Any]] = {
    "manual_find": {"query": "旅費"},
    "manual_ls": {},
    "manual_toc": {},
    "manual_excepts": {},
}
READ = {"ref": {"target": "manual", "manual_id": "規程", "path": "x.md"}}


@pytest.fixture
def waiting(workspace: WorkspaceFolder) -> Iterator[Waiting]:
    """A server over one manual in the index and two on disk alone, and what lets it index them."""
    # In as many sections as keep a search in this manual from going on to the others.
    workspace.write("a/x.md", "# 題\n\n旅費\n## 旅費の精算\n旅費を精算する。\n## 三\n旅費\n")
    index_now(workspace)
    for number in range(30):
        workspace.write(f"規程/{number}.md", "# 題\n\n旅費\n\nただし、出張\n")
    workspace.write("規程/x.md", "# 題\n\n旅費\n")
    workspace.write("b/x.json", "{}")
    with contextlib.ExitStack() as indexing_elsewhere:
        indexing_elsewhere.enter_context(hold_writer_lock(workspace.database))
        with serving(workspace) as manuals:
            yield manuals, indexing_elsewhere.close


@pytest.mark.parametrize("tool", NAMED)
def test_a_manual_that_waits_is_asked_for_again(waiting: Waiting, tool: str) -> None:
    manuals, index_them = waiting
    error = manuals.refuse(tool, manual_id="規程", **NAMED[tool])
    assert (error["code"], error["details"]) == ("conflict", {"parameter": "manual_id", "pending_files": 32})
    assert "ask again in a moment" in error["message"]
    index_them()
    assert eventually(lambda: not manuals.answer(tool, manual_id="規程", **NAMED[tool]).is_error)


def test_reading_from_a_manual_that_waits_is_asked_for_again(waiting: Waiting) -> None:
    manuals, index_them = waiting
    assert manuals.refuse("manual_read", **READ)["code"] == "conflict"
    index_them()
    assert eventually(lambda: not manuals.answer("manual_read", **READ).is_error)


def test_a_node_of_a_file_that_waits_is_asked_for_again(waiting: Waiting) -> None:
    nodes = ["new.md", "new.md#L1", "x.md#L5"]
    manuals, index_them = waiting
    manuals.folder.write("a/new.md", "# 題\n\n旅費\n\nただし、出張\n")
    manuals.folder.write("a/x.md", "# 題\n\n旅費\n\n## 節\n\nただし、出張\n")
    assert eventually(lambda: manuals.call("manual_ls", manual_id="a").get("pending_files") == 2)
    for node in nodes:
        error = manuals.refuse("manual_excepts", manual_id="a", node_id=node)
        assert (error["code"], error["details"]) == ("conflict", {"parameter": "node_id", "pending_files": 2}), node
    assert manuals.refuse("manual_excepts", manual_id="a", node_id="none.md")["code"] == "not_found"
    index_them()
    assert eventually(lambda: not manuals.answer("manual_excepts", manual_id="a", node_id="x.md#L5").is_error)
    assert eventually(lambda: not manuals.answer("manual_excepts", manual_id="a", node_id="new.md").is_error)
    for node in nodes:
        assert manuals.call("manual_excepts", manual_id="a", node_id=node)["total"] == 1


@pytest.mark.parametrize("manual_id", ["none", "規", "x.md"])
def test_what_is_no_manual_on_disk_either_is_not_found(waiting: Waiting, manual_id: str) -> None:
    assert waiting[0].refuse("manual_toc", manual_id=manual_id)["code"] == "not_found"


def test_a_folder_without_documents_is_no_manual(workspace: WorkspaceFolder, waiting: Waiting) -> None:
    (workspace.manuals / "empty").mkdir()
    assert waiting[0].refuse("manual_toc", manual_id="empty")["code"] == "not_found"


def test_lists_say_how_many_files_they_may_lack(waiting: Waiting) -> None:
    manuals, index_them = waiting
    assert manuals.call("manual_list") == {"items": [{"manual_id": "a"}], "pending_files": 32}
    body = manuals.call("manual_ls")
    assert (body["total"], body["pending_files"]) == (1, 32)
    for tool in ("manual_ls", "manual_toc", "manual_excepts"):
        assert "pending_files" not in manuals.call(tool, manual_id="a")
    index_them()
    everything = {"items": [{"manual_id": manual_id} for manual_id in ("a", "b", "規程")]}
    assert eventually(lambda: manuals.call("manual_list") == everything)
    assert "pending_files" not in manuals.call("manual_ls")


def test_lists_of_a_manual_count_its_own_files(workspace: WorkspaceFolder, waiting: Waiting) -> None:
    manuals, _ = waiting
    workspace.write("a/y.md", "# 題\n\nただし、出張\n")

    def says_one_waits(tool: str) -> bool:
        return manuals.call(tool, manual_id="a").get("pending_files") == 1

    for tool in ("manual_ls", "manual_toc", "manual_excepts"):
        assert eventually(partial(says_one_waits, tool))


def test_a_search_is_not_ready_while_files_that_it_asks_for_wait(waiting: Waiting) -> None:
    manuals, index_them = waiting
    everywhere = manuals.find("旅費の精算")
    assert everywhere.summary["integration_status"] == "needs_followup"
    assert "stop" not in {action["type"] for action in everywhere.next_actions}
    assert manuals.find("旅費の精算", manual_id="a", max_stage=3).summary["integration_status"] == "ready"
    index_them()
    assert eventually(lambda: not manuals.find("旅費").summary["completeness"]["pending_files"])


def test_a_search_proposes_itself_again_while_files_wait(waiting: Waiting) -> None:
    manuals, index_them = waiting
    call: dict[str, Any] = {"query": "出張", "intent": "exceptions", "budget": {"max_candidates": 50}}
    found = manuals.find(**call)
    assert (found.status, found.summary["completeness"]["pending_files"]) == ("unknown", 32)
    again = found.next_actions[0]
    assert (again["type"], again["params"]) == ("manual_find", call)
    index_them()
    assert eventually(lambda: len(manuals.find(**again["params"]).paths()) == 30)
    # While none waits, there is no use in it. These are not the last that are indexed.
    assert eventually(lambda: not manuals.find(**call).summary["completeness"]["pending_files"])
    assert call not in [action["params"] for action in manuals.find(**call).next_actions]


def test_a_search_in_a_manual_that_is_indexed_does_not_wait_for_others(waiting: Waiting) -> None:
    actions = waiting[0].find("旅費", manual_id="a", max_stage=3).next_actions
    assert "manual_find" not in {action["type"] for action in actions}


def test_a_search_with_too_little_in_its_manual_goes_on_to_those_that_wait(workspace: WorkspaceFolder) -> None:
    """They are none of the index yet, and it said that nothing was left."""
    workspace.write("a/x.md", "# 題\n\n旅費\n")
    index_now(workspace)
    call = {"manual_id": "a", "max_stage": 4}
    with contextlib.closing(open_reader(workspace.database)) as connection:
        for most, expected in ((4, ["manual_read", "manual_hits", "manual_find", "manual_hits"]), (3, None)):
            request = FindRequest(parse_query("旅費", {}, {}), "旅費", "a", None, 50, most, parameters=call)
            outcome = Search(connection, ScopeCache(), frozenset({("b", "x.md")})).run(request, Deadline(60_000))
            outcome.complete()
            summary, actions = outcome.answer.summary, [action["type"] for action in outcome.answer.next_actions]
            assert (summary["integration_status"], summary["scope_expanded"]) == ("needs_followup", most == 4)
            assert "stop" not in actions
            assert expected in (actions, None)


def test_a_manual_that_waits_is_known_in_any_unicode_form(workspace: WorkspaceFolder, waiting: Waiting) -> None:
    workspace.write(f"{normalize('NFD', 'ガイド')}/x.md", "# 題\n")
    assert waiting[0].refuse("manual_toc", manual_id=normalize("NFC", "ガイド"))["code"] == "conflict"


def test_asking_for_a_new_manual_has_it_indexed_where_nobody_watches(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 題\n")
    with serving_indexed(workspace) as manuals:
        workspace.write("b/x.md", "# 題\n")
        assert manuals.refuse("manual_toc", manual_id="b")["code"] == "conflict"
        assert eventually(lambda: not manuals.answer("manual_toc", manual_id="b").is_error)


def test_those_who_ask_for_a_comparison_while_one_waits_share_it(workspace: WorkspaceFolder) -> None:
    with serving_indexed(workspace) as manuals:
        keeper = manuals.workspace.manuals.keeper
        held, release = threading.Event(), threading.Event()

        def hold(_: sqlite3.Connection) -> None:
            held.set()
            release.wait()

        keeper.submit(hold)
        assert held.wait(60)
        waiting = keeper.state["queue"]
        for _ in range(5):
            keeper.look()
        queued = keeper.state["queue"]
        workspace.write("a/x.md", "旅費\n")
        release.set()
        assert queued == waiting + 1
        assert eventually(lambda: manuals.find("旅費").paths() == {"x.md"})
        workspace.write("a/y.md", "出張\n")
        keeper.look()
        assert eventually(lambda: manuals.find("出張").paths() == {"y.md"})
