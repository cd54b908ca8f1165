"""Who calls: known to whatever runs for a call, in its thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Client:
    """A connection. Searches, what is read after them and what was delivered belong together by `session_id`.

    `name` is what rate limits and the audit log know it by; `memory_tags` are the uses of memory that it is granted,
    `None` those of the configuration.
    """

    session_id: str
    name: str = "local"
    memory_tags: frozenset[str] | None = None


LOCAL = Client("local")
"""The one client of a server on stdio: as long as its process."""

_CURRENT: ContextVar[Client] = ContextVar("client", default=LOCAL)


def current_client() -> Client:
    """The client whose call is being answered."""
    return _CURRENT.get()


@contextmanager
def acting_for(client: Client) -> Iterator[None]:
    """Answer calls of this client, also in threads that are started from here with a copy of the context."""
    token = _CURRENT.set(client)
    try:
        yield
    finally:
        _CURRENT.reset(token)
