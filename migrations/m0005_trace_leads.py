"""Which places a search left over are known by a reference."""

from sqlite_utils import Database

_TABLE = """
-- Which of the places not examined a reference leads to, and where it stands: a search that takes them up finds
-- the section again by these alone.
CREATE TABLE trace_leads (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  line INTEGER NOT NULL,
  source_manual_id TEXT NOT NULL,
  source_path TEXT NOT NULL,
  source_section_line INTEGER NOT NULL,
  source_line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  depth INTEGER NOT NULL,         -- 1: from a section that was found, 2: from one so reached
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID
"""


def apply(db: Database) -> None:
    db.execute(_TABLE)
