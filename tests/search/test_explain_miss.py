"""`morenashi explain-miss`: every line has one conclusion, and the steps that led to it."""

import contextlib
import json
import os
import random
import sqlite3
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from morenashi.indexer.database import open_reader
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.files import MAX_DOCUMENT_BYTES
from morenashi.indexer.tokens import pair_tokens
from morenashi.indexer.writer_lock import hold_writer_lock
from morenashi.server.asking import make_request
from morenashi.server.explain import LinePlace, explain
from morenashi.server.search.scope import Unscanned

from ..server.corpora import random_terms, write_corpus
from ..server.library import fill
from ..server.serving import index_now
from ..workspaces import UNDECODABLE, WorkspaceFolder, without_permission


@pytest.fixture
def library(workspace: WorkspaceFolder) -> WorkspaceFolder:
    return fill(workspace)


def ask(folder: WorkspaceFolder, place: str, query: str, *options: str) -> dict[str, Any]:
    """The explanation as JSON; its exit code has to agree."""
    done = folder.run("explain-miss", place, query, "--json", *options)
    assert done.stdout, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if report["conclusion"] in ("candidate", "in_candidate") else 1)
    assert report["steps"][-1] == {"seen": report["says"], "facts": report["facts"]}
    return report


def test_a_candidate_is_told_with_its_rank_and_score(library: WorkspaceFolder) -> None:
    report = ask(library, "規則/rules.md:9", "休暇")
    facts = report["facts"]
    assert (report["conclusion"], facts["line"]) == ("candidate", 9)
    assert (facts["rank"], facts["candidates"]) == (1, 1)
    assert sum(facts["parts"].values()) == pytest.approx(facts["score"], abs=0.01)


def test_a_line_beside_the_matching_one_lies_in_its_candidate(library: WorkspaceFolder) -> None:
    report = ask(library, "手引き/guide.md:9", "三十日")
    assert (report["conclusion"], report["facts"]["line"]) == ("in_candidate", 10)


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("手引き/.hidden.md:1", "hidden"),
        ("手引き/.deep/x.md:1", "hidden"),
        ("手引き/notes.txt:1", "suffix"),
        ("loose.md:1", "outside_a_manual"),
        ("手引き/link.md:1", "symlink"),
        ("linked/guide.md:1", "symlink"),
        ("手引き/nowhere.md:1", "missing"),
        (f"手引き/{'a' * 300}.md:1", "missing"),
        ("手引き/folder.md:1", "no_file"),
    ],
)
def test_what_is_no_document_is_told_why(library: WorkspaceFolder, place: str, reason: str) -> None:
    for path in ("手引き/.hidden.md", "手引き/.deep/x.md", "手引き/notes.txt", "loose.md"):
        library.write(path, "申請\n")
    (library.manuals / "手引き/folder.md").mkdir()
    (library.manuals / "手引き/link.md").symlink_to(library.manuals / "規則/rules.md")
    (library.manuals / "linked").symlink_to(library.manuals / "手引き")
    report = ask(library, place, "申請")
    assert (report["conclusion"], report["facts"]) == ("not_a_document", {"reason": reason})


def test_what_cannot_be_decoded_or_is_too_large_is_not_indexed(library: WorkspaceFolder) -> None:
    library.write("手引き/odd.md", UNDECODABLE)
    with library.write("手引き/huge.md", "").open("r+b") as file:
        file.truncate(MAX_DOCUMENT_BYTES + 1)
    for name, reason in (("odd", "encoding"), ("huge", "too_large")):
        report = ask(library, f"手引き/{name}.md:1", "申請")
        assert (report["conclusion"], report["facts"]) == ("not_indexed", {"reason": reason})


def test_what_may_not_be_read_is_not_indexed(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/x.md", "申請\n")
    with without_permission(file):
        report = explained(ordinary_workspace, ("a", "x.md"), 1, "申請")
    assert (report.conclusion, report.facts) == ("not_indexed", {"reason": "unreadable"})


def test_what_lies_in_a_folder_that_cannot_be_entered_is_not_indexed(ordinary_workspace: WorkspaceFolder) -> None:
    file = ordinary_workspace.write("a/closed/x.md", "申請\n")
    with without_permission(file.parent):
        report = explained(ordinary_workspace, ("a", "closed", "x.md"), 1, "申請")
    assert (report.conclusion, report.facts) == ("not_indexed", {"reason": "unreadable_folder"})


def explained(folder: WorkspaceFolder, parts: tuple[str, ...], line: int, query: str) -> Any:
    """The last step, from this process: the user of these tests is not that of a command."""
    index_now(folder)
    config, dictionaries = folder.config(), load_dictionaries(folder.config().dictionaries)
    with contextlib.closing(open_reader(folder.database)) as connection:
        request = make_request(query, None, config, dictionaries)
        return explain(connection, config.manuals, frozenset(), LinePlace(parts, line), request)[-1]


def test_a_file_that_a_server_has_not_indexed_yet_is_told(library: WorkspaceFolder) -> None:
    index_now(library)
    with hold_writer_lock(library.database):
        library.write("手引き/guide.md", "# 申請\n")
        library.write("手引き/neu.md", "# 申請\n")
        for name in ("guide", "neu"):
            report = ask(library, f"手引き/{name}.md:1", "申請")
            assert (report["conclusion"], report["facts"]) == ("not_indexed", {"reason": "changed_since_index"})


def test_a_file_that_the_command_had_to_index_first_is_said(library: WorkspaceFolder) -> None:
    index_now(library)
    library.write("手引き/neu.md", "# 申請\n")
    assert "until this command" in ask(library, "手引き/neu.md:1", "申請")["steps"][0]["seen"]
    assert "until this command" not in ask(library, "手引き/neu.md:1", "申請")["steps"][0]["seen"]


def test_lines_that_are_not_there_or_blank_are_told(library: WorkspaceFolder) -> None:
    beyond = ask(library, "手引き/guide.md:400", "申請")
    assert (beyond["conclusion"], beyond["facts"]) == ("no_such_line", {"lines": 18})
    assert ask(library, "手引き/guide.md:2", "申請")["conclusion"] == "blank"


def test_a_line_without_a_term_is_told_with_the_terms_and_the_nearest(library: WorkspaceFolder) -> None:
    library.write("手引き/far.md", "# 届出\n\n住民標の写し。\n")
    report = ask(library, "手引き/far.md:3", "住民票 第三条")
    terms = {step["facts"]["term"]: step["facts"] for step in report["steps"] if "term" in step["facts"]}
    assert report["conclusion"] == "no_term"
    assert report["facts"]["nearest"]["住民票"] > report["facts"]["nearest"]["第三条"]
    assert "第3条" in terms["第三条"]["notations"]
    assert [facts["held"] for facts in terms.values()] == [None, None]


@pytest.mark.parametrize(
    ("text", "query", "how"),
    [
        ("申請する", "申請", "exact"),
        ("第３条による", "第三条", "exact"),
        ("サーバの設定", "サーバー", "synonym"),
        ("利用・規約", "利用規約", "loose"),
        ("利用\n規約", "利用規約", "loose"),
    ],
)
def test_how_a_line_holds_a_term_is_told(workspace: WorkspaceFolder, text: str, query: str, how: str) -> None:
    workspace.write("a/x.md", f"{text}\n")
    report = ask(workspace, "a/x.md:1", query)
    assert report["conclusion"] == "candidate"
    assert [step["facts"]["held"] for step in report["steps"] if "term" in step["facts"]] == [how]


def test_the_end_of_a_term_that_begins_on_the_line_before_is_told(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "利用\n規約\n")
    report = ask(workspace, "a/x.md:2", "利用規約")
    assert report["conclusion"] == "in_candidate"
    assert [step["facts"]["held"] for step in report["steps"] if "term" in step["facts"]] == ["begun_before"]


def test_a_line_of_another_manual_is_told_to_be_outside(library: WorkspaceFolder) -> None:
    for number in range(3):
        library.write(f"規則/{number}.md", "# 取消\n\n取消について。\n")
    report = ask(library, "手引き/guide.md:18", "取消", "--manual", "規則")
    assert (report["conclusion"], report["facts"]) == ("outside_of_manual", {"searched": "規則"})
    assert ask(library, "手引き/guide.md:18", "取消")["conclusion"] == "in_candidate"


def test_what_the_cap_left_over_is_told_with_its_turn(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "".join(f"# 題{number}\n\n鍵言葉\n\n" for number in range(450)))
    reports = [ask(workspace, f"a/x.md:{4 * number + 3}", "鍵言葉") for number in (0, 449)]
    left = [report for report in reports if report["conclusion"] == "not_examined"]
    assert left
    for report in left:
        assert report["facts"]["reason"] in ("candidate_cap", "hard_limit")
        assert 1 <= report["facts"]["turn"] <= report["facts"]["left_over"] == 250


@pytest.mark.parametrize("query", ["function", "funtion"])
def test_what_a_cap_left_over_is_told_so_below_a_candidate_and_where_another_word_was_looked_for(
    workspace: WorkspaceFolder, query: str
) -> None:
    sections = "".join(f"## 題{number}\n\nfunction\n\n" for number in range(450))
    workspace.write("a/x.md", f"# 章\n\nfunction\n\n{sections}")
    first, *others = [ask(workspace, f"a/x.md:{line}", query) for line in (3, *range(7, 1_807, 600))]
    assert first["conclusion"] == "candidate"
    assert {report["conclusion"] for report in others} <= {"candidate", "not_examined"}
    left = next(report for report in others if report["conclusion"] == "not_examined")
    held = [step["facts"]["held"] for step in left["steps"] if step["facts"].get("looked_for")]
    assert held == (["exact"] if query == "function" else [None, "instead"])
    assert "function" not in json.dumps(left["steps"]).replace(query, "")


def test_a_line_in_the_section_of_a_candidate_is_told_to_be_left_over_itself(workspace: WorkspaceFolder) -> None:
    lines = ",\n".join(f'"鍵言葉{"-" * 1_500}"' for _ in range(520))
    workspace.write("a/x.json", f"[\n{lines}\n]\n")
    reports = [ask(workspace, f"a/x.json:{line}", "鍵言葉") for line in (3, 521)]
    assert {report["conclusion"] for report in reports} == {"in_candidate"}
    assert {report["facts"].get("left_over_by") for report in reports} == {"hard_limit", None}


def test_a_line_is_left_over_where_its_own_file_is_listed_with_it() -> None:
    documents = json.dumps([["a", "x.md", [[3, 5], [9, 9]]], ["b", "x.md", [[1, 1]]]])
    left = Unscanned("candidate_cap", documents, places=3, lines=5)
    held = {
        (manual, path): [line for line in range(12) if left.holds(manual, path, line)]
        for manual, path in (("a", "x.md"), ("b", "x.md"), ("a", "y.md"))
    }
    assert held == {("a", "x.md"): [3, 4, 5, 9], ("b", "x.md"): [1], ("a", "y.md"): []}


def test_an_index_that_lost_a_posting_is_told_to_be_at_fault(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n\n鍵言葉\n")
    workspace.write("a/y.md", "# 二\n\n無関係\n")
    index_now(workspace)
    with contextlib.closing(sqlite3.connect(workspace.database)) as connection, connection:
        (row,) = connection.execute("SELECT id, text FROM passage_texts WHERE text LIKE '%鍵言葉%'")
        connection.execute(
            "INSERT INTO pairs (pairs, rowid, tokens) VALUES ('delete', ?, ?)", (row[0], pair_tokens(row[1]))
        )
    report = ask(workspace, "a/x.md:3", "鍵言葉")
    assert (report["conclusion"], report["facts"]) == ("index_fault", {"is_named": False})


def test_a_path_on_disk_is_understood(library: WorkspaceFolder) -> None:
    absolute = str(library.manuals / "手引き/guide.md")
    composed = unicodedata.normalize("NFD", "手引き/guide.md")
    from_here = os.path.relpath(absolute)
    paths = (absolute, from_here, composed, "手引き/./guide.md")
    places = {ask(library, f"{path}:9", "申請")["place"] for path in paths}
    assert places == {"手引き/guide.md:9"}


def test_a_path_on_disk_through_a_link_above_the_manuals_is_understood(
    library: WorkspaceFolder, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(library.root)
    (library.manuals / "手引き/again").symlink_to(library.manuals)
    whole = link / "manuals/手引き/guide.md"
    for path in (str(whole), os.path.relpath(whole)):
        assert ask(library, f"{path}:9", "申請")["place"] == "手引き/guide.md:9"
    missing = ask(library, f"{link}/manuals/手引き/missing.md:1", "申請")
    through = ask(library, f"{link}/manuals/手引き/again/手引き/guide.md:9", "申請")
    assert (missing["conclusion"], through["conclusion"]) == ("not_a_document", "not_a_document")
    assert through["place"] == "手引き/again/手引き/guide.md:9"


def test_of_a_whole_path_below_the_manuals_that_is_not_there_it_is_said_that_it_is_missing(
    library: WorkspaceFolder,
) -> None:
    report = ask(library, f"{library.manuals}/手引き/none.md:9", "申請")
    assert (report["place"], report["facts"]) == ("手引き/none.md:9", {"reason": "missing"})


@pytest.mark.parametrize(
    ("place", "query", "code"),
    [
        ("手引き/guide.md", "申請", "invalid_parameter"),
        ("手引き/guide.md:0", "申請", "invalid_parameter"),
        ("手引き/guide.md:x", "申請", "invalid_parameter"),
        (f"手引き/guide.md:{'9' * 5_000}", "申請", "invalid_parameter"),
        ("手引き/guide.md:1", " ", "invalid_parameter"),
        ("/etc/passwd:1", "申請", "out_of_scope"),
        ("../../x.md:1", "申請", "invalid_path"),
    ],
)
def test_a_wrong_call_is_refused_in_the_words_of_the_tools(
    library: WorkspaceFolder, place: str, query: str, code: str
) -> None:
    done = library.run("explain-miss", place, query)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"morenashi: {code}: ")


def test_a_manual_that_is_not_there_is_not_found(library: WorkspaceFolder) -> None:
    done = library.run("explain-miss", "手引き/guide.md:9", "申請", "--manual", "手引")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("morenashi: not_found: --manual")


def test_the_conclusion_comes_first_and_no_text_of_the_document(library: WorkspaceFolder) -> None:
    done = library.run("explain-miss", "手引き/guide.md:9", "申請")
    first, *steps = done.stdout.splitlines()
    assert first.partition(":")[0] in ("candidate", "in_candidate")
    assert [step.split(".")[0].strip() for step in steps] == [str(n) for n in range(1, len(steps) + 1)]
    assert "窓口" not in done.stdout


def test_no_line_that_holds_a_term_is_unexplained(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(seed)
    corpus = write_corpus(workspace, chosen)
    index_now(workspace)
    config, dictionaries = workspace.config(), load_dictionaries(workspace.config().dictionaries)
    with contextlib.closing(open_reader(workspace.database)) as connection:
        for term in random_terms(corpus, chosen, 10):
            request = make_request(f'"{term}"', None, config, dictionaries)
            for manual_id, path, line in sorted(corpus.lines_with(term))[:10]:
                place = LinePlace((manual_id, *Path(path).parts), line)
                last = explain(connection, config.manuals, frozenset(), place, request)[-1]
                assert last.conclusion in ("candidate", "in_candidate", "not_examined"), (term, place)
