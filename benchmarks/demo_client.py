"""What the demo asks with and shows on: a client that prints its calls, and a terminal of fixed width."""

import re
import unicodedata
from itertools import accumulate, takewhile
from typing import Any

from mcp import Client

from morenashi.server.health.findings import counted

COLUMNS = 92

# A line of a text that did not come whole: its number is followed so.
_CUT = re.compile(r"(\d+)…\t")

Result = dict[str, Any]


class DemoError(Exception):
    """A step did not go as it should. The message says which."""


def require(is_so: bool, otherwise: str) -> None:
    """Raise `DemoError` unless the step went as it should."""
    if not is_so:
        raise DemoError(otherwise)


class Agent:
    """A client of the server that shows what it asks; ids of traces are shortened."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, *, quiet: bool = False, refused: bool = False, **arguments: Any) -> Result:
        """Call a tool and return its structured answer; `refused` expects an error."""
        if not quiet:
            shown = ", ".join(f"{name}={_value(value)}" for name, value in arguments.items())
            say(f"> {tool}({shown})")
        answer = await self._client.call_tool(tool, arguments)
        body = answer.structured_content
        require(isinstance(body, dict) and answer.is_error == refused, f"{tool} answered {body}")
        return dict(body or {})


def proposed(found: Result, tool: str) -> Result:
    """The parameters of the first call to this tool among the next actions."""
    offers = [action["params"] for action in found["next_actions"] if action["type"] == tool]
    require(bool(offers), f"{tool} is not among the next actions")
    return dict(offers[0])


def show_text(read: Result) -> None:
    """The lines of a text that was read of a trace and came whole, and where it goes on."""
    lines = list(filter(None, read["text"].splitlines()))
    cut = [match[1] for match in map(_CUT.match, lines) if match]
    for line in lines:
        if not _CUT.match(line):
            say(f"| {line}")
    begun = f"line {cut[-1]} was begun, and is cut by max_chars; " if cut else ""
    say(f"({begun}next_offset: {read['next_offset']})")


def show_answer(found: Result) -> None:
    summary = found["summary"]
    completeness, lines = summary["completeness"], summary["completeness"]["lines"]
    cut = f", cut by {summary['cutoff_reason']}" if "cutoff_reason" in summary else ""
    say(
        f"{completeness['status']}: {lines['examined']} of {lines['total']} lines examined, {lines['matched']} match, "
        f"{lines['unexamined']} left over{cut}"
    )
    say(
        f"{counted(summary['candidates'], 'section')}, {counted(summary['gap_count'], 'gap')}, "
        f"sufficiency {summary['sufficiency_score']:.2f}, {summary['integration_status']}"
    )
    say("next: " + ", ".join(map(_action, found["next_actions"])))


def show_audit(found: Result) -> None:
    counts = f"{found['rootless_nodes']} rootless, {found['orphan_branches']} orphan, {found['one_way_refs']} one-way"
    say(f"{found['elements']} elements: {counts}; {found['coverage_ratio']:.0%} of the source is cited")


def show_findings(found: Result) -> None:
    """The first finding of each kind, and what to do next."""
    seen = dict.fromkeys(finding["kind"] for finding in found["findings"])
    for kind in seen:
        finding = next(finding for finding in found["findings"] if finding["kind"] == kind)
        say(f"{finding['kind']} {finding['node_id']}: {finding['message']}")
    say("next: " + ", ".join(map(_action, found["next_actions"])))


def show_hit(number: int, total: int, item: Result) -> None:
    place = f"{item['path']}:{item['start_line']}"
    say(f"{number}/{total}  {item['score']:.3f}  {pad(place, 30)} {pad(item['ref'].get('title', ''), 44).rstrip()}")


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * COLUMNS}")


def say(text: str) -> None:
    """Print a text, wrapped to the width of the demo."""
    while len(line := fit(text, COLUMNS - 2)) < len(text):
        blank = text.rfind(" ", len(line) // 2, len(line) + 1)
        line = text[:blank] if blank > 0 else line
        print("  " + line)
        text = "    " + text[len(line) :].lstrip()
    print("  " + text, flush=True)


def pad(text: str, columns: int) -> str:
    """The text in exactly so many columns."""
    shown = fit(text, columns)
    if shown != text:
        shown = fit(text, columns - 1) + "…"
    return shown + " " * (columns - sum(map(_columns, shown)))


def fit(text: str, columns: int) -> str:
    """As much of the beginning of a text as so many columns of a terminal hold."""
    ends = accumulate(map(_columns, text))
    return text[: sum(1 for _ in takewhile(lambda end: end <= columns, ends))]


def _columns(character: str) -> int:
    """Japanese characters are twice as wide as Latin ones."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _action(action: Result) -> str:
    params = action["params"] or {}
    what = params.get("kind") or params.get("scope") or ("the rest" if action["type"] == "manual_find" else "")
    return f"{action['type']} {what}".strip()


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_value(part)}" for name, part in value.items()) + "}"
    if not isinstance(value, str):
        return str(value)
    return f'"{value[:9]}…"' if value.startswith("tr_") else f'"{value}"'
