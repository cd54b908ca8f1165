"""`vault_read` of a trace: what `vault_find` found, many hits of many notes in one answer."""

import re
from typing import Any

import pytest

from .notes import Vault

NAMED = re.compile(r"^\[(\d+)\] ([^:\n]+):(\d+)(?:-(\d+))?(.*)$", re.M)
NUMBERED = re.compile(r"^(\d+)\t(.*)$", re.M)
FILLER = "別の話を続ける。\n\n" * 300


@pytest.fixture
def trace_id(vault: Vault) -> str:
    vault.put("long.md", f"# 記録\n\n## 五月\n\n{FILLER}免除の話をした。\n\n{FILLER}")
    vault.put("plans/plan.md", "# 計画\n\n免除の申請は五月まで。\n\n## 期限\n\n三十日とする。\n")
    vault.put("memo.txt", "免除のことを聞く。\n")
    vault.put("rows.csv", "日,事\n五月,免除\n")
    for path in ("long.md", "plans/plan.md", "memo.txt", "rows.csv"):
        vault.serving.workspace.vault_written(path)
    found: str = vault.call("find", query="免除")["trace_id"]
    return found


def places(body: dict[str, Any]) -> dict[str, str]:
    return {named[2]: named[5] for named in NAMED.finditer(body["text"])}


def lines(body: dict[str, Any]) -> list[str]:
    return [line[2] for line in NUMBERED.finditer(body["text"])]


def test_what_was_found_in_many_notes_is_read_in_one_call(vault: Vault, trace_id: str) -> None:
    body = vault.call("read", trace_id=trace_id)
    assert places(body) == {"long.md": "", "plans/plan.md": "", "memo.txt": "", "rows.csv": ""}
    assert {"免除の話をした。", "免除の申請は五月まで。", "免除のことを聞く。", "五月,免除"} <= set(lines(body))
    assert "三十日とする。" not in lines(body)
    assert body["returned_chars"] == len(body["text"])
    assert (body["truncated"], body["truncated_reason"]) == (False, "none")
    assert (body["applied_range"], body["sha256"]) == (None, None)
    assert body["next_cursor"] == {"start_line": None, "char_offset": None, "version": None}


def test_as_a_snippet_the_lines_that_match_are_read(vault: Vault, trace_id: str) -> None:
    body = vault.call("read", trace_id=trace_id, scope="snippet")
    assert sorted(lines(body)) == sorted(
        ["## 五月", "免除の話をした。", "# 計画", "免除の申請は五月まで。", "免除のことを聞く。", "五月,免除"]
    )
    assert (body["truncated"], body["truncated_reason"]) == (False, "none")


def test_going_on_at_the_next_offset_reads_every_hit_once(vault: Vault, trace_id: str) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        body = vault.call("read", trace_id=trace_id, offset=offset, limits={"max_chars": 40})
        seen += places(body)
        offset = body.get("next_offset")
    assert sorted(seen) == ["long.md", "memo.txt", "plans/plan.md", "rows.csv"]


def test_the_hits_that_are_named_are_read_whole(vault: Vault, trace_id: str) -> None:
    hits = vault.serving.call("manual_hits", trace_id=trace_id)["items"]
    number = next(n for n, hit in enumerate(hits) if hit["path"] == "long.md")
    body = vault.call("read", trace_id=trace_id, hits=[number])
    assert (places(body), body["truncated"]) == ({"long.md": ""}, False)


def test_a_long_note_is_read_on_to_the_last_line_that_matches(vault: Vault) -> None:
    said = [f"免除の話{number}。{'長い。' * 20}" for number in range(400)]
    vault.put("long.md", "# 記録\n\n" + "\n\n別の話。\n\n".join(said) + "\n")
    vault.serving.workspace.vault_written("long.md")
    trace_id = vault.call("find", query="免除")["trace_id"]
    bodies = [vault.call("read", trace_id=trace_id)]
    while hits := bodies[-1].get("in_parts"):
        assert len(bodies) < 20
        bodies.append(vault.call("read", trace_id=trace_id, hits=hits, only_new=True))
    given = [line for body in bodies for line in lines(body)]
    assert [given.count(line) for line in said] == [1] * len(said)
    assert len(bodies) > 2


def test_the_search_proposes_it_and_it_delivers_the_lines(vault: Vault, trace_id: str) -> None:
    del trace_id
    actions = vault.call("find", query="免除の申請")["next_actions"]
    assert [action["type"] for action in actions[:2]] == ["vault_scan", "vault_read"]
    vault.call("read", **actions[1]["params"])
    covered = vault.call("coverage", path="plans/plan.md", cited_ranges=[{"start_line": 3, "end_line": 3}])
    assert covered["undelivered_ranges"] == []


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"path": "memo.txt"}, "path"),
        ({"full": True}, "full"),
        ({"range": {"start_line": 1}}, "range"),
        ({"line_numbers": False}, "line_numbers"),
        ({"hits": [0], "offset": 1}, "offset"),
        ({"hits": [99]}, "hits"),
    ],
)
def test_what_does_not_go_with_a_trace_is_refused(
    vault: Vault, trace_id: str, arguments: dict[str, Any], parameter: str
) -> None:
    error = vault.refuse("read", trace_id=trace_id, **arguments)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", parameter)


@pytest.mark.parametrize(("name", "value"), [("hits", [0]), ("offset", 1), ("scope", "section")])
def test_what_is_of_a_trace_is_refused_without_one(vault: Vault, name: str, value: object) -> None:
    vault.put("memo.txt", "文。\n")
    error = vault.refuse("read", path="memo.txt", full=True, **{name: value})
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", name)


def test_without_a_path_and_a_trace_it_is_said_what_is_missing(vault: Vault) -> None:
    error = vault.refuse("read", full=True)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "path")


def test_what_was_found_in_manuals_is_not_read_as_notes(vault: Vault) -> None:
    error = vault.refuse("read", trace_id=vault.serving.find("申請").trace_id)
    assert (error["code"], "manual_read" in error["message"]) == ("invalid_parameter", True)


def test_a_note_that_is_gone_is_said_to_be(vault: Vault, trace_id: str) -> None:
    (vault.root / "memo.txt").unlink()
    body = vault.call("read", trace_id=trace_id)
    assert places(body)["memo.txt"] == ", not_found; search again"


def test_of_what_matches_only_nearly_the_line_is_read(vault: Vault) -> None:
    for path, text in (
        ("a.md", "承認を調べる。\n"),
        ("b.md", "承認を要する。\n"),
        ("c.md", "別の話。\n\n精算を調べた。\n"),
    ):
        vault.put(path, text)
        vault.serving.workspace.vault_written(path)
    found = vault.call("find", query="承認を調べる")
    body = vault.call("read", trace_id=found["trace_id"], scope="snippet")
    assert lines(body) == ["承認を調べる。", "承認を要する。", "別の話。", "精算を調べた。"]
