"""`morenashi memory list`: what is remembered, for a person at a terminal."""

from typing import get_args

import pytest

from morenashi.indexer.claim_index import CLASSES, SCOPES
from morenashi.server.cli import _parser
from morenashi.server.memory.listing import State
from morenashi.server.memory.policy import ClaimKind

from ...workspaces import WorkspaceFolder
from .states import Remembered


def test_every_claim_is_listed_the_last_one_first(remembered: Remembered) -> None:
    order = ["pii", "stale", "merged", "kept", "outdated", "replaced", "expired"]
    assert [claim["id"] for claim in remembered.listed()] == [remembered.ids[name] for name in order]


@pytest.mark.parametrize("state", get_args(State))
def test_those_of_a_state_are_listed(remembered: Remembered, state: str) -> None:
    (claim,) = remembered.listed("--state", state)
    assert (claim["id"], claim["states"]) == (remembered.ids[state], [state])


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (["--scope", "principle"], "outdated"),
        (["--kind", "task"], "expired"),
        (["--class", "pii"], "pii"),
        (["--scope", "project", "--state", "stale"], "stale"),
    ],
)
def test_those_of_a_scope_kind_or_class_are_listed(remembered: Remembered, options: list[str], name: str) -> None:
    assert [claim["id"] for claim in remembered.listed(*options)] == [remembered.ids[name]]


def test_texts_are_shown_as_the_policy_shows_them(remembered: Remembered) -> None:
    assert remembered.listed("--class", "pii")[0]["text"] is None
    granted = remembered.listed("--class", "pii", MEMORY_ALLOW="tool:contact-lookup")
    assert granted[0]["text"] == "窓口は [email]"


def test_a_line_of_a_terminal_has_nothing_that_it_would_obey(remembered: Remembered) -> None:
    stale = remembered.folder.run("memory", "list", "--state", "stale").stdout
    assert stale.startswith(f"{remembered.ids['stale']}  20")
    assert stale.endswith("  project    internal  fact         stale  締切は 三月\ufffd[31m末\n")
    assert remembered.folder.run("memory", "list", "--class", "pii").stdout.endswith("  -  -\n")


def test_where_there_are_none_that_is_said(remembered: Remembered) -> None:
    none = remembered.folder.run("memory", "list", "--class", "secret")
    assert (none.returncode, none.stdout, none.stderr) == (0, "", "there are no such claims\n")


def test_without_a_policy_nothing_is_shown(workspace: WorkspaceFolder) -> None:
    assert workspace.run("reindex").returncode == 0
    refused = workspace.run("memory", "list")
    assert (refused.returncode, refused.stdout, "POLICY_MISSING" in refused.stderr) == (2, "", True)


def test_the_options_take_all_words_that_there_are() -> None:
    words = {"scope": SCOPES, "kind": get_args(ClaimKind), "class": CLASSES, "state": get_args(State)}
    for name, each in words.items():
        for word in each:
            _parser().parse_args(["memory", "list", f"--{name}", word])
