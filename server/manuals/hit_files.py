"""The files of the hits of a search, as they are on disk now."""

from hashlib import sha256

from morenashi.indexer.encodings import decode
from morenashi.indexer.files import Key, parts_below_root, read_whole
from morenashi.server.paths import open_guarded
from morenashi.server.reading import FileText
from morenashi.server.search.ranking.candidates import Candidate
from morenashi.server.shelf import Shelf
from morenashi.server.unreadable import refusing_unreadable

from .known_sections import known_sections

# Of the files of one answer, whose hits do not follow each other.
_CHARACTERS_KEPT = 8_000_000


class HitFiles:
    """Reads each file once, as long as all of them are no larger than is kept."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._files: dict[Key, FileText] = {}

    def read(self, candidate: Candidate) -> FileText:
        """The file of a hit. Raises `ToolError`."""
        if candidate.key not in self._files:
            if sum(len(file.text) for file in self._files.values()) > _CHARACTERS_KEPT:
                self._files.clear()
            self._files[candidate.key] = self._read(candidate)
        return self._files[candidate.key]

    def _read(self, candidate: Candidate) -> FileText:
        root, parts = self._shelf.collection.root, parts_below_root(*candidate.key)
        # Of a refusal the code alone is given.
        with (
            refusing_unreadable(root.joinpath(*parts), "hits", "manual_ls"),
            open_guarded(root, parts, "hits") as descriptor,
        ):
            data, _ = read_whole(descriptor)
            text = decode(data).text
        if candidate.file_type == "json":
            return FileText(text, "json")
        digest = sha256(data).digest()
        known = self._shelf.ask(lambda index: known_sections(index, *candidate.key, digest))
        return FileText(text, candidate.file_type, known)
