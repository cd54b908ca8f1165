"""What each token grants, and that it grants no more than the server has."""

from typing import Any

import anyio
import pytest
from mcp import MCPError
from mcp.types import Tool

from morenashi.server.clients import Client
from morenashi.server.edge.registry import tools_of

from ..server.serving import ask_database
from ..workspaces import eventually
from .serving import Era, HttpServer
from .tokens import ALL, NARROW, NOTES, READER, USELESS

ERAS: tuple[Era, ...] = ("auto", "legacy")
AT = {"at": "2026-01-02T03:04:05Z"}


def listed(server: HttpServer, token: str, era: Era) -> list[str]:
    async def ask() -> list[Tool]:
        async with server.connect(token, era) as client:
            return (await client.list_tools()).tools

    return [tool.name for tool in anyio.run(ask)]


@pytest.mark.parametrize("era", ERAS)
def test_each_token_has_its_own_tools(server: HttpServer, era: Era) -> None:
    assert listed(server, ALL, era) == list(tools_of(Client("c")))
    assert listed(server, READER, era) == list(tools_of(Client("c", toolsets=frozenset({"manual"}))))
    assert listed(server, NOTES, era) == list(tools_of(Client("c", toolsets=frozenset({"vault"}), read_only=True)))


@pytest.mark.parametrize("era", ERAS)
def test_the_official_client_asks_and_is_answered(server: HttpServer, era: Era) -> None:
    async def ask() -> tuple[str | None, dict[str, Any]]:
        async with server.connect(READER, era) as client:
            found = await client.call_tool("manual_find", {"query": "休暇"})
            with pytest.raises(MCPError, match="Unknown tool"):
                await client.call_tool("vault_ls", {})
            return client.instructions, found.structured_content

    instructions, found = anyio.run(ask)
    assert instructions is not None
    assert "memory" not in instructions
    assert found["summary"]["completeness"]["status"] == "found"


def test_a_tool_of_another_toolset_is_not_known(server: HttpServer) -> None:
    for token, tool in ((READER, "vault_read"), (NOTES, "manual_find"), (NOTES, "vault_create"), (NARROW, "vault_ls")):
        answer = server.post("tools/call", token, params={"name": tool, "arguments": {}})
        assert answer.json()["error"]["message"] == f"Unknown tool: {tool}"


def test_tags_of_a_token_only_narrow_what_memory_grants(server: HttpServer) -> None:
    text = "連絡先の担当は山田 (yamada@example.com) である。"
    kept = server.call("pce_memory_upsert", ALL, text=text, provenance=AT, boundary_class="pii")
    claim_id = kept["data"]["id"]

    def found(token: str, **asked: Any) -> list[str]:
        items = server.call("pce_memory_search", token, query="連絡先の担当", **asked)["data"]["items"]
        return [item["claim"]["id"] for item in items]

    assert claim_id in found(ALL)
    assert claim_id not in found(NARROW)
    wider = server.call("pce_memory_search", NARROW, query="連絡先の担当", allow=["tool:contact-lookup"])
    assert wider["error"]["code"] == "BOUNDARY_DENIED"
    assert server.call("pce_memory_search", NARROW, query="連絡先", allow=["*"])["data"]["items"] == []


def test_a_token_without_any_use_is_shown_what_is_public_at_most(server: HttpServer) -> None:
    server.call("pce_memory_upsert", ALL, text="社内の規約は水曜に改める。", provenance=AT)
    answer = server.call("pce_memory_search", USELESS, query="規約")
    assert answer.get("data", {"items": []})["items"] == []


def test_whoever_is_granted_some_uses_cannot_say_what_these_are_worth(server: HttpServer) -> None:
    """A policy decides what a tag admits: without a signature it is for those who have all tags."""
    answer = server.call("pce_memory_policy_apply", NARROW, yaml="version: '9'\n")
    assert answer["error"]["code"] == "UNAUTHORIZED"


def test_memory_alone_cites_no_file(server: HttpServer) -> None:
    """Whether a citation is taken says how long a file is, and what it says."""
    cited = {"at": AT["at"], "url": "manual:m/a.md#L1"}
    assert "data" in server.call("pce_memory_upsert", ALL, text="手引きの題は休暇である。", provenance=cited)
    for url in ("manual:m/a.md#L1", "manual:m/none.md#L1", "vault:n.md#L1"):
        refused = server.call("pce_memory_upsert", NARROW, text="題は休暇。", provenance=AT | {"url": url})
        assert refused["error"]["code"] == "VALIDATION_ERROR"
        assert "has none for the" in refused["error"]["message"]


def test_memory_alone_is_not_told_how_cited_lines_changed(server: HttpServer) -> None:
    note = server.folder.root / "vault" / "計画.md"
    note.write_text("鶺鴒の計画は水曜\n", "utf-8")
    server.call("pce_memory_upsert", ALL, text="鶺鴒は水曜", provenance=AT | {"url": "vault:計画.md#L1"})
    note.write_text("鶺鴒の計画は翡翠に替わった\n", "utf-8")

    def evidence(token: str) -> str:
        (item,) = server.call("pce_memory_search", token, query="鶺鴒", include_meta=True)["data"]["items"]
        assert item["reason"].endswith("stale")
        return str(item["evidences"])

    assert "翡翠" in evidence(ALL)
    assert "翡翠" not in evidence(NARROW)


def test_an_active_context_belongs_to_the_token_that_made_it(server: HttpServer) -> None:
    server.call("pce_memory_upsert", ALL, text="締め切りは金曜の正午。", provenance=AT)
    context = server.call("pce_memory_activate", ALL, q="締め切り")["data"]["active_context_id"]
    uri = f"memory://active-context/{context}"
    assert server.post("resources/read", ALL, params={"uri": uri}).status_code == 200
    assert "error" in server.post("resources/read", NARROW, params={"uri": uri}).json()


def test_an_expired_context_is_gone(server: HttpServer) -> None:
    """Seed 002 §2.1: 410, where the answer is one JSON document of its own."""
    answer = server.post("resources/read", ALL, params={"uri": "memory://active-context/ac_none"})
    assert answer.status_code == 410
    assert answer.json()["error"]["data"]["error"]["code"] == "GONE"


def test_the_log_of_memory_knows_who_called(server: HttpServer) -> None:
    server.call("pce_memory_search", NARROW, query="規約")
    callers = "SELECT DISTINCT caller FROM audit_log"
    assert eventually(lambda: ("narrow",) in ask_database(server.folder, callers))
