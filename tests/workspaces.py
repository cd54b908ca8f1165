"""Temporary workspaces and the material beside the checkout, for the tests of both floors."""

import codecs
import contextlib
import importlib
import io
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from morenashi.indexer.config import Config, read_config
from morenashi.indexer.files import is_settled, stamp_of
from morenashi.server.entry import main
from morenashi.server.health.holders import is_stopped

from .opened import allow_workspace

NOBODY = 65534
UNDECODABLE = b"\xff\xfe\x00\xd8\x00\x00\xff"
"""UTF-16 by its mark, of an odd length and with half a character: the content of a file that is no text."""

DEVSET = Path(__file__).parents[1].parent / "shared" / "devset"


@dataclass(frozen=True)
class WorkspaceFolder:
    """A workspace on disk. Paths of documents are relative to `manuals/`, the manual's id first.

    `haste` is the code that a program of it runs before it begins.
    """

    root: Path
    haste: str = ""

    @property
    def manuals(self) -> Path:
        return self.root / "manuals"

    @property
    def database(self) -> Path:
        return self.config().database

    def config(self, **settings: str) -> Config:
        """The settings as the environment gives them, in capitals, beside the workspace's root."""
        config = read_config({"WORKSPACE_ROOT": str(self.root), **settings})
        # Of a copy: asking for a root fixes where a link leads.
        asked = config.model_copy()
        others = (asked.adaptive_stats.parent, asked.memory_model_folder, asked.policy_key_file)
        allow_workspace(asked.root, asked.manuals, asked.vault, *others)
        return config

    def in_haste(self, module: str, constant: str, value: float) -> "WorkspaceFolder":
        """The same, whose programs have less patience, as a constant of a module says: a test need not wait as long."""
        begin = f"import sys, morenashi.{module} as module; from morenashi.server.entry import main"
        return replace(self, haste=f"{begin}; module.{constant} = {value}; sys.exit(main())")

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a document exactly as given, with the folders above it."""
        target = self.manuals / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def run(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run `morenashi VERB --workspace THIS ...` to its end, in this process: a start takes longer than most verbs.

        `tests/commands/test_program.py` holds it to what the program does.
        """
        command = self.command(*arguments)
        with _environment(clean_environment() | settings):
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = main(command[3:])
                except SystemExit as end:
                    assert isinstance(end.code, int)
                    code = end.code
        return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())

    def run_program(
        self, *arguments: str, timeout_seconds: float = 120, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """The same as a program, its output in pipes."""
        return subprocess.run(
            self.command(*arguments),
            env=clean_environment() | settings,
            capture_output=True,
            text=True,
            timeout=timeout_seconds,
            check=False,
        )

    def command(self, verb: str, *arguments: str) -> list[str]:
        """The command line. `serve` serves in its own process: the tests of daemons have a way of their own."""
        alone = ["--standalone"] if verb == "serve" else []
        return [*self.shared_command(verb), *alone, *arguments]

    def shared_command(self, verb: str, *arguments: str) -> list[str]:
        """The same as people type it; a daemon that `serve` starts goes on."""
        program = ["-c", self.haste] if self.haste else ["-m", "morenashi"]
        return [sys.executable, *program, verb, "--workspace", str(self.root), *arguments]


def make_workspace(root: Path) -> WorkspaceFolder:
    """A workspace with an empty `manuals/`."""
    (root / "manuals").mkdir(parents=True)
    return WorkspaceFolder(root)


def clean_environment() -> dict[str, str]:
    """The environment without the settings that whoever runs the tests may have."""
    settings = {field.upper() for field in Config.model_fields}
    return {name: value for name, value in os.environ.items() if name not in settings}


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Have these environment variables and no others for a while."""
    kept = os.environ.copy()
    os.environ.clear()
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def require_devset(*parts: str) -> Path:
    """A folder or file of the material beside the checkout; the test is skipped where there is none."""
    path = DEVSET.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"devset is absent: no {'/'.join(parts) or 'devset'} beside the checkout")
    return path


def eventually(condition: Callable[[], object], timeout_seconds: float = 60.0) -> bool:
    """Whether a condition becomes true in the time; asked often at first, so that it ends when it does."""
    deadline = time.monotonic() + timeout_seconds
    pause_seconds = 0.01
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(pause_seconds)
        pause_seconds = min(pause_seconds * 1.2, 0.05)
    return bool(condition())


def suspend(process: int) -> None:
    """SIGSTOP, which a process obeys when its turn comes; returns when it has."""
    os.kill(process, signal.SIGSTOP)
    assert eventually(lambda: is_stopped(Path("/proc", str(process))))


def open_descriptors() -> set[int]:
    """Those of this process."""
    found = set()
    for descriptor in range(1_000):
        with contextlib.suppress(OSError):
            os.fstat(descriptor)
            found.add(descriptor)
    return found


@contextlib.contextmanager
def without_permission(path: Path) -> Iterator[None]:
    """Take all permissions from a file or folder for a while. Root is not stopped: see `ordinary_workspace`."""
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        yield
    finally:
        path.chmod(mode)


@contextlib.contextmanager
def without_room(most_bytes: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes for a while: what SQLite then meets is what it meets on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """Own a folder and be somebody who can be refused: where root runs the tests, nobody. Temporary files lie in it,
    too: where root has them, nobody may not be allowed to make any.
    """
    if os.geteuid() != 0:
        yield
        return
    os.chown(folder, NOBODY, NOBODY)
    # Python may lie where nobody can go, and it loads an encoding, and what indexing alone needs, when first used.
    codecs.lookup("utf-16-le")
    importlib.import_module("morenashi.indexer.prepare")
    try:
        os.seteuid(NOBODY)
    except PermissionError:
        pytest.skip("this root may not become an ordinary user")
    try:
        if not os.access(folder, os.W_OK, effective_ids=True):
            pytest.skip("an ordinary user cannot reach the temporary folder")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(folder))
            yield
    finally:
        os.seteuid(0)


def age(folder: Path, seconds: int = 3600) -> None:
    """Make all files of a folder look as old as that, and wait until their time stamps can be trusted."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    for path in files:
        then = path.stat().st_mtime_ns - seconds * 1_000_000_000
        os.utime(path, ns=(then, then))
    # The system's own time stamps are the present: all are waited for together, once.
    for path in files:
        wait_until_settled(path)


def wait_until_settled(path: Path) -> None:
    """Wait until a file would get another time stamp if it was saved again."""
    while not is_settled(stamp_of(path.stat())):
        time.sleep(0.005)
