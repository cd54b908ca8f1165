"""With the extra `ja`, words count in whatever form they stand; without it nothing knows of them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.config import ConfigError, read_config
from morenashi.server.search.ranking.words import Analyser
from morenashi.server.workspace import Workspace

from ..server.serving import Serving, index_now, serving
from ..workspaces import WorkspaceFolder

QUESTION = "住所変更 閾値"
ON: dict[str, Any] = {"MORPHOLOGY": "on"}


@pytest.fixture(scope="module")
def analyser() -> Analyser:
    return Analyser()


@pytest.fixture
def manual(workspace: WorkspaceFolder) -> WorkspaceFolder:
    """One file says it in another form, another one half of it, and little else."""
    workspace.write("m/says_it.md", "# 甲\n\n住所変更の書類は、しきい値を示す。\n")
    workspace.write("m/says_half.md", "# 乙\n\n住所変更の話。\n")
    for number in range(8):
        workspace.write(f"m/other{number}.md", f"# 丙\n\nほかの話{number}。\n")
    index_now(workspace)
    return workspace


def test_a_word_in_another_form_counts(manual: WorkspaceFolder) -> None:
    with serving(manual) as plain:
        assert [item["path"] for item in plain.find(QUESTION).hits()] == ["says_half.md", "says_it.md"]
    with serving(manual, **ON) as analysing:
        assert [item["path"] for item in analysing.find(QUESTION).hits()] == ["says_it.md", "says_half.md"]


def test_what_is_found_stays_the_same(manual: WorkspaceFolder) -> None:
    with serving(manual) as plain:
        expected = plain.find(QUESTION)
        places = expected.places()
    with serving(manual, **ON) as analysing:
        found = analysing.find(QUESTION)
        assert found.places() == places
        assert found.lines == expected.lines


def test_the_trace_names_the_dictionary(manual: WorkspaceFolder) -> None:
    def in_force(serving: Serving) -> dict[str, Any]:
        held: dict[str, Any] = serving.workspace.traces.find(serving.find(QUESTION).trace_id).parameters["in_force"]
        return held

    with serving(manual) as plain:
        assert "morphology" not in in_force(plain)
    with serving(manual, **ON) as analysing:
        assert in_force(analysing)["morphology"].startswith("sudachi ")


def test_words_are_content_words_in_their_normalised_form(analyser: Analyser) -> None:
    assert [form for form, _ in analyser.words("引越の届出をしました")] == ["引っ越し", "届け出"]


@given(st.text(alphabet="届出引越すれば。 ab1", max_size=60))
def test_surfaces_stand_in_the_text_in_their_order(analyser: Analyser, text: str) -> None:
    position = 0
    for _, surface in analyser.words(text):
        position = text.index(surface, position) + len(surface)


def test_any_thread_may_analyse(analyser: Analyser) -> None:
    texts = [f"{number}番目の届出をする人の引越" for number in range(200)]
    expected = [analyser.words(text) for text in texts]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(analyser.words, texts)) == expected


def test_a_setting_that_is_neither_on_nor_off_is_refused(workspace: WorkspaceFolder) -> None:
    with pytest.raises(ConfigError, match="MORPHOLOGY"):
        Workspace(read_config({"WORKSPACE_ROOT": str(workspace.root), "MORPHOLOGY": "sudachi"}))
