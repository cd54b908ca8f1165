"""`morenashi policy`: run to its end as people run it."""

import contextlib
import sqlite3
from base64 import b64encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from morenashi.indexer.terminal import TOO_NEW
from morenashi.indexer.writer_lock import hold_writer_lock

from ...workspaces import WorkspaceFolder
from ..serving import ask_database, serving
from .policies import EXAMPLE, policy_with


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(EXAMPLE, "utf-8")
    return path


def test_a_default_policy_is_one_command_away_and_never_replaces_another(workspace: WorkspaceFolder) -> None:
    first, second = (workspace.run("policy", "init") for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert "version 1.0.0 is in force" in first.stderr
    assert second.returncode == 2
    assert "applied already" in second.stderr


def test_a_policy_for_a_workspace_elsewhere_makes_none_where_the_command_is_run(tmp_path: Path) -> None:
    refused = WorkspaceFolder(tmp_path).run("policy", "init")
    assert refused.returncode == 2
    assert f"{tmp_path} is no workspace; `--workspace` names a workspace" in refused.stderr
    assert not list(tmp_path.iterdir())


def test_the_default_policy_can_be_printed_without_applying_it(workspace: WorkspaceFolder) -> None:
    printed = workspace.run("policy", "init", "--print")
    assert "boundary_classes:" in printed.stdout
    assert not workspace.database.exists()


def test_what_would_change_is_shown_before_it_is_applied(workspace: WorkspaceFolder, policy_file: Path) -> None:
    workspace.run("policy", "init")
    shown = workspace.run("policy", "diff", str(policy_file))
    assert shown.returncode == 1
    assert "version: 1.0.0 -> 0.1.0" in shown.stdout.splitlines()
    assert workspace.run("policy", "apply", str(policy_file)).stdout == shown.stdout
    same = workspace.run("policy", "diff", str(policy_file))
    assert (same.returncode, same.stdout) == (0, "")


def test_the_history_names_every_application_the_latest_first(workspace: WorkspaceFolder, policy_file: Path) -> None:
    workspace.run("policy", "init")
    workspace.run("policy", "apply", str(policy_file), "--approver", "aoi")
    latest, first = workspace.run("policy", "history").stdout.splitlines()
    assert latest.split()[1] == "0.1.0"
    assert latest.endswith("aoi")
    assert first.split()[1] == "1.0.0"


def test_every_policy_that_comes_into_force_is_in_the_audit_log(workspace: WorkspaceFolder, policy_file: Path) -> None:
    workspace.run("policy", "init")
    workspace.run("policy", "diff", str(policy_file))
    workspace.run("policy", "apply", str(policy_file))
    workspace.run("policy", "apply", str(policy_file), "--expected-version", "9.9.9")
    logged = ask_database(workspace, "SELECT tool, caller, decision, policy_version FROM audit_log ORDER BY number")
    assert logged == [
        ("policy init", "command", "allowed", "1.0.0"),
        ("policy apply", "command", "allowed", "0.1.0"),
    ]
    assert workspace.run("audit", "verify").returncode == 0


def test_a_policy_is_applied_beside_a_running_server(workspace: WorkspaceFolder, policy_file: Path) -> None:
    with serving(workspace) as server:
        server.workspace.wait_until_ready()
        applied = workspace.run("policy", "apply", str(policy_file))
        assert applied.returncode == 0, applied.stderr
    assert ask_database(workspace, "SELECT version FROM policies") == [("0.1.0",)]
    assert ask_database(workspace, "SELECT tool, policy_version FROM audit_log") == [("policy apply", "0.1.0")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("version: 1", "INVALID_POLICY: boundary_classes: expected a value: it is required"),
        (policy_with("extra: 1"), "INVALID_POLICY: extra"),
    ],
)
def test_what_is_no_policy_is_refused(workspace: WorkspaceFolder, policy_file: Path, content: str, said: str) -> None:
    policy_file.write_text(content)
    refused = workspace.run("policy", "apply", str(policy_file))
    assert refused.returncode == 2
    assert said in refused.stderr


@pytest.mark.parametrize(("wrong", "lines", "last"), [(3, 3, "x2 (line 10)"), (12, 11, "and 2 more")])
def test_all_that_is_wrong_with_a_policy_is_said_at_once(
    workspace: WorkspaceFolder, policy_file: Path, wrong: int, lines: int, last: str
) -> None:
    policy_file.write_text(policy_with("\n".join(f"x{number}: 1" for number in range(wrong))))
    for action in ("apply", "diff"):
        said = workspace.run("policy", action, str(policy_file)).stderr.splitlines()
        assert (len(said), said[0].startswith("morenashi: INVALID_POLICY: x0 (line 8): ")) == (lines, True)
        assert said[-1].startswith(last)


def test_a_file_that_cannot_be_read_is_named(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    refused = workspace.run("policy", "apply", str(tmp_path / "none.yaml"))
    assert refused.returncode == 2
    assert "none.yaml cannot be read: No such file" in refused.stderr


def test_a_history_without_a_policy_says_how_to_begin_one(workspace: WorkspaceFolder) -> None:
    assert workspace.run("reindex").returncode == 0
    told = workspace.run("policy", "history")
    assert (told.returncode, told.stdout) == (0, "")
    assert "no policy was applied yet; `morenashi policy init`" in told.stderr


def test_where_keys_are_set_the_command_too_needs_a_signature(workspace: WorkspaceFolder, policy_file: Path) -> None:
    (workspace.root / "keys").write_text("aoi " + "A" * 43 + "=\n")
    refused = workspace.run("policy", "apply", str(policy_file), POLICY_KEYS="keys")
    assert refused.returncode == 2
    assert "UNAUTHORIZED" in refused.stderr


def test_what_would_change_is_shown_of_a_policy_that_nobody_has_signed_yet(
    workspace: WorkspaceFolder, policy_file: Path
) -> None:
    workspace.run("policy", "init")
    (workspace.root / "keys").write_text("aoi " + "A" * 43 + "=\n")
    shown = workspace.run("policy", "diff", str(policy_file), POLICY_KEYS="keys")
    assert (shown.returncode, shown.stdout.splitlines()[0]) == (1, "version: 1.0.0 -> 0.1.0")
    refused = workspace.run("policy", "diff", str(policy_file), "--signature", "AAAA", POLICY_KEYS="keys")
    assert (refused.returncode, "UNAUTHORIZED" in refused.stderr) == (2, True)


def test_a_policy_is_signed_with_the_line_breaks_that_its_file_has(
    workspace: WorkspaceFolder, policy_file: Path
) -> None:
    signer = Ed25519PrivateKey.generate()
    (workspace.root / "keys").write_text(f"aoi {b64encode(signer.public_key().public_bytes_raw()).decode()}\n")
    policy_file.write_bytes(EXAMPLE.replace("\n", "\r\n").encode())
    signature = b64encode(signer.sign(policy_file.read_bytes())).decode()
    applied = workspace.run("policy", "apply", str(policy_file), "--signature", signature, POLICY_KEYS="keys")
    assert applied.returncode == 0, applied.stderr


@pytest.mark.parametrize("command", ["policy", "memory"])
def test_a_newer_versions_database_is_not_written(
    workspace: WorkspaceFolder, policy_file: Path, tmp_path: Path, command: str
) -> None:
    (tmp_path / "claims.jsonl").touch()
    asked = {"policy": ("apply", str(policy_file)), "memory": ("import", str(tmp_path / "claims.jsonl"))}[command]
    workspace.run("policy", "init")
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection:
        connection.execute("INSERT INTO _sqlite_migrations VALUES (99, 'morenashi', 'm0099_of_tomorrow', '2030')")
        connection.commit()
    before = workspace.database.read_bytes()
    alone = workspace.run(command, *asked)
    with hold_writer_lock(workspace.database):
        beside = workspace.run(command, *asked)
    assert [(done.returncode, "newer" in done.stderr) for done in (alone, beside)] == [(TOO_NEW, True)] * 2
    assert workspace.database.read_bytes() == before


def test_a_default_policy_does_not_replace_one_that_is_not_taken_any_more(workspace: WorkspaceFolder) -> None:
    workspace.run("policy", "init")
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection:
        connection.execute("UPDATE policies SET yaml = 'version: 1'")
        connection.commit()
    refused = workspace.run("policy", "init")
    assert refused.returncode == 2
    assert "applied already" in refused.stderr
