"""The official conformance suite, for both protocols, over HTTP. What it expects in vain has a reason beside it."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..workspaces import WorkspaceFolder, clean_environment
from . import programs

# After the scenario and the moment.
_FOLDER_NAME = re.compile(r"^server-(.+)-\d{4}-\d\d-\d\dT.*$")
VERSIONS = ["2025-11-25", "2026-07-28"]
# Of scenarios that need none of the suite's own tools, prompts and resources: these have to be among what passes.
PASSED = {
    "2025-11-25": {"server-initialize", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"},
    "2026-07-28": {"tools-list", "resources-list", "sep-2164-resource-not-found", "http-header-validation"},
}


@pytest.fixture(scope="module")
def url(folder: WorkspaceFolder) -> Iterator[str]:
    """The folder over HTTP."""
    programs.find("conformance")
    command = [sys.executable, "-m", "tests.conformance.serve", str(folder.root)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
        env=clean_environment(),
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_suite_finds_nothing_but_what_is_expected(url: str, home: Path, version: str) -> None:
    expected = programs.HERE / f"expected-failures-{version}.yml"
    options = ["--suite", "all", "--spec-version", version, "--expected-failures", str(expected), "-o", str(home)]
    ran = programs.run("conformance", "server", "--url", url, *options, home=home)
    assert ran.returncode == 0, ran.stdout[-4_000:] + ran.stderr[-2_000:]
    assert PASSED[version] <= _passed(home)


def _passed(results: Path) -> set[str]:
    """The scenarios without a failed check."""
    found = set()
    for checks in results.glob("*/checks.json"):
        statuses = [check["status"] for check in json.loads(checks.read_text("utf-8"))]
        if "SUCCESS" in statuses and "FAILURE" not in statuses:
            found.add(_FOLDER_NAME.sub(r"\1", checks.parent.name))
    return found
