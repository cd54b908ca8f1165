"""Claims that rest on lines of a manual or a note, and what becomes of them when these change."""

import json
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from mcp.types import TextResourceContents

from morenashi.server import paths, whole_files
from morenashi.server.deadline import Deadline
from morenashi.server.edge.memory_tools import MEMORY_TOOLS
from morenashi.server.memory.candidates import find_by_words
from morenashi.server.memory.citations import Citation
from morenashi.server.memory.claims import Draft
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.store import keep_claim, mark_stale, move_citations
from morenashi.server.memory.visible import make_view

from ...indexer.indexes import open_index
from ...limited_work import RunWithin
from ...workspaces import WorkspaceFolder
from .policies import EXAMPLE
from .remembering import AT, Remembering, sha256

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LINES = "# 旅費\n\n宿泊料は一泊9,000円とする。\nただし、東京は12,000円とする。\n"
PLACE = "manual:expenses/travel.md#L3-L4"


@pytest.fixture
def cited(memory: Remembering) -> str:
    """A claim that rests on two lines."""
    memory.server.folder.write("expenses/travel.md", LINES)
    return memory.remember("宿泊料は9,000円、東京は12,000円", provenance={"at": AT, "url": PLACE})


def write(memory: Remembering, text: str) -> None:
    memory.server.folder.write("expenses/travel.md", text)


def test_a_claim_is_active_while_its_lines_stand(memory: Remembering, cited: str) -> None:
    assert memory.active("宿泊料") == [cited]
    (row,) = memory.rows("SELECT sha256, first_line, last_line FROM claim_citations")
    assert row == (sha256("宿泊料は一泊9,000円とする。\nただし、東京は12,000円とする。"), 3, 4)


def test_a_call_whose_time_is_over_compares_no_further_file(memory: Remembering, cited: str) -> None:
    write(memory, "# 旅費\n")
    search = next(tool for tool in MEMORY_TOOLS if tool.name == "pce_memory_search")
    assert search.answer(memory.server.workspace, {"query": "宿泊料"}, Deadline(0)).code == "INTERNAL"
    assert memory.rows("SELECT id, stale_since FROM claims") == [(cited, None)]


@pytest.mark.parametrize("text", ["一\n二\n", "一\n二", "一\r\n二\r\n", "一\r二"])
def test_a_file_has_no_line_behind_its_last_line_break(memory: Remembering, text: str) -> None:
    write(memory, text)
    place = "manual:expenses/travel.md#L2"
    assert memory.remember("二", provenance={"at": AT, "url": place})
    refused = memory.refuse("upsert", text="三", provenance={"at": AT, "url": place.replace("L2", "L2-L3")})
    assert refused["message"].endswith("within the file's 2")


def test_when_its_lines_change_it_is_stale_and_says_what_changed(memory: Remembering, cited: str) -> None:
    write(memory, LINES.replace("9,000", "9,500"))
    assert memory.active("宿泊料") == []
    (item,) = memory.search("宿泊料", include_meta=True)["items"]
    assert item["claim"]["id"] == cited
    assert item["reason"].endswith("stale")
    (difference,) = [one["snippet"] for one in item["evidences"] if one["source_type"] == "manual"]
    assert "-宿泊料は一泊9,000円とする。" in difference
    assert "+宿泊料は一泊9,500円とする。" in difference
    assert memory.active("宿泊料") == []


def test_of_several_claims_all_that_became_stale_stay_out_of_a_context(memory: Remembering, cited: str) -> None:
    other = memory.remember("宿泊料は東京で12,000円", provenance={"at": AT, "url": PLACE})
    fresh = memory.remember("宿泊料")
    assert set(memory.active("宿泊料")) == {fresh, cited, other}
    write(memory, LINES.replace("9,000", "9,500"))
    body = memory.activate("宿泊料")
    assert ([item["claim"]["id"] for item in body["claims"]], body["stale"]) == ([fresh], 2)
    ((left_out,),) = memory.rows("SELECT left_out FROM active_contexts ORDER BY created_at DESC LIMIT 1")
    assert len(json.loads(left_out)["stale"]) == 2


def test_a_file_is_cited_in_any_unicode_form_of_its_name(memory: Remembering) -> None:
    name = "ガイド.md"
    memory.server.folder.write(f"expenses/{unicodedata.normalize('NFD', name)}", LINES)
    provenance = {"at": AT, "url": f"manual:expenses/{unicodedata.normalize('NFC', name)}#L4"}
    claim = memory.remember("宿泊料の上限", provenance=provenance)
    assert memory.active("宿泊料") == [claim]


def test_a_context_says_every_time_that_it_leaves_out_what_is_stale(memory: Remembering, cited: str) -> None:
    write(memory, LINES.replace("9,000", "9,500"))
    assert [memory.activate("宿泊料")["stale"] for _ in range(2)] == [1, 1]
    assert "stale" not in memory.activate("旅券")
    memory.remember("宿泊料は9,500円", provenance={"at": AT}, replaces=[cited])
    assert "stale" not in memory.activate("宿泊料")


def test_a_search_says_of_itself_that_a_claim_is_stale(memory: Remembering, cited: str) -> None:
    write(memory, LINES.replace("9,000", "9,500"))
    (item,) = memory.search("宿泊料")["items"]
    assert (item["claim"]["id"], item["reason"]) == (cited, "stale")


def test_what_hardly_fits_takes_no_place_of_a_stale_claim(memory: Remembering, cited: str) -> None:
    # It shares one character with the question, and was the best that was left.
    memory.remember("東北支社は三階にある")
    write(memory, "# 旅費\n")
    assert [memory.active("東京の宿泊料は何円とするか") for _ in range(2)] == [[], []]
    assert memory.found("東京の宿泊料は何円とするか")[0] == cited


def test_however_many_stale_claims_share_words_with_a_question_few_of_them_are_read(workspace: WorkspaceFolder) -> None:
    policy, draft = parse_policy(EXAMPLE), Draft("", "fact", "project", "internal", {"at": AT})
    with open_index(workspace) as opened:
        for number in range(200):
            keep_claim(opened.connection, replace(draft, text=f"宿泊料の第{number}表"), policy, NOW)
        opened.connection.execute("UPDATE claims SET stale_since = ?", (AT,))
        keep_claim(opened.connection, replace(draft, text="宿泊料は一泊9,000円とする"), policy, NOW)
        view = make_view(policy, ("project",), frozenset({"internal"}), NOW, with_past=False)
        found = find_by_words(opened.connection, view, "宿泊料", {}, 5)
    assert len(found.scores) == 1
    assert len(found.claims) <= 1 + 2 * 10


def test_a_context_that_is_read_again_leaves_out_what_became_stale(memory: Remembering, cited: str) -> None:
    place = memory.activate("宿泊料")["active_context_id"]
    write(memory, LINES.replace("9,000", "9,500"))
    uri = f"memory://active-context/{place}"
    (content,) = memory.server.portal.call(lambda: memory.server.client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert content.text == ""


def test_of_two_citations_that_begin_on_one_line_the_changed_one_is_named(memory: Remembering, cited: str) -> None:
    text = "宿泊料は9,000円、東京は12,000円"
    memory.remember(text, provenance={"at": AT, "url": PLACE.replace("-L4", "")})
    write(memory, LINES.replace("12,000", "13,000"))
    assert memory.active("宿泊料") == []
    changed = "SELECT last_line FROM claim_citations WHERE difference IS NOT NULL"
    assert memory.rows(changed) == [(4,)]


def test_each_cited_file_is_read_once_for_a_context(memory: Remembering, monkeypatch: pytest.MonkeyPatch) -> None:
    write(memory, "".join(f"規約{number}\n" for number in range(20)))
    for number in range(20):
        url = f"manual:expenses/travel.md#L{number + 1}"
        memory.remember(f"規約{number}を守る", provenance={"at": AT, "url": url})
    opened: list[str] = []
    open_guarded = paths.open_guarded

    def noted(root: Path, parts: tuple[str, ...], parameter: str) -> Any:
        opened.append("/".join(parts))
        return open_guarded(root, parts, parameter)

    monkeypatch.setattr(whole_files, "open_guarded", noted)
    assert len(memory.active("規約を守る", top_k=3)) == 3
    assert opened == ["expenses/travel.md"]


def test_what_was_cited_anew_meanwhile_does_not_become_stale(workspace: WorkspaceFolder) -> None:
    older, newer = (Citation("manual", "a.md", 1, 1, quoted) for quoted in ("一", "二"))
    draft = Draft("規約", "fact", "project", "internal", {"at": AT}, citation=older)
    with open_index(workspace) as opened:
        keep_claim(opened.connection, draft, parse_policy(EXAMPLE), NOW)
        ((number,),) = opened.rows("SELECT number FROM claims")
        keep_claim(opened.connection, replace(draft, citation=newer), parse_policy(EXAMPLE), NOW)
        mark_stale(opened.connection, number, older, "-一", NOW)
        move_citations(opened.connection, [(number, older, replace(older, first_line=5, last_line=5))])
        assert opened.rows("SELECT first_line, quoted, difference FROM claim_citations") == [(1, "二", None)]
        assert opened.rows("SELECT stale_since FROM claims") == [(None,)]


def test_a_stale_claim_that_is_said_again_of_the_present_lines_is_active(memory: Remembering, cited: str) -> None:
    write(memory, LINES.replace("とする", "と定める"))
    assert memory.active("宿泊料") == []
    memory.remember("宿泊料は9,000円、東京は12,000円")
    assert memory.active("宿泊料") == []
    memory.remember("宿泊料は9,000円、東京は12,000円", provenance={"at": AT, "url": PLACE})
    assert memory.active("宿泊料") == [cited]


def test_lines_that_only_move_leave_the_claim_active(memory: Remembering, cited: str) -> None:
    write(memory, "前書き\n\n" + LINES)
    assert memory.active("宿泊料") == [cited]
    assert memory.rows("SELECT first_line, last_line FROM claim_citations") == [(5, 6)]


@pytest.mark.parametrize("digest", ["", f";sha256={sha256('宿泊料は一泊9,000円とする。')}"])
def test_lines_that_moved_are_cited_where_they_stand_now(memory: Remembering, digest: str) -> None:
    write(memory, LINES)
    memory.remember("宿泊料は9,000円", provenance={"at": AT, "url": f"manual:expenses/travel.md#L3{digest}"})
    write(memory, "前書き\n\n" + LINES)
    place = f"manual:expenses/travel.md#L5{digest}"
    answer = memory.activate("宿泊料", include_meta=True)
    assert [one["url"] for one in answer["provenance"]] == [place]
    assert [one["source_id"] for one in answer["claims"][0]["evidences"]] == [place]
    (item,) = memory.search("宿泊料", include_meta=True)["items"]
    assert [one["source_id"] for one in item["evidences"]] == [place]


def test_of_two_citations_each_is_followed_by_itself_as_far_as_it_is_certain(memory: Remembering, cited: str) -> None:
    text = "宿泊料は9,000円、東京は12,000円"
    memory.remember(text, provenance={"at": AT, "url": PLACE.replace("-L4", "")})
    write(memory, "前書き\n" + LINES)
    (item,) = memory.search("宿泊料", include_meta=True)["items"]
    places = {"manual:expenses/travel.md#L4-L5", "manual:expenses/travel.md#L4"}
    assert {one["source_id"] for one in item["evidences"]} == places
    write(memory, "前書き\n" + LINES + "以上\n")
    memory.remember(text, provenance={"at": AT, "url": "manual:expenses/travel.md#L6"})
    write(memory, LINES + "以上\n")
    (item,) = memory.search("宿泊料", include_meta=True)["items"]
    assert PLACE in {one["source_id"] for one in item["evidences"]}


@pytest.mark.parametrize(("first", "then"), [(1, 3), (3, 1)])
def test_of_lines_of_which_one_goes_where_the_other_stood_both_are_followed(
    memory: Remembering, first: int, then: int
) -> None:
    lines = ["宿泊料は9,000円", "", "東京は12,000円"]
    write(memory, "\n" * (first - 1) + "\n".join(lines))
    for line in (first, first + 2):
        provenance = {"at": AT, "url": f"manual:expenses/travel.md#L{line}"}
        claim = memory.remember("宿泊料は9,000円、東京は12,000円", provenance=provenance)
    write(memory, "\n" * (then - 1) + "\n".join(lines))
    assert memory.active("宿泊料") == [claim]
    cited = memory.rows("SELECT first_line, quoted FROM claim_citations ORDER BY first_line")
    assert cited == [(then, lines[0]), (then + 2, lines[2])]


def test_a_line_that_goes_where_a_changed_one_stood_does_not_hide_that_it_changed(memory: Remembering) -> None:
    write(memory, "宿泊料は9,000円\n\n東京は12,000円\n")
    for line in (1, 3):
        provenance = {"at": AT, "url": f"manual:expenses/travel.md#L{line}"}
        claim = memory.remember("宿泊料は9,000円、東京は12,000円", provenance=provenance)
    write(memory, "\n\n宿泊料は9,000円\n")
    assert [memory.active("宿泊料") for _ in range(2)] == [[], []]
    (item,) = memory.search("宿泊料", include_meta=True)["items"]
    assert (item["claim"]["id"], "stale" in item["reason"]) == (claim, True)
    assert any("-東京は12,000円" in one.get("snippet", "") for one in item["evidences"])


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_file_that_is_gone_or_cut_makes_the_claim_stale(memory: Remembering, cited: str, is_deleted: bool) -> None:
    path = memory.server.folder.manuals / "expenses/travel.md"
    path.unlink() if is_deleted else path.write_text("# 旅費\n", "utf-8")
    assert memory.active("宿泊料") == []
    (item,) = memory.search("宿泊料", include_meta=True)["items"]
    (difference,) = [one["snippet"] for one in item["evidences"] if one["source_type"] == "manual"]
    assert ("no such file" in difference) == is_deleted


def test_lines_that_hold_a_secret_cannot_be_cited(memory: Remembering) -> None:
    memory.server.folder.write("ops/db.md", "host: db1\npassword: S3cr3t!pw9\n")
    refused = memory.refuse("upsert", text="DB の設定", provenance={"at": AT, "url": "manual:ops/db.md#L1-L2"})
    assert (refused["code"], "no secret" in refused["message"]) == ("VALIDATION_ERROR", True)
    assert memory.remember("DB の設定", provenance={"at": AT, "url": "manual:ops/db.md#L1"})


def test_of_lines_that_have_changed_no_secret_is_kept(memory: Remembering, cited: str) -> None:
    write(memory, LINES.replace("一泊9,000円", "password: S3cr3t!pw9"))
    assert memory.active("宿泊料") == []
    ((difference,),) = memory.rows("SELECT difference FROM claim_citations")
    assert "S3cr3t" not in difference
    assert "-宿泊料は一泊9,000円とする。" in difference


def test_while_the_manuals_are_away_no_claim_becomes_stale(memory: Remembering, cited: str) -> None:
    manuals = memory.server.folder.manuals
    away = manuals.rename(manuals.with_name("unmounted"))
    assert memory.active("宿泊料") == [cited]
    away.rename(manuals)
    assert memory.active("宿泊料") == [cited]


def test_what_the_name_of_a_changed_file_says_of_a_person_is_masked(memory: Remembering) -> None:
    memory.server.folder.write("customers/taro@example.com.md", "契約は来月まで\n")
    place = "manual:customers/taro@example.com.md#L1"
    memory.remember("契約の期限", provenance={"at": AT, "url": place})
    memory.server.folder.write("customers/taro@example.com.md", "契約は再来月まで\n")
    (item,) = memory.search("契約", include_meta=True)["items"]
    assert "taro@example.com" not in str(item)


def test_notes_of_the_vault_can_be_cited(memory: Remembering) -> None:
    note = memory.server.folder.root / "vault" / "plan.md"
    note.parent.mkdir()
    note.write_text("決定: 来月から\r\n", "utf-8", newline="")
    claim = memory.remember(
        "来月から始める", provenance={"at": AT, "url": f"vault:plan.md#L1;sha256={sha256('決定: 来月から')}"}
    )
    assert memory.active("来月") == [claim]
    note.write_text("決定: 再来月から\n", "utf-8")
    assert memory.active("来月") == []


@pytest.mark.parametrize(
    "url",
    [
        "manual:expenses/travel.md",
        "manual:expenses/travel.md#L0",
        "manual:expenses/travel.md#L4-L3",
        "manual:expenses/travel.md#L3-L99",
        "manual:expenses/none.md#L1",
        "manual:../secret.md#L1",
        "manual:/etc/passwd#L1",
        "manual:expenses/travel.txt#L1",
        f"manual:expenses/travel.md#L3;sha256={sha256('x')}",
    ],
)
def test_what_is_not_there_cannot_be_cited(memory: Remembering, url: str) -> None:
    write(memory, LINES)
    error = memory.refuse("upsert", text="宿泊料", provenance={"at": AT, "url": url})
    assert (error["code"], error["details"]["parameter"]) == ("VALIDATION_ERROR", "provenance.url")
    assert "expected" not in error["details"]["expected"]
    assert "9,000" not in error["message"]


def test_of_lines_that_stand_everywhere_it_is_told_in_linear_work_what_became(run_within: RunWithin) -> None:
    run_within(
        5,
        """
from morenashi.server.memory.candidates import find_by_words
from morenashi.server.memory.citations import Citation, compare
cited = Citation("manual", "m/a.md", 5, 504, "\\n".join(["同じ"] * 499 + ["違う"]))
assert compare(cited, ["同じ"] * 2_000_000).difference
""",
    )
