"""Several clients of one server: what one has found stays, however much the others search."""

from morenashi.server.clients import Client, acting_for
from morenashi.server.deadline import Deadline

from ..workspaces import WorkspaceFolder, eventually
from .serving import Serving, ask_database, find, serving_indexed

KEPT = 2
WORD = "鍵言葉"


def search(server: Serving, client: str) -> str:
    """The id of the trace of a search by this client."""
    with acting_for(Client(client)):
        answer = find("manual_find").answer(server.workspace, {"query": WORD}, Deadline(60_000))
    trace_id = str(answer.body["trace_id"])
    # Complete, so that the next one is stored after it.
    server.workspace.traces.find(trace_id)
    return trace_id


def test_the_searches_of_one_client_do_not_push_out_those_of_another(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", f"{WORD}\n")
    with serving_indexed(workspace, TRACE_MAX_KEEP=str(KEPT)) as server:
        first = search(server, "quiet")
        for _ in range(KEPT):
            last = search(server, "busy")
        assert eventually(lambda: ask_database(workspace, "SELECT 1 FROM traces WHERE id = ?", last))
        assert server.call("manual_hits", trace_id=first)["total"] == 1


def test_of_one_client_as_many_are_kept_as_the_settings_say(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", f"{WORD}\n")
    with serving_indexed(workspace, TRACE_MAX_KEEP=str(KEPT)) as server:
        traces = [search(server, "one") for _ in range(KEPT + 1)]
        stored = "SELECT id FROM traces ORDER BY rowid"
        assert eventually(lambda: ask_database(workspace, stored) == [(trace,) for trace in traces[1:]])
        assert server.refuse("manual_hits", trace_id=traces[0])["code"] == "not_found"
