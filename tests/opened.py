"""Which files the server's own code opens, lists or changes: an audit hook (PEP 578) sees it, whoever asks.

In the tests' process the hook is there for the whole run. It judges what the server does in threads of its own, as
for every call it serves; what a test calls directly is the test's. A server that a test starts as a process is
watched in all it does (`watched_environment`). Needs nothing but the standard library.

What cannot be seen: files that C code opens (SQLite's), and the folder that `os.open` was told to start from. So of a
relative path it is the form that is judged: one name, no `..`, never through a link. That keeps it below its folder,
which was opened the same way, down from a root that was named in full.
"""

import os
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

_REPOSITORY = Path(__file__).resolve().parents[1]
_OWN = ("server", "indexer", "migrations", "schema.sql", "data", "src")
_SYSTEM = ("/proc", "/dev/null", "/dev/urandom", "/etc/localtime", "/usr/share/zoneinfo", "/etc/mime.types")
# Where in an event's arguments its paths stand, each with the place of the descriptor of the folder it starts from.
_PATHS: dict[str, tuple[tuple[int, int | None], ...]] = {
    "open": ((0, None),),
    "os.listdir": ((0, None),),
    "os.scandir": ((0, None),),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((0, 2), (1, 3)),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "sqlite3.connect": ((0, None),),
}
# Of these, the last name is the entry itself, also if it is a link.
_OF_ENTRIES = ("os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink")
_NOT_OURS = ("tests.", "benchmarks.", "importlib.")


class Watch:
    """Judges what is opened. Of the tests' process (`of_tests`) it leaves out the main thread, where all that is done
    is done by a test: to look at who opens a file costs as much as to open it."""

    def __init__(self, *, of_tests: bool) -> None:
        self._of_tests = of_tests
        interpreter = {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
        self._roots = {os.path.realpath(path) for path in (*interpreter, *_SYSTEM)}
        self._roots |= {str(_REPOSITORY / name) for name in _OWN}
        self._found: list[str] = []
        self._busy = threading.local()

    def start(self) -> None:
        """From here on, for as long as the process lives."""
        sys.addaudithook(self._hook)

    def allow(self, *folders: Path | str) -> None:
        """Folders, or files, that may be opened, with all that lies in them."""
        self._roots |= {os.path.realpath(folder) for folder in folders}

    def take(self) -> list[str]:
        """What was opened outside since the last time: event, path and function."""
        found, self._found = self._found, []
        return found

    def report(self, found: str) -> None:
        """Keep what was found."""
        self._found.append(found)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _PATHS or getattr(self._busy, "is_set", False):
            return
        if self._of_tests and threading.get_ident() == threading.main_thread().ident:
            return
        self._busy.is_set = True
        try:
            caller = _server_code(sys._getframe(1), event)
            if caller is not None:
                for place, folder in _PATHS[event]:
                    start = arguments[folder] if folder is not None else -1
                    if not self._is_inside(event, arguments[place], start, arguments):
                        self.report(f"{event} {arguments[place]!r} in {caller}")
        finally:
            self._busy.is_set = False

    def _is_inside(self, event: str, path: Any, folder: int, arguments: tuple[Any, ...]) -> bool:
        if path is None or isinstance(path, int):
            # A descriptor has been opened before.
            return path is not None
        path = os.fsdecode(path).removeprefix("file://").partition("?")[0]
        if path == ":memory:" or (event == "open" and _stays_in_its_folder(path, arguments[2])):
            return True
        if folder >= 0:
            # As the kernel says it: to follow the name again would be to see what stands there by now.
            return _is_one_name(path) and self._is_below_a_root(str(Path(f"/proc/self/fd/{folder}").readlink()))
        place = _place_of_entry(path) if event in _OF_ENTRIES else os.path.realpath(path)
        return self._is_below_a_root(place)

    def _is_below_a_root(self, place: str) -> bool:
        # A step a folder: there are thousands of roots at the end of a run.
        while place not in self._roots:
            place = place.rpartition("/")[0]
            if not place:
                return False
        return True


WATCH = Watch(of_tests=True)
"""The watch of the tests' process."""


def allow_workspace(root: Path, manuals: Path, vault: Path, *others: Path | None) -> None:
    """The folders of a workspace, and further files that its settings name."""
    own = (root / "data", root / "dictionaries")
    WATCH.allow(manuals, vault, *own, *(other for other in others if other is not None))


def watched_environment(report: Path, *roots: Path) -> dict[str, str]:
    """Variables with which a Python process is watched in all it does, and those that it starts. It writes to the file
    `report`: a line that it is watched, then what it opens outside of the roots.
    """
    paths = [str(_REPOSITORY / "tests" / "watched"), os.environ.get("PYTHONPATH", "")]
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OPENED_REPORT": str(report),
        "OPENED_ROOTS": os.pathsep.join(map(str, roots)),
    }


def watch_this_process() -> None:
    """Called when such a process starts."""
    report = os.open(os.environ["OPENED_REPORT"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(report, b"watched\n")
    watch = Watch(of_tests=False)
    watch.allow(*os.environ["OPENED_ROOTS"].split(os.pathsep))
    watch.report = lambda found: os.write(report, f"{found}\n".encode("utf-8", "backslashreplace"))  # type: ignore
    watch.start()


def read_report(report: Path) -> list[str]:
    """What a watched process has opened outside; fails if it was not watched."""
    lines = report.read_text("utf-8").splitlines()
    assert "watched" in lines
    return [line for line in lines if line != "watched"]


def _server_code(frame: FrameType | None, event: str) -> str | None:
    """The innermost function of the server on this stack, unless a test has called it, an import is under way, or
    watchdog lists a folder: it goes by names, mostly in threads of its own, and opens none of what it lists.
    """
    found = None
    for name, function in _functions(frame):
        if name.startswith(_NOT_OURS) or (found is None and event == "os.scandir" and name.startswith("watchdog.")):
            return None
        if found is None and name.startswith("morenashi."):
            found = f"{name}.{function}"
    return found


def _functions(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    while frame is not None:
        yield str(frame.f_globals.get("__name__", "")), frame.f_code.co_name
        frame = frame.f_back


def _is_one_name(path: str) -> bool:
    return "/" not in path and path != ".."


def _stays_in_its_folder(path: str, flags: int) -> bool:
    return _is_one_name(path) and bool(flags & os.O_NOFOLLOW)


def _place_of_entry(path: str) -> str:
    folder, name = os.path.split(path)
    return f"{os.path.realpath(folder)}/{name}"
