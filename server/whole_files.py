"""A whole file below a root as text, a text as lines, and by what a text is known."""

from hashlib import blake2b
from pathlib import Path

from morenashi.indexer.encodings import decode
from morenashi.indexer.files import read_whole
from morenashi.indexer.text import LINE_BREAK

from .paths import open_guarded


def read_text(root: Path, parts: tuple[str, ...], parameter: str) -> str:
    """The decoded text of the file at `parts` below `root`.

    Raises what the guard of paths raises, `OSError` for what is no regular file of a readable size, and
    `UndecodableError`.
    """
    with open_guarded(root, parts, parameter) as descriptor:
        data, _ = read_whole(descriptor)
    return decode(data).text


def split_lines(text: str) -> list[str]:
    """The lines as an editor shows them, without line breaks. A final line break starts no further one; an empty text
    has none.
    """
    lines = LINE_BREAK.split(text)
    return lines if lines[-1] else lines[:-1]


def version_of(text: str) -> str:
    """Names a text: of two that differ, the names do."""
    version = new_version()
    version.update(text.encode("utf-8", "surrogatepass"))
    return version.hexdigest()


def new_version() -> blake2b:
    """What a text is named by once it was given all of it, in UTF-8: of a large file, a piece at a time."""
    return blake2b(digest_size=8)
