"""The guard of every path that a client names: of manuals, of the vault, of what is copied between them.

First its form (relative, no `..`, nothing that some system reads as another name); then every folder and file is
opened component by component and never through a symbolic link, so nothing can be exchanged between check and use.
"""

import contextlib
import errno
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from morenashi.indexer.files import MOST_LEVELS, enter_folder, is_storable, open_beneath, open_root, to_nfc
from morenashi.indexer.presence import is_folder, is_there

from .errors import ErrorCode, ToolError
from .whole_characters import EXPECTED

_ABSOLUTE = re.compile(r"/|\\\\|[A-Za-z]:([/\\]|$)")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://")
_OTHERWISE_ABSOLUTE = re.compile(r"\\|[A-Za-z]:")
# Names that Windows gives to devices, with any ending: a vault may be synchronised to such a machine.
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*([.:]|$)")
_NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)
WHOM_TO_ASK = "who set the server up can run `morenashi doctor`"
_RELATIVE = "give a path relative to its root, with no slash, backslash or drive letter (a:) before it"


def parse_relative_path(
    path: str, parameter: str, is_known: Callable[[str], bool] = lambda path: False
) -> tuple[str, ...]:
    """The components of a relative path, `.` and empty ones dropped.

    Raises `invalid_path` (seed 001 §7.1) for an absolute path, one with `..`, a control character, no path at all; also
    for what means something else on some system: a drive letter, a backslash, a colon (on Windows `x.md:y` is a stream
    of x.md), a device's name, a name that ends in a dot or blank. Of these last, one that `is_known` by exactly this
    name may pass.
    """
    if _ABSOLUTE.match(path):
        raise _invalid(parameter, _RELATIVE)
    if not is_storable(path):
        raise _invalid(parameter, f"expected {EXPECTED}")
    if any(unicodedata.category(character) == "Cc" for character in path):
        raise _invalid(parameter, "control characters are not allowed")
    if ".." in re.split(r"[/\\]", path):
        raise _invalid(parameter, "'..' is not allowed: give the path from its root on")
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if not parts:
        raise _invalid(parameter, "the path is empty")
    if len(parts) > MOST_LEVELS:
        raise _invalid(parameter, f"folders lie in each other at most {MOST_LEVELS} deep")
    ambiguity = _ambiguity(path, parts)
    if ambiguity and not is_known("/".join(parts)):
        raise _invalid(parameter, ambiguity)
    return parts


def parse_present_path(root: Path, path: str, parameter: str) -> tuple[str, ...]:
    """The same for what is only read below `root`: there, whatever has exactly this name may be named by it."""
    return parse_relative_path(path, parameter, lambda name: os.path.lexists(root / name))


def _ambiguity(path: str, parts: tuple[str, ...]) -> str | None:
    """What makes a path mean something else on another system."""
    if uri := _URI.match(path):
        return f"a URI is no path: give the path alone, without {uri[0]}"
    if _OTHERWISE_ABSOLUTE.match(path):
        return _RELATIVE
    if "\\" in path:
        return "set folders apart by '/', not by a backslash"
    if ":" in path:
        return "no name may have a colon, which on Windows names a part of a file"
    if any(part[-1] == "." or part[-1].isspace() for part in parts):
        return "no name may end in a dot or a blank"
    if any(_DEVICE.match(part.casefold()) for part in parts):
        return "a device's name is no file's name"
    return None


def spell_as_on_disk(root: Path, parts: tuple[str, ...]) -> tuple[str, ...]:
    """The path as the disk spells it: itself, or one that equals it in NFC. What is not there stays as given, and so
    does what lies behind a symbolic link: no folder there is listed.
    """
    if os.path.lexists(root.joinpath(*parts)):
        return parts
    spelled: list[str] = []
    with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
        folder = open_root(root)
        stack.callback(os.close, folder)
        for part in parts:
            spelled.append(_spell(folder, part))
            folder = enter_folder(folder, spelled[-1])
            stack.callback(os.close, folder)
    return (*spelled, *parts[len(spelled) :])


@contextlib.contextmanager
def open_guarded(root: Path, parts: tuple[str, ...], parameter: str) -> Iterator[int]:
    """A read-only descriptor of the file at `parts` below `root`.

    Raises `not_found`, `out_of_scope` (a symbolic link on the way) or `forbidden` (no permission).
    """
    with contextlib.ExitStack() as stack:
        try:
            descriptor = stack.enter_context(open_beneath(root, parts))
        except OSError as error:
            raise refusal(error, root, parts, parameter) from None
        yield descriptor


@contextlib.contextmanager
def open_folder(root: Path, parts: tuple[str, ...], parameter: str, *, create: bool = False) -> Iterator[int]:
    """A descriptor of the folder at `parts` below `root`, to open files in. With `create`, folders that are missing
    are made, the root among them. Raises as `open_guarded`, and for a file where a folder has to be `not_found`, with
    `create` `conflict`.
    """
    with contextlib.ExitStack() as stack:
        try:
            if create:
                root.mkdir(parents=True, exist_ok=True)
            descriptor = open_root(root)
            stack.callback(os.close, descriptor)
            for part in parts:
                descriptor = _enter(descriptor, part, create=create)
                stack.callback(os.close, descriptor)
        except NotADirectoryError as error:
            code: ErrorCode = "conflict" if create else "not_found"
            raise _no_folder(root, parts, parameter, code) or refusal(error, root, parts, parameter) from None
        except OSError as error:
            raise refusal(error, root, parts, parameter) from None
        yield descriptor


def refusal(error: OSError, root: Path, parts: tuple[str, ...], parameter: str) -> ToolError:
    """What a client is told of a path that could not be opened."""
    shown = "/".join(parts)
    if _is_no_folder(root):
        return ToolError("forbidden", f"{parameter}: its root is no folder; {WHOM_TO_ASK}", parameter=parameter)
    if not parts and error.errno in _NOT_ALLOWED:
        return ToolError("forbidden", f"{parameter}: its root may not be opened; {WHOM_TO_ASK}", parameter=parameter)
    if error.errno in _NOT_ALLOWED:
        return ToolError("forbidden", f"{parameter}: the server may not open {shown}", parameter=parameter, path=shown)
    if error.errno == errno.ENAMETOOLONG:
        return ToolError("invalid_path", f"{parameter}: the name is too long for a file", parameter=parameter)
    if error.errno == errno.ELOOP or _passes_a_link(root, parts):
        message = f"{parameter}: symbolic links are not followed"
        return ToolError("out_of_scope", message, parameter=parameter, path=shown)
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENXIO):
        return ToolError("not_found", f"{parameter}: there is no {shown}", parameter=parameter, path=shown)
    message = f"{parameter}: {shown} cannot be opened: {os.strerror(error.errno or 0)}"
    return ToolError("conflict", message, parameter=parameter, path=shown)


def _invalid(parameter: str, expected: str) -> ToolError:
    return ToolError("invalid_path", f"{parameter}: {expected}", parameter=parameter)


def _spell(folder: int, name: str) -> str:
    with contextlib.suppress(OSError):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        return name
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return next((entry.name for entry in entries if to_nfc(entry.name) == to_nfc(name)), name)
    return name


def _enter(folder: int, name: str, *, create: bool) -> int:
    if create:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
            os.fsync(folder)
    return enter_folder(folder, name)


def _no_folder(root: Path, parts: tuple[str, ...], parameter: str, code: ErrorCode) -> ToolError | None:
    """What is said of a file on the way; `None` if a link is what is on it."""
    if _passes_a_link(root, parts):
        return None
    way = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    file = next((path for path in way if is_there(root / path) and not is_folder(root / path)), None)
    if file is None:
        return None
    return ToolError(code, f"{parameter}: {file} is a file, no folder", parameter=parameter, path=file)


def _is_no_folder(root: Path) -> bool:
    """Whether something else has the root's name. What cannot be looked at may be one."""
    with contextlib.suppress(OSError):
        return is_there(root) and not is_folder(root)
    return False


def _passes_a_link(root: Path, parts: tuple[str, ...]) -> bool:
    """For the message alone: the file is refused already."""
    return any((root / Path(*parts[:depth])).is_symlink() for depth in range(1, len(parts) + 1))
