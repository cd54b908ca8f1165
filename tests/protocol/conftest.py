"""A folder on which calls take a while, and servers of it in both eras."""

from collections.abc import Iterator

import pytest

from ..workspaces import WorkspaceFolder, make_workspace
from .connecting import ERAS, Connection, connected

FILES, SECTIONS, ELEMENTS = 8, 100, 1_000


@pytest.fixture(scope="session")
def busy_folder(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    """Manuals and notes that hold the same words over and over, and a long flowchart with its source."""
    folder = make_workspace(tmp_path_factory.mktemp("busy") / "workspace")
    vault = folder.root / "vault"
    vault.mkdir()
    for name in range(FILES):
        text = "".join(f"# 題{n}\n\n鍵言葉は{name}と{n}の言葉。\n申請の期限を書く。\n\n" for n in range(SECTIONS))
        folder.write(f"m/{name}.md", text)
        (vault / f"{name}.md").write_text(text, "utf-8")
    steps = "\n".join(f"  n{n}[{n}<br>source_lines: {n + 1}] --> n{n + 1}" for n in range(ELEMENTS))
    (vault / "flow.md").write_text(f"```mermaid\nflowchart TD\n{steps}\n```\n", "utf-8")
    (vault / "hiragana.txt").write_text(("かきくけこさしすせそたちつてと" * 40 + "\n") * 300, "utf-8")
    (vault / "source.md").write_text("".join(f"{n} 行目\n" for n in range(ELEMENTS)), "utf-8")
    return folder


@pytest.fixture(scope="session", params=ERAS)
def busy(busy_folder: WorkspaceFolder, request: pytest.FixtureRequest) -> Iterator[Connection]:
    with connected(busy_folder, request.param, WATCH="off") as connection:
        yield connection
