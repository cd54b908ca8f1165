"""Make the index equal to the disk: find what is new, changed or gone, and write that."""

import contextlib
import json
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import database, schema, term_counts
from .collections import CollectionKind, collection_of
from .config import Config
from .dictionaries import Dictionaries
from .files import MAX_DOCUMENT_BYTES, DiskFile, Key, settled_stamp
from .index_state import keep_fact, read_fact
from .listing import Listing
from .references import resolve_references
from .versions import has_every_version, note_every_version, prune_versions, what_versions_depend_on
from .writer import IndexWriter

if TYPE_CHECKING:
    from .prepare import Prepared, Preparer

BULK_BYTES = 4_000_000
"""From here on worker processes are worth their start, and term counts are made at the end."""

COMMIT_SECONDS = 0.2
_LARGE_BYTES = 500_000
_DROPPED_TOGETHER = 200


class Observer:
    """Told how a synchronisation goes on; the methods here do nothing."""

    def started(self, files: list[DiskFile], gone: list[Key]) -> None:
        """These files will be read, and these documents dropped."""

    def committed(self, keys: list[Key], size_bytes: int) -> None:
        """These documents are in the index as they were on disk. Their files have `size_bytes` together."""


@dataclass(frozen=True, slots=True)
class FileWarning:
    """A file that is not in the index as it should be, and why."""

    path: str
    reason: str
    detail: str | None = None


@dataclass(slots=True)
class Summary:
    """What a synchronisation did. Counts are files unless the name says otherwise."""

    documents: int = 0
    sections: int = 0
    lines: int = 0
    bytes_indexed: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    elapsed_seconds: float = 0.0
    bytes_per_second: float = 0.0
    warnings: list[FileWarning] = field(default_factory=list)
    other_formats: dict[str, int] = field(default_factory=dict)
    """Files with text in formats that are not read, by suffix."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """Disk against index, by stat alone."""

    new: list[DiskFile]
    changed: list[DiskFile]
    gone: list[Key]
    unchanged: int
    listing: Listing


class Synchroniser:
    """Keeps the index of one collection equal to its files. The caller holds the writer lock."""

    def __init__(
        self,
        config: Config,
        connection: sqlite3.Connection,
        dictionaries: Dictionaries,
        kind: CollectionKind = "manuals",
    ) -> None:
        self._collection = collection_of(config, kind)
        self._connection = connection
        self._writer = IndexWriter(connection)
        # Exceptions are looked for in manuals alone: another dictionary makes no other index of notes.
        self._exceptions = dictionaries.exceptions if kind == "manuals" else None
        self._digest = dictionaries.digest if kind == "manuals" else ""
        # To prune takes the write lock for as long as it takes to look through all versions.
        self._pruned: tuple[int, int | None] | None = None

    def synchronise(
        self,
        *,
        full: bool = False,
        observer: Observer | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Summary:
        """Index what differs. `full` rebuilds everything, seen whole or not at all.

        Interrupted at any point, the index holds whole documents and is consistent.
        """
        started = time.perf_counter()
        observer = observer or Observer()
        if full:
            with database.transaction(self._connection):
                schema.drop_and_create_derived(self._connection)
                schema.note_dictionary(self._connection, self._digest)
                summary = self._bring_up_to_date(self._collection.list(), observer, should_stop)
                if should_stop():
                    raise KeyboardInterrupt
        else:
            # First: where there is nothing to list, the index keeps what it has.
            listing = self._collection.list()
            self._rebuild_if_dictionary_changed()
            summary = self._bring_up_to_date(listing, observer, should_stop)
        summary.elapsed_seconds = time.perf_counter() - started
        summary.bytes_per_second = summary.bytes_indexed / max(summary.elapsed_seconds, 1e-9)
        return summary

    def apply(self, files: Iterable[DiskFile], gone: Iterable[Key], observer: Observer) -> Summary:
        """Index these files and drop those: what a watcher knows to have changed."""
        summary = Summary()
        self._write(list(files), list(gone), summary, observer, lambda: False)
        return summary

    def merge(self) -> bool:
        """Do some of the work that small changes leave to later ones; whether there was any (`IndexWriter.merge`)."""
        return self._writer.merge()

    @cached_property
    def _preparer(self) -> "Preparer":
        # Imported when the first file is to be read: a server whose index is true answers before that.
        from .prepare import Preparer

        return Preparer(self._collection.root, self._exceptions)

    def difference(self) -> Difference:
        """What the disk has that the index has not, and the other way."""
        return find_difference(self._connection, self._collection.list())

    def _bring_up_to_date(self, listing: Listing, observer: Observer, should_stop: Callable[[], bool]) -> Summary:
        # Before anything is indexed: as soon as the last document is, something would be called absent.
        unlisted = sum(reason in _UNKNOWN_CONTENT for _, reason in listing.skipped)
        self._note(unlisted=str(unlisted), unread=json.dumps(listing.count_unread(), sort_keys=True))
        difference = find_difference(self._connection, listing)
        summary = Summary(unchanged=difference.unchanged)
        self._write(difference.new + difference.changed, difference.gone, summary, observer, should_stop)
        if term_counts.is_stale(self._connection):
            with database.transaction(self._connection):
                term_counts.recount(self._connection)
        if resolve_references.is_stale(self._connection):
            with database.transaction(self._connection):
                resolve_references.resolve_all(self._connection)
        if not should_stop():
            self._note_versions()
        _count(self._connection, summary)
        summary.warnings = [FileWarning(path, reason) for path, reason in listing.skipped]
        summary.warnings += [FileWarning(*row) for row in self._connection.execute(_PROBLEMS)]
        summary.other_formats = listing.formats()
        return summary

    def _note_versions(self) -> None:
        """After a rebuild: note which documents it did not meet again. And drop what nobody asks for any more."""
        if has_every_version(self._connection) and self._pruned == what_versions_depend_on(self._connection):
            return
        with database.transaction(self._connection):
            if not has_every_version(self._connection):
                note_every_version(self._connection)
            prune_versions(self._connection)
            self._pruned = what_versions_depend_on(self._connection)

    def _note(self, **facts: str) -> None:
        """Keep what is not in the index: `unlisted`, how many places may hold documents that nobody can name, which
        forbid to call anything absent; `unread`, how many files of each manual are not read by design.
        """
        changed = {key: value for key, value in facts.items() if read_fact(self._connection, key) != value}
        if changed:
            with database.transaction(self._connection):
                for key, value in changed.items():
                    keep_fact(self._connection, key, value)

    def _rebuild_if_dictionary_changed(self) -> None:
        noted = schema.dictionary(self._connection)
        if noted == self._digest:
            return
        with database.transaction(self._connection):
            if noted is not None:
                schema.drop_and_create_derived(self._connection)
            schema.note_dictionary(self._connection, self._digest)

    def _write(
        self,
        files: list[DiskFile],
        gone: list[Key],
        summary: Summary,
        observer: Observer,
        should_stop: Callable[[], bool],
    ) -> None:
        observer.started(files, gone)
        self._drop(gone, summary, observer)
        is_bulk = sum(file.size_bytes for file in files if file.size_bytes <= MAX_DOCUMENT_BYTES) > BULK_BYTES
        with self._writer.bulk() if is_bulk else contextlib.nullcontext():
            self._index(files, summary, observer, should_stop, parallel=is_bulk)

    def _drop(self, gone: list[Key], summary: Summary, observer: Observer) -> None:
        for start in range(0, len(gone), _DROPPED_TOGETHER):
            keys = gone[start : start + _DROPPED_TOGETHER]
            with self._writer.batch():
                for key in keys:
                    self._writer.remove(*key)
            summary.removed += len(keys)
            observer.committed(keys, 0)

    def _index(
        self,
        files: list[DiskFile],
        summary: Summary,
        observer: Observer,
        should_stop: Callable[[], bool],
        *,
        parallel: bool,
    ) -> None:
        if not files:
            return
        # Before any is read: a save after that may get the same time stamp for as long as the clock's tick lasts.
        files = [file._replace(stamp_ns=settled_stamp(file.stamp_ns)) for file in files]
        known = self._known_hashes(files)
        work = [(file, known.get(file.key)) for file in files]
        with contextlib.closing(self._preparer.prepare_many(work, parallel=parallel)) as prepared_files:
            left = deque(files)
            while left and not should_stop():
                # Before the batch begins: others who write wait for its end, and a large file takes seconds.
                file, prepared = next(prepared_files)
                deadline = time.perf_counter() + COMMIT_SECONDS
                done: list[DiskFile] = []
                with self._writer.batch():
                    while True:
                        self._write_one(file, prepared, summary, is_known=file.key in known)
                        done.append(left.popleft())
                        if not left or left[0].size_bytes > _LARGE_BYTES or time.perf_counter() > deadline:
                            break
                        file, prepared = next(prepared_files)
                observer.committed([file.key for file in done], sum(file.size_bytes for file in done))

    def _write_one(self, file: DiskFile, prepared: "Prepared | None", summary: Summary, *, is_known: bool) -> None:
        if prepared is None:
            self._writer.touch(file.manual_id, file.path, file.stamp_ns)
        elif prepared.sha256 is None and self._is_gone(file.key):
            self._writer.remove(*file.key)
            summary.removed += is_known
            return
        elif self._writer.put(prepared):
            summary.added += not is_known
            summary.changed += is_known
            summary.bytes_indexed += prepared.file.size_bytes
            return
        summary.unchanged += 1

    def _is_gone(self, key: Key) -> bool:
        """Whether a file that was not read has gone since it was listed; not if that cannot be told."""
        with contextlib.suppress(OSError):
            return self._collection.list_one(key) is None
        return False

    def _known_hashes(self, files: list[DiskFile]) -> dict[Key, bytes | None]:
        rows = ((file.key, self._connection.execute(_KNOWN, file.key).fetchone()) for file in files)
        return {key: row[0] for key, row in rows if row}


def find_difference(connection: sqlite3.Connection, listing: Listing, manual_id: str | None = None) -> Difference:
    """Compare a listing with the index by size and time stamp: all manuals, or the one that was listed."""
    stamps = _STAMPS if manual_id is None else _STAMPS_OF_MANUAL
    rows = connection.execute(stamps, {"manual_id": manual_id})
    known = {(row[0], row[1]): (row[2], row[3]) for row in rows}
    new, changed = [], []
    for file in listing.files:
        stamp = known.pop(file.key, None)
        if stamp is None:
            new.append(file)
        elif stamp != (file.size_bytes, file.stamp_ns):
            changed.append(file)
    gone = listing.without_unlisted(known)
    return Difference(new, changed, gone, len(listing.files) - len(new) - len(changed), listing)


def _count(connection: sqlite3.Connection, summary: Summary) -> None:
    summary.documents, summary.lines = connection.execute(_TOTALS).fetchone()
    summary.sections = connection.execute("SELECT count(*) FROM sections").fetchone()[0]


_UNKNOWN_CONTENT = ("unreadable_folder", "name_not_utf8")

_STAMPS = "SELECT manual_id, path, size_bytes, stamp_ns FROM documents"

_STAMPS_OF_MANUAL = _STAMPS + " WHERE manual_id = :manual_id"

_KNOWN = "SELECT sha256 FROM documents WHERE manual_id = ? AND path = ?"

_PROBLEMS = """
SELECT ltrim(manual_id || '/' || path, '/'), CASE status WHEN 'indexed' THEN problem ELSE status END, problem
FROM documents
WHERE problem IS NOT NULL
ORDER BY manual_id, path
"""

_TOTALS = "SELECT count(*), coalesce(sum(lines), 0) FROM documents"
