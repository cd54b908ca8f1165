"""The index as a command finds it: brought up to date if no server does that, read as it stands if one does."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from morenashi.indexer.collections import collection_of
from morenashi.indexer.config import Config
from morenashi.indexer.database import open_reader, open_writer
from morenashi.indexer.dictionaries import Dictionaries
from morenashi.indexer.files import Key
from morenashi.indexer.index_state import read_generation
from morenashi.indexer.presence import is_there
from morenashi.indexer.schema import has_pending_migrations, refuse_newer
from morenashi.indexer.sync import Synchroniser
from morenashi.indexer.terminal import notice
from morenashi.indexer.versions import changes_between
from morenashi.indexer.writer_lock import WorkspaceBusyError, hold_writer_lock
from morenashi.server.errors import ToolError
from morenashi.server.keeper.disk import changed_on_disk
from morenashi.server.memory.writer import MemoryWriter

from .elsewhere import require_workspace


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    """A connection that only reads.

    `pending` are documents, as (manual_id, path), that differ on disk and that a server has not indexed
    yet; `indexed_now` are those, as `manual_id/path`, that differed until this command indexed them.
    """

    connection: sqlite3.Connection
    pending: frozenset[Key]
    indexed_now: frozenset[str]


@contextlib.contextmanager
def open_present_index(config: Config, dictionaries: Dictionaries) -> Iterator[OpenedIndex]:
    """The index, equal to the files if that is ours to do; nobody else changes it meanwhile.

    Raises `not_found` where there is no workspace, `RootMissingError`, `DatabaseTooNewError` or
    `UnsupportedSqliteError`.
    """
    require_workspace(config)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(hold_writer_lock(config.database))
        except WorkspaceBusyError:
            connection = stack.enter_context(open_stored_index(config))
            yield OpenedIndex(connection, changed_on_disk(collection_of(config, "manuals")), frozenset())
            return
        indexed_now = _bring_up_to_date(config, dictionaries)
        yield OpenedIndex(stack.enter_context(open_stored_index(config)), frozenset(), indexed_now)


@contextlib.contextmanager
def open_stored_index(config: Config) -> Iterator[sqlite3.Connection]:
    """The database as it stands, for what asks nothing of the files.

    Raises `not_found` if there is none, `DatabaseTooNewError`, or `conflict` for one of an older version.
    """
    require_workspace(config)
    if not is_there(config.database):
        raise ToolError(
            "not_found", f"{config.database} does not exist; a server makes it when it starts, or `morenashi reindex`"
        )
    with contextlib.closing(open_reader(config.database)) as connection:
        refuse_newer(connection)
        if has_pending_migrations(connection):
            advice = "end that if it still runs (`morenashi stop`), then run `morenashi reindex`"
            raise ToolError("conflict", f"the database was written by an older version; {advice}")
        yield connection


@contextlib.contextmanager
def open_memory(config: Config) -> Iterator[MemoryWriter]:
    """What writes to memory, beside a server too. Where none keeps the database, it is brought to the present schema.

    Raises `not_found` where there is no workspace, `DatabaseTooNewError`, or `conflict` if an older version keeps it.
    """
    require_workspace(config)
    try:
        with hold_writer_lock(config.database):
            _open_writer(config).close()
    except WorkspaceBusyError:
        with open_stored_index(config):
            # Nothing is raised: it is of this version.
            pass
    with contextlib.closing(MemoryWriter(config.database)) as writer:
        yield writer


def _open_writer(config: Config) -> sqlite3.Connection:
    """The database of the present schema; what was done to it for that goes to stderr."""
    connection, notices = open_writer(config.database)
    for text in notices:
        notice(text)
    return connection


def _bring_up_to_date(config: Config, dictionaries: Dictionaries) -> frozenset[str]:
    with contextlib.closing(_open_writer(config)) as connection:
        before = read_generation(connection)
        Synchroniser(config, connection, dictionaries).synchronise()
        changes = changes_between(connection, before, read_generation(connection))
    return frozenset(name for names in changes for name in names)
