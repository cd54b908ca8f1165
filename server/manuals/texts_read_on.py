"""The files that are being read on, a part a call: the next call would have to read and to parse all of one again."""

import os
import threading

from morenashi.indexer.encodings import decode
from morenashi.indexer.files import read_whole, stamp_of
from morenashi.server.newest import Newest
from morenashi.server.reading import FileText

# A document of the largest size takes some hundred megabytes as text.
_KEPT = 2

Identity = tuple[int | str, ...]
"""What changes when a file's content does: its place on the disk, its size, its time stamps; and how it is parsed."""


class _TextsReadOn:
    """The files that were read on last. Any thread may use it."""

    def __init__(self) -> None:
        self._texts = Newest[Identity, FileText](_KEPT)
        self._lock = threading.Lock()

    def read(self, descriptor: int, file_type: str) -> tuple[FileText, Identity | None]:
        """An open document as it is now, and under what it can be kept; `None` if nobody could tell that it changed.

        Raises `OSError` for what is no regular file of a readable size, and `UndecodableError`.
        """
        status = os.fstat(descriptor)
        identity = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, file_type
        with self._lock:
            kept = self._texts.get(identity)
        if kept is not None:
            return kept, identity
        data, stamp = read_whole(descriptor)
        is_known = (stamp, len(data)) == (stamp_of(status), status.st_size)
        return FileText(decode(data).text, file_type), identity if is_known else None

    def keep(self, identity: Identity, text: FileText) -> None:
        """Keep a file that goes on behind what was read of it."""
        with self._lock:
            self._texts.put(identity, text)

    def let_go(self, identity: Identity) -> None:
        """Let go of one that was read to the end."""
        with self._lock:
            self._texts.pop(identity, None)


texts_read_on = _TextsReadOn()
