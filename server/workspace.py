"""What the tools of one workspace share: settings, the indexes of manuals and vault, traces."""

import sqlite3
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.files import Key
from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.presence import is_folder

from .announcements import Announcements
from .deadline import Deadline
from .delivery.citation_store import CitationStore
from .delivery.delivered import Deliveries
from .keeper.disk import still_differing
from .kept_traces import KeptTraces
from .log import log_event
from .memory.calls import Memory
from .memory.providers import make_provider
from .search.adaptation.statistics import Usage
from .search.find import Search
from .search.outcome import Answer
from .search.request import FindRequest
from .search.traces import Trace
from .search.vault_find import VaultSearch
from .shelf import Shelf

T = TypeVar("T")


class Workspace:
    """Opens the workspace's indexes and keeps them true until `close`.

    That of the vault is opened with the manuals' where there is a vault, otherwise when it is first asked for.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.dictionaries = load_dictionaries(config.dictionaries)
        for remark in self.dictionaries.remarks:
            log_event("warn", "dictionaries", ok=False, notice=remark)
        # Before the keeper starts: what is configured wrongly ends it all here.
        provider = make_provider(config)
        self.announcements = Announcements()
        self.manuals = Shelf(config, self.dictionaries, "manuals", Search, self.announcements)
        self._keeper = self.manuals.keeper
        self.traces = KeptTraces(config, self.manuals)
        self.memory = Memory(config, self.dictionaries, self, provider)
        self.delivered = Deliveries(self._keeper.submit)
        self.citations = CitationStore(self._keeper.submit)
        self._vault: Shelf | None = None
        self._vault_lock = threading.Lock()
        if self.has_vault:
            self._open_vault()

    def close(self) -> None:
        """Commit what is waiting and let go of the indexes."""
        # The traces of both are committed to the manuals' database: it comes last.
        shelves = self.shelves[::-1]
        for shelf in shelves:
            shelf.finish_traces()
        self.memory.close()
        for shelf in shelves:
            shelf.close()

    @property
    def shelves(self) -> tuple[Shelf, ...]:
        """The indexes that are open: of the manuals, and of the vault."""
        return (self.manuals, self._vault) if self._vault else (self.manuals,)

    @property
    def has_vault(self) -> bool:
        """Whether there is a vault, or may be one, where that cannot be told: what opens it says why."""
        try:
            return is_folder(self.config.vault)
        except OSError:
            return True

    @property
    def vault(self) -> Shelf:
        """The index of the vault."""
        return self._vault or self._open_vault()

    def vault_written(self, path: str) -> None:
        """Wait until the vault's index knows a file as it is now. Call it before the answer to a write goes out.

        `path` is relative to the vault, with slashes. Waits five seconds at most: longer takes only an index that is
        just being built, and a search then lists the file as changed. `vault_search` reads it anyway.
        """
        self.vault.wait_until_known(path)

    def wait_until_ready(self) -> None:
        """Wait for the database to be readable, which it is before the first indexing has ended."""
        self.manuals.wait_until_ready()

    @property
    def pending(self) -> frozenset[Key]:
        """Documents, as (manual_id, path), that differ on disk from what the index says."""
        return self._keeper.pending

    def count_pending(self, manual_id: str | None = None) -> int:
        """How many files `list_pending` has."""
        return len(self.list_pending(manual_id))

    def list_pending(self, manual_id: str | None) -> frozenset[Key]:
        """The files, of one manual or of all, that the index does not hold as they are on disk: (manual_id, path).

        Ask before the index itself is asked: what is indexed in between is then counted and there, never missing.
        """
        pending = self.ask(lambda index: self._keeper.pending_before_search(index, manual_id))
        asked = frozenset(key for key in pending if manual_id in (None, key[0]))
        return still_differing(self.manuals.collection, asked)

    def will_index(self, manual_id: str) -> bool:
        """Whether a manual that the index has not, by exactly this name, has documents on disk.

        If nobody has told the writer of them, as with `WATCH=off`, it looks for them now.
        """
        try:
            is_there = bool(self.manuals.collection.list(manual_id).files)
        except RootMissingError:
            return False
        if is_there and not any(manual_id == pending for pending, _ in self.pending):
            self._keeper.look()
        return is_there

    @property
    def states(self) -> dict[str, dict[str, Any]]:
        """How the keepers of its collections are, for people."""
        return {shelf.collection.kind: shelf.keeper.state for shelf in self.shelves}

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Put a question to the index of the manuals, which has the traces too, on a connection of its own."""
        return self.manuals.ask(question)

    def search(
        self,
        request: FindRequest,
        deadline: Deadline,
        usage: Callable[[Answer], Usage],
    ) -> Answer:
        """Answer a search in the manuals; its trace is completed and committed afterwards."""
        return self._search(self.manuals, request, deadline, usage)

    def search_vault(self, request: FindRequest, deadline: Deadline) -> Answer:
        """The same in the vault. The thresholds that adapt are those of manuals: nothing is noted for them."""
        return self._search(self.vault, request, deadline, None)

    def _open_vault(self) -> Shelf:
        with self._vault_lock:
            if self._vault is None:
                self._vault = Shelf(self.config, self.dictionaries, "vault", VaultSearch, self.announcements)
            return self._vault

    def _search(
        self,
        shelf: Shelf,
        request: FindRequest,
        deadline: Deadline,
        usage: Callable[[Answer], Usage] | None,
    ) -> Answer:
        def keep(trace: Trace, answer: Answer) -> None:
            self.traces.keep(trace, usage(answer) if usage else None)

        answer, future = shelf.search(request, deadline, keep)
        self.traces.follow(answer.trace_id, future)
        return answer
