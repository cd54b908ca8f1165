"""Every tool by its schema and against it: an answer or a refusal in the vocabulary, quick, with nothing internal."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, note, settings

from morenashi.server.edge.registry import TOOLS

from ..examples import Rounds
from .attacked import TOOL_NAMES, Attacked, assert_quiet, code_of
from .schemas import admitted, refused, schema_of

CORPUS = Path(__file__).with_name("corpus")
MALFORMED = {"invalid_parameter", "VALIDATION_ERROR", "INVALID_SCOPE", "INVALID_BOUNDARY", "RATE_LIMIT"}


def fuzz(arguments: Any, times: int, attempt: Callable[[dict[str, Any]], object]) -> None:
    """Make an attempt with arguments of the strategy, so many times; the smallest that fails is shown."""

    @settings(
        max_examples=times,
        phases=[Phase.generate, Phase.shrink],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(arguments)
    def run(sent: dict[str, Any]) -> None:
        note(f"for the corpus: {json.dumps(sent)[:4_000]}")
        attempt(sent)

    run()


def on_the_wire(value: Any) -> Any:
    """What the server gets of it: JSON has no NaN and no infinity, for which the client sends null."""
    if isinstance(value, dict):
        return {name: on_the_wire(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [on_the_wire(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_what_the_schema_admits_is_answered(
    hostile_server: Attacked, tool: str, rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    fuzz(admitted(tool, hostile_server.known), rounds(2, 400), lambda sent: hostile_server.code(tool, sent))
    assert_quiet(hostile_server.serving.folder, capfd.readouterr().err)


@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_what_the_schema_does_not_admit_is_refused(
    hostile_server: Attacked, tool: str, rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    schema = jsonschema.Draft202012Validator(schema_of(tool))

    def attempt(sent: dict[str, Any]) -> None:
        code = code_of(hostile_server.send(tool, sent))
        assert schema.is_valid(on_the_wire(sent)) or code in MALFORMED, code

    fuzz(refused(tool, hostile_server.known), rounds(3, 600), attempt)
    assert_quiet(hostile_server.serving.folder, capfd.readouterr().err)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.json")), ids=lambda path: path.stem)
def test_what_failed_once_fails_no_more(
    hostile_server: Attacked, path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The corpus: calls that the server once could not deal with, each file with what was wrong."""
    for tool, sent in json.loads(path.read_text("utf-8"))["calls"]:
        hostile_server.send(tool, sent)
    assert_quiet(hostile_server.serving.folder, capfd.readouterr().err)


def test_every_tool_is_fuzzed() -> None:
    assert set(TOOL_NAMES) == set(TOOLS)
