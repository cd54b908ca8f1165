"""A file as lines, for coverage and audit: of the vault, or of a manual as `manuals/<id>/...`."""

import contextlib
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from morenashi.indexer.files import MARKDOWN_NAMED, is_document
from morenashi.server.clients import current_client
from morenashi.server.delivery.citations import CitedFile
from morenashi.server.delivery.delivered import Root
from morenashi.server.errors import ToolError
from morenashi.server.manuals.catalogue import files_with_path, nearest_paths
from morenashi.server.manuals.files import check_line, find_manual
from morenashi.server.paths import open_guarded, parse_present_path, parse_relative_path, spell_as_on_disk
from morenashi.server.ranges import Range
from morenashi.server.unreadable import refusing_unreadable
from morenashi.server.whole_files import read_text, split_lines, version_of
from morenashi.server.workspace import Workspace

from .notes import MANUALS, add_nearest

_DOTS = re.compile(r"^(?:\.{1,2}/)+")
_BEFORE_NAMES = re.compile("[ぁ-ん]+|、")
_LONGEST_BEHIND = 1_000
_PART = re.compile(r"(?P<path>.+):(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?", re.S | re.A)


@dataclass(frozen=True)
class SourceFile:
    """A file that was read. `path` is relative to its root; `shown` is how a client names it. `part` are the lines that
    are asked about, if not all.
    """

    root: Root
    path: str
    shown: str
    text: str
    part: Range | None = None

    @property
    def asked(self) -> str:
        """It, or the part of it, as a client asks about it."""
        return f"{self.shown}:{self.part[0]}-{self.part[1]}" if self.part else self.shown

    @property
    def asked_lines(self) -> Range:
        """The first and the last line of it, or of the part, that is asked about."""
        return self.part or (1, self.cited.total)

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def version(self) -> str:
        """Names the text, as a delivery of it does."""
        return version_of(self.text)

    @cached_property
    def cited(self) -> CitedFile:
        return CitedFile(self.lines)


def read_source(workspace: Workspace, path: str, parameter: str) -> SourceFile:
    """Read a file of the vault, or of a manual.

    Raises `invalid_path`, `out_of_scope`, `not_found` with the nearest files, `forbidden`, and `conflict` for what
    cannot be decoded.
    """
    parts = parse_relative_path(path, parameter, lambda name: is_present(workspace, name))
    root: Root = "manual" if _means_manual(workspace, parts) else "vault"
    folder = workspace.config.manuals if root == "manual" else workspace.config.vault
    inside = spell_as_on_disk(folder, parts[1:] if root == "manual" else parts)
    if root == "manual" and not is_document(inside):
        message = f"{parameter}: a manual's documents are {MARKDOWN_NAMED} and .json files that are not hidden"
        raise ToolError("invalid_path", message, parameter=parameter)
    try:
        with refusing_unreadable(folder.joinpath(*inside), parameter, f"{root}_ls"):
            text = read_text(folder, inside, parameter)
    except ToolError as error:
        if error.code == "not_found" and root == "manual":
            shown = f"{MANUALS}/{'/'.join(inside)}"
            error = ToolError("not_found", f"{parameter}: there is no {shown}", parameter=parameter, path=shown)
        _add_nearest(workspace, error, root, parts)
        raise error from None
    relative = "/".join(inside)
    return SourceFile(root, relative, shown_path(root, relative), text)


def shown_path(root: Root, path: str) -> str:
    """A file of a root as clients name it."""
    return f"{MANUALS}/{path}" if root == "manual" else path


def read_part(workspace: Workspace, path: str, parameter: str) -> SourceFile:
    """The same for a path that may have lines behind it, `note.md:12-40`, unless this is the name of a file.

    Raises also `not_found` for lines that the file does not have.
    """
    part = _PART.fullmatch(path)
    if not part or is_present(workspace, path):
        return read_source(workspace, path, parameter)
    source = read_source(workspace, part["path"], parameter)
    first, last = int(part["first"]), int(part["last"] or part["first"])
    if first > last:
        message = f"{parameter}: expected the first line before the last, like note.md:12-40"
        raise ToolError("invalid_parameter", message, parameter=parameter)
    check_line(last, source.cited.total, parameter)
    return replace(source, part=(first, last))


def _add_nearest(workspace: Workspace, error: ToolError, root: Root, parts: tuple[str, ...]) -> None:
    """Name, with a `not_found`, the files that may have been meant: of the manual that the path names, with or without
    `manuals/` before it, or that has such a path, and notes whose path ends so; otherwise of the vault.
    """
    if error.code != "not_found":
        return
    if "manual" in current_client().toolsets and (found := _nearest_in_manuals(workspace, root, parts)):
        error.details["nearest"] = ["/".join((MANUALS, *file)) for file in found] + _notes_with_end(workspace, parts)
        error.message += f"; a manual's file is {MANUALS}/<manual_id>/<path>"
        return
    add_nearest(workspace, error, "/".join(parts))


def _nearest_in_manuals(workspace: Workspace, root: Root, parts: tuple[str, ...]) -> list[tuple[str, str]]:
    """(manual_id, path) of files of manuals; not the file that is missing, which the index may still have."""
    manual_id, inside = (parts[1], parts[2:]) if root == "manual" else (parts[0], parts[1:])
    if inside and (near := workspace.ask(lambda index: nearest_paths(index, manual_id, "/".join(inside)))):
        return [(manual_id, path) for path in near if root == "vault" or path != "/".join(inside)]
    # Of no manual that there is; or as manual_hits gives it, without its manual, or by its name alone.
    return workspace.ask(lambda index: files_with_path(index, "/".join(inside if root == "manual" else parts)))


def _notes_with_end(workspace: Workspace, parts: tuple[str, ...]) -> list[str]:
    """The notes whose paths end with this one, if the index can be asked."""
    if workspace.has_vault:
        with contextlib.suppress(ToolError):
            return [path for _, path in workspace.vault.ask(lambda index: files_with_path(index, "/".join(parts)))]
    return []


def is_present(workspace: Workspace, path: str) -> bool:
    """Whether there is anything of this name, as a client names it."""
    in_manual = path.removeprefix(f"{MANUALS}/")
    return os.path.lexists(workspace.config.vault / path) or (
        in_manual != path and os.path.lexists(workspace.config.manuals / in_manual)
    )


def _means_manual(workspace: Workspace, parts: tuple[str, ...]) -> bool:
    """Whether a path means a manual's file. The vault may have a folder of that name, too: of other files.

    A client without the tools over manuals has only that folder.
    """
    if parts[0] != MANUALS or len(parts) < 3 or "manual" not in current_client().toolsets:
        return False
    in_manual = workspace.config.manuals.joinpath(*spell_as_on_disk(workspace.config.manuals, parts[1:]))
    in_vault = workspace.config.vault.joinpath(*spell_as_on_disk(workspace.config.vault, parts))
    return os.path.lexists(in_manual) or not os.path.lexists(in_vault)


def is_other_file(workspace: Workspace, name: str, source: SourceFile, artifact: SourceFile) -> bool:
    """Whether an artifact names by this a file that is there and is not the source: one beside either, a note by its
    path, or a manual's file by `<id>/<path>`, with or without `manuals/` before it; or a page of the web.
    """
    if name.startswith("//"):
        return True
    for said in _possible_names(name):
        if _is_end_of(said, source.shown):
            return False
        if is_file_beside(workspace, said, artifact, source) or _opens_in_manuals(workspace, said):
            return True
    return False


def is_lost_file(workspace: Workspace, name: str, source: SourceFile) -> bool:
    """Whether a name that is none of an `is_other_file` is that of a file of a manual that there is, which has no such
    file: no other spelling of the source, as a bare name may be.
    """
    if any(_is_end_of(said, source.shown) for said in _possible_names(name)):
        return False
    return "manual" in current_client().toolsets and any(
        _begins_with_manual(workspace, said) for said in _possible_names(name)
    )


def _begins_with_manual(workspace: Workspace, name: str) -> bool:
    manual_id, slash, _ = _below_manuals(name).partition("/")
    with contextlib.suppress(ToolError):
        return bool(slash and find_manual(workspace, manual_id))
    return False


def _possible_names(name: str) -> Iterator[str]:
    """The name, also as a link writes it (a%20b.md), and what of it stands behind hiragana or a 、: a sentence may run
    into it (上限は就業規則.md), or what else is cited (第1項、就業規則.md). No path that stands there is longer than a
    thousand characters.
    """
    yield from dict.fromkeys((name, unquote(name)))
    behind = (name[match.end() :] for match in _BEFORE_NAMES.finditer(name, max(len(name) - _LONGEST_BEHIND, 0)))
    # Behind a name that ends in hiragana is none: it would be the folder's own.
    yield from filter(None, behind)


def _opens_in_manuals(workspace: Workspace, name: str) -> bool:
    in_manuals = _below_manuals(name)
    return "manual" in current_client().toolsets and "/" in in_manuals and _opens(workspace.config.manuals, in_manuals)


def _below_manuals(name: str) -> str:
    """What names a manual's file without `manuals/` before it, or without `../manuals/`, as a link in a note has it."""
    return _DOTS.sub("", name).removeprefix(f"{MANUALS}/")


def _is_end_of(name: str, path: str) -> bool:
    """Whether a path ends with these components, however they are written."""
    wanted, found = (unicodedata.normalize("NFKC", part).casefold() for part in (_DOTS.sub("", name), path))
    return f"/{found}".endswith(f"/{wanted}")


def is_file_beside(workspace: Workspace, name: str, *besides: SourceFile) -> bool:
    """Whether a file of this name lies in the folder of one of these files, or at the top of its root."""
    for beside in besides:
        folder = workspace.config.manuals if beside.root == "manual" else workspace.config.vault
        here = beside.path.split("/")[:-1]
        top = here[:1] if beside.root == "manual" else []
        for above in (here, top):
            if _opens(folder, _resolve(above, name.split("#")[0], len(top))):
                return True
    return False


def _opens(folder: Path, path: str) -> bool:
    try:
        parts = parse_present_path(folder, path, "target")
        with open_guarded(folder, spell_as_on_disk(folder, parts), "target"):
            return True
    except ToolError:
        return False


def _resolve(above: list[str], name: str, top: int) -> str:
    """The path of a name in a folder. A `..` leads to the folder above, though not above the first `top` components:
    there it stays, and is refused.
    """
    parts = above[:]
    for part in name.split("/"):
        if part == ".." and len(parts) > top and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
