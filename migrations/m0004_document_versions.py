"""Which content each document had in which generation of the index."""

from sqlite_utils import Database

_TABLE = """
-- Which content a document has had in the index from a generation on. Null: it is gone. Empty: it could not be read.
CREATE TABLE document_versions (
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  first_generation INTEGER NOT NULL,
  sha256 BLOB,
  PRIMARY KEY (manual_id, path, first_generation)
) WITHOUT ROWID
"""


def apply(db: Database) -> None:
    db.execute(_TABLE)
