"""Vectors of passages, for the extra that scores by meaning."""

from sqlite_utils import Database

_TABLE = """
-- The extra `vectors`: what a model makes of passages that searches returned, by a digest of the text.
CREATE TABLE passage_vectors (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector BLOB NOT NULL,           -- numbers of two bytes, the least significant first
  UNIQUE (model, digest)
)
"""


def apply(db: Database) -> None:
    db.execute(_TABLE)
