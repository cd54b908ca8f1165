"""`/healthz`: whether the indexes can be asked. Says nothing of what is in them."""

from typing import Any

from morenashi.server.keeper.keeper import Keeper
from morenashi.server.workspace import Workspace


def health(workspace: Workspace) -> tuple[bool, dict[str, Any]]:
    """Whether all is well, and the state of each index: `ready`, `starting` or `failed`, and its pending files."""
    index = {
        shelf.collection.kind: {"state": _state(shelf.keeper), "pending_files": len(shelf.keeper.pending)}
        for shelf in workspace.shelves
    }
    is_well = all(one["state"] == "ready" for one in index.values())
    return is_well, {"status": "ok" if is_well else "unavailable", "index": index}


def _state(keeper: Keeper) -> str:
    if keeper.failure is not None:
        return "failed"
    return "ready" if keeper.ready.is_set() else "starting"
