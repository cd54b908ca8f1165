"""Whether a command is run in a workspace at all, or in some other folder."""

from morenashi.indexer.config import Config
from morenashi.indexer.presence import is_folder, is_there
from morenashi.indexer.terminal import NO_WORKSPACE
from morenashi.server.errors import ToolError


def remark_on(config: Config) -> str | None:
    """What to say of a folder that has nothing of a workspace. Memory needs no manuals."""
    if is_folder(config.manuals) or is_folder(config.vault) or is_there(config.database):
        return None
    return f"{config.root} is no workspace; {NO_WORKSPACE}"


def require_workspace(config: Config) -> None:
    """What was meant for a workspace elsewhere is not to begin one in this folder. Raises `not_found`."""
    if remark := remark_on(config):
        raise ToolError("not_found", remark)
