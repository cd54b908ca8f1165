"""What a trace says more: how it was asked, why each candidate is there, what contradicts, where a gap is.

SQLite cannot add a column that has to be given, so the tables are made anew and their rows carried over.
"""

from sqlite_utils import Database

_TABLES = {
    "traces": """
-- A manual_find call and its answer. Holds the query, no text of any document.
CREATE TABLE traces (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,       -- UTC, ISO 8601
  tool TEXT NOT NULL,
  query TEXT NOT NULL,
  manual_id TEXT,
  intent TEXT NOT NULL,
  intent_source TEXT NOT NULL,    -- 'given' by the caller or 'inferred' from the query
  parameters TEXT NOT NULL,       -- JSON: what else the call said, so that it can be repeated
  index_generation INTEGER NOT NULL,
  elapsed_ms REAL NOT NULL,
  summary TEXT NOT NULL,          -- JSON, as answered
  next_actions TEXT NOT NULL,     -- JSON, as answered
  escalation_reasons TEXT NOT NULL -- JSON array: why the search was widened, or would have been
)
""",
    "trace_candidates": """
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
  why TEXT NOT NULL,              -- JSON; the views trace_scores, trace_terms, trace_links take it apart
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID
""",
    "trace_gaps": """
-- An aspect of the query for which nothing was found. Repeats words of the query only; the place is of a
-- reference whose target is missing.
CREATE TABLE trace_gaps (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,             -- 'term', 'facet' or 'reference'
  hint TEXT NOT NULL,
  manual_id TEXT,
  path TEXT,
  start_line INTEGER,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID
""",
}

_CONFLICTS = """
-- Two places that say what cannot both hold.
CREATE TABLE trace_conflicts (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,             -- 'exclusion' or 'quantity'
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  other_manual_id TEXT NOT NULL,
  other_path TEXT NOT NULL,
  other_line INTEGER NOT NULL,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID
"""

# With what the new columns say of a trace that was kept before they were there. Dropping `traces` takes
# along all rows that refer to it, so trace_unscanned is carried over too. In the sqlite3 shell a trace can be deleted
# without what belongs to it: that is let go, as no row may refer to none.
_KEPT = {
    "traces": {"intent_source": "'given'", "parameters": "'{}'", "escalation_reasons": "'[]'"},
    "trace_candidates": {"why": "'{}'"},
    "trace_unscanned": {},
    "trace_gaps": {"kind": "'term'"},
}


def apply(db: Database) -> None:
    for table in _KEPT:
        belongs = "TRUE" if table == "traces" else "trace_id IN (SELECT id FROM traces)"
        db.execute(f"CREATE TEMP TABLE kept_{table} AS SELECT * FROM {table} WHERE {belongs}")  # noqa: S608 - names from above
    db.execute("DELETE FROM trace_unscanned")
    for table in reversed(_TABLES):
        db.execute(f"DROP TABLE {table}")
    for statement in _TABLES.values():
        db.execute(statement)
    db.execute("CREATE INDEX traces_by_age ON traces (created_at)")
    db.execute(_CONFLICTS)
    db.execute("UPDATE temp.kept_traces SET intent = 'unknown' WHERE intent IS NULL")
    for table, added in _KEPT.items():
        kept = [row[1] for row in db.execute(f"PRAGMA temp.table_info(kept_{table})")]
        into, values = ", ".join([*kept, *added]), ", ".join([*kept, *added.values()])
        db.execute(f"INSERT INTO {table} ({into}) SELECT {values} FROM temp.kept_{table}")  # noqa: S608
        db.execute(f"DROP TABLE temp.kept_{table}")
