"""Candidates: sections that say something about the subject, as a search gives them. Pure."""

from collections import defaultdict
from typing import Any, Literal, NamedTuple, get_args

from morenashi.indexer.files import Key
from morenashi.server.search.evidence import SectionPlace

Signal = Literal["heading", "normalized", "loose", "exceptions", "reference"]
SIGNALS: tuple[Signal, ...] = get_args(Signal)


class Candidate(NamedTuple):
    """A section that says something about the subject. `line` is the line that matches.

    `why` may have `score` (its parts), `terms` (words of the query with their lines), `via` (references
    that led here) and `exceptions` (that stand here or bear on it), the last two as
    [manual_id, path, line, kind], five at most; `exceptions_total` is the number of their lines, if there are more.
    `is_general`: without a hit, it is here as it holds for what stands beside it.
    """

    manual_id: str
    path: str
    file_type: str
    section_line: int
    line: int
    column: int
    signals: tuple[Signal, ...]
    score: float
    why: dict[str, Any]
    is_general: bool = False

    @property
    def key(self) -> Key:
        """Its document."""
        return self.manual_id, self.path

    @property
    def section(self) -> SectionPlace:
        """Its section."""
        return self.manual_id, self.path, self.section_line

    @property
    def is_only_referred_to(self) -> bool:
        """Whether it is here because others refer to it, without a line that matches."""
        return "via" in self.why and "terms" not in self.why

    def terms_by_line(self) -> dict[int, list[str]]:
        """The words of the question that each line has."""
        held: defaultdict[int, list[str]] = defaultdict(list)
        for term, lines in self.why.get("terms", {}).items():
            for line in lines:
                held[line].append(term)
        return dict(held)

    def excepted_here(self) -> list[int]:
        """The lines of its own file that except something from what it says."""
        return [line for *key, line, _ in self.why.get("exceptions", ()) if tuple(key) == self.key]


class Ranked(NamedTuple):
    """A candidate with the id of its section in this state of the index, and the weighted parts of its score.

    `referred` is its share of the score of the best section that refers to it, 0 if none does. Its `why` is
    left to reasons.py: the answer does not need it.
    """

    section_id: int
    candidate: Candidate
    referred: float
    parts: dict[str, float]
