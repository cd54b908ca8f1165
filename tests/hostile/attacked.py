"""A server with something of everything in it, and what has to hold of every answer, whatever was sent."""

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest

import morenashi
from morenashi.server.edge.registry import TOOLS

from ..server.library import GUIDE, fill
from ..server.memory.policies import EXAMPLE
from ..server.serving import Serving, find, listed_output, serving_indexed
from ..workspaces import WorkspaceFolder, make_workspace

PATIENCE_SECONDS = 60.0
"""Nothing that is asked here may take as long as this on the slowest machine: a call that does hangs."""

NOTE = "# 覚え書き\n\n申請は窓口で行う。\n\nsource_lines: 1-3\n\n- 一\n  - 二\n"
FLOW = "```mermaid\nflowchart TD\n  A[申請] --> B[審査]\n  B --> C[通知]\n```\n\nsource_lines: 1-4\n"
NOTES = {"note.md": NOTE, "plans/flow.md": FLOW, "plans/手引き.md": GUIDE, "x.json": '{"a": [1]}'}
HOST_PATHS = tuple(
    dict.fromkeys(
        [str(Path(__file__).parents[2]), str(Path(morenashi.__file__).parent), sys.prefix, sys.base_prefix, "/tmp/"]
    )
)
"""What no answer and no log line may hold; beside the workspace's own folder."""


@dataclass(repr=False)
class Attacked:
    """A served workspace. `known` are values that mean something in it, by the name of the parameter."""

    serving: Serving
    known: dict[str, list[Any]]

    def send(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The body of the answer, which is whole, quick enough, in the vocabulary, and gives nothing of the host away.

        A failure inside the server is an error of the protocol here, and raised.
        """

        async def call() -> Any:
            with anyio.fail_after(PATIENCE_SECONDS):
                return await self.serving.client.call_tool(tool, arguments)

        result = self.serving.portal.call(call)
        body: dict[str, Any] = result.structured_content
        model = find(tool).failure if result.is_error else find(tool).output
        model.model_validate(body, strict=True)
        listed_output(tool).validate(body)
        assert json.loads(result.content[0].text) == body
        assert_nothing_internal(self.serving.folder, json.dumps(body, ensure_ascii=False))
        return body

    def code(self, tool: str, arguments: dict[str, Any]) -> str | None:
        """The code of the refusal, `None` of an answer."""
        return code_of(self.send(tool, arguments))


def code_of(body: dict[str, Any]) -> str | None:
    """The code of an error of either kind of tool; `None` if the body is none."""
    error = body.get("error", body)
    return error["code"] if isinstance(error, dict) and set(error) == {"code", "message", "details"} else None


def assert_nothing_internal(folder: WorkspaceFolder, text: str) -> None:
    """Neither the place of a file on this host, nor a stack, nor the word for what nobody foresaw."""
    assert str(folder.root) not in text
    assert [path for path in HOST_PATHS if path in text] == []
    for trace in ("Traceback (most recent call last)", 'File "', "internal error", "RecursionError", "MemoryError"):
        assert trace not in text


def assert_quiet(folder: WorkspaceFolder, log: str) -> None:
    """That the log on stderr is lines of JSON with nothing internal in them and no error of the server's own."""
    assert_nothing_internal(folder, log)
    lines = [json.loads(line) for line in log.splitlines() if line]
    assert [line for line in lines if line["level"] == "error" or line.get("code") == "internal"] == []


@contextlib.contextmanager
def attacked(root: Path, **settings: Any) -> Iterator[Attacked]:
    """Serve manuals, notes and claims in which every tool finds something."""
    folder = fill(make_workspace(root))
    vault = folder.root / "vault"
    for path, text in {
        "note.md": NOTE,
        "plans/flow.md": FLOW,
        "plans/手引き.md": GUIDE,
        "x.json": '{"a": [1]}',
    }.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text, "utf-8")
    with serving_indexed(folder, ALLOW_FILE_SCOPE="true", **settings) as served:
        served.call("pce_memory_policy_apply", yaml=EXAMPLE)
        provenance = {"at": "2026-01-02T03:04:05Z"}
        claim = served.call("pce_memory_upsert", text="申請は窓口で行うと決めた", provenance=provenance)["data"]["id"]
        found = served.call("manual_find", query="申請")["trace_id"]
        in_vault = served.call("vault_find", query="申請")["trace_id"]
        yield Attacked(
            served,
            {
                "manual_id": ["手引き", "規則", "english"],
                "from_path": ["guide.md", "config/settings.json"],
                "path": [
                    "guide.md",
                    "config/settings.json",
                    "note.md",
                    "plans/flow.md",
                    "plans",
                    "manuals/手引き/guide.md",
                ],
                "to_path": ["note.md", "new.md", "daily/2026-02-03.md"],
                "artifact_path": ["plans/flow.md", "x.json"],
                "source_path": ["note.md", "manuals/手引き/guide.md"],
                "relative_dir": ["plans", "."],
                "glob": ["**/*.md", "*"],
                "trace_id": [found, in_vault],
                "only_unscanned_from_trace_id": [found, in_vault],
                "query": ["申請", "install", '"申請の方法"'],
                "q": ["申請"],
                "claim_id": [claim],
                "node_id": ["guide.md"],
                "target": ["manual"],
                "yaml": [EXAMPLE],
                "at": ["2026-01-02T03:04:05Z"],
                "json_path": ["/service/name"],
                "allow": [["answer:task"]],
            },
        )


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """Shared by the tests of a file."""
    with attacked(tmp_path_factory.mktemp("hostile") / "workspace", LOG_LEVEL="info") as server:
        yield server


TOOL_NAMES = tuple(TOOLS)
