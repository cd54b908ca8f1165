"""What lies below a root: every document or note, and every place that was passed over."""

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from .files import (
    MOST_LEVELS,
    DiskFile,
    Key,
    enter_folder,
    file_type_of,
    is_document,
    is_note,
    is_storable,
    note_type_of,
    open_beneath,
    open_root,
    parts_below_root,
    stamp_of,
)
from .other_formats import other_format_of
from .presence import NOT_THERE, is_folder
from .vault_names import is_system

_NAME = attrgetter("name")


class RootMissingError(Exception):
    """There is no folder of manuals, or that of a collection cannot be listed. The index keeps what it has."""


@dataclass(slots=True)
class Listing:
    """Everything found under a root, and what was passed over, as (path, reason). `other_formats` counts, by manual and
    suffix, the files with text that nobody reads.
    """

    files: list[DiskFile] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    other_formats: Counter[tuple[str, str]] = field(default_factory=Counter)

    def without_unlisted(self, keys: Iterable[Key]) -> list[Key]:
        """Those of the files that lie in no folder that could not be listed: the absence of the others says nothing."""
        folders = {folder for folder, reason in self.skipped if reason == "unreadable_folder"}
        return [key for key in keys if not folders or folders.isdisjoint(_folders_above(*key))]

    def formats(self) -> dict[str, int]:
        """How many files there are of each suffix that is not read, the most first."""
        found: Counter[str] = Counter()
        for (_, suffix), files in self.other_formats.items():
            found[suffix] += files
        return dict(found.most_common())

    def count_unread(self) -> Counter[str]:
        """How many files and links of each manual may hold text and are not read by design; of no manual, by no id."""
        unread = Counter(path.split("/")[0] for path, reason in self.skipped if reason == "symlink")
        unread[""] += sum(reason == "outside_a_manual" for _, reason in self.skipped)
        for (manual_id, _), files in self.other_formats.items():
            unread[manual_id] += files
        return +unread


def list_manuals(root: Path, manual_id: str | None = None) -> Listing:
    """All documents of all manuals, or of one. Hidden names and symbolic links are passed over.

    Raises `RootMissingError`.
    """
    try:
        return _list_below(root, _Walk(is_vault=False), manual_id)
    except OSError as error:
        raise RootMissingError(f"{root} cannot be opened: {os.strerror(error.errno or 0)}") from None


def list_vault(root: Path) -> Listing:
    """All notes; none where there is no vault. Hidden and reserved names and symbolic links are passed over.

    Raises `RootMissingError` for a vault that cannot be opened.
    """
    try:
        return _list_below(root, _Walk(is_vault=True))
    except FileNotFoundError:
        return Listing()
    except OSError as error:
        raise RootMissingError(f"{root} cannot be opened: {os.strerror(error.errno or 0)}") from None


def list_one(root: Path, manual_id: str, path: str) -> DiskFile | None:
    """The document or note at a path; `None` if none stands there. `manual_id` is empty for the vault.

    Raises `OSError` if that cannot be told: a folder that may not be entered, a root that is gone.
    """
    parts = parts_below_root(manual_id, path)
    kind = file_type_of(path) if manual_id else note_type_of(path)
    if kind is None or not (is_document(parts) if manual_id else is_note(parts)):
        return None
    try:
        with open_beneath(root, parts[:-1]) as folder:
            status = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in NOT_THERE and is_folder(root):
            return None
        raise
    return DiskFile(manual_id, path, kind, status.st_size, stamp_of(status)) if stat.S_ISREG(status.st_mode) else None


class _Walk:
    """Lists a root, folder by folder, into `listing`. A document lies in a manual; a note anywhere, but not in the
    server's own folder.
    """

    def __init__(self, *, is_vault: bool) -> None:
        self.listing = Listing()
        self._is_vault = is_vault

    def list_folder(self, descriptor: int, parts: tuple[str, ...], only: str | None = None) -> None:
        """List an open folder and all below it. `only` is the one entry of interest.

        Raises `OSError` if the root, of which `parts` is empty, cannot be listed.
        """
        try:
            with os.scandir(descriptor) as entries:
                found = [entry for entry in entries if only in (None, entry.name) and not entry.name.startswith(".")]
        except OSError:
            if not parts:
                raise
            self._pass_over(parts, "unreadable_folder")
            return
        for entry in sorted(found, key=_NAME):
            try:
                self._list_entry(descriptor, parts, entry)
            except FileNotFoundError:
                # Gone since the folder was read.
                continue
            except OSError:
                if not parts:
                    raise
                # It may be listed and not entered: nothing can be said of its files.
                self._pass_over(parts, "unreadable_folder")
                return

    def _list_entry(self, descriptor: int, parts: tuple[str, ...], entry: "os.DirEntry[str]") -> None:
        here = (*parts, entry.name)
        if self._is_vault and not parts and is_system(here):
            return
        if entry.is_file(follow_symlinks=False):
            self._list_file(here, entry)
        elif entry.is_symlink():
            self._pass_over(here, "symlink")
        elif entry.is_dir(follow_symlinks=False):
            if is_storable(entry.name):
                self._enter(descriptor, here)
            else:
                self._pass_over(here, "name_not_utf8")

    def _list_file(self, here: tuple[str, ...], entry: "os.DirEntry[str]") -> None:
        kind = note_type_of(entry.name) if self._is_vault else file_type_of(entry.name)
        if kind is None:
            if not self._is_vault and (suffix := other_format_of(entry.name)):
                self.listing.other_formats[here[0] if len(here) > 1 else "", suffix] += 1
            return
        if not is_storable(entry.name):
            self._pass_over(here, "name_not_utf8")
        elif not self._is_vault and len(here) == 1:
            self._pass_over(here, "outside_a_manual")
        else:
            manual_id, path = ("", here) if self._is_vault else (here[0], here[1:])
            status = entry.stat(follow_symlinks=False)
            self.listing.files.append(DiskFile(manual_id, "/".join(path), kind, status.st_size, stamp_of(status)))

    def _enter(self, descriptor: int, here: tuple[str, ...]) -> None:
        try:
            if len(here) > MOST_LEVELS:
                raise OSError(errno.ENAMETOOLONG, "too deep")
            deeper = enter_folder(descriptor, here[-1])
        except FileNotFoundError:
            # Gone since its folder was read, with all that lay in it.
            return
        except OSError:
            self._pass_over(here, "unreadable_folder")
            return
        try:
            self.list_folder(deeper, here)
        finally:
            os.close(deeper)

    def _pass_over(self, here: tuple[str, ...], reason: str) -> None:
        self.listing.skipped.append(("/".join(here).encode(errors="backslashreplace").decode(), reason))


def _list_below(root: Path, walk: _Walk, only: str | None = None) -> Listing:
    descriptor = open_root(root)
    try:
        walk.list_folder(descriptor, (), only)
    finally:
        os.close(descriptor)
    walk.listing.files.sort()
    return walk.listing


def _folders_above(manual_id: str, path: str) -> Iterator[str]:
    """The folders that a document lies in, below its root."""
    parts = parts_below_root(manual_id, path)
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))
