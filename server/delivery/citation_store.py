"""Where the fingerprints of citations are kept: `citations`, written by the keeper, and what is not committed yet.

What was told last of those that moved is kept in memory.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping

from morenashi.server.newest import Newest
from morenashi.server.ranges import Range
from morenashi.server.search.traces import now_utc

from .citations import Fingerprint
from .delivered import Root

_ROWS_KEPT = 50_000
_WAITING_KEPT = 20_000
_TOLD_KEPT = 1_000

Citing = tuple[str, Root, str]
"""Who cites (an artifact's path, or nothing for a caller), and which file."""

Submit = Callable[[Callable[[sqlite3.Connection], None], Callable[[], None]], None]


class CitationStore:
    """Fingerprints by who cites which lines of which file. What is kept is there at once."""

    def __init__(self, submit: Submit) -> None:
        self._submit = submit
        # A server that does not write the database keeps here what it can.
        self._waiting: Newest[tuple[Citing, Range], Fingerprint] = Newest(_WAITING_KEPT)
        self._told: Newest[Citing, Mapping[Range, Range]] = Newest(_TOLD_KEPT)
        self._lock = threading.Lock()

    def told(self, citing: Citing) -> Mapping[Range, Range]:
        """Where the lines of citations had moved to by the latest answer about this file to the one who cites."""
        with self._lock:
            return self._told.get(citing, {})

    def tell(self, citing: Citing, moved: Mapping[Range, Range]) -> None:
        """Note what an answer says of lines that moved."""
        with self._lock:
            self._told.put(citing, moved)

    def load(self, connection: sqlite3.Connection, citing: Citing) -> dict[Range, Fingerprint]:
        """All citations of a file by one who cites."""
        waiting = {span: cited for (kept, span), cited in self._not_committed() if kept == citing}
        rows = connection.execute(_SELECT, {"citer": citing[0], "root": citing[1], "path": citing[2]})
        return {(row[0], row[1]): Fingerprint((row[0], row[1]), *row[2:]) for row in rows} | waiting

    def load_others(self, connection: sqlite3.Connection, citing: Citing) -> dict[Citing, dict[Range, Fingerprint]]:
        """All citations of this file by other artifacts, and of other files by this artifact."""
        citer, root, path = citing
        found: dict[Citing, dict[Range, Fingerprint]] = {}
        waiting = self._not_committed()
        rows = connection.execute(_OTHERS, {"citer": citer, "root": root, "path": path})
        for row in rows:
            found.setdefault(row[:3], {})[row[3], row[4]] = Fingerprint((row[3], row[4]), *row[5:])
        for (kept, span), cited in waiting:
            if kept[0] and kept != citing and (kept[0] == citer or kept[1:] == citing[1:]):
                found.setdefault(kept, {})[span] = cited
        return found

    def keep(self, citing: Citing, fingerprints: Iterable[Fingerprint]) -> None:
        """Keep new fingerprints, in place of older ones of the same lines. The newest 50,000 stay."""
        kept = list(fingerprints)
        if not kept:
            return
        with self._lock:
            for cited in kept:
                self._waiting.put((citing, cited.span), cited)
        rows = [_as_row(citing, cited) for cited in kept]
        self._submit(lambda writer: _store(writer, rows), lambda: self._forget(citing, kept))

    def _not_committed(self) -> list[tuple[tuple[Citing, Range], Fingerprint]]:
        """To be asked before the database: what is committed in between is there, and here no more."""
        with self._lock:
            return list(self._waiting.items())

    def _forget(self, citing: Citing, committed: list[Fingerprint]) -> None:
        with self._lock:
            for cited in committed:
                if self._waiting.get((citing, cited.span)) is cited:
                    del self._waiting[citing, cited.span]


def load_of_artifacts(connection: sqlite3.Connection) -> dict[str, dict[tuple[Root, str], dict[Range, Fingerprint]]]:
    """All citations by artifacts that are stored: by the artifact's path, the root and path of the file, the lines."""
    found: dict[str, dict[tuple[Root, str], dict[Range, Fingerprint]]] = {}
    for citer, root, path, first, last, *row in connection.execute(_OF_ARTIFACTS):
        found.setdefault(citer, {}).setdefault((root, path), {})[first, last] = Fingerprint((first, last), *row)
    return found


def _as_row(citing: Citing, cited: Fingerprint) -> dict[str, object]:
    return {
        "citer": citing[0],
        "root": citing[1],
        "path": citing[2],
        "first_line": cited.span[0],
        "last_line": cited.span[1],
        "ts": now_utc(),
        "lead": cited.lead,
        "sha256": cited.sha256,
        "line_digests": cited.lines,
        "alone": cited.alone,
        "before_digests": cited.before,
        "behind_digests": cited.behind,
        "copies": cited.copies,
    }


def _store(connection: sqlite3.Connection, rows: list[dict[str, object]]) -> None:
    connection.executemany(_INSERT, rows)
    connection.execute(_PRUNE, {"kept": _ROWS_KEPT})


_SELECT = """
SELECT first_line, last_line, lead, sha256, line_digests, alone, before_digests, behind_digests, copies
FROM citations
WHERE citer = :citer AND root = :root AND path = :path
"""

# All rows, 50,000 at most: once for an artifact of which nothing is kept.
_OTHERS = """
SELECT citer, root, path, first_line, last_line, lead, sha256, line_digests, alone, before_digests, behind_digests,
  copies
FROM citations
WHERE citer > '' AND (citer = :citer) + (root = :root AND path = :path) = 1
"""

# In the order of the primary key.
_OF_ARTIFACTS = """
SELECT citer, root, path, first_line, last_line, lead, sha256, line_digests, alone, before_digests, behind_digests,
  copies
FROM citations
WHERE citer > ''
ORDER BY citer, root, path, first_line, last_line
"""

_INSERT = """
INSERT OR REPLACE INTO citations
  (citer, root, path, first_line, last_line, ts, lead, sha256, line_digests, alone, before_digests, behind_digests,
   copies)
VALUES
  (:citer, :root, :path, :first_line, :last_line, :ts, :lead, :sha256, :line_digests, :alone, :before_digests,
   :behind_digests, :copies)
"""

_PRUNE = "DELETE FROM citations WHERE ts < (SELECT ts FROM citations ORDER BY ts DESC LIMIT 1 OFFSET :kept)"
