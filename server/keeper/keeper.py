"""The one writer of an index: keeps it equal to the disk and commits traces.

A thread that holds the writer lock. Where another process holds it, the keeper follows: that
process keeps the index, this one only reads, and takes over when the lock is free.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable
from typing import Any

from morenashi.indexer import database, salvage, schema, writer_lock
from morenashi.indexer.collections import CollectionKind
from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import Dictionaries
from morenashi.indexer.index_state import read_fact
from morenashi.indexer.presence import is_folder
from morenashi.indexer.sync import Synchroniser
from morenashi.indexer.watch import Change
from morenashi.server.announcements import Announcements
from morenashi.server.deadline import Deadline
from morenashi.server.log import log_event

from .course import FINAL
from .disk import changed_as_far_as_known, differing, still_differing
from .followed import Followed
from .home import Home
from .jobs import Damage, Job, Order
from .keeping import Keeping
from .tenure import Tenure

_RETRY_SECONDS = 1.0
_LOOK_SECONDS = 0.01


class Keeper:
    """Keeps the index of one collection. Starts at once; `ready` is set when the database can be read."""

    def __init__(
        self, config: Config, dictionaries: Dictionaries, announcements: Announcements, kind: CollectionKind
    ) -> None:
        self._config = config
        self._dictionaries = dictionaries
        self._keeping = Keeping(config, announcements, kind)
        self._collection = self._keeping.collection
        self._course = self._keeping.course
        self._inbox = self._keeping.inbox
        self._stopping = self._keeping.stopping
        self._followed = Followed(announcements, kind)
        self._home = Home(config.root)
        self._tenure: Tenure | None = None
        self.ready = self._keeping.ready
        self.is_writer = False
        self._thread = threading.Thread(target=self._run, name="keeper")
        self._thread.start()

    @property
    def failure(self) -> str | None:
        """What stands in the way of every search, once `ready` is set; as a rule nothing does."""
        return self._keeping.failure

    @property
    def pending(self) -> frozenset[Change]:
        """Documents that differ on disk from what the index says, as far as is known."""
        tenure = self._tenure
        heard_of: frozenset[Change] = tenure.heard_of if tenure else frozenset()
        # In the order in which a change wanders, so that it is seen in one place or the other.
        return heard_of | self._inbox.notices.changes | self._keeping.pending.changes

    @property
    def degraded_build(self) -> str | None:
        """The build of full-text tables that were found wrong: while the index is of that one, searches scan."""
        return self._keeping.doubt.build

    @property
    def state(self) -> dict[str, Any]:
        """For people: who writes, how changes are noticed, what waits, what went wrong."""
        tenure = self._tenure
        return {
            "is_writer": self.is_writer,
            "watcher": tenure.watch_mode if tenure else None,
            "pending_files": len(self.pending),
            "queue": len(self._inbox),
            "degraded": self.degraded_build is not None,
            "failure": self.failure,
        }

    def pending_before_search(self, reader: sqlite3.Connection, manual_id: str | None) -> frozenset[Change]:
        """What a search has to leave to the disk. Where nobody watches, the disk is listed for every search, and what
        is found there is indexed, so that the next one finds it in the index.
        """
        tenure = self._tenure
        is_unwatched = self.is_writer and (tenure is None or tenure.watch_mode is None)
        if is_unwatched and is_folder(self._collection.root):
            # Whatever it finds: the watcher may start now.
            self.look()
        # Asked before what is pending: what gets its names meanwhile is then found there.
        has_unnamed = self._has_unnamed(reader)
        if is_unwatched or has_unnamed or self._config.watch == "off":
            pending = self.look_again(reader, manual_id)
            if pending and not has_unnamed:
                self.look()
        else:
            pending = self.pending
        # What a tool has just written is in the index before the watcher has heard of it.
        return pending if self._collection.kind == "manuals" else still_differing(self._collection, pending)

    def look_again(self, reader: sqlite3.Connection, manual_id: str | None) -> frozenset[Change]:
        """What the disk now says otherwise than the state of the index that a connection sees.

        Events arrive a moment too late to prove an absence.
        """
        return self.pending | changed_as_far_as_known(reader, self._collection, manual_id)

    def _has_unnamed(self, reader: sqlite3.Connection) -> bool:
        """Whether more may differ from the index that a connection sees than `pending` names: a folder has come, or
        the index was made anew, and the disk was not listed since.
        """
        tenure = self._tenure
        is_heard_of = tenure is not None and tenure.has_unnamed
        return (
            is_heard_of
            or self._inbox.notices.are_without_names
            or self._keeping.pending.build != read_fact(reader, "build")
        )

    def wait_until_known(self, change: Change, seconds: float) -> bool:
        """Wait until the index holds a document as it is on disk, and say whether it does.

        The writer looks at it next. Where another process writes, that one has to hear of it by itself. With
        `WATCH=off`, which is as a rule the other's setting too, it would not: nobody waits, and every search looks.
        """
        is_writer = self.is_writer
        deadline = Deadline(1000 * seconds if is_writer or self._config.watch != "off" else 0)
        if is_writer:
            self._inbox.want(change).wait(seconds)
        while not (is_known := self._is_known(change)):
            if deadline.is_over or self._stopping.wait(_LOOK_SECONDS):
                # So that a search says what it has not seen. Looked at once more: nobody else would settle it now, if
                # the index got it a moment ago.
                self._keeping.pending.add([change])
                if is_known := self._is_known(change):
                    self._keeping.pending.settle([change])
                break
        return is_known

    def _is_known(self, change: Change) -> bool:
        """Whether the index holds a document as it is on disk; not if that cannot be told."""
        with contextlib.suppress(OSError, sqlite3.DatabaseError):
            return not differing(self._collection, [change])
        return False

    def submit(self, job: Job, done: Callable[[], None] = lambda: None) -> None:
        """Have a job committed soon, and `done` called after that. A follower drops it; so does one that has ended."""
        self._inbox.put((job, done))

    def look(self) -> None:
        """Have everything compared."""
        self._inbox.ask_to_compare()

    def doubt(self, build: str) -> None:
        """A search found the full-text tables of this build to be wrong."""
        self._keeping.doubt.cast(build)

    def report(self, error: sqlite3.DatabaseError, inode: int | None) -> None:
        """A reader of the file `inode` met an error. If it means damage, that file is set aside and rebuilt.

        Without `inode` it could not even be opened: the file that is there now.
        """
        present = self._keeping.file.present
        if salvage.is_damage(error) and present is not None:
            self._inbox.put(Damage(error, inode or present))

    def stop(self) -> None:
        """Commit what was submitted and end."""
        self._stopping.set()
        self._inbox.put(Order.STOP)
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                if not self._home.is_settled:
                    self._hold_out("the workspace's folder is another one than before")
                    continue
                try:
                    self._write_or_follow()
                except writer_lock.WorkspaceUnwritableError as error:
                    self._hold_out(str(error))
                except OSError as error:
                    # No descriptors left, say, or no room for the name of a file.
                    self._hold_out(os.strerror(error.errno or 0))
                except FINAL:
                    raise
                except Exception as error:  # noqa: BLE001 - a fault of ours; the index is kept all the same
                    self._hold_out(type(error).__name__, self._course.pause_after_fault())
        except Exception as error:  # noqa: BLE001 - a thread's last words; the server reports them
            self._keeping.let_in(self._course.tell_of_end(error))
        finally:
            self.is_writer = False
            self._course.tell_of_lost(self._inbox.close())
            self.ready.set()

    def _write_or_follow(self) -> None:
        try:
            with writer_lock.hold_writer_lock(self._collection.database) as killed:
                self._course.tell_of_killed(killed)
                self._write()
        except writer_lock.WorkspaceBusyError:
            self._follow()

    def _write(self) -> None:
        try:
            self._keep_index()
        except sqlite3.DatabaseError as error:
            if database.may_pass(error) or self._keeping.file.is_replaced:
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
        self._keeping.file.forget()
        with contextlib.closing(self._open_writer()) as connection:
            # What the writer before this one did last.
            self._followed.look(connection)
            self._followed.forget()
            synchroniser = Synchroniser(self._config, connection, self._dictionaries, self._collection.kind)
            try:
                with contextlib.closing(Tenure(self._keeping, connection, synchroniser)) as self._tenure:
                    self._tenure.compare()
                    self._course.tell_of_recovery()
                    self._keeping.let_in()
                    self._tenure.serve()
            finally:
                self._tenure = None

    def _open_writer(self) -> sqlite3.Connection:
        """The database for writing: opened anew if another file has got its name meanwhile."""
        file = self._keeping.file
        while True:
            before = file.present
            connection, notices = database.open_writer(self._collection.database, look_through=False)
            for notice in notices:
                log_event("warn", "keeper", ok=True, notice=notice)
            file.opened()
            # Where there was none, this has made it. What it has salvaged is another, too, and is opened once more.
            if before is None or not file.is_other_than(before):
                return connection
            connection.close()

    def _follow(self) -> None:
        self.is_writer = False
        named = self._inbox.notices.begin_comparison()
        with contextlib.suppress(sqlite3.DatabaseError):
            # The writer may just be making the database or about to repair it.
            self._read_along()
            self._inbox.notices.end_comparison(named)
        self._stopping.wait(_RETRY_SECONDS)
        self._inbox.leave_to_others()

    def _hold_out(self, obstacle: str, seconds: float = _RETRY_SECONDS) -> None:
        """The index cannot be written just now: say so once, keep what was submitted, and try again in a while.

        Nobody watches meanwhile: what has changed is looked for every second, however long the pause is.
        """
        self.is_writer = False
        self._course.tell_of_obstacle(obstacle)
        self._inbox.collect_submitted()
        self._inbox.submitted.drop_oldest()
        pause = Deadline(1000 * seconds)
        while True:
            try:
                self._read_along()
            except Exception:  # noqa: BLE001 - the database's, or a fault of ours; it is tried again
                self._keeping.let_in(obstacle)
            if self._stopping.wait(min(_RETRY_SECONDS, seconds)) or pause.is_over:
                break

    def _read_along(self) -> None:
        """Note what the index, which this keeper does not write, says otherwise than the disk; it can be read.

        Unless another version has made it: that would be asked wrongly, and answer so.
        """
        failure = None
        try:
            with contextlib.closing(database.open_reader(self._collection.database)) as reader:
                schema.refuse_other_version(reader)
                self._followed.look(reader)
                # First: if the index is made anew meanwhile, what was found is of another one.
                build = read_fact(reader, "build")
                self._keeping.pending.replace(changed_as_far_as_known(reader, self._collection), build)
        except schema.OtherVersionError as error:
            failure = str(error)
            self._course.tell_of_obstacle(failure)
        self._keeping.let_in(failure)
