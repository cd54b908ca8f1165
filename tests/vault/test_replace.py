"""`vault_replace`: which places are replaced, and which are refused."""

from hashlib import sha256

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.encodings import UndecodableError, decode

from ..examples import examples
from .notes import Vault
from .test_text_map import CODECS, PIECES, TEXTS


def test_one_place_is_replaced(vault: Vault) -> None:
    vault.put("note.md", "甲と乙\n")
    replaced = vault.call("replace", path="note.md", find="乙", replace="丙丁")
    assert replaced == {
        "written_path": "note.md",
        "replacements": 1,
        "bytes_before": 10,
        "sha256": sha256("甲と丙丁\n".encode()).hexdigest(),
    }
    assert vault.bytes("note.md") == "甲と丙丁\n".encode()


def test_a_replace_that_matches_twice_is_refused_with_both_lines(vault: Vault) -> None:
    vault.put("note.md", "甲\n乙\n甲\n")
    error = vault.refuse("replace", path="note.md", find="甲", replace="乙")
    assert error["code"] == "conflict"
    assert error["details"] == {
        "parameter": "max_replacements",
        "path": "note.md",
        "matches": 2,
        "lines": [1, 3],
    }
    assert vault.bytes("note.md") == "甲\n乙\n甲\n".encode()
    assert vault.call("replace", path="note.md", find="甲", replace="丙", max_replacements=2)["replacements"] == 2


def test_a_line_with_many_places_hides_no_other_line(vault: Vault) -> None:
    vault.put("note.md", "あ" * 100_000 + "\nい\nあ\r\nああ")
    details = vault.refuse("replace", path="note.md", find="あ", replace="い")["details"]
    assert (details["matches"], details["lines"]) == (100_003, [1, 3, 4])


def test_twenty_lines_are_named_at_most(vault: Vault) -> None:
    vault.put("note.md", "甲\n" * 50)
    details = vault.refuse("replace", path="note.md", find="甲", replace="乙")["details"]
    assert (details["matches"], details["lines"]) == (50, list(range(1, 21)))


@pytest.mark.parametrize("find", ["なし", ".*", "甲|乙", "[甲]"])
def test_no_match_leaves_the_file_untouched(vault: Vault, find: str) -> None:
    path = vault.put("note.md", "甲乙\n")
    before = path.stat()
    answer = vault.call("replace", path="note.md", find=find, replace="x")
    assert (answer["replacements"], "similar_line" in answer) == (0, False)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("find", "line"),
    [
        ("The  limit is ten", 3),
        ("the limit is ten\n", 3),
        ("limit is\nten days.", 3),
        ("ｔｅｎ\nDays. そのあと", 3),
        ("そのあとの\r\n日", 6),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_where_the_text_stands_otherwise_written_is_said_if_it_does_not_match(
    vault: Vault, find: str, line: int, line_break: str
) -> None:
    text = "# 題\n\nThe limit is ten\ndays.\n\nそのあとの日\n\nThe limit is ten\n"
    path = vault.put("note.md", text.replace("\n", line_break))
    before = path.read_bytes()
    answer = vault.call("replace", path="note.md", find=find, replace="x")
    assert (answer["replacements"], answer["similar_line"]) == (0, line)
    assert path.read_bytes() == before


def test_no_replacements_are_none(vault: Vault) -> None:
    vault.put("note.md", "甲甲\n")
    assert vault.call("replace", path="note.md", find="甲", replace="乙", max_replacements=0)["replacements"] == 0
    assert vault.bytes("note.md") == "甲甲\n".encode()


@pytest.mark.parametrize("value", [True, -1, "1", 1.0])
def test_only_a_number_is_a_number_of_replacements(vault: Vault, value: object) -> None:
    vault.put("note.md", "甲\n")
    error = vault.refuse("replace", path="note.md", find="甲", replace="乙", max_replacements=value)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "max_replacements")


def test_lines_are_found_and_replaced_with_the_line_ends_of_the_file(vault: Vault) -> None:
    vault.put("note.md", "甲\r\n乙\r\n丙\r\n")
    assert vault.call("replace", path="note.md", find="甲\n乙", replace="子\n丑")["replacements"] == 1
    assert vault.bytes("note.md") == "子\r\n丑\r\n丙\r\n".encode()


def test_bytes_beside_a_replaced_place_stay_as_they_are(vault: Vault) -> None:
    # CP932 has two codes for some characters, of which Python writes only one.
    other = b"\xee\xf9 \xfa\x54 \x81\xca"
    vault.put("note.md", other + "日本語の甲である。".encode("cp932") + other)
    vault.call("replace", path="note.md", find="甲", replace="乙丙")
    assert vault.bytes("note.md") == other + "日本語の乙丙である。".encode("cp932") + other


@examples(20)
@given(text=TEXTS, codec=st.sampled_from(CODECS), find=st.sampled_from(PIECES), put=st.sampled_from(["", *PIECES]))
@example(text="\r\n申請は、書面による。", codec="utf-16-le", find="\r\n", put="第三条")
def test_a_replace_is_that_of_the_text_or_is_refused(
    kept_vault: Vault, text: str, codec: str, find: str, put: str
) -> None:
    data = text.encode(codec, errors="ignore")
    try:
        text = decode(data).text
    except UndecodableError:
        return
    kept_vault.put("note.md", data)
    answer = kept_vault.serving.answer(
        "vault_replace", path="note.md", find=find, replace=put, max_replacements=1_000
    ).structured_content
    used = {end for end in ("\r\n", "\n", "\r") if end in text.replace("\r\n", "\0" if end != "\r\n" else "\r\n")}
    if len(used) == 1:
        (line_end,) = used
        find, put = (part.replace("\r\n", "\n").replace("\r", "\n").replace("\n", line_end) for part in (find, put))
    if answer.get("code"):
        assert answer["code"] == "invalid_parameter"
        assert kept_vault.bytes("note.md") == data
    else:
        assert answer["replacements"] == text.count(find)
        assert decode(kept_vault.bytes("note.md")).text == text.replace(find, put)
