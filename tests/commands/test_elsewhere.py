"""Commands that are run in another folder than the workspace's: said as such, and nothing is left there."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from morenashi.server.cli import _parser
from morenashi.server.edge.serve_options import ServeOptions
from morenashi.server.edge.shim.shim import run as run_shim

from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    "line",
    [
        "reindex",
        "reindex --check",
        "trace list",
        "trace show tr_1",
        "trace replay tr_1",
        "explain-miss 規則/rules.md:9 届出",
        "policy history",
        "memory list",
        "memory export",
        "memory forget clm_1",
        "audit verify",
    ],
)
def test_where_there_is_no_workspace_a_command_says_how_to_name_it_and_makes_nothing(line: str, tmp_path: Path) -> None:
    refused = WorkspaceFolder(tmp_path).run(*line.split())
    assert refused.returncode == 2
    assert "`--workspace` names a workspace that is elsewhere, `morenashi init` makes one" in refused.stderr
    assert not refused.stdout
    assert not list(tmp_path.iterdir())


def lines_that_take_a_workspace(parser: argparse.ArgumentParser, verbs: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """The beginning of each command line, up to the folder."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from lines_that_take_a_workspace(inner, (*verbs, name))
        elif action.dest == "workspace":
            yield [*verbs, *action.option_strings]


@pytest.mark.parametrize("line", list(lines_that_take_a_workspace(_parser())), ids=" ".join)
def test_an_empty_folder_is_refused_and_is_not_the_current_one(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        _parser().parse_args([*line, ""])
    assert ended.value.code == 2
    assert "expected a folder, got an empty text" in capsys.readouterr().err


def test_stop_says_where_it_looked_if_that_is_no_workspace(tmp_path: Path, workspace: WorkspaceFolder) -> None:
    elsewhere, here = WorkspaceFolder(tmp_path / "elsewhere").run("stop"), workspace.run("stop")
    assert (elsewhere.returncode, elsewhere.stdout) == (here.returncode, here.stdout) == (0, "no daemon runs\n")
    assert "elsewhere is no workspace; `--workspace` names a workspace" in elsewhere.stderr
    assert not here.stderr


def test_without_the_folder_of_the_manuals_what_asks_the_files_starts_with_the_errors_code(
    workspace: WorkspaceFolder,
) -> None:
    workspace.run("reindex")
    workspace.manuals.rename(workspace.root / "away")
    refused = workspace.run("explain-miss", "規則/rules.md:9", "届出")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"morenashi: not_found: {workspace.manuals} cannot be opened: ")


@pytest.mark.parametrize("line", ["reindex", "reindex --check", "explain-miss m/x.md:1 届出"])
def test_a_setting_that_names_no_folder_of_manuals_is_named_itself(workspace: WorkspaceFolder, line: str) -> None:
    workspace.run("reindex")
    refused = workspace.run(*line.split(), MANUALS_ROOT="manual")
    assert refused.returncode == 2
    assert f"{workspace.root / 'manual'} " in refused.stderr
    assert "MANUALS_ROOT names it" in refused.stderr
    assert "--workspace" not in refused.stderr


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder is one that was deleted."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()


@pytest.mark.usefixtures("nowhere")
def test_in_a_folder_that_was_deleted_a_workspace_has_to_be_named_with_its_whole_path(
    workspace: WorkspaceFolder,
) -> None:
    for root in ("workspace", "."):
        for line in ("status", "doctor", "init"):
            refused = WorkspaceFolder(Path(root)).run(line)
            assert (refused.returncode, "the current folder was deleted" in refused.stderr) == (2, True)
    assert run_shim(ServeOptions()) is None
    workspace.write("m/x.md", "# 題\n")
    assert workspace.run("doctor").returncode == 0
    assert workspace.run("explain-miss", "m/x.md:1", "題").returncode == 0
    assert workspace.run("memory", "export", "claims.jsonl").returncode == 2
