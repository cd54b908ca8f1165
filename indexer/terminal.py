"""What commands say to people and scripts: results on stdout, everything else on stderr."""

import sys

DONE, DIFFERENT, USAGE, BUSY, TOO_NEW, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""The exit codes; README.md says when."""


def show(text: str) -> None:
    """Write a result to stdout."""
    sys.stdout.write(f"{text}\n")


def notice(text: str) -> None:
    """Write a remark to stderr."""
    sys.stderr.write(f"{text}\n")


def fail(message: str, code: int) -> int:
    """Write why nothing was done to stderr, and give the exit code back."""
    notice(f"morenashi: {message}")
    return code
