"""Prompts and completion: what a user picks and writes, in both eras."""

from typing import Any

import pytest
from mcp import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from morenashi.server.clients import LOCAL, acting_for
from morenashi.server.edge.completion import complete
from morenashi.server.edge.prompts import get_prompt

from .connecting import Connection

MANUAL, VAULT = "manual://{manual_id}/{+path}", "vault://{+path}"


def text_of(busy: Connection, name: str, **arguments: str) -> str:
    (message,) = busy.ask("get_prompt", name, arguments).messages
    return str(message.content.text)


def completed(busy: Connection, reference: Any, name: str, value: str, **given: str) -> list[str]:
    argument = {"name": name, "value": value}
    result = busy.ask("complete", reference, argument, context_arguments=given or None).completion
    assert result.total == len(result.values)
    assert not result.has_more
    return list(result.values)


def template(uri: str) -> ResourceTemplateReference:
    return ResourceTemplateReference(type="ref/resource", uri=uri)


def prompt(name: str) -> PromptReference:
    return PromptReference(type="ref/prompt", name=name)


def test_every_prompt_says_what_it_is_for_and_what_it_takes(busy: Connection) -> None:
    prompts = busy.ask("list_prompts").prompts
    assert [one.name for one in prompts] == ["with_memory", "find_everything", "find_in_notes", "audit_artifact"]
    assert all(one.title and one.description and one.arguments for one in prompts)
    assert all(argument.description for one in prompts for argument in one.arguments)


def test_finding_everything_names_the_subject_and_the_manual(busy: Connection) -> None:
    assert "申請の期限" in text_of(busy, "find_everything", subject="申請の期限")
    assert "manual_id m" in text_of(busy, "find_everything", subject="申請", manual_id="m")
    assert "vault_find" in text_of(busy, "find_in_notes", subject="{braces}")


def test_an_audit_names_both_files(busy: Connection) -> None:
    text = text_of(busy, "audit_artifact", artifact_path="flow.md", source_path="source.md")
    assert text.startswith("Audit flow.md against its source source.md.")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("none", {}),
        ("find_everything", {}),
        ("find_everything", {"subject": " "}),
        ("find_everything", {"subject": "x", "other": "y"}),
        ("audit_artifact", {"artifact_path": "flow.md"}),
        ("with_memory", {"task": ""}),
    ],
)
def test_a_prompt_without_what_it_needs_is_refused(busy: Connection, name: str, arguments: dict[str, str]) -> None:
    with pytest.raises(MCPError) as refused:
        busy.ask("get_prompt", name, arguments)
    assert refused.value.code == INVALID_PARAMS


def test_a_prompt_is_not_filled_in_with_half_of_a_character(busy: Connection) -> None:
    with acting_for(LOCAL), pytest.raises(MCPError, match="subject: expected valid Unicode"):
        get_prompt(busy.workspace, "find_everything", {"subject": "申\ud800請"})


def test_a_manual_is_completed(busy: Connection) -> None:
    assert completed(busy, template(MANUAL), "manual_id", "") == ["m"]
    assert completed(busy, template(MANUAL), "manual_id", "Ｍ") == ["m"]
    assert completed(busy, prompt("find_everything"), "manual_id", "x") == []


def test_a_path_is_completed_in_its_manual(busy: Connection) -> None:
    assert completed(busy, template(MANUAL), "path", "3", manual_id="m") == ["3.md"]
    assert completed(busy, template(MANUAL), "path", "3") == []


def test_half_of_a_character_names_no_manual(busy: Connection) -> None:
    asked = CompleteRequestParams(
        ref=template(MANUAL),
        argument=CompletionArgument(name="path", value=""),
        context=CompletionContext(arguments={"manual_id": "m\ud800"}),
    )
    with acting_for(LOCAL):
        assert complete(busy.workspace, asked).completion.values == []


def test_what_begins_with_it_comes_before_what_holds_it(busy: Connection) -> None:
    assert completed(busy, template(VAULT), "path", "s") == ["source.md"]
    assert completed(busy, template(VAULT), "path", "o") == ["flow.md", "source.md"]


def test_a_source_is_a_note_or_a_manuals_document(busy: Connection) -> None:
    assert completed(busy, prompt("audit_artifact"), "artifact_path", "flow") == ["flow.md"]
    assert completed(busy, prompt("audit_artifact"), "source_path", "7.md") == ["7.md", "manuals/m/7.md"]


def test_free_text_is_not_completed(busy: Connection) -> None:
    assert completed(busy, prompt("find_everything"), "subject", "申") == []
    assert completed(busy, template("memory://active-context/{id}"), "id", "ac") == []


@pytest.mark.parametrize("reference", [prompt("none"), template("vault://{path}"), template("file:///{path}")])
def test_what_is_not_there_is_not_completed(busy: Connection, reference: Any) -> None:
    with pytest.raises(MCPError) as refused:
        completed(busy, reference, "path", "x")
    assert refused.value.code == INVALID_PARAMS
