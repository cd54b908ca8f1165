"""`morenashi init`: with home folders and search paths made for the test."""

import argparse
import contextlib
import io
import json
import pwd
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.server.commands.client_blocks import CLIENTS, ClientKind, find_clients, running_command, serve_command
from morenashi.server.commands.init import run
from morenashi.server.entry import main
from morenashi.server.errors import ToolError

from ..workspaces import WorkspaceFolder, clean_environment, without_permission

README = Path(__file__).parents[2] / "README.md"
KEYS = [client.key for client in CLIENTS]


@dataclass(frozen=True)
class Done:
    """How the command ended, and what it wrote."""

    code: int
    out: str
    err: str


def init(root: Path, *, client: str | None = None, home: Path | None = None, **settings: str) -> Done:
    """Run the command where no client is installed but those of this home folder."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setenv("HOME", str(home or root.parent))
        patch.setenv("PATH", "")
        code = run(argparse.Namespace(client=client), WorkspaceFolder(root).config(**settings))
    return Done(code, out.getvalue(), err.getvalue())


def everything(root: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
    }


def test_a_workspace_is_made_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    root = tmp_path / "new" / "workspace"
    assert init(root).code == 0
    assert set(everything(root)) == {
        ".gitignore",
        "manuals",
        "vault",
        "dictionaries",
        "dictionaries/synonyms.txt",
        "dictionaries/okurigana.txt",
        "dictionaries/verbs.txt",
        "dictionaries/exceptions.txt",
    }


def test_the_folder_can_stand_by_itself(tmp_path: Path) -> None:
    """And an environment without a home folder is no reason to fail."""
    environment = {name: value for name, value in clean_environment().items() if name not in ("HOME", "PATH")}
    command = [*WorkspaceFolder(tmp_path).command("init")[:4], str(tmp_path / "mine")]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    assert (tmp_path / "mine" / "manuals").is_dir()


@pytest.mark.parametrize("arguments", [("--workspace", "one", "other"), ("other", "--workspace", "one")])
def test_two_folders_are_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["init", *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "--workspace" in said
    assert "not allowed with argument" in said
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    (root / "dictionaries").mkdir(parents=True)
    (root / "dictionaries" / "synonyms.txt").write_text("甲, 乙\n")
    (root / ".gitignore").write_text("*.pyc\n")
    (root / "vault").mkdir()
    (root / "vault" / "note.md").write_text("# 題\n")
    before = everything(root)
    done = init(root)
    assert "add the line /data/" in done.err
    assert everything(root).items() >= before.items()


def test_documents_beside_the_manuals_are_said_not_to_be_searched(tmp_path: Path) -> None:
    (tmp_path / "就業規則.md").write_text("# 題\n")
    assert "1 Markdown file beside manuals/ is not searched there: 就業規則.md" in init(tmp_path).err
    (tmp_path / "manuals" / "m").mkdir()
    assert "not searched" not in init(tmp_path).err


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    first = init(tmp_path / "workspace")
    before = everything(tmp_path / "workspace")
    second = init(tmp_path / "workspace")
    assert everything(tmp_path / "workspace") == before
    assert (second.code, second.out) == (0, first.out)
    assert "made" not in second.err


def test_git_ignores_the_data_and_keeps_the_rest(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    init(root)
    (root / "data").mkdir()
    (root / "data" / "morenashi.db").touch()
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    seen = subprocess.run(
        ["git", "-C", str(root), "status", "--porcelain", "-uall"], capture_output=True, text=True, check=True
    )
    assert "data/" not in seen.stdout
    assert "dictionaries/synonyms.txt" in seen.stdout


def test_the_examples_of_the_dictionaries_mean_nothing_until_they_are_taken_up(tmp_path: Path) -> None:
    init(tmp_path / "workspace")
    assert load_dictionaries(tmp_path / "workspace" / "dictionaries") == load_dictionaries(tmp_path / "none")


def test_the_examples_of_the_dictionaries_can_be_taken_up(tmp_path: Path) -> None:
    init(tmp_path / "workspace")
    folder = tmp_path / "workspace" / "dictionaries"
    examples = {
        "synonyms.txt": "# sign-in",
        "okurigana.txt": "# 焼",
        "verbs.txt": "# 締",
        "exceptions.txt": "# [exclusion]",
    }
    for name, beginning in examples.items():
        path = folder / name
        text = path.read_text("utf-8")
        head, _, rest = text.partition(beginning)
        lines = (beginning + rest).splitlines()
        path.write_text(head + "\n".join(line.removeprefix("# ") for line in lines if "in front" not in line))
    own = load_dictionaries(folder)
    assert "login" in own.synonyms["ログイン"]
    assert "焼戻し" in own.spellings["焼き戻し"]
    assert "決算" in own.verbs["締め"]
    assert own.digest != load_dictionaries(tmp_path / "none").digest


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "manuals").touch()
    with pytest.raises(ToolError, match=f"{tmp_path / 'manuals'} cannot be made"):
        init(tmp_path)


def test_another_folder_of_manuals_is_made_where_it_is_configured(tmp_path: Path) -> None:
    init(tmp_path / "workspace", MANUALS_ROOT=str(tmp_path / "books"))
    assert (tmp_path / "books").is_dir()
    assert not (tmp_path / "workspace" / "manuals").exists()


@pytest.mark.parametrize("client", CLIENTS, ids=KEYS)
def test_a_client_is_found_by_its_folders(tmp_path: Path, client: ClientKind) -> None:
    for folder in client.folders:
        (tmp_path / folder).mkdir(parents=True)
    assert client in find_clients(tmp_path, "")


@pytest.mark.parametrize("client", [client for client in CLIENTS if client.programs], ids=lambda client: client.key)
def test_a_client_is_found_by_its_command(tmp_path: Path, client: ClientKind) -> None:
    program = tmp_path / client.programs[0]
    program.touch(mode=0o755)
    assert find_clients(tmp_path / "home", str(tmp_path)) == [client]


def test_a_user_without_a_name_or_a_home_gets_a_workspace(tmp_path: Path) -> None:
    def unknown(number: int) -> pwd.struct_passwd:
        raise KeyError(number)

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HOME", raising=False)
        patch.setattr(pwd, "getpwuid", unknown)
        done = WorkspaceFolder(tmp_path / "workspace").run("init", PATH="")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no client was found here" in done.stderr


def test_a_home_that_may_not_be_entered_shows_no_client(ordinary_workspace: WorkspaceFolder) -> None:
    home = ordinary_workspace.write("../home/.claude/settings.json", "{}").parents[1]
    with without_permission(home):
        done = ordinary_workspace.run("init", HOME=str(home), PATH="")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no client was found here" in done.stderr


def test_only_the_blocks_of_what_is_here_are_printed_and_nothing_of_theirs_is_changed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".cursor").mkdir(parents=True)
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text('model = "x"\n')
    before = everything(home)
    done = init(tmp_path / "workspace", home=home)
    assert [line.partition(":")[0] for line in done.out.splitlines() if ": add this" in line] == ["Codex", "Cursor"]
    assert everything(home) == before


def test_where_no_client_is_found_it_is_said_how_to_get_a_block(tmp_path: Path) -> None:
    done = init(tmp_path / "workspace", home=tmp_path)
    assert done.out == ""
    assert "no client was found here; `--client NAME`" in done.err


def test_a_client_that_is_not_known_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="claude-code, claude-desktop"):
        init(tmp_path / "workspace", client="emacs")
    assert not (tmp_path / "workspace").exists()


@pytest.mark.parametrize("client", CLIENTS, ids=KEYS)
def test_a_client_is_known_in_any_case_and_by_the_name_that_is_shown(tmp_path: Path, client: ClientKind) -> None:
    block = init(tmp_path / "workspace", client=client.key).out
    for name in (client.key.upper(), client.key.title(), client.name):
        assert init(tmp_path / "workspace", client=name).out == block


def test_help_lists_the_clients(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["init", "--help"])
    shown = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    assert f"print the block of this client alone: {', '.join(KEYS)}" in shown


def command_of(key: str, block: str) -> list[str]:
    """The command that a client would run for its block."""
    if key == "claude-code":
        return shlex.split(block.partition(" -- ")[2])
    tables = tomllib.loads(block) if key == "codex" else json.loads(block)
    (servers,) = tables.values()
    (server,) = servers.values()
    return [server["command"], *server["args"]]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", ["plain", "わが社 の '規程' \"第1\" \\ $HOME\x7f", "規程\u2028第1"])
def test_what_the_block_of_a_client_runs_is_this_program_on_this_workspace(tmp_path: Path, key: str, name: str) -> None:
    root = tmp_path / name
    command = command_of(key, init(root, client=key).out)
    assert command == [sys.executable, "-m", "morenashi", "serve", "--workspace", str(root)]


def test_a_program_on_the_path_is_named_in_full(tmp_path: Path) -> None:
    assert running_command([str(tmp_path / "morenashi"), "init"], tmp_path, {}) == (str(tmp_path / "morenashi"),)


def test_of_what_was_unpacked_for_one_run_the_unpacker_is_named(tmp_path: Path) -> None:
    prefix = tmp_path / "cache" / "archive-v0" / "abc"
    arguments = [str(prefix / "bin" / "morenashi"), "init"]
    assert running_command(arguments, prefix, {"UV": "/usr/bin/uv"}) == ("/usr/bin/uv", "tool", "run", "morenashi")


def test_of_what_pipx_keeps_for_a_fortnight_pipx_is_named(tmp_path: Path) -> None:
    pipx = tmp_path / "bin" / "pipx"
    pipx.parent.mkdir()
    pipx.touch(0o755)
    where = {"PATH": str(pipx.parent)}
    for cache in (tmp_path / ".cache" / "pipx", tmp_path / "own" / ".cache"):
        program = str(cache / "0123" / "bin" / "morenashi")
        assert running_command([program], cache / "0123", where) == (str(pipx), "run", "morenashi")
        assert running_command([program], cache / "0123", {"PATH": ""}) == (program,)
    installed = tmp_path / "pipx" / "venvs" / "morenashi"
    assert running_command([str(installed / "bin" / "morenashi")], installed, where)[0].startswith(str(installed))


def test_claude_code_is_told_of_the_server_in_every_folder() -> None:
    """Without a scope it would know it in the folder alone in which the command is run."""
    (claude,) = (client for client in CLIENTS if client.key == "claude-code")
    assert claude.write(("morenashi", "serve")) == "claude mcp add --scope user morenashi -- morenashi serve"


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
@pytest.mark.parametrize("client", CLIENTS, ids=KEYS)
def test_the_pages_show_the_same_blocks(page: str, client: ClientKind) -> None:
    block = client.write(serve_command(("/full/path/to/morenashi",), Path("/path/to/workspace")))
    assert block in (README.parent / page).read_text("utf-8")
