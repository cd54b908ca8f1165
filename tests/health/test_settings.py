"""Settings with which no server starts, or every search is refused."""

import os
from typing import Any

import pytest

from ..workspaces import WorkspaceFolder, without_permission
from .doctoring import codes, doctor, found

NO_ADDRESSES = (
    "ollama",
    "http://",
    "http://:11434/v1",
    "http://127.0.0.1:99999/v1",
    "http://127.0.0.1:port/v1",
    "http://[::1/v1",
    "http://a b/v1",
    "http://h/v1\n",
    "http://user:password@h/v1",
    "http://h/v1?version=1",
    "http://h/v1#top",
)


@pytest.mark.parametrize(
    "settings",
    [
        {"MEMORY_MODEL_FOLDER": "none"},
        {"MEMORY_EMBEDDING_URL": "http://127.0.0.1:11434/v1"},
        {"MEMORY_EMBEDDING_MODEL": "m"},
        *({"MEMORY_EMBEDDING_URL": url, "MEMORY_EMBEDDING_MODEL": "m"} for url in NO_ADDRESSES),
        {"MEMORY_EMBEDDING_URL": "http://h", "MEMORY_EMBEDDING_MODEL": "m", "MEMORY_EMBEDDING_KEY": "a\nb"},
        {"MEMORY_EMBEDDING_URL": "http://h", "MEMORY_EMBEDDING_MODEL": "m", "MEMORY_EMBEDDING_KEY": "鍵"},
    ],
)
def test_a_model_without_which_no_server_starts_is_an_error(healthy: WorkspaceFolder, settings: dict[str, Any]) -> None:
    report = doctor(healthy, **settings)
    assert (report["code"], codes(report, "error")) == (1, {"model_unusable"})


@pytest.mark.parametrize("url", ["http://127.0.0.1:11434/v1", "https://h.example", "http://[::1]:8080/v1/", "http://h"])
def test_an_address_that_can_be_asked_is_taken(healthy: WorkspaceFolder, url: str) -> None:
    report = doctor(healthy, MEMORY_EMBEDDING_URL=url, MEMORY_EMBEDDING_MODEL="m", MEMORY_EMBEDDING_KEY="sk-1")
    assert codes(report, "error") == set()


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


def test_a_use_that_a_token_allows_and_nobody_is_granted_is_named(healthy: WorkspaceFolder) -> None:
    file = healthy.root / "tokens.toml"
    file.touch(mode=0o600)
    entry = '[[tokens]]\nname = "ci"\ntoken = "0123456789abcdef"\nallow = ["answer:task", "tool:contact-lookup"]\n'
    file.write_text(entry)
    finding = found(doctor(healthy, HTTP_TOKENS="tokens.toml"), "token_use_not_granted")
    assert finding["what"] == "the token ci allows tool:contact-lookup, which MEMORY_ALLOW does not grant"
    assert codes(doctor(healthy, HTTP_TOKENS="tokens.toml", MEMORY_ALLOW="answer:task,tool:*")) == set()
    file.write_text(f'{entry}toolsets = ["manual"]\n')
    assert codes(doctor(healthy, HTTP_TOKENS="tokens.toml")) == set()


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
