"""Values beyond all measure: long texts in every parameter, values inside values inside values."""

from typing import Any

import pytest

from ..examples import Rounds
from ..server.serving import Serve
from ..workspaces import WorkspaceFolder
from .attacked import TOOL_NAMES, Attacked, assert_quiet, code_of
from .schemas import least, parameters, with_parameter

MIB = 1024 * 1024
TEXTS = [(tool, names) for tool in TOOL_NAMES for names, _ in parameters(tool, "string")]


@pytest.mark.parametrize(("tool", "names"), TEXTS, ids=[f"{tool}-{'.'.join(names)}" for tool, names in TEXTS])
def test_a_text_of_ten_megabytes_is_taken_or_refused(
    hostile_server: Attacked, tool: str, names: tuple[str, ...], rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    size = rounds(MIB // 16, 10 * MIB)
    base = least(tool, hostile_server.known)
    for text in ("x" * size, "申" * (size // 3), "../" * (size // 3), '"' * size)[: rounds(1, 4)]:
        body = hostile_server.send(tool, with_parameter(base, names, text))
        assert len(str(body)) < MIB or code_of(body) is None
    assert_quiet(hostile_server.serving.folder, capfd.readouterr().err)


def nested(kind: str, depth: int) -> str:
    """JSON, so deep."""
    if kind == "arrays":
        return "[" * depth + "1" + "]" * depth
    if kind == "objects":
        return '{"a":' * depth + '"申請"' + "}" * depth
    return '[{"id":"a","next":' * (depth // 2) + '"b"' + "}]" * (depth // 2)


@pytest.mark.parametrize("depth", [90, 150, 800, 950, 10_000])
@pytest.mark.parametrize("kind", ["arrays", "objects", "steps"])
def test_a_deep_artifact_is_audited_or_refused(hostile_server: Attacked, kind: str, depth: int) -> None:
    path = hostile_server.serving.folder.root / "vault" / f"{kind}-{depth}.json"
    path.write_text(nested(kind, depth), "utf-8")
    code = hostile_server.code("artifact_audit", {"artifact_path": path.name, "source_path": "note.md"})
    assert code == (None if depth < 100 else "invalid_parameter")


@pytest.mark.parametrize("depth", [90, 950, 10_000])
@pytest.mark.parametrize("kind", ["arrays", "objects", "steps"])
def test_deep_json_inside_markdown_is_no_graph(hostile_server: Attacked, kind: str, depth: int) -> None:
    path = hostile_server.serving.folder.root / "vault" / f"{kind}-{depth}.md"
    path.write_text(f"# 図\n\n```json\n{nested(kind, depth)}\n```\n", "utf-8")
    assert hostile_server.code("artifact_audit", {"artifact_path": path.name, "source_path": "note.md"}) is None


def test_a_deep_manual_is_found_and_read_in_every_way(workspace: WorkspaceFolder, serve: Serve, rounds: Rounds) -> None:
    depths = (10_000, 800, 300)[: rounds(2, 3)]
    files = {f"{kind}-{depth}.json": depth for kind in ("arrays", "objects", "steps") for depth in depths}
    for path, depth in files.items():
        workspace.write(f"deep/{path}", nested(path.split("-")[0], depth))
    served = serve(ALLOW_FILE_SCOPE="true")
    hits = served.find("申請").hits()
    assert {hit["path"] for hit in hits} == {f"objects-{depth}.json" for depth in depths}
    for path, depth in files.items():
        for arguments in deep_reads(served.ref("deep", path), depth):
            assert served.answer("manual_read", **arguments).structured_content.get("code") in (None, "not_found")
    for hit in hits:
        served.read(hit["ref"])


def deep_reads(ref: dict[str, Any], depth: int) -> list[dict[str, Any]]:
    return [
        {"ref": ref},
        {"ref": ref, "scope": "file", "limits": {"allow_file": True}},
        {"ref": {**ref, "json_path": "/a" * min(depth, 1_900)}, "scope": "snippet"},
        {"ref": {**ref, "json_path": "/0" * min(depth, 1_900)}, "scope": "snippet"},
        {"ref": {**ref, "json_path": "/0/next" * min(depth // 2, 500)}, "scope": "snippet"},
    ]


def test_a_long_name_over_many_values_fills_no_memory(hostile_server: Attacked) -> None:
    """Pointers to all values of this artifact, each with the name in it, would be gigabytes."""
    nodes = ",".join(['{"id":"a","next":"a"}'] + ["1"] * 20_000)
    bomb = f'{{"{"k" * 200_000}":{{"nodes":[{nodes}],"x":[{nodes}]}}}}'
    (hostile_server.serving.folder.root / "vault" / "bomb.json").write_text(bomb, "utf-8")
    assert hostile_server.code("artifact_audit", {"artifact_path": "bomb.json", "source_path": "note.md"}) is None


def test_a_number_of_thousands_of_digits_is_no_graph(hostile_server: Attacked) -> None:
    (hostile_server.serving.folder.root / "vault" / "digits.json").write_text("9" * 5_000, "utf-8")
    arguments = {"artifact_path": "digits.json", "source_path": "note.md"}
    assert hostile_server.code("artifact_audit", arguments) == "invalid_parameter"


def test_a_list_of_thousands_of_prices_is_judged(workspace: WorkspaceFolder, serve: Serve) -> None:
    """Each two of them differ: all those pairs, made before fifty are taken, would be gigabytes."""
    sections = (
        "# 料金表\n\n" + "".join(f"料金は{start + number}円\n" for number in range(3_000))
        for start in range(0, 12_000, 3_000)
    )
    workspace.write("m/prices.md", "\n".join(sections))
    assert serve().find("料金").summary["conflict_count"] == 50


def test_a_place_in_json_is_sent_back_as_it_came(workspace: WorkspaceFolder, serve: Serve) -> None:
    """A name so long that its pointer is none that the server takes: the line alone says where it is."""
    workspace.write("m/x.json", f'{{\n"{"k" * 5_000}":\n"長名の値"\n}}\n')
    served = serve()
    (hit,) = served.find("長名の値").hits()
    assert "長名の値" in served.read(hit["ref"], scope="snippet")["text"]
