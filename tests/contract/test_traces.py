"""Traces (seed 001 §3.2, seed 004 §4): how long they are kept, and how many."""

from ..server.library import fill
from ..server.serving import Found, Serve, Serving, ask_database, serving, serving_indexed
from ..workspaces import WorkspaceFolder, eventually


def is_gone(found: Found) -> bool:
    result = found.serving.answer("manual_hits", trace_id=found.trace_id)
    return bool(result.is_error) and result.structured_content["code"] == "not_found"


def stored(folder: WorkspaceFolder) -> int:
    return int(ask_database(folder, "SELECT count(*) FROM traces")[0][0])


def test_a_trace_is_there_as_soon_as_the_answer_is(library: Serving) -> None:
    for _ in range(20):
        found = library.find("申請")
        assert library.call("manual_hits", trace_id=found.trace_id)["total"] == found.summary["candidates"]


def test_only_the_newest_traces_are_kept(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    manuals = serve(TRACE_MAX_KEEP="3")
    found = [manuals.find("申請") for _ in range(6)]
    assert eventually(lambda: [is_gone(old) for old in found] == [True] * 3 + [False] * 3)


def test_no_more_traces_are_stored_than_are_kept(workspace: WorkspaceFolder) -> None:
    with serving_indexed(fill(workspace), TRACE_MAX_KEEP="3") as manuals:
        for _ in range(6):
            manuals.find("申請")
    assert stored(workspace) == 3


def test_a_trace_expires(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    found = serve(TRACE_TTL_SEC="1").find("申請")
    assert eventually(lambda: is_gone(found))


def test_an_expired_trace_is_dropped_with_the_next_search(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    manuals = serve(TRACE_TTL_SEC="1")
    old = manuals.find("申請")
    assert eventually(lambda: is_gone(old))
    manuals.find("申請")
    assert eventually(lambda: ask_database(workspace, "SELECT 1 FROM traces WHERE id = ?", old.trace_id) == [])


def test_an_expired_trace_cannot_be_resumed(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    manuals = serve(TRACE_TTL_SEC="1")
    old = manuals.find("申請", budget={"max_candidates": 1})
    assert eventually(lambda: is_gone(old))
    error = manuals.refuse("manual_find", query="申請", only_unscanned_from_trace_id=old.trace_id)
    assert error["code"] == "not_found"


def test_an_expired_trace_stays_expired_after_a_restart(workspace: WorkspaceFolder) -> None:
    with serving_indexed(fill(workspace), TRACE_TTL_SEC="1") as manuals:
        old = manuals.find("申請")
        assert eventually(lambda: is_gone(old))
    with serving(workspace, TRACE_TTL_SEC="1") as manuals:
        assert manuals.refuse("manual_hits", trace_id=old.trace_id)["code"] == "not_found"


def test_what_belongs_to_a_dropped_trace_is_dropped_with_it(workspace: WorkspaceFolder) -> None:
    with serving_indexed(fill(workspace), TRACE_MAX_KEEP="1") as manuals:
        for query in ("申請 どこにもない語", "申請", "休暇"):
            manuals.find(query, budget={"max_candidates": 1})
    for table in ("trace_candidates", "trace_unscanned", "trace_gaps"):
        strays = f"SELECT count(*) FROM {table} WHERE trace_id NOT IN (SELECT id FROM traces)"  # noqa: S608
        assert ask_database(workspace, strays) == [(0,)]
