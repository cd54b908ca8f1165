"""Moving memory by `memory export` and `memory import` gives back what was moved, and lets in nothing else."""

import errno
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from morenashi.server.memory import importing

from ...workspaces import WorkspaceFolder, make_workspace, without_room
from .policies import EXAMPLE
from .remembering import AT, Remembering, remembering


def fill(memory: Remembering) -> None:
    git = {"at": AT, "git": {"commit": "abc1234", "repo": "r", "files": ["a.md"]}}
    memory.remember("解約は非同期", provenance=git)
    memory.remember("解約は非同期", provenance={"at": AT, "note": "ADR"})
    entities = [{"id": "e1", "type": "Actor", "name": "営業", "attrs": {"z": 1, "a": [2, "三"]}}]
    relations = [{"id": "r1", "src_id": "e1", "dst_id": "e2", "type": "owns", "props": {"b": 1}}]
    claim = memory.remember("営業が解約を受ける", kind="task", scope="session", entities=entities, relations=relations)
    memory.judge(claim, "helpful", score=0.5)
    memory.remember("解約のAPIは非同期で呼ぶ")
    memory.judge(memory.remember("解約のAPIは非同期で呼ぶこと"), "duplicate")


def test_an_export_that_fails_leaves_the_one_before(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    kept = tmp_path / "claims.jsonl"
    with remembering(workspace) as memory:
        for number in range(20):
            memory.remember(f"規則{number} " + "、".join(f"項目{number * place}" for place in range(500)))
    assert workspace.run("memory", "export", str(kept)).returncode == 0
    before = kept.read_bytes()
    # More than SQLite needs to read.
    with without_room(100_000):
        failed = workspace.run("memory", "export", str(kept))
    said = f"morenashi: forbidden: {kept} cannot be written: {os.strerror(errno.EFBIG)}\n"
    assert (failed.returncode, failed.stderr) == (2, said)
    assert (kept.read_bytes(), list(tmp_path.glob(".claims*"))) == (before, [])


def test_where_nothing_can_be_written_an_export_says_so(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    with remembering(workspace):
        (tmp_path / "file").write_text("x", "utf-8")
        longest = tmp_path / ("n" * 255)
        for place, why in (
            (tmp_path / "file" / "x", errno.ENOTDIR),
            (longest.with_name("n" * 256), errno.ENAMETOOLONG),
            (tmp_path / "none" / "x", errno.ENOENT),
        ):
            refused = workspace.run("memory", "export", str(place))
            said = f"morenashi: forbidden: {place} cannot be written: {os.strerror(why)}\n"
            assert (refused.returncode, refused.stderr) == (2, said)
        assert workspace.run("memory", "export", str(longest)).returncode == 0
        assert longest.is_file()


def test_an_export_over_a_file_keeps_who_may_read_it(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    kept = tmp_path / "claims.jsonl"
    kept.touch(0o600)
    with remembering(workspace):
        assert workspace.run("memory", "export", str(kept)).returncode == 0
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_new_export_is_for_its_owner_alone(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    with remembering(workspace) as memory:
        memory.remember("窓口は taro@example.com")
    assert workspace.run("memory", "export", str(tmp_path / "claims.jsonl")).returncode == 0
    assert (tmp_path / "claims.jsonl").stat().st_mode & 0o777 == 0o600


def test_what_is_exported_and_read_back_is_the_same(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    with remembering(workspace) as memory:
        fill(memory)
        found = memory.search("解約", include_meta=True)["items"]
    exported = workspace.run("memory", "export")
    lines = exported.stdout
    assert len(lines.splitlines()) == 4
    assert exported.stderr == "4 claims written\n"
    assert workspace.run("memory", "export").stdout == lines
    other = make_workspace(tmp_path / "other")
    (tmp_path / "lines.jsonl").write_text(lines, "utf-8")
    (tmp_path / "policy.yaml").write_text(EXAMPLE, "utf-8")
    assert other.run("memory", "import", str(tmp_path / "lines.jsonl")).returncode == 2
    assert other.run("policy", "apply", str(tmp_path / "policy.yaml")).returncode == 0
    for expected in ("4 claims taken, 0", "0 claims taken, 4"):
        done = other.run("memory", "import", str(tmp_path / "lines.jsonl"))
        assert done.returncode == 0
        assert expected in done.stderr
    assert other.run("memory", "export").stdout == lines
    with remembering(other) as memory:
        again = memory.search("解約", include_meta=True)["items"]
    assert [item["claim"] for item in again] == [item["claim"] for item in found]
    assert [item["evidences"] for item in again] == [item["evidences"] for item in found]


@pytest.mark.parametrize("last", [b'{"format": 1}', b"no claim", b"\xff", b'{"format": "\xff"}', b"\xef\xbb\xbf{}"])
def test_a_line_that_is_no_claim_undoes_the_import(workspace: WorkspaceFolder, tmp_path: Path, last: bytes) -> None:
    with remembering(workspace) as memory:
        fill(memory)
    lines = workspace.run("memory", "export").stdout.replace("解約", "契約").replace("clm_", "clm_x")
    (tmp_path / "lines.jsonl").write_bytes(lines.encode() + last + b"\n")
    done = workspace.run("memory", "import", str(tmp_path / "lines.jsonl"))
    assert done.returncode == 2
    assert "line 5: " in done.stderr
    assert ": :" not in done.stderr
    assert len(workspace.run("memory", "export").stdout.splitlines()) == 4


def test_a_secret_in_imported_lines_is_masked(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    with remembering(workspace) as memory:
        memory.remember("鍵はここに")
    lines = workspace.run("memory", "export").stdout.replace("鍵はここに", "鍵はAKIAIOSFODNN7EXAMPLEです")
    (tmp_path / "lines.jsonl").write_text(lines.replace("clm_", "clm_x"), "utf-8")
    assert workspace.run("memory", "import", str(tmp_path / "lines.jsonl")).returncode == 0
    assert b"AKIAIOSFODNN7EXAMPLE" not in workspace.database.read_bytes()


def test_a_secret_in_cited_lines_is_not_imported(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    workspace.write("ops/db.md", "接続先\nhost: db1\n")
    with remembering(workspace) as memory:
        for line in (1, 2):
            provenance = {"at": AT, "url": f"manual:ops/db.md#L{line}"}
            memory.remember(f"設定その{line}", provenance=provenance)
    lines = workspace.run("memory", "export").stdout.replace("host: db1", "password: S3cr3t!pw9")
    (tmp_path / "lines.jsonl").write_text(lines.replace("clm_", "clm_x").replace("設定", "設備"), "utf-8")
    assert workspace.run("memory", "import", str(tmp_path / "lines.jsonl")).returncode == 0
    assert b"S3cr3t" not in workspace.database.read_bytes()
    exported = workspace.run("memory", "export").stdout
    assert [exported.count(quoted) for quoted in ("接続先", "host: db1")] == [2, 1]


def test_what_a_rule_of_the_policy_left_of_an_address_can_be_read_back(
    workspace: WorkspaceFolder, tmp_path: Path
) -> None:
    rule = "{ name: secret, find: 'https://wiki[^ ]+', replace: '[a page of ours]' }"
    policy = f"{EXAMPLE}\nredact_policies: {{ own: {{ rules: [{rule}] }} }}\n"
    with remembering(workspace, policy) as memory:
        url = "https://wiki.example.com/a"
        memory.remember("解約は非同期", provenance={"at": AT, "url": url, "git": {"commit": "abc1234", "url": url}})
    lines = workspace.run("memory", "export").stdout
    other = make_workspace(tmp_path / "other")
    (tmp_path / "lines.jsonl").write_text(lines, "utf-8")
    (tmp_path / "policy.yaml").write_text(policy, "utf-8")
    other.run("policy", "apply", str(tmp_path / "policy.yaml"))
    assert "1 claims taken" in other.run("memory", "import", str(tmp_path / "lines.jsonl")).stderr
    assert other.run("memory", "export").stdout == lines


def test_what_is_no_text_is_refused(workspace: WorkspaceFolder, tmp_path: Path) -> None:
    workspace.run("policy", "init")
    (tmp_path / "lines.jsonl").write_bytes(b"\xff\xfe")
    done = workspace.run("memory", "import", str(tmp_path / "lines.jsonl"))
    assert done.returncode == 2
    assert "VALIDATION_ERROR" in done.stderr


def test_while_an_import_waits_for_its_lines_others_write(memory: Remembering) -> None:
    """The lines come through a pipe that stays open, as from a program that is not done yet."""
    folder = memory.server.folder
    memory.remember("解約は非同期")
    line = folder.run("memory", "export").stdout.replace("解約", "契約").replace("clm_", "clm_x")
    command = folder.command("memory", "import")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as importing:
        assert importing.stdin is not None
        # More than a pipe holds: afterwards it is reading.
        importing.stdin.write(line + "\n" * 1_000_000)
        memory.remember("会議は水曜")
        assert importing.poll() is None
        _, said = importing.communicate()
    assert "1 claims taken" in said
    assert "契約は非同期" in memory.texts("契約")


def exported(memory: Remembering) -> dict[str, object]:
    """The first claim as its line has it, under another id and with another text."""
    line = json.loads(memory.server.folder.run("memory", "export").stdout.splitlines()[0])
    return dict(line | {"id": "clm_other", "text": "会議は水曜"})


def import_line(memory: Remembering, *lines: dict[str, object]) -> subprocess.CompletedProcess[str]:
    file = memory.server.folder.root / "lines.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return memory.server.folder.run("memory", "import", str(file))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("utility", float("nan")),
        ("utility", float("inf")),
        ("confidence", 1.5),
        ("id", "clm with blanks"),
        ("stale_since", "yesterday"),
        ("updated_at", "9999-12-31T23:59:59-14:00"),
        ("citations", [{"root": "manual", "path": "a.md", "first_line": 2**63, "last_line": 1}]),
        ("entities", [{"id": "e", "type": "Actor", "name": "営業"}] * 2),
    ],
)
def test_a_line_that_no_table_can_hold_is_refused_in_words(memory: Remembering, part: str, value: object) -> None:
    memory.remember("解約は非同期")
    done = import_line(memory, exported(memory) | {part: value})
    assert (done.returncode, "VALIDATION_ERROR" in done.stderr) == (2, True), done.stderr
    assert memory.rows("SELECT count(*) FROM claims") == [(1,)]


def test_imported_times_are_compared_in_whatever_time_zone_they_came(memory: Remembering) -> None:
    memory.remember("解約は非同期")
    import_line(memory, exported(memory) | {"updated_at": "2026-01-01T09:00:00+09:00"})
    query = "SELECT updated_at FROM claims WHERE id = 'clm_other'"
    assert memory.rows(query) == [("2026-01-01T00:00:00.000000+00:00",)]


def test_what_is_there_already_stays_as_it_is_when_lines_are_imported(memory: Remembering) -> None:
    claim, other = memory.remember("解約は非同期"), memory.remember("返金は三十日以内")
    line = exported(memory)
    for merged_into in (other, claim, "clm_nobody"):
        import_line(memory, line | {"id": claim, "text": "解約は非同期", "merged_into": merged_into})
        assert memory.found("解約") == [claim]


def test_an_imported_duplicate_follows_its_representative_to_the_id_it_has_here(memory: Remembering) -> None:
    here = memory.remember("解約は非同期")
    line = exported(memory)
    there = line | {"id": "clm_there", "text": "解約は非同期"}
    duplicate = line | {"id": "clm_duplicate", "text": "解約は非同期です", "merged_into": "clm_there"}
    itself = line | {"id": "clm_itself", "text": "会議は水曜", "merged_into": "clm_itself"}
    import_line(memory, duplicate, there, itself)
    assert memory.found("解約") == [here]
    assert memory.found("会議") == ["clm_itself"]


def test_an_imported_duplicate_of_one_that_is_merged_here_is_represented_by_what_that_was_merged_into(
    memory: Remembering,
) -> None:
    memory.remember("解約のAPIは非同期で呼ぶ")
    merged = memory.remember("解約のAPIは非同期で呼ぶこと")
    assert memory.judge(merged, "duplicate")["ok"]
    import_line(memory, exported(memory) | {"text": "会議は水曜", "merged_into": merged})
    assert memory.rows("SELECT DISTINCT merged_into FROM claims WHERE number > 1") == [(1,)]


@pytest.mark.parametrize("layer", [{"boundary_class": "pii"}, {"scope": "principle"}])
def test_an_imported_claim_is_not_represented_by_one_that_more_may_see_or_that_ends_sooner(
    memory: Remembering, layer: dict[str, str]
) -> None:
    here = memory.remember("解約は非同期")
    note = {"provenance": [{"at": AT, "note": "葉子から"}]}
    import_line(memory, exported(memory) | layer | note | {"text": "解約は非同期です", "merged_into": here})
    assert memory.rows("SELECT count(*) FROM claims WHERE merged_into IS NULL") == [(2,)]
    (item, *_) = memory.search("解約", scope=["project"], include_meta=True)["items"]
    assert (item["claim"]["id"], "葉子" in json.dumps(item, ensure_ascii=False)) == (here, False)


def test_an_imported_claim_is_judged_like_one_that_is_said_now(memory: Remembering) -> None:
    key = "AKIAIOSFODNN7EXAMPLE"
    memory.remember("解約は非同期")
    given = {
        "provenance": [{"at": AT, "note": key}],
        "entities": [{"id": "e", "type": "Actor", "name": key}],
        "source": "https://taro:hunter2x9@example.com/a",
    }
    import_line(memory, exported(memory) | given | {"text": "窓口は taro@example.com"})
    assert key.encode() not in memory.file_bytes()
    assert memory.rows("SELECT source FROM claims WHERE id = 'clm_other'") == [("https://taro:[secret]@example.com/a",)]
    assert memory.rows("SELECT boundary_class FROM claims WHERE id = 'clm_other'") == [("pii",)]
    assert memory.found("窓口") == []


def test_an_imported_claim_has_to_keep_to_the_invariants(open_memory: Callable[..., Remembering]) -> None:
    memory = open_memory(
        f"{EXAMPLE}\ninvariants: [{{ name: short, applies_to: [project], rule: prompt.chars <= 9 }}]\n"
    )
    memory.remember("解約は非同期")
    done = import_line(memory, exported(memory), exported(memory) | {"id": "clm_x", "text": "会議は水曜の午後から"})
    assert (done.returncode, "BOUNDARY_DENIED: clm_x: against the policy's invariant short" in done.stderr) == (2, True)
    assert memory.texts("会議") == []
    assert import_line(memory, exported(memory)).returncode == 0


def test_an_import_that_is_against_a_rule_says_with_which_uses_it_was_asked(
    open_memory: Callable[..., Remembering],
) -> None:
    rule = "{ name: archive, rule: \"'tool:archive' in allow\" }"
    memory = open_memory(f"{EXAMPLE}\ninvariants: [{rule}]\n", MEMORY_ALLOW="answer:task,tool:archive")
    memory.remember("解約は非同期")
    done = import_line(memory, exported(memory))
    said = "against the policy's invariant archive, asked with MEMORY_ALLOW=answer:task"
    assert (done.returncode, said in done.stderr) == (2, True)


def test_a_rule_on_the_class_sees_that_of_an_imported_claim(open_memory: Callable[..., Remembering]) -> None:
    memory = open_memory(f"{EXAMPLE}\ninvariants: [{{ name: nobody, rule: \"boundary_class != 'pii'\" }}]\n")
    memory.remember("解約は非同期")
    done = import_line(memory, exported(memory) | {"boundary_class": "pii"})
    assert (done.returncode, "against the policy's invariant nobody" in done.stderr) == (2, True)
    assert import_line(memory, exported(memory)).returncode == 0


def test_a_claim_of_which_nothing_may_be_kept_is_refused(open_memory: Callable[..., Remembering]) -> None:
    rule = "{ name: secret, find: 'X[0-9]+', replace: '' }"
    memory = open_memory(f"{EXAMPLE}\nredact_policies: {{ own: {{ rules: [{rule}] }} }}\n")
    assert memory.refuse("upsert", text="X123", provenance={"at": AT})["code"] == "BOUNDARY_DENIED"
    memory.remember("X123 の件")
    done = import_line(memory, exported(memory) | {"text": "X123"})
    assert (done.returncode, "BOUNDARY_DENIED" in done.stderr) == (2, True)
    assert memory.rows("SELECT text FROM claims") == [(" の件",)]


def test_a_claim_is_stale_also_if_its_line_had_another_digest_of_what_it_cites(memory: Remembering) -> None:
    memory.remember("解約は非同期")
    citation = {"root": "manual", "path": "a.md", "first_line": 1, "last_line": 1, "sha256": "0", "quoted": "水曜"}
    import_line(memory, exported(memory) | {"citations": [citation]})
    (item,) = memory.search("会議")["items"]
    assert item["reason"] == "stale"


def test_others_write_while_claims_that_are_imported_are_judged(
    workspace: WorkspaceFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And they are judged anew under a policy that came into force meanwhile."""
    with remembering(make_workspace(tmp_path / "other")) as other:
        other.remember("締切は三月末")
    kept = tmp_path / "claims.jsonl"
    assert other.server.folder.run("memory", "export", str(kept)).returncode == 0
    judged: list[str] = []
    with remembering(workspace) as memory:

        def judge_new(*arguments: Any) -> Any:
            judged.append(memory.remember(f"会議は水曜 {len(judged)}"))
            if len(judged) == 1:
                memory.server.call("pce_memory_policy_apply", yaml=EXAMPLE.replace("version: 0.1", "version: 0.2"))
            return importing.judge_new(*arguments)

        monkeypatch.setattr("morenashi.server.commands.memory.judge_new", judge_new)
        done = workspace.run("memory", "import", str(kept))
        assert (done.stderr.splitlines()[-1], len(judged)) == ("1 claims taken, 0 were there already", 2)
        assert memory.found("締切") != []
        assert memory.rows("SELECT policy_version FROM audit_log WHERE tool = 'memory import'") == [("0.2.0",)]
