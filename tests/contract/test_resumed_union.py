"""A search with a budget and all that resume it find together what one without a budget finds."""

import itertools
import random

import pytest

from ..server.corpora import Corpus, random_terms, write_corpus
from ..server.serving import Found, Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder, eventually
from .resumed import is_consistent

ALL = {"max_candidates": 1_000}
WORDS = ["申請", "税法", "サーバー", "webhook", "第3条", "10%", "がく", "利用規約", "期限"]
NEAR = "申請|利用規約~税法|期限|webhook"
MOST_CALLS = 300


def sections(found: Found) -> set[tuple[str, str, int]]:
    """The candidates' sections. Which of its lines stands for one may depend on what was examined together."""
    trace = found.serving.workspace.traces.find(found.trace_id)
    return {candidate.section for candidate in trace.candidates}


def together(searches: list[Found]) -> set[tuple[str, str, int]]:
    return {place for found in searches for place in sections(found)}


def given_again(searches: list[Found]) -> set[tuple[str, str, int]]:
    """The sections that were given for a reference alone after another search had given them."""
    before: set[tuple[str, str, int]] = set()
    again = set()
    for found in searches:
        candidates = found.serving.workspace.traces.find(found.trace_id).candidates
        again |= before & {one.section for one in candidates if one.is_only_referred_to}
        before |= sections(found)
    return again


def lines_left(found: Found) -> set[tuple[str, str, int]]:
    """The lines that a search lists as not examined."""
    spans = found.unscanned()
    return {(manual, path, line) for _, manual, path, first, last in spans for line in range(first, last + 1)}


def follow(manuals: Serving, query: str, budget: dict[str, int]) -> list[Found]:
    """A search with a budget, and what resumes it with the same budget, until nothing was cut."""
    searches = [manuals.find(query, budget=budget)]
    while "cutoff_reason" in searches[-1].summary:
        searches.append(manuals.find(query, budget=budget, only_unscanned_from_trace_id=searches[-1].trace_id))
        assert len(searches) < MOST_CALLS, "it comes to no end"
    # Once all are made: each look at a trace waits for its commit.
    for last, resumed in itertools.pairwise(searches):
        assert is_consistent(resumed)
        # And what it found to be referred to and left over itself.
        found_beyond = len(lines_left(resumed) - lines_left(last))
        taken_up = resumed.lines["total"] - found_beyond
        assert taken_up == last.lines["unexamined"], "not exactly what was left is taken up"
    return searches


def queries(corpus: Corpus, chosen: random.Random) -> list[str]:
    return [*random_terms(corpus, chosen, 3), " ".join(chosen.sample(WORDS, 2)), chosen.choice(WORDS), NEAR]


@pytest.mark.parametrize("most", [1, 2, 5])
def test_capped_searches_together_find_what_one_finds(workspace: WorkspaceFolder, seed: int, most: int) -> None:
    chosen = random.Random(100 * seed + most)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace, TRACE_MAX_KEEP="1000") as manuals:
        for query in queries(corpus, chosen):
            searches = follow(manuals, query, {"max_candidates": most})
            whole = manuals.find(query, budget=ALL)
            assert together(searches) == sections(whole), f"query {query!r}"
            assert sum(found.lines["matched"] for found in searches) == whole.lines["matched"], f"query {query!r}"


def test_that_little_is_left_is_no_reason_to_look_for_the_words_inside_the_terms(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for number in range(5):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\nカバー・{number}の一覧。\n")
    workspace.write("m/other.md", "# 別\n\nバーの一覧。\n")
    manuals = serve()
    searches = follow(manuals, "バー・", {"max_candidates": 2})
    assert len(searches) > 2
    assert together(searches) == {("m", f"{number}.md", 1) for number in range(5)}


def write_linked(folder: WorkspaceFolder, chosen: random.Random) -> None:
    """Laws whose articles refer to each other, some of them with the needle."""
    for law in range(3):
        articles = []
        for number in range(1, 11):
            needle = chosen.choice(["鍵言葉を定める。", "", ""])
            cited = "".join(f"第{chosen.randint(1, 10)}条による。" for _ in range(chosen.randint(1, 3)))
            linked = f"[別の法](law{chosen.randrange(3)}.md#第{chosen.randint(1, 10)}条)を見よ。"
            proviso = chosen.choice(["", "ただし、休日は、この限りでない。"])
            articles.append(f"## 第{number}条\n\n{needle}{cited}{chosen.choice([linked, ''])}{proviso}\n")
        folder.write(f"m/law{law}.md", f"# 法{law}\n\n" + "\n".join(articles))


@pytest.mark.parametrize("most", [1, 4])
def test_sections_that_only_references_lead_to_are_found_together_too(
    workspace: WorkspaceFolder, seed: int, most: int
) -> None:
    write_linked(workspace, random.Random(seed))
    with serving_indexed(workspace, TRACE_MAX_KEEP="1000") as manuals:
        whole = manuals.find("鍵言葉", budget=ALL)
        assert whole.summary["signal_coverage"]["reference"] > 5
        searches = follow(manuals, "鍵言葉", {"max_candidates": most})
        assert together(searches) == sections(whole)
        assert given_again(searches) == set()
        assert sum(found.lines["matched"] for found in searches) == whole.lines["matched"]


def test_what_was_given_for_a_reference_is_given_anew_once_it_has_changed(workspace: WorkspaceFolder) -> None:
    for number in range(8):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n鍵言葉は[別](x.md#期限)による。\n")
    workspace.write("m/x.md", "# 別\n\n## 期限\n\n三日とする。\n")
    with serving_indexed(workspace) as manuals:
        first = manuals.find("鍵言葉", budget={"max_candidates": 4})
        again = {"only_unscanned_from_trace_id": first.trace_id, "budget": {"max_candidates": 4}}
        assert ("m", "x.md", 3) in sections(first)
        assert ("m", "x.md", 3) not in sections(manuals.find("鍵言葉", **again))
        workspace.write("m/x.md", "# 別\n\n## 期限\n\n七日とする。\n")
        assert eventually(lambda: manuals.find("七日").hits())
        assert ("m", "x.md", 3) in sections(manuals.find("鍵言葉", **again))


@pytest.mark.parametrize("most", [1, 3])
def test_near_misses_that_a_cap_leaves_out_are_taken_up_too(workspace: WorkspaceFolder, most: int) -> None:
    near = "".join(f"# 近い{n}\n\n基礎的な控除を申告する者の期限は{n}日。\n\n" for n in range(12))
    far = "".join(f"# 遠い{n}\n\n図書館の本を{n}冊まで借りる。\n\n" for n in range(200))
    workspace.write("m/x.md", near + far + "# 題\n\n基礎控除の額。\n\n# 題\n\n申告期限の日。\n")
    with serving_indexed(workspace, TRACE_MAX_KEEP="1000") as manuals:
        whole = manuals.find("基礎控除 申告期限", budget=ALL)
        assert (whole.summary["candidates"], whole.lines["matched"]) == (14, 2)
        assert together(follow(manuals, "基礎控除 申告期限", {"max_candidates": most})) == sections(whole)


def test_hurried_searches_together_find_what_one_finds(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(7_000 + seed)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace, TRACE_MAX_KEEP="1000") as manuals:
        for query in queries(corpus, chosen):
            searches = follow(manuals, query, {"max_candidates": chosen.randint(1, 5), "time_ms": 1})
            assert together(searches) == sections(manuals.find(query, budget=ALL)), f"query {query!r}"


def test_a_single_kanji_is_not_looked_for_in_the_rest_of_what_was_found_as_it_stands(
    workspace: WorkspaceFolder,
) -> None:
    texts = [f"# 題{n}\n\n第{n}条・の文\n" for n in range(3)] + [f"# 別{n}\n\n条{n}の文\n" for n in range(3)]
    workspace.write("m/x.md", "\n".join(texts))
    with serving_indexed(workspace) as manuals:
        whole = sections(manuals.find("条・", budget=ALL))
        assert len(whole) == 3
        assert together(follow(manuals, "条・", {"max_candidates": 3})) == whole


FAR = "".join(f"## 遠い{n}\n\n図書館の本を{n}冊まで借りる。\n\n" for n in range(200))


@pytest.mark.parametrize(
    ("question", "said", "others"),
    [
        ('"申請の期限"', "申請は", "## 題\n\n申請の期限を書く。\n"),
        ("timeot", "timeout は", ""),
        (
            "基礎控除 申告期限",
            "基礎的な控除を申告する者の期限は",
            "## 甲\n\n基礎控除の額。\n\n## 乙\n\n申告期限の日。\n\n" + FAR,
        ),
    ],
    ids=["word inside a term", "similar word", "near miss"],
)
def test_what_was_delivered_is_not_delivered_again_for_a_reference_to_it(
    workspace: WorkspaceFolder, question: str, said: str, others: str
) -> None:
    articles = [f"## 第{n}条\n\n{said}、第{n % 4 + 1}条及び第{(n + 1) % 4 + 1}条による。\n\n" for n in range(1, 5)]
    workspace.write("m/規程.md", "# 規程\n\n" + "".join(articles) + others)
    with serving_indexed(workspace) as manuals:
        whole = sections(manuals.find(question, budget=ALL))
        searches = follow(manuals, question, {"max_candidates": 1})
        assert together(searches) == whole
        assert len(searches) == len(whole) >= 4
