"""The active context without a tool call: a resource, and a prompt before a task."""

from datetime import UTC, datetime
from typing import Any

import pytest
from mcp import MCPError
from mcp.types import TextContent, TextResourceContents

from morenashi.server.memory.contexts import Asked, latest_context, make_context, store_context

from ...indexer.indexes import open_index
from ...workspaces import WorkspaceFolder
from .remembering import Remembering

NOW = datetime(2026, 11, 22, tzinfo=UTC)
URI = "memory://active-context"


def read(memory: Remembering, uri: str = URI) -> str:
    result = memory.server.portal.call(lambda: memory.server.client.read_resource(uri))
    (content,) = result.contents
    assert isinstance(content, TextResourceContents)
    return content.text


def prompt(memory: Remembering, **arguments: str) -> str:
    result = memory.server.portal.call(lambda: memory.server.client.get_prompt("with_memory", arguments))
    (message,) = result.messages
    assert isinstance(message.content, TextContent)
    return message.content.text


def listed(memory: Remembering, what: str) -> Any:
    return memory.server.portal.call(getattr(memory.server.client, f"list_{what}"))


def test_the_resource_and_the_prompt_are_listed(memory: Remembering) -> None:
    assert [str(one.uri) for one in listed(memory, "resources").resources] == [URI]
    templates = listed(memory, "resource_templates").resource_templates
    assert templates[0].uri_template == URI + "/{id}"
    assert listed(memory, "prompts").prompts[0].name == "with_memory"


def test_the_resource_is_what_was_activated_last(memory: Remembering) -> None:
    memory.remember("解約は非同期\n詳しくはADR")
    memory.remember("会議は水曜")
    first = memory.activate("解約")
    assert read(memory) == "- 解約は非同期\n  詳しくはADR"
    memory.activate("会議")
    assert read(memory) == "- 会議は水曜"
    assert read(memory, f"{URI}/{first['active_context_id']}") == "- 解約は非同期\n  詳しくはADR"


def test_what_was_called_outdated_says_so_in_the_resource_and_the_prompt(memory: Remembering) -> None:
    memory.judge(memory.remember("会議は水曜"), "outdated")
    memory.activate("会議")
    assert read(memory) == "- 会議は水曜 (outdated)"
    assert "- 会議は水曜 (outdated)\n" in prompt(memory, task="会議の準備")
    memory.remember("会議は水曜", provenance={"at": "2026-01-03T00:00:00Z"})
    assert read(memory) == "- 会議は水曜"


def test_what_may_not_be_shown_any_more_is_not_in_the_resource(memory: Remembering) -> None:
    memory.remember("解約は非同期")
    memory.activate("解約")
    memory.remember("解約は非同期", boundary_class="secret")
    assert read(memory) == ""


@pytest.mark.parametrize("uri", [URI, f"{URI}/ac_none", f"{URI}/", "memory://other"])
def test_a_context_that_is_not_there_is_an_error(memory: Remembering, uri: str) -> None:
    with pytest.raises(MCPError):
        read(memory, uri)


def test_whoever_reads_before_anything_was_activated_is_told_what_makes_a_context(memory: Remembering) -> None:
    with pytest.raises(MCPError, match=r"no such active context.*pce_memory_activate"):
        read(memory)


def test_the_prompt_puts_what_fits_before_the_task(memory: Remembering) -> None:
    memory.remember("解約は非同期")
    assert prompt(memory, task="解約を直す").endswith("- 解約は非同期\n\n解約を直す")
    assert prompt(memory, task="zzz") == "zzz"
    with pytest.raises(MCPError):
        prompt(memory, task=" ")


def test_reading_the_resource_is_logged(memory: Remembering) -> None:
    with pytest.raises(MCPError):
        read(memory)
    assert memory.rows("SELECT tool, code FROM audit_log ORDER BY number DESC LIMIT 1") == [
        ("pce_memory_context", "GONE")
    ]


def test_no_call_walks_through_all_contexts(workspace: WorkspaceFolder) -> None:
    asked = Asked("activate", "local", "解約", ("project",), ("answer:task",), "1.0.0")
    statements: list[str] = []
    with open_index(workspace) as opened:
        opened.connection.set_trace_callback(statements.append)
        store_context(opened.connection, make_context(asked, (), NOW, 60), {}, NOW)
        assert latest_context(opened.connection, "local")
        opened.connection.set_trace_callback(None)
        plans = [opened.rows(f"EXPLAIN QUERY PLAN {one}") for one in statements if not one.startswith("\nINSERT")]
    steps = [str(step[-1]) for plan in plans for step in plan]
    assert len(steps) == 3
    assert all(step.startswith("SEARCH active_contexts") for step in steps), steps
