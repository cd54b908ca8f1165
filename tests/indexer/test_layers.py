"""The indexer stands on its own: nothing of the server, and no circle among its files."""

import ast
from collections.abc import Iterator
from pathlib import Path

import morenashi.indexer

FOLDER = Path(morenashi.indexer.__file__).parent


def imported(file: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = f"morenashi.{'indexer.' if node.level == 1 else ''}" if node.level else ""
            yield f"{base}{node.module or ''}".rstrip(".")
            yield from (f"{base}{node.module + '.' if node.module else ''}{alias.name}" for alias in node.names)


def test_nothing_of_the_server_is_imported() -> None:
    for file in FOLDER.glob("*.py"):
        assert not [name for name in imported(file) if name.startswith("morenashi.server")], file.name


def test_imports_make_no_circle() -> None:
    names = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    below = {
        name: {full.split(".")[2] for full in imported(FOLDER / f"{name}.py") if full.startswith("morenashi.indexer.")}
        & names
        for name in names
    }
    while below:
        lowest = {name for name, others in below.items() if not others & below.keys()}
        assert lowest, f"a circle among {sorted(below)}"
        below = {name: others for name, others in below.items() if name not in lowest}
