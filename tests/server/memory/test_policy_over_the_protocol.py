"""The policy and its boundary as a client meets them, and the command beside a running server."""

import sqlite3
from dataclasses import replace
from typing import Any

from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.deadline import Deadline
from morenashi.server.edge.memory_tools import MEMORY_TOOLS, under_policy
from morenashi.server.memory.calls import Call, CallOutcome
from morenashi.server.memory.policies import AppliedPolicy
from morenashi.server.memory.upsert import upsert

from ..serving import Serve, Serving
from .policies import EXAMPLE, policy_with
from .remembering import AT, Remembering

APPLY, VALIDATE = "pce_memory_policy_apply", "pce_memory_boundary_validate"


def error(server: Serving, tool: str, **arguments: Any) -> dict[str, Any]:
    return server.refuse(tool, **arguments)["error"]


def test_the_calls_of_the_seed_work_in_their_order(serve: Serve) -> None:
    server = serve()
    assert error(server, VALIDATE, payload="こんにちは")["code"] == "POLICY_MISSING"
    applied = server.call(APPLY, yaml=EXAMPLE)
    assert applied["data"] == {"version": "0.1.0"}
    assert applied["policy_version"] == "0.1.0"
    body = server.call(VALIDATE, payload="電話090-1234-5678まで", allow=["answer:task"], scope="project")
    assert body["data"]["allowed"] is False
    assert body["data"]["redacted"] == "電話[phone]まで"
    assert server.call(VALIDATE, payload="こんにちは")["data"]["allowed"] is True


def test_a_client_is_given_no_more_than_its_configuration_grants(serve: Serve) -> None:
    server = serve()
    server.call(APPLY, yaml=EXAMPLE)
    for allow in (["*"], ["tool:contact-lookup"], ["tool:*", "answer:task"]):
        assert server.call(VALIDATE, payload="x@example.com", allow=allow)["data"]["allowed"] is False


def test_who_was_granted_a_tool_may_send_it_what_its_class_allows(serve: Serve) -> None:
    server = serve(MEMORY_ALLOW="answer:task, tool:contact-lookup")
    server.call(APPLY, yaml=EXAMPLE)
    data = server.call(VALIDATE, payload="x@example.com", allow=["tool:contact-lookup"])["data"]
    assert (data["allowed"], data["redacted"]) == (True, "[email]")


def test_a_dry_run_tells_the_client_what_would_change(serve: Serve) -> None:
    server = serve()
    server.call(APPLY, yaml=policy_with())
    body = server.call(APPLY, yaml=policy_with("retrieval: {hybrid: {alpha: 0.5}}"), dry_run=True)
    assert body["changes"] == ["retrieval.hybrid.alpha: 0.65 -> 0.5"]
    assert server.call(VALIDATE, payload="a")["policy_version"] == "1.2.3"


def test_a_wrong_policy_is_refused_with_paths(serve: Serve) -> None:
    refused = error(serve(), APPLY, yaml="version: 1\nboundary_classes: {pii: {redact: 1}}")
    assert refused["code"] == "INVALID_POLICY"
    assert refused["details"]["problems"][0]["path"] == "boundary_classes.pii.redact"


def test_where_keys_are_set_an_unsigned_policy_is_unauthorised(serve: Serve) -> None:
    server = serve(POLICY_KEYS="keys")
    for trial in ({}, {"validate_only": True}, {"dry_run": True}):
        assert error(server, APPLY, yaml=EXAMPLE, **trial)["code"] == "UNAUTHORIZED"


def test_no_policy_comes_into_force_that_the_log_does_not_know(memory: Remembering) -> None:
    def break_log(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE audit_head RENAME TO audit_lost")

    memory.server.workspace.memory.write(break_log)
    assert error(memory.server, APPLY, yaml=policy_with())["code"] == "POLICY_INVALID"
    assert memory.rows("SELECT version FROM policies") == [("0.1.0",)]


def test_a_policy_is_logged_under_its_own_version(memory: Remembering) -> None:
    assert memory.server.call(APPLY, yaml=policy_with())["policy_version"] == "1.2.3"
    query = "SELECT policy_version FROM audit_log WHERE tool LIKE '%policy_apply' ORDER BY number"
    assert memory.rows(query) == [("0.1.0",), ("1.2.3",)]


def test_nothing_is_kept_under_a_policy_that_was_replaced_while_it_was_judged(memory: Remembering) -> None:
    stricter = policy_with(
        "redact_policies: { own: { rules: [{ name: secret, find: 'S-[0-9]+', replace: '[own]' }] } }"
    )
    judged: list[str] = []

    def keep(call: Call, applied: AppliedPolicy, request: inputs.Upsert) -> CallOutcome:
        judged.append(applied.version)
        if len(judged) == 1:
            memory.server.call(APPLY, yaml=stricter)
        return upsert(call, applied, request)

    # As the tool is, but that somebody applies a policy between its look at the one in force and its write.
    tool = replace(MEMORY_TOOLS[2], run=under_policy(keep))
    arguments = {"text": "担当は S-102938", "provenance": {"at": AT}}
    answer = tool.answer(memory.server.workspace, arguments, Deadline(60_000))
    assert (answer.code, answer.body["policy_version"], judged) == (None, "1.2.3", ["0.1.0", "1.2.3"])
    assert memory.rows("SELECT text FROM claims") == [("担当は [own]",)]
    assert memory.rows("SELECT policy_version FROM audit_log WHERE tool = 'pce_memory_upsert'") == [("1.2.3",)]
