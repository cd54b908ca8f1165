"""One file, read, parsed and tokenised: all of indexing that needs no database.

Runs in the caller or in worker processes; segmentation in Python is the bottleneck of a rebuild.
"""

import contextlib
import errno
import gc
import hashlib
import os
import signal
import socket
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from .documents import ParsedDocument, Passage, Status, parse_document
from .exception_entries import ExceptionEntry
from .exceptions import ExceptionFinder, ExceptionTerm
from .files import MAX_DOCUMENT_BYTES, UNKNOWN_STAMP, DiskFile, open_beneath, read_whole
from .markdown import Section
from .parcels import Parcels
from .references.named_places import NamedPlace
from .references.reference import Reference
from .tokens import pair_tokens, word_tokens

_FILES_IN_FLIGHT = 24


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file ready for the writer. `tokens` are (pairs, words) a passage, or empty: not made yet."""

    file: DiskFile
    sha256: bytes | None
    document: ParsedDocument
    tokens: list[tuple[str, str]]


class Preparer:
    """Reads files below a root. Without `exceptions`, neither those nor references are looked for."""

    def __init__(self, root: Path, exceptions: tuple[ExceptionEntry, ...] | None) -> None:
        self.root = root
        self.exceptions = exceptions
        self._finder = None if exceptions is None else _finder_of(exceptions)

    def prepare(
        self, file: DiskFile, known_sha256: bytes | None = None, *, with_tokens: bool = False
    ) -> Prepared | None:
        """Read and parse a file. `None`: its bytes have the known hash. Never raises for a bad file."""
        if file.size_bytes > MAX_DOCUMENT_BYTES:
            return Prepared(file, None, ParsedDocument("too_large", problem="larger than 64 MiB"), [])
        try:
            with open_beneath(self.root, file.parts) as descriptor:
                data, stamp_ns = read_whole(descriptor)
        except OSError as error:
            status: Status = "too_large" if error.errno == errno.EFBIG else "unreadable"
            # A permission that is given later changes no time stamp: look again each time.
            unread = file._replace(stamp_ns=UNKNOWN_STAMP)
            return Prepared(unread, None, ParsedDocument(status, problem=os.strerror(error.errno or 0)), [])
        sha256 = hashlib.sha256(data).digest()
        if sha256 == known_sha256:
            return None
        document = parse_document(data, file.file_type, self._finder, file.path)
        tokens = (
            [(pair_tokens(passage.text), word_tokens(passage.text)) for passage in document.passages]
            if with_tokens
            else []
        )
        seen = file._replace(size_bytes=len(data), stamp_ns=stamp_ns)
        return Prepared(seen, sha256, document, tokens)

    def prepare_many(
        self, work: list[tuple[DiskFile, bytes | None]], *, parallel: bool
    ) -> Generator[tuple[DiskFile, Prepared | None], None, None]:
        """Prepare (file, known hash) in order, in worker processes if `parallel`."""
        done = 0
        if parallel and (os.cpu_count() or 1) > 1:
            # There may be no room for workers, and one may be killed: what is left is then done here.
            with contextlib.suppress(WorkerLostError):
                for item in self._prepare_in_workers(work):
                    yield item
                    done += 1
        for file, known in work[done:]:
            yield file, self.prepare(file, known)

    def _prepare_in_workers(
        self, work: list[tuple[DiskFile, bytes | None]]
    ) -> Iterator[tuple[DiskFile, Prepared | None]]:
        workers = self._start_workers()
        idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in workers:
            idle.put(worker)
        # A thread for each worker waits for its answers, so that no worker waits for the writer.
        threads = ThreadPoolExecutor(len(workers))
        pending: deque[tuple[DiskFile, Future[Prepared | None]]] = deque()
        try:
            for file, known in work:
                pending.append((file, _submit(threads, idle, file, known)))
                if len(pending) >= _FILES_IN_FLIGHT:
                    done, future = pending.popleft()
                    yield done, future.result()
            for done, future in pending:
                yield done, future.result()
        finally:
            threads.shutdown(cancel_futures=True)
            for worker in workers:
                worker.close()

    def _start_workers(self) -> list["_Worker"]:
        workers: list[_Worker] = []
        try:
            for _ in range(min(os.cpu_count() or 1, 4)):
                workers.append(_Worker(self.root, self.exceptions))
        except OSError:
            # No descriptors, memory or processes left.
            for worker in workers:
                worker.close()
            raise WorkerLostError from None
        return workers


# The same for all of a process, if their users have no entries of their own.
_finder_of = lru_cache(maxsize=2)(ExceptionFinder)


class WorkerLostError(Exception):
    """A worker process has ended before it answered, or could not be started."""


class _Worker:
    """A process that prepares files. It has a connection of its own: whenever it is killed, that ends.

    The workers of a ProcessPoolExecutor share one pipe and its lock: one that is killed while it writes its answer
    leaves the others, and the pool, waiting for ever (CPython 3.11).
    """

    def __init__(self, root: Path, exceptions: tuple[ExceptionEntry, ...] | None) -> None:
        # "spawn": a fork of a process with threads may inherit held locks.
        context = get_context("spawn")
        ours, theirs = socket.socketpair()
        self._parcels = Parcels(ours)
        self._process = context.Process(target=_work, args=(theirs, root, exceptions), daemon=True)
        with theirs:
            try:
                # Started by the first worker otherwise, and lets interrupts through again.
                resource_tracker.ensure_running()
                with _without_interrupts():
                    self._process.start()
            except OSError:
                self._parcels.close()
                raise

    def prepare(self, file: DiskFile, known_sha256: bytes | None) -> Prepared | None:
        """`Preparer.prepare` with tokens, over there. Raises `WorkerLostError`."""
        try:
            self._parcels.send((tuple(file), known_sha256))
            return _unpack(self._parcels.receive())
        except (EOFError, OSError):
            raise WorkerLostError from None

    def close(self) -> None:
        """End the process, which waits for the next file, and wait until it is gone."""
        self._parcels.close()
        self._process.join()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Have Ctrl-C wait, also in a process that is started meanwhile: it would end that in the middle of its imports."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _submit(
    threads: ThreadPoolExecutor, idle: "SimpleQueue[_Worker]", file: DiskFile, known_sha256: bytes | None
) -> "Future[Prepared | None]":
    try:
        return threads.submit(_prepare_with, idle, file, known_sha256)
    except RuntimeError:
        # The executor starts its threads when they are needed; the system may refuse one.
        raise WorkerLostError from None


def _prepare_with(idle: "SimpleQueue[_Worker]", file: DiskFile, known_sha256: bytes | None) -> Prepared | None:
    worker = idle.get()
    try:
        return worker.prepare(file, known_sha256)
    finally:
        idle.put(worker)


def _work(end: socket.socket, root: Path, exceptions: tuple[ExceptionEntry, ...] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    # Documents are many objects and no cycles: there is nothing to collect.
    gc.disable()
    preparer = Preparer(root, exceptions)
    parcels = Parcels(end)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            file, known_sha256 = parcels.receive()
            parcels.send(_pack(preparer.prepare(DiskFile(*file), known_sha256, with_tokens=True)))


def _pack(prepared: Prepared | None) -> Any:
    """A prepared file in plain types."""
    if prepared is None:
        return None
    fields = {name: getattr(prepared.document, name) for name in ParsedDocument.__slots__}
    for name in _ROWS:
        fields[name] = [*map(tuple, fields[name])]
    return tuple(prepared.file), prepared.sha256, fields, prepared.tokens


def _unpack(packed: Any) -> Prepared | None:
    """What `_pack` was given."""
    if packed is None:
        return None
    file, sha256, fields, tokens = packed
    for name, row in _ROWS.items():
        # Named tuples of tuples that have all their values, without a call in Python for each.
        fields[name] = [*map(partial(tuple.__new__, row), fields[name])]
    return Prepared(DiskFile(*file), sha256, ParsedDocument(**fields), tokens)


_ROWS: dict[str, type[tuple[Any, ...]]] = {
    "sections": Section,
    "passages": Passage,
    "exceptions": ExceptionTerm,
    "names": NamedPlace,
    "references": Reference,
}
