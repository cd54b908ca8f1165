"""Names in the vault that mean something: `.system/`, daily notes, temporary files (seed 001 §4; contract §1), and
what other programs obey.

A reserved folder is recognised in any spelling that some file system or reader takes for it: upper case, full
width, decomposed, with invisible characters. That serves to refuse; only the exact spelling is ever let in.
"""

import unicodedata

from .text import normalise

ARTIFACTS_DIR = "artifacts"
DAILY_FOLDERS = (("daily",), (ARTIFACTS_DIR, "daily"))
TEMPORARY_NAME = ".morenashi.tmp"
"""What a file is called while it is written, in the folder where it is to be. Never listed, never indexed."""

_SYSTEM_FOLDER = (".system",)
# What stands in these, their programs do: .git/config and .hg/hgrc name commands, others hold plugins and tasks, those
# of agents hooks and servers to start. git~1 is what Windows calls .git for short.
_OBEYED_NAMES = frozenset(
    ".git git~1 .hg .obsidian .vscode .idea .devcontainer .claude .cursor .codex .gemini .mcp.json".split()
)


def is_system(parts: tuple[str, ...]) -> bool:
    """Whether a path is the server's own folder or lies in it."""
    return _lies_in(parts, _SYSTEM_FOLDER)


def is_of_another_program(parts: tuple[str, ...]) -> bool:
    """Whether a path is, or lies in, what tells another program what to run."""
    return any(_fold(part) in _OBEYED_NAMES for part in parts)


def is_daily(parts: tuple[str, ...]) -> bool:
    """Whether a path is a folder of daily notes or lies in one."""
    return any(_lies_in(parts, folder) for folder in DAILY_FOLDERS)


def is_temporary(name: str) -> bool:
    """Whether a name is that of a file being written."""
    return _fold(name) == TEMPORARY_NAME


def _lies_in(parts: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    return tuple(map(_fold, parts[: len(folder)])) == folder


def _fold(name: str) -> str:
    return "".join(character for character in normalise(name) if unicodedata.category(character) != "Cf")
