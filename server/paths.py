"""The guard of every path that a client names.

First its form (relative, no `..`, no control characters); then the file is opened component by
component and never through a symbolic link, so nothing can be exchanged between check and use.
"""

import contextlib
import errno
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from morenashi.indexer.files import open_beneath

from .errors import ToolError

_DRIVE = re.compile(r"[A-Za-z]:([/\\]|$)")


def parse_relative_path(path: str, parameter: str) -> tuple[str, ...]:
    """The components of a relative path, `.` and empty ones dropped.

    Raises `invalid_path` for an absolute path, a drive letter, a control character or no path at
    all, and `out_of_scope` for one that leaves its root.
    """
    if path.startswith(("/", "\\\\")) or _DRIVE.match(path):
        raise ToolError("invalid_path", f"{parameter}: give a path relative to its root", parameter=parameter)
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in path):
        raise ToolError("invalid_path", f"{parameter}: control characters are not allowed", parameter=parameter)
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if ".." in re.split(r"[/\\]", path):
        raise ToolError("out_of_scope", f"{parameter}: '..' would leave the root", parameter=parameter)
    if not parts:
        raise ToolError("invalid_path", f"{parameter}: the path is empty", parameter=parameter)
    return parts


@contextlib.contextmanager
def open_guarded(root: Path, parts: tuple[str, ...], parameter: str) -> Iterator[int]:
    """A read-only descriptor of the file at `parts` below `root`.

    Raises `not_found`, `out_of_scope` (a symbolic link on the way) or `forbidden` (no permission).
    """
    with contextlib.ExitStack() as stack:
        try:
            descriptor = stack.enter_context(open_beneath(root, parts))
        except OSError as error:
            raise _refusal(error, root, parts, parameter) from None
        yield descriptor


def _refusal(error: OSError, root: Path, parts: tuple[str, ...], parameter: str) -> ToolError:
    shown = "/".join(parts)
    if error.errno in (errno.EACCES, errno.EPERM):
        return ToolError("forbidden", f"{parameter}: the server may not read {shown}", parameter=parameter, path=shown)
    if error.errno == errno.ENAMETOOLONG:
        return ToolError("invalid_path", f"{parameter}: the name is too long for a file", parameter=parameter)
    if error.errno == errno.ELOOP or _passes_a_link(root, parts):
        message = f"{parameter}: symbolic links are not followed"
        return ToolError("out_of_scope", message, parameter=parameter, path=shown)
    return ToolError("not_found", f"{parameter}: there is no {shown}", parameter=parameter, path=shown)


def _passes_a_link(root: Path, parts: tuple[str, ...]) -> bool:
    """For the message alone: the file is refused already."""
    return any((root / Path(*parts[:depth])).is_symlink() for depth in range(1, len(parts) + 1))
