"""What a client is told of a file that was opened and is no text that can be read."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.presence import is_folder

from .errors import ToolError


@contextlib.contextmanager
def refusing_unreadable(file: Path, parameter: str, lister: str, **details: str) -> Iterator[None]:
    """Raise `forbidden` for what turns out to be no regular file of a readable size, and `conflict` for one that cannot
    be decoded. `lister` is the tool that lists a folder; what could not be opened was refused by the guard of paths.
    """
    try:
        yield
    except UndecodableError as error:
        message = f"{parameter}: the file cannot be decoded: {error}"
        raise ToolError("conflict", message, parameter=parameter, **details) from None
    except OSError:
        what = f"a folder; {lister} lists its files" if is_folder(file) else "no regular file of a readable size"
        raise ToolError("forbidden", f"{parameter}: this is {what}", parameter=parameter, **details) from None
