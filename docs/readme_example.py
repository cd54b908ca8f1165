"""The example of an answer in README.md and README.ja.md: what a search of the sample manuals answers, abridged."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .samples import search_samples

PAGES = tuple(Path(__file__).resolve().parents[1] / name for name in ("README.md", "README.ja.md"))
_QUESTION = "配偶者に対する相続税額の軽減"
_COUNTS = ("scanned_files", "candidates", "conflict_count", "gap_count")
_JUDGED = ("sufficiency_score", "integration_status")
_BLOCK = re.compile(r'```json\n\{\n  "trace_id": .*?\n```', re.S)


def render() -> Iterator[tuple[Path, str]]:
    """Each page as it should be."""
    example = f"```json\n{_example()}\n```"
    for page in PAGES:
        text, count = _BLOCK.subn(lambda _: example, page.read_text("utf-8"))
        if count != 1:
            raise LookupError(f"{page.name} has {count} examples of an answer")
        yield page, text


def _example() -> str:
    _, trace = search_samples(_QUESTION, None)
    summary, completeness = trace.summary, dict(trace.summary["completeness"])
    lines = completeness.pop("lines")
    status = completeness.pop("status")
    # It depends on how the files were taken together.
    del completeness["index_generation"]
    actions = [_inline({"type": one["type"], "params": _abridged(one["params"])}) for one in trace.next_actions]
    shown = ",\n    ".join(actions)
    return f"""{{
  "trace_id": "tr_…",
  "summary": {{
    {_members({name: summary[name] for name in _COUNTS})},
    {_members({name: summary[name] for name in _JUDGED})},
    "completeness": {{
      "status": {_inline(status)},
      "lines": {_inline(lines)},
      {_members(completeness)}
    }}
  }},
  "next_actions": [
    {shown}
  ]
}}"""


def _abridged(params: dict[str, Any] | None) -> dict[str, Any] | None:
    return params and {name: "tr_…" if name == "trace_id" else value for name, value in params.items()}


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {_members(value)} }}"
    return json.dumps(value, ensure_ascii=False)


def _members(value: dict[str, Any]) -> str:
    return ", ".join(f"{json.dumps(name)}: {_inline(part)}" for name, part in value.items())
