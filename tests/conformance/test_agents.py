"""Agents as users have them, without an account: they connect, and Codex lists, reads and calls."""

import json
import subprocess
from pathlib import Path
from typing import Any

from ..workspaces import WorkspaceFolder
from . import programs

NAME = "morenashi"


class Codex:
    """Codex as editors drive it: JSON on its pipes."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._asked = 0

    def tell(self, method: str, **message: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"method": method, **message}) + "\n")
        self._process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self.tell(method, id=self._asked, params=params)
        assert self._process.stdout
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._asked and "method" not in message:
                assert "result" in message, message
                return message["result"]
        raise AssertionError("codex has ended")


def test_claude_code_connects(folder: WorkspaceFolder, home: Path) -> None:
    programs.run("claude", "mcp", "add", "--scope", "user", NAME, "--", *programs.serve_command(folder), home=home)
    assert f"{NAME}:" in programs.run("claude", "mcp", "list", home=home).stdout
    assert "Connected" in programs.run("claude", "mcp", "get", NAME, home=home).stdout


def test_codex_lists_reads_and_calls(folder: WorkspaceFolder, home: Path) -> None:
    programs.run("codex", "mcp", "add", NAME, "--", *programs.serve_command(folder), home=home)
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    command = [programs.find("codex"), "app-server"]
    with subprocess.Popen(command, env=programs.make_environment(home), cwd=home, **pipes) as process:
        codex = Codex(process)
        codex.ask("initialize", clientInfo={"name": "test", "title": "test", "version": "1"})
        codex.tell("initialized")
        (server,) = codex.ask("mcpServerStatus/list")["data"]
        assert {"manual_find", "pce_memory_activate"} <= server["tools"].keys()
        assert "vault://note.md" in {resource["uri"] for resource in server["resources"]}
        thread = codex.ask("thread/start")["thread"]["id"]
        call = codex.ask("mcpServer/tool/call", threadId=thread, server=NAME, tool="manual_list", arguments={})
        assert call["structuredContent"] == {"items": [{"manual_id": "手引き"}]}
        read = codex.ask("mcpServer/resource/read", server=NAME, uri="vault://note.md")
        assert read["contents"][0]["text"] == "申請のメモ\n"
        process.kill()
