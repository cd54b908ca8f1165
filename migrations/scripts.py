"""Scripts of SQL, a statement at a time: `executescript` would commit in between."""

import sqlite3


def split_statements(script: str) -> list[str]:
    """The statements of a script, each on lines of its own."""
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements
