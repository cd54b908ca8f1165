"""The one writer of an index: keeps it equal to the disk and commits traces.

A thread that holds the writer lock. Where another process holds it, the keeper follows: that
process keeps the index, this one only reads, and takes over when the lock is free.
"""

import contextlib
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any

from morenashi.indexer import database, salvage, schema
from morenashi.indexer.collections import Kind, collection_of
from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import Dictionaries
from morenashi.indexer.files import DiskFile, Key, RootMissingError
from morenashi.indexer.selfcheck import check_sample
from morenashi.indexer.sync import Observer, Synchroniser
from morenashi.indexer.watch import Change, Watcher
from morenashi.indexer.write_ahead_log import WriteAheadLog

from .announcements import Announcements, Contents, read_contents
from .course import FINAL, Course
from .deadline import Deadline
from .disk import changed_as_far_as_known, differing, indexed_documents, still_differing
from .followed import Followed
from .keeper_jobs import Damage, Job, Order, Rebuild, Task, Wanted
from .log import log_event
from .notices import Notices
from .pending import Pending
from .submitted import Submitted

_RETRY_SECONDS = 1.0
_CHECK_MS = 50
_LOOK_SECONDS = 0.01


class Keeper(Observer):
    """Keeps the index of one collection. Starts at once; `ready` is set when the database can be read."""

    def __init__(
        self, config: Config, dictionaries: Dictionaries, announcements: Announcements, kind: Kind = "manuals"
    ) -> None:
        self._config = config
        self._announcements = announcements
        self._before: Contents = {}
        self._followed = Followed(announcements)
        self._collection = collection_of(config, kind)
        self._dictionaries = dictionaries
        self._course = Course(self._collection, config.watch)
        self._jobs: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self._submitted = Submitted()
        self._pending = Pending()
        self._notices = Notices()
        self._is_rebuilt = False
        self._stopping = threading.Event()
        self._connection: sqlite3.Connection | None = None
        # Of the file that is kept, since it was opened.
        self._inode: int | None = None
        self._watcher: Watcher | None = None
        self._is_blind = False
        # Since the index was tidied last.
        self._has_changed = False
        self.ready = threading.Event()
        self.failure: str | None = None
        self.degraded_build: str | None = None
        self.is_writer = False
        self._thread = threading.Thread(target=self._run, name="keeper")
        self._thread.start()

    @property
    def pending(self) -> frozenset[Change]:
        """Documents that differ on disk from what the index says, as far as is known."""
        # In the order in which a change wanders, so that it is seen in one place or the other.
        return self._heard_of | self._notices.changes | self._pending.changes

    @property
    def _heard_of(self) -> frozenset[Change]:
        """What the watcher has not told yet."""
        watcher = self._watcher
        return watcher.waiting if watcher else frozenset()

    def pending_before_search(self, reader: sqlite3.Connection, manual_id: str | None) -> frozenset[Change]:
        """What a search has to leave to the disk. Where nobody watches, the disk is listed for every search."""
        is_unwatched = self.is_writer and self._watcher is None
        if is_unwatched and self._collection.root.is_dir():
            self.look()
        if is_unwatched or self._config.watch == "off":
            return self.look_again(reader, manual_id)
        # What a tool has just written is in the index before the watcher has heard of it.
        return self.pending if self._collection.kind == "manuals" else still_differing(self._collection, self.pending)

    def look_again(self, reader: sqlite3.Connection, manual_id: str | None) -> frozenset[Change]:
        """What the disk now says otherwise than the state of the index that a connection sees.

        Events arrive a moment too late to prove an absence.
        """
        return self.pending | changed_as_far_as_known(reader, self._collection, manual_id)

    def wait_until_known(self, change: Change, seconds: float) -> bool:
        """Wait until the index holds a document as it is on disk, and say whether it does.

        The writer looks at it next. Where another process writes, that one has to hear of it by itself. With
        `WATCH=off`, which is as a rule the other's setting too, it would not: nobody waits, and every search looks.
        """
        is_writer = self.is_writer
        deadline = Deadline(1000 * seconds if is_writer or self._config.watch != "off" else 0)
        wanted = Wanted(frozenset({change}), threading.Event())
        if is_writer:
            self._notices.add(wanted.changes)
            self._jobs.put(wanted)
            wanted.done.wait(seconds)
        while True:
            with contextlib.suppress(OSError, sqlite3.DatabaseError):
                if not differing(self._collection, wanted.changes):
                    return True
            if deadline.is_over or self._stopping.wait(_LOOK_SECONDS):
                break
        # So that a search says what it has not seen.
        self._pending.add(wanted.changes)
        return False

    def submit(self, job: Job, done: Callable[[], None] = lambda: None) -> None:
        """Have a job committed soon, and `done` called after that. A follower drops it."""
        self._jobs.put((job, done))

    @property
    def state(self) -> dict[str, Any]:
        """For people: who writes, how changes are noticed, what waits, what went wrong."""
        watcher = self._watcher
        return {
            "is_writer": self.is_writer,
            "watcher": watcher.mode if watcher else None,
            "pending_files": len(self.pending),
            "queue": self._jobs.qsize() + len(self._submitted),
            "degraded": self.degraded_build is not None,
            "failure": self.failure,
        }

    def stop(self) -> None:
        """Commit what was submitted and end."""
        self._stopping.set()
        self._jobs.put(Order.STOP)
        self._thread.join()

    def started(self, files: list[DiskFile], gone: list[Key]) -> None:
        if self._announcements.are_wanted and self._connection is not None:
            self._before = read_contents(self._connection, [*(file.key for file in files), *gone])
        self._pending.add([*(file.key for file in files), *gone])
        # Not before: until the disk has been listed, nobody knows how old the index is.
        self.ready.set()

    def committed(self, keys: list[Key], size_bytes: int) -> None:
        self._pending.settle(keys)
        self._collect_submitted()
        if self._connection is not None and self._submitted.is_due:
            self._submitted.commit(self._connection)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                try:
                    with database.hold_writer_lock(self._collection.database) as killed:
                        self._course.tell_of_killed(killed)
                        self._write()
                except database.WorkspaceBusyError:
                    self._follow()
                except database.WorkspaceUnwritableError as error:
                    self._hold_out(str(error))
                except OSError as error:
                    # No descriptors left, say, or no room for the name of a file.
                    self._hold_out(os.strerror(error.errno or 0))
                except FINAL:
                    raise
                except Exception as error:  # noqa: BLE001 - a fault of ours; the index is kept all the same
                    self._hold_out(type(error).__name__, self._course.pause_after_fault())
        except Exception as error:  # noqa: BLE001 - a thread's last words; the server reports them
            self.failure = self._course.tell_of_end(error)
        finally:
            self._course.tell_of_lost(len(self._submitted))
            self.ready.set()

    def _follow(self) -> None:
        self.is_writer = False
        named = self._notices.begin_comparison()
        with contextlib.suppress(sqlite3.DatabaseError):
            # The writer may just be making the database or about to repair it.
            self._read_along()
            self._notices.end_comparison(named)
        self._stopping.wait(_RETRY_SECONDS)
        with contextlib.suppress(queue.Empty):
            while (job := self._jobs.get_nowait()) is not Order.STOP:
                self._settle(job)

    def _read_along(self) -> None:
        """Note what the index, which this keeper does not write, says otherwise than the disk; it can be read.

        Unless another version has made it: that would be asked wrongly, and answer so.
        """
        failure = None
        try:
            with contextlib.closing(database.open_reader(self._collection.database)) as reader:
                schema.refuse_other_version(reader)
                self._followed.look(reader)
                self._pending.replace(changed_as_far_as_known(reader, self._collection))
        except schema.OtherVersionError as error:
            failure = str(error)
            self._course.tell_of_obstacle(failure)
        self.failure = failure
        self.ready.set()

    def _hold_out(self, obstacle: str, seconds: float = _RETRY_SECONDS) -> None:
        """The index cannot be written just now: say so once, keep what was submitted, and try again in a while."""
        self.is_writer = False
        self._course.tell_of_obstacle(obstacle)
        self._collect_submitted()
        self._submitted.drop_oldest()
        try:
            self._read_along()
        except sqlite3.DatabaseError:
            self.failure = obstacle
            self.ready.set()
        self._stopping.wait(seconds)

    def _write(self) -> None:
        try:
            self._keep_index()
        except sqlite3.DatabaseError as error:
            if database.may_pass(error) or self._is_replaced:
                # The disk is full, say, or somebody else writes to the file, or has taken it away. Begin again.
                self._hold_out(salvage.describe(error))
                return
            log_event("error", "keeper", ok=False, error=salvage.describe(error))
            if not salvage.is_damage(error):
                raise
            # What it held is salvaged when it is opened next.
            salvage.set_aside(self._collection.database)

    def _keep_index(self) -> None:
        self.is_writer = True
        self._inode = None
        connection, notices = database.open_writer(self._collection.database, look_through=False)
        for notice in notices:
            log_event("warn", "keeper", ok=True, notice=notice)
        with contextlib.closing(connection):
            self._inode = database.inode_of(self._collection.database)
            # What the writer before this one did last.
            self._followed.look(connection)
            self._followed.forget()
            self._connection = connection
            synchroniser = Synchroniser(self._config, connection, self._dictionaries, self._collection.kind)
            try:
                self._compare(synchroniser)
                self._course.tell_of_recovery()
                self.failure = None
                self.ready.set()
                self._check_sample(connection)
                if self.degraded_build is not None:
                    self._jobs.put(Rebuild(self.degraded_build))
                # Looked for here and not at the opening, so that nobody waits for it.
                database.raise_if_damaged(connection)
                self._serve_jobs(synchroniser, connection)
            finally:
                self._connection = None
                if self._watcher:
                    self._watcher.stop()
                    self._watcher = None

    def _check_sample(self, connection: sqlite3.Connection) -> None:
        """Compare index and stored texts for a moment. Searches do not wait for it."""
        deadline = Deadline(_CHECK_MS)
        sample = check_sample(connection, time.time_ns(), lambda: deadline.is_over or self._stopping.is_set())
        if sample.differences:
            log_event("warn", "selfcheck", ok=False, elapsed_ms=round(deadline.elapsed_ms, 1), **sample.as_counts())
            self.doubt(schema.build(connection))

    def _rebuild(self, synchroniser: Synchroniser, connection: sqlite3.Connection, job: Rebuild) -> None:
        """Make the derived tables anew, seen whole or not at all; meanwhile searches scan. Done once at most."""
        if self._is_rebuilt or schema.build(connection) != job.build:
            return
        self._is_rebuilt = True
        # Interrupted if the server ends: the next one finds the difference again.
        with contextlib.suppress(KeyboardInterrupt, RootMissingError):
            synchroniser.synchronise(full=True, should_stop=self._stopping.is_set)
            log_event("warn", "index", ok=True, notice="the index was rebuilt")
            self._check_sample(connection)

    def _start_watcher(self) -> None:
        """Watch the root, if that is not done yet. A vault may be made later; until then there is nothing to watch."""
        if self._watcher or (self._collection.kind == "vault" and not self._collection.root.is_dir()):
            return
        try:
            self._watcher = Watcher(self._collection.root, self._take_notice, self._config.watch, self._collection.key)
        except OSError as error:
            log_event("error", "watcher", ok=False, error=os.strerror(error.errno or 0))
            return
        self._course.tell_of_watching(self._watcher.mode)

    def _take_notice(self, changes: frozenset[Change] | None) -> None:
        if changes is None:
            # What it has heard of meanwhile is not forgotten for that.
            self.look(self._heard_of)
        else:
            self._notices.add(changes)
            self._jobs.put(changes)

    def _serve_jobs(self, synchroniser: Synchroniser, connection: sqlite3.Connection) -> None:
        log = WriteAheadLog(connection)
        while (job := self._next_job(synchroniser, connection, log)) is not Order.STOP:
            if self._is_replaced:
                notice = "the database was deleted or replaced; the one that is there is opened, or made"
                log_event("warn", "keeper", ok=False, notice=notice)
                self._jobs.put(job)
                return
            if job is Order.COMPARE:
                if self._watcher:
                    self._course.tell_of_watching(self._watcher.mode)
                self._compare(synchroniser)
            elif isinstance(job, frozenset | Wanted):
                try:
                    self._take_changes(synchroniser, job if isinstance(job, frozenset) else job.changes)
                finally:
                    self._settle(job)
            elif isinstance(job, Rebuild):
                self._rebuild(synchroniser, connection, job)
            elif isinstance(job, Damage):
                self._raise_if_present(job)
            else:
                self._submitted.add(job)
        self._collect_submitted()
        self._submitted.commit(connection)

    def _settle(self, job: Task) -> None:
        """A job that named changes was dealt with, or will be by somebody else."""
        if isinstance(job, Wanted):
            self._notices.settle(job.changes)
            job.done.set()
        elif isinstance(job, frozenset):
            self._notices.settle(job)

    def _next_job(self, synchroniser: Synchroniser, connection: sqlite3.Connection, log: WriteAheadLog) -> Task:
        """Wait for something to do; meanwhile, what was submitted is committed when it is due, and the index tidied."""
        while self._submitted or self._is_blind:
            try:
                return self._jobs.get(timeout=self._submitted.seconds_left if self._submitted else _RETRY_SECONDS)
            except queue.Empty:
                self._submitted.commit(connection)
                log.shorten()
                if self._is_blind:
                    return Order.COMPARE
        while self._has_changed and self._jobs.empty():
            self._has_changed = synchroniser.merge()
        log.shorten()
        return self._jobs.get()

    def _collect_submitted(self) -> None:
        """Take what was submitted out of the queue; changes wait on."""
        others = []
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if isinstance(job, tuple):
                    self._submitted.add(job)
                else:
                    others.append(job)
        for job in others:
            self._jobs.put(job)

    def _compare(self, synchroniser: Synchroniser) -> None:
        # Watched before it is compared, so that nothing falls in between.
        self._start_watcher()
        named = self._notices.begin_comparison()
        try:
            summary = synchroniser.synchronise(observer=self, should_stop=self._stopping.is_set)
        except RootMissingError as error:
            if not self._is_blind:
                log_event("warn", "keeper", ok=False, error=str(error))
            self._is_blind = True
            assert self._connection is not None
            self._pending.add_unsettled(indexed_documents(self._connection))
        else:
            self._is_blind = False
            self._pending.settle_unsettled()
            self._notices.end_comparison(named)
            self._course.tell_of_comparison(summary)
        self._announce()

    def _announce(self) -> None:
        """Tell of what was just committed, in one go: a batch of the watcher, or a whole comparison."""
        before, self._before = self._before, {}
        if before and self._connection is not None:
            self._announcements.announce(before, read_contents(self._connection, before))

    def _take_changes(self, synchroniser: Synchroniser, changes: frozenset[Change]) -> None:
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
            self._compare(synchroniser)
            if self._is_blind:
                self._pending.add_unsettled(changes)
            return
        synchroniser.apply(files, gone, self)
        self._has_changed = True
        self._announce()

    def doubt(self, build: str) -> None:
        """The full-text tables of this build were found to be wrong. From now on searches scan, until a rebuild."""
        if build == self.degraded_build:
            return
        self.degraded_build = build
        log_event("warn", "index", ok=False, notice="the index is degraded: searches scan the texts; it is rebuilt")
        self._jobs.put(Rebuild(build))

    def look(self, named: frozenset[Change] = frozenset()) -> None:
        """Compare everything now. What waits for its turn serves all who have asked. `named` are known to differ."""
        if self._notices.ask_to_compare(named):
            self._jobs.put(Order.COMPARE)

    def report(self, error: sqlite3.DatabaseError, inode: int | None) -> None:
        """A reader of the file `inode` met an error. If it means damage, that file is set aside and rebuilt.

        Without `inode` it could not even be opened: the file that is there now.
        """
        present = database.inode_of(self._collection.database)
        if salvage.is_damage(error) and present is not None:
            self._jobs.put(Damage(error, inode or present))

    def _raise_if_present(self, damage: Damage) -> None:
        """Raise what a reader met, unless the file that it read has been set aside since."""
        if damage.inode == database.inode_of(self._collection.database):
            raise damage.error

    @property
    def _is_replaced(self) -> bool:
        """Whether the file that is kept was deleted, or another one has its name."""
        # It may have been deleted before its number was read: then there is none to compare with.
        present = database.inode_of(self._collection.database)
        return present is None or self._inode not in (None, present)
