"""What tests of resumed searches share: to index what changed, and to take a search up."""

from ..server.serving import Found, Serving
from ..workspaces import eventually


def index_again(manuals: Serving) -> None:
    """Have the server compare disk and index, which differ, and wait until they do not."""
    manuals.workspace.manuals.keeper.look()
    assert eventually(lambda: manuals.find("題").summary["completeness"]["pending_files"] == 0)


def resume(found: Found, query: str, **budget: int) -> Found:
    """Ask for what a search left over."""
    return found.serving.find(query, only_unscanned_from_trace_id=found.trace_id, budget=budget or None)


def is_consistent(found: Found) -> bool:
    """Whether the lines add up, and those not examined are those that are listed."""
    lines = found.lines
    listed = sum(last - first + 1 for *_, first, last in found.unscanned())
    return lines["examined"] + lines["unexamined"] == lines["total"] and listed == lines["unexamined"]
