"""`vault_coverage` (seed 000 §4, contract §4): what is cited, what was delivered, what became of it."""

import contextlib
import json
import sqlite3

import pytest

from ..server.serving import Serve, ask_database, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder, eventually, without_permission
from .notes import Vault

TEN = "".join(f"文{n}\n" for n in range(1, 11))


def lines(*ranges: tuple[int, int]) -> list[dict[str, int]]:
    return [{"start_line": first, "end_line": last} for first, last in ranges]


def test_ranges_that_overlap_or_touch_are_counted_once(vault: Vault) -> None:
    vault.put("a.md", TEN)
    body = vault.call("coverage", path="a.md", cited_ranges=lines((4, 5), (1, 2), (2, 3), (8, 8)))
    assert body["total_lines"] == 10
    assert body["covered_lines"] == 6
    assert body["coverage_ratio"] == 0.6
    assert body["covered_ranges"] == lines((1, 5), (8, 8))
    assert body["uncovered_ranges"] == lines((6, 7), (9, 10))
    assert body["meets_min_coverage"] is False


def test_blank_lines_between_cited_ones_and_at_the_ends_need_no_citation(vault: Vault) -> None:
    vault.put("a.md", "\n# 題\n\n一\n \n二\n\n三\n\n四\n\n")
    body = vault.call("coverage", path="a.md", cited_ranges=lines((2, 2), (4, 4), (6, 6), (10, 10)))
    assert body["covered_ranges"] == lines((1, 6), (10, 11))
    assert (body["covered_lines"], body["uncovered_ranges"]) == (8, lines((7, 9)))
    assert body["undelivered_ranges"] == lines((2, 2), (4, 4), (6, 6), (10, 10))
    body = vault.call("coverage", path="a.md", cited_ranges=lines((2, 2), (4, 4), (6, 6), (8, 8), (10, 10)))
    assert (body["coverage_ratio"], body["meets_min_coverage"]) == (1.0, True)


def test_an_empty_file_is_covered(vault: Vault) -> None:
    vault.put("a.md", "")
    body = vault.call("coverage", path="a.md", cited_ranges=[])
    assert (body["total_lines"], body["coverage_ratio"], body["meets_min_coverage"]) == (0, 1.0, True)
    assert [action["type"] for action in body["next_actions"]] == ["stop"]


@pytest.mark.parametrize(("ratio", "meets"), [("0.9", True), ("0.91", False)])
def test_the_least_coverage_is_a_setting(workspace: WorkspaceFolder, serve: Serve, ratio: str, meets: bool) -> None:
    vault = Vault(workspace.root / "vault", serve(COVERAGE_MIN_RATIO=ratio))
    vault.put("a.md", TEN)
    assert vault.call("coverage", path="a.md", cited_ranges=lines((1, 9)))["meets_min_coverage"] is meets


def test_a_source_that_cannot_be_looked_at_is_refused_in_words(ordinary_workspace: WorkspaceFolder) -> None:
    manual = ordinary_workspace.write("手引き/guide.md", TEN).parent
    with serving_indexed(ordinary_workspace) as served:
        vault = Vault(ordinary_workspace.root / "vault", served)
        vault.put("a.md", TEN)
        for path in (f"manuals/{'長' * 100}/guide.md", f"manuals/手引き/{'長' * 100}.md"):
            assert vault.code("coverage", path=path, cited_ranges=[]) in ("invalid_path", "not_found")
            for asked in (
                {"artifact_path": path, "source_path": "a.md"},
                {"artifact_path": "a.md", "source_path": path},
            ):
                assert served.refuse("artifact_audit", **asked)["code"] in ("invalid_path", "not_found")
        with without_permission(manual):
            assert vault.code("coverage", path="manuals/手引き/guide.md", cited_ranges=[]) == "forbidden"


def test_a_manual_is_covered_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("手引き/guide.md", TEN)
    vault = Vault(workspace.root / "vault", serve())
    body = vault.call("coverage", path="manuals/手引き/guide.md", cited_ranges=lines((1, 4)))
    assert (body["path"], body["total_lines"]) == ("manuals/手引き/guide.md", 10)
    (action,) = body["next_actions"]
    assert action["type"] == "manual_read"
    vault.serving.call("manual_read", **action["params"])


@pytest.mark.parametrize(
    ("part", "total", "covered", "uncovered"),
    [
        ("a.md:3-6", 4, lines((3, 4), (6, 6)), lines((5, 5))),
        ("a.md:5-5", 1, [], lines((5, 5))),
        ("manuals/手引き/guide.md:3-6", 4, lines((3, 4), (6, 6)), lines((5, 5))),
        ("b.md:3-6", 10, lines((2, 4), (6, 7)), lines((1, 1), (5, 5), (8, 10))),
    ],
)
def test_of_a_part_of_a_file_the_coverage_is_that_of_its_lines(
    workspace: WorkspaceFolder, serve: Serve, part: str, total: int, covered: object, uncovered: object
) -> None:
    workspace.write("手引き/guide.md", TEN)
    vault = Vault(workspace.root / "vault", serve())
    for name in ("a.md", "b.md:3-6"):
        vault.put(name, TEN)
    body = vault.call("coverage", path=part, cited_ranges=lines((2, 4), (6, 7)))
    assert (body["path"], body["total_lines"]) == (part, total)
    assert (body["covered_ranges"], body["uncovered_ranges"]) == (covered, uncovered)
    assert body["citations"]["new"] == 2


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ("a.md:9-11", "not_found"),
        ("a.md:6-3", "invalid_parameter"),
        ("a.md:0-3", "invalid_path"),
        ("x.md:1", "not_found"),
    ],
)
def test_a_part_that_the_file_does_not_have_is_refused(vault: Vault, part: str, code: str) -> None:
    vault.put("a.md", TEN)
    error = vault.refuse("coverage", path=part, cited_ranges=[])
    assert (error["code"], error["details"]["parameter"]) == (code, "path")


def test_an_audit_against_a_part_says_what_of_that_is_not_cited(vault: Vault) -> None:
    vault.put("a.md", TEN)
    vault.put("まとめ.md", "- 一 (source_lines: 3-4)\n- 二 (source_lines: 9-10)\n")
    body = vault.serving.call("artifact_audit", artifact_path="まとめ.md", source_path="a.md:3-6")
    assert (body["source_path"], body["coverage_ratio"], body["rootless_nodes"]) == ("a.md:3-6", 0.5, 0)
    vault.call("read", path="a.md", full=True)
    body = vault.serving.call("artifact_audit", artifact_path="まとめ.md", source_path="a.md:3-6")
    assert body["next_actions"][0]["params"]["path"] == "a.md:3-6"


@pytest.mark.parametrize("pointer", ["/items/0/question", "/items/0/answer", "/items/1", "/items/1/refs/0"])
def test_the_lines_of_a_json_value_that_was_read_are_delivered(
    workspace: WorkspaceFolder, serve: Serve, pointer: str
) -> None:
    item = {"question": "期限はいつか", "answer": "七日以内", "refs": ["第3条", "第4条"]}
    workspace.write("faq/faq.json", json.dumps({"items": [item] * 3}, ensure_ascii=False, indent=2))
    manuals = serve()
    ref = {"target": "manual", "manual_id": "faq", "path": "faq.json", "json_path": pointer}
    source = manuals.read(ref, scope="snippet")["source"]
    cited = [{"start_line": source["start_line"], "end_line": source["end_line"]}]
    body = manuals.call("vault_coverage", path="manuals/faq/faq.json", cited_ranges=cited)
    assert body["undelivered_ranges"] == []
    beyond = [{"start_line": source["start_line"] - 1, "end_line": source["end_line"]}]
    body = manuals.call("vault_coverage", path="manuals/faq/faq.json", cited_ranges=beyond)
    assert len(body["undelivered_ranges"]) == 1


def test_blank_lines_between_lines_that_were_delivered_are_not_read_again(vault: Vault) -> None:
    vault.put("a.md", "# 題\n\n一\n\n二\n\n三\n")
    for line in (1, 3, 5):
        vault.call("read", path="a.md", range={"start_line": line, "end_line": line})
    body = vault.call("coverage", path="a.md", cited_ranges=lines((1, 5)))
    assert body["undelivered_ranges"] == []
    vault.put("まとめ.md", "- 一 (source_lines: 3-5)\n")
    body = vault.serving.call("artifact_audit", artifact_path="まとめ.md", source_path="a.md:1-5")
    assert (body["undelivered_ranges"], body["next_actions"][0]["type"]) == ([], "vault_coverage")


@pytest.mark.parametrize("path", ["手引き/guide.md", "手引き/guid.md", "manuals/手引き/guides.md", "guide.md"])
def test_a_source_that_is_not_there_is_named_as_it_could_be(
    workspace: WorkspaceFolder, serve: Serve, path: str
) -> None:
    workspace.write("手引き/guide.md", TEN)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("手引書.md", TEN)
    vault.serving.workspace.vault_written("手引書.md")
    error = vault.refuse("coverage", path=path, cited_ranges=[])
    assert (error["code"], error["details"]["nearest"]) == ("not_found", ["manuals/手引き/guide.md"])
    assert "manuals/<manual_id>/" in error["message"]
    assert error["message"].startswith(f"path: there is no {path}")
    assert error["details"]["path"] == path
    error = vault.refuse("coverage", path="手引書き.md", cited_ranges=[])
    assert (error["code"], error["details"]["nearest"]) == ("not_found", ["手引書.md"])


def test_a_manual_that_cannot_be_decoded_is_not_said_to_be_missing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("手引き/guide.md", UNDECODABLE)
    vault = Vault(workspace.root / "vault", serve())
    assert vault.refuse("coverage", path="manuals/手引き/guide.md", cited_ranges=[])["code"] == "conflict"


def test_of_two_files_of_one_path_the_manual_s_is_meant(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("手引き/guide.md", TEN)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("manuals/手引き/guide.md", "一\n")
    vault.put("manuals/手引き/note.md", "一\n")
    lines = {
        name: vault.call("coverage", path=f"manuals/手引き/{name}.md", cited_ranges=[])["total_lines"]
        for name in ("guide", "note")
    }
    assert lines == {"guide": 10, "note": 1}


@pytest.mark.parametrize("path", ["guide.md", "manuals/手引/規程/guide.md", "規程/guide.md"])
def test_a_source_is_named_by_the_end_of_its_path(workspace: WorkspaceFolder, serve: Serve, path: str) -> None:
    workspace.write("手引き/規程/guide.md", TEN)
    vault = Vault(workspace.root / "vault", serve())
    vault.call("create", path="notes/guide.md", content=TEN)
    notes = ["notes/guide.md"] if path == "guide.md" else []
    error = vault.refuse("coverage", path=path, cited_ranges=[])
    assert (error["code"], error["details"]["nearest"]) == ("not_found", ["manuals/手引き/規程/guide.md", *notes])


BEFORE, AFTER = "一\n二\n三\n四\n五\n", "前書き\n一\n二\n三 改\n四\n五\n"


def undelivered(vault: Vault, source: str) -> list[dict[str, int]]:
    return vault.call("coverage", path=source, cited_ranges=lines((1, 6)))["undelivered_ranges"]


def test_what_a_note_says_since_it_was_read_has_not_been_delivered(vault: Vault) -> None:
    vault.put("a.md", BEFORE)
    vault.call("read", path="a.md", full=True)
    assert undelivered(vault, "a.md") == []
    vault.put("a.md", AFTER)
    assert undelivered(vault, "a.md") == lines((1, 1), (4, 4))
    vault.call("read", path="a.md", range={"start_line": 4, "end_line": 4})
    assert undelivered(vault, "a.md") == lines((1, 1))


def test_what_a_manual_says_since_it_was_read_is_proposed_to_be_read(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", BEFORE)
    vault, source = Vault(workspace.root / "vault", serve()), "manuals/m/a.md"
    vault.serving.read(vault.serving.ref("m", "a.md", 1), scope="section")
    workspace.write("m/a.md", AFTER)
    assert undelivered(vault, source) == lines((1, 1), (4, 4))
    (action,) = vault.call("coverage", path=source, cited_ranges=lines((1, 3)))["next_actions"]
    assert "三 改" in vault.serving.call("manual_read", **action["params"])["text"]
    assert undelivered(vault, source) == lines((1, 1))


def test_lines_that_only_moved_are_not_proposed_again(vault: Vault) -> None:
    vault.put("a.md", BEFORE)
    vault.call("scan", path="a.md")
    vault.put("a.md", "".join(reversed(BEFORE.splitlines(keepends=True))))
    assert undelivered(vault, "a.md") == []


def test_lines_in_whose_place_others_were_read_since_may_stand_elsewhere(vault: Vault) -> None:
    vault.put("a.md", TEN)
    vault.call("read", path="a.md", full=True)
    vault.put("a.md", "新一\n新二\n新三\n" + TEN)
    vault.call("read", path="a.md", range={"start_line": 1, "end_line": 2})
    body = vault.call("coverage", path="a.md", cited_ranges=lines((1, 13)))
    assert body["undelivered_ranges"] == lines((3, 3))


def test_lines_that_were_never_delivered_are_named(vault: Vault) -> None:
    vault.put("a.md", TEN)
    vault.call("scan", path="a.md", start_line=3, chunk_lines=2)
    body = vault.call("coverage", path="a.md", cited_ranges=lines((1, 6)))
    assert body["undelivered_ranges"] == lines((1, 2), (5, 6))


def test_a_line_that_was_cut_counts_once_its_rest_was_delivered(vault: Vault) -> None:
    vault.put("a.md", "短\n" + "長" * 500 + "\n末\n")
    first = vault.call("scan", path="a.md", limits={"max_chars": 300})
    cited = lines((1, 3))
    assert vault.call("coverage", path="a.md", cited_ranges=cited)["undelivered_ranges"] == lines((2, 3))
    vault.call("scan", path="a.md", cursor=first["next_cursor"])
    assert vault.call("coverage", path="a.md", cited_ranges=cited)["undelivered_ranges"] == []


@pytest.mark.parametrize("before", ["", "短\n"])
def test_of_a_line_that_was_rewritten_no_beginning_was_delivered(vault: Vault, before: str) -> None:
    vault.put("a.md", before + "長" * 500 + "\n")
    vault.call("scan", path="a.md", limits={"max_chars": 300})
    vault.put("a.md", before + "新" * 501 + "\n")
    line = before.count("\n") + 1
    (action,) = vault.call("coverage", path="a.md", cited_ranges=[])["next_actions"]
    assert vault.call("scan", **action["params"])["text"] == f"{line}\t" + "新" * 501 + "\n"
    assert vault.call("coverage", path="a.md", cited_ranges=lines((line, line)))["undelivered_ranges"] == []


def test_what_manual_read_delivers_is_recorded(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/guide.md", "# 一\n\n文\n\n# 二\n\n文\n")
    vault = Vault(workspace.root / "vault", serve())
    vault.serving.read(vault.serving.ref("m", "guide.md", 5), scope="section")
    body = vault.call("coverage", path="manuals/m/guide.md", cited_ranges=lines((1, 7)))
    assert body["undelivered_ranges"] == lines((1, 4))


def test_deliveries_are_a_table_of_places(workspace: WorkspaceFolder, vault: Vault) -> None:
    vault.put("a.md", TEN)
    vault.call("scan", path="a.md", start_line=3, chunk_lines=2)
    query = "SELECT root, path, first_line, last_line, characters FROM delivered_lines"
    assert eventually(lambda: ask_database(workspace, query))
    assert ask_database(workspace, query) == [("vault", "a.md", 3, 4, 6)]


def test_of_deliveries_and_citations_the_newest_are_kept(workspace: WorkspaceFolder, vault: Vault) -> None:
    vault.put("a.md", TEN)
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection, connection:
        connection.executemany(
            "INSERT INTO delivered_lines VALUES (?, '2000', 'earlier', 'vault', 'b.md', 1, 1, 0, NULL, 1)",
            [(1,), (2,), (100_000,)],
        )
        connection.execute(
            "WITH RECURSIVE n (line) AS (SELECT 1 UNION ALL SELECT line + 1 FROM n WHERE line < 50001) "
            "INSERT INTO citations SELECT '', 'vault', 'b.md', line, line, printf('2000-%05d', line), "
            "0, x'', x'', x'', x'', x'', 0 FROM n"
        )
    vault.call("scan", path="a.md")
    vault.call("coverage", path="a.md", cited_ranges=lines((2, 3)))
    kept = "SELECT (SELECT min(id) FROM delivered_lines), (SELECT min(first_line) FROM citations WHERE path = 'b.md')"
    assert eventually(lambda: ask_database(workspace, kept) == [(2, 2)])
    assert ask_database(workspace, "SELECT count(*) FROM citations WHERE path = 'a.md'") == [(1,)]


def test_what_became_of_citations_is_told_after_an_edit(vault: Vault) -> None:
    vault.put("a.md", TEN)
    cited = lines((2, 3), (5, 5), (7, 8), (9, 9))
    assert vault.call("coverage", path="a.md", cited_ranges=cited)["citations"]["new"] == 4
    kept = TEN.splitlines()
    vault.put("a.md", "\n".join([kept[0], "新", *kept[1:4], "別", kept[5], kept[7], kept[9]]) + "\n")
    found = vault.call("coverage", path="a.md", cited_ranges=cited)["citations"]
    assert found == {
        "same": 0,
        "new": 0,
        "moved": [{"start_line": 2, "end_line": 3, "now": {"start_line": 3, "end_line": 4}}],
        "changed": lines((5, 5), (7, 8)),
        "gone": lines((9, 9)),
        "outside": [],
    }


def test_citations_are_remembered_by_the_next_server(workspace: WorkspaceFolder) -> None:
    with serving_indexed(workspace) as serving:
        vault = Vault(workspace.root / "vault", serving)
        vault.put("a.md", TEN)
        vault.call("coverage", path="a.md", cited_ranges=lines((2, 3)))
    with serving_indexed(workspace) as serving:
        again = Vault(workspace.root / "vault", serving)
        again.put("a.md", "新\n" + TEN)
        found = again.call("coverage", path="a.md", cited_ranges=lines((2, 3)))["citations"]
    assert found["moved"] == [{"start_line": 2, "end_line": 3, "now": {"start_line": 3, "end_line": 4}}]


def test_what_an_earlier_server_delivered_does_not_count(workspace: WorkspaceFolder) -> None:
    with serving_indexed(workspace) as serving:
        Vault(workspace.root / "vault", serving).put("a.md", TEN)
        serving.call("vault_scan", path="a.md")
    with serving_indexed(workspace) as serving:
        body = serving.call("vault_coverage", path="a.md", cited_ranges=lines((2, 3)))
    assert body["undelivered_ranges"] == lines((2, 3))


def test_citations_can_be_renewed(vault: Vault) -> None:
    vault.put("a.md", TEN)
    vault.call("coverage", path="a.md", cited_ranges=lines((2, 3)))
    vault.put("a.md", "新\n" + TEN)
    assert vault.call("coverage", path="a.md", cited_ranges=lines((2, 3)), renew=True)["citations"]["new"] == 1
    assert vault.call("coverage", path="a.md", cited_ranges=lines((2, 3)))["citations"]["same"] == 1


def test_lines_beyond_the_end_cover_nothing_and_are_named(vault: Vault) -> None:
    vault.put("a.md", TEN)
    body = vault.call("coverage", path="a.md", cited_ranges=lines((9, 14)))
    assert body["covered_ranges"] == lines((9, 10))
    assert body["citations"]["outside"] == lines((9, 14))


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"path": "a.md"}, "cited_ranges"),
        ({"path": "a.md", "cited_ranges": lines((3, 2))}, "cited_ranges.0"),
        ({"path": "a.md", "cited_ranges": [{"start_line": True, "end_line": 2}]}, "cited_ranges.0.start_line"),
        ({"path": "a.md", "cited_ranges": [{"start_line": 0, "end_line": 2}]}, "cited_ranges.0.start_line"),
        ({"path": "a.md", "cited_ranges": [{"start_line": 1}]}, "cited_ranges.0.end_line"),
    ],
)
def test_a_wrong_call_is_refused(vault: Vault, arguments: dict[str, object], parameter: str) -> None:
    vault.put("a.md", TEN)
    error = vault.refuse("coverage", **arguments)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", parameter)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("none.md", "not_found"),
        ("../x.md", "invalid_path"),
        ("/x.md", "invalid_path"),
        ("manuals/m/x.txt", "invalid_path"),
    ],
)
def test_a_path_that_leads_to_no_file_is_refused(vault: Vault, path: str, code: str) -> None:
    assert vault.code("coverage", path=path, cited_ranges=[]) == code


def test_a_folder_is_called_one(vault: Vault) -> None:
    vault.put("folder/a.md", "本文")
    refused = vault.refuse("coverage", path="folder", cited_ranges=[])
    assert (refused["code"], refused["message"]) == ("forbidden", "path: this is a folder; vault_ls lists its files")


def test_the_vault_may_have_a_folder_called_manuals(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", TEN)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("manuals/m/b.md", "一行\n")
    assert vault.call("coverage", path="manuals/m/b.md", cited_ranges=[])["total_lines"] == 1
    assert vault.call("coverage", path="manuals/m/a.md", cited_ranges=[])["total_lines"] == 10
