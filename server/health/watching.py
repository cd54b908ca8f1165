"""Whether changes on disk can be noticed as they happen: inotify's limits, file systems that send no events."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from morenashi.indexer.config import WatchMode
from morenashi.indexer.mounts import is_silent

from .findings import Finding, counted

_LIMITS = "sys/fs/inotify"


def watch_findings(root: Path, mode: WatchMode, *, is_kept: bool, system: Path = Path("/proc")) -> Iterator[Finding]:
    """What stands against watching a folder. A server that already does has its watches: then only the limit counts."""
    if mode in ("polling", "off"):
        return
    if is_silent(root, system / "mounts"):
        yield _on_silent_file_system(root, mode)
        return
    most = _read_number(system / _LIMITS / "max_user_watches")
    if most is None:
        return
    needed = sum(1 for _ in os.walk(root))
    observers, used = (0, 0) if is_kept else _in_use(system)
    if observers >= (_read_number(system / _LIMITS / "max_user_instances") or observers + 1):
        yield Finding(
            "inotify_instances",
            "warning",
            f"all {observers} inotify instances of this user are in use",
            "a server cannot be told of changes: it compares the disk every second instead",
            f"raise the limit: sysctl fs.inotify.max_user_instances={4 * observers}; or set WATCH=polling",
        )
    if needed > most - used:
        yield Finding(
            "inotify_watches",
            "warning",
            f"{root} has {counted(needed, 'folder')}; of {most} inotify watches {used} are in use",
            "a server cannot be told of every change: it compares the disk every second instead (with WATCH=events it "
            "does not watch at all)",
            f"raise the limit: sysctl fs.inotify.max_user_watches={_next_limit(needed + used)}; or set WATCH=polling",
        )


def _on_silent_file_system(root: Path, mode: str) -> Finding:
    if mode == "events":
        return Finding(
            "silent_file_system",
            "warning",
            f"{root} lies on a file system that sends no events, and WATCH=events is set",
            "what other machines write there is found by the comparison every half minute only",
            "leave WATCH out: the disk is then compared every second",
        )
    return Finding(
        "silent_file_system",
        "note",
        f"{root} lies on a file system that sends no events",
        "a server compares the disk every second instead",
        "nothing",
    )


def _in_use(system: Path) -> tuple[int, int]:
    """Instances and watches of this user's processes, as far as the system shows them."""
    watches: list[int] = []
    for process in system.iterdir():
        with contextlib.suppress(OSError):
            if process.name.isdigit() and process.stat().st_uid == os.geteuid():
                watches += _watches_of(process)
    return len(watches), sum(watches)


def _watches_of(process: Path) -> Iterator[int]:
    """How many watches each instance of a process has."""
    for entry in (process / "fd").iterdir():
        with contextlib.suppress(OSError):
            if str(entry.readlink()) == "anon_inode:inotify":
                lines = (process / "fdinfo" / entry.name).read_text("utf-8", "replace").splitlines()
                yield sum(line.startswith("inotify ") for line in lines)


def _next_limit(needed: int) -> int:
    return max(524_288, 1 << (2 * needed).bit_length())


def _read_number(path: Path) -> int | None:
    try:
        return int(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
