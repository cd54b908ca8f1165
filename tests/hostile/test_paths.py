"""The table of hostile paths, over every tool that takes a path."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..examples import Rounds
from ..server.serving import Serving, serving_indexed
from ..workspaces import make_workspace
from .attacked import Attacked, assert_quiet, code_of
from .paths import NO_PATHS, PARAMETERS, SECRET, TABLE, Row, make_traps, text_parameters
from .schemas import with_parameter

ROWS = [(number, row, path) for row in TABLE for number, path in enumerate(row.paths)]


@dataclass(repr=False)
class Trapped:
    """A server among traps, and what lies outside its folders."""

    server: Attacked
    outside: Path

    def send(self, tool: str, names: str, base: dict[str, Any], path: str) -> dict[str, Any]:
        """The answer to a call with this path; it gives nothing away, and nothing outside has changed."""
        before = contents(self.outside)
        path = f"m/{path}:1" if names == "places.*" else path
        body = self.server.send(tool, with_parameter(base, tuple(names.split(".")), path))
        assert SECRET not in str(body)
        assert contents(self.outside) == before
        return body


def contents(folder: Path) -> dict[str, bytes | None]:
    """All that lies in a folder, by path; folders have no bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trapped]:
    folder = make_workspace(tmp_path_factory.mktemp("paths") / "workspace")
    outside = make_traps(folder)
    with serving_indexed(folder, ALLOW_FILE_SCOPE="true") as serving:
        yield Trapped(Attacked(serving, {}), outside)


def test_every_text_that_a_tool_takes_is_a_path_of_the_table_or_none() -> None:
    """A new parameter has to be looked at by somebody."""
    in_table = {parameter for tools in PARAMETERS.values() for parameter in tools}
    unknown = [
        (tool, names)
        for tool, names in text_parameters()
        if (tool, names) not in in_table
        and names not in NO_PATHS
        and names.rpartition(".")[2] not in NO_PATHS
        and ".".join(names.split(".")[-2:]) not in NO_PATHS
    ]
    assert unknown == []
    assert in_table <= set(text_parameters())


@pytest.mark.parametrize(
    ("number", "row", "path"), ROWS, ids=[ascii(path)[1:-1][:40] or "nothing" for _, _, path in ROWS]
)
def test_a_hostile_path_is_dealt_with_as_the_table_says(
    trapped: Trapped, rounds: Rounds, capfd: pytest.CaptureFixture[str], number: int, row: Row, path: str
) -> None:
    """Ordinarily each path with one tool of each kind, by turns; thoroughly with all."""
    for kind, tools in PARAMETERS.items():
        every = list(tools.items())
        for turn in range(rounds(1, len(every))):
            (tool, names), base = every[(number + turn) % len(every)]
            body = trapped.send(tool, names, base, path)
            assert code_of(body) in row.expected(kind, tool), (tool, names, body)
    assert_quiet(trapped.server.serving.folder, capfd.readouterr().err)


def test_nothing_behind_the_traps_is_indexed(trapped: Trapped) -> None:
    served: Serving = trapped.server.serving
    assert served.find(SECRET).hits() == []
    assert served.call("vault_find", query=SECRET)["summary"]["candidates"] == 0
    assert served.call("vault_search", query=SECRET)["results"] == []
    for mode in ("plain", "loose"):
        assert served.call("vault_search", query=SECRET, mode=mode)["results"] == []
    assert "link" not in {item["manual_id"] for item in served.call("manual_list")["items"]}
