"""Daemons begin and end: in the foreground, idle, by a signal, beside one of another version."""

import contextlib
import resource
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest

import morenashi
from morenashi.server.edge.daemon.place import find_place

from ..examples import Rounds
from ..server.serving import ask_database
from ..server.stdio import META, RawServer
from ..workspaces import WorkspaceFolder, eventually
from .daemons import END_SECONDS, Daemons

DOCUMENT = "manual://english/install.md"


def test_a_daemon_that_nobody_needs_ends_and_leaves_no_socket(daemons: Daemons) -> None:
    with daemons.process("daemon", "--idle-seconds", "0.2") as process:
        assert process.wait(END_SECONDS) == 0
    assert daemons.sockets == []
    assert '"notice": "idle"' in (daemons.folder.root / "stderr.log").read_text("utf-8")


def test_a_signal_lets_the_daemon_finish_what_it_does(daemons: Daemons) -> None:
    """In the foreground: a call that is under way is answered, its trace committed, the socket gone."""
    with daemons.process("daemon") as process:
        assert eventually(lambda: daemons.sockets, END_SECONDS)
        assert daemons.run("daemon").returncode == 3, "one is enough"
        _finish_a_call(daemons, process)


def _finish_a_call(daemons: Daemons, process: "subprocess.Popen[str]") -> None:
    with daemons.raw() as server:
        server.initialise()
        assert daemons.processes() == [process.pid], "the one in the foreground is used"
        server.send("tools/call", 1, name="manual_find", arguments={"query": "申請"})
        assert eventually(lambda: "manual_find" in (daemons.folder.root / "stderr.log").read_text("utf-8"))
        process.send_signal(signal.SIGTERM)
        answer = server.receive()["result"]["structuredContent"]
        assert process.wait(END_SECONDS) == 0
        assert daemons.sockets == []
        assert ask_database(daemons.folder, "SELECT count(*) FROM traces WHERE id = ?", answer["trace_id"]) == [(1,)]


def test_another_version_has_a_daemon_of_its_own(daemons: Daemons, tmp_path: Path) -> None:
    """The older one goes on with its clients; both see the same index, which one of them writes."""
    with daemons.raw() as server, daemons.raw(PYTHONPATH=str(older_version(tmp_path))) as older:
        for each in (server, older):
            each.initialise()
            each.call(1, "manual_find", query="申請")
        for each in (server, older):
            each.call(2, "manual_find", query="申請")
        versions = [path.stem.rpartition("-")[2] for path in daemons.sockets]
        assert versions == ["0.0.9", morenashi.__version__]
        stopped = daemons.run("stop")
        clients = ", ".join(str(pid) for pid in sorted((server.process.pid, older.process.pid)))
        told = f"2 daemons have ended\n2 clients will start one again on asking for something: process {clients}\n"
        assert (stopped.returncode, stopped.stdout) == (0, told), stopped.stderr
        assert daemons.processes() == [], "nobody waits, so nothing was started again"


def test_a_daemon_whose_socket_was_removed_makes_room_for_one_that_is_found(daemons: Daemons) -> None:
    """As by what tidies temporary folders. Otherwise it would hold the lock, and every client would wait in vain."""
    with daemons.raw() as server:
        server.initialise()
        [lost] = daemons.processes()
        daemons.sockets[0].unlink()
        assert eventually(lambda: lost not in daemons.processes(), END_SECONDS)
        server.call(1, "manual_find", query="申請")
        with daemons.raw() as other:
            other.initialise()
            assert len(daemons.state()["clients"]) == 2
    assert (daemons.started, "serving in a process of its own" in server.stderr.read_text("utf-8")) == (2, False)


def test_whoever_keeps_a_daemon_running_is_told_that_its_socket_was_removed(daemons: Daemons) -> None:
    """systemd then starts it anew."""
    with daemons.process("daemon") as process:
        assert eventually(lambda: daemons.sockets, END_SECONDS)
        daemons.sockets[0].unlink()
        assert process.wait(END_SECONDS) == 1


def test_so_is_whoever_keeps_one_whose_socket_was_removed_at_once(daemons: Daemons, rounds: Rounds) -> None:
    socket = Path(find_place(str(daemons.folder.root), daemons.environment()).socket)
    for _ in range(rounds(1, 30)):
        with daemons.process("daemon") as process:
            # It is there at any moment, and its daemon may have looked at it or not.
            while True:
                with contextlib.suppress(FileNotFoundError):
                    socket.unlink()
                    break
            assert process.wait(END_SECONDS) == 1
    assert "Traceback" not in (daemons.folder.root / "stderr.log").read_text("utf-8")


def test_a_workspace_that_is_replaced_gets_another_daemon(daemons: Daemons, tmp_path: Path) -> None:
    """As when a copy is put in its place: nothing is made anew in the one that was moved away or where it was."""
    root = daemons.folder.root
    with daemons.raw() as server:
        server.initialise()
        [first] = daemons.processes()
        root.rename(tmp_path / "moved")
        server.send("tools/call", 1, name="manual_find", arguments={"query": "申請"})
        assert eventually(lambda: first not in daemons.processes(), END_SECONDS)
        assert not root.exists()
    shutil.copytree(tmp_path / "moved", root)
    daemons.folder.write("english/later.md", "# Later\n\n鍵言葉\n")
    with daemons.raw() as server:
        server.initialise()
        assert eventually(lambda: is_found(server, "鍵言葉"))
        [second] = daemons.processes()
        root.rename(tmp_path / "moved again")
        shutil.copytree(tmp_path / "moved", root)
        assert eventually(lambda: second not in daemons.processes(), END_SECONDS)
        assert eventually(lambda: is_found(server, "鍵言葉") is False)


def test_manuals_that_a_link_leads_to_are_exchanged_while_clients_stay(daemons: Daemons, tmp_path: Path) -> None:
    """As when a new edition is made beside the old one and the link is set to it."""
    manuals = daemons.folder.manuals
    manuals.rename(tmp_path / "first")
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    (tmp_path / "second" / "english" / "later.md").write_text("# Later\n\n鍵言葉\n", "utf-8")
    manuals.symlink_to(tmp_path / "first")
    with daemons.raw() as server:
        server.initialise()
        assert eventually(lambda: is_found(server, "申請"))
        (tmp_path / "new").symlink_to(tmp_path / "second")
        (tmp_path / "new").rename(manuals)
        assert eventually(lambda: is_found(server, "鍵言葉"), END_SECONDS)


def test_a_daemon_without_descriptors_keeps_its_clients_and_takes_others_when_it_has_some(daemons: Daemons) -> None:
    with daemons.raw() as server:
        server.initialise()
        [process] = daemons.processes()
        before = resource.prlimit(process, resource.RLIMIT_NOFILE)
        resource.prlimit(process, resource.RLIMIT_NOFILE, (0, before[1]))
        with daemons.raw():
            assert eventually(lambda: '"error": "EMFILE"' in daemons.log, END_SECONDS)
        server.send("ping", 1)
        assert server.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        resource.prlimit(process, resource.RLIMIT_NOFILE, before)
        with daemons.raw() as later:
            later.initialise()
            assert {client["pid"] for client in daemons.state()["clients"]} >= {server.process.pid, later.process.pid}
    assert (daemons.processes(), daemons.started) == ([process], 1)
    assert "Traceback" not in daemons.log


@pytest.mark.parametrize("verb", ["serve", "serve --standalone", "serve --http 0", "daemon", "policy init"])
def test_a_folder_that_is_not_there_is_named_and_not_made(daemons: Daemons, tmp_path: Path, verb: str) -> None:
    nowhere = tmp_path / "slip-of-the-pen"
    done = Daemons(WorkspaceFolder(nowhere), daemons.runtime).run(*verb.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("morenashi: ") and "`morenashi init` makes" in done.stderr
    assert not nowhere.exists()


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_who_only_listens_starts_no_daemon_and_takes_the_next_one_that_is_there(daemons: Daemons, era: str) -> None:
    with daemons.raw() as listener:
        if era == "legacy":
            listener.initialise()
            listener.send("resources/subscribe", 1, uri=DOCUMENT)
            assert listener.receive()["id"] == 1
        else:
            listener.send("subscriptions/listen", 1, _meta=META, notifications={"resourceSubscriptions": [DOCUMENT]})
            assert listener.receive()["method"] == "notifications/subscriptions/acknowledged"
        assert f"process {listener.process.pid}" in daemons.run("stop").stdout
        assert eventually(lambda: not has_socket(listener.process.pid))
        assert (daemons.processes(), daemons.started) == ([], 1)
        with daemons.raw() as other:
            other.initialise()
            assert eventually(lambda: len(daemons.state()["clients"]) == 2)
            assert daemons.started == 2
            told: list[str] = []
            thread = threading.Thread(target=lambda: told.append(next_message_about_it(listener)))
            thread.start()
            # The daemon may have taken it up and not yet heard what it listens to.
            for number in range(20):
                daemons.folder.write("english/install.md", f"# {number}\n")
                if eventually(lambda: told, 1):
                    break
            thread.join(END_SECONDS)
        assert told == ["notifications/resources/updated"]


def next_message_about_it(listener: RawServer) -> str:
    """But those that a subscription has been taken up again."""
    while (message := listener.receive()).get("method") == "notifications/subscriptions/acknowledged":
        continue
    return str(message.get("method", message))


def is_found(server: RawServer, query: str) -> bool | None:
    """`None` where that cannot be told just now."""
    body = server.call(2, "manual_find", query=query)["result"]["structuredContent"]
    status = body["summary"]["completeness"]["status"] if "summary" in body else None
    return {"found": True, "absent": False}.get(str(status))


def has_socket(process: int) -> bool:
    """Whether a client's process, whose standard streams are pipes and files, is connected to anything."""
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        # It may be closed by now: whoever listens looks for a daemon every second.
        with contextlib.suppress(FileNotFoundError):
            if str(descriptor.readlink()).startswith("socket:"):
                return True
    return False


def older_version(folder: Path) -> Path:
    """The package as it is, by another version number."""
    package = folder / "older" / "morenashi"
    package.mkdir(parents=True)
    here = Path(morenashi.__file__).parent
    for path in here.iterdir():
        if path.name not in ("__init__.py", "__pycache__"):
            (package / path.name).symlink_to(path.resolve())
    (package / "__init__.py").write_text('__version__ = "0.0.9"\n', "utf-8")
    return package.parent


def test_a_daemon_does_not_take_another_ones_lock(daemons: Daemons) -> None:
    """As when the program was replaced while a client's process ran: that one serves its client otherwise."""
    other = daemons.runtime / "other.lock"
    with other.open("wb") as lock:
        done = subprocess.run(
            daemons.folder.shared_command("daemon", "--lock-fd", str(lock.fileno())),
            env=daemons.environment(),
            pass_fds=[lock.fileno()],
            capture_output=True,
            text=True,
            timeout=END_SECONDS,
            check=False,
        )
    assert (done.returncode, "not the version" in done.stderr) == (2, True)
