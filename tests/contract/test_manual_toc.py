"""`manual_toc` (seed 004 §4): headings with their lines and parents, JSON files as one entry."""

from typing import Any

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder


def toc(manuals: Serving, manual_id: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = manuals.call("manual_toc", manual_id=manual_id, limit=500)["items"]
    return items


def test_headings_have_their_titles_levels_and_lines(library: Serving) -> None:
    found = [
        (item["title"], item["level"], item["line_start"], item["line_end"])
        for item in toc(library, "手引き")
        if item["path"] == "guide.md" and item["level"]
    ]
    assert found == [
        ("申請の手引き", 1, 3, 18),
        ("申請の方法", 2, 7, 15),
        ("必要な書類", 3, 12, 15),
        ("取消の方法", 2, 16, 18),
    ]


def test_a_heading_names_its_parent(library: Serving) -> None:
    items = {item["title"]: item for item in toc(library, "手引き")}
    assert items["申請の手引き"]["parent_id"] is None
    assert items["申請の方法"]["parent_id"] == items["申請の手引き"]["node_id"]
    assert items["必要な書類"]["parent_id"] == items["申請の方法"]["node_id"]


def test_a_json_file_is_one_entry(library: Serving) -> None:
    (item,) = [item for item in toc(library, "手引き") if item["kind"] == "json_file"]
    assert (item["path"], item["parent_id"], item["line_start"], item["line_end"]) == (
        "config/settings.json",
        None,
        1,
        9,
    )


def test_every_entry_is_a_heading_or_a_json_file(library: Serving) -> None:
    assert {item["kind"] for item in toc(library, "手引き")} == {"heading", "json_file"}


def test_no_two_nodes_share_an_id(workspace: WorkspaceFolder, serve: Serve) -> None:
    for path in ("m/a.md", "m/b.md", "m/c/a.md"):
        workspace.write(path, "# 附則\n\n# 附則\n\n## 附則\n")
    ids = [item["node_id"] for item in toc(serve(), "m")]
    assert len(ids) == len(set(ids)) == 9


def test_every_parent_is_an_entry_of_the_same_file(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "前文\n\n### 三\n\n# 一\n\n## 二\n\n#### 四\n\n## 二\n")
    workspace.write("m/b.md", "# 一\n\n## 二\n")
    items = toc(serve(), "m")
    paths = {item["node_id"]: item["path"] for item in items}
    assert all(paths[item["parent_id"]] == item["path"] for item in items if item["parent_id"])


def test_entries_come_by_path_and_line(workspace: WorkspaceFolder, serve: Serve) -> None:
    for path in ("m/b.md", "m/a.md", "m/a/z.json", "m/a.json"):
        workspace.write(path, "# 一\n\n# 二\n" if path.endswith("md") else "{}\n")
    places = [(item["path"], item["line_start"]) for item in toc(serve(), "m")]
    assert places == sorted(places)


def test_pages_of_a_table_of_contents_are_disjoint_and_complete(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "".join(f"# 題{number}\n" for number in range(25)))
    manuals = serve()
    pages = [manuals.call("manual_toc", manual_id="m", offset=offset, limit=10) for offset in (0, 10, 20)]
    assert [page["total"] for page in pages] == [25, 25, 25]
    assert [item["title"] for page in pages for item in page["items"]] == [f"題{number}" for number in range(25)]


def test_a_hash_inside_a_fence_is_no_heading(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\n```sh\n# これは注釈\n```\n")
    assert [item["title"] for item in toc(serve(), "m")] == ["題"]


def test_a_manual_has_to_be_named(library: Serving) -> None:
    assert library.refuse("manual_toc")["code"] == "invalid_parameter"


def test_an_unknown_manual_has_no_table_of_contents(library: Serving) -> None:
    assert library.refuse("manual_toc", manual_id="無い")["code"] == "not_found"


def test_an_empty_file_has_no_entry_and_does_no_harm(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/empty.md", "")
    workspace.write("m/a.md", "# 題\n")
    assert [item["title"] for item in toc(serve(), "m")] == ["題"]


def test_the_section_of_an_entry_can_be_read_by_its_line(library: Serving) -> None:
    item = next(item for item in toc(library, "手引き") if item["title"] == "必要な書類")
    read = library.read(library.ref("手引き", item["path"], item["line_start"]), scope="section")
    assert (read["source"]["start_line"], read["source"]["end_line"]) == (item["line_start"], item["line_end"])


def test_of_a_node_it_lists_the_section_with_its_subsections_or_the_file(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 一\n\n## 二\n\n### 三\n\n## 四\n")
    workspace.write("m/b.md", "# 五\n")
    workspace.write("m/c.json", "{}")
    manuals = serve()

    def titles(**arguments: Any) -> list[str]:
        body = manuals.call("manual_toc", manual_id="m", **arguments)
        assert body["total"] == len(body["items"])
        return [item["title"] for item in body["items"]]

    assert titles(node_id="a.md") == ["一", "二", "三", "四"]
    assert titles(node_id="a.md#L3") == ["二", "三"]
    assert titles(node_id="c.json") == ["c.json"]
    assert [titles(node_id=item["node_id"])[0] for item in toc(manuals, "m")] == titles()
    error = manuals.refuse("manual_toc", manual_id="m", node_id="a.md#L4")
    assert (error["code"], error["details"]["nearest"][0]) == ("not_found", "a.md#L3")
