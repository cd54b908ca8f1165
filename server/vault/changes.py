"""Texts into files of the vault: created, appended, written over, replaced. All that writes passes through here.

Each change holds the vault's lock, is whole or absent, keeps how the file writes its text, is read back before it
counts, and is known to the index before its caller is answered.
"""

import contextlib
import errno
import os
import stat
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from morenashi.indexer.encodings import FileEncoding, UndecodableError
from morenashi.indexer.presence import is_folder
from morenashi.server.errors import ToolError
from morenashi.server.log import log_event
from morenashi.server.paths import WHOM_TO_ASK, open_folder, parse_relative_path, refusal, spell_as_on_disk
from morenashi.server.workspace import Workspace

from . import edits
from .locking import hold_write_lock
from .notes import is_of_a_manual, matches_hash
from .policy import Action, check_may_write
from .text_map import ChangedMeanwhileError, TextFile, TextMap, open_text
from .writing import OWNER_ALONE, NewContent, OpenFile, OpenFolder

_UTF8 = FileEncoding("utf-8")
_MOST_LINES = 20
Pieces = Iterable[str]
"""A text, which is read once and a piece at a time; none ends inside a line break."""


@dataclass(frozen=True, slots=True)
class Written:
    """A change that is on the disk. `written_bytes` are those of the text that was given, as the file holds it."""

    path: str
    written_bytes: int
    bytes_before: int
    sha256: str

    def as_answer(self) -> dict[str, Any]:
        """The fields that vault_create, vault_write and the bridge answer."""
        return {
            "written_path": self.path,
            "written_bytes": self.written_bytes,
            "bytes_before": self.bytes_before,
            "sha256": self.sha256,
        }


@dataclass(frozen=True, slots=True)
class Replaced:
    """In how many places a text was replaced, and the file since; if in none, it is as it was, and has the text but for
    case, width and blanks in its `similar_line`.
    """

    path: str
    replacements: int
    bytes_before: int
    sha256: str
    similar_line: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A file of the vault that may be written: its path, and the parameter that named it."""

    root: Path
    parts: tuple[str, ...]
    parameter: str

    @property
    def path(self) -> str:
        return "/".join(self.parts)

    @property
    def is_there(self) -> bool:
        """Whether something has this path now. What follows has to find out again, under the lock."""
        return os.path.lexists(self.root.joinpath(*self.parts))

    def conflict(self, reason: str) -> ToolError:
        return ToolError("conflict", f"{self.parameter}: {reason}", parameter=self.parameter, path=self.path)


def may_write(workspace: Workspace, path: str, action: Action, parameter: str = "path") -> Target:
    """The file that a path names. Raises what the guard of paths raises, and `forbidden` for a reserved name."""
    root = workspace.config.vault
    parts = spell_as_on_disk(root, parse_relative_path(path, parameter))
    if path.rpartition("/")[2] in ("", "."):
        message = f"{parameter}: this names a folder; end it with the name of a file"
        raise ToolError("invalid_path", message, parameter=parameter)
    check_may_write(parts, action, parameter)
    return Target(root, parts, parameter)


def create(workspace: Workspace, target: Target, pieces: Pieces) -> Written:
    """Make a file, in UTF-8, with the folders above it. Raises `conflict` if there is one.

    And `forbidden` if the vault is a link to what is not there: a disk that is mounted later would hide the file.
    """
    if workspace.config.vault_leads_nowhere:
        message = f"{target.parameter}: the vault is a link to what is not there; {WHOM_TO_ASK}"
        raise ToolError("forbidden", message, parameter=target.parameter)
    with _folder(target, create=True) as folder, _as_refusals(target):
        if there := folder.find():
            raise target.conflict(_name_is_taken(there))
        with NewContent(folder) as new:
            written_bytes = new.write(edits.encode(piece, _UTF8) for piece in pieces)
            sha256 = _read_back(new, _UTF8).sha256
            try:
                new.become()
            except FileExistsError:
                raise target.conflict("a file of this name has just been made") from None
    _tell_index(workspace, target)
    return Written(target.path, written_bytes, 0, sha256)


def overwrite(workspace: Workspace, target: Target, pieces: Pieces, if_hash: str | None = None) -> Written:
    """Put a text in the place of a file's whole text. Raises `conflict` if there is no file, or another content."""
    with (
        _must_exist(workspace, target),
        _existing(target, if_hash) as (folder, file, old),
        NewContent(folder, OWNER_ALONE) as new,
    ):
        encoding, line_end = file.map.encoding, file.map.line_end
        new.write([encoding.mark])
        written_bytes = new.write(edits.encode(edits.with_line_end(piece, line_end), encoding) for piece in pieces)
        found = _read_back(new, encoding)
        new.replace(old)
    _tell_index(workspace, target)
    return Written(target.path, written_bytes, file.map.size_bytes, found.sha256)


def append(
    workspace: Workspace, target: Target, pieces: Pieces, if_hash: str | None = None, *, begins_line: bool = False
) -> Written:
    """Add a text to a file's end; `begins_line` sets it apart from a last line that has no line break.

    The file is copied: one that is written in place can be left with half of the text.
    """
    with (
        _must_exist(workspace, target),
        _existing(target, if_hash) as (folder, file, old),
        NewContent(folder, OWNER_ALONE) as new,
    ):
        encoding, line_end = file.map.encoding, file.map.line_end
        new.write(file.blocks())
        last = file.part(max(file.map.characters - 1, 0), file.map.characters)
        gap = ["\n"] if begins_line and last not in ("", "\n", "\r") else []
        shift = [edits.BACK_TO_ASCII] if file.map.ends_shifted else []
        added = (edits.encode(edits.with_line_end(piece, line_end), encoding) for piece in chain(gap, pieces))
        written_bytes = new.write(chain(shift, added))
        found = _read_back(new, encoding)
        new.replace(old)
    _tell_index(workspace, target)
    return Written(target.path, written_bytes, file.map.size_bytes, found.sha256)


def replace(
    workspace: Workspace, target: Target, find: str, replacement: str, most: int, if_hash: str | None
) -> Replaced:
    """Replace every place where `find` stands literally.

    Raises `conflict` with the lines of the places (20 at most) if they are more than `most`, unless that is 0.
    """
    with _existing(target, if_hash) as (folder, file, old):
        text, line_end = file.part(0, file.map.characters), file.map.line_end
        places, wanted = edits.find_places(text, find, line_end) if most else ([], find)
        if len(places) > most:
            lines = _lines_of(file, places)
            message = f"max_replacements: find stands in {len(places)} places; make it longer, or allow as many"
            raise ToolError(
                "conflict", message, parameter="max_replacements", path=target.path, matches=len(places), lines=lines
            )
        if not places:
            similar = edits.find_similar(text, find) if most else None
            return Replaced(target.path, 0, file.map.size_bytes, file.map.sha256, similar)
        data = b"".join(file.blocks())
        put = edits.with_line_end(replacement, line_end)
        with NewContent(folder, OWNER_ALONE) as new:
            new.write([edits.splice(data, text, file.map.encoding, places, len(wanted), put)])
            found = _read_back(new, file.map.encoding)
            new.replace(old)
    _tell_index(workspace, target)
    return Replaced(target.path, len(places), file.map.size_bytes, found.sha256)


def _lines_of(file: TextFile, places: list[int]) -> list[int]:
    """The first lines that hold one of these places, which ascend."""
    lines: list[int] = []
    position = 0
    while position < len(places) and len(lines) < _MOST_LINES:
        lines.append(file.line_of(places[position]))
        # Not place by place: a long line may hold a million.
        position = bisect_left(places, file.start_of(lines[-1] + 1), position)
    return lines


def _name_is_taken(there: os.stat_result) -> str:
    if stat.S_ISREG(there.st_mode):
        return "there is a file of this name; change it with vault_write or vault_replace"
    what = "a folder" if stat.S_ISDIR(there.st_mode) else "what is no regular file"
    return f"{what} has this name; take another one"


@contextlib.contextmanager
def _folder(target: Target, *, create: bool = False) -> Iterator[OpenFolder]:
    """The folder of the target, under the vault's lock."""
    with (
        hold_write_lock(target.root),
        open_folder(target.root, target.parts[:-1], target.parameter, create=create) as descriptor,
    ):
        yield OpenFolder(descriptor, target.parts[-1])


@contextlib.contextmanager
def _existing(target: Target, if_hash: str | None) -> Iterator[tuple[OpenFolder, TextFile, OpenFile]]:
    """The folder of the target, its text, and the file that a new one takes the place of."""
    if not is_folder(target.root):
        # The lock would make a vault, an empty one in the place of one that is away.
        raise refusal(FileNotFoundError(errno.ENOENT, "no vault"), target.root, target.parts, target.parameter)
    with _folder(target) as folder, _as_refusals(target), folder.open_file() as old:
        if not stat.S_ISREG(old.status.st_mode):
            raise target.conflict("this is no regular file")
        file = open_text(old.descriptor)
        if if_hash is not None and not matches_hash(file, if_hash):
            message = "if_hash: the file has another content by now; read it again"
            raise ToolError("conflict", message, parameter="if_hash", path=target.path, sha256=file.map.sha256)
        yield folder, file, old


@contextlib.contextmanager
def _must_exist(workspace: Workspace, target: Target) -> Iterator[None]:
    """Seed 000 §5: that the file is there is what the caller assumed."""
    try:
        yield
    except ToolError as error:
        if error.code != "not_found":
            raise
        makes = "no tool writes to a manual" if is_of_a_manual(workspace, target.path) else "vault_create makes one"
        raise target.conflict(f"there is no such file; {makes}") from None


@contextlib.contextmanager
def _as_refusals(target: Target) -> Iterator[None]:
    try:
        yield
    except edits.UnencodableError as error:
        message = f"{target.parameter}: the text does not fit this file's encoding: {error}"
        raise ToolError("invalid_parameter", message, parameter=target.parameter, path=target.path) from None
    except UndecodableError as error:
        raise target.conflict(f"the file cannot be decoded: {error}") from None
    except (BlockingIOError, ChangedMeanwhileError):
        raise target.conflict("another program has just changed the file; read it again") from None
    except IsADirectoryError:
        raise target.conflict("this is a folder; vault_ls lists its files") from None
    except OSError as error:
        raise refusal(error, target.root, target.parts, target.parameter) from None


def _tell_index(workspace: Workspace, target: Target) -> None:
    """Return when the index knows the file as it is now. A write that is done is no failure because the index is."""
    try:
        workspace.vault_written(target.path)
    except ToolError as error:
        log_event("warn", "vault", ok=False, error=error.message)


def _read_back(new: NewContent, encoding: FileEncoding) -> TextMap:
    """What the file will be read as. A text that the next reader would take for another encoding's is refused."""
    with contextlib.suppress(UndecodableError):
        found = open_text(new.descriptor).map
        is_ascii = found.encoding == _UTF8 and found.characters == found.size_bytes
        if found.encoding == encoding or (is_ascii and not encoding.mark and not encoding.codec.startswith("utf-16")):
            return found
    reason = f"it would be read as another one than {encoding.codec}"
    raise edits.UnencodableError(f"{reason}; leave out control characters and a byte order mark")
