"""What a worker process and its parent send each other: values of plain types over a socket.

`multiprocessing` would pickle them, which asks every named tuple in Python what it is made of, and would read them in
pieces. A prepared file may be megabytes in some ten thousand tuples.
"""

import marshal
import socket
import struct
from typing import Any

_LENGTH = struct.Struct("!Q")

# Both ends are the same Python. From version 3 on, marshal also looks for objects that come twice.
_MARSHAL_VERSION = 2


class Parcels:
    """One end of a connection. `EOFError` and `OSError` say that the other end is gone."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._buffer = bytearray()

    def send(self, value: Any) -> None:
        """Send numbers, texts, bytes, `None`, or tuples, lists, dictionaries and frozen sets of such; what is derived
        from these is refused.
        """
        data = marshal.dumps(value, _MARSHAL_VERSION)
        self._end.sendall(_LENGTH.pack(len(data)))
        self._end.sendall(data)

    def receive(self) -> Any:
        """The next value, when it has come."""
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return marshal.loads(self._read(length))

    def close(self) -> None:
        """Tell the other end that nothing more comes."""
        self._end.close()

    def _read(self, length: int) -> memoryview:
        if len(self._buffer) < length:
            self._buffer = bytearray(length)
        data = memoryview(self._buffer)[:length]
        came = 0
        while came < length:
            more = self._end.recv_into(data[came:], 0, socket.MSG_WAITALL)
            if not more:
                raise EOFError
            came += more
        return data
