"""Exhaustiveness (contract §3): every line that holds a term is in a candidate's section or listed as unscanned."""

import json
import random
import shutil

import pytest

from ..server.corpora import Reach, random_terms, read_corpus, write_corpus
from ..server.serving import serving_indexed
from ..workspaces import WorkspaceFolder, require_devset

BUDGETS = [None, {"max_candidates": 1}, {"max_candidates": 3}]


def test_no_line_with_a_term_is_out_of_reach(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(seed)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace) as manuals:
        reach = Reach(manuals, corpus)
        for term in random_terms(corpus, chosen, 8):
            found = manuals.find(term, budget=chosen.choice(BUDGETS))
            assert reach.missed(found, corpus.lines_with(term)) == [], f"query {term!r}"


def test_a_term_that_is_there_is_never_called_absent(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(1_000 + seed)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace) as manuals:
        for term in random_terms(corpus, chosen, 12):
            found = manuals.find(term, budget=chosen.choice(BUDGETS))
            assert found.status != "absent", f"query {term!r}"


def test_lines_add_up_to_those_of_the_files(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(2_000 + seed)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace) as manuals:
        for term in random_terms(corpus, chosen, 6):
            lines = manuals.find(term, budget=chosen.choice(BUDGETS)).lines
            assert lines["total"] == corpus.total
            assert lines["examined"] + lines["unexamined"] == corpus.total


def test_unexamined_lines_are_those_of_the_unscanned_ranges(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(3_000 + seed)
    corpus = write_corpus(workspace, chosen)
    with serving_indexed(workspace) as manuals:
        for term in random_terms(corpus, chosen, 6):
            found = manuals.find(term, budget={"max_candidates": 1})
            ranges = found.unscanned()
            assert sum(last - first + 1 for *_, first, last in ranges) == found.lines["unexamined"]
            assert len(ranges) == found.summary["unscanned_sections_count"]


def test_two_words_reach_the_lines_of_both(workspace: WorkspaceFolder, seed: int) -> None:
    chosen = random.Random(4_000 + seed)
    corpus = write_corpus(workspace, chosen)
    words = ["申請", "税法", "サーバー", "webhook", "第3条", "10%", "がく"]
    with serving_indexed(workspace) as manuals:
        reach = Reach(manuals, corpus)
        for _ in range(4):
            pair = chosen.sample(words, 2)
            found = manuals.find(" ".join(pair), budget=chosen.choice(BUDGETS))
            assert reach.missed(found, corpus.lines_with(pair[0]) | corpus.lines_with(pair[1])) == [], f"query {pair}"


@pytest.fixture(scope="module")
def devset(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    folder = WorkspaceFolder(tmp_path_factory.mktemp("devset") / "workspace")
    shutil.copytree(require_devset("manuals"), folder.manuals)
    return folder


def test_the_graded_terms_are_reached_line_by_line(devset: WorkspaceFolder) -> None:
    rows = [json.loads(line) for line in require_devset("gold", "terms.jsonl").read_text("utf-8").splitlines()]
    corpus = read_corpus(devset)
    with serving_indexed(devset) as manuals:
        reach = Reach(manuals, corpus)
        missed = []
        for start in range(0, len(rows), 50):
            # Many are asked first: what a search left over can be read once its trace is committed, a moment later.
            found = [(row, manuals.find(row["query"])) for row in rows[start : start + 50]]
            for row, one in found:
                lines = {(hit["manual_id"], hit["path"], hit["line"]) for hit in row["hits"]}
                missed += [row["query"]] * bool(reach.missed(one, lines))
    assert missed == []
