"""What only a heading above a section says counts for the section, and which words and numbers a title has."""

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder

PARTS = "\n## 用量\n\n朝に二錠。\n\n## 副作用\n\n眠くなる。\n"


def first(manuals: Serving, question: str, title: str) -> tuple[str, int]:
    """The place of the first candidate with this title, whatever the title above it."""
    hits = manuals.find(question).hits("integrated_top")
    hit = next(hit for hit in hits if hit["ref"]["title"].rpartition(" › ")[2] == title)
    return hit["path"], hit["start_line"]


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("# {}\n", 7),
        ("---\ntitle: {}\n---\n\n前書き。\n", 11),
        ("---\ntitle: 薬\n---\n\n### 薬：{}：錠剤\n\n前書き。\n", 13),
    ],
)
def test_of_sections_alike_that_of_the_document_with_the_subject_comes_first(
    workspace: WorkspaceFolder, serve: Serve, head: str, line: int
) -> None:
    for path, name in (("m/a.md", "アスピン"), ("m/b.md", "ベタミン"), ("m/c.md", "シロップ")):
        workspace.write(path, head.format(name) + PARTS)
    manuals = serve()
    assert first(manuals, "ベタミン 副作用", "副作用") == ("b.md", line)
    assert first(manuals, "シロップの副作用", "副作用") == ("c.md", line)


def test_among_however_many_documents_alike(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(120):
        workspace.write(f"m/{number:03}.md", f"# 品番{number:03}\n{PARTS}")
    assert first(serve(), "品番077 副作用", "副作用") == ("077.md", 7)


def test_the_chapter_that_a_section_lies_in_says_its_subject_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    chapters = "".join(f"## {name}\n\n### 点検\n\n毎日見る。\n\n" for name in ("送風機", "圧縮機", "給水塔"))
    workspace.write("m/a.md", f"# 保守\n\n{chapters}")
    assert first(serve(), "圧縮機 点検", "点検") == ("a.md", 11)


def test_a_heading_above_counts_for_the_part_of_the_question_that_it_says(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for path, name in (("m/a.md", "送風機"), ("m/b.md", "圧縮機")):
        workspace.write(path, f"# {name}\n\n## 点検\n\n毎日見る。\n\n## 予定\n\n{name}の点検は五月に行う。\n")
    workspace.write("m/c.md", "# 帳票\n\n費用を書く。\n")
    assert first(serve(), "圧縮機 点検 費用", "点検") == ("b.md", 3)


def test_a_section_that_says_all_by_itself_stays_before_those_below_the_subject(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 圧縮機\n\n## 点検\n\n毎日見る。\n\n## 暦\n\n圧縮機の点検は五月に行う。\n")
    hit = serve().find("圧縮機 点検").hits()[0]
    assert (hit["path"], hit["start_line"]) == ("a.md", 9)


def test_the_number_of_a_heading_is_no_end_of_another_number(workspace: WorkspaceFolder, serve: Serve) -> None:
    changes = "".join(f"## Version {number}\n\nSmall repairs.\n\n" for number in ("3.7.2", "7.25", "17.2"))
    workspace.write("m/changes.md", f"# Changes\n\n{changes}")
    workspace.write(
        "m/rules.md", "# Rules\n\n## 7.2. Dependencies\n\nWhat a package needs, and what it does without.\n"
    )
    found = serve().find("7.2")
    titled = [(hit["path"], hit["start_line"]) for hit in found.hits() if "heading" in hit["signals"]]
    assert titled == [("rules.md", 3)]
    assert found.hits()[0]["path"] == "rules.md"


def test_where_a_link_in_a_title_leads_is_no_word_of_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    release = "## [1.2.{0}](/compare/v1.2.{1}...v1.2.{0}) (2024-05-0{0})\n\nSmall repairs.\n\n"
    workspace.write("m/a.md", "# Changes\n\n" + "".join(release.format(n, n - 1) for n in (4, 3, 2)))
    found = serve().find("1.2.3")
    assert [hit["ref"]["title"][:7] for hit in found.hits() if "heading" in hit["signals"]] == ["[1.2.3]"]


@pytest.mark.parametrize("question", ["7.2節", "7.2 節", "第7.2節", "7.2節について教えて", "第7.2項の例外は何ですか"])
def test_a_section_is_asked_for_by_the_number_of_its_heading(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write(
        "m/a.md", "# 手引き\n\n## 7.1 節約\n\n17.2度にする。\n\n## 7.2 点検\n\n毎日見る。\n\n## 7.3 節目\n\n一。\n"
    )
    found = serve().find(question)
    assert (found.hits()[0]["path"], found.hits()[0]["start_line"]) == ("a.md", 7)
    assert [gap["gap_hint"] for gap in found.hits("gaps") if "節" in gap["gap_hint"]] == []


def test_a_number_before_another_word_is_no_section(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 手引き\n\n## 節約\n\n7.2度にする。\n")
    assert serve().find("7.2 節約").hits("gaps") == []
