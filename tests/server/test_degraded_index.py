"""An index that misses what the texts hold: it is noticed, said, searched around and rebuilt."""

import contextlib
import json

import pytest

from morenashi.indexer.database import open_reader
from morenashi.server.search.index.postings import Index, spellings_of
from morenashi.server.search.index.scanning import scan_texts
from morenashi.server.search.question.query import parse_query

from ..indexer.damages import SILENT, Damage, break_index, lose_everything, swap_rows
from ..workspaces import WorkspaceFolder, eventually
from .serving import Found, Serving, ask_database, index_now, serving, serving_indexed
from .stdio import raw_server

SILENTLY = pytest.mark.parametrize("damage", SILENT.values(), ids=SILENT)
WORDS = ["鍵言葉", "鍵", "言葉", "申請 期限", "鍵・言葉", "server"]


@pytest.fixture
def folder(workspace: WorkspaceFolder) -> WorkspaceFolder:
    for number in range(30):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n鍵言葉 Server\n\n申請の期限は{number}日。\n")
    index_now(workspace)
    return workspace


def index_said(found: Found) -> str:
    return found.summary["completeness"]["index"]


def is_well_again(manuals: Serving) -> bool:
    """Whether the index is in order and finds everything."""
    found = manuals.find("鍵言葉")
    return index_said(found) == "ok" and found.summary["candidates"] == 30


def hold_the_rebuild(manuals: Serving) -> None:
    """As if the rebuild had been tried already, so that the degraded state can be looked at."""
    manuals.workspace.manuals.keeper._keeping.doubt.is_rebuilt = True


def test_a_sound_index_is_called_ok(folder: WorkspaceFolder) -> None:
    with serving_indexed(folder) as manuals:
        assert (index_said(manuals.find("鍵言葉")), index_said(manuals.find("無い語"))) == ("ok", "ok")


@SILENTLY
def test_damage_before_the_start_is_repaired(folder: WorkspaceFolder, damage: Damage) -> None:
    break_index(folder, damage)
    with serving(folder, WATCH="off") as manuals:
        assert eventually(lambda: manuals.find("鍵言葉").summary["candidates"] == 30)
        assert manuals.find("無い語").status == "absent"
        assert eventually(lambda: is_well_again(manuals))


@SILENTLY
def test_damage_while_the_server_runs_never_makes_it_say_absent(folder: WorkspaceFolder, damage: Damage) -> None:
    with serving_indexed(folder) as manuals:
        hold_the_rebuild(manuals)
        break_index(folder, damage)
        assert [word for word in WORDS if manuals.find(word).status != "found"] == []


@pytest.mark.parametrize("damage", [lose_everything, swap_rows])
@pytest.mark.parametrize("manual_id", [None, "m"])
def test_a_degraded_index_finds_everything_by_scanning(
    folder: WorkspaceFolder, damage: Damage, manual_id: str | None
) -> None:
    asked = {"manual_id": manual_id} if manual_id else {}
    with serving_indexed(folder) as manuals:
        before = {word: manuals.find(word, **asked).places() for word in WORDS}
        hold_the_rebuild(manuals)
        break_index(folder, damage)
        manuals.workspace.manuals.keeper.doubt(ask_database(folder, _BUILD)[0][0])
        assert {word: manuals.find(word, **asked).places() for word in WORDS} == before


def test_a_degraded_index_is_said_in_the_answer_and_counted_as_a_warning(folder: WorkspaceFolder) -> None:
    with serving_indexed(folder) as manuals:
        hold_the_rebuild(manuals)
        break_index(folder, lose_everything)
        found = manuals.find("鍵言葉")
        assert (index_said(found), found.summary["warnings"], found.summary["candidates"]) == ("degraded", 1, 30)
        absent = manuals.find("無い語")
        assert (index_said(absent), absent.status) == ("degraded", "absent")


def test_a_rebuild_repairs_it_while_the_server_runs(folder: WorkspaceFolder) -> None:
    with serving_indexed(folder) as manuals:
        before = manuals.find("鍵言葉").summary["completeness"]
        break_index(folder, lose_everything)
        assert manuals.find("鍵言葉").status == "found"
        assert eventually(lambda: is_well_again(manuals))
        after = manuals.find("鍵言葉").summary["completeness"]
        assert after["index_generation"] > before["index_generation"]
        assert after["lines"] == before["lines"]


def test_what_changes_during_the_rebuild_is_found_afterwards(folder: WorkspaceFolder) -> None:
    with serving(folder, WATCH="events") as manuals:
        assert eventually(lambda: is_well_again(manuals))
        break_index(folder, lose_everything)
        assert manuals.find("鍵言葉").status == "found"
        folder.write("m/new.md", "合図\n")
        assert manuals.find("合図").status != "absent"
        assert eventually(lambda: manuals.find("合図").paths() == {"new.md"})


def test_traces_survive_the_rebuild(folder: WorkspaceFolder) -> None:
    with serving_indexed(folder) as manuals:
        first = manuals.find("鍵言葉")
        break_index(folder, lose_everything)
        manuals.find("鍵言葉")
        assert eventually(lambda: is_well_again(manuals))
        assert len(first.hits()) == 30


def test_a_reader_of_another_servers_index_scans_too_and_stops_when_it_is_rebuilt(folder: WorkspaceFolder) -> None:
    with serving_indexed(folder) as writer, serving(folder, WATCH="off") as reader:
        assert eventually(lambda: is_well_again(reader))
        hold_the_rebuild(writer)
        break_index(folder, lose_everything)
        assert reader.find("鍵言葉").status == "found"
        assert index_said(reader.find("鍵言葉")) == "degraded"
        writer.workspace.manuals.keeper._keeping.doubt.is_rebuilt = False
        assert writer.find("鍵言葉").status == "found"
        assert eventually(lambda: is_well_again(reader))


def test_the_log_says_it_without_a_word_of_a_document(folder: WorkspaceFolder) -> None:
    break_index(folder, swap_rows)
    with raw_server(folder) as server:
        server.initialise()
        assert eventually(lambda: any("rebuilt" in str(line.get("notice")) for line in server.log_lines()))
        lines = server.log_lines()
    checked = next(line for line in lines if line["tool"] == "selfcheck")
    assert checked["ok"] is False
    assert checked["missed"] > 0
    said = json.dumps(lines, ensure_ascii=False)
    assert not any(word in said for word in ("鍵", "申請", "期限", "題"))


@pytest.mark.parametrize("manual_id", [None, "m"])
def test_a_scan_with_a_limit_starts_anywhere_and_reads_no_more(folder: WorkspaceFolder, manual_id: str | None) -> None:
    terms = parse_query("鍵言葉", {}, {}).terms
    with contextlib.closing(open_reader(folder.database)) as connection:
        index = Index(connection, manual_id)
        spellings = spellings_of(terms)
        everything = scan_texts(connection, index.scope, spellings)
        some = [scan_texts(connection, index.scope, spellings, 10 * len(spellings)) for _ in range(200)]
    assert len(everything) == 30
    assert {len(found) for found in some} == {10}
    assert set().union(*some) == set(everything)


_BUILD = "SELECT value FROM index_state WHERE key = 'build'"
