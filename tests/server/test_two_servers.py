"""Two servers on one workspace: one writes, the other reads, and takes over when the first has ended."""

import contextlib
import threading
from collections.abc import Callable, Iterator

import pytest

from morenashi.indexer.database import open_writer
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.sync import Synchroniser
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.keeper import keeper

from ..workspaces import WorkspaceFolder, eventually
from .serving import Serving, ask_database, index_now, serving

pytestmark = pytest.mark.usefixtures("brisk")

OLD, NEW = "鍵言葉", "合図"
END_SECONDS = 60.0


@pytest.fixture
def first(workspace: WorkspaceFolder) -> Iterator[tuple[Serving, Callable[[], None]]]:
    """The server that writes, and how to end it."""
    workspace.write("m/x.md", f"{OLD}\n")
    index_now(workspace)
    with contextlib.ExitStack() as stack:
        manuals = stack.enter_context(serving(workspace))
        assert manuals.find(OLD).status == "found"
        yield manuals, stack.close


@pytest.fixture
def second(workspace: WorkspaceFolder, first: tuple[Serving, Callable[[], None]]) -> Iterator[Serving]:
    """A server that comes later."""
    with serving(workspace) as manuals:
        yield manuals


def test_the_second_server_answers_too(second: Serving) -> None:
    assert second.find(OLD).places() == {("x.md", 1)}


def test_the_second_server_pages_its_own_traces(second: Serving) -> None:
    found = second.find(OLD)
    assert [item["path"] for item in found.hits()] == ["x.md"]


def test_the_second_server_resumes_its_own_searches(workspace: WorkspaceFolder, second: Serving) -> None:
    workspace.write("m/y.md", f"{OLD}\n")
    assert eventually(lambda: len(second.find(OLD).paths()) == 2)
    cut = second.find(OLD, budget={"max_candidates": 1})
    assert second.find(OLD, only_unscanned_from_trace_id=cut.trace_id).summary["candidates"] == 1


def test_the_second_server_sees_what_the_first_indexes(workspace: WorkspaceFolder, second: Serving) -> None:
    workspace.write("m/y.md", f"{NEW}\n")
    assert eventually(lambda: second.find(NEW).paths() == {"y.md"})


def test_the_second_server_can_read_a_trace_of_the_first(
    first: tuple[Serving, Callable[[], None]], second: Serving
) -> None:
    found = first[0].find(OLD)
    assert eventually(lambda: not second.answer("manual_hits", trace_id=found.trace_id).is_error)


def test_the_second_server_takes_over_when_the_first_has_ended(
    workspace: WorkspaceFolder, first: tuple[Serving, Callable[[], None]], second: Serving
) -> None:
    assert second.find(OLD).status == "found"
    first[1]()
    workspace.write("m/y.md", f"{NEW}\n")
    assert eventually(lambda: second.find(NEW).paths() == {"y.md"})


def test_a_fault_while_a_server_only_reads_is_no_end_of_it(
    workspace: WorkspaceFolder,
    first: tuple[Serving, Callable[[], None]],
    second: Serving,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No memory left while it lists the disk, say: it takes over all the same."""
    tried = threading.Semaphore(0)

    def fail(*_: object) -> None:
        tried.release()
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(keeper, "changed_as_far_as_known", fail)
        assert tried.acquire(timeout=END_SECONDS)
        assert tried.acquire(timeout=END_SECONDS), "it has given up"
    assert eventually(lambda: not second.answer("manual_find", query=OLD).is_error)
    first[1]()
    workspace.write("m/y.md", f"{NEW}\n")
    assert eventually(lambda: second.find(NEW).paths() == {"y.md"})
    assert second.workspace.manuals.keeper.is_writer


def test_what_was_not_indexed_while_another_wrote_is_not_pending_for_ever(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"{OLD}\n")
    index_now(workspace)
    config = workspace.config()
    with contextlib.ExitStack() as stack:
        with hold_writer_lock(config.database):
            workspace.write("m/x.md", f"{NEW} {NEW}\n")
            manuals = stack.enter_context(serving(workspace))
            assert eventually(lambda: manuals.find("霧").status == "unknown")
            connection, _ = open_writer(config.database)
            with contextlib.closing(connection):
                Synchroniser(config, connection, load_dictionaries(config.dictionaries)).synchronise()
        assert eventually(lambda: manuals.find("霧").status == "absent")


def test_traces_are_stored_again_after_taking_over(
    workspace: WorkspaceFolder, first: tuple[Serving, Callable[[], None]], second: Serving
) -> None:
    first[1]()
    query = "SELECT count(*) FROM traces WHERE id = ?"

    def is_stored() -> bool:
        trace_id = second.find(OLD).trace_id
        return eventually(lambda: ask_database(workspace, query, trace_id)[0][0] == 1, timeout_seconds=2)

    assert eventually(is_stored)


def test_a_server_that_only_reads_does_not_call_absent_what_is_not_indexed(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"{OLD}\n")
    index_now(workspace)
    with hold_writer_lock(workspace.database), serving(workspace) as reader:
        assert reader.find(OLD).status == "found"
        workspace.write("m/y.md", f"{NEW}\n")
        assert reader.find(NEW).status == "unknown"


@pytest.mark.parametrize("most", [1, 3, 200])
def test_the_lines_of_a_server_that_only_reads_add_up(workspace: WorkspaceFolder, most: int) -> None:
    for name in ("x", "y"):
        workspace.write(f"m/{name}.md", "".join(f"# 題{n}\n\n{OLD}\n" for n in range(9)))
    index_now(workspace)
    with hold_writer_lock(workspace.database), serving(workspace) as reader:
        workspace.write("m/y.md", f"{NEW}\n" * 5)
        workspace.write("m/new.md", f"{NEW}\n" * 5)
        assert eventually(lambda: reader.find(OLD).summary["completeness"]["pending_files"] == 2)
        lines = reader.find(OLD, budget={"max_candidates": most}).lines
        assert lines["examined"] + lines["unexamined"] == lines["total"]


def test_a_server_started_while_another_makes_the_index_says_so_or_waits(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", f"{OLD}\n")
    with hold_writer_lock(workspace.database), contextlib.ExitStack() as stack:
        reader = stack.enter_context(serving(workspace, WATCH="off"))
        config = workspace.config()
        connection = stack.enter_context(contextlib.closing(open_writer(config.database)[0]))
        Synchroniser(config, connection, load_dictionaries(config.dictionaries)).synchronise()
        assert eventually(lambda: not reader.answer("manual_find", query=OLD).is_error)
        assert reader.find(OLD).status == "found"


def test_reindexing_beside_a_server_is_refused(workspace: WorkspaceFolder, second: Serving) -> None:
    assert workspace.run("reindex").returncode == 3
