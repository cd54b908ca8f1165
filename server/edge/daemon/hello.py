"""The first line each way between a daemon and who connects to it: what is wanted, and what is offered.

A line is a JSON object. Whoever connects sends a hello; the daemon answers a welcome, and both speak MCP from then on.
Or it answers a control line, or closes what it does not understand. The standard library alone: clients' processes
import this.
"""

from __future__ import annotations

import json

# `typing` would cost each client two milliseconds.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Said: TypeAlias = Mapping[str, Any]
    """A line that was understood."""

PROTOCOL = 1
"""Raised when an older daemon or client would misunderstand a line; the socket's name mostly keeps them apart."""

MOST_HELLO_BYTES = 65_536

MOST_LINE_BYTES = 64 * 1024 * 1024
"""The longest message that a client may send, on any of these ways; as long as a document may be."""


def hello(root: str, session_id: str, toolsets: str | None, read_only: bool) -> bytes:
    """What a client's process says first. `toolsets` and `read_only` are as its command line has them."""
    return _line(
        {"morenashi": PROTOCOL, "root": root, "session": session_id, "toolsets": toolsets, "read_only": read_only}
    )


def welcome(reads: list[str], repeatable: list[str], log_level: str) -> bytes:
    """What the daemon answers: which tools only read, which may be called again without changing anything more, and
    what it logs.
    """
    return _line({"morenashi": PROTOCOL, "reads": reads, "repeatable": repeatable, "log_level": log_level})


def refusal(message: str) -> bytes:
    """What the daemon answers to a client that asks for what there is not; its process ends with this message."""
    return _line({"morenashi": PROTOCOL, "refused": message})


def control(root: str, command: str) -> bytes:
    """What `morenashi status` and `morenashi stop` say first, and only."""
    return _line({"morenashi": PROTOCOL, "root": root, "control": command})


def answer(state: Said) -> bytes:
    """What the daemon answers to a control line."""
    return _line({"morenashi": PROTOCOL, "state": state})


def read_line(line: bytes) -> Said | None:
    """Any of these lines; `None` for anything else, also of another protocol."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) and parsed.get("morenashi") == PROTOCOL else None


def _line(content: Said) -> bytes:
    return json.dumps(content).encode() + b"\n"


BEAT = _line({"morenashi": PROTOCOL, "beat": True})
"""What the daemon says to each client's process between messages of MCP: its loop runs. Not for the client."""

BEAT_SECONDS = 2.0
"""How often it does, whatever else it has to say."""
