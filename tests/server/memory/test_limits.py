"""Timeouts and sizes of the calls, and what is answered when something is in the way."""

import contextlib
import sqlite3

import pytest

from morenashi.server.deadline import Deadline
from morenashi.server.edge.memory_tools import MEMORY_TOOLS

from .remembering import AT, Remembering

LIMITS = {
    "activate": (15_000, 16),
    "search": (10_000, 32),
    "upsert": (10_000, 64),
    "feedback": (3_000, 4),
    "boundary_validate": (5_000, 32),
    "policy_apply": (10_000, 128),
}
"""Seed 002 §2: milliseconds and KB of each tool."""


def test_the_limits_are_those_of_the_seed() -> None:
    limits = {tool.name.removeprefix("pce_memory_"): (tool.timeout_ms, tool.max_bytes // 1024) for tool in MEMORY_TOOLS}
    assert limits == LIMITS
    assert [tool.budget_ms({"budget": {"time_ms": 1}}) for tool in MEMORY_TOOLS] == [t for t, _ in LIMITS.values()]


@pytest.mark.parametrize(
    ("tool", "parameter"),
    [
        ("activate", "q"),
        ("search", "query"),
        ("upsert", "text"),
        ("feedback", "claim_id"),
        ("boundary_validate", "payload"),
        ("policy_apply", "yaml"),
    ],
)
def test_a_call_that_is_too_large_is_refused(memory: Remembering, tool: str, parameter: str) -> None:
    error = memory.refuse(tool, **{parameter: "あ" * (LIMITS[tool][1] * 1024 // 3)})
    assert error["code"] == "VALIDATION_ERROR"
    assert error["details"]["max_bytes"] == LIMITS[tool][1] * 1024


@pytest.mark.parametrize(("tool", "parameter"), [("activate", "q"), ("boundary_validate", "payload")])
def test_a_call_may_have_as_many_bytes_as_the_seed_says_and_not_one_more(
    memory: Remembering, tool: str, parameter: str
) -> None:
    most = LIMITS[tool][1] * 1024
    # As clients send it: without blanks between the signs of JSON.
    beside = len(f'{{"{parameter}":"","allow":["answer:task"]}}')
    longest = "あ" + "z" * (most - beside - 3)
    memory.server.call(f"pce_memory_{tool}", **{parameter: longest}, allow=["answer:task"])
    assert memory.refuse(tool, **{parameter: longest + "z"}, allow=["answer:task"])["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize(("position", "parameter", "code"), [(0, "q", "ACTIVATE_FAILED"), (1, "query", "INTERNAL")])
def test_claims_that_take_too_long_to_be_judged_are_not_waited_for(
    memory: Remembering, position: int, parameter: str, code: str
) -> None:
    memory.remember("解約は非同期")
    answer = MEMORY_TOOLS[position].answer(memory.server.workspace, {parameter: "解約"}, Deadline(0))
    assert answer.code == code
    assert "longer than" in answer.body["error"]["message"]


def test_where_a_claim_is_from_is_not_told_for_longer_than_the_call_has(memory: Remembering) -> None:
    memory.remember("解約は非同期", provenance={"at": AT, "git": {"files": [f"{n}.md" for n in range(5_000)]}})
    arguments = {"q": "解約", "include_meta": True}
    answer = MEMORY_TOOLS[0].answer(memory.server.workspace, arguments, Deadline(100))
    assert answer.code == "ACTIVATE_FAILED"


def test_while_another_process_writes_for_too_long_a_call_fails_in_its_time(memory: Remembering) -> None:
    with contextlib.closing(sqlite3.connect(memory.server.folder.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        upsert = MEMORY_TOOLS[2]
        arguments = {"text": "解約は非同期", "provenance": {"at": AT}}
        answer = upsert.answer(memory.server.workspace, arguments, Deadline(100))
        other.execute("ROLLBACK")
    assert answer.code == "UPSERT_FAILED"
    assert "longer than" in answer.body["error"]["message"]
    assert memory.found("解約") == []
