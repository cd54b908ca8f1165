"""A call of a memory tool: whose it is, what policy holds, where it reads and writes."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from morenashi.indexer.claim_index import SCOPES, ClaimScope
from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import Dictionaries
from morenashi.server.deadline import Deadline
from morenashi.server.errors import ToolError
from morenashi.server.rates import RateLimiter

from . import audit_log
from .boundary import narrow, visible_classes
from .claims import Provenance
from .embedding import Provider
from .judged import Judged
from .nearest import nearest_to
from .policies import AppliedPolicy, expect_in_force
from .policy import Policy
from .retrieve import NearestVectors
from .tags import Tags
from .visible import View, make_view
from .writer import MemoryWriter

if TYPE_CHECKING:
    from .embedder import Embedder

T = TypeVar("T")

NO_MODEL = "none"
"""Said where no embedding model is configured."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and which uses were granted to them in the server's configuration."""

    name: str
    granted: Tags


class AskedDatabase(Protocol):
    """The workspace's database for questions."""

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question, on a connection that only reads."""

    def wait_until_ready(self) -> None:
        """Wait for the database to be there."""


class Memory:
    """What the memory tools of one workspace share."""

    def __init__(
        self, config: Config, dictionaries: Dictionaries, index: AskedDatabase, provider: Provider | None
    ) -> None:
        self.config = config
        self.synonyms = dictionaries.recall
        self.rates = RateLimiter(config.memory_rate_limit)
        self.judged = Judged()
        self._index = index
        self._writer = MemoryWriter(config.database)
        self._provider = provider
        self._embedder = _start_embedder(self, provider) if provider else None

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question to the database."""
        return self._index.ask(question)

    def write(
        self, job: Callable[[sqlite3.Connection], T], *, durable: bool = True, deadline: Deadline | None = None
    ) -> T:
        """Run a job in a write transaction; its result once it is committed (`MemoryWriter.write`)."""
        self._index.wait_until_ready()
        if deadline is None:
            return self._writer.write(job, durable=durable)
        return self._writer.write(job, durable=durable, wait_ms=deadline.remaining_ms)

    def nearest(self, question: str, policy: Policy) -> NearestVectors | None:
        """What finds the claims nearest in meaning; `None` without a model, or if it cannot be reached just now."""
        return nearest_to(question, self._provider, policy) if self._provider else None

    @property
    def model(self) -> str:
        """The embedding model as answers name it."""
        return self._provider.model if self._provider else NO_MODEL

    def embed_soon(self) -> None:
        """Have what is new embedded in the background."""
        if self._embedder is not None:
            self._embedder.wake()

    def close(self) -> None:
        """Let go of the database."""
        if self._embedder is not None:
            self._embedder.stop()
        self._writer.close()


def _start_embedder(memory: Memory, provider: Provider) -> "Embedder":
    # With all that redacts; few have a model, and everyone would wait for the import.
    from .embedder import Embedder

    return Embedder(memory, provider)


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a tool answers (`data`), and what the audit log has of it. `notes` stand beside `data` in the answer.

    `policy_version` is one that the call has put in force; `code`, what the log has of an answer that denies.
    """

    data: dict[str, Any]
    claims: tuple[str, ...] = ()
    provenance: Provenance | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    policy_version: str | None = None
    code: str | None = None


@dataclass(slots=True)
class Call:
    """A call under way. Once it has committed, it stands in the audit log."""

    memory: Memory
    caller: Caller
    tool: str
    now: datetime
    deadline: Deadline
    request_id: str
    trace_id: str
    policy_version: str
    policy_revision: int | None = None
    is_logged: bool = False

    def judge_by(self, applied: AppliedPolicy) -> None:
        """From here on the call is one under this policy: what it commits is committed only while that is in force."""
        self.policy_version, self.policy_revision = applied.version, applied.revision

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question, for as long as the call has time."""

        def run(connection: sqlite3.Connection) -> T:
            with self.deadline.interrupting(connection):
                return question(connection)

        return self.memory.ask(run)

    def commit(self, job: Callable[[sqlite3.Connection], CallOutcome], *, durable: bool = True) -> CallOutcome:
        """Run a job and log the call, in one transaction. Raises `PolicyChangedError`, see `judge_by`."""

        def run(connection: sqlite3.Connection) -> CallOutcome:
            if self.policy_revision is not None:
                expect_in_force(connection, self.policy_revision)
            outcome = job(connection)
            audit_log.append(connection, self._entry(outcome))
            return outcome

        outcome = self.memory.write(run, durable=durable, deadline=self.deadline)
        self.is_logged = True
        self.policy_version = outcome.policy_version or self.policy_version
        return outcome

    def log(self, outcome: CallOutcome) -> None:
        """Log a call that has committed nothing."""
        entry = self._entry(outcome)
        self.memory.write(lambda connection: audit_log.append(connection, entry), durable=False, deadline=self.deadline)
        self.is_logged = True

    def tags(self, asked: Sequence[str] | None) -> Tags:
        """The tags that hold. Raises `BOUNDARY_DENIED` if nothing that was asked for is granted."""
        tags = narrow(self.caller.granted, asked)
        if asked and not tags:
            message = "allow: none of these uses is granted to this caller; leave it out for those that are"
            raise ToolError("BOUNDARY_DENIED", message, parameter="allow")
        return tags

    def view(self, applied: AppliedPolicy, scopes: Sequence[ClaimScope] | None, tags: Tags, *, with_past: bool) -> View:
        """What may be seen with these tags, in these scopes or all. Raises `BOUNDARY_DENIED` if that is nothing."""
        classes = visible_classes(applied.policy, tags)
        if not classes:
            raise ToolError("BOUNDARY_DENIED", "the policy shows no class of claims for these uses", parameter="allow")
        asked = SCOPES if scopes is None else tuple(dict.fromkeys(scopes))
        return make_view(applied.policy, asked, classes, self.now, with_past=with_past)

    def _entry(self, outcome: CallOutcome) -> audit_log.LogEntry:
        """The call as the audit log has it."""
        version = outcome.policy_version or self.policy_version
        names = (self.tool, self.caller.name, outcome.code, version, self.request_id, self.trace_id)
        return audit_log.LogEntry(self.now, *names, outcome.claims, outcome.provenance)
