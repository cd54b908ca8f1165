"""The candidates of a trace become one row."""

from sqlite_utils import Database

_TABLE = """
-- The candidates of a trace, the best first: a JSON array of [manual_id, path, file_type, section_line, start_line,
-- column_number, signals, score, why]; the view trace_candidates takes it apart. One row, as a row a candidate was
-- measured to take ten times as long to write.
CREATE TABLE trace_candidate_lists (
  trace_id TEXT PRIMARY KEY REFERENCES traces (id) ON DELETE CASCADE,
  candidates TEXT NOT NULL
)
"""

# What somebody left of a trace that was deleted by hand, with the sqlite3 shell, belongs to none.
_FILL = """
INSERT INTO trace_candidate_lists (trace_id, candidates)
SELECT trace_id, json_group_array(json(candidate))
FROM (
  SELECT
    trace_id,
    json_array(manual_id, path, file_type, section_line, start_line, column_number, json(signals), score, json(why))
      AS candidate
  FROM trace_candidates
  WHERE trace_id IN (SELECT id FROM traces)
  ORDER BY trace_id, position
)
GROUP BY trace_id
"""


def apply(db: Database) -> None:
    db.execute(_TABLE)
    db.execute(_FILL)
    db.execute("DROP TABLE trace_candidates")
