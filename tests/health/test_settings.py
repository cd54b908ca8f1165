"""Settings with which no server starts, or every search is refused."""

import os
from typing import Any

import pytest

from ..workspaces import WorkspaceFolder, without_permission
from .doctoring import codes, doctor, found


@pytest.mark.parametrize(
    "settings",
    [
        {"MEMORY_MODEL_FOLDER": "none"},
        {"MEMORY_EMBEDDING_URL": "http://127.0.0.1:11434/v1"},
        {"MEMORY_EMBEDDING_URL": "ollama", "MEMORY_EMBEDDING_MODEL": "m"},
    ],
)
def test_a_model_without_which_no_server_starts_is_an_error(healthy: WorkspaceFolder, settings: dict[str, Any]) -> None:
    report = doctor(healthy, **settings)
    assert (report["code"], codes(report, "error")) == (1, {"model_unusable"})


def test_a_model_that_is_not_there_is_named_with_its_folder(healthy: WorkspaceFolder) -> None:
    pytest.importorskip("tokenizers")
    finding = found(doctor(healthy, MEMORY_MODEL_FOLDER="none"), "model_unusable")
    assert str(healthy.root / "none") in finding["what"]
    assert os.strerror(2) in finding["what"]


@pytest.mark.parametrize("settings", [{"HTTP_TOKENS": "none"}, {"HTTP_TOKEN": "short"}])
def test_tokens_that_http_does_not_take_are_an_error(healthy: WorkspaceFolder, settings: dict[str, Any]) -> None:
    report = doctor(healthy, **settings)
    assert (report["code"], codes(report, "error")) == (1, {"tokens_unusable"})
    assert "short" not in str(report["findings"])


def test_manuals_that_may_not_be_entered_are_a_finding_also_with_a_default_one(
    ordinary_workspace: WorkspaceFolder,
) -> None:
    with without_permission(ordinary_workspace.root / "manuals"):
        report = doctor(ordinary_workspace, DEFAULT_MANUAL_ID="n")
    assert (report["code"], codes(report, "error")) == (1, {"no_manuals"})
    assert "chmod u+rx" in found(report, "no_manuals")["advice"]


def test_a_default_manual_that_is_not_there_is_an_error(healthy: WorkspaceFolder) -> None:
    assert codes(doctor(healthy, DEFAULT_MANUAL_ID="m")) == set()
    report = doctor(healthy, DEFAULT_MANUAL_ID="n")
    assert (report["code"], codes(report, "error")) == (1, {"no_default_manual"})


def test_a_default_manual_without_a_document_is_none(healthy: WorkspaceFolder) -> None:
    healthy.write("empty/notes.txt", "題\n")
    healthy.write(".hidden/a.md", "# 題\n")
    for name in ("empty", ".hidden"):
        assert codes(doctor(healthy, DEFAULT_MANUAL_ID=name), "error") == {"no_default_manual"}
