"""Changes on disk, as batches of paths.

Events come from watchdog. What they may miss is found by comparing the disk with the index: after
an overflow of the event queue, after a folder came, went or moved, after a large burst, every half
minute anyway, and every second on file systems that send no events, when no watches are left or
while the root itself is not there, once more when it is back. After a folder went or moved, watching
begins anew.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import EventEmitter

from .collections import display_name
from .config import WatchMode
from .files import Key, is_storable, manual_key
from .inotify import has_watches_left
from .mounts import is_silent
from .presence import identity_of, is_folder

Change = Key
"""The document that was created, changed or removed."""

QUIET_SECONDS = 0.02
LONGEST_WAIT_SECONDS = 0.25
RESCAN_SECONDS = 30.0
POLL_SECONDS = 1.0
_BURST = 500
# Not that a file was opened, or closed unchanged: to hear of each would cost the server more than to read it.
_RELEVANT: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]


class Watcher:
    """Watches a root in a thread of its own until `stop`.

    `deliver` gets the paths of a batch; `None` means: compare everything. `key_of` names the document at a path
    below the root, `None` if there can be none.
    """

    def __init__(
        self,
        root: Path,
        deliver: Callable[[frozenset[Change] | None], None],
        mode: WatchMode,
        key_of: Callable[[tuple[str, ...]], Change | None] = manual_key,
    ) -> None:
        self._root = root
        self._deliver = deliver
        self._key_of = key_of
        self._changes: set[Change] = set()
        self._needs_rescan = False
        # Once they have, watchdog takes one for another, or hears nothing of it any more (7.1).
        self._are_folders_moved = False
        # What is taken out to be delivered: until that has happened, nobody else knows of it.
        self._in_delivery: frozenset[Change] = frozenset()
        self._is_rescan_in_delivery = False
        self._wake = threading.Condition()
        self._stopped = False
        # Then that comparison found nothing, and nobody tells that the folder is back.
        self._compared_without_root = False
        self._asked_to_compare_at = time.monotonic()
        self._wanted_mode = mode
        self.mode = self._start_events(mode)
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End watching. Returns when no further batch will be delivered."""
        with self._wake:
            self._stopped = True
            self._wake.notify()
        self._thread.join()
        if self.mode == "events":
            self._stop_events()

    @property
    def waiting(self) -> frozenset[Change]:
        """Changes seen and not delivered yet."""
        with self._wake:
            return self._in_delivery | self._changes

    @property
    def has_unnamed(self) -> bool:
        """Whether it will ask to compare everything, and has not done so yet: what has changed has no name so far."""
        with self._wake:
            return self._needs_rescan or self._is_rescan_in_delivery

    def note(self, is_folder: bool, *paths: str) -> None:
        """Take up an event, from watchdog's thread."""
        changes = {change for path in paths if (change := self._change(path))}
        with self._wake:
            # A document without a name that can be told is counted by a comparison.
            if is_folder or not all(map(is_storable, map(display_name, changes))):
                self._needs_rescan = True
            else:
                self._changes |= changes
            self._wake.notify()

    def note_moved_folder(self) -> None:
        """Take up that a folder has another name now, or is gone."""
        with self._wake:
            self._are_folders_moved = True

    def rescan(self) -> None:
        """Ask for a comparison of everything."""
        with self._wake:
            self._needs_rescan = True
            self._wake.notify()

    def _start_events(self, mode: WatchMode) -> WatchMode:
        if mode in ("off", "polling") or (mode == "auto" and is_silent(self._root)):
            return "off" if mode == "off" else "polling"
        self._watched = identity_of(self._root)
        self._observer = Observer()
        self._observer.schedule(_Handler(self), str(self._root), recursive=True, event_filter=_RELEVANT)
        self._alarm = _Alarm(self)
        _WATCHDOG_LOG.addHandler(self._alarm)
        try:
            self._observer.start()
        except (OSError, RecursionError) as error:
            # No watches left (inotify limits), or none at all; or folders that lie too deep in each other for watchdog.
            _WATCHDOG_LOG.removeHandler(self._alarm)
            if mode == "events" and isinstance(error, OSError):
                raise
            return "polling"
        if has_watches_left(self._root):
            return "events"
        self._stop_events()
        return "polling"

    def _stop_events(self) -> None:
        for emitter in self._observer.emitters:
            _close_books(emitter)
        # Of another version the books could not be closed: what it misses in them leaves its threads to be waited for
        # in vain. They end with the process.
        with contextlib.suppress(KeyError):
            self._observer.stop()
            self._observer.join()
        _WATCHDOG_LOG.removeHandler(self._alarm)

    def _look_for_watches(self) -> None:
        """Folders have come: if no watch was left for them, watchdog says nothing, and nothing is heard from there."""
        if self.mode == "events" and not has_watches_left(self._root):
            self._stop_events()
            self.mode = "polling"

    def _has_lost_root(self) -> bool:
        """Whether the root was removed, moved or exchanged. watchdog stays with the folder that it was, or ends with
        it; the number alone does not tell, as the next folder may get it.
        """
        if self.mode != "events":
            return False
        has_ended = not all(emitter.is_alive() for emitter in self._observer.emitters)
        return has_ended or identity_of(self._root) != self._watched

    def _look_for_folders(self) -> None:
        """Watch the folder that the root is now, and those that it has now, where they were moved or removed."""
        with self._wake:
            are_moved, self._are_folders_moved = self._are_folders_moved, False
        if (are_moved or self._has_lost_root()) and self.mode == "events" and is_folder(self._root):
            self._stop_events()
            try:
                self.mode = self._start_events(self._wanted_mode)
            except OSError:
                self.mode = "polling"

    def _is_deaf(self) -> bool:
        """Whether watchdog's thread that reads the events has ended. It does so without a word, for all watchers of the
        process, when a folder is exchanged for another faster than it follows (watchdog 7.1).
        """
        if self.mode != "events":
            return False
        return not all(getattr(emitter, "_inotify_fd", emitter).is_alive() for emitter in self._observer.emitters)

    def _change(self, path: str) -> Change | None:
        try:
            relative = PurePosixPath(path).relative_to(self._root)
        except ValueError:
            return None
        return self._key_of(relative.parts)

    def _run(self) -> None:
        while (batch := self._next_batch()) is not None:
            if batch == "everything":
                self._look_for_folders()
                self._look_for_watches()
                self._compared_without_root = self._has_lost_root()
            self._deliver(None if batch == "everything" else batch)
            with self._wake:
                self._in_delivery = frozenset()
                self._is_rescan_in_delivery = False

    def _next_batch(self) -> frozenset[Change] | Literal["everything"] | None:
        """Wait for changes and then for a quiet moment. `None` at the end."""
        with self._wake:
            while (seconds := self._seconds_left()) != 0 and not (self._changes or self._needs_rescan or self._stopped):
                # Nobody tells that the root is another folder now: it is looked at.
                self._wake.wait(None if seconds is None else min(seconds, POLL_SECONDS))
            if self._seconds_left() == 0:
                self._needs_rescan = True
            started = time.monotonic()
            while not self._stopped and self._wake.wait(QUIET_SECONDS):
                if time.monotonic() - started > LONGEST_WAIT_SECONDS:
                    break
            if self._stopped:
                return None
            self._in_delivery, rescan = frozenset(self._changes), self._needs_rescan
            self._changes.clear()
            self._needs_rescan = False
            if not rescan and len(self._in_delivery) <= _BURST:
                return self._in_delivery
            self._asked_to_compare_at = time.monotonic()
            self._is_rescan_in_delivery = True
            return "everything"

    def _seconds_left(self) -> float | None:
        """Until everything is compared anyway, however much is heard of meanwhile; `None`: never."""
        if self.mode == "off":
            return None
        is_or_was_lost = self._has_lost_root() or self._compared_without_root
        hears_nothing = self.mode == "polling" or self._is_deaf() or is_or_was_lost
        patience_seconds = POLL_SECONDS if hears_nothing else RESCAN_SECONDS
        return max(self._asked_to_compare_at + patience_seconds - time.monotonic(), 0)


class _Handler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def on_any_event(self, event: FileSystemEvent) -> None:
        if isinstance(event, DirMovedEvent | DirDeletedEvent):
            self._watcher.note_moved_folder()
        paths = [str(path) for path in (event.src_path, event.dest_path) if path]
        self._watcher.note(event.is_directory, *paths)


class _Alarm(logging.Handler):
    """watchdog tells of an overflowed queue in its log alone: whatever it warns of, look at everything."""

    def __init__(self, watcher: Watcher) -> None:
        super().__init__(logging.WARNING)
        self._watcher = watcher

    def emit(self, record: logging.LogRecord) -> None:
        self._watcher.rescan()


_WATCHDOG_LOG = logging.getLogger("watchdog")
_WATCHDOG_LOG.propagate = False
_WATCHDOG_LOG.addHandler(logging.NullHandler())


def _close_books(emitter: EventEmitter) -> None:
    """Have watchdog hear no more, and agree with itself on what it watches: of two folders that had one name after the
    other it forgets one, misses it in the end, and then never ends (7.1). Another version, which calls them otherwise,
    is left as it is.
    """
    books: Any = getattr(emitter, "_inotify", None)
    with contextlib.suppress(AttributeError, TypeError), books._lock:
        watches = {name: watch for watch, name in books._active_callbacks_by_watch.items()}
        books._is_active = False
        books._active_callbacks_by_path = watches
