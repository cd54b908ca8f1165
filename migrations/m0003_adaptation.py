"""What is read after a search, and how the thresholds moved."""

from sqlite_utils import Database

from .scripts import split_statements

_STATEMENTS = """
CREATE INDEX adaptive_statistics_by_trace ON adaptive_statistics (trace_id);

-- Which sections were read after a search, in the same session and before its next search. A section counts once.
CREATE TABLE adaptive_reads (
  statistics_id INTEGER NOT NULL REFERENCES adaptive_statistics (id) ON DELETE CASCADE,
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  section_line INTEGER NOT NULL,
  is_candidate INTEGER NOT NULL,  -- whether the search had offered it
  is_widened INTEGER,             -- whether only widening could offer it; null if that cannot be told
  PRIMARY KEY (statistics_id, manual_id, path, section_line)
) WITHOUT ROWID;

-- Every change of a threshold. The newest one of a threshold says what is in force, unless its base is another.
CREATE TABLE adaptive_changes (
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL,               -- UTC, ISO 8601
  threshold TEXT NOT NULL,        -- candidate_low_threshold or file_bias_threshold
  base REAL NOT NULL,             -- the initial value, as configured then
  old_value REAL NOT NULL,
  new_value REAL NOT NULL,
  reason TEXT NOT NULL,
  recall REAL,                    -- the recall proxy at that moment, 0 to 1; null before anything was read
  cutoff_share REAL NOT NULL,     -- the share of searches with a cutoff_reason at that moment, 0 to 1
  statistics_id INTEGER NOT NULL  -- the newest search at that moment
);
CREATE INDEX adaptive_changes_by_threshold ON adaptive_changes (threshold, id);
"""


def apply(db: Database) -> None:
    for statement in split_statements(_STATEMENTS):
        db.execute(statement)
