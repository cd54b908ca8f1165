"""docs/vault.md, followed as it is printed: each call answers what stands below it."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..server.serving import serving_indexed
from ..workspaces import WorkspaceFolder

PAGE = Path(__file__).parents[2] / "docs" / "vault.md"
MADE = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
FLOW = re.compile(r"^```mermaid\n(.*?)^```$", re.M | re.S)
CALLS = re.compile(r"^```\n(> .*?)^```$", re.M | re.S)
PAIR = re.compile(r'"(\w+)": ("(?:[^"\\]|\\.)*"|-?[0-9.]+|true|false|null)')


def calls(page: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The tool, its parameters, and the answer as printed, if there is one."""
    for block in CALLS.findall(page):
        for call in re.split(r"^> ", block, flags=re.M)[1:]:
            tool, _, rest = call.partition(" ")
            parameters, end = json.JSONDecoder().raw_decode(rest)
            yield tool, parameters, rest[end:].strip()


def scalars(value: Any) -> Iterator[tuple[str, Any]]:
    """Every name with a plain value, however deep."""
    for part in value if isinstance(value, list) else [value]:
        for name, inner in part.items() if isinstance(part, dict) else ():
            if isinstance(inner, dict | list):
                yield from scalars(inner)
            else:
                yield name, inner


def says(answered: Any, printed: Any) -> bool:
    """Whether a value is the printed one, of which `…` may stand for the end."""
    if isinstance(printed, str) and printed.endswith("…"):
        return str(answered).startswith(printed[:-1])
    return bool(answered == printed)


def test_every_call_of_the_page_answers_what_is_printed(workspace: WorkspaceFolder) -> None:
    page = PAGE.read_text("utf-8")
    (made,), (flow,) = MADE.findall(page), FLOW.findall(page)
    subprocess.run(made.replace("~/workspace", str(workspace.root)), shell=True, check=True)
    trace_id = None
    with serving_indexed(workspace) as server:
        for tool, parameters, printed in calls(page):
            if tool == "artifact_audit":
                # Where the page has it: what is counted above is without it.
                (workspace.root / "vault" / "flow.mmd").write_text(flow, "utf-8")
            if "trace_id" in parameters:
                parameters["trace_id"] = trace_id
            answered = list(scalars(server.answer(tool, **parameters).structured_content))
            trace_id = dict(answered).get("trace_id", trace_id)
            missing = [
                (name, text)
                for name, text in PAIR.findall(printed)
                if not any(name == other and says(found, json.loads(text)) for other, found in answered)
            ]
            assert missing == [], (tool, parameters, answered)
