"""The words inside a term that stands nowhere, or is said with a verb, are looked for, but fill no list where all texts
have them.
"""

import pytest

from tests.server.serving import Found, Serve
from tests.workspaces import WorkspaceFolder

MANY = 230


@pytest.fixture
def common(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """Both words in very many passages, and near each other in one; a third one in a single passage."""
    for name, text in (("block", "A block is stored."), ("name", "The name is shown."), ("ログイン", "拒否の記録。")):
        sections = "".join(f"\n## {number}\n\n{name}: {text}\n" for number in range(MANY))
        workspace.write(f"m/{name}.md", f"# Manual\n{sections}")
    workspace.write("m/near.md", "# Near\n\nThe name of a block is given once.\n")
    workspace.write("m/rare.md", "# Rare\n\nA zebra is mentioned.\n")
    return workspace


def places(found: Found) -> list[tuple[str, int]]:
    return [(item["path"], item["start_line"]) for item in found.hits("integrated_top")]


@pytest.mark.parametrize("question", ['"block name"', "block_name", '"name block"'])
def test_common_words_of_a_term_that_stands_nowhere_are_looked_for_near_each_other(
    common: WorkspaceFolder, serve: Serve, question: str
) -> None:
    found = serve().find(question)
    assert (found.status, found.lines["unexamined"], found.lines["matched"]) == ("absent", 0, 0)
    assert places(found) == [("near.md", 3)]


def test_where_they_do_not_stand_together_it_is_those_that_few_passages_have(
    common: WorkspaceFolder, serve: Serve
) -> None:
    found = serve().find("block_zebra")
    assert (found.status, places(found)) == ("absent", [("rare.md", 3)])


def test_of_three_words_two_that_stand_together_are_looked_for(common: WorkspaceFolder, serve: Serve) -> None:
    found = serve().find("block_prefix_name")
    assert (found.status, places(found)) == ("absent", [("near.md", 3)])


def test_what_every_passage_has_one_word_of_is_called_absent_and_not_unknown(
    common: WorkspaceFolder, serve: Serve
) -> None:
    found = serve().find('"block ログイン"')
    assert (found.status, found.summary["unscanned_sections_count"], places(found)) == ("absent", 0, [])


def test_words_that_few_passages_have_are_looked_for_one_by_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# One\n\nA block.\n")
    workspace.write("m/b.md", "# Two\n\nA name.\n")
    found = serve().find("block_name")
    assert sorted(places(found)) == [("a.md", 3), ("b.md", 3)]


def test_a_limit_that_leaves_passages_unread_does_not_keep_them_from_being_looked_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    """For the index, very many passages may have the term: they have every pair of its letters."""
    sections = "".join(f"\n## {number}\n\nA block is known. {'の' * 100} Names.\n" for number in range(MANY))
    workspace.write("m/far.md", f"# Manual\n{sections}")
    for name in "abcxyz":
        workspace.write(f"m/{name}.md", "# Near\n\nThe names of a block are given once.\n")
    manuals, chosen = serve(), {"budget": {"max_candidates": 3}}
    found = manuals.find("block_names", **chosen)
    together = places(found)
    while found.summary["unscanned_sections_count"]:
        found = manuals.find("block_names", only_unscanned_from_trace_id=found.trace_id, **chosen)
        together += places(found)
    assert (found.status, sorted(together)) == ("absent", [(f"{name}.md", 3) for name in "abcxyz"])


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("ファイルを削除する", "ファイルを削除しました。|削除したファイルは戻らない。"),
        ("経路を辿らない", "経路を辿りません。|辿れない経路がある。"),
        ("リンクをたどらない", "リンクをたどりません。|たどれないリンクがある。"),
    ],
)
def test_what_many_lines_say_as_it_is_asked_is_found_in_the_other_forms_of_its_verb(
    workspace: WorkspaceFolder, serve: Serve, question: str, others: str
) -> None:
    """Four passages hold the phrase, which is not little."""
    lines = [*[f"{question}。"] * 4, *others.split("|")]
    for number, line in enumerate(lines):
        workspace.write(f"m/{number}.md", f"# {number}\n\n{line}\n")
    found = serve().find(question)
    assert (found.status, found.lines["matched"], found.hits("gaps")) == ("found", 4, [])
    assert sorted(places(found)) == [(f"{number}.md", 3) for number in range(len(lines))]
    assert {path for path, _ in places(found)[:4]} == {f"{number}.md" for number in range(4)}


@pytest.mark.parametrize(("question", "other"), [("注入できる", "注入の例。"), ("有効にする", "有効な値。")])
def test_a_verb_that_is_said_of_nothing_is_found_as_it_is_asked(
    workspace: WorkspaceFolder, serve: Serve, question: str, other: str
) -> None:
    for number, line in enumerate([*[f"{question}。"] * 4, other]):
        workspace.write(f"m/{number}.md", f"# {number}\n\n{line}\n")
    assert len(places(serve().find(question))) == 4


def test_the_words_of_a_phrase_with_a_verb_fill_no_list(workspace: WorkspaceFolder, serve: Serve) -> None:
    """Where very many passages have each of them, those that have both near each other are found."""
    for name, text in (("file", "ファイル"), ("remove", "削除の記録")):
        sections = "".join(f"\n## {number}\n\n{text}\n" for number in range(MANY))
        workspace.write(f"m/{name}.md", f"# Manual\n{sections}")
    workspace.write(
        "m/a.md", "# A\n\nファイルを削除する。\n\n# B\n\nファイルを削除する。\n\n# C\n\nファイルを削除する。\n"
    )
    workspace.write("m/b.md", "# D\n\nファイルを削除します。\n")
    found = serve().find("ファイルを削除する")
    assert found.summary["unscanned_sections_count"] == 0
    assert sorted(places(found)) == [("a.md", 3), ("a.md", 7), ("a.md", 11), ("b.md", 3)]
