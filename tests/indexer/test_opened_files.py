"""Files of SQLite's, read without taking away its locks."""

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

from morenashi.indexer.database import open_reader, open_writer
from morenashi.indexer.log_frames import is_cut
from morenashi.indexer.opened_files import read_opened


def test_what_is_open_is_read_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"0123456789")
    assert read_opened(path, 4) is None
    assert read_opened(tmp_path / "none", 4) is None
    with path.open("rb"):
        assert read_opened(path, 4) == b"0123"
        assert read_opened(path, 40, 8) == b"89"
        assert read_opened(path, 4, 10) == b""


def test_to_look_at_the_log_takes_no_lock_away(tmp_path: Path) -> None:
    """Another process could begin the log anew, under a reader that goes on."""
    database = tmp_path / "x.db"
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rows (id)")
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM rows").fetchall()
        assert not is_cut(database)
        program = (
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1], timeout=0).execute(sys.argv[2]).fetchone()[0])"
        )
        command = [sys.executable, "-c", program, str(database), "PRAGMA wal_checkpoint(TRUNCATE)"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "1\n", "it is busy"


def test_to_open_a_database_for_writing_takes_no_lock_away(tmp_path: Path) -> None:
    """Another process would be the last to close it, and delete the log that is still written here."""
    database = tmp_path / "x.db"
    open_writer(database)[0].close()
    with contextlib.closing(open_reader(database)), contextlib.closing(open_writer(database)[0]) as writer:
        writer.execute("INSERT INTO index_state (key, value) VALUES ('a', 'b')")
        program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM index_state').fetchall()"
        subprocess.run([sys.executable, "-c", program, str(database)], check=True)
        assert database.with_name("x.db-wal").exists()
