"""Traces, their candidates and what they left unexamined, and the adaptive statistics."""

from sqlite_utils import Database

from .scripts import split_statements

_STATEMENTS = """
-- A manual_find call and its answer. Holds the query, no text of any document.
CREATE TABLE traces (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,       -- UTC, ISO 8601
  tool TEXT NOT NULL,
  query TEXT NOT NULL,
  manual_id TEXT,
  intent TEXT,
  index_generation INTEGER NOT NULL,
  elapsed_ms REAL NOT NULL,
  summary TEXT NOT NULL,          -- JSON, as answered
  next_actions TEXT NOT NULL      -- JSON, as answered
);
CREATE INDEX traces_by_age ON traces (created_at);

CREATE TABLE trace_candidates (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,      -- 0 is the best
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  file_type TEXT NOT NULL,
  section_line INTEGER NOT NULL,  -- where the section starts
  start_line INTEGER NOT NULL,    -- the line that matches
  column_number INTEGER NOT NULL, -- 0-based, in the normalised line
  signals TEXT NOT NULL,          -- JSON array
  score REAL NOT NULL,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID;

-- What a call did not examine, by reason. `documents` is a JSON array of [manual_id, path, [[first, last], ...]];
-- the view trace_unscanned_ranges takes it apart.
CREATE TABLE trace_unscanned (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  documents TEXT NOT NULL,
  places INTEGER NOT NULL,        -- how many line ranges
  lines INTEGER NOT NULL,         -- how many lines in them
  PRIMARY KEY (trace_id, reason)
);

-- An aspect of the query for which nothing was found. Repeats words of the query only.
CREATE TABLE trace_gaps (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  hint TEXT NOT NULL,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID;

CREATE TABLE adaptive_statistics (
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  query_hash TEXT NOT NULL,
  scanned_files INTEGER NOT NULL,
  candidates INTEGER NOT NULL,
  warnings INTEGER NOT NULL,
  max_stage_applied INTEGER NOT NULL,
  scope_expanded INTEGER NOT NULL,
  cutoff_reason TEXT,
  unscanned_sections_count INTEGER NOT NULL,
  est_tokens INTEGER NOT NULL,
  est_tokens_in INTEGER NOT NULL,
  est_tokens_out INTEGER NOT NULL,
  added_evidence_count INTEGER NOT NULL,
  added_est_tokens INTEGER NOT NULL,
  marginal_gain REAL              -- null if no tokens were added
);
"""


def apply(db: Database) -> None:
    for statement in split_statements(_STATEMENTS):
        db.execute(statement)
