"""Runs of one script that are longer than FTS5 keeps a token: whatever stands in them is found."""

import pytest

from ..workspaces import WorkspaceFolder
from .serving import serving_indexed

KANJI = "".join(map(chr, range(0x4E00, 0x9C20)))
LATIN = "".join(f"k{number}x" for number in range(9_000))


@pytest.mark.parametrize("run", [KANJI, LATIN], ids=["kanji", "latin"])
@pytest.mark.parametrize("name", ["a/x.md", "a/x.json"])
def test_every_part_of_an_endless_run_is_found(workspace: WorkspaceFolder, name: str, run: str) -> None:
    workspace.write(name, f"前\n{run}\n")
    workspace.write("a/other.md", run[:300])
    parts = [run[:2], run[900:1_100], run[10_900:10_940], run[-2_000:], run[-3:]]
    with serving_indexed(workspace) as manuals:
        for part in parts:
            found = manuals.find(part)
            assert (name[2:], 2) in found.places(), len(part)
            assert found.status == "found"
        found = manuals.find(run[5_000:5_030] + "無い")
        assert (found.status, found.lines["unexamined"]) == ("absent", 0)


def test_a_line_that_is_one_long_word_is_found_as_a_whole(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", f"前\n{KANJI[:2_000]}\n")
    with serving_indexed(workspace) as manuals:
        assert manuals.find(KANJI[:2_000]).places() == {("x.md", 2)}


def test_the_index_says_that_it_is_sound(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", f"{KANJI}\n{LATIN}\n")
    workspace.write("a/y.md", "　\n")
    with serving_indexed(workspace) as manuals:
        assert manuals.find(KANJI[:3]).summary["completeness"]["index"] == "ok"
    assert workspace.run("reindex", "--check").returncode == 0
    assert "term_counts" not in workspace.run("doctor").stdout
