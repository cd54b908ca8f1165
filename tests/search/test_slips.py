"""A word that stands nowhere is looked for in other forms, or as those that are spelt almost like it; it is said."""

import contextlib

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.deadline import Deadline
from morenashi.server.search import slips
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.request import FindRequest
from morenashi.server.search.scope import ScopeCache

from ..server.serving import Found, Serve, Serving, as_json, ask_database, index_now, serving_indexed
from ..workspaces import WorkspaceFolder

SLIPS = [
    ("コンピュタ", "コンピューター"),
    ("プリンタトレイ", "プリンタトレー"),
    ("アカウソト", "アカウント"),
    ("webhok", "webhook"),
    ("webohok", "webhook"),
    ("Databse", "database"),
    ("authentification", "authentication"),
    ("recieving", "received"),
    ("retensions", "retention"),
    ("seperated", "separating"),
    ("sabatical", "sabbaticals"),
    ("autoincremnt", "AUTOINCREMENT"),
    ("ﾕｰｻﾞ登録 インスタレーシヨン", "インスタレーション"),
]
TABLES = ["traces", "trace_candidates", "trace_gaps"]
OTHERS = [
    ("カード", "カート"),
    ("リード", "シード"),
    ("サーバント", "サービス"),
    ("版1234", "版1235"),
    ("e1234", "e1235"),
    ("申請書類", "申請書面"),
    ("nodes", "codes"),
    ("statement", "statesman"),
    ("sabbatical", "sabbers"),
    # Their stems are one edit apart.
    ("maternity", "materials"),
    ("paternity", "pattern"),
    ("parking", "perks"),
]


def serve_word(workspace: WorkspaceFolder, serve: Serve, word: str) -> Serving:
    workspace.write("m/x.md", f"# 題\n\n前置き。\n\n## 節\n\nここで{word}を使う。\n")
    workspace.write("m/y.md", "# 別\n\nほかのことを書く。\n")
    return serve()


def said(found: Found) -> list[tuple[str, str | None, int | None]]:
    """The gaps that tell of a similar word: what was asked, and where that word stands."""
    gaps = [item for item in found.hits("gaps") if ": not found; " in item["gap_hint"]]
    return [(item["gap_hint"].partition(":")[0], item["path"], item["start_line"]) for item in gaps]


def test_a_slip_is_one_though_more_passages_have_its_pairs_than_are_looked_at(
    workspace: WorkspaceFolder, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slips, "_MOST_READ", 3)
    for number in range(9):
        workspace.write(f"m/{number}.md", f"# Page {number}\n\nData on tension in pretense, of retired people.\n")
    workspace.write("m/x.md", "# Keeping\n\nThe retention of data.\n")
    found = serve().find("retension data", budget={"max_candidates": 2})
    assert found.hits()[0]["path"] == "x.md"
    assert said(found) == [("retension", "x.md", 3)]


@pytest.mark.parametrize(("asked", "written"), SLIPS)
def test_a_slip_finds_the_word_that_was_meant(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    found = serve_word(workspace, serve, written).find(asked)
    assert [(item["path"], item["start_line"]) for item in found.hits()][:1] == [("x.md", 7)]
    assert found.hits()[0]["signals"] == ["loose"]


@pytest.mark.parametrize(("asked", "written"), SLIPS)
def test_it_is_said_for_which_word_and_where(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    found = serve_word(workspace, serve, written).find(asked)
    assert [place[1:] for place in said(found)] == [("x.md", 7)]
    assert found.summary["integration_status"] == "needs_followup"


@pytest.mark.parametrize(("asked", "written"), SLIPS[:-1])
def test_what_was_asked_for_stays_absent(workspace: WorkspaceFolder, serve: Serve, asked: str, written: str) -> None:
    found = serve_word(workspace, serve, written).find(asked)
    assert (found.status, found.lines["matched"]) == ("absent", 0)


@pytest.mark.parametrize(("asked", "written"), OTHERS)
def test_what_is_another_word_is_not_taken_for_a_slip(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    assert said(serve_word(workspace, serve, written).find(asked)) == []


def test_of_several_words_the_nearest_are_taken(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/near.md", "# 一\n\nアプリケーション\n")
    workspace.write("m/far.md", "# 二\n\nアプリケイシヨソ\n")
    assert serve().find("アプリケーシヨン").paths() == {"near.md"}


def test_of_many_words_that_are_as_near_three_are_taken(workspace: WorkspaceFolder, serve: Serve) -> None:
    for word in ("webhook", "webhoak", "webhotk", "webhopk", "webhonk"):
        workspace.write(f"m/{word}.md", f"# One\n\nIt has a {word}.\n")
    assert len(serve().find("webhok").paths()) == 3


def test_of_several_words_of_one_stem_the_nearest_are_taken(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/near.md", "# One\n\nIt is set by autoincrement.\n")
    workspace.write("m/far.md", "# Two\n\nTo have autoincrements.\n")
    assert "near.md" in serve().find("autoincremnt").paths()


@pytest.mark.parametrize("manual_id", [None, "m"])
def test_a_slip_is_one_although_many_passages_have_its_letters(
    workspace: WorkspaceFolder, serve: Serve, manual_id: str | None
) -> None:
    workspace.write("m/x.md", "# 題\n\nここでwebhookを使う。\n")
    workspace.write("m/y.md", "".join(f"# {n}\n\nwe eb bh ho ok\n\n" for n in range(150)))
    workspace.write("n/z.md", "# 別\n\n本文\n")
    assert said(serve().find("webhok", manual_id=manual_id, max_stage=3)) == [("webhok", "x.md", 3)]


def test_what_is_most_about_the_word_that_was_meant_comes_first(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(8):
        workspace.write(f"m/{number}.md", "# 題\n\n" + "ほかの説明。" * 30 + "webhookも。\n")
    workspace.write("m/webhook.md", "# 題\n\nwebhookを登録する。webhookを消す。\n")
    assert serve().find("webhok").hits()[0]["path"] == "webhook.md"


def test_a_word_that_stands_somewhere_is_no_slip(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\nアカウントを作る。\n")
    workspace.write("n/y.md", "# 題\n\nアカウソトと書いてある。\n")
    manuals = serve()
    assert manuals.find("アカウソト").paths() == {"y.md"}
    narrow = manuals.find("アカウソト", manual_id="m", max_stage=3)
    assert (narrow.summary["candidates"], said(narrow)) == (0, [])


def test_the_word_that_was_meant_in_another_manual_is_found_by_widening(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 題\n\n本文\n")
    workspace.write("n/y.md", "# 題\n\nアカウントを作る。\n")
    found = serve().find("アカウソト", manual_id="m")
    assert (found.paths(), found.summary["scope_expanded"]) == ({"y.md"}, True)


def test_beside_a_slip_the_other_terms_are_found_as_ever(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 一\n\n申請にはアカウントが要る。\n")
    workspace.write("m/y.md", "# 二\n\n申請の期限。\n")
    found = serve().find("申請 アカウソト")
    assert (found.status, found.lines["matched"]) == ("found", 2)
    assert found.paths() == {"x.md", "y.md"}
    assert said(found) == [("アカウソト", "x.md", 3)]


@pytest.mark.parametrize(
    ("asked", "written"),
    [("reassigned", "reassign"), ("stopping", "stopped"), ("resigning", "resigned"), ("policies", "policy")],
)
def test_an_english_word_in_another_form_is_found_and_is_neither_a_slip_nor_missing(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# One\n\nThe licence and its {written}.\n")
    workspace.write("m/y.md", "# Two\n\nThe licence costs nothing.\n")
    workspace.write("n/z.md", f"# Three\n\nElsewhere, {asked} stands as it was asked for.\n")
    found = serve().find(f"licence {asked}", manual_id="m", max_stage=3)
    assert [hit["path"] for hit in found.hits()] == ["x.md", "y.md"]
    assert "loose" in found.hits()[0]["signals"]
    assert (found.lines["matched"], found.hits("gaps")) == (2, [])


@pytest.mark.parametrize(
    ("asked", "written"),
    [("inactivity", "inactive"), ("resigning", "resignation"), ("severance", "several"), ("severance", "severe")],
)
def test_of_a_word_of_the_same_stem_alone_it_is_said_that_it_was_taken(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# One\n\nThe licence and its {written} parts.\n")
    workspace.write("n/z.md", f"# Three\n\nElsewhere, {asked} stands as it was asked for.\n")
    found = serve().find(f"licence {asked}", manual_id="m", max_stage=3)
    assert (found.paths(), found.status, said(found)) == ({"x.md"}, "found", [(asked, "x.md", 3)])


def test_words_side_by_side_are_not_the_word_as_it_was_asked_for(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# One\n\nReassign a licence: the rules of a licence.\n")
    workspace.write("m/y.md", "# Two\n\nThose are assigned once.\n")
    found = serve().find("licence reassigned", budget={"max_candidates": 1})
    assert [hit["path"] for hit in found.hits()] == ["x.md"]
    assert found.hits("gaps") == []


def test_a_stem_that_stands_everywhere_is_no_form_of_a_word(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# One\n\nThe licence costs nothing.\n")
    workspace.write("m/y.md", "".join(f"# Part {number}\n\nA dependency.\n\n" for number in range(101)))
    workspace.write("n/z.md", "# Elsewhere\n\nIts dependents.\n")
    found = serve().find("licence dependents", manual_id="m", max_stage=3)
    assert found.paths() == {"x.md"}
    assert [gap["gap_hint"] for gap in found.hits("gaps")] == ["dependents"]


@pytest.mark.parametrize(
    ("asked", "written"), [("retries", "retry"), ("tokens", "token"), ("boxes", "box"), ("policy", "policies")]
)
def test_a_noun_that_stands_in_both_numbers_is_found_in_both(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# One\n\nThere are {asked} here.\n")
    workspace.write("m/y.md", f"# Two\n\nEach {written} is counted.\n")
    workspace.write("m/z.md", "# Three\n\nNothing of it: retrieved, tokenised, policing.\n")
    found = serve().find(f"everything about {asked}", manual_id="m", max_stage=3)
    assert [hit["path"] for hit in found.hits()][:2] == ["x.md", "y.md"]
    assert "loose" in found.hits()[1]["signals"]
    assert found.paths() == {"x.md", "y.md"}
    assert (found.lines["matched"], found.hits("gaps")) == (1, [])


@pytest.mark.parametrize(
    ("asked", "written", "others"),
    [
        ("deprecated", "This deprecates that.", "Depreciation is due."),
        ("deprecated", "See the deprecation of it.", "Deputies vote."),
        ("removing", "Then remove it.", "It is remote."),
        ("truncate", "By truncating it.", "The trunk is full."),
        ("smoking", "They smoke outside.", "A smock, a smokestack."),
        ("closed", "Before closing it.", "In a closet."),
        ("share", "It is for sharing.", "A charm."),
        ("logged", "Keep a catalogue.", "One logs nothing."),
    ],
)
def test_a_verb_is_found_in_its_other_forms(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str, others: str
) -> None:
    workspace.write("m/x.md", f"# One\n\nIt is {asked} here.\n")
    workspace.write("m/y.md", f"# Two\n\n{written}\n")
    workspace.write("m/z.md", f"# Three\n\n{others}\n")
    found = serve().find(asked, manual_id="m", max_stage=3)
    assert [hit["path"] for hit in found.hits()] == (["x.md"] if asked == "logged" else ["x.md", "y.md"])
    assert (found.lines["matched"], found.hits("gaps")) == (1, [])


def test_beside_other_words_a_noun_is_found_in_the_number_that_was_asked_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# One\n\nThe quota of retries.\n")
    workspace.write("m/y.md", "# Two\n\nEach retry is counted.\n")
    assert serve().find("quota of retries", manual_id="m", max_stage=3).paths() == {"x.md"}


def test_a_noun_that_stands_everywhere_is_found_in_the_number_that_was_asked_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# One\n\nThere are retries here.\n")
    workspace.write("m/y.md", "".join(f"# Part {number}\n\nOne retry.\n\n" for number in range(101)))
    assert serve().find("retries", manual_id="m", max_stage=3).paths() == {"x.md"}


@pytest.mark.parametrize(("asked", "written"), [("smoking", "smoke"), ("closed", "closing"), ("shared", "sharing")])
def test_a_short_verb_that_stands_in_other_forms_alone_is_no_slip(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    found = serve_word(workspace, serve, f" {written} ").find(asked)
    assert (found.status, len(found.hits())) == ("absent", 1)
    assert "words of the same stem" in found.hits("gaps")[0]["gap_hint"]


def test_of_a_word_in_other_forms_alone_it_is_said_where_one_stands(workspace: WorkspaceFolder, serve: Serve) -> None:
    found = serve_word(workspace, serve, " reassign ").find("reassigned")
    (gap,) = found.hits("gaps")
    assert (found.status, found.lines["matched"], found.hits()[0]["path"]) == ("absent", 0, "x.md")
    assert (gap["path"], gap["start_line"]) == ("x.md", 7)
    assert gap["gap_hint"] == "reassigned: not found; words of the same stem were looked for instead, as on this line"


def test_a_word_that_the_best_sections_have_otherwise_is_no_gap_because_its_own_lines_were_left_over(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "".join(f"# Part {n}\n\nA crate has a limit of features.\n\n" for n in range(6)))
    workspace.write("m/y.md", "# Pipes\n\nTheir limits.\n")
    manuals, chosen = serve(), {"budget": {"max_candidates": 2}}
    found = manuals.find("limits crate features", **chosen)
    assert (found.paths(), found.hits("gaps")) == ({"x.md"}, [])
    assert [gap["gap_hint"] for gap in manuals.find("engine crate features", **chosen).hits("gaps")] == ["engine"]


def test_a_slip_is_found_by_resumed_searches_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\nアカウントを作る。\n\n" for n in range(6)))
    manuals = serve()
    searches = [manuals.find("アカウソト", budget={"max_candidates": 2})]
    while "cutoff_reason" in searches[-1].summary:
        last = searches[-1].trace_id
        searches.append(manuals.find("アカウソト", budget={"max_candidates": 2}, only_unscanned_from_trace_id=last))
        assert len(searches) < 10
    assert len(set().union(*(found.places() for found in searches))) == 6
    assert all(said(found) for found in searches)


def test_neither_answer_nor_trace_quote_the_word(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n\nアカウントを作る。\n")
    with serving_indexed(workspace) as manuals:
        found = manuals.find("アカウソト")
        lists = [found.hits(kind) for kind in ("gaps", "unscanned", "conflicts")]
        assert "アカウント" not in as_json([found.body, lists])
    stored = [ask_database(workspace, f"SELECT * FROM {table}") for table in TABLES]  # noqa: S608 - names from above
    assert "アカウント" not in as_json(stored)


def test_a_search_whose_terms_have_hits_reads_no_vocabulary(workspace: WorkspaceFolder) -> None:
    workspace.write("m/x.md", "# 題\n\nアカウントを作る。\n")
    index_now(workspace)
    asked = {question: vocabulary_reads(workspace, question) for question in ("アカウント", "作る", "アカウソト")}
    assert asked == {"アカウント": 0, "作る": 0, "アカウソト": 1}


def vocabulary_reads(folder: WorkspaceFolder, question: str) -> int:
    """How many statements of a search read the vocabulary."""
    statements: list[str] = []
    with contextlib.closing(open_reader(folder.database)) as connection:
        connection.set_trace_callback(statements.append)
        request = FindRequest(parse_query(question, {}, {}), question, None, None, 200)
        Search(connection, ScopeCache(), frozenset()).run(request, Deadline(60_000)).complete()
        connection.set_trace_callback(None)
    return sum("FROM words_vocabulary" in statement for statement in statements)
