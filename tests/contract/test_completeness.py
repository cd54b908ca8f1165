"""`completeness` (contract §4): sums that anybody can check against the files, and `absent` only if it is true."""

import os
import random

import pytest

from morenashi.indexer.files import MAX_DOCUMENT_BYTES

from ..server.corpora import read_corpus
from ..server.serving import Serve, Serving, serving, serving_indexed, serving_what_was_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder, eventually, without_permission
from .resumed import is_consistent

LOCKED = ("unreadable", "locked.md")
# No word of these has synonyms or numerals in it, and no line can be joined with the next one.
LETTERS = "山川海空森林石竹abc"


def write_plain(folder: WorkspaceFolder, chosen: random.Random) -> None:
    """Manuals whose lines hold nothing that a loose match looks through."""
    for number in range(6):
        words = ["".join(chosen.choices(LETTERS, k=chosen.randint(1, 30))) for _ in range(40)]
        lines = [f"# {word}。" if chosen.random() < 0.2 else f"※{word}。" for word in words]
        folder.write(f"m/{number}.md", "\n".join(lines) + chosen.choice(["", "\n"]))


def test_matched_lines_are_those_that_a_script_counts(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(seed)
    write_plain(workspace, chosen)
    corpus = read_corpus(workspace)
    with serving_indexed(workspace) as manuals:
        for _ in range(8):
            term = "".join(chosen.choices(LETTERS, k=chosen.randint(1, 4)))
            found = manuals.find(term, budget={"max_candidates": 1_000})
            assert (found.lines["unexamined"], found.lines["matched"]) == (0, len(corpus.lines_with(term))), term


def test_the_status_follows_from_the_lines(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(100 + seed)
    write_plain(workspace, chosen)
    corpus = read_corpus(workspace)
    with serving_indexed(workspace) as manuals:
        for _ in range(8):
            term = "".join(chosen.choices(LETTERS, k=chosen.randint(2, 5)))
            assert manuals.find(term).status == ("found" if corpus.lines_with(term) else "absent"), term


def test_lines_that_hold_only_a_word_of_the_term_do_not_match(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n規約だけの行。\n利用だけの行。\n")
    found = serve().find("利用・規約")
    assert found.lines["matched"] == 0
    assert found.status == "absent"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", 0),
        (b"\n", 1),
        (b"one", 1),
        (b"one\n", 1),
        (b"one\ntwo", 2),
        (b"\n\n\none\n", 4),
        (b"one\r\ntwo\r\n", 2),
        (b"one\rtwo\r", 2),
        (b"one\x0ctwo\x0bthree\xe2\x80\xa8four\xc2\x85five\n", 1),
        (b"---\ntitle: x\n---\n", 3),
        ("一\n二\n".encode("cp932"), 2),
        ("一\n二\n".encode("utf-16"), 2),
    ],
)
def test_a_file_has_the_lines_that_an_editor_shows(
    workspace: WorkspaceFolder, serve: Serve, text: bytes, lines: int
) -> None:
    workspace.write("m/x.md", text)
    assert serve().find("どこにもない語").lines == {"total": lines, "examined": lines, "matched": 0, "unexamined": 0}


def test_an_undecodable_file_is_unscanned_for_its_encoding(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.write("m/odd.md", UNDECODABLE)
    found = serve().find("どこにもない語")
    assert [(row[0], row[2]) for row in found.unscanned()] == [("encoding", "odd.md")]
    assert found.status == "unknown"
    assert is_consistent(found)


def test_an_undecodable_file_too_has_the_lines_that_an_editor_shows(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.write("m/odd.md", b"\x81\xff\xff one\n\x81\xff\xff two\n")
    found = serve().find("どこにもない語")
    assert found.lines == {"total": 3, "examined": 1, "matched": 0, "unexamined": 2}


def test_a_file_that_is_too_large_is_unscanned_and_the_sums_hold(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n二行目\n")
    with workspace.write("m/large.md", "").open("wb") as large:
        large.truncate(MAX_DOCUMENT_BYTES + 1)
    found = serve().find("どこにもない語")
    assert [(row[0], row[2]) for row in found.unscanned()] == [("too_large", "large.md")]
    assert found.status == "unknown"
    assert found.lines["examined"] == 2
    assert found.lines["examined"] + found.lines["unexamined"] == found.lines["total"]


def test_a_file_that_may_not_be_read_is_unscanned_as_unreadable(ordinary_workspace: WorkspaceFolder) -> None:
    workspace = ordinary_workspace
    workspace.write("m/x.md", "本文\n")
    with without_permission(workspace.write("m/locked.md", "鍵言葉\n")), serving_indexed(workspace) as manuals:
        # It is looked at again when the server starts.
        assert eventually(lambda: [(row[0], row[2]) for row in manuals.find("鍵言葉").unscanned()] == [LOCKED])
        found = manuals.find("鍵言葉")
        assert found.status == "unknown"
        assert found.lines["examined"] + found.lines["unexamined"] == found.lines["total"]


def test_a_folder_that_may_not_be_entered_is_no_reason_to_say_absent(ordinary_workspace: WorkspaceFolder) -> None:
    workspace = ordinary_workspace
    workspace.write("m/x.md", "本文\n")
    workspace.write("m/locked/y.md", "鍵言葉\n")
    with without_permission(workspace.manuals / "m" / "locked"), serving_indexed(workspace) as manuals:
        assert manuals.find("鍵言葉").status == "unknown"


def test_a_file_whose_name_is_no_text_is_no_reason_to_say_absent(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "本文\n")
    workspace.write(os.fsdecode(b"m/\xff.md"), "鍵言葉\n")
    assert serve().find("鍵言葉").status == "unknown"


@pytest.mark.parametrize("most", [1, 2, 5])
def test_the_sums_hold_beside_files_that_cannot_be_read(workspace: WorkspaceFolder, serve: Serve, most: int) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\n鍵言葉\n" for n in range(9)))
    workspace.write("m/empty.md", "")
    workspace.write("m/odd.md", UNDECODABLE)
    found = serve().find("鍵言葉", budget={"max_candidates": most})
    assert found.summary["candidates"] == most
    assert is_consistent(found)


def test_a_file_changed_after_indexing_is_no_reason_to_say_absent(workspace: WorkspaceFolder, serve: Serve) -> None:
    path = workspace.write("m/x.md", "# 題\n\n本文\n")
    manuals = serve()
    path.write_text("# 題\n\n本文\n鍵言葉\n", "utf-8")
    assert manuals.find("鍵言葉").status != "absent"


def test_a_file_added_after_indexing_is_no_reason_to_say_absent(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n\n本文\n")
    with serving_what_was_indexed(workspace) as manuals:
        workspace.write("m/y.md", "鍵言葉\n")
        found = manuals.find("鍵言葉")
        assert found.status == "unknown"
        assert [(item["reason"], item["path"]) for item in found.hits("unscanned")] == [("changed_since_index", "y.md")]


def test_a_file_with_a_time_stamp_in_the_future_is_no_reason_to_doubt(workspace: WorkspaceFolder) -> None:
    path = workspace.write("m/x.md", "# 題\n\n本文\n")
    os.utime(path, ns=(4 * 10**18, 4 * 10**18))
    with serving(workspace, WATCH="off") as manuals:
        assert eventually(lambda: manuals.find("本文").status == "found")
        assert eventually(lambda: manuals.find("鍵言葉").status == "absent")


@pytest.mark.parametrize("most", [1, 200])
def test_the_sums_hold_while_a_file_is_changed(workspace: WorkspaceFolder, serve: Serve, most: int) -> None:
    path = workspace.write("m/x.md", "".join(f"# 題{n}\n\n鍵言葉\n" for n in range(9)))
    manuals = serve()
    workspace.write("m/new.md", "一行\n二行\n")
    path.write_text("短い\n", "utf-8")
    found = manuals.find("無い言葉", budget={"max_candidates": most})
    assert found.lines["examined"] + found.lines["unexamined"] == found.lines["total"]


def test_absent_is_never_said_while_the_index_is_made(workspace: WorkspaceFolder) -> None:
    for number in range(400):
        workspace.write(f"m/{number}.md", "# 題\n\n本文を書く。\n" * 20 + "鍵言葉\n")
    with serving(workspace, WATCH="off") as manuals:
        said: list[str] = []

        def is_found() -> bool:
            said.append(manuals.find("鍵言葉").status)
            return said[-1] == "found"

        assert eventually(is_found)
    assert "absent" not in said


def test_completeness_names_the_generation_it_speaks_of(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "本文\n")
    with serving_indexed(workspace) as manuals:
        before = manuals.find("本文").summary["completeness"]["index_generation"]
    workspace.write("m/y.md", "本文\n")
    with serving_indexed(workspace) as manuals:
        assert manuals.find("本文").summary["completeness"]["index_generation"] > before


def test_nothing_is_pending_when_nothing_has_changed(library: Serving) -> None:
    assert library.find("申請").summary["completeness"]["pending_files"] == 0


def test_a_file_that_could_not_be_examined_for_two_reasons_is_listed_once(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 題\n\n鍵言葉\n")
    workspace.write("m/odd.md", UNDECODABLE)
    manuals = serve()
    workspace.write("m/odd.md", UNDECODABLE + b"\n" + UNDECODABLE)
    found = manuals.find("鍵言葉")
    assert [row[:3] for row in found.unscanned()] == [("changed_since_index", "m", "odd.md")]
    assert found.lines["examined"] + found.lines["unexamined"] == found.lines["total"]
