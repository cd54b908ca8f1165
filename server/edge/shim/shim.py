"""`morenashi serve`: connects stdin and stdout with the workspace's daemon. The standard library alone.

Every window of every client launches this process, so it imports no more than it needs: a Python without anything takes
10 MB, the protocol's library 65. One loop and no threads: lines go from stdin to the daemon and back, each way only as
fast as the other end takes them.
"""

import os
import select
import time

from morenashi.server import parent
from morenashi.server.edge.daemon import hello
from morenashi.server.edge.daemon.place import LOG_LEVELS, DaemonPlace, NoPlaceError, find_place, workspace_root
from morenashi.server.edge.serve_options import ServeOptions

from .client import STDIN, STDOUT, Client, say
from .daemons import Daemons, NoDaemonError, own_server
from .link import Backlog, Link
from .pulse import Pulse
from .requests import Requests

START_SECONDS = 30.0
"""How long it may take until a daemon listens and serves; setting a large damaged database aside takes its time."""

WELCOME_SECONDS = 8.0
"""How long a daemon that listens may take to answer a hello. One that does not is stuck."""

_LOOK_MS, _PARENT_LOOK_MS = 10, 1_000
_LEAVE_SECONDS = 2.0


def run(options: ServeOptions) -> int | None:
    """Serve until stdin ends or the parent process does; the exit code. `None`: no daemon can be had here."""
    try:
        root = workspace_root(options.workspace)
    except FileNotFoundError:
        # The current folder was deleted: whoever reads the settings says so.
        return None
    if not os.path.isdir(root):  # noqa: PTH112
        return None
    if os.environ.get("LOG_LEVEL") and os.environ["LOG_LEVEL"] not in LOG_LEVELS:
        # Whoever reads the settings says so.
        return None
    try:
        place = find_place(root)
    except NoPlaceError as error:
        say(f"no daemon: {error}; serving in this process")
        return None
    if os.isatty(STDIN):
        say("this speaks MCP on stdin and stdout, with a client; `morenashi init` tells how to add it to yours")
    try:
        return _Shim(place, options).run()
    except _RefusedError as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Nobody reads what the client asked for.
        return 0


class _RefusedError(Exception):
    """The command line asks for what there is not."""


class _Shim:
    """One client, the server it is connected with, and what waits to be passed on, each way."""

    def __init__(self, place: DaemonPlace, options: ServeOptions) -> None:
        self._options = options
        self._place = place
        self._client = Client()
        self._to_server = Backlog()
        self._session_id = os.urandom(16).hex()
        self._daemons = Daemons(place)
        self._requests = Requests()
        self._pulse = Pulse(time.monotonic())
        self._link: Link | None = None
        self._needed_since: float | None = time.monotonic()
        self._own_server: int | None = None

    def run(self) -> int:
        """Until there is nothing more to do; the exit code."""
        while not parent.has_ended():
            self._look_for_server()
            self._look_after_daemon()
            for descriptor, events in self._wait():
                if descriptor == STDIN:
                    self._read_client()
                elif descriptor == STDOUT:
                    if events & ~select.POLLOUT:
                        return self._exit_code()
                    self._client.write()
                else:
                    self._use_link(events)
            if self._has_ended():
                break
        return self._exit_code()

    def _wait(self) -> list[tuple[int, int]]:
        """Until something can be done: descriptors, and what for. What cannot be passed on is not read."""
        poll = select.poll()
        poll.register(STDOUT, select.POLLOUT if self._client.is_owed else 0)
        if self._to_server.takes_more and not self._client.has_left:
            poll.register(STDIN, select.POLLIN)
        link = self._link
        if link is not None:
            events = select.POLLIN if self._client.takes_more else 0
            events |= select.POLLOUT if link.is_sending or (link.is_open and self._to_server) else 0
            if events:
                poll.register(link.connection, events)
        is_looking = link is None and self._is_needed
        return poll.poll(_LOOK_MS if is_looking else _PARENT_LOOK_MS)

    def _look_for_server(self) -> None:
        """See that there is a server, or soon will be, while one is needed. To listen, take one that is there."""
        if self._link is not None:
            if not self._link.is_open and time.monotonic() - self._link.since > WELCOME_SECONDS:
                self._do_without("the daemon does not answer")
        elif self._own_server is None and (self._is_needed or self._requests.is_listening):
            self._connect()

    @property
    def _is_needed(self) -> bool:
        return self._needed_since is not None

    def _connect(self) -> None:
        try:
            connection = self._daemons.look(may_start=self._is_needed)
        except (NoDaemonError, OSError) as error:
            self._do_without(f"no daemon: {error}")
            return
        if connection is not None:
            options = self._options
            greeting = hello.hello(self._place.root, self._session_id, options.toolsets, options.read_only)
            self._link = Link(connection, greeting)
            self._link.send()
        else:
            self._do_without_if_late("the daemon does not start")

    def _do_without_if_late(self, reason: str) -> None:
        if self._needed_since is not None and time.monotonic() - self._needed_since > START_SECONDS:
            self._serve_alone(reason)

    def _do_without(self, reason: str) -> None:
        """No daemon can be had: if one is needed, a server of its own can."""
        if self._is_needed:
            self._serve_alone(reason)
        elif self._link is not None:
            self._lose_link()

    def _look_after_daemon(self) -> None:
        """Leave a daemon that owes an answer and does not even say that it lives. Its lock is its own: no other one
        can be had. Whoever stopped it may let it go on, so it is not ended here.
        """
        link = self._link
        if link is None or not link.is_open or self._own_server is not None:
            return
        is_owed = self._requests.is_waiting or bool(self._to_server)
        if self._pulse.has_stopped(time.monotonic(), is_missed=is_owed and self._client.takes_more):
            self._ask_again()
            self._serve_alone("the daemon does not answer any more")

    def _serve_alone(self, reason: str) -> None:
        """Go on with a server for this client alone."""
        say(f"{reason} (see {self._place.log}); serving in a process of its own")
        if self._link is not None:
            self._link.connection.close()
        connection, self._own_server = own_server(self._place.root, self._options.as_arguments())
        self._open_link(Link(connection))

    def _open_link(self, link: Link) -> None:
        """From now on both sides speak MCP."""
        link.is_open = True
        self._link = link
        self._needed_since = None
        link.opening = b"".join(self._requests.session())
        self._send()

    def _ask_again(self) -> None:
        """What the last server had not done is done by the next one, or answered."""
        again, answers = self._requests.lost()
        self._to_server.put_first(again)
        self._client.put(answers)

    def _read_client(self) -> None:
        self._to_server.put(self._client.read())
        if self._to_server and not (self._link is not None and self._link.is_open):
            self._needed_since = self._needed_since or time.monotonic()
        self._send()

    def _send(self) -> None:
        """Pass on what the client said, as far as the server takes it."""
        link = self._link
        if link is None or not link.is_open:
            return
        while link.opening or self._to_server:
            line = link.opening or self._to_server.first
            if not link.send(b"" if link.is_sending else line):
                return
            if link.opening:
                link.opening = b""
            else:
                self._to_server.drop_first()
                self._requests.sent(line)
        if self._client.has_left:
            link.end()

    def _use_link(self, events: int) -> None:
        link = self._link
        assert link is not None
        if events & select.POLLOUT:
            if link.is_open:
                self._send()
            else:
                link.send()
        if events & ~select.POLLOUT:
            lines = link.receive()
            if lines is None:
                self._lose_link()
            else:
                self._take(lines)

    def _take(self, lines: list[bytes]) -> None:
        """Lines from the server. The first of a daemon is its welcome."""
        link = self._link
        assert link is not None
        self._pulse.felt()
        for line in lines:
            if link.is_open:
                if line != hello.BEAT and self._requests.received(line):
                    self._client.put([line])
                continue
            welcome = hello.read_line(line)
            if welcome is None:
                self._lose_link()
                return
            if "refused" in welcome:
                raise _RefusedError(welcome["refused"])
            self._requests.reads, self._requests.repeatable = welcome["reads"], welcome["repeatable"]
            self._remark_on_log_level(welcome.get("log_level"))
            self._open_link(link)
        self._client.write()

    def _remark_on_log_level(self, kept: str | None) -> None:
        """It is the daemon's, which another client may have started: what is set here then does nothing."""
        wanted = os.environ.get("LOG_LEVEL")
        if wanted and kept and wanted != kept:
            say(
                f"LOG_LEVEL={wanted} does nothing here: the daemon that runs was started with {kept} "
                f"(see {self._place.log}); `morenashi stop` ends it, and who starts the next one sets it"
            )

    def _lose_link(self) -> None:
        """The server is gone."""
        link = self._link
        assert link is not None
        link.connection.close()
        self._link = None
        if self._client.has_left:
            return
        if not link.is_open:
            self._do_without_if_late("the daemon hangs up")
            return
        if self._own_server is not None:
            self._client.put(self._requests.given_up())
            return
        self._ask_again()
        # Where nobody waits, the next daemon can wait, too: one that was stopped stays stopped until it is needed.
        self._needed_since = time.monotonic() if self._to_server else None

    def _has_ended(self) -> bool:
        if self._client.has_left_for(_LEAVE_SECONDS):
            return True
        is_done = self._client.has_left and not self._to_server
        return self._link is None and not self._client.is_owed and (is_done or self._own_server is not None)

    def _exit_code(self) -> int:
        """That of the server of its own if it has ended; otherwise the client has left, and all is well."""
        if self._own_server is None or self._link is not None:
            return 0
        return os.waitstatus_to_exitcode(os.waitpid(self._own_server, 0)[1])
