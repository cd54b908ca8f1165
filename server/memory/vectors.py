"""Vectors of claims in the database: which are missing, and which visible ones are nearest.

All visible vectors are compared, so that nothing near is missed and nothing hidden takes a place: by sqlite-vec, which
reads them where they lie, or where it cannot be loaded by numpy, or by Python alone. They lie in an ordinary table, so
that any SQLite opens the file.
"""

import heapq
import json
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from operator import mul

from .claims import Claim
from .embedding import Vector
from .store import read_claims
from .vector_functions import has_vector_functions
from .visible import View, visible_numbers

_BATCH = 32
"""Claims that are embedded with one request."""

NEWEST = (1 << 63) - 1
"""Above the number of every claim."""

_LEAST_COSINE = 0.0


def nearest_claims(
    connection: sqlite3.Connection, view: View, model: str, question: Vector, count: int
) -> dict[int, float]:
    """The cosines of the nearest visible claims, at most `count`, by number. Those that point elsewhere are none."""
    condition, values = visible_numbers(view)
    values |= {"model": model, "bytes": 4 * len(question)}
    if has_vector_functions(connection):
        asked = {**values, "question": question.tobytes(), "least": _LEAST_COSINE, "count": count}
        return dict(connection.execute(_NEAREST.format(visible=condition), asked).fetchall())
    rows = connection.execute(_VECTORS.format(visible=condition), values).fetchall()
    cosines = measure(question, [stored for _, stored in rows])
    best = heapq.nlargest(count, zip(cosines, (number for number, _ in rows), strict=True))
    return {number: near for near, number in best if near > _LEAST_COSINE}


def measure(question: Vector, stored: Sequence[bytes]) -> list[float]:
    """The cosines of stored vectors with the question; all are of length 1 and of one width."""
    try:
        import numpy
    except ImportError:
        return [float(sum(map(mul, question, array("f", vector)))) for vector in stored]
    rows = numpy.frombuffer(b"".join(stored), dtype=numpy.float32).reshape(-1, len(question))
    cosines: list[float] = (rows @ numpy.asarray(question, dtype=numpy.float32)).tolist()
    return cosines


def claims_without_vector(
    connection: sqlite3.Connection, model: str, refused: Iterable[str], below: int = NEWEST
) -> list[Claim]:
    """The newest of the claims with numbers `below` one that this model has not seen, and has not `refused` (ids).

    Claims of the class `secret` are never shown to one.
    """
    values = {"model": model, "refused": json.dumps(list(refused)), "below": below, "count": _BATCH}
    numbers = [number for (number,) in connection.execute(_MISSING, values)]
    return list(read_claims(connection, numbers).values())


def store_vectors(connection: sqlite3.Connection, model: str, vectors: Iterable[tuple[Claim, Vector]]) -> None:
    """Store vectors of claims; one that was forgotten meanwhile stays forgotten."""
    for claim, vector in vectors:
        row = {"id": claim.id, "model": model, "vector": vector.tobytes()}
        connection.execute(_STORE, row)


def drop_vectors(connection: sqlite3.Connection) -> None:
    """Forget what models made of texts that were masked otherwise."""
    connection.execute("DELETE FROM claim_vectors")


# CROSS JOIN: SQLite goes through the claims first, so that only the vectors of visible ones are read, by their key.
_NEAREST = """
WITH compared AS MATERIALIZED (
  SELECT claim_vectors.claim_number AS number, 1 - vec_distance_cosine(claim_vectors.vector, :question) AS cosine
  FROM claims
  CROSS JOIN claim_vectors ON claim_vectors.claim_number = claims.number AND claim_vectors.model = :model
  WHERE length(claim_vectors.vector) = :bytes AND {visible}
)
SELECT number, cosine
FROM compared
WHERE cosine > :least
ORDER BY cosine DESC, number DESC
LIMIT :count
"""

_VECTORS = """
SELECT claim_vectors.claim_number, claim_vectors.vector
FROM claims
CROSS JOIN claim_vectors ON claim_vectors.claim_number = claims.number AND claim_vectors.model = :model
WHERE length(claim_vectors.vector) = :bytes AND {visible}
"""

_MISSING = """
SELECT number
FROM claims
WHERE number < :below
  AND boundary_class <> 'secret'
  AND id NOT IN (SELECT value FROM json_each(:refused))
  AND NOT EXISTS (
    SELECT 1
    FROM claim_vectors
    WHERE claim_vectors.claim_number = claims.number AND claim_vectors.model = :model
  )
ORDER BY number DESC
LIMIT :count
"""

_STORE = """
INSERT OR REPLACE INTO claim_vectors (claim_number, model, vector)
SELECT number, :model, :vector
FROM claims
WHERE id = :id
"""
