"""No answer waits for the client to acknowledge a part of it: each would take 40 ms longer."""

import socket

from morenashi.server.edge.http.address import parse_address


def test_no_part_of_an_answer_is_held_back() -> None:
    with (
        parse_address("127.0.0.1:0").bind() as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as connection,
    ):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
