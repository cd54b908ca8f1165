"""`vault_scan` (seed 003 §4, seed 000 §4; contract §1): the chunks together are the text, exactly."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.encodings import UndecodableError, decode
from morenashi.server.clients import Client, acting_for
from morenashi.server.deadline import Deadline
from morenashi.server.reading import FileText

from ..examples import examples
from ..server.serving import find
from .notes import Vault
from .test_text_map import CODECS, TEXTS

LINES = "".join(f"{number}行目の文である\n" for number in range(1, 501))


@pytest.fixture
def note(vault: Vault) -> Vault:
    vault.put("note.md", LINES)
    return vault


@examples(20)
@given(text=TEXTS, codec=st.sampled_from(CODECS), max_chars=st.integers(1, 40), lines=st.none() | st.integers(1, 9))
def test_the_chunks_are_the_text_in_all_encodings_and_line_ends(
    kept_vault: Vault, text: str, codec: str, max_chars: int, lines: int | None
) -> None:
    data = text.encode(codec, errors="ignore")
    try:
        text = decode(data).text
    except UndecodableError:
        return
    kept_vault.put("note.md", data)
    chunks = kept_vault.chunks("note.md", limits={"max_chars": max_chars}, chunk_lines=lines)
    assert "".join(chunk["text"] for chunk in chunks) == text
    expected, offset = FileText(text, "md"), 0
    for chunk in chunks:
        first, last = (expected.line_of(place) for place in (offset, max(offset + len(chunk["text"]) - 1, offset)))
        if text[offset - 1 : offset + 1] != "\r\n" or not offset:
            assert chunk["applied_range"] == {"start_line": first, "end_line": last}
        offset += len(chunk["text"])
        assert chunk["eof"] == (chunk["truncated_reason"] == "none") == (offset == len(text))
        assert lines is None or last - first < lines


def test_a_chunk_ends_at_twelve_thousand_characters(vault: Vault) -> None:
    vault.put("note.md", "字" * 30_000)
    chunks = vault.chunks("note.md")
    assert [len(chunk["text"]) for chunk in chunks] == [12_000, 12_000, 6_000]
    assert [chunk["truncated_reason"] for chunk in chunks] == ["max_chars", "max_chars", "none"]
    assert chunks[0]["applied"] == {"max_chars": 12_000}


def test_a_chunk_of_lines_ends_after_them(note: Vault) -> None:
    chunk = note.call("scan", path="note.md", chunk_lines=3)
    assert chunk["applied_range"] == {"start_line": 1, "end_line": 3}
    assert (chunk["truncated_reason"], chunk["next_cursor"]["start_line"]) == ("chunk_end", 4)


def test_the_first_line_is_given_or_comes_from_the_cursor(note: Vault) -> None:
    assert note.call("scan", path="note.md", start_line=500)["text"] == "500行目の文である\n"
    assert note.call("scan", path="note.md", cursor={"start_line": 500})["eof"]
    both = note.call("scan", path="note.md", start_line=500, cursor={"start_line": 1, "char_offset": 0})
    assert both["applied_range"]["start_line"] == 500


def test_a_place_behind_the_end_of_the_file_is_none_of_it(note: Vault) -> None:
    end = note.call("scan", path="note.md", cursor={"char_offset": len(LINES)})
    assert (end["text"], end["eof"]) == ("", True)
    assert note.code("scan", path="note.md", cursor={"char_offset": len(LINES) + 1}) == "conflict"


def test_the_next_actions_lead_through_the_file_to_its_coverage(note: Vault) -> None:
    chunks = [note.call("scan", path="note.md", chunk_lines=100)]
    while chunks[-1]["next_actions"][0]["type"] == "vault_scan":
        assert chunks[-1]["next_actions"][0]["params"]["chunk_lines"] == 80
        chunks.append(note.call("scan", **chunks[-1]["next_actions"][0]["params"]))
    assert "".join(chunk["text"] for chunk in chunks) == LINES
    assert len(chunks) == 6
    assert chunks[-1]["next_actions"][0]["type"] == "vault_coverage"


@pytest.mark.parametrize(
    "change",
    [LINES.replace("1行目", "2行目", 1), "前" + LINES, LINES[:50], "", LINES + "後\n"],
    ids=["edited", "longer at the start", "shorter", "empty", "longer at the end"],
)
def test_a_cursor_of_another_content_is_a_conflict(note: Vault, change: str) -> None:
    cursor = note.call("scan", path="note.md", chunk_lines=10)["next_cursor"]
    note.put("note.md", change)
    assert note.code("scan", path="note.md", cursor=cursor) == "conflict"


@pytest.mark.parametrize("change", ["前\n" + LINES, LINES[:50]], ids=["longer", "shorter"])
def test_a_cursor_without_its_version_is_a_conflict_where_it_does_not_fit(note: Vault, change: str) -> None:
    cursor = note.call("scan", path="note.md", chunk_lines=10)["next_cursor"]
    del cursor["version"]
    assert note.call("scan", path="note.md", cursor=cursor)["applied_range"]["start_line"] == 11
    note.put("note.md", change)
    assert note.code("scan", path="note.md", cursor=cursor) == "conflict"


def test_a_cursor_of_another_file_is_not_said_to_be_of_one_that_changed(note: Vault) -> None:
    note.put("other.md", LINES + "後\n")
    cursor = note.call("scan", path="note.md", chunk_lines=10)["next_cursor"]
    refused = note.refuse("scan", path="other.md", cursor=cursor)
    assert (refused["code"], "changed" in refused["message"]) == ("conflict", False)


def test_what_another_client_was_given_since_makes_a_stale_cursor_no_fresh_one(note: Vault) -> None:
    def scan(client: str, cursor: dict[str, Any] | None = None) -> dict[str, Any]:
        arguments = {"path": "note.md", "chunk_lines": 10, **({"cursor": cursor} if cursor else {})}
        with acting_for(Client(client)):
            return find("vault_scan").answer(note.serving.workspace, arguments, Deadline(60_000)).body

    cursor = scan("one")["next_cursor"]
    del cursor["version"]
    note.put("note.md", LINES.replace("1行目", "2行目", 1))
    assert scan("another")["next_cursor"]["char_offset"] == cursor["char_offset"]
    assert scan("one", cursor)["code"] == "conflict"


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"start_line": 501}, "start_line"),
        ({"start_line": True}, "start_line"),
        ({"start_line": 0}, "start_line"),
        ({"cursor": {"start_line": 501}}, "cursor.start_line"),
        ({"cursor": {"start_line": True}}, "cursor.start_line"),
        ({"cursor": {"char_offset": False}}, "cursor.char_offset"),
        ({"cursor": {"char_offset": -1}}, "cursor.char_offset"),
        ({"chunk_lines": 0}, "chunk_lines"),
        ({"chunk_lines": 201}, "chunk_lines"),
        ({"limits": {"max_chars": 12_001}}, "limits.max_chars"),
    ],
)
def test_what_is_no_place_is_refused_and_named(note: Vault, arguments: dict[str, Any], parameter: str) -> None:
    error = note.refuse("scan", path="note.md", **arguments)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", parameter)
