"""`vault_search`: what grep would list, from the files as they are, whatever the index knows of them."""

import os
import re
import shutil
import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import markdown_it
import pytest

from morenashi.server.deadline import Deadline
from morenashi.server.linear import compile_linear
from morenashi.server.search.note_scope import EVERYTHING
from morenashi.server.vault import pattern_search
from morenashi.server.vault.line_search import LinePattern
from morenashi.server.vault.literals import Needs
from morenashi.server.vault.loose_search import search_loosely
from morenashi.server.vault.pattern_search import search_pattern
from morenashi.server.vault.searched_files import list_searched_files

from ...server.serving import serving, serving_indexed
from ...workspaces import WorkspaceFolder, age
from ..notes import Vault
from .searching import TEXT, known, search


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        (r"\d{4}-\d{2}-\d{2}", [3, 4]),
        ("申請期限", [3]),
        ("申請(期限|は)", [3, 6]),
        ("^Deadline", [4]),
        ("^deadline", []),
        ("(?i)^deadline", [4]),
        ("30$", [4]),
        ("^$", [2, 5]),
        ("とする。$", [3]),
        ("[^a]Deadline", []),
        ("期.は", [3]),
        ("x*", [1, 2, 3, 4, 5, 6, 7]),
        ("免除", []),
        (r"申請\w+は", [3]),
        (r"第\d+条", [6, 7]),
        (r"第[\d.]+条", [6, 7]),
        (r"免\s除", [6, 7]),
        (r"免[\s・]除", [6, 7]),
        (r"第\D+条", []),
        (r"免\S除", []),
        (r"期\W限", []),
        (r"\b申請期限\b", [3]),
        (r"\bDeadline\b", [4]),
        (r"\w{1,90}限", [3]),
        (r"^[^\n]+\n?$", [1, 3, 4, 6, 7]),
        (r"期限(\n|は)", [3]),
        (r"^[\w-\.]+: ", [4]),
        (r"[\d-年]{10}", [3, 4]),
        (r"[\w-z]{10}$", [4]),
    ],
)
def test_regular_expressions_match_within_lines(vault: Vault, put: Any, query: str, lines: list[int]) -> None:
    put(vault, "a.md", TEXT + "免\u3000除は第３条\n")
    assert search(vault, query) == [("a.md", line) for line in lines]


@pytest.mark.parametrize("query", ["様式a{３}の写し", "a{３,4}", "a{,3}", "a{3 }"])
def test_braces_that_say_no_number_of_times_are_characters(vault: Vault, put: Any, query: str) -> None:
    put(vault, "a.md", "様式a{３}の写し\na{３,4}\na{,3}\na{3 }\n")
    assert len(search(vault, query)) == 1


@pytest.mark.parametrize("query", [r"期限.*\nDeadline", "規程\n", r"(?i)a(b\r\n){2}"])
def test_an_expression_that_takes_several_lines_is_refused_and_not_taken_for_one_that_no_line_matches(
    vault: Vault, query: str
) -> None:
    vault.put("a.md", TEXT)
    error = vault.refuse("search", query=query)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "query")
    assert "mode plain" in error["message"]


@pytest.mark.parametrize(
    ("query", "lines"),
    [("(第3条)", [6]), ("2024-0", [3, 4]), (".", [4]), ("。\nDeadline", [3]), ("第３条", []), ("する", [3])],
)
def test_plain_texts_are_taken_literally(vault: Vault, put: Any, query: str, lines: list[int]) -> None:
    put(vault, "a.md", TEXT.replace("Deadline:", "Deadline."))
    assert search(vault, query, mode="plain") == [("a.md", line) for line in lines]


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("免除", [6]),
        ("第三条", [6]),
        ("DEADLINE", [4]),
        ("２０２４０５３１", [3]),
        ("申請・期限", [3]),
        ("どこにもない", []),
    ],
)
def test_loose_texts_ignore_case_width_notation_and_separators(
    vault: Vault, put: Any, query: str, lines: list[int]
) -> None:
    put(vault, "a.md", TEXT)
    assert search(vault, query, mode="loose") == [("a.md", line) for line in lines]


def test_what_is_no_regular_expression_is_searched_as_it_is_written(vault: Vault) -> None:
    vault.put("a.md", TEXT)
    body = vault.call("search", query="申請は(")
    assert (body["mode"], [found["line"] for found in body["results"]]) == ("plain", [6])


@pytest.mark.parametrize("query", ["(?=申)請", "(?<!x)y", r"(a)\1", "(?P<n>a)(?P=n)", "(?:a{1000}){1000}", r"\w{1000}"])
def test_what_needs_backtracking_is_refused_with_a_reason(vault: Vault, query: str) -> None:
    error = vault.refuse("search", query=query)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "query")


def test_an_expression_that_would_backtrack_for_ever_answers(vault: Vault) -> None:
    vault.put("a.md", "a" * 50_000 + "\n" + "x" * 50_000)
    assert search(vault, r"^(([a-z])+.)+[A-Z]([a-z])+$") == []
    assert search(vault, r"(x+x+)+y") == []


def test_a_snippet_names_the_line_and_shows_what_matches(vault: Vault) -> None:
    vault.put("a.md", TEXT + "あ" * 500 + "目印" + "い" * 500 + "\n")
    found, cut = vault.call("search", query="Deadline")["results"][0], vault.call("search", query="目印")["results"][0]
    assert found == {"path": "a.md", "line": 4, "snippet": "4: Deadline: 2024-06-30"}
    assert cut["snippet"].startswith("7: …あ")
    assert cut["snippet"].endswith("い…")
    assert "目印" in cut["snippet"]
    assert len(cut["snippet"]) < 260


@pytest.mark.parametrize("mode", ["regex", "plain", "loose"])
def test_results_come_by_path_and_line_and_say_when_there_are_more(vault: Vault, put: Any, mode: str) -> None:
    for name in ("b/x.txt", "a.md", "b.md"):
        put(vault, name, "目印 1\n\n目印 2\n")
    body = vault.call("search", query="目印", mode=mode, limit=4)
    assert [(f["path"], f["line"]) for f in body["results"]] == [("a.md", 1), ("a.md", 3), ("b.md", 1), ("b.md", 3)]
    assert body["truncated"]
    assert not vault.call("search", query="目印", mode=mode, limit=6)["truncated"]


def test_several_threads_list_what_one_does(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(30):
        vault.put(f"{n % 3}/{n:02d}.md", f"目印 {n}\n" * (n % 4))
    alone = search(vault, "目印 [0-9]*5?$")
    monkeypatch.setattr(pattern_search, "_WORTH_THREADS", -1.0)
    monkeypatch.setattr(pattern_search, "_BATCH_FILES", 2)
    assert search(vault, "目印 [0-9]*5?$") == alone
    assert len(alone) == sum(n % 4 for n in range(30))
    assert search(vault, "目印", limit=7) == alone[:7]


def test_folder_and_pattern_narrow_the_search(vault: Vault) -> None:
    for name in ("a/x.md", "a/y.txt", "b/z.md"):
        vault.put(name, "目印\n")
    assert search(vault, "目印", relative_dir="a") == [("a/x.md", 1), ("a/y.txt", 1)]
    assert search(vault, "目印", glob="*.md") == [("a/x.md", 1), ("b/z.md", 1)]
    assert vault.code("search", query="x", relative_dir="none") == "not_found"
    assert vault.code("search", query="x", relative_dir="..") == "invalid_path"
    assert vault.code("search", query="x", glob="../*") == "invalid_parameter"
    assert vault.code("search", query="x", glob="{a,{b,c}}/*.md") == "invalid_parameter"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp", "iso2022_jp"])
def test_encodings_and_line_ends_make_no_difference(vault: Vault, put: Any, encoding: str) -> None:
    names = {"\n": "a.txt", "\r": "b.txt", "\r\n": "c.txt"}
    for end, name in names.items():
        put(vault, name, TEXT.replace("\n", end).encode(encoding))
    for mode, query in (("regex", "2024-06-30$"), ("loose", "2024-06-30")):
        assert search(vault, "申請期限は", mode=mode) == [(name, 3) for name in names.values()]
        assert search(vault, query, mode=mode) == [(name, 4) for name in names.values()]


@pytest.mark.parametrize("mode", ["regex", "plain", "loose"])
def test_a_change_that_the_index_has_not_heard_of_is_found(workspace: WorkspaceFolder, mode: str) -> None:
    (workspace.root / "vault").mkdir()
    with serving_indexed(workspace) as served:
        vault = Vault(workspace.root / "vault", served)
        known(vault, "a.md", "古い文\n")
        vault.put("a.md", "新しい文\n")
        assert search(vault, "新しい", mode=mode) == [("a.md", 1)]
        assert search(vault, "古い", mode=mode) == []


def test_escaped_json_is_searched_as_it_is_written_and_loosely_as_it_means(vault: Vault, put: Any) -> None:
    put(vault, "a.json", '{"k":\n "\\u514d\\u9664\\nabc"}\n')
    assert search(vault, r"u514d\\u9664", mode="regex") == [("a.json", 2)]
    assert search(vault, "nabc", mode="plain") == [("a.json", 2)]
    assert search(vault, "免除", mode="loose") == [("a.json", 2)]


def test_files_that_were_listed_before_the_index_was_made_anew_are_searched(workspace: WorkspaceFolder) -> None:
    """Their documents have other numbers there."""
    vault = workspace.root / "vault"
    vault.mkdir()
    for name in "abc":
        (vault / f"{name}.md").write_text("目印\n" if name == "b" else "他\n", "utf-8")
    age(vault)
    workspace.run("reindex")
    with serving(workspace) as served:
        listed = list_searched_files(served.workspace, EVERYTHING, Needs())
    (vault / "a.md").unlink()
    workspace.run("reindex", "--full")
    with serving(workspace) as served:
        files = replace(listed, files=listed.files[1:])
        found = search_loosely(served.workspace, "目印", files, 10, Deadline(60_000))
    assert [(path, line.line) for path, line in found.lines] == [("b.md", 1)]


@pytest.mark.parametrize("mode", ["plain", "loose"])
def test_files_that_go_away_while_others_are_searched_are_none_that_could_not_be_read(
    vault: Vault, put: Any, mode: str
) -> None:
    put(vault, "a.md", "目印\n")
    put(vault, "b.md", "目印\n")
    put(vault, "folder/c.md", "目印\n")
    workspace = vault.serving.workspace
    files = list_searched_files(workspace, EVERYTHING, Needs())
    (vault.root / "a.md").unlink()
    shutil.rmtree(vault.root / "folder")
    found = (
        search_loosely(workspace, "目印", files, 10, Deadline(60_000))
        if mode == "loose"
        else search_pattern(vault.root, LinePattern(compile_linear("目印")), files, 10, Deadline(60_000))
    )
    assert [path for path, _ in found.lines] == ["b.md"]
    assert found.unsearched == []


def test_files_that_are_no_text_are_named(vault: Vault, put: Any) -> None:
    put(vault, "odd.dat", bytes(range(256)) * 3)
    put(vault, "a.md", TEXT)
    body = vault.call("search", query="申請")
    assert body["unsearched"] == [{"path": "odd.dat", "reason": "encoding"}]
    assert body["unsearched_count"] == 1


def test_a_file_that_is_written_in_another_encoding_than_the_index_knows_is_named_and_ends_no_search(
    vault: Vault,
) -> None:
    """Of the same size and time stamp, as what copies files with their times leaves it."""
    known(vault, "a.txt", "申請は三日前".encode("cp932"))
    known(vault, "b.md", "申請\n")
    os.utime(vault.put("a.txt", b"\x81\xff" * 6), (1_700_000_000, 1_700_000_000))
    body = vault.call("search", query="申請")
    assert [found["path"] for found in body["results"]] == ["b.md"]
    assert body["unsearched"] == [{"path": "a.txt", "reason": "encoding"}]


def test_a_note_that_the_parser_fails_on_is_not_taken_for_one_without_the_text(
    vault: Vault, put: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown_it.MarkdownIt, "parse", lambda *_: [][1])
    put(vault, "a.md", "目印\n")
    body = vault.call("search", query="目印", mode="loose")
    assert body["unsearched"] == [{"path": "a.md", "reason": "unreadable"}]
    assert search(vault, "目印", mode="plain") == [("a.md", 1)]


def test_reserved_and_hidden_files_and_links_are_left_out(vault: Vault, tmp_path: Path) -> None:
    vault.put("a.md", "目印\n")
    for name in (".system/x.md", "．system/x.md", ".obsidian/x.md", ".morenashi.tmp"):
        vault.put(name, "目印\n")
    (tmp_path / "outside.md").write_text("目印\n", "utf-8")
    (vault.root / "link.md").symlink_to(tmp_path / "outside.md")
    os.mkfifo(vault.root / "pipe.md")
    assert search(vault, "目印") == [("a.md", 1)]


def test_without_a_vault_there_are_no_results(workspace: WorkspaceFolder) -> None:
    with serving_indexed(workspace) as served:
        assert served.call("vault_search", query="x")["results"] == []
    assert not (workspace.root / "vault").exists()


def test_a_long_file_is_searched_block_by_block(vault: Vault) -> None:
    lines = [f"{n:07d} {'・' * 30}" for n in range(100_000)]
    vault.put("long.txt", "\r\n".join(lines))
    assert search(vault, "^(0000000|0043690|0099999) ") == [
        ("long.txt", 1),
        ("long.txt", 43_691),
        ("long.txt", 100_000),
    ]


def test_a_search_right_after_a_start_waits_for_no_indexing(workspace: WorkspaceFolder) -> None:
    vault = workspace.root / "vault"
    vault.mkdir()
    for n in range(300):
        (vault / f"{n:03d}.md").write_text(f"# 第{n}\n\n目印 {n}\n", "utf-8")
    with serving(workspace) as served:
        body = served.call("vault_search", query="目印 (0|299)$")
        assert [found["path"] for found in body["results"]] == ["000.md", "299.md"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp932", "iso2022_jp"])
def test_a_mark_is_found_in_every_encoding(vault: Vault, put: Any, encoding: str) -> None:
    names = {mark: f"{ord(mark)}.txt" for mark in string.punctuation}
    for mark, name in names.items():
        put(vault, name, f"表{mark}示\n次の行\n".encode(encoding))
    found = {mark: search(vault, re.escape(mark), mode="regex") for mark in names}
    assert found == {mark: [(name, 1)] for mark, name in names.items()}


def test_a_scope_without_files_is_told_from_files_without_the_text(vault: Vault) -> None:
    vault.put("plans/a.md", TEXT)
    vault.put("b.md", TEXT)
    counts = {
        glob: vault.call("search", query="どこにもない語", glob=glob)["files_in_scope"]
        for glob in ("none/*.md", "*.txt", "plans/*.md", "**/*.md", "!plans/**")
    }
    assert counts == {"none/*.md": 0, "*.txt": 0, "plans/*.md": 1, "**/*.md": 2, "!plans/**": 1}
