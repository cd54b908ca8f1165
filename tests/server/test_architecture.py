"""What holds the two packages apart and readable: imports in one direction, small rooms, words at every door."""

import ast
import doctest
import functools
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ["indexer", "server"]
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MOST_FILE_LINES, MOST_FUNCTION_LINES = 450, 60
_NAMED_FILE = re.compile(r"(?<![\w./])((?:[a-z_]+/)+\w+\.py|docs/[\w/-]+\.md)\b")
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("morenashi", *parts)).removesuffix(".__init__")


def imports(path: Path, *, at_import_only: bool = False) -> Iterator[str]:
    """The modules that a file imports, by their full names; without those inside functions if asked."""
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    nodes = tree(path).body if at_import_only else ast.walk(tree(path))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def import_graph(package: str, *, at_import_only: bool = True) -> dict[str, set[str]]:
    """Each module of a package with those of the same package that it needs to be imported, or at any time."""
    modules = {module_name(path): path for path in FILES if path.is_relative_to(ROOT / package)}
    graph = {}
    for name, path in modules.items():
        found = {
            part
            for target in imports(path, at_import_only=at_import_only)
            for part in _candidates(target)
            if part in modules
        }
        graph[name] = found - {name}
    return graph


def _candidates(target: str) -> tuple[str, str]:
    """A name that is imported is a module itself, or stands in one."""
    return target, target.rpartition(".")[0]


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules that are left when those that need nothing that is left are taken away, again and again."""
    left = dict(graph)
    while free := [name for name, needed in left.items() if not needed & set(left)]:
        for name in free:
            del left[name]
    return sorted(left)


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 20


def test_the_indexer_never_imports_the_server() -> None:
    strays = [
        path.name
        for path in FILES
        if path.is_relative_to(ROOT / "indexer")
        for target in imports(path)
        if target.startswith("morenashi.server")
    ]
    assert strays == []


def test_only_what_starts_and_watches_the_server_knows_the_protocols_edge() -> None:
    above = ("morenashi.server.edge", "morenashi.server.commands", "morenashi.server.health")
    strays = {
        module_name(path)
        for path in FILES
        if not module_name(path).startswith((*above, "morenashi.server.cli", "morenashi.server.entry"))
        for target in imports(path)
        if target.startswith(above)
    }
    assert strays == set()


def test_neither_package_imports_the_tests_or_the_benchmarks() -> None:
    strays = [
        path.name for path in FILES for target in imports(path) if target.split(".")[0] in ("tests", "benchmarks")
    ]
    assert strays == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_of_a_package_need_each_other_in_a_circle(package: str) -> None:
    assert circle(import_graph(package)) == []


def test_no_modules_of_the_indexer_need_each_other_in_a_circle_later_either() -> None:
    assert circle(import_graph("indexer", at_import_only=False)) == []


def test_the_server_never_prints() -> None:
    printing = [
        f"{path.name}:{node.lineno}"
        for path in FILES
        if path.is_relative_to(ROOT / "server")
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in ("stdout", "__stdout__"))
    ]
    assert printing == []


def test_whether_something_is_there_is_asked_alike_in_every_version_of_python() -> None:
    """`Path`'s own methods take no argument, those of a folder's entries do (`indexer/presence.py`)."""
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in ("exists", "is_dir", "is_file") and not node.args and not node.keywords
    ] == []


def test_no_file_is_longer_than_a_reader_holds() -> None:
    long = {path.name: count for path in FILES if (count := path.read_text("utf-8").count("\n")) > MOST_FILE_LINES}
    assert long == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{path.name}:{node.name}" for path in FILES for node in functions(path) if length(node) > MOST_FUNCTION_LINES
    ]
    assert long == []


def test_every_file_says_what_it_is() -> None:
    assert [path.name for path in FILES if not ast.get_docstring(tree(path))] == []


def test_every_public_function_and_class_says_what_it_is() -> None:
    silent = [
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in FILES
        for node in tree(path).body
        if isinstance(node, Definition) and not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_every_file_that_a_text_names_by_its_folder_is_there() -> None:
    there = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for name in (*PACKAGES, "benchmarks", "docs")
        for path in (ROOT / name).rglob("*.*")
    ]
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in FILES
        for name in _NAMED_FILE.findall(path.read_text("utf-8"))
    }
    assert sorted((path, name) for path, name in named if not any(one.endswith(f"/{name}") for one in there)) == []


def test_what_docstrings_show_is_so() -> None:
    shown = [module_name(path) for path in FILES if ">>> " in path.read_text("utf-8")]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in shown}
    assert results
    assert [name for name, result in results.items() if result.failed or not result.attempted] == []


def test_every_function_is_typed() -> None:
    untyped = [f"{path.name}:{node.name}" for path in FILES for node in functions(path) if node.returns is None]
    assert untyped == []
