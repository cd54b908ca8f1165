"""`vault_create`, `vault_write` and `vault_replace` (seeds 003 §2, §5; 000 §4; contract §1)."""

from typing import Any

from morenashi.server.calls import vault_inputs
from morenashi.server.errors import ToolError
from morenashi.server.workspace import Workspace

from . import changes
from .changes import may_write
from .edits import cut
from .notes import add_nearest


def vault_create(workspace: Workspace, call: vault_inputs.VaultCreate) -> dict[str, Any]:
    """Make a new file."""
    target = may_write(workspace, call.path, "create")
    return changes.create(workspace, target, cut(call.content)).as_answer()


def vault_write(workspace: Workspace, call: vault_inputs.VaultWrite) -> dict[str, Any]:
    """Write over a file, or add lines to its end."""
    target = may_write(workspace, call.path, call.mode)
    pieces = cut(call.content)
    if call.mode == "overwrite":
        return changes.overwrite(workspace, target, pieces, call.if_hash).as_answer()
    begins_line = _begins_line(call.content)
    return changes.append(workspace, target, pieces, call.if_hash, begins_line=begins_line).as_answer()


def vault_replace(workspace: Workspace, call: vault_inputs.VaultReplace) -> dict[str, Any]:
    """Replace a literal text wherever it stands, if that is often enough allowed."""
    target = may_write(workspace, call.path, "replace")
    most = 1 if call.max_replacements is None else call.max_replacements
    try:
        replaced = changes.replace(workspace, target, call.find, call.replace, most, call.if_hash)
    except ToolError as error:
        add_nearest(workspace, error, target.path)
        raise
    similar = {} if replaced.similar_line is None else {"similar_line": replaced.similar_line}
    return {
        "written_path": replaced.path,
        "replacements": replaced.replacements,
        "bytes_before": replaced.bytes_before,
        "sha256": replaced.sha256,
        **similar,
    }


def _begins_line(content: str) -> bool:
    """Whether a last line without a line break is ended before the text. Who knows of it begins with a line break."""
    return bool(content) and content[0] not in "\r\n"
