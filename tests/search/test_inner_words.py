"""The words inside a term that stands nowhere are looked for, but fill no list where all texts have them."""

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
