"""Embeds what is new, in a thread, so that no call waits for a model."""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from morenashi.server.log import log_event

from .claims import Claim
from .embedding import Provider, RefusedTextError, Vector
from .patterns import PatternTimeoutError
from .policies import AppliedPolicy, PolicyChangedError, expect_in_force, find_in_force
from .policy import Policy
from .redaction import redact
from .vectors import NEWEST, claims_without_vector, store_vectors

T = TypeVar("T")

_LOOK_SECONDS, _PAUSE_SECONDS = 60.0, 10.0
_UNREADABLE = "[unreadable]"


class Database(Protocol):
    """Where claims are read and vectors are written."""

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question."""

    def write(self, job: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T:
        """Run a job in a write transaction."""


class Embedder:
    """Starts at once. What it sends is redacted; without a policy it sends nothing."""

    def __init__(self, database: Database, provider: Provider) -> None:
        self._database = database
        self._provider = provider
        # Ids of claims that the model does not take: in front of others, they would keep these from it.
        self._refused: set[str] = set()
        self._news = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="embedder", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There may be something new."""
        self._news.set()

    def stop(self) -> None:
        """End, after the request that is under way."""
        self._stopping.set()
        self._news.set()
        self._thread.join()

    def _run(self) -> None:
        self._news.set()
        while not self._stopping.is_set():
            self._news.wait(_LOOK_SECONDS)
            self._news.clear()
            try:
                self._embed_missing()
            except Exception as error:  # noqa: BLE001 - a thread that ended would embed nothing any more
                log_event("warn", "embedder", ok=False, error=type(error).__name__)
                self._stopping.wait(_PAUSE_SECONDS)
                self._news.set()

    def _embed_missing(self) -> None:
        """Embed what has no vector, a batch after the other, the newest first: none is looked at twice. What comes
        meanwhile wakes this again.
        """
        below, model = NEWEST, self._provider.model
        while not self._stopping.is_set() and (applied := self._database.ask(find_in_force)) is not None:
            wanted = partial(claims_without_vector, model=model, refused=self._refused, below=below)
            claims = self._database.ask(wanted)
            if not claims:
                return
            try:
                self._embed(claims, applied)
            except PolicyChangedError:
                # It may mask otherwise: begin anew.
                self.wake()
                return
            below = min(claim.number for claim in claims)

    def _embed(self, claims: Sequence[Claim], applied: AppliedPolicy) -> None:
        """Embed these together; if one of them is refused, each by itself, without that one."""
        try:
            vectors = self._provider.embed([redacted(claim.text, applied.policy) for claim in claims])
        except RefusedTextError as error:
            if len(claims) == 1:
                self._refused.add(claims[0].id)
                log_event("warn", "embedder", ok=False, error=str(error), claim=claims[0].id)
                return
            for claim in claims:
                if not self._stopping.is_set():
                    self._embed([claim], applied)
        else:
            self._store(list(zip(claims, vectors, strict=True)), applied)

    def _store(self, vectors: list[tuple[Claim, Vector]], applied: AppliedPolicy) -> None:
        def store(connection: sqlite3.Connection) -> None:
            expect_in_force(connection, applied.revision)
            store_vectors(connection, self._provider.model, vectors)

        self._database.write(store, durable=False)


def redacted(text: str, policy: Policy) -> str:
    """A text as it may be sent to a model: masked, or nothing of it if that cannot be done in time."""
    try:
        return redact(text, policy).text
    except PatternTimeoutError:
        return _UNREADABLE
