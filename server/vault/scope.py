"""Which notes a call names: folder, pattern, daily notes; parsed once, trusted afterwards."""

from morenashi.indexer.vault_names import is_system
from morenashi.server.errors import ToolError
from morenashi.server.paths import open_folder, parse_present_path, spell_as_on_disk
from morenashi.server.search.globs import GlobError, compile_glob
from morenashi.server.search.note_scope import NoteScope
from morenashi.server.workspace import Workspace

from .notes import suggesting_folders


def note_scope(
    workspace: Workspace, relative_dir: str | None, glob: str | None, *, daily: bool = True, within: str = ""
) -> NoteScope:
    """The scope that a call asks for; `within` names the object that its parameters stand in.

    Raises `invalid_parameter` for a pattern, and what the guard of paths raises for a folder; a folder has to be there.
    """
    if glob is not None:
        try:
            compile_glob(glob)
        except GlobError as error:
            message = f"{within}glob: expected {error}"
            raise ToolError("invalid_parameter", message, parameter=f"{within}glob", expected=str(error)) from None
    folder = "" if relative_dir in (None, ".") else _folder(workspace, relative_dir, f"{within}relative_dir")
    return NoteScope(folder, glob, daily)


def _folder(workspace: Workspace, relative_dir: str, parameter: str) -> str:
    root = workspace.config.vault
    parts = spell_as_on_disk(root, parse_present_path(root, relative_dir, parameter))
    if is_system(parts):
        raise ToolError("forbidden", f"{parameter}: this folder is the server's own", parameter=parameter)
    with suggesting_folders(workspace, parts), open_folder(root, parts, parameter):
        return "/".join(parts)
