"""`vault_create`, `vault_write`, `vault_replace` (seeds 003 §2, §5; 000 §4; contract §1)."""

import os
import stat
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.encodings import UndecodableError, decode

from ..examples import examples
from ..server.serving import serving
from ..workspaces import WorkspaceFolder, make_workspace
from .notes import Serve, Vault
from .test_text_map import CODECS, PIECES, TEXTS


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def test_a_file_is_created_with_the_folders_above_it(vault: Vault) -> None:
    assert vault.call("create", path="a/b/note.md", content="本文\n") == {
        "written_path": "a/b/note.md",
        "written_bytes": 7,
        "bytes_before": 0,
        "sha256": digest("本文\n".encode()),
    }
    assert vault.bytes("a/b/note.md") == "本文\n".encode()


def test_a_long_text_is_created_as_it_is(vault: Vault) -> None:
    content = "行である。\r\n" * 40_000
    vault.call("create", path="note.md", content=content)
    assert vault.bytes("note.md") == content.encode()


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_what_exists_is_not_created(vault: Vault, there: str) -> None:
    vault.put("other.md", "他")
    path = vault.root / "note.md"
    if there == "folder":
        path.mkdir()
    elif there == "link":
        path.symlink_to("none.md")
    else:
        vault.put("note.md", "元")
    assert vault.code("create", path="note.md", content="新") == "conflict"
    assert vault.code("create", path="other.md/note.md", content="新") in ("conflict", "not_found")


@pytest.mark.parametrize("path", ["x/", "a/x/", "x/.", "x//"])
def test_a_path_that_names_a_folder_is_no_file(vault: Vault, path: str) -> None:
    error = vault.refuse("create", path=path, content="本文")
    assert (error["code"], error["details"]["parameter"]) == ("invalid_path", "path")
    vault.put("x", "元")
    assert vault.code("write", path=path, content="本文", mode="append") == "invalid_path"
    assert vault.names() == ["x"]


def test_nothing_is_created_of_nothing(vault: Vault) -> None:
    error = vault.refuse("create", path="note.md", content="")
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "content")


def test_a_text_that_would_be_read_as_something_else_is_refused(vault: Vault) -> None:
    assert vault.code("create", path="note.md", content="\ufeff本文") == "invalid_parameter"
    assert vault.code("create", path="note.md", content="a\x1b$B") == "invalid_parameter"
    assert vault.names() == []


def test_appending_adds_and_overwriting_replaces(vault: Vault) -> None:
    vault.put("note.md", "一\n")
    appended = vault.call("write", path="note.md", content="二\n", mode="append")
    assert vault.bytes("note.md") == "一\n二\n".encode()
    assert appended == {
        "written_path": "note.md",
        "written_bytes": 4,
        "bytes_before": 4,
        "sha256": digest("一\n二\n".encode()),
    }
    overwritten = vault.call("write", path="note.md", content="三", mode="overwrite")
    assert vault.bytes("note.md") == "三".encode()
    assert (overwritten["written_bytes"], overwritten["bytes_before"]) == (3, 8)


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        ("- 一", "- 二", "- 一\n- 二"),
        ("- 一\r\n- 二", "- 三\n", "- 一\r\n- 二\r\n- 三\r\n"),
        ("一\r\n二\n三", "四", "一\r\n二\n三\n四"),
        ("- 一", "\n- 二", "- 一\n- 二"),
        ("- 一\r\n- 二", "\r\n- 三", "- 一\r\n- 二\r\n- 三"),
        ("- 一\n", "- 二", "- 一\n- 二"),
        ("- 一", "", "- 一"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "cp932", "iso2022_jp"])
def test_what_is_appended_begins_on_a_new_line(vault: Vault, before: str, content: str, after: str, codec: str) -> None:
    vault.put("note.md", before.encode(codec))
    answer = vault.call("write", path="note.md", content=content, mode="append")
    assert vault.bytes("note.md") == after.encode(codec)
    assert answer["written_bytes"] == len(vault.bytes("note.md")) - answer["bytes_before"]


def test_what_is_appended_to_an_empty_note_is_all_of_it(vault: Vault) -> None:
    vault.put("note.md", "")
    vault.call("write", path="note.md", content="- 一", mode="append")
    assert vault.bytes("note.md") == "- 一".encode()


@pytest.mark.parametrize("mode", ["append", "overwrite"])
@pytest.mark.parametrize("path", ["none.md", "folder/none.md"])
def test_only_what_exists_is_written(vault: Vault, mode: str, path: str) -> None:
    assert vault.code("write", path=path, content="本文", mode=mode) == "conflict"
    assert vault.code("replace", path=path, find="a", replace="b") == "not_found"
    assert vault.names() == []


@pytest.mark.parametrize(("content", "codec"), [("一\r\n二\r\n", "cp932"), ("一\r二\r", "euc_jp"), ("一\n", "utf-16")])
@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_encoding_and_line_ends_are_kept(vault: Vault, content: str, codec: str, mode: str) -> None:
    vault.put("note.md", content.encode(codec))
    vault.call("write", path="note.md", content="新しい行、そして\n次の行である。\n", mode=mode)
    line_end = "\r\n" if "\r\n" in content else content[-1]
    new = "新しい行、そして\n次の行である。\n".replace("\n", line_end)
    assert vault.bytes("note.md") == (content * (mode == "append") + new).encode(codec)


def test_what_nec_added_to_euc_jp_is_kept_and_written(vault: Vault) -> None:
    one, two, company = b"\xad\xa1", b"\xad\xa2", b"\xad\xea"
    vault.put("note.md", one + "旅費規程による。\n".encode("euc_jp"))
    vault.call("write", path="note.md", content="②宿泊料\n", mode="append")
    vault.call("replace", path="note.md", find="旅費", replace="㈱")
    assert vault.bytes("note.md") == (
        one + company + "規程による。\n".encode("euc_jp") + two + "宿泊料\n".encode("euc_jp")
    )


def test_a_folder_is_no_file_and_a_file_no_folder(vault: Vault) -> None:
    vault.put("folder/a.md", "本文")
    taken = vault.refuse("create", path="folder", content="本文")
    assert (taken["code"], taken["message"]) == ("conflict", "path: a folder has this name; take another one")
    for tool, arguments in (("write", {"content": "a", "mode": "append"}), ("replace", {"find": "a", "replace": "b"})):
        refused = vault.refuse(tool, path="folder", **arguments)
        assert (refused["code"], refused["message"]) == (
            "conflict",
            "path: this is a folder; vault_ls lists its files",
        )
    assert "vault_ls" in vault.refuse("read", path="folder", full=True)["message"]
    beneath = vault.refuse("create", path="folder/a.md/b.md", content="本文")
    assert (beneath["code"], beneath["message"]) == ("conflict", "path: folder/a.md is a file, no folder")


def test_a_file_to_change_that_is_not_there_is_named_with_the_nearest(vault: Vault) -> None:
    vault.call("create", path="plans/summer.md", content="計画\n")
    refused = vault.refuse("replace", path="Plans/SUMMER.md", find="計画", replace="案")
    assert (refused["code"], refused["details"]["nearest"]) == ("not_found", ["plans/summer.md"])


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


def test_a_new_file_has_the_mode_that_the_user_gives_new_files(vault: Vault) -> None:
    vault.call("create", path="note.md", content="本文")
    (vault.root / "other.md").write_text("本文", "utf-8")
    assert (vault.root / "note.md").stat().st_mode == (vault.root / "other.md").stat().st_mode


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"content": "新\n", "mode": "overwrite"}),
        ("write", {"content": "新\n", "mode": "append"}),
        ("replace", {"find": "一", "replace": "二"}),
    ],
)
def test_another_content_than_the_caller_has_seen_is_a_conflict(
    vault: Vault, tool: str, arguments: dict[str, Any]
) -> None:
    vault.put("note.md", "一\n")
    error = vault.refuse(tool, path="note.md", if_hash=digest("零\n".encode()), **arguments)
    assert (error["code"], error["details"]["sha256"]) == ("conflict", digest("一\n".encode()))
    assert vault.bytes("note.md") == "一\n".encode()
    vault.call(tool, path="note.md", if_hash=digest("一\n".encode()).upper(), **arguments)


def test_the_hash_may_be_that_of_the_text(vault: Vault) -> None:
    vault.put("note.md", "一行目である\r\n".encode("cp932"))
    read = vault.call("read", path="note.md", full=True)
    assert read["sha256"] == digest(vault.bytes("note.md"))
    vault.call("write", path="note.md", content="二", mode="append", if_hash=digest(read["text"].encode()))


def test_the_hash_of_an_answer_fits_the_next_call(vault: Vault) -> None:
    written = vault.call("create", path="note.md", content="一\n")
    for _ in range(3):
        written = vault.call("write", path="note.md", content="次\n", mode="append", if_hash=written["sha256"])
    replaced = vault.call("replace", path="note.md", find="一", replace="壱", if_hash=written["sha256"])
    assert replaced["sha256"] == digest(vault.bytes("note.md"))


def test_what_is_no_hash_is_the_hash_of_no_content(vault: Vault) -> None:
    vault.put("note.md", "一\n")
    assert vault.code("write", path="note.md", content="二", mode="append", if_hash="abc") == "conflict"


def test_one_place_is_replaced(vault: Vault) -> None:
    vault.put("note.md", "甲と乙\n")
    replaced = vault.call("replace", path="note.md", find="乙", replace="丙丁")
    assert replaced == {
        "written_path": "note.md",
        "replacements": 1,
        "bytes_before": 10,
        "sha256": digest("甲と丙丁\n".encode()),
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
    assert vault.call("replace", path="note.md", find=find, replace="x")["replacements"] == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


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


def test_a_write_protected_file_is_refused(ordinary_workspace: Any) -> None:
    with serving(ordinary_workspace, WATCH="off") as client:
        vault = Vault(ordinary_workspace.root / "vault", client)
        vault.put("note.md", "一\n").chmod(0o444)
        assert vault.code("write", path="note.md", content="二", mode="append") == "forbidden"
        assert vault.bytes("note.md") == "一\n".encode()


def test_a_vault_that_may_not_be_written_says_so(ordinary_workspace: Any) -> None:
    with serving(ordinary_workspace, WATCH="off") as client:
        vault = Vault(ordinary_workspace.root / "vault", client)
        vault.put("note.md", "一\n")
        vault.root.chmod(0o555)
        try:
            assert vault.code("create", path="new.md", content="二") == "forbidden"
        finally:
            vault.root.chmod(0o755)


def test_a_temporary_file_of_a_killed_write_goes_with_the_next_one(vault: Vault) -> None:
    vault.put("a/.morenashi.tmp", "半")
    vault.call("create", path="a/note.md", content="本文")
    assert vault.names() == ["a/note.md"]


def test_what_another_program_writes_meanwhile_is_not_written_over(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, fsync = vault.put("note.md", "一\n"), os.fsync

    def write_meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        note.write_text("一\n他\n", "utf-8")

    monkeypatch.setattr(os, "fsync", write_meanwhile)
    assert vault.code("write", path="note.md", content="二\n", mode="append") == "conflict"
    assert vault.bytes("note.md") == "一\n他\n".encode()


def test_a_text_is_on_the_disk_before_it_takes_the_files_place(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.put("note.md", "一\n")
    vault.call("write", path="note.md", content="二\n", mode="append")
    fsync, rename = os.fsync, os.rename
    steps: list[str] = []

    def record_fsync(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def record_rename(*names: Any, **folders: Any) -> None:
        steps.append("rename")
        rename(*names, **folders)

    monkeypatch.setattr(os, "fsync", record_fsync)
    monkeypatch.setattr(os, "rename", record_rename)
    vault.call("write", path="note.md", content="三\n", mode="append")
    assert steps == ["file", "rename", "folder"]


def test_a_pipe_is_no_file_to_write(vault: Vault) -> None:
    vault.put("note.md", "一")
    os.mkfifo(vault.root / "pipe.md")
    for tool, arguments in (
        ("write", {"content": "x", "mode": "append"}),
        ("replace", {"find": "x", "replace": "y"}),
        ("read", {"full": True}),
    ):
        assert vault.code(tool, path="pipe.md", **arguments) in ("forbidden", "conflict")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Any:
    workspace = make_workspace(tmp_path_factory.mktemp("writes") / "workspace")
    with serving(workspace, WATCH="off") as client:
        yield Vault(workspace.root / "vault", client)


@examples(20)
@given(text=TEXTS, codec=st.sampled_from(CODECS), find=st.sampled_from(PIECES), put=st.sampled_from(["", *PIECES]))
@example(text="\r\n申請は、書面による。", codec="utf-16-le", find="\r\n", put="第三条")
def test_a_replace_is_that_of_the_text_or_is_refused(
    written: Vault, text: str, codec: str, find: str, put: str
) -> None:
    data = text.encode(codec, errors="ignore")
    try:
        text = decode(data).text
    except UndecodableError:
        return
    written.put("note.md", data)
    answer = written.serving.answer(
        "vault_replace", path="note.md", find=find, replace=put, max_replacements=1_000
    ).structured_content
    used = {end for end in ("\r\n", "\n", "\r") if end in text.replace("\r\n", "\0" if end != "\r\n" else "\r\n")}
    if len(used) == 1:
        (line_end,) = used
        find, put = (part.replace("\r\n", "\n").replace("\r", "\n").replace("\n", line_end) for part in (find, put))
    if answer.get("code"):
        assert answer["code"] == "invalid_parameter"
        assert written.bytes("note.md") == data
    else:
        assert answer["replacements"] == text.count(find)
        assert decode(written.bytes("note.md")).text == text.replace(find, put)


@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_whoever_writes_to_a_manual_is_not_told_to_make_a_note_of_its_name(
    workspace: WorkspaceFolder, serve: Serve, mode: str
) -> None:
    workspace.write("手引き/guide.md", "一\n")
    vault = Vault(workspace.root / "vault", serve())
    refused = vault.refuse("write", path="manuals/手引き/guide.md", content="改訂\n", mode=mode)
    assert (refused["code"], "vault_create" in refused["message"]) == ("conflict", False)
    assert "no tool writes to a manual" in refused["message"]
