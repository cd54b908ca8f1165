"""Two servers on one vault: only one of them writes the index, and both find what either has just written."""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from ..server.serving import serving
from ..workspaces import WorkspaceFolder, eventually
from .notes import Vault

pytestmark = pytest.mark.usefixtures("brisk")

FOR_EVER = 1e6
WORDS = ("林檎", "蜜柑", "葡萄", "西瓜")
Pair = tuple[Vault, Vault, Callable[[], None]]


@pytest.fixture
def pair(workspace: WorkspaceFolder) -> Iterator[Pair]:
    """The server that keeps the index, one that follows it, and how to end the first."""
    root = workspace.root / "vault"
    root.mkdir()
    with contextlib.ExitStack() as first, contextlib.ExitStack() as second:
        leader = Vault(root, first.enter_context(serving(workspace)))
        leader.serving.workspace.vault.wait_until_ready()
        follower = Vault(root, second.enter_context(serving(workspace)))
        yield leader, follower, first.close


def found(vault: Vault, query: str) -> list[str]:
    body = vault.call("find", query=query)
    assert body["summary"]["completeness"]["lines"]["unexamined"] == 0
    items = vault.serving.call("manual_hits", trace_id=body["trace_id"])["items"]
    return [item["path"] for item in items]


def test_both_find_what_the_leader_has_just_written(pair: Pair) -> None:
    leader, follower, _ = pair

    def is_found(word: str) -> bool:
        return found(follower, word) == [f"{word}.md"]

    for word in WORDS:
        leader.call("create", path=f"{word}.md", content=f"{word}\n")
        assert found(leader, word) == [f"{word}.md"]
        assert eventually(partial(is_found, word))


def test_what_the_index_has_does_not_wait_while_everything_is_compared(pair: Pair) -> None:
    leader, follower, _ = pair
    leader.call("create", path="a.md", content="林檎\n")
    keeper = follower.serving.workspace.vault.keeper
    keeper._keeping.pending.add([("", "a.md")])
    keeper.look()
    assert found(follower, "林檎") == ["a.md"]


def test_the_follower_finds_what_it_has_just_written_itself(pair: Pair) -> None:
    _, follower, _ = pair
    for word in WORDS:
        follower.call("create", path=f"{word}.md", content=f"{word}\n")
        assert found(follower, word) == [f"{word}.md"]


def test_a_write_waits_for_no_writer_that_does_not_watch(workspace: WorkspaceFolder) -> None:
    root = workspace.root / "vault"
    root.mkdir()
    with serving(workspace, WATCH="off") as leader:
        leader.workspace.vault.wait_until_ready()
        with serving(workspace, WATCH="off") as follower:
            Vault(root, follower).call("create", path="a.md", content="林檎\n")
            assert not follower.workspace.vault.keeper.wait_until_known(("", "a.md"), FOR_EVER)
            assert follower.call("vault_find", query="林檎")["summary"]["completeness"]["pending_files"] == 1


def test_a_search_proposes_itself_again_while_notes_of_its_scope_wait(workspace: WorkspaceFolder) -> None:
    root = workspace.root / "vault"
    root.mkdir()
    with serving(workspace, WATCH="off") as leader:
        leader.workspace.vault.wait_until_ready()
        with serving(workspace, WATCH="off") as server:
            follower = Vault(root, server)
            follower.call("create", path="a.md", content="林檎\n")
            for glob, waits in (("*.md", True), ("*.txt", False)):
                call = {"query": "林檎", "scope": {"glob": glob}, "budget": {"max_candidates": 50}}
                proposed = [(a["type"], a["params"]) for a in follower.call("find", **call)["next_actions"]]
                assert (("vault_find", call) in proposed) is waits


def test_the_follower_takes_over(pair: Pair) -> None:
    leader, follower, end_leader = pair
    leader.call("create", path="a.md", content="古い\n")
    end_leader()
    assert eventually(lambda: follower.serving.workspace.vault.keeper.is_writer)
    follower.call("write", path="a.md", content="新しい\n", mode="overwrite")
    assert found(follower, "新しい") == ["a.md"]


def test_a_change_from_outside_is_heard_of(pair: Pair) -> None:
    leader, _, _ = pair
    leader.put("深い/所/a.md", "外から\n")
    assert eventually(lambda: leader.call("find", query="外から")["summary"]["candidates"] == 1)
    (leader.root / "深い/所/a.md").unlink()
    assert eventually(
        lambda: (
            leader.call("find", query="外から")["summary"]["completeness"]["status"] in ("absent", "unknown")
            and leader.call("find", query="外から")["summary"]["candidates"] == 0
        )
    )


def test_a_vault_that_is_made_later_is_indexed(workspace: WorkspaceFolder) -> None:
    with serving(workspace) as served:
        vault = Vault(workspace.root / "vault", served)
        assert vault.call("find", query="後から")["summary"]["candidates"] == 0
        vault.put("a.md", "後から\n")
        assert eventually(lambda: vault.call("find", query="後から")["summary"]["candidates"] == 1)
        vault.put("b.md", "後から\n")
        assert eventually(lambda: vault.call("find", query="後から")["summary"]["candidates"] == 2)
