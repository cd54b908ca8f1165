"""What each client is told to run this server: the one place where these blocks are written.

The formats are those of the clients' own documentation; README.md shows the same blocks, and a test compares them.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Command = tuple[str, ...]
"""The program and its arguments, as a client starts it."""


@dataclass(frozen=True, slots=True)
class ClientKind:
    """A client: its name, how its block is written, and by what it is recognised.

    `where` says what to do with the block. `programs` are commands on the path, `folders` lie below the home folder.
    """

    key: str
    name: str
    where: str
    write: Callable[[Command], str]
    programs: tuple[str, ...]
    folders: tuple[str, ...]

    def is_here(self, home: Path | None, path: str | None) -> bool:
        """Whether somebody with this home folder, if any, and this search path seems to have it."""
        if any(shutil.which(program, path=path) for program in self.programs):
            return True
        # Unlike `Path.is_dir`, it says no of a home that may not be entered, as after `sudo`.
        return home is not None and any(os.path.isdir(home / folder) for folder in self.folders)  # noqa: PTH112


def running_command(arguments: list[str], prefix: Path, environment: Mapping[str, str]) -> Command:
    """How the program that is running now can be started again, with its full path.

    `arguments` and `prefix` are those of `sys`. What `uvx` unpacked for one run is not there for the next: then it is
    `uvx` that is named, whose path it leaves in UV. What `pipx run` unpacked is there for a fortnight: then `pipx` is.
    """
    if "archive-v0" in prefix.parts and "UV" in environment:
        return environment["UV"], "tool", "run", "morenashi"
    # The folder of its cache, by default or below PIPX_HOME; what it has installed lies in `venvs`.
    if prefix.parent.name in ("pipx", ".cache") and (pipx := shutil.which("pipx", path=environment.get("PATH"))):
        return pipx, "run", "morenashi"
    program = Path(arguments[0]).absolute()
    return (str(program),) if program.name == "morenashi" else (sys.executable, "-m", "morenashi")


def serve_command(program: Command, workspace: Path) -> Command:
    """The server of a workspace."""
    return (*program, "serve", "--workspace", str(workspace))


def find_clients(home: Path | None, path: str | None) -> list[ClientKind]:
    """The clients that seem to be installed."""
    return [client for client in CLIENTS if client.is_here(home, path)]


def _claude_code(command: Command) -> str:
    # Without a scope it would be there in the folder alone in which this is run.
    return f"claude mcp add --scope user morenashi -- {shlex.join(command)}"


def _mcp_servers(command: Command) -> str:
    return _as_json({"mcpServers": {"morenashi": {"command": command[0], "args": [*command[1:]]}}})


def _vs_code(command: Command) -> str:
    return _as_json({"servers": {"morenashi": {"type": "stdio", "command": command[0], "args": [*command[1:]]}}})


def _codex(command: Command) -> str:
    first, *others = (_quoted(part) for part in command)
    return f"[mcp_servers.morenashi]\ncommand = {first}\nargs = [{', '.join(others)}]"


def _as_json(value: object) -> str:
    """As people write it: short lists on one line."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    head, bracket, tail = text.partition('"args": [')
    inside, _, rest = tail.partition("\n      ]")
    # Not `splitlines`: a path may hold what that takes for a line break.
    on_one_line = " ".join(line.strip() for line in inside.split("\n")).strip()
    return f"{head}{bracket}{on_one_line}]{rest}"


def _quoted(text: str) -> str:
    """A basic string of TOML: JSON's, but for the one control character that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


CLIENTS = (
    ClientKind("claude-code", "Claude Code", "run this", _claude_code, ("claude",), (".claude",)),
    ClientKind(
        "claude-desktop",
        "Claude Desktop",
        "add this to claude_desktop_config.json (Settings, Developer, Edit Config) and start it anew",
        _mcp_servers,
        (),
        (".config/Claude", "Library/Application Support/Claude"),
    ),
    ClientKind("codex", "Codex", "add this to ~/.codex/config.toml", _codex, ("codex",), (".codex",)),
    ClientKind("cursor", "Cursor", "add this to ~/.cursor/mcp.json", _mcp_servers, ("cursor",), (".cursor",)),
    ClientKind(
        "vs-code",
        "VS Code",
        "add this to .vscode/mcp.json of a project, or to what `MCP: Open User Configuration` opens",
        _vs_code,
        ("code",),
        (".vscode", ".config/Code", "Library/Application Support/Code"),
    ),
)
"""The clients whose blocks are known, in the order of README.md."""
