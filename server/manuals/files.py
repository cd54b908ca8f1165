"""A file of a manual, found by the path that a client names: for all tools that read one."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from morenashi.indexer.files import MARKDOWN_NAMED, is_document, key_below_root, to_nfc
from morenashi.server.errors import ToolError
from morenashi.server.paths import open_guarded, parse_relative_path
from morenashi.server.reading import ReadScope
from morenashi.server.search.scope import has_document, has_manual
from morenashi.server.workspace import Workspace

from . import catalogue

FILE_NEEDS = "a whole .md file needs ALLOW_FILE_SCOPE=true in the server and limits.allow_file=true"


def find_manual(workspace: Workspace, manual_id: str, parameter: str = "manual_id") -> str:
    """A manual's id as its folder is spelled, or a refusal: `conflict` if its files are still to be indexed."""
    parts = parse_relative_path(manual_id, parameter, lambda name: workspace.ask(lambda index: has_manual(index, name)))
    if len(parts) != 1:
        raise ToolError("invalid_path", f"{parameter}: a manual's name has no slash", parameter=parameter)
    spelled = workspace.ask(lambda index: catalogue.find_spelling(index, manual_id))
    if spelled is None and any(map(workspace.will_index, _spellings(manual_id))):
        message = f"{parameter}: this manual's files are not in the index yet; ask again in a moment"
        raise ToolError("conflict", message, parameter=parameter, pending_files=workspace.count_pending())
    if spelled is None:
        require_folder(workspace)
    return spelled or workspace.ask(lambda index: catalogue.require_manual(index, manual_id, parameter))


def find_default_manual(workspace: Workspace) -> str | None:
    """The manual that is searched where none is named, `None` for all. Raises `not_found` for a wrong setting in words
    for somebody who has named nothing.
    """
    default = workspace.config.default_manual_id
    if default is None:
        return None
    try:
        return find_manual(workspace, default)
    except ToolError as error:
        if error.code == "conflict":
            raise
        message = "manual_id: name one of manual_list; the server's own default, DEFAULT_MANUAL_ID, is none of them"
        raise ToolError("not_found", message, parameter="manual_id", **_nearest_of(error)) from None


def _nearest_of(error: ToolError) -> dict[str, object]:
    return {name: value for name, value in error.details.items() if name == "nearest"}


def require_folder(workspace: Workspace) -> None:
    """Raise `not_found` where the server has no manuals and no folder of any: it was set up for another one, and to
    search again does not help. What an index has of a folder that is away is listed as changed.
    """
    config = workspace.config
    if _can_be_listed(config.manuals) or workspace.ask(catalogue.list_manuals):
        return
    if config.manuals_root:
        why = "the folder that MANUALS_ROOT names is not there, or may not be read; `morenashi doctor` says which"
    elif os.path.lexists(config.manuals):
        why = "the folder `manuals` of its workspace may not be read; `morenashi doctor` says why"
    else:
        # Who chose the folder in a dialog has no command, and knows no setting.
        why = (
            "the folder chosen as its workspace has no folder `manuals`; make it, and in it a folder with .md or .json "
            "files for each manual, or choose the folder that has it"
        )
    raise ToolError("not_found", f"the server has no manuals: {why}")


def _spellings(manual_id: str) -> set[str]:
    """An id as a client wrote it, and as a folder may be called that equals it in NFC."""
    return {manual_id, to_nfc(manual_id), normalize("NFD", manual_id)}


def _can_be_listed(folder: Path) -> bool:
    try:
        with os.scandir(folder):
            return True
    except OSError:
        return False


def locate_document(
    workspace: Workspace, manual_id: str, path: str, parameter: str, manual_parameter: str = "manual_id"
) -> tuple[str, ...]:
    """The components of a document's file below the manuals' root, spelled as on disk."""
    # What the index lists by this very name can be read, whatever it would mean elsewhere.
    parts = parse_relative_path(
        path, parameter, lambda name: workspace.ask(lambda index: has_document(index, manual_id, name))
    )
    if not is_document(parts):
        message = f"{parameter}: a manual's documents are {MARKDOWN_NAMED} and .json files that are not hidden"
        path = "/".join(parts)
        near = workspace.ask(lambda index: catalogue.nearest_paths(index, manual_id, path))
        raise ToolError("invalid_path", message, parameter=parameter, **({"nearest": near} if near else {}))
    manual_id = find_manual(workspace, manual_id, manual_parameter)
    path = "/".join(parts)
    spelled = workspace.ask(lambda index: catalogue.path_on_disk(index, manual_id, path, to_nfc(path)))
    return (manual_id, *spelled.split("/"))


def check_scope(workspace: Workspace, scope: ReadScope, file_type: str, *, allow_file: bool) -> None:
    """Raise `invalid_scope` or `forbidden` for a scope that this type of file does not have, or not without leave."""
    if file_type == "json" and scope in ("section", "sections"):
        message = "scope: a .json file has no sections; take the file, or a snippet with a json_path"
        raise ToolError("invalid_scope", message, parameter="scope", allowed=["file", "snippet"])
    if file_type == "md" and scope == "file" and not may_take_file(workspace, allow_file=allow_file):
        allowed = ["snippet", "section", "sections"]
        raise ToolError("forbidden", f"scope: {FILE_NEEDS}", parameter="scope", allowed=allowed)


def may_take_file(workspace: Workspace, *, allow_file: bool) -> bool:
    """Whether a whole .md file may be read or copied: the server's word and the caller's, `limits.allow_file`."""
    return workspace.config.allow_file_scope and allow_file


def check_line(line: int, lines: int, parameter: str) -> None:
    """Raise `not_found` for a line that a document of so many lines does not have."""
    if line > lines:
        message = f"{parameter}: the file has fewer lines; search again for where the text is now"
        raise ToolError("not_found", message, parameter=parameter, lines=lines)


@contextlib.contextmanager
def open_document(workspace: Workspace, parts: tuple[str, ...], parameter: str) -> Iterator[int]:
    """A read-only descriptor of a document. Raises what the guard of paths raises; `not_found` names those nearest."""
    with contextlib.ExitStack() as stack:
        try:
            descriptor = stack.enter_context(open_guarded(workspace.config.manuals, parts, parameter))
        except ToolError as error:
            if error.code == "not_found":
                manual_id, path = key_below_root(parts)
                near = workspace.ask(lambda index: catalogue.nearest_paths(index, manual_id, path))
                # The index may still have what has just been removed.
                error.details["nearest"] = [other for other in near if other != path]
            raise
        yield descriptor
