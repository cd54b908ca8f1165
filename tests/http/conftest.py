"""One server for most tests, with a token for each kind of client."""

import hashlib
from collections.abc import Iterator

import pytest

from ..server.memory.policies import EXAMPLE
from ..workspaces import WorkspaceFolder, eventually, make_workspace
from .serving import HttpServer, http_server
from .tokens import ALL, NARROW, NOTES, READER, USELESS

TOKENS = f"""
[[tokens]]
name = "all"
token = "{ALL}"

[[tokens]]
name = "reader"
sha256 = "{hashlib.sha256(READER.encode()).hexdigest()}"
toolsets = ["manual"]

[[tokens]]
name = "notes"
token = "{NOTES}"
toolsets = ["vault"]
read_only = true

[[tokens]]
name = "narrow"
token = "{NARROW}"
toolsets = ["memory"]
allow = ["answer:task"]

[[tokens]]
name = "useless"
token = "{USELESS}"
toolsets = ["memory"]
allow = []
"""


def write_tokens(folder: WorkspaceFolder, text: str) -> str:
    """A file of tokens beside the workspace; its path."""
    path = folder.root / "tokens.toml"
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    return str(path)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """A manual, a note, and memory under the example policy."""
    folder = make_workspace(tmp_path_factory.mktemp("http") / "workspace")
    folder.write("m/a.md", "# 休暇\n\n休暇は前日までに申請する。\n")
    (folder.root / "vault").mkdir()
    (folder.root / "vault" / "n.md").write_text("# メモ\n\n休暇は前日まで。\n", "utf-8")
    tokens = write_tokens(folder, TOKENS)
    with http_server(folder, "--tokens", tokens, MEMORY_ALLOW="answer:task,tool:contact-lookup") as server:
        assert "data" in server.call("pce_memory_policy_apply", ALL, yaml=EXAMPLE)
        assert eventually(lambda: server.get("/healthz").status_code == 200)
        assert eventually(lambda: server.call("manual_list", ALL)["items"] != [])
        yield server
