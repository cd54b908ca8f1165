"""A workspace over Streamable HTTP on a free port of the loopback: `python -m tests.conformance.serve FOLDER`.

The first line of its output is the URL. It ends with its standard input.
"""

import socket
import sys
import threading

import uvicorn

from morenashi.indexer.config import read_config
from morenashi.server.edge.protocol import build_server
from morenashi.server.workspace import Workspace


def main(folder: str) -> None:
    """Serve until the standard input ends."""
    workspace = Workspace(read_config({"WORKSPACE_ROOT": folder}))
    try:
        app = build_server(workspace).streamable_http_app(host="127.0.0.1")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
            threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
            print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
            server.run(sockets=[listener])
    finally:
        workspace.close()


def _end_with_input(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.should_exit = True


if __name__ == "__main__":
    main(sys.argv[1])
