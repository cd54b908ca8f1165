"""The name of a manual in a question that is asked in it: most of what stands there is about it."""

import pytest

from tests.server.serving import Serve
from tests.workspaces import WorkspaceFolder

OFTEN, SELDOM = 230, 150
ABOUT = ("m.md", 3), ("m.md", 9)


def write(workspace: WorkspaceFolder, manual: str, name: str, sections: int) -> None:
    """Two sections on descaling and so many others, all of which say the name; and another manual that says it once."""
    about = f"## Descaling\n\nThe {name} wants vinegar.\n\n## Vinegar\n\nDescaling the {name} takes an hour.\n"
    others = "".join(f"\n## Part {number}\n\nThis part of the {name} is blue.\n" for number in range(sections))
    workspace.write(f"{manual}/m.md", f"# Manual\n\n{about}{others}")
    workspace.write("other/x.md", f"# Kitchen\n\nThe {name} stands by the window.\n")


@pytest.mark.parametrize(
    ("manual", "name", "question"),
    [
        ("kettle", "kettle", "How do I start descaling the kettle?"),
        ("kettle-guide-en", "Kettle", "kettle: descaling"),
        ("kettle-help-ja", "Kettle", "kettle: descaling"),
        ("kettle-cli", "kettle", "descaling with kettle"),
        ("acme-kettle", "ACME Kettle", "descaling of the Acme kettle"),
        ("kettlejs", "Kettle.js", "Kettle.js descaling"),
        ("湯沸かし器", "湯沸かし器", "湯沸かし器 descaling"),
    ],
)
def test_in_its_own_manual_it_is_no_term_beside_others(
    workspace: WorkspaceFolder, serve: Serve, manual: str, name: str, question: str
) -> None:
    write(workspace, manual, name, OFTEN)
    found = serve().find(question, manual_id=manual, max_stage=3)
    assert found.places() == {*ABOUT}
    assert [manual for _, manual, *_ in found.unscanned()] == ["other"]


def test_it_says_nothing_of_how_complete_that_is(workspace: WorkspaceFolder, serve: Serve) -> None:
    write(workspace, "kettle", "kettle", OFTEN)
    server = serve()
    named, bare = (server.find(question, manual_id="kettle", max_stage=3) for question in ("kettle vinegar", "vinegar"))
    assert named.summary["sufficiency_score"] == bare.summary["sufficiency_score"]


def test_a_word_inside_another_term_is_looked_for_though_the_name_holds_its_letters(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    write(workspace, "postgresql", "postgresql", OFTEN)
    workspace.write("postgresql/y.md", "# Modes\n\nSQL has a behaviour.\n\nVacuum it.\n")
    found = serve().find("postgresql sql_behaviour vacuum", manual_id="postgresql", max_stage=3)
    assert ("y.md", 3) in found.places()


@pytest.mark.parametrize("question", ["kettle", "the kettle", 'descaling "kettle"', "kettle warranty"])
def test_alone_in_quotes_or_beside_what_stands_nowhere_it_is_looked_for(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    write(workspace, "kettle", "kettle", OFTEN)
    found = serve().find(question, manual_id="kettle", max_stage=3)
    assert found.summary["candidates"] + found.summary["unscanned_sections_count"] >= OFTEN


def test_where_it_is_seldom_said_and_in_other_manuals_it_stays_a_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    write(workspace, "kettle", "kettle", SELDOM)
    write(workspace, "pot", "pot", OFTEN)
    server = serve()
    assert len(server.find("kettle descaling", manual_id="kettle", max_stage=3).places()) > SELDOM
    assert ("x.md", 3) in server.find("pot vinegar", manual_id="other", max_stage=3).places()
    everywhere = server.find("pot vinegar").summary
    assert everywhere["candidates"] + everywhere["unscanned_sections_count"] > OFTEN
