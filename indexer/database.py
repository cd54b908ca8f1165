"""Connections to a database file. Who may open one for writing says writer_lock.py."""

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from . import salvage, schema
from .log_frames import is_cut, is_emptied, is_unreadable
from .opened_files import read_opened
from .presence import is_there
from .private_files import create_private
from .turns import turn

BUSY_TIMEOUT_MS = 5_000
_BACKUPS_KEPT = 3
_FIRST_TABLE = "CREATE TABLE index_state"
_OUR_FIRST_TABLE = "SELECT 1 FROM sqlite_schema WHERE name = 'index_state'"
_PIECE_BYTES = 1 << 20
_LOCK_SECONDS = 1.0
# In the header of the file: 1 with a rollback journal, 2 with a write-ahead log.
_WRITE_VERSION, _LAST_WRITE_VERSION = 18, 2
_MAY_PASS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    }
)


class UnsupportedSqliteError(Exception):
    """This Python's SQLite cannot hold the index."""


def open_writer(database: Path, *, look_through: bool = True) -> tuple[sqlite3.Connection, list[str]]:
    """Open the database for writing, at the current schema. The caller holds the writer lock.

    `look_through` reads every page for damage first (a quarter of a second for 100 MB).

    Returns the connection (autocommit; transactions are explicit) and notices for people: what was
    salvaged, rebuilt or backed up. Raises `schema.DatabaseTooNewError` before touching anything.
    """
    require_full_text_search()
    notices = salvage.finish_salvage(database)
    is_new = not is_there(database)
    if not is_new:
        try:
            _check_existing(database, notices, look_through=look_through)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not salvage.is_damage(error):
                raise
            notices += salvage.set_aside_and_salvage(database)
    with prepared(database, "rwc") as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if schema.apply_schema(connection) and not is_new:
            notices.append("the derived tables were made anew; the files will be indexed")
    return connection, notices


def inode_of(database: Path) -> int | None:
    """The inode number of the file that has this name now; `None` if there is none."""
    try:
        return database.stat().st_ino
    except OSError:
        return None


def open_reader(database: Path) -> sqlite3.Connection:
    """A read-only connection; it sees the last committed state and blocks nobody."""
    with prepared(database, "ro") as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cache_size = -2000")
    return connection


@contextlib.contextmanager
def prepared(database: Path, mode: str, wait_ms: float = BUSY_TIMEOUT_MS) -> Iterator[sqlite3.Connection]:
    """A connection that stays open afterwards, unless what prepares it fails.

    `mode` is that of SQLite's URIs: `ro`, `rw` or `rwc`. Waits for `wait_ms` at most for locks.
    """
    if is_emptied(database):
        raise sqlite3.DatabaseError("the database is malformed: it is empty, and its log is not")
    if mode == "rwc":
        create_private(database)
    connection = sqlite3.connect(
        f"{database.as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=wait_ms / 1000,
    )
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        _read_schema(connection)
        yield connection
    except BaseException:
        connection.close()
        raise


def _read_schema(connection: sqlite3.Connection) -> None:
    """Have SQLite read the schema now. What else keeps it from that, it says to whoever asks for something."""
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except UnicodeDecodeError:
        # SQLite quotes what it cannot read, and Python makes no text of that message: no error of a database.
        raise sqlite3.DatabaseError("the database is malformed: its schema is no text") from None
    except sqlite3.Error:
        pass


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, wait_ms: float = BUSY_TIMEOUT_MS) -> Iterator[None]:
    """A write transaction; nested use joins the outer one.

    Waits for `wait_ms` at most until other threads of this process have written. For other processes it waits as
    long as the connection's `busy_timeout` says.
    """
    if connection.in_transaction:
        yield
        return
    with turn(main_file(connection), wait_ms / 1000):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            # On a full disk the commit fails and leaves the transaction open: the next one would join it, and end
            # nothing.
            connection.commit()
        except BaseException:
            connection.rollback()
            raise


def main_file(connection: sqlite3.Connection) -> str:
    """The path of the database that a connection has open; empty for one in memory."""
    return str(connection.execute(_MAIN_FILE).fetchone()[0])


@functools.cache
def require_full_text_search() -> None:
    """Do what the index does, once, in memory: versions and compile options do not tell all.

    Raises `UnsupportedSqliteError`.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as trial:
        try:
            trial.execute("CREATE VIRTUAL TABLE trial USING fts5 (tokens, content = '', detail = none, columnsize = 0)")
            trial.execute("INSERT INTO trial (rowid, tokens) VALUES (1, 'ab bc'), (2, 'ab')")
            trial.execute("INSERT INTO trial (trial, rowid, tokens) VALUES ('delete', 1, 'ab bc')")
            found = trial.execute(
                "SELECT json_group_array(rowid) ->> '$[0]' FROM trial WHERE trial MATCH '\"a\"*'"
            ).fetchone()
        except sqlite3.OperationalError as error:
            raise UnsupportedSqliteError(
                f"SQLite {sqlite3.sqlite_version} lacks what the index needs: {error}"
            ) from None
    if found[0] != 2:
        raise UnsupportedSqliteError(f"full-text search of SQLite {sqlite3.sqlite_version} answers wrongly")


def raise_if_damaged(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` if a page of the file is not what it should be, or a text that is kept is none."""
    if found := damage_of(connection):
        raise sqlite3.DatabaseError(f"the database is malformed: {found[0]}")
    _raise_if_emptied(connection)
    _raise_if_log_is_lost(connection)
    _raise_if_no_text(connection)


def damage_of(connection: sqlite3.Connection) -> list[str]:
    """What SQLite says against the pages of the file; nothing, if they are sound.

    From 3.44 on it looks into the full-text tables as well. They are made from what stands in others, can be made anew,
    and have a check of their own.
    """
    found = (str(row[0]) for row in connection.execute("PRAGMA quick_check(10)"))
    return [problem for problem in found if problem != "ok" and "fts5" not in problem.casefold()]


def _raise_if_emptied(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` if the file holds nothing at all, and once did: there are copies of it.

    To SQLite an empty file is a sound database. Without copies it is one that nobody had come to fill.
    """
    if schema.holds_nothing(connection) and salvage.backups_of(Path(main_file(connection))):
        raise sqlite3.DatabaseError("the database is malformed: it is empty, and backups of it are not")


def _raise_if_no_text(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` if a text of a side table is no UTF-8: SQLite does not look, and whoever reads it
    fails. Not of the audit log, whose own check names the row.
    """
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for table in present.intersection(salvage.side_tables()) - {"audit_log"}:
        for _ in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608 - names from schema.sql
            pass


def _raise_if_log_is_lost(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` if not all of the log counts that was committed to it, or the log is another's.

    To SQLite the one is a sound database of a moment ago, and the other whatever stands in that log. The next commit
    would write over what is still there.
    """
    database = Path(main_file(connection))
    if is_cut(database) and _is_cut_while_nobody_commits(database):
        raise sqlite3.DatabaseError("the database is malformed: its log is broken in the middle")
    is_ours = schema.holds_nothing(connection) or connection.execute(_OUR_FIRST_TABLE).fetchone()
    if not is_ours and _says_its_schema(database):
        raise sqlite3.DatabaseError("the database is malformed: its log is that of another one")


def _is_cut_while_nobody_commits(database: Path) -> bool:
    """A commit is whole in the log a moment before SQLite counts it: who looks just then would take it for lost."""
    uri = f"{database.as_uri()}?mode=rw"
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_LOCK_SECONDS)) as lock:
        try:
            lock.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            # Others may be committing. It is looked at again when it is opened next.
            return False
        return is_cut(database)


def _says_its_schema(database: Path) -> bool:
    """Whether the file by itself, without its log, has what any version of ours begins with."""
    beginning, offset = _FIRST_TABLE.encode(), 0
    while piece := read_opened(database, _PIECE_BYTES, offset):
        if beginning in piece:
            return True
        # What lies across the end of a piece lies within the next one.
        offset += max(len(piece) - len(beginning), 1)
    return False


def _raise_if_no_version_writes(database: Path) -> None:
    """Raise `sqlite3.DatabaseError` if the file says that a later SQLite alone may write it: there is none.

    SQLite calls such a file read-only, as one without the permission. The caller has it open.
    """
    version = read_opened(database, 1, _WRITE_VERSION)
    if version and version[0] > _LAST_WRITE_VERSION:
        raise sqlite3.DatabaseError("the database is malformed: its first page names a format that there is not")


def may_pass(error: sqlite3.DatabaseError) -> bool:
    """Whether it is nothing about the file: somebody else's lock, a full disk, no permission, no descriptors left."""
    # Errors that this package raises itself have no code.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _MAY_PASS


def _check_existing(database: Path, notices: list[str], *, look_through: bool) -> None:
    if is_unreadable(database):
        notices.append(f"what lay beside {database.name} as its log cannot be read; what only stood there is lost")
    with contextlib.closing(open_reader(database)) as reader:
        _raise_if_no_version_writes(database)
        schema.refuse_newer(reader)
        if look_through:
            raise_if_damaged(reader)
        else:
            _raise_if_emptied(reader)
            _raise_if_log_is_lost(reader)
        pending = schema.has_pending_migrations(reader)
        empty = schema.holds_nothing(reader)
        if pending and not empty:
            notices.append(f"backed up to {_back_up(reader, database).name} before migrating")


def _back_up(source: sqlite3.Connection, database: Path) -> Path:
    target = database.with_name(f"{database.name}.backup-{salvage.time_stamp()}")
    try:
        create_private(target)
        with contextlib.closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except BaseException:
        # Half a copy would count among those that are kept, and be tried again and again on a full disk.
        for left in database.parent.glob(f"{target.name}*"):
            left.unlink()
        raise
    for old in salvage.backups_of(database)[:-_BACKUPS_KEPT]:
        for path in database.parent.glob(f"{old.name}*"):
            path.unlink()
    return target


_MAIN_FILE = "SELECT file FROM pragma_database_list WHERE name = 'main'"
