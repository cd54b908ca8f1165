"""The wheel and the source distribution: what is in them, and that an installed one works by itself."""

import json
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import morenashi

from ..workspaces import clean_environment, make_workspace

ROOT = Path(__file__).parents[2]
_NO_INDEX = ("No matching distribution", "Could not find a version", "ConnectionError", "name resolution")


@dataclass(frozen=True)
class Built:
    """The two files that a build makes."""

    wheel: Path
    sdist: Path

    def in_wheel(self) -> set[str]:
        with zipfile.ZipFile(self.wheel) as archive:
            return set(archive.namelist())

    def in_sdist(self) -> set[str]:
        with tarfile.open(self.sdist) as archive:
            return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both distributions, built as anybody would, in isolation."""
    folder = tmp_path_factory.mktemp("built")
    done = run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    if done.returncode and any(sign in done.stdout + done.stderr for sign in _NO_INDEX):
        pytest.skip("PyPI cannot be reached: the build's own requirements cannot be installed")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a fresh environment with the wheel in it.

    Its dependencies are those of the environment that runs the tests, by a path file; its own
    packages come before them.
    """
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, with_pip=False)
    paths = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    commands = Path(sysconfig.get_path("scripts", "venv", vars=paths))
    done = run(
        sys.executable, "-m", "pip", "--python", str(commands / "python"), "install", "--no-deps", str(built.wheel)
    )
    assert done.returncode == 0, done.stderr
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return commands


def run(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command outside the checkout, so that nothing is imported from there by chance."""
    environment = {name: value for name, value in clean_environment().items() if name != "PYTHONPATH"}
    where = folder or Path(command[0]).parent
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "name",
    [
        "morenashi/__init__.py",
        "morenashi/__main__.py",
        "morenashi/py.typed",
        "morenashi/schema.sql",
        "morenashi/server/cli.py",
        "morenashi/indexer/text.py",
        "morenashi/migrations/__init__.py",
        "morenashi/dictionaries/exceptions.txt",
        "morenashi/dictionaries/synonyms.txt",
        "morenashi/dictionaries/english.txt",
        "morenashi/dictionaries/okurigana.txt",
        "morenashi/dictionaries/spellings.txt",
        "morenashi/dictionaries/verbs.txt",
    ],
)
def test_the_wheel_holds_what_the_program_reads(built: Built, name: str) -> None:
    assert name in built.in_wheel()


@pytest.mark.parametrize(("folder", "ending"), [("server", "py"), ("indexer", "py"), ("migrations", "py")])
def test_the_wheel_holds_every_module(built: Built, folder: str, ending: str) -> None:
    there = {f"morenashi/{path.relative_to(ROOT)}" for path in (ROOT / folder).rglob(f"*.{ending}")}
    assert there - built.in_wheel() == set()


def test_the_wheel_installs_one_package(built: Built) -> None:
    tops = {name.partition("/")[0] for name in built.in_wheel()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"morenashi"}


def test_the_wheel_carries_no_leftovers(built: Built) -> None:
    leftovers = (".pyc", ".db", ".db-wal", ".lock", ".orig")
    assert [name for name in built.in_wheel() if name.endswith(leftovers)] == []


def test_the_wheel_carries_the_licence(built: Built) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in built.in_wheel())


@pytest.mark.parametrize(
    "name",
    [
        "pyproject.toml",
        "schema.sql",
        "server/cli.py",
        "indexer/text.py",
        "README.md",
        "LICENSE",
        "SECURITY.md",
        "server.json",
        "Dockerfile",
        "deploy/bundle.py",
        "deploy/mcpb/manifest.json",
        "deploy/morenashi.service",
    ],
)
def test_the_source_distribution_holds_the_source(built: Built, name: str) -> None:
    assert name in built.in_sdist()


def test_the_source_distribution_holds_the_sample_manuals(built: Built) -> None:
    samples = {path.relative_to(ROOT).as_posix() for path in (ROOT / "data" / "manuals").rglob("*") if path.is_file()}
    assert samples
    assert samples - built.in_sdist() == set()


def test_the_source_distribution_holds_the_tests(built: Built) -> None:
    assert "tests/workspaces.py" in built.in_sdist()


def test_what_make_sets_up_is_whole_in_an_unpacked_source_distribution(built: Built, tmp_path: Path) -> None:
    """It cannot hold the links from which the package is made up in a checkout."""
    with tarfile.open(built.sdist) as archive:
        # Python 3.11.2 has no filters yet, and 3.14 has this one by itself.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    (unpacked,) = tmp_path.iterdir()
    links = [f"src/morenashi/{path.name}" for path in (ROOT / "src" / "morenashi").iterdir() if path.is_symlink()]
    made = run("make", *links, folder=unpacked)
    assert made.returncode == 0, made.stderr
    program = "import runpy, sys; sys.path.insert(0, 'src'); runpy.run_module('morenashi', run_name='__main__')"
    folder = make_workspace(tmp_path / "workspace")
    done = run(sys.executable, "-P", "-c", program, "reindex", "--workspace", str(folder.root), folder=unpacked)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def bundle(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of the wheel, unpacked."""
    made = run(sys.executable, str(ROOT / "deploy" / "bundle.py"), str(built.wheel))
    assert made.returncode == 0, made.stderr
    folder = tmp_path_factory.mktemp("bundle")
    with zipfile.ZipFile(made.stdout.strip()) as archive:
        archive.extractall(folder)
    return folder


def test_the_bundle_holds_what_its_manifest_and_its_project_name(built: Built, bundle: Path) -> None:
    assert {path.name for path in bundle.iterdir()} == {
        "manifest.json",
        "main.py",
        "pyproject.toml",
        "LICENSE",
        built.wheel.name,
    }
    project = tomllib.loads((bundle / "pyproject.toml").read_text("utf-8"))
    assert (bundle / project["tool"]["uv"]["sources"]["morenashi"]["path"]).read_bytes() == built.wheel.read_bytes()
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    assert (bundle / manifest["server"]["entry_point"]).is_file()
    assert manifest["version"] == project["project"]["version"]


def test_the_bundle_asks_for_a_python_that_the_package_takes_and_that_has_wheels(bundle: Path) -> None:
    """Of what is admitted uv takes the newest, and for 3.15 google-re2 would have to be compiled."""
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    project = tomllib.loads((bundle / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    assert package["requires-python"] == project["requires-python"] == ">=3.11,<3.15"
    # As npm writes it: a bundle's tools take no commas.
    assert manifest["compatibility"]["runtimes"]["python"] == project["requires-python"].replace(",", " ")
    named = [each.rpartition(" ")[2] for each in package["classifiers"] if ":: Python :: " in each]
    assert named == ["3.11", "3.12", "3.13", "3.14"]


def test_the_entry_point_of_the_bundle_runs_what_was_installed(installed: Path, bundle: Path) -> None:
    assert run(str(installed / "python"), str(bundle / "main.py"), "--version").stdout.startswith("morenashi ")


def test_the_same_wheel_gives_the_same_bundle(built: Built, bundle: Path) -> None:
    first = built.wheel.with_name(f"morenashi-{morenashi.__version__}.mcpb")
    before = first.read_bytes()
    assert run(sys.executable, str(ROOT / "deploy" / "bundle.py"), str(built.wheel)).returncode == 0
    assert first.read_bytes() == before


def test_an_installed_wheel_is_not_the_checkout(installed: Path) -> None:
    where = run(str(installed / "python"), "-c", "import morenashi.indexer.text as m; print(m.__file__)").stdout
    assert str(installed.parent) in where


def test_an_installed_wheel_says_its_version(installed: Path) -> None:
    assert run(str(installed / "morenashi"), "--version").stdout.startswith("morenashi ")


def test_an_installed_wheel_indexes_a_workspace(installed: Path, tmp_path: Path) -> None:
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/x.md", "# 題\n\n申請の期限\n")
    done = run(str(installed / "morenashi"), "reindex", "--workspace", str(folder.root), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["documents"] == 1
    assert folder.database.stat().st_size > 0


def test_an_installed_wheel_serves_a_workspace(installed: Path, tmp_path: Path) -> None:
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/x.md", "# 題\n\n申請の期限\n")
    command = [str(installed / "morenashi"), "serve", "--workspace", str(folder.root)]
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.communicate(timeout=60)
    assert answer["result"]["serverInfo"]["name"] == "morenashi"
    assert run(str(installed / "morenashi"), "stop", "--workspace", str(folder.root)).returncode == 0
