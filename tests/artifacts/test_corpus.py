"""Artifacts of all kinds with known faults: all are found, and nothing else."""

import json
from pathlib import Path

import pytest

from morenashi.server.artifacts.faults import find_faults
from morenashi.server.artifacts.reading import read_artifact

CORPUS = Path(__file__).parents[1] / "corpora" / "artifacts"
LABELS: dict[str, list[list[object]]] = json.loads((CORPUS / "labels.json").read_text("utf-8"))
OTHER_DIAGRAMS = {"93-sequence-ignored.md": [2]}
"""Where diagrams begin that are no flowcharts: these alone are not read."""

SOURCE_LINES = 60
"""All artifacts of the corpus are said to be made from a source of so many lines, which has one file beside it."""


def is_file(name: str) -> bool:
    return name == "01b.md"


@pytest.mark.parametrize("name", LABELS)
def test_the_faults_of_an_artifact_are_found_and_no_others(name: str) -> None:
    artifact = read_artifact(name, (CORPUS / name).read_text("utf-8"))
    found = [[fault.kind, fault.node_id, fault.line] for fault in find_faults(artifact, SOURCE_LINES, is_file)]
    assert sorted(found) == sorted(LABELS[name])


@pytest.mark.parametrize("name", LABELS)
def test_no_line_of_the_corpus_is_left_unread_but_where_a_diagram_of_another_kind_begins(name: str) -> None:
    artifact = read_artifact(name, (CORPUS / name).read_text("utf-8"))
    unread = [line for structure in artifact.structures for line in structure.unread_lines]
    assert unread == OTHER_DIAGRAMS.get(name, [])


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("line_break", ["\r\n", "\r"])
def test_the_kind_of_line_break_makes_no_difference(name: str, line_break: str) -> None:
    text = (CORPUS / name).read_text("utf-8")
    assert read_artifact(name, text.replace("\n", line_break)) == read_artifact(name, text)


def test_every_artifact_of_the_corpus_has_its_label() -> None:
    assert {path.name for path in CORPUS.iterdir()} == {*LABELS, "labels.json"}
    assert len(LABELS) >= 40
