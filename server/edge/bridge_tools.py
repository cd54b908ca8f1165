"""The tools that copy from manuals to the vault."""

from morenashi.server import bridge
from morenashi.server.calls import bridge_inputs

from . import bridge_outputs
from .tool import Guidance, Tool, without_deadline

_LOGGED = ("written_path", "mode", "written_bytes", "truncated")

BRIDGE_TOOLS = (
    Tool(
        "bridge_copy_section",
        "Copy a section to the vault",
        "Copy a section of a manual into a file of the vault without reading it here, with a note of its source. "
        "If truncated, append the rest: mode append, cursor = next_cursor.",
        bridge_inputs.CopySection,
        bridge_outputs.CopySectionOutput,
        without_deadline(bridge.bridge_copy_section),
        writes=True,
        destroys=True,
        logged=(*_LOGGED, "written_sections"),
        guidance=Guidance(
            "To put a section into a note unread.",
            ("produce",),
            defaults={"mode": "append"},
            errors=(("invalid_scope", ".json: use bridge_copy_file"), ("forbidden", "daily notes: append only")),
        ),
    ),
    Tool(
        "bridge_copy_file",
        "Copy a file to the vault",
        "Copy a file of a manual into one of the vault: .json, or .md if the server allows it and "
        "limits.allow_file is true.",
        bridge_inputs.CopyFile,
        bridge_outputs.CopyFileOutput,
        without_deadline(bridge.bridge_copy_file),
        writes=True,
        destroys=True,
        logged=_LOGGED,
        guidance=Guidance(
            "To put a whole file into a note unread.",
            ("produce",),
            defaults={"mode": "append"},
            errors=(("forbidden", ".md: copy its sections"),),
        ),
    ),
)
