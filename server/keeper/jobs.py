"""What a keeper is asked to do."""

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from morenashi.indexer.watch import Change


class Order(Enum):
    """What is asked without saying more."""

    COMPARE = auto()
    """Compare everything."""
    STOP = auto()
    """End, when all before it is done."""


Job = Callable[[sqlite3.Connection], None]
"""Writes something to side tables, inside a transaction of the keeper."""

Submission = tuple[Job, Callable[[], None]]
"""A job and what to call once it is committed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Changes that somebody waits for."""

    changes: frozenset[Change]
    done: threading.Event


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Rebuild the index, if it still is this build of it."""

    build: str


@dataclass(frozen=True, slots=True)
class Damage:
    """What a reader met in the database file with this inode number."""

    error: sqlite3.DatabaseError
    inode: int


Task = Order | frozenset[Change] | Wanted | Rebuild | Damage | Submission
"""All that may lie in a keeper's queue. Changes by themselves are those that its watcher has heard of."""
