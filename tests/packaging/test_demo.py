"""`make demo`: what somebody sees first."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..workspaces import clean_environment

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown() -> str:
    """All that the demo prints; it ends with 1 if a step does not go as shown."""
    command = [sys.executable, "-m", "benchmarks.demo"]
    done = subprocess.run(
        command, cwd=ROOT, env=clean_environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def step(shown: str, number: int) -> str:
    """What is printed below a heading."""
    return shown.partition(f"\n{number}. ")[2].partition(f"\n{number + 1}. ")[0]


def test_the_database_is_not_said_to_lie_in_the_checkout(shown: str) -> None:
    assert " in <a temporary folder>/data/morenashi.db\n" in step(shown, 1)


def test_what_is_read_is_shown_in_whole_lines(shown: str) -> None:
    read = [line for line in step(shown, 5).splitlines() if line.startswith("  | ")]
    assert len(read) >= 4
    assert [line for line in read if re.match(r"  \| \d+…", line)] == []
    assert "next_offset: " in step(shown, 5)


def test_one_is_counted_as_one(shown: str) -> None:
    assert "0 sections, 1 gap, " in step(shown, 7)


def test_it_is_said_why_most_items_of_ordinary_documents_are_rootless(shown: str) -> None:
    said, called, _ = step(shown, 10).rpartition('> artifact_audit(artifact_path="README.md"')
    assert called
    assert re.search(r"hardly an item of their lists names lines\n.* so nearly all are rootless\. .*:\n  $", said)
