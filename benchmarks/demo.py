"""`make demo`: the real server, asked by the real MCP client, over the sample manuals.

Works in a temporary workspace that is removed at the end. Exits 1 if a step does not go as shown.
"""

import io
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from .demo_client import (
    Agent,
    DemoError,
    heading,
    pad,
    proposed,
    require,
    say,
    show_answer,
    show_audit,
    show_findings,
    show_hit,
    show_text,
)

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "manuals"
_CHART = """\
flowchart TD
  A([start]) --> B{mutable?}
  B -->|yes| C[one reference at a time]
  B -->|no| D[any number of references]
  D --> E[never dangling]
  %% B: source_lines: 259-260
  %% C: source_lines: 107-109
  %% D: source_lines: 169-170
"""
_CHAPTER = "manuals/rust-book-en/ch04-02-references-and-borrowing.md"
# (artifact, source): real documents of some size. The lists in the first are audited against the text of the second.
_AUDITED = (
    ("README.md", "docs/architecture.md"),
    ("docs/inside/modules.md", "README.md"),
    ("data/manuals/vue-guide-ja/essentials/event-handling.md", "manuals/vue-guide-ja/components/events.md"),
)
_PATIENCE_SECONDS = 10.0
_ABSENT_WORD = "暗号資産"
_ADDED_LINE = "\n## 附記\n\n暗号資産の評価については、別に定める。\n"


def main() -> int:
    """Run the demo and return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    failure: BaseException | None = None
    with tempfile.TemporaryDirectory(prefix="morenashi-") as folder:
        workspace = Path(folder).resolve()
        shutil.copytree(SAMPLES, workspace / "manuals")
        try:
            index(workspace)
            anyio.run(ask, workspace)
            look_inside(workspace)
        except* DemoError as failures:
            failure = _first(failures)
    if failure:
        print(f"\nThe demo failed: {failure}", file=sys.stderr)
        return 1
    point_elsewhere()
    return 0


def index(workspace: Path) -> None:
    heading("1. Index a copy of the sample manuals (a server does this by itself)")
    say("$ morenashi reindex")
    command = [sys.executable, "-m", "morenashi", "reindex", "--workspace", str(workspace)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    require(done.returncode == 0, f"reindex ended with {done.returncode}: {done.stderr}")
    for line in done.stdout.splitlines():
        say(line.replace(str(workspace), "<a temporary folder>"))


async def ask(workspace: Path) -> None:
    """Everything that goes through the server."""
    command = ["-m", "morenashi", "serve", "--standalone", "--workspace", str(workspace)]
    parameters = StdioServerParameters(command=sys.executable, args=command, env={"LOG_LEVEL": "error"})
    async with Client(parameters) as client:
        agent = Agent(client)
        heading("2. What manuals are there?")
        manuals = [item["manual_id"] for item in (await agent.call("manual_list"))["items"]]
        require(manuals == sorted(folder.name for folder in SAMPLES.iterdir() if folder.is_dir()), "manuals differ")
        say(", ".join(manuals))
        await ask_in_japanese(agent)
        await ask_in_english(agent)
        await prove_absence(agent)
        await be_refused(agent)
        await edit_and_find(agent, workspace / "manuals" / "sozokuzei-ja" / "相続税法.md")
        await audit(agent, workspace / "vault")


async def ask_in_japanese(agent: Agent) -> None:
    heading("3. Find everything: an answer is counts and next actions, never text")
    found = await agent.call("manual_find", query="配偶者に対する相続税額の軽減")
    show_answer(found)
    require(found["summary"]["completeness"]["status"] == "found", "配偶者に対する相続税額の軽減 was not found")
    heading("4. Page the hits, best first, as far as wanted")
    for offset in (0, 3):
        page = await agent.call(
            "manual_hits", trace_id=found["trace_id"], kind="integrated_top", offset=offset, limit=3
        )
        require(len(page["items"]) == 3, "a page of hits is short")
        for number, item in enumerate(page["items"], offset + 1):
            show_hit(number, page["total"], item)
    heading("5. Read what was found: the lines that match; then, as the server proposes, the best sections first")
    trace_id = found["trace_id"]
    read = await agent.call("manual_read", trace_id=trace_id, scope="snippet", limits={"max_chars": 500})
    show_text(read)
    read = await agent.call("manual_read", **(proposed(found, "manual_read") | {"limits": {"max_chars": 260}}))
    require("配偶者" in read["text"] and read["truncated"], "the section is not the one expected")
    show_text(read)


async def ask_in_english(agent: Agent) -> None:
    heading("6. In English, with a small budget: what was left over is counted, listed, resumable")
    found = await agent.call("manual_find", query="What is a dangling reference?", budget={"max_candidates": 4})
    show_answer(found)
    require(found["summary"]["unscanned_sections_count"] > 0, "the candidate cap left nothing over")
    rest = await agent.call("manual_find", **proposed(found, "manual_find"))
    show_answer(rest)
    require(rest["summary"]["completeness"]["lines"]["unexamined"] == 0, "resuming left something over")


async def prove_absence(agent: Agent) -> None:
    heading("7. Nothing found is proven: every line was examined, so it is absent, not unknown")
    found = await agent.call("manual_find", query=_ABSENT_WORD)
    show_answer(found)
    require(found["summary"]["completeness"]["status"] == "absent", f"{_ABSENT_WORD} is not absent")


async def be_refused(agent: Agent) -> None:
    heading("8. A wrong call is refused with what was expected")
    error = await agent.call("manual_find", query="延納", manual="sozokuzei-ja", refused=True)
    require(error["details"]["nearest"] == "manual_id", "the nearest parameter is not named")
    say(f"{error['code']}: {error['message']}")
    error = await agent.call("manual_toc", manual_id="sozokuzei", refused=True)
    require(error["details"]["nearest"] == ["sozokuzei-ja"], "the nearest manual is not named")
    say(f"{error['code']}: {error['message']}; nearest: {', '.join(error['details']['nearest'])}")


async def edit_and_find(agent: Agent, file: Path) -> None:
    heading("9. Edit a file while the server runs: the absent word is there a moment later")
    with open(file, "a", encoding="utf-8") as document:
        document.write(_ADDED_LINE)
    saved = time.perf_counter()
    status = "absent"
    while status != "found":
        require(time.perf_counter() - saved < _PATIENCE_SECONDS, "the edited file was not indexed")
        found = await agent.call("manual_find", query=_ABSENT_WORD, quiet=True)
        elapsed_ms = (time.perf_counter() - saved) * 1000
        status = found["summary"]["completeness"]["status"]
    say(f"{file.name}: a line with {_ABSENT_WORD} was appended, and found {elapsed_ms:.0f} ms after the save")
    page = await agent.call("manual_hits", trace_id=found["trace_id"], limit=1)
    show_hit(1, page["total"], page["items"][0])


async def audit(agent: Agent, vault: Path) -> None:
    heading("10. Audit what an agent made of a source: E names no lines that it rests on")
    for line in _CHART.splitlines():
        say(f"| {line}")
    await agent.call("vault_create", path="borrowing.mmd", content=_CHART, quiet=True)
    found = await agent.call("artifact_audit", artifact_path="borrowing.mmd", source_path=_CHAPTER)
    show_audit(found)
    show_findings(found)
    faults = [(finding["kind"], finding["node_id"]) for finding in found["findings"]]
    require(faults == [("rootless_node", "E")], f"the audit found {faults}")
    say("")
    say("Three documents that nobody wrote to be traced: hardly an item of their lists names lines")
    say("of the source, so nearly all are rootless. To sound like the source proves nothing:")
    root = SAMPLES.parents[1]
    for artifact, source in _AUDITED:
        for path in (artifact, source):
            if not path.startswith("manuals/"):
                (vault / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / path, vault / path)
        found = await agent.call("artifact_audit", artifact_path=artifact, source_path=source)
        show_audit(found)
        require(0 < found["rootless_nodes"] <= found["elements"], "an item without source_lines was not found")
        require(found["next_actions"][0]["type"] in ("vault_scan", "manual_read"), "the source is not proposed")


def look_inside(workspace: Path) -> None:
    heading("11. One SQLite file, open to anyone: what was asked, and what was examined")
    say("sqlite> SELECT query, completeness, lines_examined, lines_unexamined, candidates")
    say("   ...> FROM trace_overview ORDER BY created_at LIMIT 4;")
    uri = (workspace / "data" / "morenashi.db").as_uri()
    with closing(sqlite3.connect(f"{uri}?mode=ro", uri=True)) as database:
        rows = database.execute(_OVERVIEW).fetchall()
    require([row[1] for row in rows] == ["found", "found", "found", "absent"], f"the traces differ: {rows}")
    for query, completeness, examined, unexamined, candidates in rows:
        say(f"{pad(query, 32)}{completeness:<10}{examined:>7}{unexamined:>7}{candidates:>6}")


def point_elsewhere() -> None:
    heading("Your own manuals")
    say("  .venv/bin/morenashi init <folder>")
    say("makes a workspace and prints what to tell your MCP client. Put Markdown and JSON files")
    say("into <folder>/manuals/<any name>/; README.md has the rest.")


def _first(failure: BaseException) -> BaseException:
    """The error inside the groups that task groups wrap around it."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure


_OVERVIEW = """
SELECT query, completeness, lines_examined, lines_unexamined, candidates
FROM trace_overview
ORDER BY created_at
LIMIT 4
"""


if __name__ == "__main__":
    raise SystemExit(main())
