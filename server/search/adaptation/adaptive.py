"""Adaptation (seed 001 §8.2): how soon a search is widened follows from what is read afterwards.

Everything lies in tables: `adaptive_statistics` (one row a search), `adaptive_reads`, `adaptive_changes`;
the view `adaptive_changes_overview` says why. When a threshold moves is decided in `tuning.py`.
"""

import sqlite3
from typing import get_args

from morenashi.indexer.config import Config
from morenashi.server.search.widening import Thresholds

from .tuning import Observed, Threshold, ThresholdChange, Tuning, decide, value_in_force

_CHANGES_KEPT = 1_000
_WINDOW = 100


def tuning_of(config: Config) -> Tuning:
    """The settings of a workspace that belong to adaptation."""
    base: dict[Threshold, float] = {
        "candidate_low_threshold": config.adaptive_candidate_low_base,
        "file_bias_threshold": config.adaptive_file_bias_base,
    }
    return Tuning(config.adaptive_tuning, config.adaptive_min_recall, base)


def read_thresholds(connection: sqlite3.Connection, tuning: Tuning) -> Thresholds:
    """The thresholds in force: two rows by their index, or the base values."""
    last = _read_last_changes(connection) if tuning.is_on else []
    return Thresholds(
        candidate_low=int(value_in_force(tuning, "candidate_low_threshold", last)),
        file_bias=value_in_force(tuning, "file_bias_threshold", last),
    )


def adapt(connection: sqlite3.Connection, tuning: Tuning, now: str) -> None:
    """Move the thresholds if it is time to, inside the caller's transaction. `now` is UTC in ISO 8601."""
    if not tuning.is_on:
        return
    last = _read_last_changes(connection)
    newest_id = connection.execute("SELECT max(id) FROM adaptive_statistics").fetchone()[0]
    # A higher id is of statistics that were lost with a damaged database.
    since = max((change.statistics_id for change in last if change.statistics_id <= newest_id), default=0)
    observed = Observed(newest_id, *connection.execute(_OBSERVED, {"since": since, "window": _WINDOW}).fetchone())
    changes = decide(tuning, last, observed, now)
    connection.executemany(_INSERT_CHANGE, changes)
    if changes:
        connection.execute(_PRUNE_CHANGES, (_CHANGES_KEPT,))


def _read_last_changes(connection: sqlite3.Connection) -> list[ThresholdChange]:
    """The newest change of each threshold, newest first."""
    rows = [connection.execute(_LAST_CHANGE, (threshold,)).fetchone() for threshold in get_args(Threshold)]
    return [ThresholdChange(*row[1:]) for row in sorted(filter(None, rows), reverse=True)]


_LAST_CHANGE = """
SELECT id, ts, threshold, base, old_value, new_value, reason, recall, cutoff_share, statistics_id
FROM adaptive_changes
WHERE threshold = ?
ORDER BY id DESC
LIMIT 1
"""

# The searches that count for the recall proxy are the newest ones after which something was read,
# however many others lie in between. Their reads are grouped along the key, from its end.
_OBSERVED = """
WITH
  searches AS (
    SELECT id, scope_expanded, cutoff_reason
    FROM adaptive_statistics
    ORDER BY id DESC
    LIMIT :window
  ),
  judged AS (
    SELECT statistics_id, avg(is_candidate) AS recall, max(is_widened) AS is_useful
    FROM adaptive_reads
    GROUP BY statistics_id
    ORDER BY statistics_id DESC
    LIMIT :window
  )
SELECT
  (SELECT avg(recall) FROM judged),
  (SELECT count(*) FROM judged WHERE statistics_id > :since),
  (SELECT avg(cutoff_reason IS NOT NULL) FROM searches),
  (SELECT count(*) FROM searches WHERE id > :since),
  (SELECT count(*) FROM searches WHERE scope_expanded),
  (SELECT count(*) FROM searches WHERE scope_expanded AND cutoff_reason IS NOT NULL),
  (SELECT count(is_useful) FROM judged),
  (SELECT count(*) FROM judged WHERE is_useful)
"""

_INSERT_CHANGE = """
INSERT INTO adaptive_changes
  (ts, threshold, base, old_value, new_value, reason, recall, cutoff_share, statistics_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

# The newest change of a threshold says what is in force.
_PRUNE_CHANGES = """
DELETE FROM adaptive_changes
WHERE id <= (SELECT max(id) FROM adaptive_changes) - ?
  AND id NOT IN (SELECT max(id) FROM adaptive_changes GROUP BY threshold)
"""
