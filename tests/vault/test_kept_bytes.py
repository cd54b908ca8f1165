"""What a write leaves as it is: encoding, byte order mark, line ends, mode bits, and all that it does not touch."""

import os
from collections.abc import Iterable

import pytest

from morenashi.server.vault.edits import cut
from morenashi.server.vault.writing import NewContent

from .notes import Vault


@pytest.mark.parametrize(("content", "codec"), [("一\r\n二\r\n", "cp932"), ("一\r二\r", "euc_jp"), ("一\n", "utf-16")])
@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_encoding_and_line_ends_are_kept(vault: Vault, content: str, codec: str, mode: str) -> None:
    vault.put("note.md", content.encode(codec))
    vault.call("write", path="note.md", content="新しい行、そして\n次の行である。\n", mode=mode)
    line_end = "\r\n" if "\r\n" in content else content[-1]
    new = "新しい行、そして\n次の行である。\n".replace("\n", line_end)
    assert vault.bytes("note.md") == (content * (mode == "append") + new).encode(codec)


def test_what_is_appended_to_a_file_that_ends_in_another_character_set_is_read_as_it_was_given(vault: Vault) -> None:
    text = "申請は書面による"
    back_to_ascii = b"\x1b(B"
    vault.put("note.md", text.encode("iso2022_jp").removesuffix(back_to_ascii))
    vault.call("write", path="note.md", content="A4\n", mode="append")
    assert vault.bytes("note.md").decode("iso2022_jp") == f"{text}\nA4\n"


def test_a_text_without_a_letter_of_the_files_encoding_is_written(vault: Vault) -> None:
    vault.put("note.md", "日本語の文である。\n".encode("cp932"))
    vault.call("write", path="note.md", content="A4\n", mode="overwrite")
    assert vault.bytes("note.md") == b"A4\n"


def test_a_text_whose_bytes_would_be_read_as_utf_8_is_refused(vault: Vault) -> None:
    data = "日本語の文である。\n".encode("cp932")
    vault.put("note.md", data)
    text = b"\xc2\xa2".decode("cp932")
    assert vault.code("write", path="note.md", content=text, mode="overwrite") == "invalid_parameter"
    assert vault.bytes("note.md") == data


def test_a_text_is_never_cut_within_a_line_break() -> None:
    text = "x" * 65_535 + "\r\ny"
    assert list(cut(text)) == [text[:-1], "y"]


def test_what_nec_added_to_euc_jp_is_kept_and_written(vault: Vault) -> None:
    one, two, company = b"\xad\xa1", b"\xad\xa2", b"\xad\xea"
    vault.put("note.md", one + "旅費規程による。\n".encode("euc_jp"))
    vault.call("write", path="note.md", content="②宿泊料\n", mode="append")
    vault.call("replace", path="note.md", find="旅費", replace="㈱")
    assert vault.bytes("note.md") == (
        one + company + "規程による。\n".encode("euc_jp") + two + "宿泊料\n".encode("euc_jp")
    )


def test_line_ends_of_several_kinds_are_left_as_they_are(vault: Vault) -> None:
    vault.put("note.md", "一\r\n二\n")
    vault.call("write", path="note.md", content="三\r四\n", mode="append")
    assert vault.bytes("note.md") == "一\r\n二\n三\r四\n".encode()


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_a_byte_order_mark_is_kept_once(vault: Vault, mark: bytes) -> None:
    codec = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}[mark]
    vault.put("note.md", mark + "一\n".encode(codec))
    vault.call("write", path="note.md", content="二\n", mode="append")
    vault.call("replace", path="note.md", find="一", replace="壱")
    assert vault.bytes("note.md") == mark + "壱\n二\n".encode(codec)
    answer = vault.call("write", path="note.md", content="三", mode="overwrite")
    assert answer["written_bytes"] == len("三".encode(codec))
    assert vault.bytes("note.md") == mark + "三".encode(codec)


def test_what_stands_between_several_replaced_places_keeps_its_bytes(vault: Vault) -> None:
    """Of the characters that Shift_JIS has twice, a codec would write the other one."""
    data = b"\xed\x40 x \xed\x41 x \x87\x90\n" + "申請は書面による。\n".encode("cp932")
    vault.put("note.md", data)
    answer = vault.call("replace", path="note.md", find="x", replace="別紙", max_replacements=2)
    assert answer["replacements"] == 2
    assert vault.bytes("note.md") == data.replace(b"x", "別紙".encode("cp932"))


def test_a_file_that_changes_its_character_set_all_the_time_is_written_anew_as_a_whole(vault: Vault) -> None:
    text = "申請は書面による。A4とする。\n写しも書面による。\n"
    vault.put("note.md", text.encode("iso2022_jp"))
    vault.call("replace", path="note.md", find="書面", replace="form B", max_replacements=2)
    assert vault.bytes("note.md") == text.replace("書面", "form B").encode("iso2022_jp")


@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "iso2022_jp"])
def test_a_character_that_the_encoding_lacks_is_refused(vault: Vault, codec: str) -> None:
    data = "日本語の文である。\n".encode(codec)
    vault.put("note.md", data)
    for tool, arguments in (
        ("write", {"content": "😀", "mode": "append"}),
        ("write", {"content": "これは😀だ", "mode": "overwrite"}),
        ("replace", {"find": "文", "replace": "😀"}),
    ):
        error = vault.refuse(tool, path="note.md", **arguments)
        assert error["code"] == "invalid_parameter"
        assert (error["message"].startswith("path: "), error["details"]["parameter"]) == (True, "path")
        assert "U+" in error["message"]
    assert vault.bytes("note.md") == data
    assert vault.names() == ["note.md"]


def test_a_character_that_the_encoding_writes_as_another_is_refused(vault: Vault) -> None:
    # Python's EUC-JP writes the yen sign as a backslash.
    vault.put("note.md", "日本語の文である。\n".encode("euc_jp"))
    assert vault.code("write", path="note.md", content="\u00a5100", mode="append") == "invalid_parameter"


def test_mode_bits_are_kept(vault: Vault) -> None:
    path = vault.put("note.md", "一\n")
    path.chmod(0o640)
    vault.call("write", path="note.md", content="二\n", mode="append")
    vault.call("replace", path="note.md", find="一", replace="壱")
    assert path.stat().st_mode & 0o777 == 0o640


def test_what_is_its_owners_alone_is_nobody_elses_while_it_is_written(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, of_others = NewContent.write, []

    def look(new: NewContent, pieces: Iterable[bytes]) -> int:
        of_others.append(os.fstat(new.descriptor).st_mode & 0o077)
        return write(new, pieces)

    monkeypatch.setattr(NewContent, "write", look)
    vault.put("note.md", "一\n").chmod(0o600)
    vault.call("write", path="note.md", content="二\n", mode="append")
    vault.call("replace", path="note.md", find="一", replace="壱")
    vault.call("write", path="note.md", content="二\n", mode="overwrite")
    assert set(of_others) == {0}


def test_a_new_file_has_the_mode_that_the_user_gives_new_files(vault: Vault) -> None:
    vault.call("create", path="note.md", content="本文")
    (vault.root / "other.md").write_text("本文", "utf-8")
    assert (vault.root / "note.md").stat().st_mode == (vault.root / "other.md").stat().st_mode
