"""Changed manuals and notes, announced to the clients that asked for it.

Since 2026-07-28 a client listens on a stream of its own (`subscriptions/listen`). Before, it subscribed to single
resources, and was told of a changed list unasked: here, once it has seen the list on the same connection.
"""

import asyncio
import contextlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import mcp.types as t
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
)
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from morenashi.indexer.files import Key, to_nfc
from morenashi.server.announcements import Announcements, Changes
from morenashi.server.clients import Client

from .document_uris import place_of
from .documents import is_listed_for, may_read

Context = ServerRequestContext[Any]
Asked = dict[str, Key]
"""URIs as a client wrote them, each with the document that it names: a path can be encoded in several ways, and a line
may stand behind it.
"""


class Subscriptions:
    """Those of one server, whose client may have several connections. It listens to the workspace as long as one of
    them does.
    """

    def __init__(self, announcements: Announcements, client: Client) -> None:
        self._announcements = announcements
        self._client = client
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._followers: dict[Connection, _Follower] = {}
        self._streams: dict[object, Asked] = {}
        self._listening = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    async def listen(self, context: Context, params: t.SubscriptionsListenRequestParams) -> t.SubscriptionsListenResult:
        """Announce on the stream of this request until it ends. What the client may not read is not acknowledged."""
        wanted = params.notifications
        readable = [uri for uri in wanted.resource_subscriptions or [] if _is_readable(uri)]
        granted = wanted.model_copy(update={"resource_subscriptions": readable})
        with self._following(), self._streaming(readable):
            return await self._listen(context, params.model_copy(update={"notifications": granted}))

    def follow(self, context: Context) -> None:
        """From now on a connection of the older protocols hears when documents come or go."""
        connection = _connection_of(context)
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS and connection not in self._followers:
            self._followers[connection] = _Follower(connection)
            connection.exit_stack.enter_context(self._following())
            connection.exit_stack.callback(self._followers.pop, connection)

    async def subscribe(self, context: Context, params: t.SubscribeRequestParams) -> t.EmptyResult:
        """Announce on this connection when the resource has changed."""
        if not _is_readable(params.uri):
            raise MCPError(t.INVALID_PARAMS, "uri: there is no such resource; resources/list and the templates name it")
        self.follow(context)
        self._followers[_connection_of(context)].asked |= _documents_of([params.uri])
        return t.EmptyResult()

    async def unsubscribe(self, context: Context, params: t.UnsubscribeRequestParams) -> t.EmptyResult:
        """Announce it no more."""
        if follower := self._followers.get(_connection_of(context)):
            follower.asked.pop(params.uri, None)
        return t.EmptyResult()

    @contextlib.contextmanager
    def _following(self) -> Iterator[None]:
        self._loop = asyncio.get_running_loop()
        self._listening += 1
        if self._listening == 1:
            self._announcements.listen(self._take)
        try:
            yield
        finally:
            self._listening -= 1
            if self._listening == 0:
                self._announcements.leave(self._take)

    @contextlib.contextmanager
    def _streaming(self, uris: Iterable[str]) -> Iterator[None]:
        stream = object()
        self._streams[stream] = _documents_of(uris)
        try:
            yield
        finally:
            del self._streams[stream]

    def _take(self, changes: Changes) -> None:
        """In a writer's thread."""
        loop = self._loop
        assert loop is not None
        # The loop may just be ending, and with it whoever listened.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: loop.create_task(self._tell(changes)))

    async def _tell(self, changes: Changes) -> None:
        documents = frozenset(map(_in_nfc, changes.documents))
        asked = chain(self._streams.values(), (follower.asked for follower in self._followers.values()))
        changed = {uri for one in asked for uri, document in one.items() if document in documents}
        events: list[ServerEvent] = [ResourceUpdated(uri) for uri in sorted(changed)]
        if changes.is_list_changed and is_listed_for(self._client, changes.kind):
            events.append(ResourcesListChanged())
        for event in events:
            # While a stream is given time to send the event, followers may come and go.
            for follower in list(self._followers.values()):
                follower.tell(event)
            await self._bus.publish(event)


class _Follower:
    """A connection of the older protocols. What waits to be sent waits once, however often it happened meanwhile."""

    def __init__(self, connection: Connection) -> None:
        self.asked: Asked = {}
        self._connection = connection
        self._waiting: dict[ServerEvent, None] = {}
        self._sending: asyncio.Task[None] | None = None

    def tell(self, event: ServerEvent) -> None:
        if isinstance(event, ResourceUpdated) and event.uri not in self.asked:
            return
        self._waiting[event] = None
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._waiting:
            event = next(iter(self._waiting))
            del self._waiting[event]
            if isinstance(event, ResourceUpdated):
                await self._connection.send_resource_updated(event.uri)
            else:
                await self._connection.send_resource_list_changed()


def _is_readable(uri: str) -> bool:
    """Whether there can be such a resource for this client. The active context is one, too, and is never announced."""
    place = place_of(uri)
    return may_read(place) if place else uri.startswith("memory://")


def _documents_of(uris: Iterable[str]) -> Asked:
    """What these URIs name, without those of no document."""
    return {uri: _in_nfc(place.key) for uri in uris if (place := place_of(uri))}


def _in_nfc(key: Key) -> Key:
    """The key under which a document is known, however the disk or a client composes its characters."""
    manual_id, path = key
    return to_nfc(manual_id), to_nfc(path)


def _connection_of(context: Context) -> Connection:
    """The connection that a request came on, which the SDK gives to nobody but its own session."""
    return context.session._connection
