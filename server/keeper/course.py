"""How a keeper fares: what it says of that in the log, what lasts only once, and when it tries again after a fault."""

from morenashi.indexer.collections import Collection
from morenashi.indexer.config import WatchMode
from morenashi.indexer.database import UnsupportedSqliteError
from morenashi.indexer.schema import OtherVersionError
from morenashi.indexer.sync import Summary
from morenashi.server.log import log_event

FINAL = (OtherVersionError, UnsupportedSqliteError)
"""What another attempt would end with, too."""
_LONGEST_PAUSE_SECONDS = 60.0


class Course:
    """Of one collection, which was asked to be watched in the mode `asked`."""

    def __init__(self, collection: Collection, asked: WatchMode) -> None:
        self._collection = collection
        self._asked: WatchMode = asked
        self._obstacle: str | None = None
        self._mode: WatchMode | None = None
        self._faults = 0

    def tell_of_killed(self, process: int | None) -> None:
        """The writer before this one, if it was killed."""
        if process is not None:
            name = self._collection.database.name
            notice = f"process {process}, which kept {name}, was killed; what it had not indexed is found by comparing"
            log_event("warn", "keeper", ok=True, notice=notice)

    def tell_of_obstacle(self, obstacle: str) -> None:
        """The index cannot be written, or used."""
        if obstacle != self._obstacle:
            log_event("error", "keeper", ok=False, error=obstacle)
        self._obstacle = obstacle

    def tell_of_recovery(self) -> None:
        """The index is written; again, if it could not be."""
        if self._obstacle is not None:
            log_event("info", "keeper", ok=True, notice="the index is written again")
        self._obstacle = None
        self._faults = 0

    def pause_after_fault(self) -> float:
        """Seconds until the next attempt after one that a fault of the program's own has ended: 2, 4, 8 … 60."""
        self._faults += 1
        return min(2.0**self._faults, _LONGEST_PAUSE_SECONDS)

    def tell_of_watching(self, mode: WatchMode) -> None:
        """How changes are heard of, if that is not how it was asked."""
        if mode == "polling" != self._asked and mode != self._mode:
            why = "no folder there, no inotify watches left, or a file system that sends none"
            notice = f"no events of changes: {why}; polling instead"
            log_event("warn", "watcher", ok=True, collection=self._collection.kind, notice=notice)
        self._mode = mode

    def tell_of_comparison(self, summary: Summary) -> None:
        """What was found to differ from the disk, and indexed."""
        counts = {"added": summary.added, "changed": summary.changed, "removed": summary.removed}
        if any(counts.values()):
            elapsed_ms = round(summary.elapsed_seconds * 1000, 1)
            log_event("info", "index", ok=True, elapsed_ms=elapsed_ms, warnings=len(summary.warnings), **counts)

    def tell_of_end(self, error: Exception) -> str:
        """What ends the keeper for good, in our own words; of other errors the kind, as they may quote a document."""
        reason = str(error) if isinstance(error, FINAL) else type(error).__name__
        log_event("error", "keeper", ok=False, error=reason)
        return reason

    def tell_of_lost(self, records: int) -> None:
        """The end came before these could be written."""
        if records:
            log_event("error", "keeper", ok=False, notice=f"{records} records could not be written")
