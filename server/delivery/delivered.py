"""Which lines of which file the server has delivered in a session (contract §4). Places and counts, no text.

The record in memory is what answers are made from, at once; the keeper commits each delivery to `delivered_lines`, for
people, and nobody waits for that.
"""

import secrets
import sqlite3
import sys
import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from morenashi.server.clients import current_client
from morenashi.server.newest import Newest
from morenashi.server.ranges import Range, merge, subtract
from morenashi.server.search.adaptation.statistics import estimate_tokens
from morenashi.server.search.traces import now_utc
from morenashi.server.whole_files import split_lines

from .citations import digest_lines

Root = Literal["manual", "vault"]

_UNSAID = 0
# A column behind any line.
_LINE_END = sys.maxsize
_SESSIONS_KEPT = 1_000
_ROWS_KEPT = 100_000
_REPLACED_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Delivery:
    """Text of a file that an answer holds: from a character of its first line to a character of its last one.

    `path` is relative to the vault or, with the manual's id first, to the manuals' root. Columns are 0-based;
    `end_column` is where the text ends in its last line, `None` for the line's own end. `digests` are of the lines
    from the first one that end in it, `version` names the text of the whole file, if that is known.
    """

    root: Root
    path: str
    first_line: int
    last_line: int
    characters: int
    digests: Sequence[bytes]
    first_column: int = 0
    end_column: int | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Delivered:
    """What a session has had of a file: whole lines, merged. The latest step is the latest call that delivered from it.

    `latest_lines` are those that the latest step delivered for the first time, `latest_tokens` what all it delivered
    comes to, by the seed's estimate; `None` before anything was delivered. Of lines that were cut, `parts` are the
    columns that were delivered of one text of the file, and `same_parts` these if it is known to be the one of now: no
    digest tells that of a part.
    `to_reread` are the lines that are left of those that were proposed to be read again; `None` if none were, or if
    something else was read since.
    """

    lines: list[Range] = field(default_factory=list)
    parts: dict[int, list[Range]] = field(default_factory=dict)
    same_parts: dict[int, list[Range]] = field(default_factory=dict)
    latest_lines: list[Range] = field(default_factory=list)
    latest_tokens: int | None = None
    to_reread: list[Range] | None = None

    def begun(self, line: int) -> int:
        """How many characters were delivered of a line that was cut, from its start."""
        return _begun(self.parts, line)


class HasLines(Protocol):
    """A text that knows where its lines are: offsets in code points from 0, lines from 1."""

    def part(self, start: int, end: int) -> str:
        """The characters [start, end)."""

    def line_of(self, offset: int) -> int:
        """The line that holds a character."""

    def start_of(self, line: int) -> int:
        """The first character of a line; the end of the text for the line after the last."""


def root_of(manual_id: str) -> Root:
    """Where a document lies: a note has no manual's id."""
    return "manual" if manual_id else "vault"


def describe_delivery(root: Root, path: str, file: HasLines, start: int, end: int, version: str | None) -> Delivery:
    """The delivery of the characters [start, end) of a file. A line is whole with its break."""
    first, last = file.line_of(start), file.line_of(max(end - 1, start))
    is_whole = end >= file.start_of(last + 1)
    ended = file.part(file.start_of(first), file.start_of(last + 1 if is_whole else last))
    return Delivery(
        root,
        path,
        first,
        last,
        end - start,
        digest_lines(split_lines(ended)),
        first_column=start - file.start_of(first),
        end_column=None if is_whole else end - file.start_of(last),
        version=version,
    )


class Deliveries:
    """The deliveries of all sessions; of the sessions longest without one, none are remembered."""

    def __init__(self, submit: Callable[[Callable[[sqlite3.Connection], None]], None]) -> None:
        self._submit = submit
        self._run = secrets.token_hex(4)
        self._sessions: Newest[str, dict[tuple[Root, str], _FileRecord]] = Newest(_SESSIONS_KEPT)
        self._lock = threading.Lock()

    def record(self, delivery: Delivery) -> None:
        """Note what an answer delivers to the client that called. It counts from now on."""
        if not delivery.characters:
            return
        session_id = current_client().session_id
        with self._lock:
            files = self._sessions.get(session_id, {})
            self._sessions.put(session_id, files)
            files.setdefault((delivery.root, delivery.path), _FileRecord()).add(delivery)
        # A session of stdio lasts as long as its process: its name alone would join those of several.
        row = {"ts": now_utc(), "session_id": f"{session_id}:{self._run}"} | _as_row(delivery)
        self._submit(lambda writer: _store(writer, row))

    def find(
        self, root: Root, path: str, digests: Sequence[bytes] | None = None, version: str | None = None
    ) -> Delivered:
        """What the client that calls has had of a file, whose lines have these digests by now, all its text this
        version.
        """
        with self._lock:
            record = self._sessions.get(current_client().session_id, {}).get((root, path))
            if record is None:
                return Delivered()
            if digests is not None:
                record.follow(digests, version)
            return record.as_delivered(version)

    def propose_again(self, root: Root, path: str, lines: Sequence[Range]) -> None:
        """Note which lines of a file the client that calls is told to read again."""
        with self._lock:
            record = self._sessions.get(current_client().session_id, {}).get((root, path))
            if record is not None:
                record.to_reread = list(lines)


@dataclass(slots=True)
class _FileRecord:
    """`said` has the digest of each whole line, by number; `replaced` those in whose place another line was delivered
    since, which may stand elsewhere by now. `parts` are as in `Delivered`, of the latest `version`; `ended` has the
    digests of those lines whose end is among them.
    """

    lines: list[Range] = field(default_factory=list)
    said: "array[int]" = field(default_factory=lambda: array("Q"))
    replaced: Newest[int, None] = field(default_factory=lambda: Newest(_REPLACED_KEPT))
    parts: dict[int, list[Range]] = field(default_factory=dict)
    ended: dict[int, bytes] = field(default_factory=dict)
    version: str | None = None
    latest_lines: list[Range] = field(default_factory=list)
    latest_characters: int = 0
    to_reread: list[Range] | None = None

    def add(self, delivery: Delivery) -> None:
        first, last = delivery.first_line, delivery.last_line
        digests = delivery.digests
        if delivery.version not in (None, self.version):
            # What was delivered of a line of another text is no beginning of what stands there now.
            self.version, self.parts = delivery.version, {}
        is_proposed = any(start <= first <= end for start, end in self.to_reread or ())
        is_cut_short = delivery.end_column is not None
        joins = delivery.first_column <= _begun(self.parts, first)
        if not joins:
            first += 1
            if delivery.first_line < last or not is_cut_short:
                self._take_part(delivery.first_line, delivery.first_column, _LINE_END)
                self.ended[delivery.first_line], *digests = digests
        if delivery.end_column is not None:
            start = delivery.first_column if delivery.first_line == last else 0
            self._take_part(last, start, delivery.end_column)
            if self.parts[last] == [(0, _LINE_END - 1)]:
                # What stands behind it was delivered before.
                digests = [*digests, self.ended[last]]
            else:
                last -= 1
        whole = [(first, last)] if first <= last else []
        self.to_reread = subtract(self.to_reread or (), whole) if is_proposed else None
        self.latest_lines = self._say(first, digests) if whole else []
        self.latest_characters = delivery.characters
        self.lines = merge([*self.lines, *whole])
        self.parts = {
            line: columns for line, columns in self.parts.items() if not any(a <= line <= b for a, b in whole)
        }
        self.ended = {line: digest for line, digest in self.ended.items() if line in self.parts}

    def _take_part(self, line: int, start: int, end: int) -> None:
        """Take up the columns [start, end) of a line."""
        self.parts[line] = merge([*self.parts.get(line, ()), (start, end - 1)])

    def _say(self, first: int, digests: Sequence[bytes]) -> list[Range]:
        """Take up whole lines from a number on; returns those that had not been delivered, or said something else."""
        self.said.extend([_UNSAID] * (first - 1 + len(digests) - len(self.said)))
        new = []
        for number, digest in enumerate(map(_as_number, digests), start=first):
            if (before := self.said[number - 1]) != digest:
                if before != _UNSAID:
                    self.replaced.put(before, None)
                self.said[number - 1] = digest
                new.append((number, number))
        return merge(new)

    def follow(self, digests: Sequence[bytes], version: str | None) -> None:
        """Take over what the file says now. Where it changed, those lines were delivered that any line delivered says:
        they stand elsewhere, perhaps.
        """
        if version not in (None, self.version):
            self.parts = {}
        now = list(map(_as_number, digests))
        had = [number for first, last in self.lines for number in range(first, last + 1)]
        is_as_read = all(number <= len(now) and self.said[number - 1] == now[number - 1] for number in had)
        if is_as_read and not self.replaced:
            return
        known = {*self.said, *self.replaced} - {_UNSAID}
        self.said = array("Q", (digest if digest in known else _UNSAID for digest in now))
        self.lines = merge((n, n) for n, digest in enumerate(self.said, start=1) if digest != _UNSAID)
        self.replaced.clear()
        if is_as_read:
            return
        self.latest_lines = []
        self.parts = self.parts if version else {}
        self.to_reread = None

    def as_delivered(self, version: str | None) -> Delivered:
        return Delivered(
            list(self.lines),
            dict(self.parts),
            dict(self.parts) if version and version == self.version else {},
            list(self.latest_lines),
            estimate_tokens(self.latest_characters),
            self.to_reread,
        )


def _begun(parts: Mapping[int, Sequence[Range]], line: int) -> int:
    return next((last + 1 for first, last in parts.get(line, ()) if first == 0), 0)


def _as_number(digest: bytes) -> int:
    return int.from_bytes(digest, "big")


def _as_row(delivery: Delivery) -> dict[str, object]:
    return {
        "root": delivery.root,
        "path": delivery.path,
        "first_line": delivery.first_line,
        "last_line": delivery.last_line,
        "first_column": delivery.first_column,
        "end_column": delivery.end_column,
        "characters": delivery.characters,
    }


def _store(connection: sqlite3.Connection, row: dict[str, object]) -> None:
    connection.execute(_INSERT, row)
    connection.execute(_PRUNE, {"kept": _ROWS_KEPT})


_INSERT = """
INSERT INTO delivered_lines
  (ts, session_id, root, path, first_line, last_line, first_column, end_column, characters)
VALUES
  (:ts, :session_id, :root, :path, :first_line, :last_line, :first_column, :end_column, :characters)
"""

_PRUNE = "DELETE FROM delivered_lines WHERE id <= (SELECT max(id) FROM delivered_lines) - :kept"
