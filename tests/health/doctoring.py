"""`morenashi doctor` over workspaces, and what it found."""

import argparse
import contextlib
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

from morenashi.server.commands.doctor import run

from ..workspaces import WorkspaceFolder

Report = dict[str, Any]


def doctor(folder: WorkspaceFolder, *, fix: bool = False, **settings: str) -> Report:
    """The report as JSON, with the exit code as `code`."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()):
        code = run(argparse.Namespace(fix=fix, json=True), folder.config(**settings))
    return json.loads(written.getvalue()) | {"code": code}


def codes(report: Report, *severities: str) -> set[str]:
    return {each["code"] for each in report["findings"] if not severities or each["severity"] in severities}


def found(report: Report, code: str) -> dict[str, Any]:
    (finding,) = (each for each in report["findings"] if each["code"] == code)
    return finding


def overwrite_page(database: Path, table: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    with database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * size)
