"""Which fields of an answer hold text of documents, which belong to one run; all others have to be equal."""

from collections.abc import Iterator
from typing import Any

from morenashi.server.edge.registry import TOOLS
from morenashi.server.edge.schemas import full_output

TEXT = frozenset({"text", "snippet", "title", "json_path", "name", "redacted", "provenance", "changes"})
"""Text of documents, claims and policies. A `json_path` is made of names in a document, a `name` is a file's, and
`changes` say what a policy says."""

OF_FINDINGS = frozenset({"node_id", "target"})
"""What an artifact calls its elements, where a finding names them."""

OF_THE_RUN = frozenset(
    """
    trace_id request_id active_context_id id merged_into sha256 version created_at updated_at expires_at at source_id
    next_cursor index_generation
    """.split()
)
"""Ids, hashes, times, and in how many batches the files were indexed. A `next_cursor` is an id where it is a text; the
others hold numbers, which are compared.
"""

OF_THE_SERVER = frozenset(
    """
    code message manual_id path parent_id node_id base_path written_path artifact_path source_path reason gap_hint
    policy_version vector first_tool tool_name when_to_use required_inputs fix kind target source_type signals rule
    type conflict_with details safe_defaults params next_places cutoff_terms
    """.split()
)
"""The server's own words, those of the question, and places: a twin's path stands for its note's."""


def equal_part(value: Any, paths: dict[str, str]) -> Any:
    """What has to be equal of an answer. `paths` are the notes' paths by their twins'."""
    if isinstance(value, dict):
        dropped = OF_FINDINGS if value.keys() >= {"message", *OF_FINDINGS} else frozenset()
        return {
            name: equal_part(part, paths)
            for name, part in value.items()
            if name not in TEXT | dropped and (name not in OF_THE_RUN or isinstance(part, dict))
        }
    if isinstance(value, list):
        return [equal_part(part, paths) for part in value]
    if isinstance(value, str):
        for twin, path in paths.items():
            value = value.replace(twin, path)
    return value


def fields_of_text() -> Iterator[str]:
    """The fields of all answers and errors that are texts and no words of a vocabulary, or free in their form."""
    for tool in TOOLS.values():
        schema = full_output(tool.output, tool.failure)
        for model in (*schema["oneOf"], *schema["$defs"].values()):
            for name, stated in model.get("properties", {}).items():
                if any(_is_free(part) for part in (stated, *stated.get("anyOf", ()), stated.get("items", {}))):
                    yield name


def _is_free(stated: dict[str, Any]) -> bool:
    is_text = stated.get("type") == "string" and "enum" not in stated and "const" not in stated
    return is_text or (stated.get("type") == "object" and "properties" not in stated)
