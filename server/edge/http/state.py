"""What `morenashi status` asks a server over HTTP: on a Unix socket of its own, beside those of the daemons."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio

from morenashi.server.edge.daemon import hello
from morenashi.server.edge.daemon.place import NoPlaceError, find_place
from morenashi.server.edge.local_socket import accept_all
from morenashi.server.edge.wire import Lines
from morenashi.server.log import log_event


async def tell_state(root: str, state: Callable[[], dict[str, Any]]) -> None:
    """Answer until this is cancelled. Where there is no place for a socket, the server does without."""

    async def greet(lines: Lines, said: "hello.Said", _: int | None) -> None:
        if "control" in said:
            await lines.send(hello.answer(state()))

    async with AsyncExitStack() as held:
        try:
            path = Path(find_place(root).http_socket(os.getpid()))
            # Nobody finds a socket by its name that does not listen yet, and takes it for one that was left.
            making = path.with_suffix(".new")
            listener = await held.enter_async_context(await anyio.create_unix_listener(making, mode=0o600))
            held.callback(making.unlink, missing_ok=True)
            making.rename(path)
        except (NoPlaceError, OSError) as error:
            log_event("warn", "serve", ok=False, notice=f"`morenashi status` will not show this server: {error}")
            return
        held.callback(path.unlink, missing_ok=True)
        tasks = await held.enter_async_context(anyio.create_task_group())
        await accept_all(listener, root, greet, tasks)
