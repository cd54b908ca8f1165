"""The disk below the databases: may it be written, is there room; what killed processes left behind."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from morenashi.indexer.config import Config
from morenashi.indexer.database import damage_of
from morenashi.indexer.presence import is_file, is_folder, is_there
from morenashi.indexer.salvage import COMPANIONS, backups_of, set_aside_of
from morenashi.indexer.vault_names import TEMPORARY_NAME
from morenashi.indexer.writer_lock import may_write, writer_lock_of
from morenashi.server.vault.locking import hold_write_lock, write_lock_of

from .findings import Finding, counted, listed, remove
from .holders import is_held

_LEAST_BYTES, _ROOM_BYTES = 16 << 20, 64 << 20
_MIB = 1 << 20


def storage_findings(config: Config) -> Iterator[Finding]:
    """Whether the folder of the databases can take what a server writes."""
    folder = config.database.parent
    if folder.is_symlink() and not is_there(folder):
        yield Finding(
            "data_gone",
            "error",
            f"{folder} is a link, and what it leads to is not there",
            "no index can be made or used, and memory cannot be reached",
            "mount the disk that it leads to, or make the folder; or remove the link: data/ is then made anew",
        )
    here = next(path for path in (folder, *folder.parents) if is_there(path))
    if not is_folder(here) or not may_write(here):
        yield Finding(
            "data_read_only",
            "error",
            f"{here} is no folder that can be written",
            "the index cannot follow the files, searches are not recorded, memory cannot be changed",
            "give the user who runs the server the right to write there, or mount the disk for writing",
        )
    elif closed := [path.name for path in _files_in_use(config) if is_there(path) and not may_write(path)]:
        yield Finding(
            "data_read_only",
            "error",
            f"{listed(closed)} in {folder} cannot be written",
            "the index cannot follow the files, or memory cannot be changed",
            "give them to the user who runs the server (chown, chmod u+rw); with sudo, others are made root's",
        )
    yield from space_findings(here, _ROOM_BYTES + _size_of(folder.glob("*.db")))
    yield from _vault_findings(config)
    yield from _kept_damage(config)
    yield from _broken_backups(config)
    yield from _temporary_files(config.vault)


def _files_in_use(config: Config) -> list[Path]:
    """What a server has open: the databases, what SQLite keeps beside them, the locks."""
    databases = (config.database, config.vault_database)
    return [
        path
        for database in databases
        for path in (database, *(Path(f"{database}{end}") for end in COMPANIONS), writer_lock_of(database))
    ]


def _vault_findings(config: Config) -> Iterator[Finding]:
    """Whether notes can be written, and where they would be. A vault need not be there."""
    if config.vault_leads_nowhere:
        yield Finding(
            "vault_gone",
            "warning",
            f"the vault is a link to {config.vault}, which is not there",
            "no note can be found, read or written",
            "mount the disk that it leads to, or make the folder; or remove the link",
        )
    lock = write_lock_of(config.vault)
    needed = (config.vault, lock.parent, lock)
    if closed := [path for path in needed if is_there(path) and not may_write(path)]:
        yield Finding(
            "vault_read_only",
            "warning",
            f"{listed([str(path) for path in closed])} cannot be written",
            "every write to the vault is refused; it is searched and read as ever",
            "give the user who runs the server the right to write there; or start clients with `--read-only`, if it is "
            "meant to be so",
        )


def space_findings(folder: Path, needed_bytes: int) -> Iterator[Finding]:
    """Whether there is room: for anything at all, and for as much as a rebuild takes at most."""
    status = os.statvfs(folder)
    if status.f_files and not status.f_favail:
        yield Finding(
            "no_inodes",
            "error",
            f"the disk of {folder} can hold no more files",
            "SQLite makes files beside the database as it works; every write fails",
            "delete files on this disk",
        )
    free = shutil.disk_usage(folder).free
    if free >= needed_bytes:
        return
    is_full = free < _LEAST_BYTES
    yield Finding(
        "disk_full" if is_full else "disk_low",
        "error" if is_full else "warning",
        f"{free // _MIB} MiB are free on the disk of {folder}",
        "writes fail; what was acknowledged stays, nothing new is kept"
        if is_full
        else f"a rebuild of the index takes up to {needed_bytes // _MIB} MiB",
        "make room on this disk",
    )


def _kept_damage(config: Config) -> Iterator[Finding]:
    if kept := [*set_aside_of(config.database), *set_aside_of(config.vault_database)]:
        size = _size_of(kept) // _MIB
        yield Finding(
            "damage_kept",
            "note",
            f"{counted(len(kept), 'damaged database')} set aside ({size} MiB): {listed([path.name for path in kept])}",
            "what could be read was carried over; the rest may still be in there",
            "delete these files, with -wal and -shm, when you miss nothing",
        )


def _broken_backups(config: Config) -> Iterator[Finding]:
    for backup in (*backups_of(config.database), *backups_of(config.vault_database)):
        journal = backup.with_name(f"{backup.name}-journal")
        if is_there(journal):
            yield Finding(
                "backup_unfinished",
                "warning",
                f"{backup.name} was not finished",
                "a process was killed while it copied the database, before it changed anything",
                "delete it, with its -journal; `--fix` does",
                partial(remove, backup, journal),
            )
        elif not _is_sound(backup):
            yield Finding(
                "backup_damaged",
                "warning",
                f"{backup.name} is damaged",
                "what a damaged database has lost is taken from the backups",
                "delete it if the database itself is sound",
            )


def _temporary_files(vault: Path) -> Iterator[Finding]:
    # While a write is under way there is such a file by right.
    if is_held(write_lock_of(vault)):
        return
    left = [Path(folder) / TEMPORARY_NAME for folder, _, files in os.walk(vault) if TEMPORARY_NAME in files]
    if left:
        yield Finding(
            "write_unfinished",
            "warning",
            f"{counted(len(left), 'file')} left by killed writes: {listed([str(path) for path in left])}",
            "the notes themselves are as they were before; the leftovers are neither listed nor indexed",
            "delete them; `--fix` does",
            lambda: _remove_temporary_files(vault),
        )


def _remove_temporary_files(vault: Path) -> str:
    removed = 0
    with hold_write_lock(vault):
        for _, _, files, folder in os.fwalk(vault):
            if TEMPORARY_NAME in files:
                os.unlink(TEMPORARY_NAME, dir_fd=folder)
                removed += 1
    return f"removed {counted(removed, 'file')}"


def _size_of(paths: Iterable[Path]) -> int:
    """In bytes; a link that leads nowhere has none."""
    return sum(path.stat().st_size for path in paths if is_file(path))


def _is_sound(backup: Path) -> bool:
    try:
        # Nobody writes to it: without `immutable` SQLite would make files beside it to look at it.
        with contextlib.closing(sqlite3.connect(f"{backup.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            return not damage_of(connection)
    except sqlite3.DatabaseError:
        return False
