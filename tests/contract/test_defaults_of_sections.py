"""What a section says by default of the setting that its heading names, against what other places say of it."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

BELOW_A_HEADING = [
    "# Settings\n\n### `{name}`\n\n**Command line:** `--x INT`\n\n**Default:** `{value}`\n\nHow long it waits.\n",
    '# Settings\n\n### `{name}`\n<a id="x"></a>\n\n+ Default: `{value}` (in seconds)\n\nHow long it waits.\n',
    "# Settings\n\n## `{name}` (Number)\n\nHow long it waits, in seconds. Defaults to `{value}`.\n",
    "# Settings\n\n### {name}\n\n- Format: `int`\n- Default value: `{value}`\n",
    "# 設定\n\n## `{name}`\n\n既定値：`{value}`\n\n待つ時間。\n",
    "# 設定\n\n## `{name}`\n\nデフォルトは {value} です。\n",
]
ELSEWHERE = [
    *BELOW_A_HEADING,
    "# Guide\n\n| Setting | Default |\n| --- | --- |\n| `{name}` | `{value}` |\n",
    "# Guide\n\n* **{name}** `number | null` (optional) - Default: `{value}` - How long it waits.\n",
    "# Guide\n\n- `{name}`: how long it waits. Defaults to `{value}`.\n",
    "# Guide\n\nBy default, `{name}` is {value}.\n",
]


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
@pytest.mark.parametrize("below", BELOW_A_HEADING)
@pytest.mark.parametrize("question", ["idle_timeout", "default of idle_timeout"])
def test_two_defaults_of_one_setting_are_a_conflict(
    workspace: WorkspaceFolder, serve: Serve, below: str, elsewhere: str, question: str
) -> None:
    workspace.write("m/a.md", below.format(name="idle_timeout", value=30))
    workspace.write("m/b.md", elsewhere.format(name="idle_timeout", value=60))
    workspace.write("m/c.md", elsewhere.format(name="idle_timeouts", value=60))
    conflicts = serve().find(question).hits("conflicts")
    places = {(one["path"], one["start_line"]) for hit in conflicts for one in (hit, *hit["conflict_with"])}
    said = [("a.md", "30"), ("b.md", "60")]
    assert [(path, value) for path, value in said for place in places if _says(workspace, place, path, value)] == said
    assert len(places) == 2


def _says(workspace: WorkspaceFolder, place: tuple[str, int], path: str, value: str) -> bool:
    lines = (workspace.manuals / "m" / path).read_text(encoding="utf-8").splitlines()
    return place[0] == path and value in lines[place[1] - 1]


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
@pytest.mark.parametrize("below", BELOW_A_HEADING)
def test_one_default_in_two_notations_is_none(
    workspace: WorkspaceFolder, serve: Serve, below: str, elsewhere: str
) -> None:
    workspace.write("m/a.md", below.format(name="idle_timeout", value="300e3"))
    workspace.write("m/b.md", elsewhere.format(name="idle_timeout", value="300,000"))
    assert serve().find("default of idle_timeout").hits("conflicts") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("# Server\n\n## `port`\n\nDefault: `80`\n", "# Client\n\n## `port`\n\nDefault: `81`\n"),
        ("# A\n\n## Timeout\n\nDefault: `80`\n", "# A\n\n## Timeout\n\nDefault: `81`\n"),
        ("# A\n\n## `max_keys`\n\nDefault: `80`\n", "# A\n\n## `max_rows`\n\nDefault: `81`\n"),
        ("# A\n\n## `max_keys`\n\nDefault: `80`\n", "# A\n\n## `max_keys`\n\n- of rows:\n  - Default: `81`\n"),
        ("# A\n\n## `max_keys`\n\nDefault: `80`\n", "# A\n\n## `max_keys`\n\nDefault: `81`\n\nDefault: `80`\n"),
        ("# A\n\n## `max_keys`\n\nDefault: `80`\n", "# A\n\n## `max_keys`\n\nThe default is not 81.\n"),
        ("# A v1\n\n## `max_keys`\n\nDefault: `80`\n", "# A v2\n\n## `max_keys`\n\nDefault: `81`\n"),
    ],
)
def test_defaults_of_two_things_are_none(workspace: WorkspaceFolder, serve: Serve, one: str, other: str) -> None:
    workspace.write("m/a.md", one)
    workspace.write("m/b.md", other)
    manuals = serve()
    assert [
        manuals.find(question).hits("conflicts") for question in ("port default", "max_keys default", "timeout default")
    ] == [[], [], []]


def test_what_an_example_sets_is_no_default_of_the_program(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# Settings\n\n## `max_keys`\n\nDefault: `80`\n")
    workspace.write("m/examples/shop/b.md", "# Settings\n\n| Setting | Default |\n| --- | --- |\n| `max_keys` | 81 |\n")
    assert serve().find("max_keys default").hits("conflicts") == []


def test_an_option_sets_what_is_called_so(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", BELOW_A_HEADING[0].format(name="idle_timeout", value=30))
    workspace.write("m/b.md", "# Usage\n\n`--idle-timeout` defaults to 60.\n")
    assert serve().find("--idle-timeout").summary["conflict_count"] == 1
