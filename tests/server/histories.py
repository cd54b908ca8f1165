"""Searches and reads as the server's writer records them, at moments that the test chooses."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from morenashi.indexer.database import open_writer, transaction
from morenashi.server.search.adaptation.adaptive import adapt, read_thresholds, tuning_of
from morenashi.server.search.adaptation.reads import Read, store_read
from morenashi.server.search.adaptation.statistics import Usage, describe_search, store_statistics
from morenashi.server.search.adaptation.tuning import Tuning
from morenashi.server.search.ranking.candidates import Candidate
from morenashi.server.search.traces import Trace, new_trace_id, store_trace
from morenashi.server.search.widening import Thresholds

from ..workspaces import WorkspaceFolder

START = datetime(2026, 4, 1, tzinfo=UTC)
OFFERED, ELSEWHERE, OTHER_MANUAL = Read("m", "a.md", 10), Read("m", "a.md", 99), Read("n", "b.md", 10)


@dataclass
class History:
    """A database whose clock is the test's. Every search offers `OFFERED` and, when widened, `OTHER_MANUAL`."""

    connection: sqlite3.Connection
    tuning: Tuning
    now: datetime = field(default=START)

    def search(self, *reads: Read, widened: bool = False, cut: bool = False, manual_id: str | None = "m") -> str:
        """A search, and what is read after it. Returns the trace's id."""
        trace = _trace(self.now.isoformat(), widened=widened, cut=cut, manual_id=manual_id)
        with transaction(self.connection):
            store_trace(self.connection, trace)
            store_statistics(self.connection, describe_search(trace, Usage(8, 400)))
            adapt(self.connection, self.tuning, trace.created_at)
        for read in reads:
            store_read(self.connection, trace.id, read)
        return trace.id

    def day(self, *reads: Read, searches: int = 100, cut: int = 0, hours: int = 24, **how: Any) -> None:
        """A day, or part of it, with so many searches, the same after each; `cut` of them are cut."""
        for number in range(searches):
            self.search(*reads, cut=number < cut, **how)
            self.now += timedelta(hours=hours) / searches

    @property
    def thresholds(self) -> tuple[int, float]:
        found: Thresholds = read_thresholds(self.connection, self.tuning)
        return found.candidate_low, found.file_bias

    def changes(self) -> list[tuple[str, str, float, float, str]]:
        """(time, threshold, old value, new value, reason), the oldest first."""
        query = "SELECT ts, threshold, old_value, new_value, reason FROM adaptive_changes_overview"
        return self.connection.execute(query).fetchall()[::-1]

    def reasons(self) -> list[str]:
        """Why `candidate_low_threshold` changed, the oldest first."""
        return [reason for _, threshold, _, _, reason in self.changes() if threshold == "candidate_low_threshold"]


@contextlib.contextmanager
def history(folder: WorkspaceFolder, **settings: str) -> Iterator[History]:
    """An empty database, or the one that is there, with the settings of a workspace."""
    folder.database.parent.mkdir(exist_ok=True)
    connection, _ = open_writer(folder.database)
    with contextlib.closing(connection):
        yield History(connection, tuning_of(folder.config(**settings)))


def _trace(created_at: str, *, widened: bool, cut: bool, manual_id: str | None) -> Trace:
    summary: dict[str, Any] = {
        "scanned_files": 2,
        "candidates": 2,
        "warnings": 0,
        "max_stage_applied": 4 if widened else 3,
        "scope_expanded": widened,
        "unscanned_sections_count": int(cut),
        "completeness": {"lines": {"matched": 5}},
    }
    if cut:
        summary["cutoff_reason"] = "candidate_cap"
    places = [OFFERED, OTHER_MANUAL] if widened else [OFFERED]
    candidates = [Candidate(p.manual_id, p.path, "md", p.line, p.line, 0, ("normalized",), 1.0, {}) for p in places]
    return Trace(
        id=new_trace_id(),
        created_at=created_at,
        question="旅費",
        manual_id=manual_id,
        intent="unknown",
        intent_source="inferred",
        parameters={},
        index_generation=1,
        elapsed_ms=1.0,
        summary=summary,
        next_actions=[],
        escalation_reasons=(),
        candidates=tuple(candidates),
        unscanned=(),
        leads=(),
        gaps=(),
        conflicts=(),
    )
