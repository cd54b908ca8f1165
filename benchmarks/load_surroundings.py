"""What goes on around the load: files that change, and a look at the server every second."""

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import psutil

from .one_server import OneServer

_CHANGES_A_SECOND = 50
_LARGEST_CHANGED = 40_000
_SAMPLE_SECONDS = 1.0
_SEED = 1
_MB = 1e6


class Client(Protocol):
    """Whoever calls."""

    times: list[tuple[str, float]]


class _Background(ABC):
    """Does something again and again while a `with` block runs."""

    def __init__(self, pause_seconds: float) -> None:
        self._pause_seconds = pause_seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stop.wait(max(due - time.monotonic(), 0)):
            self.step()
            due += self._pause_seconds

    @abstractmethod
    def step(self) -> None:
        """Do it once."""


class Changer(_Background):
    """Changes fifty files a second: two in three among the manuals, the others notes."""

    def __init__(self, root: Path) -> None:
        super().__init__(1 / _CHANGES_A_SECOND)
        manuals = [path for path in root.glob("manuals/**/*.md") if path.stat().st_size < _LARGEST_CHANGED]
        self._folders = [sorted(manuals), sorted((root / "vault").glob("[0-9]*.md"))]
        self._originals = {path: path.read_bytes() for files in self._folders for path in files}
        self._chance = random.Random(_SEED)
        self.changes = 0

    def step(self) -> None:
        files = self._folders[self.changes % 3 == 0]
        path = self._chance.choice(files)
        # The same size, give or take a line, however often it is changed.
        path.write_bytes(self._originals[path] + f"\n変更{self.changes}\n".encode())
        self.changes += 1


@dataclass(frozen=True, slots=True)
class Sample:
    """The server at a moment: seconds since the start, MB, calls answered since the sample before."""

    seconds: float
    rss_mb: float
    wal_mb: float
    database_mb: float
    calls: int


class Sampler(_Background):
    """Looks at the server every second."""

    def __init__(self, server: OneServer, root: Path, clients: Sequence[Client]) -> None:
        super().__init__(_SAMPLE_SECONDS)
        self._process = psutil.Process(server.pid)
        self._data = root / "data"
        self._clients = clients
        self._started = time.monotonic()
        self._answered = 0
        self.samples: list[Sample] = []

    def step(self) -> None:
        answered = sum(len(client.times) for client in self._clients)
        self.samples.append(
            Sample(
                time.monotonic() - self._started,
                self._process.memory_info().rss / _MB,
                self._size("*.db-wal"),
                self._size("*.db"),
                answered - self._answered,
            )
        )
        self._answered = answered

    def _size(self, pattern: str) -> float:
        return sum(path.stat().st_size for path in self._data.glob(pattern)) / _MB
