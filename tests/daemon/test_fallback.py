"""Where no daemon can be had, a client is served all the same, and told why on stderr."""

import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import get_args

import pytest

from morenashi.indexer.config import LogLevel
from morenashi.server import entry
from morenashi.server.edge.daemon.place import LOG_LEVELS, NoPlaceError, find_place

from ..server.stdio import RawServer
from ..workspaces import WorkspaceFolder, clean_environment
from .daemons import Daemons, feigned_daemon, stuck_daemon

_PATIENCE_SECONDS = 60.0


def test_a_daemon_that_does_not_answer_is_passed_by(daemons: Daemons) -> None:
    with stuck_daemon(daemons), daemons.in_haste("server.edge.shim.shim", "WELCOME_SECONDS", 0.5).raw() as server:
        server.initialise()
        server.call(1, "manual_find", query="申請")
        assert "the daemon does not answer" in server.stderr.read_text("utf-8")
        assert server.close_stdin() == ("", 0)
    assert daemons.processes() == []


def test_a_daemon_that_hangs_up_on_everybody_is_passed_by(daemons: Daemons) -> None:
    """Whatever it does that for, there is no end to asking it again."""
    hanging_up = repeat(lambda connection, lines: None)
    hasty = daemons.in_haste("server.edge.shim.shim", "START_SECONDS", 0.5)
    with feigned_daemon(daemons, hanging_up), hasty.raw() as server:
        server.initialise()
        server.call(1, "manual_find", query="申請")
        assert "the daemon hangs up" in server.stderr.read_text("utf-8")
        assert server.close_stdin() == ("", 0)


def test_a_folder_that_others_can_enter_is_not_used(daemons: Daemons) -> None:
    """The client is served in its own process, whichever protocol it speaks first."""
    (daemons.runtime / "morenashi").mkdir()
    (daemons.runtime / "morenashi").chmod(0o750)
    with daemons.raw() as server:
        server.discover()
        server.initialise()
        server.call(1, "manual_find", query="申請")
        assert "0700" in server.stderr.read_text("utf-8")
    assert daemons.processes() == []


def test_who_asks_the_doctor_is_told_that_there_is_no_place_for_a_daemon(daemons: Daemons) -> None:
    (daemons.runtime / "morenashi").mkdir(mode=0o755)
    done = daemons.run("doctor", "--json")
    assert done.returncode == 1
    (finding,) = [each for each in json.loads(done.stdout)["findings"] if each["severity"] != "note"]
    assert finding["code"] == "no_place"
    assert str(daemons.runtime / "morenashi") in finding["what"]


def test_a_place_has_a_name_that_fits_a_socket(tmp_path: Path) -> None:
    far = tmp_path.joinpath(*["a-long-name-for-a-folder"] * 4)
    far.mkdir(parents=True)
    place = find_place("/workspace", {"XDG_RUNTIME_DIR": str(far), "TMPDIR": str(far)})
    assert place.folder == f"/tmp/morenashi-{os.geteuid()}"


@pytest.mark.parametrize("given", ["relative", "/nowhere", "/proc"])
def test_a_folder_in_which_nothing_can_be_made_is_passed_over(given: str, tmp_path: Path) -> None:
    """That of another user, as after `su`, too. What is relative would be elsewhere for the daemon."""
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as temporary:
        place = find_place("/workspace", {"XDG_RUNTIME_DIR": given, "TMPDIR": temporary})
        assert place.folder == f"{temporary}/morenashi-{os.geteuid()}"
    assert find_place("/workspace", {"TMPDIR": given}).folder == f"/tmp/morenashi-{os.geteuid()}"


def test_nothing_is_made_in_the_runtime_folder_of_another_user() -> None:
    """As root has it after `su`: that user could not enter what root makes there."""
    if os.geteuid():
        pytest.skip("only root can make a folder in that of another user")
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as folder:
        theirs = Path(folder, "theirs")
        theirs.mkdir(mode=0o700)
        os.chown(theirs, 65_534, -1)
        place = find_place("/workspace", {"XDG_RUNTIME_DIR": str(theirs), "TMPDIR": folder})
        assert place.folder == f"{folder}/morenashi-0"
        assert list(theirs.iterdir()) == []


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as runtime:
        Path(runtime, "morenashi").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(NoPlaceError):
            find_place("/workspace", {"XDG_RUNTIME_DIR": runtime})


def test_the_settings_are_in_the_name_and_the_log_level_is_not() -> None:
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as runtime:
        here = {"XDG_RUNTIME_DIR": runtime}
        plain = find_place("/workspace", here).socket
        assert find_place("/workspace", here | {"LOG_LEVEL": "error"}).socket == plain
        assert find_place("/workspace", here | {"WATCH": "off"}).socket != plain
        assert find_place("/other", here).socket != plain


def test_a_wrong_setting_is_said_by_the_clients_process(daemons: Daemons) -> None:
    with daemons.raw(TRACE_TTL_SEC="soon") as server:
        assert server.process.wait(60) == 2
    assert "TRACE_TTL_SEC" in server.stderr.read_text("utf-8")


def test_another_log_level_than_that_of_the_daemon_is_said_to_do_nothing(running: Daemons) -> None:
    with running.raw(LOG_LEVEL="error") as server:
        server.initialise()
        said = server.stderr.read_text("utf-8")
        assert server.close_stdin() == ("", 0)
    assert "LOG_LEVEL=error does nothing here: the daemon that runs was started with info" in said


@pytest.mark.parametrize("level", [None, "info"])
def test_of_the_log_level_of_the_daemon_nothing_is_said(running: Daemons, level: str | None) -> None:
    before = (running.folder.root / "stderr.log").stat().st_size
    with running.raw(**({"LOG_LEVEL": level} if level else {})) as server:
        server.initialise()
        assert server.close_stdin() == ("", 0)
        assert server.stderr.stat().st_size == before


def test_a_log_level_that_is_none_is_refused_also_where_a_daemon_runs(running: Daemons) -> None:
    assert set(LOG_LEVELS) == set(get_args(LogLevel))
    with running.raw(LOG_LEVEL="debug") as server:
        assert server.process.wait(60) == 2
    assert "LOG_LEVEL: expected" in server.stderr.read_text("utf-8")


def test_who_asks_a_server_that_does_not_start_is_sent_to_its_stderr(daemons: Daemons) -> None:
    with daemons.raw(TRACE_TTL_SEC="soon") as server:
        server.send("initialize", 0, protocolVersion="2025-11-25", capabilities={}, clientInfo={})
        answer = server.receive()
        assert (answer["id"], answer["error"]["data"]["code"]) == (0, "daemon_restarted")
        assert "stderr" in answer["error"]["message"]
        assert "Call again" not in answer["error"]["message"]
        assert server.process.wait(60) == 2


def test_a_daemon_that_cannot_even_begin_leaves_one_process_that_speaks(daemons: Daemons) -> None:
    """Its log is a link, which is not followed. Here the server that is begun instead has a wrong setting."""
    place = find_place(str(daemons.folder.root), daemons.environment(WATCH="sometimes"))
    Path(place.log).symlink_to(daemons.runtime / "elsewhere")
    with daemons.raw(WATCH="sometimes") as server:
        assert server.process.wait(60) == 2
    assert server.stderr.read_text("utf-8").count("no daemon") == 1
    assert not (daemons.runtime / "elsewhere").exists()


def test_a_client_that_leaves_before_there_is_a_daemon_is_not_waited_for(daemons: Daemons) -> None:
    with stuck_daemon(daemons), daemons.raw() as server:
        assert server.close_stdin() == ("", 0)


def test_where_there_are_no_unix_sockets_no_daemon_is_looked_for(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where the module lacks the name. The command line then means the same as with `--standalone`."""
    monkeypatch.delattr(socket, "AF_UNIX")
    assert entry._serve(["--workspace", str(workspace.root)]) is None


@pytest.mark.parametrize("verb", ["status", "serve", "serve --standalone"])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_was_closed_before_the_start_is_as_good_as_nothing(
    daemons: Daemons, verb: str, closed: str
) -> None:
    """Its number goes to no file and no socket. Who serves ends with stdin, which is empty."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *daemons.folder.shared_command(*verb.split())],
        env=daemons.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert bool(done.stdout) == (verb == "status" and closed != ">&-")


@pytest.mark.parametrize("verb", ["serve", "serve --standalone"])
def test_a_server_that_can_answer_nobody_ends_though_stdin_is_open(daemons: Daemons, verb: str) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *daemons.folder.shared_command(*verb.split())]
    with subprocess.Popen(
        command, env=daemons.environment(), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()


@pytest.mark.parametrize("is_closed", [True, False], ids=["closed", "full"])
@pytest.mark.parametrize("arguments", [["--standalone"], []], ids=["alone", "no place for a daemon"])
def test_who_does_not_read_stderr_is_served_all_the_same(
    workspace: WorkspaceFolder, unsafe_folder: Path, arguments: list[str], is_closed: bool
) -> None:
    """Its end is closed, or the disk is full to which it goes, or the pipe: what is logged is lost, nothing else."""
    reading, writing = os.pipe()
    with contextlib.ExitStack() as held:
        if is_closed:
            os.close(reading)
        else:
            held.callback(os.close, reading)
            _fill(writing)
        process = held.enter_context(
            subprocess.Popen(
                workspace.shared_command("serve", *arguments),
                env=clean_environment() | {"XDG_RUNTIME_DIR": "/nowhere", "TMPDIR": str(unsafe_folder)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=writing,
                text=True,
            )
        )
        os.close(writing)
        # A server that waits would be waited for.
        guard = threading.Timer(_PATIENCE_SECONDS, process.kill)
        held.callback(guard.cancel)
        guard.start()
        server = RawServer(process, workspace.root / "stderr.log")
        server.initialise()
        assert server.call(1, "manual_find", query="申請")["result"]["isError"] is False
        assert server.close_stdin() == ("", 0)


def _fill(pipe: int) -> None:
    """Write as much as it takes, and leave it as one that is waited for."""
    os.set_blocking(pipe, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(pipe, b"\n")
    os.set_blocking(pipe, True)


@pytest.fixture
def unsafe_folder() -> Iterator[Path]:
    """One for sockets that others can enter; the path of a socket in it has fewer than a hundred characters."""
    with tempfile.TemporaryDirectory(prefix="mo-", dir="/tmp") as folder:
        own = Path(folder) / f"morenashi-{os.geteuid()}"
        own.mkdir()
        own.chmod(0o755)
        yield Path(folder)
