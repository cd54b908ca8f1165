"""Forgetting that is verified: a claim leaves every table, the full-text index, the WAL and the backups, and then
every byte of these files is searched for its text.

SQLite overwrites what is deleted (`secure_delete`), FTS5 drops what was deleted when its segments are merged
(`optimize`), and the WAL is emptied by a checkpoint. Where a trace is left all the same, as in pages that were freed
earlier, the file is written anew (`VACUUM`).
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from morenashi.indexer.database import may_pass, prepared, transaction
from morenashi.indexer.presence import is_file
from morenashi.indexer.salvage import backups_of

from .claims import Claim
from .store import delete_claim, find_claim

_PIECE_BYTES, _STRIDE_BYTES = 48, 256
_CHUNK_BYTES = 1 << 20
_BUSY_MS = 8_000.0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was done, without the text: the files that were searched with their sizes, and those that still hold it.

    `deleted` are backups that held it and could not be read as databases of this version.
    `is_said_elsewhere`: other claims or documents say the same words, so that finding these proves nothing; what only
    this claim said was looked for.
    """

    claim_id: str
    searched: dict[str, int]
    still_in: tuple[str, ...]
    deleted: tuple[str, ...]
    is_said_elsewhere: bool


def forget(connection: sqlite3.Connection, claim_id: str) -> Claim | None:
    """Delete a claim in the caller's transaction, and what the full-text index keeps of deleted rows."""
    claim = find_claim(connection, claim_id)
    if claim is not None:
        delete_claim(connection, claim)
        connection.execute("INSERT INTO claim_tokens (claim_tokens) VALUES ('optimize')")
    return claim


def find_rest(database: Path, claim_id: str) -> Claim | None:
    """A claim that the database has no more, as a backup has it: whoever forgot it may have been stopped halfway."""
    for backup in reversed(backups_of(database)):
        # What is no database any more, or is locked just now, cannot be asked.
        with contextlib.suppress(sqlite3.DatabaseError), _opened(backup) as connection:
            if (claim := find_claim(connection, claim_id)) is not None:
                return claim
    return None


def list_merged(connection: sqlite3.Connection, claim_id: str) -> list[str]:
    """The ids of the claims that were merged into one. Once that is forgotten, each speaks for itself again."""
    return [row[0] for row in connection.execute(_MERGED, (claim_id,))]


def clear_files(database: Path, claim: Claim) -> Receipt:
    """Clear the database's files of a forgotten claim and say what a search of all bytes finds.

    Backups lose the claim too. A damaged file that was set aside is no database any more: it is only searched. No
    connection of this process may be open: closing a file that was searched would take SQLite's locks away from it.
    """
    every = _pieces_of(claim)
    with _opened(database) as connection:
        _empty_wal(connection)
    found = _found_in(_files(database), every)
    with _opened(database) as connection:
        pieces = every - {piece for piece in found if _is_elsewhere(connection, piece)}
    if _found_in([database, database.with_name(f"{database.name}-wal")], pieces):
        with _opened(database) as connection:
            connection.execute("VACUUM")
            _empty_wal(connection)
    backups = [file for file in backups_of(database) if _found_in([file], pieces)]
    for backup in backups:
        _clear_backup(backup, claim)
    files = _files(database)
    still_in = tuple(file.name for file in files if _found_in([file], pieces))
    deleted = tuple(backup.name for backup in backups if backup not in files)
    return Receipt(claim.id, _sizes_of(files), still_in, deleted, is_said_elsewhere=pieces != every)


def _pieces_of(claim: Claim) -> frozenset[bytes]:
    """What to look for: pieces of the text, since a long one is cut across pages; and what only its row holds."""
    text = claim.text.encode()
    starts = range(0, max(len(text) - _PIECE_BYTES, 1), _STRIDE_BYTES)
    pieces = (text[start : start + _PIECE_BYTES] for start in starts)
    return frozenset([_row_mark(claim), text[-_PIECE_BYTES:], *pieces])


def _row_mark(claim: Claim) -> bytes:
    """Where its id meets its hash. A row of `claims` has the two side by side, and nothing that is to stay does."""
    half = _PIECE_BYTES // 2
    return f"{claim.id[-half:]}{claim.content_hash[:half]}".encode()


def _files(database: Path) -> list[Path]:
    """The database's file and all that begin with its name: the WAL, backups, damaged ones that were set aside."""
    return sorted(filter(is_file, database.parent.glob(f"{database.name}*")))


def _sizes_of(files: list[Path]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for file in files:
        # A log goes with the last process that has it open.
        with contextlib.suppress(FileNotFoundError):
            sizes[file.name] = file.stat().st_size
    return sizes


def _is_elsewhere(connection: sqlite3.Connection, piece: bytes) -> bool:
    """Whether a row that is to stay says the same, in whatever column of whatever table."""
    return any(
        connection.execute(f"SELECT 1 FROM {table} WHERE instr(CAST({column} AS BLOB), ?) LIMIT 1", (piece,)).fetchone()  # noqa: S608
        for table, column in [("sqlite_master", "sql"), *connection.execute(_COLUMNS).fetchall()]
    )


def _found_in(files: list[Path], pieces: frozenset[bytes]) -> frozenset[bytes]:
    """Which pieces stand in one of the files, also where two chunks meet."""
    found: set[bytes] = set()
    for path in files:
        with contextlib.suppress(FileNotFoundError, IsADirectoryError), path.open("rb") as file:
            rest = b""
            while chunk := file.read(_CHUNK_BYTES):
                read = rest + chunk
                found |= {piece for piece in pieces - found if piece in read}
                rest = read[-_PIECE_BYTES:]
    return frozenset(found)


@contextlib.contextmanager
def _opened(database: Path) -> Iterator[sqlite3.Connection]:
    with prepared(database, "rwc", _BUSY_MS) as connection:
        connection.execute("PRAGMA secure_delete = ON")
    with contextlib.closing(connection):
        yield connection


def _empty_wal(connection: sqlite3.Connection) -> None:
    """Write the WAL back and cut it; waits for readers as long as the connection waits for locks."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _clear_backup(backup: Path, claim: Claim) -> None:
    """Delete the claim in a backup and write that anew; one that cannot be read as a database is deleted.

    One that is only locked, or on a full disk, stays: it may be all that is left of what it holds, and the receipt
    names it.
    """
    try:
        with _opened(backup) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            with transaction(connection):
                forget(connection, claim.id)
            connection.execute("VACUUM")
    except sqlite3.DatabaseError as error:
        if not may_pass(error):
            backup.unlink()


_MERGED = """
SELECT merged.id
FROM claims
JOIN claims AS merged ON merged.merged_into = claims.number
WHERE claims.id = ?
ORDER BY merged.number
"""

# But not what is made of claims, where a forgotten one may have left something.
_COLUMNS = """
SELECT tables.name, columns.name
FROM pragma_table_list AS tables
JOIN pragma_table_info(tables.name) AS columns
WHERE tables.schema = 'main' AND tables.type = 'table'
  AND tables.name NOT LIKE 'sqlite_%' AND tables.name NOT IN ('claim_term_counts', 'claim_layers')
"""
