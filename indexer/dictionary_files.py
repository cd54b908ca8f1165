"""A user's dictionary as a file: in whichever encoding an editor has saved it, without the lines that nobody can read.

Other than of a document, of which half would be searched as if it were all, each line of a dictionary stands alone:
what is broken in one takes nothing from the others.
"""

import codecs
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .config import ConfigError
from .encodings import FileEncoding, UndecodableError, find_encoding
from .nec_characters import NEC_CHARACTERS
from .presence import is_file
from .text import unify_line_breaks

_UTF8 = FileEncoding("utf-8")
_MARKED = (
    FileEncoding("utf-8", codecs.BOM_UTF8),
    FileEncoding("utf-16-le", codecs.BOM_UTF16_LE),
    FileEncoding("utf-16-be", codecs.BOM_UTF16_BE),
)
# What stands for bytes that are no character, also those of which CP932 makes one of its own; and control characters.
_BROKEN = re.compile("[\ufffd\uf8f0-\uf8f3\0-\x08\x0e-\x1f\x7f]")
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class DictionaryFile:
    """The text of a dictionary, in which a line that cannot be read is empty; the codec; the numbers of these lines.

    `is_no_file`: something else has its name.
    """

    text: str = ""
    codec: str = "utf-8"
    unreadable: tuple[int, ...] = ()
    is_no_file: bool = False

    @property
    def remarks(self) -> list[str]:
        """What whoever wrote it should know: how it is taken where that is not as it was meant."""
        remarks = ["it is no file, and passed over"] if self.is_no_file else []
        if self.codec != "utf-8":
            remarks.append(f"it is read as {self.codec}, not as UTF-8")
        if self.unreadable:
            remarks.append(f"what cannot be read is passed over: {_name_lines(self.unreadable)}")
        return remarks


def _name_lines(numbers: Sequence[int]) -> str:
    """Some lines by their numbers, the first ones of many."""
    more = f" and {len(numbers) - _MOST_NAMED} more" if len(numbers) > _MOST_NAMED else ""
    return f"line {', '.join(map(str, numbers[:_MOST_NAMED]))}{more}"


def read_dictionary(path: Path) -> DictionaryFile:
    """The dictionary at a path; an empty one where there is none. Raises `ConfigError` if it may not be read."""
    try:
        if is_file(path):
            return decode_dictionary(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {os.strerror(error.errno or 0)}") from None
    return DictionaryFile(is_no_file=os.path.lexists(path))


def decode_dictionary(data: bytes) -> DictionaryFile:
    """What the bytes of a dictionary say. Line breaks become `\\n`."""
    encoding = _find_encoding(data)
    given = data[len(encoding.mark) :]
    try:
        text = given.decode(encoding.codec, NEC_CHARACTERS)
    except UnicodeDecodeError:
        text = given.decode(encoding.codec, "replace")
    lines = unify_line_breaks(text).split("\n")
    unreadable = tuple(number for number, line in enumerate(lines, 1) if _BROKEN.search(line))
    for number in unreadable:
        lines[number - 1] = ""
    return DictionaryFile("\n".join(lines), encoding.codec, unreadable)


def _find_encoding(data: bytes) -> FileEncoding:
    """How a dictionary is encoded, or most of it."""
    if marked := next((encoding for encoding in _MARKED if data.startswith(encoding.mark)), None):
        return marked
    found = Counter(filter(None, map(_encoding_of, data.splitlines())))
    most = max(found, key=found.__getitem__, default=_UTF8)
    # A line that another editor has added in another encoding makes no signs of that of the others.
    if most == _UTF8 and found and b"\0" not in data:
        return _UTF8
    try:
        return find_encoding(lambda: [data])
    except UndecodableError:
        return most


def _encoding_of(line: bytes) -> FileEncoding | None:
    """How a line is encoded, by itself; `None` if it does not say: it is broken, or has nothing but ASCII."""
    if line.isascii():
        return None
    try:
        encoding = find_encoding(partial(iter, [line]))
    except UndecodableError:
        return None
    return None if _BROKEN.search(line.decode(encoding.codec, NEC_CHARACTERS)) else encoding
