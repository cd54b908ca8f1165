"""What a command is told to read: a file, or stdin."""

import sys
from pathlib import Path

from morenashi.server.errors import ToolError


def read_given(file: str) -> bytes:
    """All that a file has, byte for byte, or stdin where it is `-`. Raises `not_found`."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise ToolError("not_found", f"{file} cannot be read: {error.strerror}") from None
