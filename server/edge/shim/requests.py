"""What a client is still waiting for, and what becomes of it when the daemon is lost.

Requests that only read are sent again to the next daemon; of others nobody knows whether they were done, and the client
is told so. What an earlier daemon knew of the session (handshake, log level, subscriptions, and that the list of
resources was seen, of which an older client hears from then on) is said again first.
"""

from __future__ import annotations

import json
import re

from morenashi.server.edge.tool_names import listed_name

# `typing` would cost each client two milliseconds.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, TypeGuard

_READS = frozenset(
    {
        "initialize",
        "ping",
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "subscriptions/listen",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
    }
)
"""Methods that may be repeated. `tools/call` may be if its tool only reads."""

_SESSION = frozenset({"initialize", "logging/setLevel", "resources/subscribe", "resources/list"})
_HANDSHAKE = "initialize "
_LISTENING = ("resources/subscribe", "resources/list")
# These stay under way as long as the client wants, through any number of daemons.
_LASTING = frozenset({"subscriptions/listen"})
_MOST_SENDINGS = 2
"""A request that was under way when two daemons ended may be what ends them."""

# As our daemon writes it. Anything else of its lines is for the client, unread.
_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(result|error)":')
_OWN_ID = "morenashi-again-"

RESTARTED = -32000
"""The code of the error that a lost request is answered with; its data have a code for programs, and `retryable`."""


class Request:
    """One that was sent and has not been answered."""

    def __init__(self, line: bytes, message: dict[str, Any]) -> None:
        self.line = line
        self.message = message
        self.sendings = 1


class Requests:
    """Follows one client's conversation. Lines have their newline."""

    def __init__(self) -> None:
        self.reads: Collection[str] = ()
        """Tools that only read, and ..."""
        self.repeatable: Collection[str] = ()
        """... tools of which the same call again changes nothing more. Unknown until a daemon has said so."""
        self._open: dict[str | int, Request] = {}
        self._session: dict[str, dict[str, Any]] = {}
        self._again = 0

    @property
    def is_listening(self) -> bool:
        """Whether the client expects to hear of changes without asking. It waits for no answer then: nothing need be
        started for it.
        """
        return bool(self._listening) or any(key.startswith(_LISTENING) for key in self._session)

    @property
    def is_waiting(self) -> bool:
        """Whether the client expects an answer, be it after a long time."""
        return len(self._open) > len(self._listening)

    @property
    def _listening(self) -> list[Request]:
        return [request for request in self._open.values() if request.message["method"] in _LASTING]

    def sent(self, line: bytes) -> None:
        """A line went to the daemon."""
        message = _parse(line)
        if message is None:
            return
        method, request_id = message.get("method"), message.get("id")
        if method == "notifications/initialized":
            self._session[method] = message
        elif method == "notifications/cancelled":
            # It will not be answered.
            self._open.pop(_parameter(message, "requestId"), None)
        elif isinstance(method, str) and _names_something(request_id) and not _is_own(request_id):
            earlier = self._open.get(request_id)
            request = self._open[request_id] = Request(line, message)
            if earlier is not None and earlier.line == line:
                request.sendings = earlier.sendings + 1

    def received(self, line: bytes) -> bool:
        """A line came from the daemon; whether it is for the client."""
        answer = _ANSWER.match(line)
        if answer is None:
            return True
        request_id = json.loads(answer[1])
        if _is_own(request_id):
            return False
        request = self._open.pop(request_id, None)
        if request is not None and answer[2] == b"result":
            self._remember(request.message)
        return True

    def lost(self) -> tuple[list[bytes], list[bytes]]:
        """The daemon is gone: what to ask the next one again besides `session`, and what to answer the client."""
        again, answers = [], []
        for request_id, request in list(self._open.items()):
            if request.message["method"] in _LASTING:
                continue
            if self._only_reads(request.message) and request.sendings < _MOST_SENDINGS:
                again.append(request.line)
            else:
                del self._open[request_id]
                answers.append(_restarted(request_id, retryable=self._may_be_repeated(request.message)))
        return again, answers

    def given_up(self) -> list[bytes]:
        """There will be no other server, and no further call: what to answer the client."""
        answers = [
            _error(request_id, _ENDED, retryable=self._may_be_repeated(request.message))
            for request_id, request in self._open.items()
        ]
        self._open.clear()
        return answers

    def session(self) -> list[bytes]:
        """What to say first to another server, so that it knows what the last one knew. Not answered to the client."""
        lines = []
        for message in self._session.values():
            if "id" in message:
                self._again += 1
                message = message | {"id": f"{_OWN_ID}{self._again}"}
            lines.append(json.dumps(message).encode() + b"\n")
        return lines + [request.line for request in self._listening]

    def _remember(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if method == "resources/list" and _HANDSHAKE not in self._session:
            # Since 2026-07-28 it says nothing of what the client wants to hear.
            return
        if method in _SESSION:
            self._session[f"{method} {_parameter(message, 'uri') or ''}"] = message
        elif method == "resources/unsubscribe":
            self._session.pop(f"resources/subscribe {_parameter(message, 'uri') or ''}", None)

    def _only_reads(self, message: dict[str, Any]) -> bool:
        if message["method"] == "tools/call":
            return _tool(message) in self.reads
        return message["method"] in _READS

    def _may_be_repeated(self, message: dict[str, Any]) -> bool:
        return self._only_reads(message) or _tool(message) in self.repeatable


def _parse(line: bytes) -> dict[str, Any] | None:
    """A message; `None` for what is none, which the daemon refuses."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _is_own(request_id: str | int) -> bool:
    """Whether it was asked here and not by the client."""
    return str(request_id).startswith(_OWN_ID)


def _parameter(message: dict[str, Any], name: str) -> Any:
    """A parameter that can be looked up; `None` if there is none."""
    parameters = message.get("params")
    value = parameters.get(name) if isinstance(parameters, dict) else None
    return value if _names_something(value) else None


def _names_something(value: Any) -> TypeGuard[str | int]:
    """Whether it is a text or a number. To Python `true` is the number 1, and so another request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _tool(message: dict[str, Any]) -> str:
    return listed_name(str(_parameter(message, "name")))


def _restarted(request_id: str | int, *, retryable: bool) -> bytes:
    advice = ". Call again." if retryable else ": look before calling again."
    return _error(request_id, f"{_LOST}{advice}", retryable=retryable)


def _error(request_id: str | int, message: str, *, retryable: bool) -> bytes:
    error = {"code": RESTARTED, "message": message, "data": {"code": "daemon_restarted", "retryable": retryable}}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode() + b"\n"


_LOST = "The server was lost while it worked on this; whether it was done is not known"
_ENDED = "The server has ended and says why on stderr. Start it again; whether this was done is not known."
