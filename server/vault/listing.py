"""`vault_ls`: what a folder of the vault holds."""

import os
import stat
from pathlib import Path
from typing import Any

from morenashi.indexer.files import is_storable
from morenashi.indexer.presence import is_there
from morenashi.indexer.vault_names import is_temporary
from morenashi.server.calls import vault_inputs
from morenashi.server.errors import ToolError
from morenashi.server.paths import open_folder, parse_present_path, refusal, spell_as_on_disk
from morenashi.server.workspace import Workspace

from .notes import suggesting_folders


def vault_ls(workspace: Workspace, call: vault_inputs.VaultLs) -> dict[str, Any]:
    """List a folder, one level deep (seed 003 §6). Links, pipes and the like are left out, as are unfinished files."""
    if call.path is not None and call.relative_dir is not None:
        raise ToolError("invalid_parameter", "relative_dir: an older name of path; give path alone", parameter="path")
    parameter, path = ("relative_dir", call.relative_dir) if call.relative_dir is not None else ("path", call.path)
    root = workspace.config.vault
    parts = () if path in (None, ".") else spell_as_on_disk(root, parse_present_path(root, path, parameter))
    if not parts and _is_missing(root):
        return {"base_path": None, "items": []}
    with suggesting_folders(workspace, parts), open_folder(root, parts, parameter) as folder:
        try:
            with os.scandir(folder) as entries:
                items = [item for entry in entries if (item := _item(parts, entry))]
        except OSError as error:
            # A folder that may be listed and not entered shows no more than names.
            raise refusal(error, root, parts, parameter) from None
    items.sort(key=lambda item: (item["kind"], item["name"]))
    first = call.offset or 0
    page = items[first : first + call.limit if call.limit else None]
    listed = {"base_path": "/".join(parts) or None, "items": page}
    return listed if len(page) == len(items) else listed | {"total": len(items)}


def _is_missing(root: Path) -> bool:
    """Whether there is no vault. Where that cannot be told, what opens it says why."""
    try:
        return not is_there(root)
    except OSError:
        return False


def _item(parts: tuple[str, ...], entry: "os.DirEntry[str]") -> dict[str, Any] | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    is_folder = stat.S_ISDIR(status.st_mode)
    if is_temporary(entry.name) or not (is_folder or stat.S_ISREG(status.st_mode)) or not is_storable(entry.name):
        return None
    return {
        "name": entry.name,
        "path": "/".join((*parts, entry.name)),
        "kind": "dir" if is_folder else "file",
        "size_bytes": None if is_folder else status.st_size,
    }
