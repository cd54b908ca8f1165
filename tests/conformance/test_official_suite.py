"""The official conformance suite, for both protocols, over HTTP. What it expects in vain has a reason beside it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..http.serving import http_server
from ..workspaces import WorkspaceFolder
from . import programs

# After the scenario and the moment.
_FOLDER_NAME = re.compile(r"^server-(.+)-\d{4}-\d\d-\d\dT.*$")
VERSIONS = ["2025-11-25", "2026-07-28"]
# What our server says, or the suite, where there is no such tool, prompt or resource, or a feature is not offered.
WANTING = re.compile(
    "Unknown tool: test_|there is no such (prompt|resource)|Method not found|not found. Available tools"
    "|Not testable: server |InputRequiredResult"
)
# Of scenarios that need none of the suite's own tools, prompts and resources: these have to be among what passes.
PASSED = {
    "2025-11-25": {"server-initialize", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"},
    "2026-07-28": {"tools-list", "resources-list", "sep-2164-resource-not-found", "http-header-validation"},
}


@pytest.fixture(scope="module")
def url(folder: WorkspaceFolder) -> Iterator[str]:
    """The folder over HTTP, as users serve it."""
    programs.find("conformance")
    with http_server(folder) as server:
        yield server.url


@pytest.mark.parametrize("version", VERSIONS)
def test_the_suite_finds_nothing_but_what_is_expected(url: str, home: Path, version: str) -> None:
    expected = programs.HERE / f"expected-failures-{version}.yml"
    options = ["--suite", "all", "--spec-version", version, "--expected-failures", str(expected), "-o", str(home)]
    ran = programs.run("conformance", "server", "--url", url, *options, home=home)
    assert ran.returncode == 0, ran.stdout[-4_000:] + ran.stderr[-2_000:]
    assert PASSED[version] <= _passed(home)
    assert [check for check in _failed(home) if not WANTING.search(check)] == []


def _passed(results: Path) -> set[str]:
    """The scenarios without a failed check."""
    found = set()
    for scenario, checks in _checks(results):
        statuses = [check["status"] for check in checks]
        if "SUCCESS" in statuses and "FAILURE" not in statuses:
            found.add(scenario)
    return found


def _failed(results: Path) -> list[str]:
    """Each check that failed, with what it says."""
    return [
        f"{scenario}: {check['id']}: {check.get('errorMessage')}"
        for scenario, checks in _checks(results)
        for check in checks
        if check["status"] == "FAILURE"
    ]


def _checks(results: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for path in results.glob("*/checks.json"):
        yield _FOLDER_NAME.sub(r"\1", path.parent.name), json.loads(path.read_text("utf-8"))
