"""The first sections of a search, scored again by meaning. What is pure of it, and its table.

The first 50 sections that have a hit are ordered by their scores and by how near the parts of their best passage are to
the question (parts.py): 0.1 nearer weighs as much as 0.325 of what the best body has. Both are taken as they are:
stretched to 0..1 among the sections, a single one far off would change what the others are worth, and of two none could
pass the first. The sections share the scores that they had: no other section comes between by it.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from morenashi.server.search.evidence import Evidence

from .candidates import Ranked
from .rank import SUM_OF_WEIGHTS, with_part

_RESCORED = 50
_NEAR = 3.25
# Some 150 MB, four parts each: 384 numbers of two bytes a part.
_PASSAGES_KEPT = 50_000


class BestPassage(NamedTuple):
    """The passage that speaks for a section: the section's id, the text, and the digest that a vector is found by."""

    section_id: int
    digest: str
    text: str


def best_passages(ranked: Iterable[Ranked], evidence: Evidence) -> list[BestPassage]:
    """The best passages of the first sections with a hit, the best section first."""
    found = [section.section_id for section in ranked if section.section_id in evidence.hits][:_RESCORED]
    texts = [max(evidence.hits[section_id], key=lambda hit: hit.score).passage.text for section_id in found]
    return [BestPassage(section_id, _digest(text), text) for section_id, text in zip(found, texts, strict=True)]


def _digest(text: str) -> str:
    """What a text's vector is found by: the text may move, and the index be made anew."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def rescore(ranked: Sequence[Ranked], near: Mapping[int, float]) -> list[Ranked]:
    """All sections in their new order; `near` (-1..1) is how near those that were compared are, by their ids."""
    compared = [section for section in ranked if section.section_id in near]
    if not compared:
        return list(ranked)
    scores = [section.candidate.score for section in compared]
    lowest, highest = min(scores), max(scores)
    sums = [SUM_OF_WEIGHTS * section.candidate.score + _NEAR * near[section.section_id] for section in compared]
    new = {}
    for section, share in zip(compared, _stretch(sums), strict=True):
        new[section.section_id] = with_part(section, "vector", round(lowest + (highest - lowest) * share, 4))
    # Stable: what scores the same stays in its order.
    return sorted((new.get(section.section_id, section) for section in ranked), key=lambda s: -s.candidate.score)


def read_vectors(connection: sqlite3.Connection, model: str, digests: Iterable[str]) -> dict[str, bytes]:
    """What is stored of this model, by digest: the vectors of a passage's parts."""
    rows = connection.execute(_VECTORS, {"model": model, "digests": json.dumps(list(digests))})
    return dict(rows.fetchall())


def store_vectors(connection: sqlite3.Connection, model: str, text_digest: str, vectors: bytes) -> None:
    """Store those of one passage, inside the caller's transaction. The oldest make room."""
    connection.execute(_STORE, (model, text_digest, vectors))
    connection.execute(_PRUNE, (_PASSAGES_KEPT,))


def _stretch(numbers: Sequence[float]) -> list[float]:
    lowest, highest = min(numbers), max(numbers)
    return [(number - lowest) / ((highest - lowest) or 1.0) for number in numbers]


# Search: UNIQUE (model, digest) once for each digest of the JSON array.
_VECTORS = """
SELECT passage_vectors.digest, passage_vectors.vector
FROM json_each(:digests) AS asked
CROSS JOIN passage_vectors ON passage_vectors.model = :model AND passage_vectors.digest = asked.value
"""

_STORE = "INSERT OR IGNORE INTO passage_vectors (model, digest, vector) VALUES (?, ?, ?)"

_PRUNE = "DELETE FROM passage_vectors WHERE id <= (SELECT max(id) FROM passage_vectors) - ?"
