"""Who is at the other end of a Unix socket, as the kernel says."""

import socket
import struct

_CREDENTIALS = struct.Struct("3i")


def peer_of(connection: socket.socket) -> tuple[int, int] | None:
    """Process id and user id of the other end; `None` where the system does not say."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    pid, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size))
    return pid, uid
