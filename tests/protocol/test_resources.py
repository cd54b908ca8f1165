"""Manuals and notes as resources: listed page by page, read as the tools read them, and no further."""

import base64
import itertools
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import MCPError
from mcp.types import INVALID_PARAMS, ResourceTemplateReference

from morenashi.server.edge.document_uris import DocumentPlace, place_of, uri_of

from ..workspaces import WorkspaceFolder, eventually, make_workspace
from .connecting import ERAS, Connection, connected

CONTEXT = "memory://active-context"
GUIDE = "# 申請\n\n窓口で行う。\n\n## 期限\n\n三十日とする。\n\n# 取消\n\n書面で行う。\n"
ODD_NAMES = ["空白 あり.md", "100%.md", "a#b.md", "what?.md", "ＡＢ・ｃ.md", "a&b=c+d.md", "深い/所/にある.md"]
MANY = 230
NO_UNICODE = base64.urlsafe_b64encode(rb'["manuals","many","\ud800"]').decode()
DEEP = base64.b64encode(b"[" * 90_000).decode()
OF_NO_LIST = base64.urlsafe_b64encode(b'["x","many","000.md"]').decode()
WRONG_CURSORS = ["", "1", "x", "あ", "W10=", "WyJ4Il0", "WyJ4Il0=", NO_UNICODE, DEEP, OF_NO_LIST]
LISTS = ["list_tools", "list_resources", "list_resource_templates", "list_prompts"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> WorkspaceFolder:
    folder = make_workspace(tmp_path_factory.mktemp("resources") / "workspace")
    folder.write("手引き/guide.md", GUIDE)
    folder.write("手引き/config.json", '{"日数": 30}\n')
    folder.write("長い/long.json", json.dumps(["x" * 60] * 1_000))
    for name in ODD_NAMES:
        folder.write(f"odd/{name}", f"# {name}\n\n名前の変わった文書。\n")
    folder.write(unicodedata.normalize("NFD", "ガイド/文書.md"), "# 文書\n")
    for number in range(MANY):
        folder.write(f"many/{number:03}.md", f"# 第{number}\n")
    note = folder.root / "vault" / "notes" / "メモ 1.md"
    note.parent.mkdir(parents=True)
    note.write_text("一行目\n二行目\n", "utf-8")
    (folder.root / "outside.md").write_text("秘密\n", "utf-8")
    (folder.root / "vault" / "link.md").symlink_to(folder.root / "outside.md")
    return folder


@pytest.fixture(scope="module", params=ERAS)
def served(folder: WorkspaceFolder, request: pytest.FixtureRequest) -> Iterator[Connection]:
    with connected(folder, request.param, WATCH="off") as connection:
        yield connection


@pytest.fixture(scope="module")
def open_served(folder: WorkspaceFolder) -> Iterator[Connection]:
    """The same where whole files may be read."""
    with connected(folder, "auto", WATCH="off", ALLOW_FILE_SCOPE="true") as connection:
        yield connection


def all_resources(served: Connection) -> Iterator[Any]:
    cursor = None
    while True:
        page = served.ask("list_resources", cursor=cursor)
        yield from page.resources
        cursor = page.next_cursor
        if cursor is None:
            return


def read(served: Connection, uri: str) -> list[str]:
    return [content.text for content in served.ask("read_resource", uri).contents]


def refusal(served: Connection, uri: str) -> MCPError:
    with pytest.raises(MCPError) as refused:
        read(served, uri)
    return refused.value


def files_of(folder: WorkspaceFolder) -> set[str]:
    manuals = [path.relative_to(folder.manuals) for path in folder.manuals.rglob("*.*") if path.is_file()]
    return {"manual://" + quote(path.as_posix()) for path in manuals} | {"vault://" + quote("notes/メモ 1.md")}


def test_every_document_is_listed_once(served: Connection, folder: WorkspaceFolder) -> None:
    uris = [str(resource.uri) for resource in all_resources(served)]
    assert len(uris) == len(set(uris))
    assert set(uris) == files_of(folder) | {CONTEXT}


def test_a_long_list_comes_in_pages(served: Connection) -> None:
    first = served.ask("list_resources")
    assert 0 < len(first.resources) < MANY
    assert first.next_cursor


def test_a_listed_resource_says_what_it_is(served: Connection) -> None:
    listed = {str(resource.uri): resource for resource in all_resources(served)}
    config = listed["manual://" + quote("手引き/config.json")]
    assert (config.name, config.mime_type) == ("手引き/config.json", "application/json")
    assert config.size == len('{"日数": 30}\n'.encode())
    assert listed["vault://" + quote("notes/メモ 1.md")].mime_type == "text/markdown"


def test_pages_stay_disjoint_while_documents_come_and_go(tmp_path: Path) -> None:
    folder = make_workspace(tmp_path / "workspace")
    for number in range(0, 2 * MANY, 2):
        folder.write(f"m/{number:03}.md", "# x\n")
    with connected(folder, "auto") as served:
        pages = all_resources(served)
        begun = [resource.name for resource in itertools.islice(pages, 100)]
        (folder.manuals / "m" / "000.md").unlink()
        folder.write("m/001.md", "# new, before\n")
        folder.write("m/459.md", "# new, behind\n")
        assert eventually(lambda: served.call("manual_ls")["total"] == MANY + 1)
        names = begun + [resource.name for resource in pages]
        assert len(names) == len(set(names))
        assert {f"m/{number:03}.md" for number in range(0, 2 * MANY, 2)} | {"m/459.md"} <= set(names)


@pytest.mark.parametrize("method", LISTS)
@pytest.mark.parametrize("cursor", WRONG_CURSORS, ids=range(len(WRONG_CURSORS)))
def test_a_cursor_that_no_page_gave_is_refused(served: Connection, method: str, cursor: str) -> None:
    with pytest.raises(MCPError) as refused:
        served.ask(method, cursor=cursor)
    assert refused.value.code == INVALID_PARAMS


def test_a_short_list_is_one_page(served: Connection) -> None:
    assert [served.ask(method).next_cursor for method in LISTS if method != "list_resources"] == [None, None, None]


def test_a_note_is_read_whole(served: Connection) -> None:
    assert read(served, "vault://" + quote("notes/メモ 1.md")) == ["一行目\n二行目\n"]
    assert read(served, "vault://notes/メモ 1.md") == ["一行目\n二行目\n"]


def test_a_section_is_read_by_any_of_its_lines(served: Connection) -> None:
    uri = "manual://" + quote("手引き/guide.md")
    assert read(served, f"{uri}#L1") == ["# 申請\n\n窓口で行う。\n\n## 期限\n\n三十日とする。\n\n"]
    assert read(served, f"{uri}#L7") == ["## 期限\n\n三十日とする。\n\n"]


def test_a_whole_manual_needs_the_servers_leave(served: Connection, open_served: Connection) -> None:
    uri = "manual://" + quote("手引き/guide.md")
    assert refusal(served, uri).data["code"] == "forbidden"
    assert read(open_served, uri) == [GUIDE]


def test_whoever_may_not_read_a_whole_manual_is_told_of_its_sections(served: Connection) -> None:
    refused = refusal(served, "manual://" + quote("手引き/guide.md"))
    assert "#L12" in str(refused)
    assert (refused.data["message"], refused.data["details"]) == (str(refused), {"parameter": "uri"})
    refused = refusal(served, "manual://" + quote("手引き/config.json") + "#L1")
    assert refused.data["code"] == "invalid_scope"
    assert "scope" not in str(refused)


def test_a_manual_that_is_not_there_is_not_found_whatever_may_be_read(served: Connection) -> None:
    refused = refusal(served, "manual://" + quote("手引き/guid.md"))
    assert (refused.data["code"], refused.data["details"]["nearest"]) == ("not_found", ["guide.md"])


def test_a_json_file_needs_no_leave(served: Connection) -> None:
    assert read(served, "manual://" + quote("手引き/config.json")) == ['{"日数": 30}\n']


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_comes_through_as_it_is(open_served: Connection, name: str) -> None:
    assert read(open_served, uri_of(("odd", name))) == [f"# {name}\n\n名前の変わった文書。\n"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_path_is_completed_however_its_manual_is_composed(
    open_served: Connection, form: Literal["NFC", "NFD"]
) -> None:
    manual_id = unicodedata.normalize(form, "ガイド")
    template = ResourceTemplateReference(type="ref/resource", uri="manual://{manual_id}/{+path}")
    argument = {"name": "path", "value": ""}
    completed = open_served.ask("complete", template, argument, context_arguments={"manual_id": manual_id})
    assert completed.completion.values == ["文書.md"]
    assert read(open_served, f"manual://{manual_id}/文書.md") == ["# 文書\n"]


def test_what_a_limit_has_cut_is_said(served: Connection) -> None:
    text, notice = read(served, "manual://" + quote("長い/long.json"))
    assert len(text) == 20_000
    assert "limit" in notice
    assert "manual_read" in notice


def test_what_is_read_counts_as_delivered(served: Connection) -> None:
    read(served, "manual://" + quote("手引き/config.json"))
    cited = [{"start_line": 1, "end_line": 1}]
    covered = served.call("vault_coverage", path="manuals/手引き/config.json", cited_ranges=cited)
    assert covered["undelivered_ranges"] == []


@pytest.mark.parametrize(
    "uri",
    [
        "vault://../outside.md",
        "vault://notes/../../outside.md",
        "vault://%2e%2e/outside.md",
        "vault://notes%2F..%2F..%2Foutside.md",
        "vault:///etc/passwd",
        "vault://%2Fetc%2Fpasswd",
        "vault://link.md",
        "vault://notes%00.md",
        "vault://notes",
        "vault://",
        "vault://%FF.md",
        "vault://none.md",
        "vault://" + "a" * 5_000,
        "manual://手引き/../../outside.md",
        "manual://../outside.md",
        "manual://手引き/%2e%2e/%2e%2e/outside.md",
        "manual://手引き",
        "manual://手引き/",
        "manual:///guide.md",
        "manual://none/guide.md",
        "manual://手引き/config.json#L1",
        "manual://手引き/guide.md#L999",
        "memory://other",
        "file:///etc/passwd",
        "https://example.com/",
        "",
    ],
)
def test_what_no_tool_would_read_is_refused(served: Connection, uri: str) -> None:
    refused = refusal(served, uri)
    assert refused.code == INVALID_PARAMS
    assert "秘密" not in str(refused)
    assert str(served.folder.root) not in f"{refused} {refused.data}"


def test_the_templates_are_named(served: Connection) -> None:
    listed = served.ask("list_resource_templates").resource_templates
    assert [template.uri_template for template in listed] == [
        CONTEXT + "/{id}",
        "manual://{manual_id}/{+path}",
        "vault://{+path}",
    ]


def test_a_workspace_without_a_vault_lists_no_notes(tmp_path: Path) -> None:
    folder = make_workspace(tmp_path / "workspace")
    folder.write("m/a.md", "# a\n")
    with connected(folder, "auto", WATCH="off") as served:
        assert [str(resource.uri) for resource in all_resources(served)] == [CONTEXT, "manual://m/a.md"]
        assert not (folder.root / "vault").exists()


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/"), min_size=1)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@given(NAMES, PATHS)
def test_the_uri_of_a_document_names_it(manual_id: str, path: str) -> None:
    assert place_of(uri_of((manual_id, path))) == DocumentPlace(manual_id, path)
    assert place_of(uri_of(("", path))) == DocumentPlace("", path)
    assert uri_of((manual_id, path)).isascii()


@given(st.text())
def test_any_text_is_a_place_or_none(text: str) -> None:
    for uri in (text, f"manual://{text}", f"vault://{text}"):
        place = place_of(uri)
        assert place is None or isinstance(place.path, str)
