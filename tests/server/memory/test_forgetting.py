"""A forgotten claim is in no table and in no byte."""

import contextlib
import itertools
import json
import sqlite3
from pathlib import Path

import pytest
from mcp import MCPError

from morenashi.server.commands.policy import default_policy
from morenashi.server.memory import forgetting

from ...workspaces import WorkspaceFolder
from .remembering import AT, Remembering, remembering

TEXT = "玄関の合言葉は鶺鴒と翡翠"
LONG = "".join(f"{number}番目の文には鶺鴒の項{number * 7919}がある。" for number in range(600))


def forget(memory: Remembering, claim_id: str) -> dict[str, object]:
    """By the program, beside the running server: who reads the file in its process takes SQLite's locks away."""
    done = memory.server.folder.run_program("memory", "forget", claim_id)
    assert done.returncode == 0, done.stderr
    assert "鶺鴒" not in done.stdout + done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
def test_what_is_forgotten_is_in_no_byte_of_the_files(memory: Remembering, text: str) -> None:
    others = [memory.remember(f"規約{number}は動詞から") for number in range(20)]
    graph = {"entities": [{"id": "e", "type": "Concept", "name": "鶺鴒"}]}
    claim = memory.remember(text, provenance={"at": AT, "note": "鶺鴒の件"}, **graph)
    memory.judge(claim, "helpful")
    assert memory.found("鶺鴒") == [claim]
    assert "鶺鴒".encode() in memory.file_bytes()
    receipt = forget(memory, claim)
    assert receipt["still_in"] == []
    assert receipt["searched_bytes"]
    assert "鶺鴒".encode() not in memory.file_bytes()
    assert memory.found("鶺鴒") == []
    assert set(memory.found("規約", top_k=50)) == set(others)
    assert memory.rows("SELECT count(*) FROM claim_term_counts WHERE token LIKE '%鶺%'") == [(0,)]
    assert memory.refuse("feedback", claim_id=claim, signal="helpful")["code"] == "UNKNOWN_CLAIM"
    assert memory.rows("SELECT tool, claims FROM audit_log WHERE caller = 'command'") == [
        ("memory forget", f'["{claim}"]')
    ]


def copy_database(folder: WorkspaceFolder, kind: str) -> Path:
    """A copy beside the database, as the program names backups or damaged files."""
    copy = folder.database.with_name(f"{folder.database.name}.{kind}-20260101T000000")
    with (
        contextlib.closing(sqlite3.connect(folder.database)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
    return copy


def test_what_a_merged_claim_was_said_with_is_forgotten_with_it(memory: Remembering) -> None:
    representative = memory.remember("精算期限は七日")
    for at in (AT, "2026-01-03T00:00:00Z"):
        graph = {"entities": [{"id": "e", "type": "Actor", "name": "鶺鴒"}]}
        merged = memory.remember("精算の期限は七日", provenance={"at": at, "note": "鶺鴒の件"}, **graph)
        memory.judge(merged, "duplicate")
    assert memory.found("精算") == [representative]
    (item,) = memory.search("精算", include_meta=True)["items"]
    assert [one.get("snippet") for one in item["evidences"]] == ["鶺鴒の件", "鶺鴒の件", None]
    assert memory.activate("精算", include_meta=True)["provenance"][0]["note"] == "鶺鴒の件"
    forget(memory, merged)
    assert "鶺鴒".encode() not in memory.file_bytes()
    assert memory.found("精算") == [representative]


def test_what_was_merged_into_a_forgotten_claim_is_named_as_it_is_found_again(memory: Remembering) -> None:
    """It says nearly the same: who forgets the one, and is not told of it, believes that nothing says so any more."""
    representative = memory.remember("鶺鴒の精算期限は七日")
    merged = [memory.remember(text) for text in ("鶺鴒の精算の期限は七日", "鶺鴒の精算期限は七日である")]
    for claim in merged:
        memory.judge(claim, "duplicate")
    assert memory.found("精算") == [representative]
    done = memory.server.folder.run_program("memory", "forget", representative)
    assert json.loads(done.stdout)["found_again"] == merged
    assert all(f"morenashi memory forget {claim}" in done.stderr for claim in merged)
    assert set(memory.found("精算")) == set(merged)
    assert forget(memory, merged[0])["found_again"] == []


def test_backups_forget_too(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT)
        kept = memory.remember("規約は動詞から")
    backup = copy_database(workspace, "backup")
    broken = workspace.database.with_name(f"{workspace.database.name}.backup-20260102T000000")
    broken.write_bytes(b"no database, but " + TEXT.encode())
    done = workspace.run("memory", "forget", claim)
    assert done.returncode == 0, done.stderr
    assert TEXT.encode() not in backup.read_bytes()
    assert not broken.exists()
    assert f"{broken.name} held it too" in done.stderr
    assert backup.name not in done.stderr
    with contextlib.closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("SELECT id FROM claims").fetchall() == [(kept,)]


def test_who_was_stopped_while_forgetting_does_it_again(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT)
    backup = copy_database(workspace, "backup")
    with contextlib.closing(sqlite3.connect(workspace.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        forgetting.forget(connection, claim)
    done = workspace.run("memory", "forget", claim)
    assert (done.returncode, json.loads(done.stdout)["still_in"]) == (0, []), done.stderr
    assert TEXT.encode() not in backup.read_bytes()
    assert "UNKNOWN_CLAIM" in workspace.run("memory", "forget", claim).stderr


def test_a_backup_that_is_only_locked_is_named_and_kept(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT)
    backup = copy_database(workspace, "backup")
    monkeypatch.setattr("morenashi.server.memory.forgetting._BUSY_MS", 50.0)
    with contextlib.closing(sqlite3.connect(backup, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = workspace.run("memory", "forget", claim)
    assert (done.returncode, json.loads(done.stdout)["still_in"]) == (1, [backup.name])
    assert backup.exists()


def test_backups_forget_a_claim_whose_words_others_say_too(workspace: WorkspaceFolder) -> None:
    """What came with it is its own, whoever else says its text; and a backup may come into use again."""
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT, provenance={"at": AT, "note": "葉子から"})
        kept = memory.remember(f"{TEXT}である")
    backup, damaged = (copy_database(workspace, kind) for kind in ("backup", "damaged"))
    done = workspace.run("memory", "forget", claim)
    receipt = json.loads(done.stdout)
    assert (done.returncode, receipt["still_in"], receipt["said_elsewhere"]) == (1, [damaged.name], True)
    assert "葉子".encode() not in backup.read_bytes()
    with contextlib.closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("SELECT id FROM claims").fetchall() == [(kept,)]


def test_a_damaged_file_that_still_holds_the_text_is_named(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT)
    damaged = workspace.database.with_name(f"{workspace.database.name}.damaged-20260101T000000")
    damaged.write_bytes(b"x" * 100 + TEXT.encode())
    done = workspace.run("memory", "forget", claim)
    assert done.returncode == 1
    assert json.loads(done.stdout)["still_in"] == [damaged.name]


def test_what_is_named_as_the_database_and_is_no_file_of_it_is_passed_over(workspace: WorkspaceFolder) -> None:
    """A folder, and a link to what is not there: a disk for backups, say."""
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT)
    name = workspace.database.name
    copies, away = (workspace.database.with_name(f"{name}.{end}") for end in ("backup-copies", "away"))
    copies.mkdir()
    away.symlink_to("gone")
    done = workspace.run("memory", "forget", claim)
    assert done.returncode == 0
    assert {copies.name, away.name}.isdisjoint(json.loads(done.stdout)["searched_bytes"])


def test_a_log_that_goes_while_files_are_searched_is_passed_over(
    workspace: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the last process that has it open."""
    with remembering(workspace) as memory:
        claim = memory.remember(TEXT)
    gone = workspace.database.with_name(f"{workspace.database.name}-wal")
    list_files = forgetting._files
    monkeypatch.setattr(forgetting, "_files", lambda database: [*list_files(database), gone])
    assert gone.name not in json.loads(workspace.run("memory", "forget", claim).stdout)["searched_bytes"]


def test_a_file_that_holds_a_part_of_a_long_text_is_named(workspace: WorkspaceFolder) -> None:
    """Its beginning, its end or what lies between, also where two blocks of those that are read meet."""
    with remembering(workspace) as memory:
        claim = memory.remember(LONG)
    parts = LONG.encode()[:48], LONG.encode()[5_000:5_400], LONG.encode()[-48:]
    for day, (before, part) in enumerate(itertools.product((100, (1 << 20) - 24), parts), 1):
        damaged = workspace.database.with_name(f"{workspace.database.name}.damaged-2026010{day}T000000")
        damaged.write_bytes(b"x" * before + part)
    names = sorted(path.name for path in workspace.database.parent.glob("*.damaged-*"))
    assert len(names) == 6
    assert json.loads(workspace.run("memory", "forget", claim).stdout)["still_in"] == names


def test_what_nobody_else_says_is_not_said_elsewhere_however_long_it_is(workspace: WorkspaceFolder) -> None:
    lengths = (48, 49, 257, 305)
    with remembering(workspace) as memory:
        claims = [memory.remember("".join(f"{n * length}e" for n in range(200))[:length]) for length in lengths]
    for claim in claims:
        receipt = json.loads(workspace.run("memory", "forget", claim).stdout)
        assert (receipt["still_in"], receipt["said_elsewhere"]) == ([], False)


def test_the_full_text_index_keeps_no_word_of_what_is_forgotten(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as memory:
        claim = memory.remember("zyxwvutsrq")
        assert b"zyxwvutsrq" in b"".join(row[0] for row in memory.rows("SELECT block FROM claim_tokens_data"))
    workspace.run("memory", "forget", claim)
    assert b"zyxwvutsrq" not in workspace.database.read_bytes()


def test_what_is_counted_of_a_claim_still_is_a_trace_of_it(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as memory:
        claim = memory.remember("鶺鴒")
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection, connection:
        connection.execute("INSERT INTO claim_term_counts (token, layer, claims) VALUES ('鶺鴒', 'z', 1)")
    receipt = json.loads(workspace.run("memory", "forget", claim).stdout)
    assert (receipt["still_in"], receipt["said_elsewhere"]) == ([workspace.database.name], False)


@pytest.mark.parametrize("text", ["API Guide", "Blue Whale", "CREATE TABLE claims", "default"])
def test_words_that_stand_in_a_title_a_graph_a_policy_or_the_schema_are_no_trace(
    workspace: WorkspaceFolder, text: str
) -> None:
    workspace.write("a/x.md", "# API Guide\n\n宿泊料\n")
    workspace.run("reindex")
    with remembering(workspace, default_policy()) as memory:
        entity = {"id": "e", "type": "Concept", "name": "x", "canonical_key": "Blue Whale"}
        memory.remember("鯨の話", entities=[entity])
        claim = memory.remember(text)
        receipt = forget(memory, claim)
    assert (receipt["still_in"], receipt["said_elsewhere"]) == ([], True)


def test_nobody_is_told_to_delete_the_database(memory: Remembering) -> None:
    claim = memory.remember(TEXT)
    folder = memory.server.folder.in_haste("server.memory.forgetting", "_BUSY_MS", 300)
    with contextlib.closing(sqlite3.connect(folder.database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM claims").fetchone()
        done = folder.run_program("memory", "forget", claim)
    assert done.returncode == 1
    assert "delete" not in done.stderr
    assert "morenashi reindex" in done.stderr


def test_no_other_claim_stands_where_a_forgotten_one_stood(memory: Remembering) -> None:
    claim = memory.remember(TEXT)
    context = memory.activate("鶺鴒")["active_context_id"]
    forget(memory, claim)
    memory.remember("会議は水曜")
    assert memory.rows("SELECT number FROM claims") == [(1,)]
    with pytest.raises(MCPError):
        memory.server.portal.call(lambda: memory.server.client.read_resource(f"memory://active-context/{context}"))


def test_words_that_others_say_too_are_no_trace(memory: Remembering) -> None:
    claim, other = memory.remember("鶺鴒"), memory.remember("鶺鴒と翡翠")
    receipt = forget(memory, claim)
    assert (receipt["still_in"], receipt["said_elsewhere"]) == ([], True)
    assert memory.found("鶺鴒") == [other]


def test_an_unknown_claim_cannot_be_forgotten(memory: Remembering) -> None:
    done = memory.server.folder.run("memory", "forget", "clm_none")
    assert done.returncode == 2
    assert "UNKNOWN_CLAIM" in done.stderr
