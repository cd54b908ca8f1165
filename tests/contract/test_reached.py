"""What only references lead to: followed two steps, in circles no further, each step for half the score (stage 3)."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.fixture
def chain(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """The first of four files holds the needle, each refers to the next and to the one before."""
    links = [("1.md",), ("2.md", "0.md"), ("3.md", "1.md"), ("2.md",)]
    for number, targets in enumerate(links):
        said = "鍵言葉を書く。" if number == 0 else ""
        refers = "".join(f"[別の頁]({target})を見る。" for target in targets)
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n{said}{refers}\n")
    return workspace


def test_two_steps_are_followed_and_a_circle_ends(chain: WorkspaceFolder, serve: Serve) -> None:
    assert serve().find("鍵言葉").paths() == {"0.md", "1.md", "2.md"}


def test_each_step_halves_the_score(chain: WorkspaceFolder, serve: Serve) -> None:
    scores = {item["path"]: item["score"] for item in serve().find("鍵言葉").hits()}
    assert scores["1.md"] == pytest.approx(scores["0.md"] / 2, abs=0.001)
    assert scores["2.md"] == pytest.approx(scores["0.md"] / 4, abs=0.001)
