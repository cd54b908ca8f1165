"""SECURITY.md promises no more than is held: every test that it names is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", (ROOT / "SECURITY.md").read_text("utf-8"))))


def test_the_page_names_tests() -> None:
    assert len(NAMED) > 30


@pytest.mark.parametrize("name", NAMED)
def test_a_named_test_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    names = {
        node.name
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert any(each.startswith("test_") for each in names)
    assert not function or function in names


def test_every_row_of_the_table_names_one() -> None:
    rows = [line for line in (ROOT / "SECURITY.md").read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    assert [row for row in rows if "---" not in row and "`tests/" not in row] == []
