"""Log lines: JSON on stderr, one object a line, never the text of a document (seed 001 §8)."""

import json
import logging
import threading
from datetime import UTC, datetime
from typing import Any

from morenashi.indexer.config import LogLevel

from .standard_error import write_line

_RANK: dict[LogLevel, int] = {"error": 0, "warn": 1, "info": 2}
_lock = threading.Lock()
_least_rank = _RANK["info"]


def set_log_level(level: LogLevel) -> None:
    """Leave out lines of lesser weight than `level`."""
    global _least_rank
    _least_rank = _RANK[level]


def capture_library_logs() -> None:
    """Turn what libraries log, and what ends a thread, into our lines: where it is from, not what it says."""
    threading.excepthook = _log_end_of_thread
    logging.captureWarnings(True)
    logging.basicConfig(handlers=[_LibraryLog()], level=logging.WARNING, force=True)


def _log_end_of_thread(ended: threading.ExceptHookArgs) -> None:
    log_event("error", "thread", ok=False, name=ended.thread and ended.thread.name, error=ended.exc_type.__name__)


class _LibraryLog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        level: LogLevel = "error" if record.levelno >= logging.ERROR else "warn"
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        log_event(level, record.name, ok=False, at=f"{record.module}:{record.lineno}", error=kind)


def log_event(level: LogLevel, tool: str, *, ok: bool, elapsed_ms: float | None = None, **fields: Any) -> None:
    """Write a line with the common fields `ts`, `level`, `tool`, `ok`, `elapsed_ms` and further ones.

    A line that nobody takes is lost; what it tells of goes on.
    """
    if _RANK[level] > _least_rank:
        return
    record = {
        "ts": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "level": level,
        "tool": tool,
        "ok": ok,
        "elapsed_ms": elapsed_ms,
        **fields,
    }
    with _lock:
        write_line(json.dumps(record, ensure_ascii=False))
