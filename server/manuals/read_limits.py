"""How much one `manual_read` gives (seed 001 §3, seed 004 §4)."""

from morenashi.server.calls import inputs
from morenashi.server.workspace import Workspace

DEFAULT_CHARS, DEFAULT_SECTIONS = 8_000, 20


def limits_of(workspace: Workspace, call: inputs.ManualRead) -> tuple[int, int]:
    """The most sections and the most characters: as asked, within the server's own."""
    limits, config = call.limits or inputs.ReadLimits(), workspace.config
    return (
        min(limits.max_sections or DEFAULT_SECTIONS, config.hard_max_sections),
        min(limits.max_chars or DEFAULT_CHARS, config.hard_max_chars),
    )
