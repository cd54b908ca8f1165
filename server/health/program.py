"""What this Python's SQLite can do."""

import sqlite3
from collections.abc import Iterator

from morenashi.indexer.database import UnsupportedSqliteError, require_full_text_search

from .findings import Finding

OLDEST_SQLITE = (3, 40, 0)


def program_findings() -> Iterator[Finding]:
    """Found by doing what the index does, then by the version."""
    try:
        require_full_text_search()
    except UnsupportedSqliteError as error:
        yield Finding(
            "sqlite_unusable",
            "error",
            str(error),
            "the index is made of FTS5 tables without content; without them nothing can be indexed or searched",
            "use a Python whose SQLite has FTS5, such as that of python.org, of uv, or of a present Linux",
        )
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        yield Finding(
            "sqlite_old",
            "warning",
            f"SQLite {sqlite3.sqlite_version} is older than {'.'.join(map(str, OLDEST_SQLITE))}",
            "morenashi is tested with that version and newer ones only",
            "use a Python with a newer SQLite",
        )
