"""English words are found as both sides of the ocean spell them, whichever is asked for."""

import pytest

from morenashi.server.search.index.postings import Index
from morenashi.server.search.other_spellings import as_written
from morenashi.server.search.question.british import english_spellings
from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

PAIRS = [
    ("serialisation", "serialization"),
    ("organise", "organize"),
    ("authorised", "authorized"),
    ("synthesising", "synthesizing"),
    ("customise", "customize"),
    ("anonymised", "anonymized"),
    ("standardising", "standardizing"),
    ("prioritises", "prioritizes"),
    ("criticised", "criticized"),
    ("summarise", "summarize"),
    ("collectivise", "collectivize"),
    ("analyse", "analyze"),
    ("behaviours", "behaviors"),
    ("colour", "color"),
    ("cancelled", "canceled"),
    ("labelling", "labeling"),
    ("centres", "centers"),
    ("licences", "licenses"),
    ("catalogues", "catalogs"),
    ("judgement", "judgment"),
    ("enrolment", "enrollment"),
    ("fulfils", "fulfills"),
    ("artefacts", "artifacts"),
    ("grey", "gray"),
    ("colour catalogue", "color catalog"),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_each_spelling_finds_both(workspace: WorkspaceFolder, serve: Serve, pair: tuple[str, str]) -> None:
    for number, spelling in enumerate(pair):
        workspace.write(f"m/{number}.md", f"# Rules\n\nThis {spelling} is what we mean.\n")
    manuals = serve()
    for spelling in pair:
        found = manuals.find(f'"{spelling}"')
        assert (found.status, found.lines["matched"], found.summary["gap_count"]) == ("found", 2, 0)


FIXED = (
    "compromise premises precise merchandise advertiser franchises treatise "
    "exercise otherwise revised enterprise noise sunrise advisable resize batchsize prize "
    "error editor letter parameter channels models service plague greed controller"
)


@pytest.mark.parametrize("word", FIXED.split())
def test_what_is_spelt_alike_has_no_other_spelling(word: str) -> None:
    assert english_spellings(word) == []


def test_a_spelling_that_no_text_has_is_not_looked_for(workspace: WorkspaceFolder, serve: Serve) -> None:
    # All of its pairs of letters stand here, and none of its words.
    for number in range(3):
        workspace.write(f"m/{number}.md", "# Rules\n\nThis author is on a basis, at a ration.\n")
    workspace.write("m/x.md", "# Rules\n\nWith authorization alone.\n")
    manuals = serve()
    found = manuals.find("authorization")
    assert found.paths() == {"x.md"}
    asked = parse_query("authorization authorisations", {}, {})
    written = manuals.workspace.ask(lambda connection: as_written(Index(connection, None), asked))
    assert [term.loose for term in asked.terms] == [("authorisation",), ("authorizations",)]
    assert [term.loose for term in written.terms] == [(), ("authorizations",)]
