"""The settings as the environment gives them."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from morenashi.indexer.config import ConfigError, read_config
from morenashi.indexer.salvage import time_stamp

from ..workspaces import WorkspaceFolder


def test_without_settings_the_defaults_hold() -> None:
    config = read_config({})
    assert (config.trace_max_keep, config.trace_ttl_sec, config.log_level) == (100, 1800, "info")
    assert (config.hard_max_sections, config.hard_max_chars, config.allow_file_scope) == (20, 20_000, False)


def test_a_workspace_may_lie_so_deep_that_sqlite_can_open_all_its_files(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 200)
    deepest = deep / ("y" * (450 - len(bytes(deep)) - 1))
    set_aside = read_config({"WORKSPACE_ROOT": str(deepest)}).database.with_name(f"morenashi.db.damaged-{time_stamp()}")
    set_aside.parent.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(set_aside)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(ConfigError, match="WORKSPACE_ROOT: its path has 451 bytes"):
        read_config({"WORKSPACE_ROOT": f"{deepest}z"})


@pytest.mark.parametrize("name", ["WORKSPACE_ROOT", "MANUALS_ROOT", "VAULT_ROOT"])
def test_a_folder_whose_name_no_disk_takes_is_refused_by_its_setting(tmp_path: Path, name: str) -> None:
    settings = {"WORKSPACE_ROOT": str(tmp_path)} | {name: str(tmp_path / ("x" * 256))}
    with pytest.raises(ConfigError, match=f"{name}: a name in its path is longer"):
        read_config(settings)


def test_without_settings_adaptation_has_the_seeds_values(tmp_path: Path) -> None:
    config = read_config({"WORKSPACE_ROOT": str(tmp_path)})
    assert (config.adaptive_tuning, config.adaptive_min_recall) == (True, 0.90)
    assert (config.adaptive_candidate_low_base, config.adaptive_file_bias_base) == (3, 0.80)
    assert config.adaptive_stats == tmp_path / "vault" / ".system" / "adaptive_stats.jsonl"


def test_without_settings_the_vault_has_the_seeds_values() -> None:
    config = read_config({})
    assert (config.vault_scan_default_chunk_lines, config.vault_scan_max_chunk_lines) == (80, 200)
    assert (config.coverage_min_ratio, config.marginal_gain_min) == (0.90, 0.02)


def test_a_smaller_chunk_at_most_is_also_the_usual_one() -> None:
    assert read_config({"VAULT_SCAN_MAX_CHUNK_LINES": "50"}).vault_scan_default_chunk_lines == 50
    with pytest.raises(ConfigError, match="VAULT_SCAN_DEFAULT_CHUNK_LINES"):
        read_config({"VAULT_SCAN_MAX_CHUNK_LINES": "50", "VAULT_SCAN_DEFAULT_CHUNK_LINES": "60"})


@pytest.mark.parametrize("path", ["data/stats.jsonl", "vault/.system/stats.jsonl"])
def test_the_statistics_may_lie_beside_the_database_or_where_the_vault_has_no_notes(tmp_path: Path, path: str) -> None:
    config = read_config({"WORKSPACE_ROOT": str(tmp_path), "ADAPTIVE_STATS_PATH": path})
    assert config.adaptive_stats == tmp_path / path


@pytest.mark.parametrize("name", ["TRACE_TTL_SEC", "TRACE_MAX_KEEP", "HARD_MAX_CHARS", "MEMORY_RATE_LIMIT"])
def test_for_ever_is_said_with_a_number_that_can_be_reckoned_with(name: str) -> None:
    read_config({name: "2000000000"})
    for endless in ("2000000001", "9" * 5_000):
        with pytest.raises(ConfigError, match=f"{name}: expected (at most 2000000000|an integer of fewer digits)$"):
            read_config({name: endless})


def test_an_empty_variable_counts_as_not_set() -> None:
    assert read_config({"TRACE_MAX_KEEP": "", "LOG_LEVEL": ""}) == read_config({})


def test_everything_lies_under_the_workspace(tmp_path: Path) -> None:
    config = read_config({"WORKSPACE_ROOT": str(tmp_path)})
    assert config.manuals == tmp_path / "manuals"
    assert config.database.is_relative_to(tmp_path)


def test_the_manuals_may_lie_elsewhere(tmp_path: Path) -> None:
    assert read_config({"WORKSPACE_ROOT": str(tmp_path), "MANUALS_ROOT": "docs"}).manuals == tmp_path / "docs"
    elsewhere = tmp_path / "elsewhere"
    assert read_config({"WORKSPACE_ROOT": "/", "MANUALS_ROOT": str(elsewhere)}).manuals == elsewhere


def test_a_linked_root_is_the_users_own_choice(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "manuals").symlink_to(tmp_path / "real")
    assert read_config({"WORKSPACE_ROOT": str(tmp_path)}).manuals == tmp_path / "real"


@pytest.mark.parametrize(
    "settings",
    [
        {"VAULT_ROOT": "manuals"},
        {"VAULT_ROOT": "manuals/notes"},
        {"VAULT_ROOT": "."},
        {"VAULT_ROOT": "data"},
        {"MANUALS_ROOT": "."},
        {"MANUALS_ROOT": "vault/manuals"},
        {"VAULT_ROOT": "linked"},
        {"VAULT_ROOT": "dictionaries"},
        {"VAULT_ROOT": "dictionaries/notes"},
    ],
)
def test_no_setting_lets_notes_be_written_over_manuals_or_data(tmp_path: Path, settings: dict[str, str]) -> None:
    (tmp_path / "manuals").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "manuals")
    with pytest.raises(ConfigError, match="VAULT_ROOT"):
        read_config({"WORKSPACE_ROOT": str(tmp_path), **settings})


@pytest.mark.parametrize("setting", ["POLICY_KEYS", "HTTP_TOKENS", "MEMORY_MODEL_FOLDER"])
def test_nobody_is_told_what_to_trust_by_what_tools_can_write(tmp_path: Path, setting: str) -> None:
    """An agent would write the key that its own policy is signed with."""
    for folder in ("vault", "own"):
        (tmp_path / folder).mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "vault")
    (tmp_path / "own" / "link").symlink_to(tmp_path / "vault" / "file")
    (tmp_path / "vault" / "link").symlink_to(tmp_path / "own" / "file")
    for place in ("vault/file", "vault/.hidden/file", "own/../vault/file", "linked/file", "own/link", "vault/link"):
        with pytest.raises(ConfigError, match=f"^{setting}: tools read and write what lies in the vault"):
            read_config({"WORKSPACE_ROOT": str(tmp_path), setting: place})
    read_config({"WORKSPACE_ROOT": str(tmp_path), setting: "own/file"})
    read_config({"WORKSPACE_ROOT": str(tmp_path), setting: "vaults"})


def test_a_link_that_leads_back_to_itself_is_no_workspace(workspace: WorkspaceFolder) -> None:
    loop = workspace.root / "loop"
    loop.symlink_to(loop)
    done = WorkspaceFolder(loop).run_program("status")
    assert "Traceback" not in done.stderr
    assert str(loop) in done.stdout + done.stderr


@pytest.mark.parametrize("written", ["true", "1", "TRUE"])
def test_a_switch_is_read(written: str) -> None:
    assert read_config({"ALLOW_FILE_SCOPE": written}).allow_file_scope


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRACE_MAX_KEEP", "0"),
        ("TRACE_MAX_KEEP", "many"),
        ("LOG_LEVEL", "loud"),
        ("WATCH", "sometimes"),
        ("ALLOW_FILE_SCOPE", "perhaps"),
        ("ADAPTIVE_TUNING", "perhaps"),
        ("ADAPTIVE_MIN_RECALL", "1.1"),
        ("ADAPTIVE_MIN_RECALL", "nan"),
        ("ADAPTIVE_CANDIDATE_LOW_BASE", "1"),
        ("ADAPTIVE_CANDIDATE_LOW_BASE", "7"),
        ("ADAPTIVE_CANDIDATE_LOW_BASE", "3.5"),
        ("ADAPTIVE_FILE_BIAS_BASE", "0.69"),
        ("ADAPTIVE_FILE_BIAS_BASE", "0.91"),
        ("ADAPTIVE_STATS_PATH", "manuals/stats.jsonl"),
        ("ADAPTIVE_STATS_PATH", "data/morenashi.db"),
        ("ADAPTIVE_STATS_PATH", "data/morenashi.db-wal"),
        ("ADAPTIVE_STATS_PATH", "vault/diary.md"),
        ("ADAPTIVE_STATS_PATH", "vault/stats.jsonl"),
        ("ADAPTIVE_STATS_PATH", "dictionaries/synonyms.txt"),
        ("MEMORY_ALLOW", "answer:task tool:contact-lookup"),
        ("MEMORY_ALLOW", "tool:*lookup"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=name):
        read_config({name: value})


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("HARD_MAX_CHARS", "many", "expected an integer"),
        ("TRACE_TTL_SEC", "0", "expected at least 1"),
        ("LOG_LEVEL", "debug", "expected 'error', 'warn' or 'info'"),
    ],
)
def test_of_a_value_that_is_refused_it_is_said_what_was_expected(name: str, value: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=f"^{name}: {expected}$"):
        read_config({name: value})


def test_no_key_is_shown_with_the_settings() -> None:
    config = read_config({"MEMORY_EMBEDDING_KEY": "key-of-the-endpoint", "HTTP_TOKEN": "token-of-the-server"})
    assert "of-the-" not in f"{config!r}{config}{config.model_dump_json()}"
