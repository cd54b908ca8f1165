"""What manuals there are, what files they have, and how those are divided."""

import sqlite3
from pathlib import PurePosixPath
from typing import Any
from unicodedata import normalize

from morenashi.indexer.files import Key, to_nfc
from morenashi.server.errors import ToolError
from morenashi.server.search.scope import has_manual, list_manual_ids

_SUGGESTION_SCORE = 60


def list_manuals(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """The manuals, in order of their ids."""
    return [{"manual_id": manual_id} for manual_id in list_manual_ids(connection)]


def list_files(
    connection: sqlite3.Connection, manual_id: str | None, offset: int, limit: int
) -> tuple[list[dict[str, Any]], int]:
    """One page of files in order of manual and path, and how many there are."""
    values = {"manual_id": manual_id, "offset": offset, "limit": limit}
    which = "" if manual_id is None else _OF_MANUAL
    rows = connection.execute(_FILES.format(which=which), values)
    items = [{"manual_id": row[0], "path": row[1], "file_type": row[2]} for row in rows]
    return items, int(connection.execute(_COUNT_FILES.format(which=which), values).fetchone()[0])


def list_documents(connection: sqlite3.Connection, after: Key, most: int) -> list[tuple[str, str, int]]:
    """Documents after one, (manual_id, path), in that order: both, and the size of the file in bytes."""
    manual_id, path = after
    values = {"manual_id": manual_id, "path": path, "most": most}
    return [(row[0], row[1], row[2]) for row in connection.execute(_DOCUMENTS_AFTER, values)]


def list_paths(connection: sqlite3.Connection, manual_id: str) -> list[str]:
    """The paths of a manual's documents; of the notes, if it is empty."""
    return [row[0] for row in connection.execute(_PATHS, (manual_id,))]


def find_spelling(connection: sqlite3.Connection, manual_id: str) -> str | None:
    """The id as its folder is spelled: itself, or one that equals it in NFC; `None` if the index has no such manual."""
    if has_manual(connection, manual_id):
        return manual_id
    known = list_manual_ids(connection)
    return next((spelled for spelled in known if to_nfc(spelled) == to_nfc(manual_id)), None)


def require_manual(connection: sqlite3.Connection, manual_id: str, parameter: str) -> str:
    """What `find_spelling` finds. Raises `not_found`, with the nearest ids, if the index has no such manual."""
    spelled = find_spelling(connection, manual_id)
    if spelled is not None:
        return spelled
    nearest = _nearest(manual_id, list_manual_ids(connection))
    message = f"{parameter}: there is no such manual; manual_list names them all"
    raise ToolError("not_found", message, parameter=parameter, nearest=nearest)


def nearest_paths(connection: sqlite3.Connection, manual_id: str, path: str) -> list[str]:
    """Paths of the manual that resemble `path`, the nearest first, at most three."""
    return _nearest(path, list_paths(connection, manual_id))


def nearest_folders(connection: sqlite3.Connection, path: str) -> list[str]:
    """Folders of notes that resemble `path`, the nearest first, at most three."""
    parents = {str(parent) for note in list_paths(connection, "") for parent in PurePosixPath(note).parents}
    return _nearest(path, sorted(parents - {"."}))


def files_with_path(connection: sqlite3.Connection, path: str) -> list[Key]:
    """(manual_id, path) of documents that have this path in their manual, or one that ends with it: at most three, the
    shortest first.
    """
    return [(row[0], row[1]) for row in connection.execute(_WITH_PATH, {"path": to_nfc(path)})]


def path_on_disk(connection: sqlite3.Connection, manual_id: str, path: str, path_nfc: str) -> str:
    """The path as it is spelled on disk: itself, or one that equals it in NFC."""
    row = connection.execute(_SPELLING, {"manual_id": manual_id, "path": path, "path_nfc": path_nfc}).fetchone()
    return str(row[0]) if row else path


def _nearest(name: str, known: list[str]) -> list[str]:
    from rapidfuzz import process

    found = process.extract(name, known, processor=_folded, limit=3, score_cutoff=_SUGGESTION_SCORE)
    return [match[0] for match in found]


def _folded(name: str) -> str:
    """As somebody may write a name who saw it somewhere: in another case or width."""
    return normalize("NFKC", name).casefold()


# Apart from what lists all manuals: in one statement for both, SQLite would use no index.
_OF_MANUAL = "WHERE manual_id = :manual_id"

_FILES = """
SELECT manual_id, path, file_type
FROM documents
{which}
ORDER BY manual_id, path
LIMIT :limit OFFSET :offset
"""

_DOCUMENTS_AFTER = """
SELECT manual_id, path, size_bytes
FROM documents
WHERE (manual_id, path) > (:manual_id, :path)
ORDER BY manual_id, path
LIMIT :most
"""

_COUNT_FILES = "SELECT count(*) FROM documents {which}"

_PATHS = "SELECT path FROM documents WHERE manual_id = ? ORDER BY path"

# Walks through all documents: asked where a file is missing, and the call fails.
_WITH_PATH = """
SELECT manual_id, path
FROM documents
WHERE path_nfc = :path OR substr(path_nfc, -length(:path) - 1) = '/' || :path
ORDER BY length(path_nfc), manual_id, path
LIMIT 3
"""

_SPELLING = """
SELECT path
FROM documents
WHERE manual_id = :manual_id AND path_nfc = :path_nfc
ORDER BY path <> :path
LIMIT 1
"""
