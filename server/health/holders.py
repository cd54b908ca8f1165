"""Who holds the lock of an index. Locks end with their process, so a stale one is held by somebody who should not."""

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from morenashi.indexer.collections import Collection
from morenashi.indexer.presence import is_there
from morenashi.indexer.writer_lock import writer_lock_of

from .findings import Finding

_LOCK_OF = re.compile(r"^lock:\s+\d+: FLOCK +ADVISORY +WRITE +(\d+)", re.M)
_MOST_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Holder:
    """A process with the lock. `taken_by` is the one that took it, from which this one may have inherited it."""

    pid: int
    taken_by: int
    words: tuple[str, ...]
    """What it was started as."""
    is_stopped: bool

    @property
    def command(self) -> str:
        """The same for people. Of the interpreter the name will do: its path can be longer than all that is shown."""
        program, *words = self.words
        command = " ".join([program.rpartition("/")[2], *words]).strip()
        return command if len(command) <= _MOST_CHARACTERS else f"{command[:_MOST_CHARACTERS]}…"

    @property
    def is_daemon(self) -> bool:
        """Whether it was started as `morenashi daemon`: by a client as a module, by a service as the script."""
        return any(program.endswith("morenashi") and verb == "daemon" for program, verb in pairwise(self.words))

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command})"


def is_held(lock: Path) -> bool:
    """Whether somebody is known to hold a lock just now. Asking takes it for a moment, where it is free."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Where nothing can be locked, nobody holds a lock.
        return isinstance(error, BlockingIOError)
    finally:
        os.close(descriptor)
    return False


def find_holders(lock: Path) -> list[Holder]:
    """The processes that hold a lock, as far as the system shows them: on Linux, one's own."""
    with contextlib.suppress(OSError):
        target = lock.stat()
        return [
            holder
            for process in Path("/proc").iterdir()
            if process.name.isdigit() and (holder := _holder(process, (target.st_dev, target.st_ino)))
        ]
    return []


def is_stopped(process: Path) -> bool:
    """Whether a process, by its folder in /proc, was stopped by a signal or a debugger. Raises `OSError`."""
    # The name in brackets may hold anything; the state follows the last bracket.
    return (process / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] in ("T", "t")


def lock_findings(collection: Collection) -> Iterator[Finding]:
    """Who keeps the index: a server, one that was stopped, or a stranger who inherited the lock."""
    lock = writer_lock_of(collection.database)
    if not is_held(lock):
        return
    holders = find_holders(lock)
    for holder in holders:
        yield _describe(collection, holder)
    if not holders:
        yield Finding(
            "lock_held",
            "note",
            f"{collection.kind}: another process keeps the index; which one, the system does not show",
            "one process writes; all others read",
            "nothing, if a server runs; otherwise look for it as the user who started it, or with root's rights",
        )


def write_lock_findings(lock: Path) -> Iterator[Finding]:
    """Who stands in the way of writes to the vault. A write holds its lock for moments: that is nothing to tell."""
    if is_held(lock):
        for holder in find_holders(lock):
            if stuck := _stuck(f"the lock of {lock.parent.parent.name}/", holder, "write to the vault"):
                yield stuck


def _describe(collection: Collection, holder: Holder) -> Finding:
    stuck = _stuck(f"the index of {collection.root.name}/", holder, "bring the index up to date")
    return stuck or Finding(
        "lock_held",
        "note",
        f"{collection.kind}: {holder} keeps the index up to date",
        "one process writes; all others read",
        "nothing; end it before repairs",
    )


def _stuck(what: str, holder: Holder, prevented: str) -> Finding | None:
    """A holder that will not let go by itself."""
    if holder.is_stopped:
        return Finding(
            "lock_stopped",
            "warning",
            f"{holder} holds {what}, but is stopped",
            f"as long as it does, nobody else can {prevented}",
            f"let it go on (kill -CONT {holder.pid}) or end it (kill -KILL {holder.pid})",
        )
    if holder.taken_by != holder.pid and not is_there(Path(f"/proc/{holder.taken_by}")):
        return Finding(
            "lock_stale",
            "warning",
            f"{holder} holds {what} with a lock of process {holder.taken_by}, which has ended",
            f"it inherited the lock and has no use for it, and nobody else can {prevented}",
            f"end it: kill {holder.pid}",
        )
    return None


def _holder(process: Path, target: tuple[int, int]) -> Holder | None:
    """A process that has the locked file open; `None` for all others, and for one that is somebody else's."""
    with contextlib.suppress(OSError):
        for entry in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                status = entry.stat()
                held = _LOCK_OF.search((process / "fdinfo" / entry.name).read_text("utf-8", "replace"))
                if held and (status.st_dev, status.st_ino) == target:
                    return Holder(int(process.name), int(held[1]), _words(process), is_stopped(process))
    return None


def _words(process: Path) -> tuple[str, ...]:
    return tuple((process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0"))
