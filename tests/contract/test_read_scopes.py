"""`manual_read` (seed 004 §4): what each scope covers, and what is refused."""

import json
from typing import Any

import pytest

from ..server.library import GUIDE, SETTINGS, fill
from ..server.serving import Serve, Serving
from ..workspaces import UNDECODABLE, WorkspaceFolder

MD = {"target": "manual", "manual_id": "手引き", "path": "guide.md"}
JSON = {"target": "manual", "manual_id": "手引き", "path": "config/settings.json"}


def lines_of(text: str, first: int, last: int) -> str:
    return "".join(text.splitlines(keepends=True)[first - 1 : last])


def test_markdown_is_read_as_a_snippet_by_default(library: Serving) -> None:
    body = library.read({**MD, "start_line": 10})
    assert body["applied"]["scope"] == "snippet"
    assert body["text"] == "申請は窓口で行う。\n申請の期限は三十日とする。\n"


def test_the_snippet_of_a_heading_goes_on_with_the_paragraph_below_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n## 申請\n\n窓口で行う。\n三十日以内。\n\n次の段落。\n\n## 空\n\n## 終わり\n")
    manuals = serve()
    (item,) = manuals.find("申請").hits()
    assert item["start_line"] == 3
    body = manuals.read(item["ref"])
    assert body["text"] == "## 申請\n\n窓口で行う。\n三十日以内。\n"
    assert (body["source"]["start_line"], body["source"]["end_line"]) == (3, 6)
    assert [manuals.read(manuals.ref("m", "x.md", line))["text"] for line in (10, 12)] == ["## 空\n", "## 終わり\n"]


def test_json_is_read_as_a_file_by_default(library: Serving) -> None:
    body = library.read(JSON)
    assert body["applied"]["scope"] == "file"
    assert body["text"] == SETTINGS


def test_a_section_includes_its_descendants(library: Serving) -> None:
    body = library.read({**MD, "start_line": 7}, scope="section")
    assert body["text"] == lines_of(GUIDE, 7, 15)
    assert "### 必要な書類" in body["text"]


def test_a_section_can_be_named_by_any_of_its_lines(library: Serving) -> None:
    by_heading = library.read({**MD, "start_line": 7}, scope="section")
    assert library.read({**MD, "start_line": 10}, scope="section") == by_heading


def test_a_top_section_reaches_to_the_end_of_the_file(library: Serving) -> None:
    assert library.read({**MD, "start_line": 3}, scope="section")["text"] == lines_of(GUIDE, 3, 18)


def test_the_text_before_the_first_heading_is_a_section(library: Serving) -> None:
    assert library.read({**MD, "start_line": 1}, scope="section")["text"] == lines_of(GUIDE, 1, 2)


def test_a_ref_without_a_line_means_the_beginning(library: Serving) -> None:
    assert library.read(MD, scope="section")["text"] == lines_of(GUIDE, 1, 2)


def test_sections_are_the_section_and_those_that_follow(library: Serving) -> None:
    body = library.read({**MD, "start_line": 12}, scope="sections")
    assert body["text"] == lines_of(GUIDE, 12, 18)
    assert body["applied"]["max_sections"] == 20


def test_sections_end_after_the_number_asked_for_and_say_so(library: Serving) -> None:
    body = library.read({**MD, "start_line": 3}, scope="sections", limits={"max_sections": 2})
    assert body["text"] == lines_of(GUIDE, 3, 11)
    assert body["truncated"] is True


def test_a_markdown_file_needs_the_servers_setting_and_the_callers_word(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    fill(workspace)
    body = serve(ALLOW_FILE_SCOPE="true").read(MD, scope="file", limits={"allow_file": True})
    assert body["text"] == GUIDE
    assert body["truncated"] is False


@pytest.mark.parametrize("limits", [None, {}, {"allow_file": None}, {"allow_file": False}])
def test_the_servers_setting_alone_opens_no_file(
    workspace: WorkspaceFolder, serve: Serve, limits: dict[str, Any] | None
) -> None:
    fill(workspace)
    error = serve(ALLOW_FILE_SCOPE="true").refuse("manual_read", ref=MD, scope="file", limits=limits)
    assert error["code"] == "forbidden"


@pytest.mark.parametrize("setting", ["false", ""])
def test_the_callers_word_alone_opens_no_file(workspace: WorkspaceFolder, serve: Serve, setting: str) -> None:
    fill(workspace)
    manuals = serve(ALLOW_FILE_SCOPE=setting)
    error = manuals.refuse("manual_read", ref=MD, scope="file", limits={"allow_file": True})
    assert error["code"] == "forbidden"
    assert error["details"]["parameter"] == "scope"


def test_a_json_file_needs_neither(library: Serving) -> None:
    assert library.read(JSON, scope="file")["text"] == SETTINGS


@pytest.mark.parametrize("scope", ["section", "sections"])
def test_a_json_file_has_no_sections(library: Serving, scope: str) -> None:
    assert library.refuse("manual_read", ref=JSON, scope=scope)["code"] == "invalid_scope"


def test_a_value_of_a_json_file_is_read_by_its_pointer(library: Serving) -> None:
    body = library.read({**JSON, "json_path": "/service/limits/1/note"}, scope="snippet")
    assert body["text"].startswith('"note"')
    assert body["source"]["start_line"] == 6


@pytest.mark.parametrize("scope", ["snippet", "file", None])
def test_a_pointer_that_points_nowhere_is_not_found(library: Serving, scope: str | None) -> None:
    error = library.refuse("manual_read", ref={**JSON, "json_path": "/service/none"}, scope=scope)
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "ref.json_path")


@pytest.mark.parametrize(
    ("ref", "json_path", "said"),
    [
        (JSON, "/service/limits/9", "search again"),
        (JSON, "service.limits[0]", "expected a JSON Pointer, like /items/0/name"),
        (JSON, "$.service.limits[0]", "expected a JSON Pointer, like /items/0/name"),
        (MD, "/service", "this is no .json file; leave it out"),
    ],
)
def test_the_refusal_of_a_pointer_says_how_to_put_it_right(
    library: Serving, ref: dict[str, Any], json_path: str, said: str
) -> None:
    error = library.refuse("manual_read", ref={**ref, "json_path": json_path}, scope="snippet")
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "ref.json_path")
    assert said in error["message"]


@pytest.mark.parametrize(("count", "scope"), [(20, "file"), (2_000, "snippet")])
def test_the_ref_of_a_value_is_read_as_the_file_if_that_fits_in_an_answer_and_otherwise_as_the_value(
    workspace: WorkspaceFolder, serve: Serve, count: int, scope: str
) -> None:
    value = {"note": f"点検。{'長い。' * 1_000}", "days": 3}
    workspace.write("m/x.json", json.dumps([*range(count), value, 0], ensure_ascii=False))
    manuals = serve()
    (item,) = manuals.find("点検").hits()
    body = manuals.read(item["ref"])
    assert body["applied"]["scope"] == scope
    assert f"点検。{'長い。' * 1_000}" in body["text"]
    whole = manuals.read(item["ref"] | {"json_path": f"/{count}"}, scope="snippet")
    assert (json.loads(whole["text"]), whole["truncated"]) == (value, False)
    assert manuals.read(item["ref"], scope="file")["text"].startswith("[0, 1,")


def test_the_snippet_of_a_value_does_not_run_on_beside_it(library: Serving) -> None:
    body = library.read({**JSON, "json_path": "/service/limits/0"}, scope="snippet")
    assert body["text"] == '{"days": 30}'
    body = library.read({**JSON, "json_path": "/service/limits/1/days"}, scope="snippet")
    assert body["text"] == '"days": 60, "note": "延長の申請"'


def test_a_snippet_can_be_widened(library: Serving) -> None:
    narrow = library.read({**MD, "start_line": 9})
    wide = library.read({**MD, "start_line": 9}, expand={"before_chars": 8, "after_chars": 5})
    start = GUIDE.index(narrow["text"])
    assert wide["text"] == GUIDE[start - 8 : start + len(narrow["text"]) + 5]


def test_a_snippet_is_not_widened_beyond_the_file(library: Serving) -> None:
    body = library.read({**MD, "start_line": 9}, expand={"before_chars": 20_000, "after_chars": 20_000})
    assert body["text"] == GUIDE


def test_an_answer_says_which_lines_it_is_from(library: Serving) -> None:
    body = library.read({**MD, "start_line": 12}, scope="section")
    assert body["source"] == {"manual_id": "手引き", "path": "guide.md", "start_line": 12, "end_line": 15}


def test_the_same_ref_read_twice_gives_the_same_text(library: Serving) -> None:
    for item in library.find("申請").hits():
        assert library.read(item["ref"]) == library.read(item["ref"])


def test_a_line_behind_the_end_is_not_found(library: Serving) -> None:
    error = library.refuse("manual_read", ref={**MD, "start_line": 19})
    assert error["code"] == "not_found"
    assert error["details"]["lines"] == 18


def test_a_path_without_its_ending_is_refused_with_the_nearest(library: Serving) -> None:
    error = library.refuse("manual_read", ref={**MD, "path": "guide"})
    assert (error["code"], error["details"]["nearest"]) == ("invalid_path", ["guide.md"])
    error = library.refuse("manual_read", ref={**MD, "manual_id": "nowhere", "path": "guide"})
    assert (error["code"], error["details"]) == ("invalid_path", {"parameter": "ref.path"})


def test_a_file_that_is_not_there_is_not_found_with_the_nearest(library: Serving) -> None:
    error = library.refuse("manual_read", ref={**MD, "path": "giude.md"})
    assert error["code"] == "not_found"
    assert error["details"]["nearest"] == ["guide.md"]


def test_a_file_that_has_just_been_removed_is_not_its_own_nearest(workspace: WorkspaceFolder, serve: Serve) -> None:
    fill(workspace)
    workspace.write("手引き/guide2.md", "# 別の手引き\n")
    manuals = serve()
    (workspace.manuals / "手引き" / "guide.md").unlink()
    read = manuals.refuse("manual_read", ref=MD)
    covered = manuals.refuse("vault_coverage", path="manuals/手引き/guide.md", cited_ranges=[])
    assert [error["code"] for error in (read, covered)] == ["not_found", "not_found"]
    assert read["details"]["nearest"] == ["guide2.md"]
    assert covered["details"]["nearest"] == ["manuals/手引き/guide2.md"]


def test_a_manual_that_is_not_there_is_not_found(library: Serving) -> None:
    assert library.refuse("manual_read", ref={**MD, "manual_id": "無い"})["code"] == "not_found"


def test_a_ref_of_another_target_is_refused(library: Serving) -> None:
    assert library.refuse("manual_read", ref={**MD, "target": "vault"})["code"] == "invalid_parameter"


def test_a_read_shows_the_file_as_it_is_now(workspace: WorkspaceFolder, serve: Serve) -> None:
    path = fill(workspace).manuals / "手引き" / "guide.md"
    manuals = serve()
    path.write_text("# 新しい題\n\n新しい本文\n", "utf-8")
    assert manuals.read({**MD, "start_line": 3})["text"] == "新しい本文\n"


def test_a_file_that_cannot_be_decoded_is_no_text(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/odd.md", UNDECODABLE)
    manuals = serve()
    assert manuals.refuse("manual_read", ref=manuals.ref("m", "odd.md"))["code"] == "conflict"


def test_an_empty_file_is_read_as_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/empty.md", "")
    manuals = serve()
    body = manuals.read(manuals.ref("m", "empty.md"))
    assert (body["text"], body["truncated"], body["next_cursor"]) == ("", False, None)


def test_a_path_in_another_unicode_form_finds_the_file(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/か\u3099いと\u3099.md", "本文\n")
    manuals = serve()
    assert manuals.read(manuals.ref("m", "がいど.md"))["text"] == "本文\n"


def test_a_ref_with_dots_and_doubled_slashes_is_the_same_file(library: Serving) -> None:
    assert library.read({**JSON, "path": "./config//./settings.json"})["text"] == SETTINGS


def test_a_title_alone_names_no_place(library: Serving) -> None:
    ref = library.ref("手引き", "guide.md") | {"title": "申請の方法"}
    for tool, arguments in (
        ("manual_read", {"ref": ref}),
        ("bridge_copy_section", {"from_ref": ref, "to_path": "a.md"}),
    ):
        error = library.refuse(tool, **arguments)
        assert error["code"] == "invalid_parameter"
        assert "start_line" in error["message"]
    assert library.read(ref | {"start_line": 7})["text"]
