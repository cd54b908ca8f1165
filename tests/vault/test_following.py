"""An agent that follows `next_actions` alone comes to an end, with every line delivered and no call repeated."""

import json
import math
from typing import Any

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder
from .notes import Vault

LINES = 2_000
CHUNK_LINES = 80
FIRST = {"type": "vault_scan", "params": {"path": "note.md", "chunk_lines": CHUNK_LINES}}


def note(lines: int = LINES) -> str:
    return "".join(f"{n} 行目。申請の手引き。\n" if n % 7 else "\n" for n in range(1, lines + 1))


def follow(
    serving: Serving, action: dict[str, Any], most: int = 200
) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Do what is proposed first, until that is to stop: (tool, arguments, answer) of each call."""
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    while action["type"] != "stop":
        assert len(calls) < most, "the proposals lead to no end"
        answer = serving.call(action["type"], **action["params"])
        calls.append((action["type"], action["params"], answer))
        action = answer["next_actions"][0]
    return calls


def without_numbers(action: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a call that is proposed with the numbers of lines, so that it answers the text alone."""
    assert action["params"]["line_numbers"] is True
    return {**action["params"], "line_numbers": False}


def delivered(calls: list[tuple[str, dict[str, Any], dict[str, Any]]]) -> list[int]:
    """The lines of all chunks, in the order in which they came."""
    ranges = [answer["applied_range"] for tool, _, answer in calls if tool == "vault_scan"]
    return [line for span in ranges for line in range(span["start_line"], span["end_line"] + 1)]


def repeated(calls: list[tuple[str, dict[str, Any], dict[str, Any]]]) -> int:
    made = [json.dumps([tool, arguments], sort_keys=True) for tool, arguments, _ in calls]
    return len(made) - len(set(made))


@pytest.fixture
def served(workspace: WorkspaceFolder, serve: Serve) -> Vault:
    vault = Vault(workspace.root / "vault", serve())
    vault.put("note.md", note())
    return vault


def test_from_the_first_chunk_to_the_end(served: Vault) -> None:
    calls = follow(served.serving, FIRST)
    assert delivered(calls) == list(range(1, LINES + 1))
    assert repeated(calls) == 0
    assert len(calls) == math.ceil(LINES / CHUNK_LINES) + 1
    assert calls[-1][2]["coverage_ratio"] == 1.0


def test_from_the_search_to_the_end(served: Vault) -> None:
    served.serving.workspace.vault_written("note.md")
    calls = follow(served.serving, {"type": "vault_find", "params": {"query": "申請の手引き"}})
    assert [tool for tool, _, _ in calls[:2]] == ["vault_find", "vault_scan"]
    assert delivered(calls) == list(range(1, LINES + 1))
    assert repeated(calls) == 0
    assert len(calls) == 1 + math.ceil(LINES / CHUNK_LINES) + 1
    assert calls[-1][2]["coverage_ratio"] == 1.0


def test_what_was_read_before_is_not_read_again(served: Vault) -> None:
    served.call("read", path="note.md", range={"start_line": 81, "end_line": 400})
    served.call("scan", path="note.md", start_line=1801, chunk_lines=200)
    calls = follow(served.serving, FIRST)
    assert set(delivered(calls)) >= {*range(1, 81), *range(401, 1801)}
    assert set(delivered(calls)).isdisjoint(range(81, 401))
    assert repeated(calls) == 0
    assert calls[-1][2]["undelivered_ranges"] == []


def test_a_second_reading_passes_over_what_is_cited(served: Vault) -> None:
    follow(served.serving, FIRST)
    cited = [{"start_line": 241, "end_line": 1_000}, {"start_line": 1_081, "end_line": LINES}]
    calls = follow(served.serving, {"type": "vault_coverage", "params": {"path": "note.md", "cited_ranges": cited}})
    assert delivered(calls) == [*range(1, 241), *range(1_001, 1_081)]
    assert repeated(calls) == 0


def test_who_reads_elsewhere_instead_of_a_second_time_is_led_on_from_there(served: Vault) -> None:
    follow(served.serving, FIRST)
    cited = [{"start_line": 241, "end_line": 1_000}, {"start_line": 1_081, "end_line": LINES}]
    served.call("coverage", path="note.md", cited_ranges=cited)
    elsewhere = {"path": "note.md", "start_line": 1_761, "chunk_lines": CHUNK_LINES}
    calls = follow(served.serving, {"type": "vault_scan", "params": elsewhere})
    assert delivered(calls) == list(range(1_761, LINES + 1))


def test_a_note_that_the_session_has_had_is_read_again_to_its_end(served: Vault) -> None:
    follow(served.serving, FIRST)
    calls = follow(served.serving, FIRST)
    assert delivered(calls) == list(range(1, LINES + 1))
    assert repeated(calls) == 0
    assert [tool for tool, _, _ in calls].index("vault_coverage") == len(calls) - 1


def test_a_chunk_before_the_end_always_proposes_the_next_one(served: Vault) -> None:
    served.call("read", path="note.md", range={"start_line": 81, "end_line": 400})
    text = ""
    action: dict[str, Any] | None = FIRST
    while action is not None:
        answer = served.call("scan", **action["params"])
        text += answer["text"]
        proposed = [each for each in answer["next_actions"] if each["type"] == "vault_scan"]
        assert answer["eof"] or proposed
        action = proposed[0] if proposed else None
    assert text == note()


def test_a_line_longer_than_an_answer_is_gone_through(served: Vault) -> None:
    served.put("note.md", "短い。\n" + "長い。" * 9_000 + "\n終わり。\n")
    calls = follow(served.serving, FIRST)
    assert "".join(answer["text"] for tool, _, answer in calls if tool == "vault_scan") == (
        "短い。\n" + "長い。" * 9_000 + "\n終わり。\n"
    )
    assert calls[-1][2]["undelivered_ranges"] == []


@pytest.mark.parametrize("text", ["", "\n", "一行", "一\r\n二\r三\n"])
def test_a_short_note_takes_two_calls(served: Vault, text: str) -> None:
    served.put("note.md", text)
    assert [tool for tool, _, _ in follow(served.serving, FIRST)] == ["vault_scan", "vault_coverage"]


def test_from_an_audit_to_the_end(served: Vault) -> None:
    served.put("flow.mmd", 'flowchart TD\n  A["一 source_lines: 1-80"] --> B["二"]\n')
    audit = {"artifact_path": "flow.mmd", "source_path": "note.md"}
    calls = follow(served.serving, {"type": "artifact_audit", "params": audit})
    assert set(delivered(calls)) == {*range(1, LINES + 1)}
    assert repeated(calls) == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sections.md", "# 一\n\n前文。\n\n## 二\n" + "細目を定める規定である。\n" * 2_000 + "\n## 三\n末文。\n"),
        ("no-heading.md", "見出しのない文。\r\n" * 2_000),
        ("one-line.md", "# 一\n" + "長い。" * 9_000 + "\n終わり。\n"),
        ("steps.json", json.dumps({f"手順{n}": ["一", "二"] for n in range(900)}, ensure_ascii=False, indent=1)),
        ("line.json", json.dumps({f"手順{n}": ["一", "二"] for n in range(900)}, ensure_ascii=False)),
    ],
)
def test_a_manual_that_is_longer_than_an_answer_is_gone_through(
    workspace: WorkspaceFolder, serve: Serve, name: str, text: str
) -> None:
    workspace.write(f"m/{name}", text)
    vault = Vault(workspace.root / "vault", serve())
    coverage = {"path": f"manuals/m/{name}", "cited_ranges": []}
    read = ""
    for _ in range(len(text) // 8_000 + 3):
        action = vault.call("coverage", **coverage)["next_actions"][0]
        if action["type"] == "stop":
            break
        read += vault.serving.call("manual_read", **without_numbers(action))["text"]
    assert (action["type"], read) == ("stop", text)


def test_a_line_that_was_cut_is_gone_on_with_by_what_coverage_proposes(served: Vault) -> None:
    text = "短い。\n" + "長い。" * 9_000 + "\n終わり。\n"
    served.put("note.md", text)
    read = ""
    for _ in range(9):
        action = served.call("coverage", path="note.md", cited_ranges=[])["next_actions"][0]
        if action["type"] == "stop":
            break
        read += served.call("scan", **without_numbers(action))["text"]
    assert (action["type"], read) == ("stop", text)


def test_a_line_that_was_cut_and_is_shorter_now_is_read_from_its_start(served: Vault) -> None:
    served.put("note.md", "長い。" * 9_000 + "\n終わり。\n")
    served.call("scan", path="note.md")
    served.put("note.md", "短い。\n終わり。\n")
    action = served.call("coverage", path="note.md", cited_ranges=[])["next_actions"][0]
    assert served.call("scan", **without_numbers(action))["text"] == "短い。\n終わり。\n"


def test_a_manual_that_is_a_source_is_read_with_manual_read(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/guide.md", "# 一\n\n文。\n\n# 二\n\n文。\n")
    vault = Vault(workspace.root / "vault", serve())
    cited: list[dict[str, int]] = []
    read = []
    for _ in range(5):
        body = vault.call("coverage", path="manuals/m/guide.md", cited_ranges=cited)
        action = body["next_actions"][0]
        if action["type"] == "stop":
            break
        read.append(action["params"]["ref"]["start_line"])
        source = vault.serving.call("manual_read", **action["params"])["source"]
        cited.append({"start_line": source["start_line"], "end_line": source["end_line"]})
    assert read == [1]


def test_a_manual_of_many_short_sections_takes_a_call_for_twenty_of_them(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    text = "".join(f"## 第{n}条\n\n条文。\n" for n in range(1, 101))
    workspace.write("m/articles.md", text)
    vault = Vault(workspace.root / "vault", serve())
    coverage = {"path": "manuals/m/articles.md", "cited_ranges": [{"start_line": 31, "end_line": 33}]}
    vault.serving.call(
        "manual_read",
        ref={"target": "manual", "manual_id": "m", "path": "articles.md", "start_line": 31},
        scope="section",
    )
    read = []
    for _ in range(8):
        action = vault.call("coverage", **coverage)["next_actions"][0]
        if action["type"] == "stop":
            break
        source = vault.serving.call("manual_read", **action["params"])["source"]
        read.append((source["start_line"], source["end_line"]))
    assert (action["type"], read) == ("stop", [(1, 30), (34, 93), (94, 153), (154, 213), (214, 273), (274, 300)])


def test_a_forced_scan_of_a_short_manual_is_one_reading_whatever_is_cited_in_between(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    text = "# 規程\n" + "".join(f"\n## 第{n}条\n\n条文。\n" for n in range(1, 7))
    workspace.write("m/articles.md", text)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("steps.md", "- 一（L5）\n- 三（L13）\n- 五\n")
    read = []
    for _ in range(8):
        body = vault.serving.call("artifact_audit", artifact_path="steps.md", source_path="manuals/m/articles.md")
        action = body["next_actions"][0]
        if action["type"] != "manual_read":
            break
        read.append(vault.serving.call("manual_read", **without_numbers(action))["text"])
    assert (action["type"], read) == ("vault_coverage", [text])


def test_a_forced_scan_of_a_part_reads_no_section_behind_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    text = "# 規程\n" + "".join(f"\n## 第{n}条\n\n条文。\n" for n in range(1, 7))
    workspace.write("m/articles.md", text)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("steps.md", "- 一（L5）\n- 三（L13）\n- 五\n")
    body = vault.serving.call("artifact_audit", artifact_path="steps.md", source_path="manuals/m/articles.md:3-14")
    source = vault.serving.call("manual_read", **body["next_actions"][0]["params"])["source"]
    assert (source["start_line"], source["end_line"]) == (3, 14)


@pytest.mark.parametrize("tool", ["vault_coverage", "artifact_audit"])
def test_what_is_not_cited_is_reached_behind_more_cited_lines_than_an_answer_holds(
    workspace: WorkspaceFolder, serve: Serve, tool: str
) -> None:
    text = "# 規程\n\n" + "条文を定める規定である。\n" * 2_000
    workspace.write("m/articles.md", text)
    vault = Vault(workspace.root / "vault", serve())
    vault.put("steps.md", "- 一（L1-L1500）\n- 二\n")
    asked: dict[str, Any] = {"artifact_path": "steps.md", "source_path": "manuals/m/articles.md"}
    if tool == "vault_coverage":
        asked = {"path": "manuals/m/articles.md", "cited_ranges": [{"start_line": 1, "end_line": 1_500}]}
    read = set()
    for _ in range(12):
        action = vault.serving.call(tool, **asked)["next_actions"][0]
        if action["type"] != "manual_read":
            break
        source = vault.serving.call("manual_read", **action["params"])["source"]
        read |= set(range(source["start_line"], source["end_line"] + 1))
    first = 1_501 if tool == "vault_coverage" else 1
    assert (action["type"] != "manual_read", sorted(read)) == (True, list(range(first, 2_003)))
