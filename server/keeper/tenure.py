"""The time in which one index is open to its writer: compared with the disk, watched, and kept true."""

import contextlib
import os
import queue
import sqlite3
import time

from morenashi.indexer import database, schema
from morenashi.indexer.config import WatchMode
from morenashi.indexer.files import DiskFile, Key
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.presence import is_folder
from morenashi.indexer.selfcheck import check_sample
from morenashi.indexer.sync import Observer, Synchroniser
from morenashi.indexer.watch import Change, Watcher
from morenashi.indexer.write_ahead_log import WriteAheadLog
from morenashi.server import heap
from morenashi.server.announcements import Changes, Contents, read_contents
from morenashi.server.deadline import Deadline
from morenashi.server.log import log_event

from .disk import indexed_documents
from .jobs import Damage, Order, Rebuild, Task, Wanted
from .keeping import Keeping

_CHECK_MS = 50
_LOOK_AGAIN_SECONDS = 1.0


class Tenure(Observer):
    """In the keeper's thread, but for `heard_of`, `has_unnamed` and `watch_mode`. The caller holds the writer lock."""

    def __init__(self, keeping: Keeping, connection: sqlite3.Connection, synchroniser: Synchroniser) -> None:
        self._collection = keeping.collection
        self._keeping = keeping
        self._inbox = keeping.inbox
        self._submitted = keeping.inbox.submitted
        self._file = keeping.file
        self._connection = connection
        self._synchroniser = synchroniser
        self._write_ahead_log = WriteAheadLog(connection)
        self._watcher: Watcher | None = None
        # Of the documents that are being written, what they held before, if anybody listened then.
        self._before: Contents | None = None
        self._written: frozenset[Key] = frozenset()
        # Whether somebody listened when the last of them were committed: who came later has seen all.
        self._is_heard = False
        # While the root is missing.
        self._is_blind = False
        # Since the index was tidied last.
        self._has_changed = False

    @property
    def heard_of(self) -> frozenset[Change]:
        """What the watcher has not told yet."""
        watcher = self._watcher
        return watcher.waiting if watcher else frozenset()

    @property
    def has_unnamed(self) -> bool:
        """Whether the watcher has heard of more than it can name."""
        watcher = self._watcher
        return watcher is not None and watcher.has_unnamed

    @property
    def watch_mode(self) -> WatchMode | None:
        """How changes are heard of; `None` if they are not."""
        watcher = self._watcher
        return watcher.mode if watcher else None

    def compare(self) -> None:
        """Make the index equal to the disk."""
        # Until the disk is listed, every search looks at it: the index may have just been made anew, and hold nothing.
        named = self._inbox.notices.begin_comparison()
        # Watched before it is compared, so that nothing falls in between.
        self._start_watcher()
        # All that is known by now: also what this process noted while another wrote, or while the root was missing.
        noted = self._keeping.pending.changes
        try:
            summary = self._synchroniser.synchronise(observer=self, should_stop=self._keeping.stopping.is_set)
        except RootMissingError as error:
            if not self._is_blind:
                log_event("warn", "keeper", ok=False, error=str(error))
            self._is_blind = True
            # Whether they differ, nobody can tell until the disk can be listed.
            self._keeping.pending.add(indexed_documents(self._connection))
            self._note_listed()
        else:
            self._is_blind = False
            if not self._keeping.stopping.is_set():
                self._keeping.pending.settle(noted)
            self._inbox.notices.end_comparison(named)
            self._keeping.course.tell_of_comparison(summary)
        self._announce()
        # It may have indexed everything; and it comes twice a minute, whatever the searches between have used.
        heap.give_back()

    def serve(self) -> None:
        """Do what is asked until the order to stop comes, or the file is replaced.

        Raises `sqlite3.DatabaseError` for damage that this one meets, or a reader has met.
        """
        self._check_sample()
        self._keeping.doubt.ask_for_rebuild()
        # Looked for here and not at the opening, so that nobody waits for it.
        database.raise_if_damaged(self._connection)
        while (task := self._next_task()) is not Order.STOP:
            if self._file.is_replaced:
                notice = "the database was deleted or replaced; the one that is there is opened, or made"
                log_event("warn", "keeper", ok=False, notice=notice)
                self._inbox.put(task)
                return
            self._do(task)
        self._inbox.collect_submitted()
        self._submitted.commit(self._connection)

    def close(self) -> None:
        """Watch no longer."""
        if self._watcher:
            self._watcher.stop()
            self._watcher = None

    def started(self, files: list[DiskFile], gone: list[Key]) -> None:
        keys = [*(file.key for file in files), *gone]
        self._before = read_contents(self._connection, keys) if self._keeping.announcements.are_wanted else None
        self._written, self._is_heard = frozenset(keys), False
        self._keeping.pending.add(keys)
        self._note_listed()
        # Not before: until the disk has been listed, nobody knows how old the index is.
        self._keeping.let_in()

    def committed(self, keys: list[Key], size_bytes: int) -> None:
        self._is_heard = self._keeping.announcements.are_wanted
        self._keeping.pending.settle(keys)
        self._inbox.collect_submitted()
        if self._submitted.is_due:
            self._submitted.commit(self._connection)

    def _note_listed(self) -> None:
        """From now on what differs from this index is among what is pending."""
        self._keeping.pending.note_compared(schema.build(self._connection))
        self._inbox.notices.note_listed()

    def _next_task(self) -> Task:
        """Wait for something to do; meanwhile, what was submitted is committed when it is due, and the index tidied."""
        while self._submitted or self._is_blind:
            try:
                return self._inbox.get(self._submitted.seconds_left if self._submitted else _LOOK_AGAIN_SECONDS)
            except queue.Empty:
                self._submitted.commit(self._connection)
                self._write_ahead_log.shorten()
                if self._is_blind:
                    return Order.COMPARE
        while self._has_changed and self._inbox.is_empty:
            self._has_changed = self._synchroniser.merge()
        self._write_ahead_log.shorten()
        return self._inbox.get()

    def _do(self, task: Task) -> None:
        if task is Order.COMPARE:
            if self._watcher:
                self._keeping.course.tell_of_watching(self._watcher.mode)
            self.compare()
        elif isinstance(task, frozenset | Wanted):
            try:
                self._take_changes(task if isinstance(task, frozenset) else task.changes)
            finally:
                self._inbox.settle(task)
        elif isinstance(task, Rebuild):
            self._rebuild(task)
        elif isinstance(task, Damage):
            # Unless the file that the reader read has been set aside since.
            if task.inode == self._file.present:
                raise task.error
        elif isinstance(task, tuple):
            self._submitted.add(task)

    def _take_changes(self, changes: frozenset[Change]) -> None:
        files, gone = [], []
        self._start_watcher()
        try:
            for manual_id, path in sorted(changes):
                file = self._collection.list_one((manual_id, path))
                if file is None:
                    gone.append((manual_id, path))
                else:
                    files.append(file)
        except OSError:
            # Whether the file is there cannot be told: the comparison knows what to keep.
            self.compare()
            if self._is_blind:
                self._keeping.pending.add(changes)
            return
        self._synchroniser.apply(files, gone, self)
        self._has_changed = True
        self._announce()

    def _announce(self) -> None:
        """Tell of what was just committed, in one go: a batch of the watcher, or a whole comparison."""
        before, written = self._before, self._written
        self._before, self._written = None, frozenset()
        announcements = self._keeping.announcements
        if before is not None:
            announcements.announce(self._collection.kind, before, read_contents(self._connection, before))
        elif written and self._is_heard:
            # Somebody began to listen in the middle of it, and may have seen half.
            announcements.tell(Changes(self._collection.kind, written, is_list_changed=True))

    def _start_watcher(self) -> None:
        """Watch the root, if that is not done yet. A vault may be made later; until then there is nothing to watch."""
        if self._watcher or (self._collection.kind == "vault" and not is_folder(self._collection.root)):
            return
        try:
            self._watcher = Watcher(self._collection.root, self._take_notice, self._keeping.watch, self._collection.key)
        except OSError as error:
            log_event("error", "watcher", ok=False, error=os.strerror(error.errno or 0))
            return
        self._keeping.course.tell_of_watching(self._watcher.mode)

    def _take_notice(self, changes: frozenset[Change] | None) -> None:
        if changes is None:
            # What it has heard of meanwhile is not forgotten for that.
            self._inbox.ask_to_compare(self.heard_of)
        else:
            self._inbox.put_changes(changes)

    def _check_sample(self) -> None:
        """Compare index and stored texts for a moment. Searches do not wait for it."""
        deadline = Deadline(_CHECK_MS)
        must_end = self._keeping.stopping.is_set
        sample = check_sample(self._connection, time.time_ns(), lambda: deadline.is_over or must_end())
        if sample.differences:
            log_event("warn", "selfcheck", ok=False, elapsed_ms=round(deadline.elapsed_ms, 1), **sample.as_counts())
            self._keeping.doubt.cast(schema.build(self._connection))

    def _rebuild(self, asked: Rebuild) -> None:
        """Make the derived tables anew, seen whole or not at all; meanwhile searches scan. Done once at most."""
        doubt = self._keeping.doubt
        if doubt.is_rebuilt or schema.build(self._connection) != asked.build:
            return
        doubt.is_rebuilt = True
        # Interrupted if the server ends: the next one finds the difference again.
        with contextlib.suppress(KeyboardInterrupt, RootMissingError):
            self._synchroniser.synchronise(full=True, should_stop=self._keeping.stopping.is_set)
            # What has changed since it listed the disk was told by the watcher.
            self._keeping.pending.note_compared(schema.build(self._connection))
            log_event("warn", "index", ok=True, notice="the index was rebuilt")
            self._check_sample()
