"""Which files a text search reads: those on disk, without those that the index rules out."""

import sqlite3
from dataclasses import dataclass
from typing import NamedTuple

from morenashi.indexer.files import DiskFile
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
    """

    files: list[SearchedFile]
    unsearchable: list[tuple[str, str]]
    build: str | None


class _Known(NamedTuple):
    path: str
    document_id: int
    size_bytes: int
    mtime_ns: int
    encoding: str | None
    status: str


def list_searched_files(workspace: Workspace, scope: NoteScope, needs: Needs) -> SearchedFiles:
    """The files of a scope, of which those that are in the index must hold what is needed. Raises `RootMissingError`.

    A file whose size or time stamp is not the one that the index knows is never ruled out.
    """
    listing = workspace.vault.collection.list()
    build, known, admits = _ask_index(workspace, needs)
    files: list[SearchedFile] = []
    unsearchable = [(path, "unreadable") for path, reason in listing.skipped if reason != "symlink"]
    is_narrow = not scope.is_everything
    for file in listing.files:
        if is_narrow and not scope.holds(file.path):
            continue
        entry = known.get(file.path)
        if entry is None or (entry.size_bytes, entry.mtime_ns) != (file.size_bytes, file.mtime_ns):
            files.append(SearchedFile(file))
        elif entry.status == "encoding":
            unsearchable.append((file.path, "encoding"))
        elif entry.status != "indexed":
            files.append(SearchedFile(file))
        elif admits(file, entry.document_id):
            files.append(SearchedFile(file, entry.document_id, entry.encoding))
    return SearchedFiles(files, unsearchable, build)


def _ask_index(workspace: Workspace, needs: Needs) -> tuple[str | None, dict[str, _Known], "_Admits"]:
    """The build of the index, all its documents by path, and whether one of them may hold what is needed.

    Without an index that can be read, nothing is known, and everything is searched.
    """

    def ask(connection: sqlite3.Connection) -> tuple[str | None, dict[str, _Known], _Admits]:
        connection.execute("BEGIN")
        known = {row[0]: _Known._make(row) for row in connection.execute(_DOCUMENTS)}
        index = Index(connection, None, workspace.vault.keeper.degraded_build)
        holding = find_documents(index, needs.pairs, needs.texts) if needs.pairs else None
        if (needs.pairs, needs.texts) == (needs.pairs_in_json, needs.texts_in_json):
            return index.build, known, _Admits(holding, holding)
        # Not for its texts: the passages of all other files would be asked for what is left of them.
        in_json = find_documents(index, needs.pairs_in_json) if needs.pairs_in_json else None
        return index.build, known, _Admits(holding, in_json)

    try:
        return workspace.vault.ask(ask)
    except ToolError:
        return None, {}, _Admits(None, None)


@dataclass(frozen=True, slots=True)
class _Admits:
    """The documents that may hold what is needed, and those of JSON; `None` for all."""

    others: frozenset[int] | None
    json: frozenset[int] | None

    def __call__(self, file: DiskFile, document_id: int) -> bool:
        holding = self.json if file.file_type == "json" else self.others
        return holding is None or document_id in holding


_DOCUMENTS = "SELECT path, id, size_bytes, mtime_ns, encoding, status FROM documents"
