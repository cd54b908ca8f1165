"""How much a section is a definition of what is asked for. Pure.

A sentence that says what the thing is makes it one. One that speaks of a kind of the thing (a dirty arbiter is) is less
of one, and so is a title that has its name and nothing else: what stands below says what it is, in whatever words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from morenashi.indexer.tokens import latin_words, stem
from morenashi.server.search.findings import PassageHit
from morenashi.server.search.question.intent import defining_expression, names_kind, subject_of

from .titles import normal_title

_OF_KIND, _TITLED = 0.4, 0.3
_MARKS = " '\"*()"


class Definition(NamedTuple):
    """How much (0..1) a section defines what is asked for, and the passage that says so, on the line where it does."""

    weight: float
    stated: PassageHit | None


NO_DEFINITION = Definition(0.0, None)


@dataclass(frozen=True, slots=True)
class Defining:
    """What is to be defined, and what finds the sentences that do."""

    subject: str
    expression: re.Pattern[str]

    @classmethod
    def asked_in(cls, question: str) -> "Defining | None":
        """Of a normalised question for a definition; `None` if nothing is left that it could be for."""
        expression = defining_expression(question)
        return cls(subject_of(question), expression) if expression else None

    def look_for(self, title: str, hits: Sequence[PassageHit]) -> Definition:
        """What a section with this title, as written, and these hits says of it."""
        of_kind = None
        titled = _TITLED * _is_name(normal_title(title), self.subject)
        for hit, start in self._sentences(hits):
            if not names_kind(hit.passage.text, start):
                return Definition(1.0, _on_line_of(hit, start))
            of_kind = of_kind or _on_line_of(hit, start)
        return Definition(titled + _OF_KIND * (of_kind is not None), of_kind)

    def _sentences(self, hits: Sequence[PassageHit]) -> Iterator[tuple[PassageHit, int]]:
        for hit in sorted(hits, key=lambda hit: hit.passage.first_line):
            for found in self.expression.finditer(hit.passage.text):
                yield hit, found.start()


def _is_name(title: str, subject: str) -> bool:
    """Whether a normalised title is the name of the subject, be it in another number, and nothing else."""
    shown = title.strip(_MARKS)
    return shown == subject or (subject.isascii() and _stems(shown) == _stems(subject))


def _stems(text: str) -> list[str]:
    return list(map(stem, latin_words(text)))


def _on_line_of(hit: PassageHit, start: int) -> PassageHit:
    """The hit on the line of its text that has this character."""
    line = hit.passage.text.count("\n", 0, start)
    is_held = any(line == own for own, _ in hit.match.places)
    match = hit.match.on(line) if is_held else hit.match._replace(line=line, column=0)
    return hit._replace(match=match)
