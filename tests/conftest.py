"""Shared fixtures, and how thorough the property tests are."""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from morenashi.server.entry import COLLECT_AT
from morenashi.server.keeper import keeper

from .examples import ORDINARY, SOAK, Rounds
from .limited_work import RunWithin, limited_work
from .opened import WATCH
from .workspaces import WorkspaceFolder, make_workspace, ordinary_user

# The same examples every time, so that what fails was changed; a soak looks for new ones.
for name, examples in (("project", ORDINARY), ("soak", SOAK)):
    settings.register_profile(
        name,
        deadline=None,
        derandomize=name == "project",
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
WATCH.start()
MOST_WORKERS = 12
# Where Linux has files in memory; containers may have next to nothing there. A run takes a quarter of a gigabyte.
_IN_MEMORY, _ROOM_BYTES = Path("/dev/shm"), 2 << 30


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="repeat what is repeated as often as is promised")
    parser.addoption("--conformance", action="store_true", help="try the server with programs from npm, too")


def pytest_configure(config: pytest.Config) -> None:
    # Else each worker, and each program that a test starts, compiles all files again: a third of what they take.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    settings.load_profile("soak" if config.getoption("--soak") else "project")
    if not config.getoption("--soak"):
        _work_in_memory()


def _work_in_memory() -> None:
    """Thousands of workspaces are made and removed: without a disk a run takes a fifth less. A soak is on disk, and so
    is what has a `TMPDIR` there; the workers have that of the first process.
    """
    is_roomy = os.access(_IN_MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(_IN_MEMORY).free >= _ROOM_BYTES
    if is_roomy and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = str(_IN_MEMORY)
        tempfile.tempdir = None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What thousands of tests consist of stays: the garbage collector need not look at it, neither while it grows nor
    afterwards. Then it looks as often as in the program.
    """
    gc.disable()
    collected = yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AT)
    gc.enable()
    return collected


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> None:
    """Between the phases of a test, too, what its server logs is captured: it goes on while pytest, which captures
    nothing then, makes its report. In a worker, where only the tests write.
    """
    if hasattr(item.config, "workerinput"):
        item.config.pluginmanager.getplugin("capturemanager").resume_global_capture()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes a `seed` is run with one, with more of them when it soaks."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(16 if metafunc.config.getoption("--soak") else 1))


@pytest.fixture(autouse=True)
def nothing_outside_is_opened() -> Iterator[None]:
    """Fails where the server's threads open a file outside of the folders of the workspaces that are served."""
    yield
    assert WATCH.take() == [], "opened outside of the roots; a new kind of root is allowed in WorkspaceFolder.config"


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> Rounds:
    """How often a test repeats what may go wrong by chance."""
    return lambda few, many: many if request.config.getoption("--soak") else few


@pytest.fixture(scope="session")
def run_within() -> Iterator[RunWithin]:
    """Runs a program in a process of its own, within so many seconds of processor time."""
    with limited_work() as run:
        yield run


@pytest.fixture
def workspace(tmp_path: Path) -> WorkspaceFolder:
    """A workspace folder with an empty `manuals/`."""
    return make_workspace(tmp_path / "workspace")


@pytest.fixture(scope="module")
def shared_workspace(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    """One for all tests of a module: what they serve from it, they only read."""
    return make_workspace(tmp_path_factory.mktemp("shared") / "workspace")


@pytest.fixture
def ordinary_workspace() -> Iterator[WorkspaceFolder]:
    """A workspace whose user can be refused a file. The test runs as that user."""
    with tempfile.TemporaryDirectory() as folder, ordinary_user(Path(folder)):
        yield make_workspace(Path(folder) / "workspace")


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers in this process look more often whether the one that keeps the index has ended, or has written."""
    monkeypatch.setattr(keeper, "_RETRY_SECONDS", 0.1)


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a processor that this process may use: many tests wait for a watcher, a commit or a process. No more
    than a few in all: each collects all tests anew, and takes as much memory as a small server.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(2 * processors, MOST_WORKERS)
