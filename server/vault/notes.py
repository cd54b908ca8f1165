"""A file of the vault, found by the path that a client names and opened as text."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from typing import TypeVar

from morenashi.server.clients import current_client
from morenashi.server.errors import ToolError
from morenashi.server.manuals.catalogue import find_spelling, nearest_folders, nearest_paths
from morenashi.server.paths import open_guarded, parse_present_path, spell_as_on_disk
from morenashi.server.unreadable import refusing_unreadable
from morenashi.server.workspace import Workspace

from .text_map import ChangedMeanwhileError, TextFile, open_text

T = TypeVar("T")

MANUALS = "manuals"
"""A source is named by a path in the vault, or by one that begins so."""

_ATTEMPTS = 3


def locate(workspace: Workspace, path: str) -> tuple[str, ...]:
    """The components of a path in the vault, as the disk spells them. Raises what the guard of paths raises."""
    root = workspace.config.vault
    return spell_as_on_disk(root, parse_present_path(root, path, "path"))


def add_nearest(workspace: Workspace, error: ToolError, path: str) -> None:
    """Name, with a `not_found`, the notes whose paths resemble this one, if the index can be asked."""
    _suggest(workspace, error, path, lambda index: nearest_paths(index, "", path))


@contextlib.contextmanager
def suggesting_folders(workspace: Workspace, parts: tuple[str, ...]) -> Iterator[None]:
    """Name, with a `not_found`, the folders of the vault whose paths resemble this one."""
    try:
        yield
    except ToolError as error:
        path = "/".join(parts)
        _suggest(workspace, error, path, lambda index: nearest_folders(index, path))
        raise


def _suggest(workspace: Workspace, error: ToolError, path: str, ask: Callable[[sqlite3.Connection], list[str]]) -> None:
    if error.code != "not_found":
        return
    if is_of_a_manual(workspace, path):
        error.message += "; a manual is listed by manual_ls, searched by manual_find and read by manual_read"
    elif workspace.has_vault:
        with contextlib.suppress(ToolError):
            error.details["nearest"] = workspace.vault.ask(ask)


def is_of_a_manual(workspace: Workspace, path: str) -> bool:
    """Whether a path that is none of the vault leads below the manuals, as sources are named (`manuals/<id>/...`), as
    far as the index can be asked.
    """
    top, _, inside = path.partition("/")
    if top != MANUALS or "manual" not in current_client().toolsets:
        return False
    manual_id = inside.partition("/")[0]
    with contextlib.suppress(ToolError):
        return not manual_id or workspace.ask(lambda index: find_spelling(index, manual_id)) is not None
    return False


def ask_note(workspace: Workspace, parts: tuple[str, ...], question: Callable[[TextFile], T]) -> T:
    """Put a question to a file; again, if it changes meanwhile.

    Raises what the guard of paths raises (`not_found` names the nearest notes), `forbidden` for what is no regular
    file, and `conflict` for one that cannot be decoded or changes all the time.
    """
    root, path = workspace.config.vault, "/".join(parts)
    for _ in range(_ATTEMPTS):
        try:
            with (
                refusing_unreadable(root.joinpath(*parts), "path", "vault_ls", path=path),
                open_guarded(root, parts, "path") as descriptor,
            ):
                return question(open_text(descriptor))
        except ToolError as error:
            add_nearest(workspace, error, path)
            raise
        except ChangedMeanwhileError:
            continue
    raise ToolError("conflict", "path: the file is being written; try again", parameter="path", path=path)


def matches_hash(file: TextFile, sha256: str) -> bool:
    """Whether this is the SHA-256 (hexadecimal) of the file's bytes or of its text in UTF-8."""
    wanted = sha256.lower()
    if wanted == file.map.sha256:
        return True
    digest = hashlib.sha256()
    for piece in file.slices():
        digest.update(piece.encode())
    return wanted == digest.hexdigest()
