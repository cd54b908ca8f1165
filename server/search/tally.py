"""What the searches of a chain have found together, as far as it says whether to go on to other manuals. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .ranking.candidates import Candidate

_FILES_KEPT = 20
"""Beyond so many, none of the others can become the one that most candidates are of, but by a hair."""


class Tally(NamedTuple):
    """Candidates, those of them with the signal of exceptions, and how many each of the files with most of them has.

    A section that two searches of a chain reach, as a limit parted it, counts twice. One that only holds for what was
    found beside it does not count: it says nothing of how much there is, or where.
    """

    candidates: int = 0
    exceptions: int = 0
    files: tuple[tuple[str, int], ...] = ()

    @classmethod
    def restore(cls, kept: Mapping[str, Any] | None) -> "Tally":
        """From what `kept` says; nothing found if there is none."""
        if kept is None:
            return cls()
        return cls(kept["candidates"], kept["exceptions"], tuple((path, count) for path, count in kept["files"]))

    @property
    def kept(self) -> dict[str, Any]:
        """In plain JSON values, as a trace keeps it."""
        return {**self._asdict(), "files": [list(file) for file in self.files]}

    def with_more(self, candidates: Iterable[Candidate]) -> "Tally":
        """The same with what one more search has found."""
        found = [candidate for candidate in candidates if not candidate.is_general]
        files = Counter(dict(self.files))
        files.update(f"{candidate.manual_id}/{candidate.path}" for candidate in found)
        return Tally(
            self.candidates + len(found),
            self.exceptions + sum("exceptions" in candidate.signals for candidate in found),
            tuple(files.most_common(_FILES_KEPT)),
        )

    @property
    def file_bias(self) -> float:
        """The share (0..1) of the candidates in the file that has most of them; 0 without candidates."""
        return round(self.files[0][1] / self.candidates, 3) if self.candidates else 0.0
