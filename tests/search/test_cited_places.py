"""A place that the question cites comes before what cites it, too."""

import contextlib
from collections.abc import Iterator

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.search.cited_places import CitedPlace, find_cited_places
from morenashi.server.search.index.postings import Index

from ..server.serving import Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder

LAW = """# 用水法

## 第一条（目的）

水を配る。

## 第二条（届出）

届け出る。

２　期限は十日とする。

## 別表第一

口径
"""
RULES = "# 用水法施行規則\n\n## 第二条（様式）\n\n用水法第二条第二項の届出及び用水法別表第一は様式による。\n"
OWN_RULES = (
    "# 規程\n\n## 第２条（{0}）\n\n{0}を届け出る。\n２　期限は十日とする。\n\n## 第3条\n\n第2条第2項、前条による。\n"
)
PRODUCT = "# 操作説明書\n\n## 3 設定\n\n### 3.2 通信\n\n速度を選ぶ。\n\n### 3.3 印刷\n\n3.2節の設定による。\n"
ANNEX = "# 副業の手続\n\n届出書を出す。\n"
TERMS = "# Lending Terms\n\n## 2. Fees\n\nNone.\n\n## D. Returns\n\n### 3. Late Returns\n\nPay. Section 2 applies.\n"
NOTICE = "# Privacy Notice\n\n## 2. Storage\n\nA year; section D.3 of the Lending Terms says what is late.\n"
APPENDIX = "# Appendix {0}: {1}\n\nA list that Appendix A and Appendix B of the book complete.\n"
CITING = "# 規程{0}\n\n## 第二条\n\n用水法第二条及び用水法別表第一に{0}を定める。\n"


@pytest.fixture(scope="module")
def laws(shared_workspace: WorkspaceFolder) -> Iterator[Serving]:
    """A law, and a great many rules that cite it more often than it speaks of itself."""
    workspace = shared_workspace
    workspace.write("laws/用水法.md", LAW)
    workspace.write("laws/用水法施行規則.md", RULES)
    for number in range(250):
        workspace.write(f"rules/{number:03}.md", CITING.format(number))
    for subject in ("転居", "休暇"):
        workspace.write(f"company/{subject}.md", OWN_RULES.format(subject))
    workspace.write("product/説明書.md", PRODUCT)
    workspace.write("product/別紙2.md", ANNEX)
    for name, text in (("terms", TERMS), ("notice", NOTICE)):
        workspace.write(f"english/{name}.md", text)
    for letter, subject in (("A", "Words"), ("B", "Signs")):
        workspace.write(f"book/{subject}.md", APPENDIX.format(letter, subject))
    with serving_indexed(workspace) as manuals:
        yield manuals


def first(manuals: Serving, question: str, **arguments: object) -> tuple[str, int]:
    """Where the best candidate stands."""
    hit = manuals.find(question, **arguments).hits("integrated_top")[0]
    return hit["path"], hit["start_line"]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("用水法第2条", 7),
        ("用水法第二条", 7),
        ("用水法 2条", 7),
        ("用水法の2条", 7),
        ("用水法の第二条第2項の期限", 11),
        ("用水法第2条について全部教えて", 7),
        ("用水法第2条の要件は", 7),
        ("用水法第2条第2項", 11),
        ("用水法別表第1", 13),
        ("町の用水法第1条", 3),
    ],
)
def test_the_place_itself_comes_first_on_the_line_that_is_cited(laws: Serving, question: str, line: int) -> None:
    assert first(laws, question) == ("用水法.md", line)


def test_of_two_documents_the_one_that_is_named_is_meant(laws: Serving) -> None:
    assert first(laws, "用水法施行規則第2条") == ("用水法施行規則.md", 3)


def test_it_is_a_candidate_and_no_line_that_holds_a_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("laws/用水法.md", LAW)
    workspace.write("laws/b.md", "# 手引\n\n用水法第二条による。\n")
    found = serve().find("用水法第2条")
    assert (found.status, found.lines["matched"], found.paths()) == ("found", 1, {"用水法.md", "b.md"})


def test_nothing_outside_of_what_is_asked_for_is_meant(laws: Serving) -> None:
    found = laws.find("用水法第2条", manual_id="rules", max_stage=3)
    assert "用水法.md" not in found.paths()


def test_a_chain_of_searches_has_it_once(laws: Serving) -> None:
    found = laws.find("用水法第2条", budget={"max_candidates": 60})
    places = [(hit["path"], hit["start_line"]) for hit in found.hits()]
    while found.summary["unscanned_sections_count"]:
        found = laws.find("用水法第2条", only_unscanned_from_trace_id=found.trace_id, budget={"max_candidates": 60})
        places += [(hit["path"], hit["start_line"]) for hit in found.hits()]
    assert places.count(("用水法.md", 7)) == 1
    assert len(places) == len(set(places)) > 251


@pytest.mark.parametrize(
    ("question", "line"),
    [("第2条", 3), ("第二条", 3), ("2条の内容", 3), ("第2条第2項", 6), ("第2条2項について全部教えて", 6)],
)
def test_without_a_name_those_of_the_manual_are_meant(laws: Serving, question: str, line: int) -> None:
    hits = laws.find(question, manual_id="company").hits("integrated_top")
    assert {(hit["path"], hit["start_line"]) for hit in hits[:2]} == {("転居.md", line), ("休暇.md", line)}


def test_without_a_name_the_words_beside_it_say_which_is_meant(laws: Serving) -> None:
    assert first(laws, "休暇の第2条第2項", manual_id="company") == ("休暇.md", 6)
    assert first(laws, "第2条第2項の転居", manual_id="company") == ("転居.md", 6)


def test_of_those_without_a_name_the_ones_that_have_the_part_are_meant(laws: Serving) -> None:
    paths = {hit["path"] for hit in laws.find("第2条第2項", manual_id="laws", max_stage=3).hits("integrated_top")[:1]}
    assert paths == {"用水法.md"}


@pytest.mark.parametrize(
    ("question", "manual_id", "place"),
    [
        ("3.2節", "product", ("説明書.md", 5)),
        ("第3.2節の手順", "product", ("説明書.md", 5)),
        ("操作説明書の3.2節", None, ("説明書.md", 5)),
        ("別紙2の提出先", "product", ("別紙2.md", 1)),
        ("操作説明書の別紙第２", None, ("別紙2.md", 1)),
        ("別表第1", "laws", ("用水法.md", 13)),
        ("section D.3", "english", ("terms.md", 9)),
        ("What does section D(3) say?", "english", ("terms.md", 9)),
        ("section 2 of the lending terms", "english", ("terms.md", 3)),
        ("section 2 of the Privacy Notice", "english", ("notice.md", 3)),
        ("Privacy Notice § 2", None, ("notice.md", 3)),
        ("section 2 privacy notice", None, ("notice.md", 3)),
        ("§2 lending terms late", None, ("terms.md", 3)),
        ("appendix b", "book", ("Signs.md", 1)),
        ("Appendix A", None, ("Words.md", 1)),
    ],
)
def test_a_place_may_be_cited_by_its_number_or_in_english(
    laws: Serving, question: str, manual_id: str | None, place: tuple[str, int]
) -> None:
    assert first(laws, question, **({"manual_id": manual_id} if manual_id else {})) == place


def test_a_number_that_a_great_many_have_means_none_of_them(laws: Serving) -> None:
    with contextlib.closing(open_reader(laws.folder.database)) as connection:
        meant = {home: len(_cited("第2条", Index(connection, home))) for home in ("company", "rules")}
    assert meant == {"company": 2, "rules": 0}


def _cited(question: str, index: Index) -> list[CitedPlace]:
    return find_cited_places(index, index, question)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_cited_place_is_a_candidate_or_left_over_and_never_both(
    workspace: WorkspaceFolder, serve: Serve, most: int
) -> None:
    articles = "".join(f"## 第{number}条\n\n届出をする者は、{number}日前に届け出る。\n\n" for number in range(1, 8))
    workspace.write("m/試験法.md", f"# 試験法\n\n{articles}")
    workspace.write("m/手引.md", "# 手引\n\n試験法第3条と試験法第5条による届出。\n")
    found = serve().find("試験法第3条と第5条", budget={"max_candidates": most})
    left = [row[2:] for row in found.unscanned()]
    assert len(left) == len(set(left))
    assert [
        place for place in found.places() if any(path == place[0] and a <= place[1] <= b for path, a, b in left)
    ] == []


CHAPTERS = {
    "manual.md": "# Widget Policy Manual\n\n* 9. System\n\n  * 9.2. Users\n\n  * 9.3. Services\n\n* 10. Files\n",
    "9-system.md": "# 9. System\n\n## 9.2. Users\n\nNone.\n\n## 9.3. Services\n\nThey are started by hand.\n",
    "10-files.md": "# 10. Files\n\nPolicy section 9.3 names services, and section 9.3 of the widget policy binds.\n",
}


@pytest.mark.parametrize(
    "question",
    [
        "what does section 9.3 of the widget policy say",
        "section 9.3 of the Widget Policy Manual",
        "widget-policy section 9.3",
        "according to Widget Policy § 9.3, who starts services?",
        "What does chapter 9.3 of Widget Policy require?",
        "section 9.3 widget policy",
    ],
)
def test_a_manual_of_many_files_is_called_by_its_id(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    for name, text in CHAPTERS.items():
        workspace.write(f"widget-policy/{name}", text)
    workspace.write("gadget/3.md", "# 9. Rules\n\n## 9.3. Services\n\nPolicy of another.\n")
    assert first(serve(), question) == ("9-system.md", 7)


def test_a_document_that_is_called_as_its_manual_begins_is_meant_itself(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("widget/terms.md", "# Widget Terms\n\n## 2. Fees\n\nNone.\n")
    workspace.write("widget/notice.md", "# Notice\n\n## 2. Storage\n\nA year.\n")
    assert first(serve(), "section 2 of the widget terms") == ("terms.md", 3)


def test_a_manual_that_was_not_asked_for_is_not_meant(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name, text in CHAPTERS.items():
        workspace.write(f"widget-policy/{name}", text)
    workspace.write("gadget/3.md", "# 9. Rules\n\n## 9.3. Services\n\nPolicy of another.\n")
    found = serve().find("section 9.3 of the widget policy", manual_id="gadget", max_stage=3)
    assert found.paths() == {"3.md"}
