"""A pattern over many files, by several threads if it takes very long to match: RE2 lets the others run meanwhile."""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.files import FILE_FLAGS, open_beneath
from morenashi.server.deadline import Deadline

from .line_search import FoundLine, LinePattern, matching_lines, read_blocks
from .searched_files import SearchedFile, SearchedFiles, is_gone

_THREADS = 4
_BATCH_BYTES, _BATCH_FILES = 2_000_000, 64
# Python runs between any two calls of the system or of RE2. Threads that take turns at that for files this small wait
# longer for each other than they win: up to three quarters of the time spent on matching, two took twice the cpu time
# of one, and no less time.
_WORTH_THREADS = 0.9


@dataclass(slots=True)
class Results:
    """Matching lines by path, and files that could not be searched, as (path, reason)."""

    lines: list[tuple[str, FoundLine]] = field(default_factory=list)
    unsearched: list[tuple[str, str]] = field(default_factory=list)
    matching_seconds: float = 0.0
    """What of the time was not spent on opening and reading."""


def search_pattern(
    root: Path,
    pattern: LinePattern,
    files: SearchedFiles,
    most: int,
    deadline: Deadline,
) -> Results:
    """The first `most` matching lines in the order of the files. Raises `TimeIsOverError`."""
    results = Results(unsearched=list(files.unsearchable))
    enough = threading.Event()

    def search(batch: list[SearchedFile]) -> Results:
        return Results() if enough.is_set() else _search_batch(root, pattern, batch, most, deadline)

    batches = list(_batches(files.files))
    with ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1), thread_name_prefix="search") as threads:
        done = 0
        try:
            for batch, found in zip(batches, _in_order(threads, search, batches), strict=True):
                done += len(batch)
                deadline.tell(done, len(files.files))
                results.lines += found.lines
                results.unsearched += found.unsearched
                if len(results.lines) >= most:
                    break
        finally:
            enough.set()
    return results


def _in_order(
    threads: ThreadPoolExecutor, search: Callable[[list[SearchedFile]], Results], batches: list[list[SearchedFile]]
) -> Iterator[Results]:
    """What each batch holds. The first one tells whether threads are worth it."""
    started = time.perf_counter()
    for batch in batches[:1]:
        first = search(batch)
        is_slow = first.matching_seconds > _WORTH_THREADS * (time.perf_counter() - started)
        yield first
        yield from (threads.map if is_slow else map)(search, batches[1:])


def _batches(files: list[SearchedFile]) -> Iterator[list[SearchedFile]]:
    batch: list[SearchedFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.file.size_bytes
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _search_batch(
    root: Path,
    pattern: LinePattern,
    batch: list[SearchedFile],
    most: int,
    deadline: Deadline,
) -> Results:
    results = Results()
    for _, group in groupby(batch, key=lambda file: file.path.rpartition("/")[0]):
        with contextlib.ExitStack() as stack:
            members = list(group)
            try:
                descriptor = stack.enter_context(open_beneath(root, members[0].file.parts[:-1]))
            except OSError as error:
                if not is_gone(error, root):
                    results.unsearched += [(file.path, "unreadable") for file in members]
                continue
            for file in members:
                _search_file(descriptor, file, pattern, most, deadline, results)
                if len(results.lines) >= most:
                    return results
    return results


def _search_file(
    folder: int,
    file: SearchedFile,
    pattern: LinePattern,
    most: int,
    deadline: Deadline,
    results: Results,
) -> None:
    try:
        descriptor = os.open(file.path.rpartition("/")[2], FILE_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        # It went away after it was listed.
        return
    except OSError:
        results.unsearched.append((file.path, "unreadable"))
        return
    try:
        blocks = read_blocks(descriptor, file.file.size_bytes, file.encoding, pattern.held, deadline)
        if not blocks:
            return
        started = time.perf_counter()
        if lines := matching_lines(blocks, pattern, most, deadline):
            results.lines += [(file.path, line) for line in lines]
        results.matching_seconds += time.perf_counter() - started
    except (UndecodableError, UnicodeDecodeError):
        # The second is of a file that changes while it is read, or has another encoding now than the index knows.
        results.unsearched.append((file.path, "encoding"))
    except OSError:
        results.unsearched.append((file.path, "unreadable"))
    finally:
        os.close(descriptor)
