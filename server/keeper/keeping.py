"""What a keeper has of one collection, whoever writes its index just now."""

import threading

from morenashi.indexer.collections import CollectionKind, collection_of
from morenashi.indexer.config import Config
from morenashi.server.announcements import Announcements

from .course import Course
from .doubt import Doubt
from .inbox import Inbox
from .kept_file import KeptFile
from .pending import Pending


class Keeping:
    """Shared by the keeper, its tenures, and the threads that ask.

    `ready` is set when the database can be read, and as much is known of the disk as a search needs, or when it is
    known that it cannot: `failure` says why. `stopping` is set when the keeper is to end.
    """

    def __init__(self, config: Config, announcements: Announcements, kind: CollectionKind) -> None:
        self.collection = collection_of(config, kind)
        self.watch = config.watch
        self.announcements = announcements
        self.course = Course(self.collection, config.watch)
        self.file = KeptFile(self.collection.database)
        self.inbox = Inbox()
        self.pending = Pending()
        self.doubt = Doubt(self.inbox)
        self.failure: str | None = None
        self.ready = threading.Event()
        self.stopping = threading.Event()

    def let_in(self, failure: str | None = None) -> None:
        """Searches need not wait any longer: they can read the database, or hear what stands in their way."""
        self.failure = failure
        self.ready.set()
