"""Who calls, and with what they may: known to whatever runs for a call, in its thread. The standard library alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, get_args

Toolset = Literal["manual", "vault", "memory"]
ALL_TOOLSETS: frozenset[Toolset] = frozenset(get_args(Toolset))


class ToolsetError(ValueError):
    """What was given are no toolsets. The message says what was expected."""


@dataclass(frozen=True, slots=True)
class Client:
    """A connection. Searches, what is read after them and what was delivered belong together by `session_id`.

    `name` is what rate limits and the audit log know it by; `memory_tags` are the uses of memory that it is granted,
    of those of the configuration (`None`: all of these). Of the `toolsets` it has the tools, with `read_only` those
    that change nothing.
    """

    session_id: str
    name: str = "local"
    memory_tags: frozenset[str] | None = None
    toolsets: frozenset[Toolset] = ALL_TOOLSETS
    read_only: bool = False


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


def parse_toolsets(text: str | None) -> frozenset[Toolset]:
    """The toolsets that `manual,vault,memory` or a part of it names; of `None`, all. Raises `ToolsetError`."""
    if text is None:
        return ALL_TOOLSETS
    names = {name.strip() for name in text.split(",")}
    if unknown := sorted(names - ALL_TOOLSETS):
        expected = ", ".join(get_args(Toolset))
        raise ToolsetError(f"toolsets: expected one or more of {expected}, with commas between; got {unknown[0]!r}")
    return frozenset(toolset for toolset in ALL_TOOLSETS if toolset in names)
