"""Claims that rest on lines of a manual or a note, and what becomes of them when these change."""

import pytest

from .remembering import AT, Remembering, sha256

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


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_file_that_is_gone_or_cut_makes_the_claim_stale(memory: Remembering, cited: str, is_deleted: bool) -> None:
    path = memory.server.folder.manuals / "expenses/travel.md"
    path.unlink() if is_deleted else path.write_text("# 旅費\n", "utf-8")
    assert memory.active("宿泊料") == []


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
    assert "9,000" not in error["message"]
