"""Which document of a manual is meant by what others call it: a name, or a path. Pure.

A name is a title, a file's name, a chapter; a path is exact, or leads to a folder's index, or is that of a web
site whose end is the document's. Site generators leave out the numbers that put files in order: /guide/setup is
01-guide/02-setup.md. What fits several documents equally well means none; of those in one folder, 就業規則 is rather
the one of that name than 株式会社甲 就業規則 or 短時間社員 就業規則.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from os.path import commonprefix
from typing import Any, NamedTuple

from .chapters import page_above
from .law_names import means

_INDEXES = ("index", "readme", "_index")
_JOINTS = ("及び", "並びに")
# What Docusaurus, Nuxt and others take for a step's place in the order: 01-setup, 2. setup; not 2024-01, 1.2.
_ORDER = re.compile(r"(?<![^/])[0-9]+[ \t]*[-_.]+[ \t]*(?=[^\W\d_])")

_Place = tuple[tuple[str, ...], int]
"""Steps, and the id of the document that they lead to."""


class NamedDocument(NamedTuple):
    """A document with its path from the manual's root (NFC) and what it is called, normalised."""

    id: int
    path: str
    names: tuple[str, ...]


class NamedDocuments:
    """The documents of one manual, to be asked for. Which came first, or came again, makes no difference.

    All lists are sorted: of places that begin alike, those that have most in common with a given one stand beside it.
    """

    def __init__(self, documents: Iterable[NamedDocument]) -> None:
        self._documents: dict[int, NamedDocument] = {}
        self._by_name: dict[str, list[_Place]] = {}
        self._by_short_name: dict[str, list[_Place]] = {}
        self._by_spelling: dict[str, list[str]] = {}
        self._by_last_part: dict[str, list[str]] = {}
        self._by_place: dict[str, list[int]] = {}
        self._by_unnumbered: dict[str, list[int]] = {}
        self._by_last_step: dict[str, list[_Place]] = {}
        for document in documents:
            self.put(document)

    def put(self, document: NamedDocument) -> None:
        """Add a document, or put it in the place of what it was."""
        self.remove(document.id)
        self._documents[document.id] = document
        for index, key, value in self._entries(document):
            insort(index.setdefault(key, []), value)

    def remove(self, document_id: int) -> None:
        """Forget a document; nothing happens if it is not there."""
        document = self._documents.pop(document_id, None)
        for index, key, value in self._entries(document) if document else ():
            del index[key][bisect_left(index[key], value)]
            if not index[key]:
                del index[key]

    def find(self, called: str, folder: str) -> int | None:
        """The id of the document that a document in `folder` calls so; `None` if it is none, or not one alone."""
        return self._find_path(called) if called.startswith("/") else self._find_name(called, folder)

    def _entries(self, document: NamedDocument) -> Iterator[tuple[dict[str, list[Any]], str, Any]]:
        """What is noted of a document: where, by what, and what."""
        folders = tuple(document.path.split("/")[:-1])
        for name in document.names:
            is_short = any(longer.endswith(f" {name}") for longer in document.names)
            yield self._by_short_name if is_short else self._by_name, name, (folders, document.id)
            yield self._by_spelling, in_one_spelling(name), name
            for joint in _JOINTS:
                if joint in name:
                    yield self._by_last_part, name.rpartition(joint)[2], name
        folder, _, file_name = document.path.casefold().rpartition("/")
        stem, _, suffix = file_name.rpartition(".")
        place = document.path.casefold().removesuffix(f".{suffix}")
        places = [place, f"{place}.json"] if document.path.endswith(".json") else [place]
        if stem in _INDEXES:
            places.append(folder)
        for key in places:
            yield self._by_place, key, document.id
            yield self._end(key, document.id)
            if (unnumbered := _ORDER.sub("", key)) != key:
                yield self._by_unnumbered, unnumbered, document.id
                yield self._end(unnumbered, document.id)

    def _end(self, place: str, document_id: int) -> tuple[dict[str, list[_Place]], str, _Place]:
        """The entry by which a place is found from its end."""
        steps = _backwards(place)
        return self._by_last_step, steps[0], (steps, document_id)

    def _find_name(self, called: str, folder: str) -> int | None:
        if self._is_name(called):
            return self._nearest(called, folder)
        # The first section of a chapter may stand on the page of that.
        if above := page_above(called):
            return self._find_name(above, folder)
        for start in range(1, len(called) - 1):
            title = called[start:]
            if self._is_name(title) and means(called, title):
                return self._nearest(title, folder)
        titles = [title for title in self._by_last_part.get(called, ()) if means(called, title)]
        titles = titles or self._by_spelling.get(in_one_spelling(called), [])
        return self._nearest(titles[0], folder) if len(set(titles)) == 1 else None

    def _is_name(self, called: str) -> bool:
        return called in self._by_name or called in self._by_short_name

    def _nearest(self, name: str, folder: str) -> int | None:
        """The one of this name that shares most of the folders with who calls it; of those that share as many, the one
        of which the name is not merely the end.
        """
        here = tuple(folder.split("/")) if folder else ()
        ways = (_nearest_of(index.get(name, []), here) for index in (self._by_name, self._by_short_name))
        return max(ways, key=lambda way: way[0])[1]

    def _order(self, document_id: int) -> tuple[bool, str, int]:
        """Markdown before JSON of the same name."""
        path = self._documents[document_id].path
        return path.endswith(".json"), path, document_id

    def _find_path(self, called: str) -> int | None:
        place = called.strip("/").casefold()
        if place in self._by_place:
            return min(self._by_place[place], key=self._order)
        best: dict[int, int] = {}
        for end in {place, _without_order(place)}:
            for document, common in self._sharing_end(_backwards(end)):
                best[document] = max(common, best.get(document, 0))
        if not best:
            return None
        most = max(best.values())
        fit = [document for document, common in best.items() if common == most]
        return fit[0] if len(fit) == 1 else self._find_whole("/".join(place.split("/")[-most:]))

    def _sharing_end(self, steps: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Documents whose path ends as these steps, which go backwards, and how many they share."""
        found = self._by_last_step.get(steps[0], [])
        # The first are those of one step.
        for other, document in [*found[:2], *_beside(found, steps)]:
            common = _common(steps, other)
            # One step alone is a coincidence, unless it is all that there is.
            if common >= 2 or (common == min(len(steps), len(other)) and steps[0] not in _INDEXES):
                yield document, common

    def _find_whole(self, end: str) -> int | None:
        """The document whose path is this and no more, at least without the numbers of the order."""
        if whole := self._by_place.get(end):
            return min(whole, key=self._order)
        whole = self._by_unnumbered.get(_without_order(end), [])
        return whole[0] if len(whole) == 1 else None


def in_one_spelling(name: str) -> str:
    """A normalised name as what is spelt otherwise shares it: 育児・介護休業規程 and 育児介護休業規定 are one."""
    return name.replace("・", "").replace("規定", "規程")


def _without_order(place: str) -> str:
    """A path without the numbers of the order in its folders. Its last step, which somebody wrote, is what it is."""
    folder, slash, last = place.rpartition("/")
    return _ORDER.sub("", folder) + slash + last


def _backwards(place: str) -> tuple[str, ...]:
    return tuple(place.split("/")[::-1])


def _beside(found: list[_Place], steps: tuple[str, ...]) -> list[_Place]:
    """Of sorted places those that share most steps with these: three if so many do, so of two documents at least."""
    at = bisect_left(found, (steps, 0))
    return found[max(at - 3, 0) : at + 3]


def _nearest_of(found: list[_Place], here: tuple[str, ...]) -> tuple[int, int | None]:
    """How many folders the nearest of these places shares with this one, -1 if there are none, and its document if it
    is nearer than all others.
    """
    shares = sorted(((_common(there, here), document) for there, document in _beside(found, here)), reverse=True)
    if not shares:
        return -1, None
    is_alone = len(shares) == 1 or shares[0][0] > shares[1][0]
    return shares[0][0], shares[0][1] if is_alone else None


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """How many steps two ways share at their beginning."""
    return len(commonprefix((first, second)))  # noqa: RUF071 - steps are what is compared
