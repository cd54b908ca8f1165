"""What commands say to people and scripts: results on stdout, everything else on stderr."""

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

DONE, DIFFERENT, USAGE, BUSY, TOO_NEW, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""The exit codes; docs/reference.md says when."""

GRANT = "give the user who runs this the right to (chmod u+rx)"
NO_WORKSPACE = "`--workspace` names a workspace that is elsewhere, `morenashi init` makes one"

_OTHER_FOLDER = "MANUALS_ROOT names it; a relative path begins at the workspace"

# As a shell names the end by SIGPIPE.
_PIPE_CLOSED = 141

# What terminals act on, but for a tab and the end of a line.
_COMMAND = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x80-\x9f]|\r(?!\n)")


def where_manuals_are(manuals_root: Path | None) -> str:
    """What says where the folder of the manuals is, for who has none there; `manuals_root` is the setting."""
    return _OTHER_FOLDER if manuals_root else NO_WORKSPACE


def admit_any_text() -> None:
    """Let stdout take names and texts that its encoding has no signs for, as stderr does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def show(text: str) -> None:
    """Write a result to stdout. If nobody reads it any more (`| head`), the program ends."""
    with _ending_unread():
        sys.stdout.write(f"{_harmless(text)}\n")
        sys.stdout.flush()


def finish() -> None:
    """See what was written to stdout otherwise on its way, as `show` does."""
    with _ending_unread():
        sys.stdout.flush()


def _harmless(text: str) -> str:
    """Without commands to the terminal: names of files come from elsewhere, questions from agents. Such a character
    becomes the escape that JSON has for it, so that a result in JSON says the same.
    """
    return _COMMAND.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@contextlib.contextmanager
def _ending_unread() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        # What is still in the buffer goes nowhere, instead of failing once more at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_PIPE_CLOSED) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(fail(f"the output cannot be written: {error.strerror}", USAGE)) from None


def refuse_closed(error: PermissionError) -> int:
    """Say what the user who runs this may not read, and what to do about it."""
    return fail(f"forbidden: {error.filename} may not be read: {GRANT}", USAGE)


def notice(text: str) -> None:
    """Write a remark to stderr."""
    sys.stderr.write(f"{_harmless(text)}\n")


def fail(message: str, code: int) -> int:
    """Write why nothing was done to stderr, and give the exit code back."""
    notice(f"morenashi: {message}")
    return code
