"""Which document of a manual is meant by what others call it: a name, or a path. Pure.

A name is a title, a file's name, a chapter; a path is exact, or leads to a folder's index, or is that of a web
site whose end is the document's. What fits several documents equally well means none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from .law_names import means

_INDEXES = ("index", "readme")
_JOINTS = ("及び", "並びに")


class NamedDocument(NamedTuple):
    """A document with its path from the manual's root (NFC) and what it is called, normalised."""

    id: int
    path: str
    names: tuple[str, ...]


class NamedDocuments:
    """The documents of one manual, to be asked for."""

    def __init__(self, documents: Iterable[NamedDocument]) -> None:
        self._folders: dict[int, tuple[str, ...]] = {}
        self._by_name: defaultdict[str, list[int]] = defaultdict(list)
        self._by_last_part: defaultdict[str, list[str]] = defaultdict(list)
        self._by_place: defaultdict[str, list[int]] = defaultdict(list)
        self._by_last_step: defaultdict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
        # Markdown before JSON of the same name.
        for document in sorted(documents, key=lambda document: (document.path.endswith(".json"), document.path)):
            self._add(document)

    def find(self, called: str, folder: str) -> int | None:
        """The id of the document that a document in `folder` calls so; `None` if it is none, or not one alone."""
        return self._find_path(called) if called.startswith("/") else self._find_name(called, folder)

    def _add(self, document: NamedDocument) -> None:
        path = PurePosixPath(document.path)
        self._folders[document.id] = path.parts[:-1]
        for name in document.names:
            self._by_name[name].append(document.id)
            for joint in _JOINTS:
                if joint in name:
                    self._by_last_part[name.rpartition(joint)[2]].append(name)
        place = document.path[: -len(path.suffix)].casefold()
        places = [place]
        if path.stem.casefold() in _INDEXES:
            places.append("/".join(path.parts[:-1]).casefold())
        for key in places:
            self._by_place[key].append(document.id)
            steps = tuple(key.split("/"))
            self._by_last_step[steps[-1]].append((steps, document.id))

    def _find_name(self, called: str, folder: str) -> int | None:
        if called in self._by_name:
            return self._nearest(self._by_name[called], folder)
        for start in range(1, len(called) - 1):
            title = called[start:]
            if title in self._by_name and means(called, title):
                return self._nearest(self._by_name[title], folder)
        titles = [title for title in self._by_last_part.get(called, ()) if means(called, title)]
        return self._nearest(self._by_name[titles[0]], folder) if len(set(titles)) == 1 else None

    def _nearest(self, found: Sequence[int], folder: str) -> int | None:
        """The one that shares most of the folders with who calls it."""
        here = tuple(folder.split("/")) if folder else ()
        shares = sorted(((_common(self._folders[document], here), document) for document in set(found)), reverse=True)
        is_alone = len(shares) == 1 or shares[0][0] > shares[1][0]
        return shares[0][1] if is_alone else None

    def _find_path(self, called: str) -> int | None:
        place = called.strip("/").casefold()
        if found := self._by_place.get(place):
            return found[0]
        steps = tuple(place.split("/"))
        best: dict[int, int] = {}
        for other, document in self._by_last_step.get(steps[-1], ()):
            common = _common(steps[::-1], other[::-1])
            # One step alone is a coincidence, unless it is all that there is.
            if common >= 2 or (common == min(len(steps), len(other)) and steps[-1] not in _INDEXES):
                best[document] = max(common, best.get(document, 0))
        ranked = sorted(((common, document) for document, common in best.items()), reverse=True)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return ranked[0][1]


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many steps two ways share at their beginning."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count
