"""Which full-text tables of an index are not to be relied on."""

from morenashi.server.log import log_event

from .inbox import Inbox
from .jobs import Rebuild


class Doubt:
    """Shared by the threads that find the tables wrong and the keeper's. They are made anew once at most."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self.build: str | None = None
        self.is_rebuilt = False

    def cast(self, build: str) -> None:
        """The tables of this build were found to be wrong. From now on searches scan, until a rebuild."""
        if build == self.build:
            return
        self.build = build
        log_event("warn", "index", ok=False, notice="the index is degraded: searches scan the texts; it is rebuilt")
        self.ask_for_rebuild()

    def ask_for_rebuild(self) -> None:
        """Have the tables in doubt made anew, if there are any."""
        if self.build is not None:
            self._inbox.put(Rebuild(self.build))
