"""What others read to run this program: registry, bundle, container, systemd. All agree with it and each other."""

import configparser
import json
import re
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

import morenashi
from morenashi.indexer.config import Config
from morenashi.server.cli import _parser

ROOT = Path(__file__).parents[2]
VERSION = morenashi.__version__

# What systemd's manual lets a user's manager carry out by itself; others ask for PrivateUsers, or the system's manager.
_OF_ANY_MANAGER = {
    *("Type", "ExecStart", "Restart", "RestartSec", "RestartPreventExitStatus", "TimeoutStopSec"),
    *("UMask", "NoNewPrivileges", "LockPersonality", "RestrictRealtime", "RestrictSUIDSGID", "RestrictNamespaces"),
    *("RestrictAddressFamilies", "SystemCallArchitectures", "SystemCallFilter", "SystemCallErrorNumber"),
    *("MemoryHigh", "TasksMax"),
}


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


class Part(BaseModel):
    """What a format knows; a name that it does not know is refused, as its own tools do."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class Input(Part):
    """A value of the registry's format that a person or the file itself gives."""

    type: Literal["named", "positional"] | None = None
    name: str | None = None
    description: str | None = None
    format: Literal["string", "number", "boolean", "filepath"] = "string"
    value: str | None = None
    default: str | None = None
    choices: list[str] | None = None
    is_required: bool = Field(False, alias="isRequired")
    variables: dict[str, "Input"] | None = None


class Stdio(Part):
    type: Literal["stdio"]


class Package(Part):
    registry_type: Literal["pypi", "oci"] = Field(alias="registryType")
    registry_base_url: Literal["https://pypi.org"] | None = Field(None, alias="registryBaseUrl")
    identifier: str
    version: str | None = None
    runtime_hint: Literal["uvx", "docker"] = Field(alias="runtimeHint")
    transport: Stdio
    package_arguments: list[Input] = Field([], alias="packageArguments")
    runtime_arguments: list[Input] = Field([], alias="runtimeArguments")
    environment: list[Input] = Field([], alias="environmentVariables")


class Repository(Part):
    url: str
    source: Literal["github"]


class ServerJson(Part):
    """server.json of the MCP registry, 2025-12-11, as far as it is used here."""

    schema_: Literal["https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"] = Field(
        alias="$schema"
    )
    name: str = Field(pattern=r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", max_length=200)
    title: str = Field(max_length=100)
    description: str = Field(max_length=100)
    version: str
    repository: Repository
    packages: list[Package]


class Author(Part):
    name: str
    url: str


class McpConfig(Part):
    command: str
    args: list[str]


class BundleServer(Part):
    type: Literal["uv"]
    entry_point: str
    mcp_config: McpConfig


class Compatibility(Part):
    platforms: list[Literal["darwin", "linux", "win32"]]
    runtimes: dict[Literal["python"], str]


class Option(Part):
    type: Literal["string", "number", "boolean", "directory", "file"]
    title: str
    description: str
    required: bool


class Manifest(Part):
    """manifest.json of MCP bundles, 0.4, as far as it is used here."""

    manifest_version: Literal["0.4"]
    name: str
    display_name: str
    version: str
    description: str
    long_description: str
    author: Author
    repository: dict[Literal["type", "url"], str]
    documentation: str
    support: str
    license: Literal["MIT"]
    keywords: list[str]
    server: BundleServer
    tools_generated: bool
    prompts_generated: bool
    compatibility: Compatibility
    user_config: dict[str, Option]


@pytest.fixture(scope="module")
def registered() -> ServerJson:
    return ServerJson.model_validate_json(text("server.json"))


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return Manifest.model_validate_json(text("deploy/mcpb/manifest.json"))


@pytest.fixture(scope="module")
def unit() -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(interpolation=None)
    # Option names of systemd are written with capitals.
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(text("deploy/morenashi.service"))
    return parsed


def dockerfile(instruction: str) -> list[str]:
    """What follows an instruction, wherever it stands in the last stage; continued lines joined."""
    last_stage = text("Dockerfile").replace("\\\n", " ").rpartition("FROM ")[2]
    return [line.split(" ", 1)[1] for line in last_stage.splitlines() if line.startswith(f"{instruction} ")]


def understood(arguments: list[str]) -> Any:
    """The arguments as the command line parses them; the test ends with its message where it does not."""
    return _parser().parse_args(arguments)


def test_every_version_is_that_of_the_package(
    registered: ServerJson, manifest: Manifest, unit: configparser.ConfigParser
) -> None:
    pypi, oci = registered.packages
    assert registered.version == pypi.version == oci.identifier.partition(":")[2] == VERSION
    assert manifest.version == VERSION
    assert f'image.version="{VERSION}"' in text("Dockerfile")
    assert f"morenashi=={VERSION} " in text("Dockerfile")
    assert f"Morenashi {VERSION}:" in unit["Unit"]["Description"]


def test_the_registry_finds_its_mark_in_what_it_is_published_with(registered: ServerJson) -> None:
    assert f"mcp-name: {registered.name} -->" in text("README.md")
    assert f'io.modelcontextprotocol.server.name="{registered.name}"' in text("Dockerfile")


def test_what_the_registry_tells_a_client_to_run_is_understood(registered: ServerJson) -> None:
    arguments: list[str] = []
    for each in registered.packages[0].package_arguments:
        arguments += [each.value or ""] if each.type == "positional" else [each.name or "", "/path"]
    assert understood(arguments).workspace == "/path"
    assert {each.name for each in registered.packages[0].environment} <= {name.upper() for name in Config.model_fields}


def test_the_container_is_given_the_folder_it_looks_at(registered: ServerJson) -> None:
    (mount,) = (each for each in registered.packages[1].runtime_arguments if each.name == "--mount")
    assert "target=/workspace" in (mount.value or "")
    assert dockerfile("VOLUME") == dockerfile("WORKDIR") == ["/workspace"]
    assert "WORKSPACE_ROOT=/workspace" in dockerfile("ENV")


def test_the_container_runs_as_whoever_owns_the_folder_that_it_is_given(registered: ServerJson) -> None:
    """Its own user may not write there. A client runs no shell that could ask for the numbers: the user is asked."""
    (user,) = (each for each in registered.packages[1].runtime_arguments if each.name == "--user")
    assert user.is_required
    assert user.value is None
    for page in ("Dockerfile", "docs/installing.md", "docs/installing.ja.md"):
        shown = re.findall(r"^[#\s]*(docker run .*)", text(page).replace("\\\n", " "), re.M)
        assert shown
        assert all('--user "$(id -u):$(id -g)"' in command for command in shown)


def test_what_the_bundle_runs_is_understood(manifest: Manifest) -> None:
    arguments = manifest.server.mcp_config.args
    begins = arguments.index(manifest.server.entry_point) + 1
    assert understood(arguments[begins:]).workspace == "${user_config.workspace}"
    assert list(manifest.user_config) == ["workspace"]


def test_the_bundle_names_no_platform_that_the_program_does_not_know(manifest: Manifest) -> None:
    assert manifest.compatibility.platforms == ["darwin", "linux"]


def test_the_container_runs_as_nobody_in_particular() -> None:
    (user,) = dockerfile("USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert json.loads(dockerfile("ENTRYPOINT")[0]) == ["morenashi"]
    assert understood(json.loads(dockerfile("CMD")[0]))


def test_the_container_is_built_from_all_that_the_wheel_needs_and_nothing_of_the_workspace() -> None:
    admitted = {line[1:] for line in text(".dockerignore").splitlines() if line.startswith("!")}
    assert "*" in text(".dockerignore").splitlines()
    project = text("pyproject.toml")
    wanted = {"pyproject.toml", "README.md", "LICENSE", "schema.sql", "src", "server", "indexer", "migrations"}
    assert admitted == wanted | {"data/dictionaries"}
    assert all(f'"{name}' in project for name in ("server", "indexer", "migrations", "data/dictionaries", "schema.sql"))


def test_the_unit_has_no_more_rights_than_it_needs(unit: configparser.ConfigParser) -> None:
    service = unit["Service"]
    assert service["NoNewPrivileges"] == "yes"
    assert service["UMask"] == "0077"
    assert service["SystemCallFilter"] == "@system-service"


def test_the_unit_asks_nothing_of_a_users_manager_that_it_may_not_do(unit: configparser.ConfigParser) -> None:
    """Like dropping capabilities, with which a unit of a user does not start at all: status=218/CAPABILITIES."""
    assert set(unit["Service"]) <= _OF_ANY_MANAGER


def test_what_needs_a_user_namespace_is_offered_together_with_one() -> None:
    offered = re.findall(r"^#([A-Z][A-Za-z]+)=", text("deploy/morenashi.service"), re.M)
    assert offered[0] == "PrivateUsers"
    assert not set(offered) & _OF_ANY_MANAGER


def test_the_unit_does_not_try_again_what_cannot_succeed(unit: configparser.ConfigParser) -> None:
    assert unit["Service"]["RestartPreventExitStatus"].split() == ["2", "3"]


def test_what_the_unit_runs_is_understood(unit: configparser.ConfigParser) -> None:
    program, *arguments = unit["Service"]["ExecStart"].split()
    assert program.endswith("/morenashi")
    try:
        assert understood(arguments).workspace == "%h/morenashi"
    except SystemExit:
        pytest.skip("this checkout has no daemon")


def test_no_file_names_a_place_of_its_makers() -> None:
    allowed = r"https://(github\.com/morenashi/morenashi|pypi\.org|static\.modelcontextprotocol\.io)"
    for name in ("server.json", "deploy/mcpb/manifest.json", "Dockerfile", "deploy/morenashi.service"):
        assert [url for url in re.findall(r"https?://[^\s\"]+", text(name)) if not re.match(allowed, url)] == []
