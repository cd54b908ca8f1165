"""Which lines were delivered, and digests of those that were cited."""

from sqlite_utils import Database

from .scripts import split_statements

_STATEMENTS = """
-- What the server has delivered, an answer a row: places, no text. Lines are 1-based, columns 0-based.
CREATE TABLE delivered_lines (
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL,               -- UTC, ISO 8601
  session_id TEXT NOT NULL,
  root TEXT NOT NULL CHECK (root IN ('manual', 'vault')),
  path TEXT NOT NULL,             -- with the manual's id first, for manuals
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  first_column INTEGER NOT NULL,  -- where the text begins in its first line
  end_column INTEGER,             -- where it ends in its last line; null: with the line
  characters INTEGER NOT NULL
);
CREATE INDEX delivered_lines_by_session ON delivered_lines (session_id, root, path);

-- Cited lines as they were when they were first cited, as digests (server/delivery/citations.py).
CREATE TABLE citations (
  citer TEXT NOT NULL,            -- the artifact that cites, as a path in the vault; empty: a caller
  root TEXT NOT NULL CHECK (root IN ('manual', 'vault')),
  path TEXT NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  ts TEXT NOT NULL,               -- UTC, ISO 8601
  lead INTEGER NOT NULL,          -- how many blank lines before the first that is not
  sha256 BLOB NOT NULL,           -- of the lines without blank edges, joined by line feeds
  line_digests BLOB NOT NULL,     -- of each of them, 8 bytes
  alone BLOB NOT NULL,            -- a byte a line: 1 if it stood nowhere else in the file
  before_digests BLOB NOT NULL,   -- of the nearest lines that are not blank, nearest first
  behind_digests BLOB NOT NULL,
  copies INTEGER NOT NULL,        -- how many other places had the same lines
  PRIMARY KEY (citer, root, path, first_line, last_line)
) WITHOUT ROWID;
CREATE INDEX citations_by_age ON citations (ts);
"""


def apply(db: Database) -> None:
    for statement in split_statements(_STATEMENTS):
        db.execute(statement)
