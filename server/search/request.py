"""What a search is asked for."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from morenashi import __version__
from morenashi.indexer.files import Key

from .evidence import SectionPlace
from .note_scope import EVERYTHING, NoteScope
from .question.intent import Intent
from .question.query import Query
from .ranking.words import Analyser
from .resuming import NOTHING_EARLIER, Earlier, Rest
from .traces import Tool
from .widening import BASE_THRESHOLDS, Thresholds

FURTHEST_STAGE = 4
"""That in which a search goes on to other manuals."""

_MOST_REFERRED = 1_000


@dataclass(frozen=True, slots=True)
class FindRequest:
    """A `manual_find` or `vault_find` call, parsed.

    `intent` is `None` if the caller gave none. `resumed` narrows the search to what an earlier one left over.
    `dictionaries` names those that the question was parsed with. `parameters` is what the call said, as a trace
    keeps it. `scope` says which notes a search in the vault is about, `chunk_lines` how much of one a scan that it
    proposes reads at once. `analyser` is that of the extra `ja`, if it is used. `home` is the manual that was asked for
    and comes first, if the search was widened to all.
    """

    query: Query
    question: str
    manual_id: str | None
    intent: Intent | None
    max_candidates: int
    max_stage: int = FURTHEST_STAGE
    thresholds: Thresholds = BASE_THRESHOLDS
    resumed: Rest | None = None
    dictionaries: str = ""
    parameters: dict[str, Any] | None = None
    tool: Tool = "manual_find"
    scope: NoteScope = EVERYTHING
    chunk_lines: int = 80
    analyser: Analyser | None = None
    home: str | None = None

    @property
    def is_of_a_part(self) -> bool:
        """Whether it examines what other questions left over, and not what was examined for them."""
        return self.resumed is not None and self.resumed.is_part_for(self.query)

    @property
    def earlier(self) -> Earlier:
        """What the searches of the same question had found whose rest it takes up."""
        return self.resumed.earlier if self.resumed and self.resumed.asked(self.query) else NOTHING_EARLIER

    def _referred_before(self) -> list[SectionPlace]:
        """What the searches whose rest it takes up gave for a reference alone, a thousand sections at most."""
        rest = self.resumed
        return sorted(rest.referred)[:_MOST_REFERRED] if rest and rest.asked(self.query) else []

    @property
    def only_manual(self) -> str | None:
        """The manual beside which no other is searched, whatever it holds; `None` if others may be."""
        return self.manual_id if self.max_stage < FURTHEST_STAGE else None

    def covers(self, key: Key) -> bool:
        """Whether a document lies in the scope that is asked for."""
        return self.manual_id in (None, key[0]) and self.scope.holds(key[1])

    def call(self) -> dict[str, Any]:
        """What to call with to ask the same again."""
        return {"query": self.question, **(self.parameters or {})}

    def in_force(self) -> dict[str, Any]:
        """What held beside what the call said, named as a trace keeps it, so that the search can be repeated."""
        notes = {"scope": asdict(self.scope)} if self.tool == "vault_find" else {}
        return {
            **notes,
            **({"morphology": self.analyser.name} if self.analyser else {}),
            **({"a_part_alone": True} if self.is_of_a_part else {}),
            **({"began_in": self.resumed.began_in} if self.resumed else {}),
            **({"found_before": before.kept} if (before := self.earlier.so_far).candidates else {}),
            **({"after_conflicts": True} if self.earlier.has_conflicts else {}),
            **({"referred_before": referred} if (referred := self._referred_before()) else {}),
            "thresholds": self.thresholds._asdict(),
            "max_candidates": self.max_candidates,
            "max_stage": self.max_stage,
            "dictionaries": self.dictionaries,
            "program": __version__,
        }

    def widened(self) -> "FindRequest":
        """The same over all manuals."""
        return replace(self, manual_id=None, home=self.manual_id)

    def taken_up(self) -> "FindRequest":
        """The same, read as the search that it takes up had read the question, and with its intent if none is given."""
        rest = self.resumed
        if rest is None or not rest.asked(self.query):
            return self
        query = self.query.taken_apart(rest.apart) if rest.apart else self.query
        return replace(self, query=query, intent=self.intent or rest.intent)
