"""The envelope of every answer: structured content, the same as text, held to the published schema."""

import json
from typing import Any

import jsonschema
import mcp.types as t
import pytest
from mcp import MCPError

from morenashi.server.edge import outputs

from ..workspaces import WorkspaceFolder
from .library import fill
from .serving import Mode, Serving, serving_indexed

REF = {"target": "manual", "manual_id": "手引き", "path": "guide.md", "start_line": 9}
ANSWERED: list[tuple[str, dict[str, Any], type[outputs.Output]]] = [
    ("manual_list", {}, outputs.ManualListOutput),
    ("manual_ls", {}, outputs.ManualLsOutput),
    ("manual_ls", {"manual_id": "手引き"}, outputs.ManualLsOutput),
    ("manual_toc", {"manual_id": "手引き"}, outputs.ManualTocOutput),
    ("manual_excepts", {"manual_id": "手引き"}, outputs.ManualExceptsOutput),
    ("manual_find", {"query": "申請"}, outputs.ManualFindOutput),
    ("manual_find", {"query": "どこにもない語"}, outputs.ManualFindOutput),
    ("manual_find", {"query": "申請", "budget": {"max_candidates": 1}}, outputs.ManualFindOutput),
    ("manual_read", {"ref": REF}, outputs.ManualReadOutput),
    ("manual_read", {"ref": REF, "limits": {"max_chars": 3}}, outputs.ManualReadOutput),
]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("manual_find", {"query": ""}, "invalid_parameter"),
    ("manual_toc", {"manual_id": "none"}, "not_found"),
    ("manual_excepts", {"manual_id": "手引き", "node_id": "none.md"}, "not_found"),
    ("manual_hits", {"trace_id": "tr_none"}, "not_found"),
    ("manual_read", {"ref": {**REF, "path": "/etc/passwd"}}, "invalid_path"),
    ("manual_read", {"ref": {**REF, "path": "../x.md"}}, "invalid_path"),
    ("manual_read", {"ref": REF, "scope": "file"}, "forbidden"),
    ("manual_read", {"ref": {**REF, "path": "config/settings.json"}, "scope": "section"}, "invalid_scope"),
    ("manual_read", {"ref": REF, "cursor": {"char_offset": 10**6}}, "conflict"),
]


def text_of(result: t.CallToolResult) -> dict[str, Any]:
    (content,) = result.content
    assert isinstance(content, t.TextContent)
    body: dict[str, Any] = json.loads(content.text)
    return body


@pytest.fixture(scope="module")
def schemas(library: Serving) -> dict[str, dict[str, Any]]:
    tools = library.portal.call(library.client.list_tools).tools
    return {tool.name: tool.output_schema or {} for tool in tools}


@pytest.mark.parametrize(("tool", "arguments", "model"), ANSWERED)
def test_a_success_is_what_its_model_says(
    library: Serving, tool: str, arguments: dict[str, Any], model: type[outputs.Output]
) -> None:
    model.model_validate(library.call(tool, **arguments), strict=True)


@pytest.mark.parametrize("kind", ["candidates", "integrated_top", "unscanned", "conflicts", "gaps"])
def test_a_page_of_hits_is_what_its_model_says(library: Serving, kind: str) -> None:
    found = library.find("申請 どこにもない語", budget={"max_candidates": 1})
    page = library.call("manual_hits", trace_id=found.trace_id, kind=kind)
    outputs.ManualHitsOutput.model_validate(page, strict=True)


@pytest.mark.parametrize(("tool", "arguments", "model"), ANSWERED)
def test_a_success_fits_the_published_schema(
    library: Serving, schemas: dict[str, Any], tool: str, arguments: dict[str, Any], model: type[outputs.Output]
) -> None:
    jsonschema.validate(library.call(tool, **arguments), schemas[tool])


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSED)
def test_an_error_fits_the_published_schema(
    library: Serving, schemas: dict[str, Any], tool: str, arguments: dict[str, Any], code: str
) -> None:
    jsonschema.validate(library.refuse(tool, **arguments), schemas[tool])


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSED)
def test_an_error_has_a_code_a_message_and_details(
    library: Serving, tool: str, arguments: dict[str, Any], code: str
) -> None:
    error = library.refuse(tool, **arguments)
    assert set(error) == {"code", "message", "details"}
    assert error["code"] == code
    assert error["message"]
    assert isinstance(error["details"], dict)


@pytest.mark.parametrize(("tool", "arguments", "model"), ANSWERED)
def test_the_text_of_a_success_is_its_structured_content(
    library: Serving, tool: str, arguments: dict[str, Any], model: type[outputs.Output]
) -> None:
    result = library.answer(tool, **arguments)
    assert text_of(result) == result.structured_content


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSED)
def test_the_text_of_an_error_is_its_structured_content(
    library: Serving, tool: str, arguments: dict[str, Any], code: str
) -> None:
    result = library.answer(tool, **arguments)
    assert text_of(result) == result.structured_content


def test_an_unknown_tool_is_an_error_of_the_protocol(library: Serving) -> None:
    with pytest.raises(MCPError) as caught:
        library.answer("manual_delete")
    assert caught.value.error.code == t.INVALID_PARAMS


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_of_both_eras_are_answered(workspace: WorkspaceFolder, mode: Mode) -> None:
    with serving_indexed(fill(workspace), mode) as manuals:
        found = manuals.find("申請")
        assert ("guide.md", 7) in found.places()
        assert manuals.refuse("manual_hits", trace_id="tr_none")["code"] == "not_found"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_eras_see_the_same_tools(library: Serving, workspace: WorkspaceFolder, mode: Mode) -> None:
    with serving_indexed(fill(workspace), mode) as manuals:
        listed = manuals.portal.call(manuals.client.list_tools).tools
    assert listed == library.portal.call(library.client.list_tools).tools


def test_the_server_names_itself_and_says_how_to_begin(library: Serving) -> None:
    assert library.client.server_info
    assert library.client.server_info.name == "morenashi"
    assert "manual_find" in (library.client.instructions or "")
