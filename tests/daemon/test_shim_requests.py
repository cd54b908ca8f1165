"""What a client is still waiting for when the daemon is lost: sent again if it only reads, answered otherwise."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.edge.shim.requests import Requests


def line(**content: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | content).encode() + b"\n"


def call(request_id: int | str, tool: str) -> bytes:
    return line(id=request_id, method="tools/call", params={"name": tool, "arguments": {}})


def result(request_id: int | str, **content: Any) -> bytes:
    text = json.dumps({"jsonrpc": "2.0", "id": request_id, "result": content}, separators=(",", ":"))
    return text.encode() + b"\n"


@pytest.fixture
def requests() -> Requests:
    followed = Requests()
    followed.reads, followed.repeatable = ["manual_find", "pce_memory_search"], ["vault_write"]
    return followed


def test_a_call_that_only_reads_is_sent_again(requests: Requests) -> None:
    requests.sent(call(1, "manual_find"))
    assert requests.lost() == ([call(1, "manual_find")], [])


def test_the_dotted_name_of_a_tool_that_reads_counts_too(requests: Requests) -> None:
    requests.sent(call(1, "pce.memory.search"))
    assert requests.lost()[0] == [call(1, "pce.memory.search")]


@pytest.mark.parametrize(("tool", "retryable"), [("vault_create", False), ("vault_write", True)])
def test_a_call_that_writes_is_answered_and_not_sent_again(requests: Requests, tool: str, retryable: bool) -> None:
    requests.sent(call("a", tool))
    again, [answer] = requests.lost()
    error = json.loads(answer)["error"]
    assert again == []
    assert (json.loads(answer)["id"], error["code"]) == ("a", -32000)
    assert error["data"] == {"code": "daemon_restarted", "retryable": retryable}


def test_what_was_answered_is_not_sent_again(requests: Requests) -> None:
    requests.sent(call(1, "manual_find"))
    assert requests.received(result(1))
    assert requests.lost() == ([], [])


def test_what_the_client_cancelled_is_neither_sent_again_nor_answered(requests: Requests) -> None:
    requests.sent(call(1, "vault_create"))
    requests.sent(line(method="notifications/cancelled", params={"requestId": 1}))
    assert requests.lost() == ([], [])


def test_a_request_that_two_daemons_ended_with_is_not_tried_on_a_third(requests: Requests) -> None:
    requests.sent(call(1, "manual_find"))
    [again], _ = requests.lost()
    requests.sent(again)
    again_then, answers = requests.lost()
    assert (again_then, len(answers)) == ([], 1)


def test_a_client_that_listens_listens_on_through_any_number_of_daemons(requests: Requests) -> None:
    """And waits for none: what it asked for is said to the next one that is there."""
    listening = line(id=1, method="subscriptions/listen", params={})
    requests.sent(listening)
    for _ in range(3):
        assert requests.lost() == ([], [])
        assert (requests.is_listening, requests.is_waiting) == (True, False)
        assert requests.session() == [listening]
        requests.sent(listening)


def test_the_handshake_is_repeated_and_its_answer_kept_from_the_client(requests: Requests) -> None:
    requests.sent(line(id=0, method="initialize", params={"protocolVersion": "2025-11-25"}))
    assert requests.received(result(0))
    requests.sent(line(method="notifications/initialized"))
    assert requests.lost() == ([], []), "nobody waits"
    [handshake, initialized] = requests.session()
    assert json.loads(handshake)["params"] == {"protocolVersion": "2025-11-25"}
    assert json.loads(initialized)["method"] == "notifications/initialized"
    requests.sent(handshake)
    assert not requests.received(result(json.loads(handshake)["id"]))
    assert requests.received(result(0)), "an id of the client's own"


def test_the_client_hears_nothing_of_a_repeated_handshake_that_is_lost_too(requests: Requests) -> None:
    requests.sent(line(id=0, method="initialize", params={}))
    requests.received(result(0))
    for _ in range(3):
        for said in requests.session():
            requests.sent(said)
        assert requests.lost() == ([], [])
    assert requests.given_up() == []


def test_subscriptions_are_repeated_until_they_are_given_up(requests: Requests) -> None:
    for request_id, method in ((1, "resources/subscribe"), (2, "resources/unsubscribe")):
        requests.sent(line(id=request_id, method=method, params={"uri": "manual://x"}))
        requests.received(result(request_id))
        assert requests.is_listening == (request_id == 1)
        assert len(requests.session()) == (request_id == 1)


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_who_has_seen_the_list_hears_of_it_from_the_next_daemon_too(requests: Requests, era: str) -> None:
    if era == "legacy":
        requests.sent(line(id=0, method="initialize", params={}))
        requests.received(result(0))
    requests.sent(line(id=1, method="resources/list"))
    assert requests.received(result(1))
    said = [json.loads(one)["method"] for one in requests.session()]
    assert (said, requests.is_listening) == (
        (["initialize", "resources/list"], True) if era == "legacy" else ([], False)
    )


def test_a_request_of_the_server_is_not_taken_for_an_answer(requests: Requests) -> None:
    requests.sent(call(1, "manual_find"))
    assert requests.received(b'{"jsonrpc":"2.0","id":1,"method":"roots/list"}\n')
    assert len(requests.lost()[0]) == 1


@pytest.mark.parametrize(
    "rubbish",
    [
        b"no JSON\n",
        b"[1]\n",
        b"\xff\n",
        b"[" * 100_000 + b"\n",
        b'{"id":[1]}\n',
        b'{"id":true,"method":"ping"}\n',
        b'{"method":"notifications/cancelled","params":{"requestId":true}}\n',
        b"\n",
    ],
)
def test_what_is_no_message_is_left_to_the_daemon(requests: Requests, rubbish: bytes) -> None:
    requests.sent(call(1, "manual_find"))
    requests.sent(rubbish)
    assert requests.received(rubbish)
    assert requests.lost() == ([call(1, "manual_find")], [])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["call", "answer", "cancel", "loss"]),
            st.integers(0, 5),
            st.sampled_from(["manual_find", "vault_create", "vault_write"]),
        )
    )
)
def test_every_request_is_answered_once_or_still_open(steps: list[tuple[str, int, str]]) -> None:
    """Whatever happens, in whatever order: nobody waits for nothing, and nobody is answered twice."""
    requests = Requests()
    requests.reads = ["manual_find"]
    waiting: set[int] = set()
    for step, request_id, tool in steps:
        if step == "call" and request_id not in waiting:
            requests.sent(call(request_id, tool))
            waiting.add(request_id)
        elif step == "answer" and request_id in waiting:
            requests.received(result(request_id))
            waiting.discard(request_id)
        elif step == "cancel":
            requests.sent(line(method="notifications/cancelled", params={"requestId": request_id}))
            waiting.discard(request_id)
        elif step == "loss":
            again, answers = requests.lost()
            answered = {json.loads(answer)["id"] for answer in answers}
            repeated = {json.loads(each)["id"] for each in again}
            assert answered | repeated == waiting
            assert not answered & repeated
            for each in again:
                requests.sent(each)
            waiting = repeated
    assert {json.loads(answer)["id"] for answer in requests.given_up()} == waiting
