"""Bytes on stdin that are no message: answered or dropped, and the server goes on serving."""

import io
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from ..examples import Rounds
from ..server.library import fill
from ..server.serving import index_now
from ..server.stdio import RawServer, raw_server
from ..workspaces import make_workspace
from .attacked import assert_nothing_internal, assert_quiet

MIB = 1024 * 1024
LEVELS = 10_000
_PINGS = itertools.count()


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawServer]:
    """One server for all: what one test sends must not hurt the next."""
    folder = fill(make_workspace(tmp_path_factory.mktemp("wire") / "workspace"))
    index_now(folder)
    with raw_server(folder) as server:
        server.initialise()
        yield server


def call(tool: bytes, arguments: bytes, request_id: int = 1) -> bytes:
    """A call as bytes; the arguments are put in as they are."""
    head = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":' % (request_id, tool)
    return head + arguments + b"}}"


def find(query: bytes) -> bytes:
    return call(b"manual_find", b'{"query":"%s"}' % query)


MESSAGES: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b"   \t ",
    "no JSON": b"GET / HTTP/1.1",
    "half a message": b'{"jsonrpc":"2.0","id":1,"method":"tools/ca',
    "a bare value": b"null",
    "an array": b"[]",
    "an array of messages": b"[" + find(b"x") + b"]",
    "another protocol": b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
    "no method": b'{"jsonrpc":"2.0","id":1}',
    "an unknown method": b'{"jsonrpc":"2.0","id":1,"method":"eval","params":{}}',
    "a method that is none": b'{"jsonrpc":"2.0","id":1,"method":{"a":1}}',
    "parameters that are none": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}',
    "a tool that is none": call(b"/etc/passwd", b"{}"),
    "a tool without a name": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
    "arguments that are an array": call(b"manual_find", b"[1]"),
    "arguments that are a text": call(b"manual_find", b'"x"'),
    "an id that is null": b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    "an id that is an object": b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
    "an id without end": b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}',
    "a number without end": call(b"manual_ls", b'{"limit":' + b"9" * 5_000 + b"}"),
    "a number out of reach": call(b"manual_ls", b'{"limit":1e999}'),
    "no number": call(b"manual_ls", b'{"limit":NaN}'),
    "a name twice": call(b"manual_find", b'{"query":"a","query":"b"}'),
    "an answer to nothing": b'{"jsonrpc":"2.0","id":99,"result":{}}',
    "an error for nothing": b'{"jsonrpc":"2.0","id":99,"error":{"code":-1,"message":"x"}}',
    "a cancellation of an object": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    "a cancellation of nothing": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":424242}}',
    "a second handshake": b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x"}}',
    "invalid UTF-8": find(b"\xff\xfe\x80"),
    "invalid UTF-8 for a name": call(b"manual_find", b'{"qu\xc3ery":"x"}'),
    "a cut character": find(b"\xe7\x94"),
    "an overlong slash": find(b"\xc0\xaf"),
    "a surrogate in UTF-8": find(b"\xed\xa0\x80"),
    "beyond Unicode": find(b"\xf4\x90\x80\x80"),
    "a lone surrogate": find(rb"\ud800"),
    "a lone low surrogate": find(rb"\udc00x"),
    "surrogates the wrong way round": find(rb"\udc00\ud800"),
    "a lone surrogate for a name": call(b"manual_find", rb'{"\ud800":1,"query":"x"}'),
    "a lone surrogate for a tool": call(rb"\ud800", b"{}"),
    "a lone surrogate for an id": rb'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}',
    "a lone surrogate for a method": rb'{"jsonrpc":"2.0","id":1,"method":"\ud800"}',
    "a lone surrogate in a resource": rb'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\ud800"}}',
    "a lone surrogate in a prompt": rb'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"\ud800"}}',
    "NUL": b"\x00\x00\x00\x00",
    "NUL in a text": find(b"a\x00b"),
    "a byte order mark": b"\xef\xbb\xbf" + find(b"x"),
    "UTF-16": find(b"x").decode().encode("utf-16-le"),
    "ANSI": b"\x1b[2J\x1b]0;x\x07",
    "line breaks of Unicode": find("a\u2028b\u2029c\x85d".encode()),
    "a carriage return": b"\r",
    "deep arrays": b"[" * LEVELS + b"]" * LEVELS,
    "deep objects": b'{"a":' * LEVELS + b"1" + b"}" * LEVELS,
    "depth without end": b"[" * LEVELS,
    "a deep query": call(b"manual_find", b'{"query":' + b"[" * LEVELS + b"]" * LEVELS + b"}"),
    "a deep name": call(b"manual_find", b'{"query":"x","y":' + b'{"a":' * LEVELS + b"1" + b"}" * LEVELS + b"}"),
    "deep ranges": call(b"vault_coverage", b'{"path":"x","cited_ranges":' + b"[" * LEVELS + b"]" * LEVELS + b"}"),
    "as deep as is read": call(b"manual_find", b'{"query":' + b"[" * 150 + b"]" * 150 + b"}"),
}  # fmt: skip


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES.keys())
def test_the_server_goes_on_after(process: RawServer, message: bytes) -> None:
    assert_still_serving(process, message + b"\n")


@pytest.mark.parametrize("name", ["a lone surrogate", "a lone surrogate for a name", "a lone surrogate in a prompt"])
def test_what_only_we_cannot_read_is_answered(process: RawServer, name: str) -> None:
    """A character that was cut in two is such: its client would wait for ever."""
    write(process, MESSAGES[name].replace(b'"id":1,', b'"id":"cut",') + b"\n")
    error = answer_to(process, "cut")["error"]
    assert error["code"] == -32600
    assert "surrogate" in error["message"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":"odd","method":"tools/list","params":[]}', "params"),
        (b'{"jsonrpc":"1.0","id":"odd","method":"ping"}', "jsonrpc"),
        (b'{"id":"odd","method":"ping"}', "jsonrpc"),
        (b'{"jsonrpc":"2.0","id":"odd","method":7}', "a method"),
        (b'[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"odd","method":"ping"}]', "batches"),
    ],
)
def test_what_is_no_request_is_answered_to_who_waits(process: RawServer, message: bytes, expected: str) -> None:
    """Clients of 2025-03-26 may send several requests at once."""
    write(process, message + b"\n")
    error = answer_to(process, "odd")["error"]
    assert error["code"] == -32600
    assert expected in error["message"]


def test_the_server_goes_on_after_a_message_of_ten_megabytes(process: RawServer) -> None:
    assert_still_serving(process, find(b"x" * (10 * MIB)) + b"\n")


def test_a_message_without_end_is_not_kept(process: RawServer, rounds: Rounds) -> None:
    """More than any message may have, without a line break: the server forgets it and waits for the line's end."""
    before = resident_bytes(process)
    for _ in range(rounds(80, 1_000)):
        write(process, b"x" * MIB)
    assert resident_bytes(process) - before < 300 * MIB
    assert_still_serving(process, b"\n")


def test_the_log_has_nothing_internal_in_it(process: RawServer) -> None:
    assert_still_serving(process, find(b"\xff") + b"\n")
    # The server's first line says which workspace it serves, in the log of whoever started it.
    assert_quiet(process.folder, process.stderr.read_text("utf-8").partition("\n")[2])


def assert_still_serving(process: RawServer, sent: bytes) -> None:
    """Send bytes, then a ping; everything up to its answer is a message, and nothing of the host's."""
    ping = f"ping-{next(_PINGS)}"
    write(process, sent + json.dumps({"jsonrpc": "2.0", "id": ping, "method": "ping"}).encode() + b"\n")
    assert answer_to(process, ping)["result"] == {}


def answer_to(process: RawServer, request_id: str) -> dict[str, Any]:
    """The answer to one request. What an earlier message is answered may come before it: calls run side by side."""
    while True:
        answer = process.receive()
        assert answer["jsonrpc"] == "2.0"
        said = json.dumps(answer, ensure_ascii=False)
        assert_nothing_internal(process.folder, said)
        assert "nternal error" not in said
        if answer.get("id") == request_id:
            return answer


def write(process: RawServer, sent: bytes) -> None:
    stdin = process.process.stdin
    assert isinstance(stdin, io.TextIOWrapper)
    stdin.buffer.write(sent)
    stdin.buffer.flush()


def resident_bytes(process: RawServer) -> int:
    with open(f"/proc/{process.process.pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * 4096
