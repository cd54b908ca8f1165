"""`manual_excepts` (seed 004 §4): the lines that say "except", of a manual or of one of its nodes."""

import json
from typing import Any

import pytest

from morenashi.indexer.json_escapes import unescape

from ..server.serving import Serve, Serving, serving_what_was_indexed
from ..workspaces import WorkspaceFolder

RULES = """\
# 規則

## 第一条

届け出る。ただし、急を要するときは、この限りでない。

### 細則

次の者を除く。

## 第二条

基礎控除の額。

## 第三条

前条の規定は、適用しない。
"""


def places(manuals: Serving, **arguments: Any) -> list[tuple[str, int]]:
    body = manuals.call("manual_excepts", manual_id="m", limit=500, **arguments)
    assert body["total"] == len(body["items"])
    return [(item["path"], item["start_line"]) for item in body["items"]]


def rules(workspace: WorkspaceFolder) -> None:
    workspace.write("m/rules.md", RULES)
    workspace.write("m/other.md", "対象外とする。\n")
    workspace.write("m/a.json", '{\n  "note": "valid only if set",\n  "except": 1\n}\n')
    workspace.write("n/rules.md", RULES)


def test_a_manual_has_the_lines_of_all_its_files_by_path_and_line(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    assert places(serve()) == [
        ("a.json", 2),
        ("other.md", 1),
        ("rules.md", 5),
        ("rules.md", 9),
        ("rules.md", 17),
    ]


def test_an_item_is_a_path_a_line_and_the_text_around_the_expression(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    item = serve().call("manual_excepts", manual_id="m", offset=2, limit=1)["items"]
    sentence = "届け出る。ただし、急を要するときは、この限りでない。"
    assert item == [{"path": "rules.md", "start_line": 5, "snippet": sentence}]


def test_a_heading_stands_for_its_whole_subtree(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    manuals = serve()
    assert places(manuals, node_id="rules.md#L3") == [("rules.md", 5), ("rules.md", 9)]
    assert places(manuals, node_id="rules.md#L7") == [("rules.md", 9)]
    assert places(manuals, node_id="rules.md#L11") == []


def test_a_path_stands_for_its_file(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    manuals = serve()
    assert places(manuals, node_id="a.json") == [("a.json", 2)]
    assert places(manuals, node_id="rules.md") == [("rules.md", 5), ("rules.md", 9), ("rules.md", 17)]


def test_every_node_of_the_table_of_contents_can_be_asked(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    manuals = serve()
    for item in manuals.call("manual_toc", manual_id="m")["items"]:
        lines = [line for path, line in places(manuals, node_id=item["node_id"]) if path == item["path"]]
        assert all(item["line_start"] <= line <= item["line_end"] for line in lines)


def test_pages_are_disjoint_and_complete(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "子を除く。\n\n" * 25)
    manuals = serve()
    pages = [manuals.call("manual_excepts", manual_id="m", offset=offset, limit=10) for offset in (0, 10, 20, 30)]
    assert [(page["offset"], page["limit"], page["total"]) for page in pages[:2]] == [(0, 10, 25), (10, 10, 25)]
    assert [item["start_line"] for page in pages for item in page["items"]] == list(range(1, 50, 2))


def test_a_page_has_a_hundred_items_unless_asked_otherwise(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "子を除く。\n\n" * 120)
    body = serve().call("manual_excepts", manual_id="m")
    assert (len(body["items"]), body["offset"], body["limit"], body["total"]) == (100, 0, 100, 120)


def test_the_snippet_of_a_long_line_holds_the_expression_as_written(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "前文。" * 400 + "ＥＸＣＥＰＴ　ＦＯＲ 甲" + "、後文" * 400 + "\n")
    (item,) = serve().call("manual_excepts", manual_id="m")["items"]
    assert "ＥＸＣＥＰＴ　ＦＯＲ 甲" in item["snippet"]
    assert len(item["snippet"]) <= 200


def test_the_snippet_of_json_is_as_written(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.json", '{"x": "\\u5b50' + "\\u3042" * 90 + '\\u3092\\u9664\\u304f\\u3002"}\n')
    (item,) = serve().call("manual_excepts", manual_id="m")["items"]
    assert "\\u3092\\u9664\\u304f" in item["snippet"]


@pytest.mark.parametrize("as_ascii", [False, True])
def test_every_exception_of_a_json_file_that_is_one_line_is_listed(
    workspace: WorkspaceFolder, serve: Serve, as_ascii: bool
) -> None:
    answers = [{"問": f"手続{n}", "答": f"{'前文。' * 40}ただし、対象{n}を除く。"} for n in range(200)]
    workspace.write("m/a.json", json.dumps(answers, ensure_ascii=as_ascii))
    manuals, seen = serve(), list[str]()
    while len(seen) < (page := manuals.call("manual_excepts", manual_id="m", offset=len(seen)))["total"]:
        assert {item["start_line"] for item in page["items"]} == {1}
        seen += [item["snippet"] for item in page["items"]]
    said = unescape("\n".join(seen))
    assert [n for n in range(200) if f"ただし、対象{n}を" not in said] == []
    assert len(seen) < 400


def test_of_a_line_of_markdown_one_item_is_enough(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", f"ただし、甲を除く。{'後文。' * 200}ただし、乙を除く。\n")
    assert serve().call("manual_excepts", manual_id="m")["total"] == 1


def test_a_file_that_changed_since_keeps_the_snippet_of_what_was_indexed(workspace: WorkspaceFolder) -> None:
    workspace.write("m/a.md", "# 題\n\n子を除く。\n")
    with serving_what_was_indexed(workspace) as manuals:
        workspace.write("m/a.md", "# 題\n\n別の文。\n")
        assert manuals.call("manual_excepts", manual_id="m")["items"][0]["snippet"] == "子を除く。"


def test_a_file_that_is_gone_does_too(workspace: WorkspaceFolder) -> None:
    path = workspace.write("m/a.md", "# 題\n\n子を除く。\n")
    with serving_what_was_indexed(workspace) as manuals:
        path.unlink()
        assert manuals.call("manual_excepts", manual_id="m")["items"][0]["snippet"] == "子を除く。"


def test_line_breaks_of_any_kind_count(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "一\r\n\r二\u2028三\rただし、次による。\r\n")
    (item,) = serve().call("manual_excepts", manual_id="m")["items"]
    assert (item["start_line"], item["snippet"]) == (4, "ただし、次による。")


def test_a_path_may_be_in_another_unicode_form(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/か\u3099.md", "# 題\n\n子を除く。\n")
    manuals = serve()
    assert places(manuals, node_id="が.md") == places(manuals, node_id="が.md#L1") == [("か\u3099.md", 3)]


def test_a_line_without_a_heading_is_not_found_and_the_headings_beside_it_are_named(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    rules(workspace)
    error = serve().refuse("manual_excepts", manual_id="m", node_id="rules.md#L4")
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "node_id")
    assert error["details"]["nearest"][0] == "rules.md#L3"


def test_a_line_near_the_next_heading_is_told_the_heading_of_its_own_section(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 一\n\n子を除く。\n\n\n孫を除く。\n\n# 二\n\n親を除く。\n")
    manuals = serve()
    error = manuals.refuse("manual_excepts", manual_id="m", node_id="a.md#L6")
    assert "heading" in error["message"]
    nearest = error["details"]["nearest"][0]
    assert ("a.md", 6) in places(manuals, node_id=nearest)


def test_an_unknown_file_is_not_found_and_similar_ones_are_named(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    manuals = serve()
    for node_id in ("rule.md", "rule.md#L3", "RULES.MD"):
        error = manuals.refuse("manual_excepts", manual_id="m", node_id=node_id)
        assert (error["code"], error["details"]["nearest"][0]) == ("not_found", "rules.md")


def test_a_line_of_a_json_file_is_no_node(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    error = serve().refuse("manual_excepts", manual_id="m", node_id="a.json#L1")
    assert (error["code"], error["details"]["nearest"][0]) == ("not_found", "a.json")


def test_a_node_outside_of_the_manual_is_refused(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules(workspace)
    manuals = serve()
    assert manuals.refuse("manual_excepts", manual_id="m", node_id="../n/rules.md")["code"] == "invalid_path"
    assert manuals.refuse("manual_excepts", manual_id="m", node_id="/etc/passwd#L1")["code"] == "invalid_path"


def test_a_manual_has_to_be_named(library: Serving) -> None:
    assert library.refuse("manual_excepts")["code"] == "invalid_parameter"


def test_an_unknown_manual_has_no_exceptions(library: Serving) -> None:
    assert library.refuse("manual_excepts", manual_id="無い")["code"] == "not_found"


def test_a_manual_without_exceptions_has_an_empty_page(library: Serving) -> None:
    body = library.call("manual_excepts", manual_id="規則")
    assert body == {"items": [], "offset": 0, "limit": 100, "total": 0}


def test_own_expressions_are_listed(workspace: WorkspaceFolder, serve: Serve) -> None:
    (workspace.root / "dictionaries").mkdir()
    (workspace.root / "dictionaries" / "exceptions.txt").write_text("[condition]\n特例\n", "utf-8")
    workspace.write("m/a.md", "特例とする。\n")
    assert places(serve()) == [("a.md", 1)]
