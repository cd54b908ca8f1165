"""The log of the vault's tools (seed 000 §6; contract §2): what was done where, never a text."""

import json
from typing import Any

import pytest

from morenashi.server import log

from .notes import Vault

TEXT = "門外不出の一文である"
COMMON = {"ts", "level", "tool", "ok", "elapsed_ms"}


@pytest.fixture
def logged(vault: Vault, capfd: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    """The line of each tool in a session in which every one was called."""
    log.set_log_level("info")
    vault.call("create", path="a.md", content=f"{TEXT}\n")
    vault.call("write", path="a.md", content=f"{TEXT}\n", mode="append")
    vault.call("replace", path="a.md", find=TEXT, replace=f"{TEXT}。", max_replacements=2)
    vault.call("read", path="a.md", full=True)
    vault.call("scan", path="a.md")
    err = capfd.readouterr().err
    assert TEXT[:4] not in err
    lines = [json.loads(line) for line in err.splitlines()]
    return {line["tool"]: line for line in lines if line["tool"].startswith("vault_")}


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("vault_create", {"path": "a.md", "written_bytes": 31}),
        ("vault_write", {"path": "a.md", "mode": "append", "written_bytes": 31}),
        ("vault_replace", {"path": "a.md", "replacements": 2}),
        ("vault_read", {"path": "a.md", "truncated": False}),
        (
            "vault_scan",
            {
                "path": "a.md",
                "applied_range": {"start_line": 1, "end_line": 2},
                "eof": True,
                "truncated_reason": "none",
            },
        ),
    ],
)
def test_a_call_logs_what_it_did(logged: dict[str, dict[str, Any]], tool: str, fields: dict[str, Any]) -> None:
    assert {name: value for name, value in logged[tool].items() if name not in COMMON} == fields
