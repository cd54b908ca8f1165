"""Which files a text search reads: those on disk, without those that the index rules out."""

import sqlite3
import string
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from morenashi.indexer.files import DiskFile
from morenashi.indexer.presence import is_folder
from morenashi.server.errors import ToolError
from morenashi.server.search.index.documents_holding import find_documents
from morenashi.server.search.index.postings import Index
from morenashi.server.search.note_scope import NoteScope
from morenashi.server.workspace import Workspace

from .literals import Needs


class SearchedFile(NamedTuple):
    """A file on disk. `document_id` and `encoding` are what the index says of this very content, if it knows it."""

    file: DiskFile
    document_id: int | None = None
    encoding: str | None = None

    @property
    def path(self) -> str:
        return self.file.path


@dataclass(frozen=True, slots=True)
class SearchedFiles:
    """Files by path, and what could not be listed or is known to be no text, as (path, reason).

    The documents are those of a `build` of the index: another one numbers them anew. `None` without an index.
    `in_scope` counts the files of the scope, ruled out or not.
    """

    files: list[SearchedFile]
    unsearchable: list[tuple[str, str]]
    build: str | None
    in_scope: int


_Known = tuple[int, int, int, str | None, str]
"""What the index knows of a document: id, size in bytes, time stamp in ns, encoding, status."""

_UNKNOWN: _Known = (0, -1, 0, None, "")
_OF_GLOB = frozenset("*?[")


def list_searched_files(workspace: Workspace, scope: NoteScope, needs: Needs) -> SearchedFiles:
    """The files of a scope, of which those that are in the index must hold what is needed. Raises `RootMissingError`.

    A file whose size or time stamp is not the one that the index knows is never ruled out.
    """
    listing = workspace.vault.collection.list()
    build, known, admitted = _ask_index(workspace, needs)
    files: list[SearchedFile] = []
    unsearchable = [(path, "unreadable") for path, reason in listing.skipped if reason != "symlink"]
    is_narrow = not scope.is_everything
    in_scope = [file for file in listing.files if scope.holds(file.path)] if is_narrow else listing.files
    for file in in_scope:
        document_id, size_bytes, stamp_ns, encoding, status = known.get(file.path, _UNKNOWN)
        if (size_bytes, stamp_ns) != (file.size_bytes, file.stamp_ns):
            files.append(SearchedFile(file))
        elif status == "encoding":
            unsearchable.append((file.path, "encoding"))
        elif status != "indexed":
            files.append(SearchedFile(file))
        elif (ids := admitted.json if file.file_type == "json" else admitted.others) is None or document_id in ids:
            files.append(SearchedFile(file, document_id, encoding))
    return SearchedFiles(files, unsearchable, build, len(in_scope))


def is_gone(error: OSError, root: Path) -> bool:
    """Whether a file could not be opened because it, or its folder, went away after it was listed: it is no part of the
    scope any more. Of a vault that went away nothing can be said.
    """
    return isinstance(error, FileNotFoundError) and is_folder(root)


class _Admitted(NamedTuple):
    """The documents that may hold what is needed, and those of JSON; `None` for all."""

    others: frozenset[int] | None = None
    json: frozenset[int] | None = None


def _ask_index(workspace: Workspace, needs: Needs) -> tuple[str | None, dict[str, _Known], _Admitted]:
    """The build of the index, all its documents by path, and which of them may hold what is needed.

    Without an index that can be read, nothing is known, and everything is searched.
    """

    def ask(connection: sqlite3.Connection) -> tuple[str | None, dict[str, _Known], _Admitted]:
        connection.execute("BEGIN")
        known: dict[str, _Known] = {row[0]: row[1:] for row in connection.execute(_DOCUMENTS)}
        index = Index(connection, None, workspace.vault.keeper.degraded_build)
        return index.build, known, _Admitted() if index.is_degraded else _admit(index, needs)

    try:
        return workspace.vault.ask(ask)
    except ToolError:
        return None, {}, _Admitted()


def _admit(index: Index, needs: Needs) -> _Admitted:
    punctuated = _with_punctuation(index.connection, needs.ascii)
    holding = find_documents(index, needs.pairs, needs.texts) if needs.pairs else None
    others = _in_both(punctuated, holding)
    if (needs.pairs, needs.texts) == (needs.pairs_in_json, needs.texts_in_json):
        return _Admitted(others, others)
    # Not for its texts: the passages of all other files would be asked for what is left of them.
    in_json = find_documents(index, needs.pairs_in_json) if needs.pairs_in_json else None
    return _Admitted(others, _in_both(punctuated, in_json))


def _with_punctuation(connection: sqlite3.Connection, characters: bytes) -> frozenset[int] | None:
    """The documents whose text has all the punctuation among some characters; `None` without any."""
    marks = sorted(mark for mark in characters.decode() if mark in string.punctuation)
    if not marks:
        return None
    pattern = f"*{'*'.join(f'[{mark}]' if mark in _OF_GLOB else mark for mark in marks)}*"
    return frozenset(row[0] for row in connection.execute(_PUNCTUATED, (pattern,)))


def _in_both(one: frozenset[int] | None, other: frozenset[int] | None) -> frozenset[int] | None:
    """What is in both, where `None` is everything."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


_DOCUMENTS = "SELECT path, id, size_bytes, stamp_ns, encoding, status FROM documents"

# Punctuation is stored in the order of ASCII, so that one pattern asks for several.
_PUNCTUATED = "SELECT id FROM documents WHERE punctuation GLOB ?"
