"""What this Python's SQLite cannot do."""

import json
import subprocess
import sys

from ..workspaces import WorkspaceFolder, clean_environment
from .doctoring import codes

ANOTHER_SQLITE = """
import sqlite3, sys

class Connection(sqlite3.Connection):
    def execute(self, sql, *parameters):
        if "fts5" in sql.lower():
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *parameters)

connect = sqlite3.connect
sqlite3.connect = lambda *arguments, **named: connect(*arguments, **({"factory": Connection} | named))
sqlite3.sqlite_version_info = (3, 39, 4)

from morenashi.server.cli import main
sys.exit(main())
"""


def test_a_python_whose_sqlite_cannot_hold_an_index_is_named(workspace: WorkspaceFolder) -> None:
    """Such a Python is made by taking FTS5 away from SQLite before anything of ours is imported."""
    command = [sys.executable, "-c", ANOTHER_SQLITE, "doctor", "--json", "--fix", "--workspace", str(workspace.root)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert codes(json.loads(done.stdout)) >= {"sqlite_unusable", "sqlite_old"}
