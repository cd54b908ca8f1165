"""Long sections, very many lines that match, names of files without an end: linear work takes less than a third of the
time that is allowed.
"""

import json

from ..limited_work import RunWithin
from ..workspaces import WorkspaceFolder
from .serving import index_now

CPU_SECONDS = 5
_READ_ON = """
import json
import sys
from morenashi.indexer.config import read_config
from morenashi.server.calls.inputs import ManualRead
from morenashi.server.manuals.read import manual_read
from morenashi.server.workspace import Workspace
workspace = Workspace(read_config({"WORKSPACE_ROOT": sys.argv[1], "WATCH": "off"}))
call = json.loads(sys.argv[2]) | {"limits": {"max_chars": 20_000}}
characters, cursor = 0, None
while characters == 0 or cursor:
    answer = manual_read(workspace, ManualRead.model_validate(call | {"cursor": cursor}))
    characters, cursor = characters + len(answer["text"]), answer["next_cursor"]
assert characters >= int(sys.argv[3])
workspace.close()
"""
_SEARCH_LOOSELY = """
import sys
from morenashi.indexer.config import read_config
from morenashi.server.calls.vault_inputs import VaultSearch
from morenashi.server.deadline import Deadline
from morenashi.server.vault.search import vault_search
from morenashi.server.workspace import Workspace
workspace = Workspace(read_config({"WORKSPACE_ROOT": sys.argv[1], "WATCH": "off"}))
call = VaultSearch.model_validate({"query": "旅費", "mode": "loose", "limit": 10})
assert len(vault_search(workspace, call, Deadline(600_000))["results"]) == 10
workspace.close()
"""
_AUDIT = """
import sys
from morenashi.indexer.config import read_config
from morenashi.server.calls.vault_inputs import ArtifactAudit
from morenashi.server.deadline import Deadline
from morenashi.server.vault.audit import artifact_audit
from morenashi.server.workspace import Workspace
workspace = Workspace(read_config({"WORKSPACE_ROOT": sys.argv[1], "WATCH": "off"}))
call = ArtifactAudit.model_validate({"artifact_path": "steps.md", "source_path": "a.md"})
assert artifact_audit(workspace, call, Deadline(600_000))["elements"] == 1
workspace.close()
"""
_CITE = """
import sys
from morenashi.indexer.config import read_config
from morenashi.server.calls.vault_inputs import VaultCoverage
from morenashi.server.deadline import Deadline
from morenashi.server.vault.coverage import vault_coverage
from morenashi.server.workspace import Workspace
workspace = Workspace(read_config({"WORKSPACE_ROOT": sys.argv[1], "WATCH": "off"}))
last = int(sys.argv[2])
ranges = [{"start_line": first, "end_line": last} for first in range(1, 10_001)]
for _ in range(2):
    call = VaultCoverage.model_validate({"path": "a.md", "cited_ranges": ranges})
    citations = vault_coverage(workspace, call, Deadline(600_000))["citations"]
    assert citations["same"] + citations["new"] == 10_000
assert citations["same"]
workspace.close()
"""


def test_a_long_section_is_read_on_without_parsing_all_of_it_for_each_part(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    text = "# 規程\n\n" + "旅費の支給と宿泊の支給をする。\n" * 120_000
    workspace.write("m/a.md", text)
    index_now(workspace)
    call = {"ref": {"target": "manual", "manual_id": "m", "path": "a.md"}, "scope": "section"}
    run_within(CPU_SECONDS, _READ_ON, str(workspace.root), json.dumps(call), str(len(text)))


def test_a_long_value_is_read_on_without_looking_for_its_end_for_each_part(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    value = json.dumps([{"旅費": number} for number in range(50_000)], ensure_ascii=False, indent=1)
    workspace.write("m/a.json", f'{{"items": {value}}}')
    index_now(workspace)
    ref = {"target": "manual", "manual_id": "m", "path": "a.json", "json_path": "/items"}
    call = {"ref": ref, "scope": "snippet", "expand": {"after_chars": 18_000}}
    run_within(CPU_SECONDS, _READ_ON, str(workspace.root), json.dumps(call), str(len(value)))


def test_of_very_many_lines_that_match_loosely_those_are_shown_that_were_asked_for(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "a.md").write_text("# 規程\n\n" + "旅費の支給と宿泊の支給をする。\n" * 120_000, "utf-8")
    index_now(workspace)
    run_within(CPU_SECONDS, _SEARCH_LOOSELY, str(workspace.root))


def test_what_an_artifact_says_for_a_file_is_looked_for_in_linear_work(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "a.md").write_text("旅費の支給をする。\n", "utf-8")
    steps = f"| ID | source_lines |\n|---|---|\n| S1 | {'漢が' * 4_000}b.md:1-2 |\n"
    (workspace.root / "vault" / "steps.md").write_text(steps, "utf-8")
    index_now(workspace)
    run_within(CPU_SECONDS, _AUDIT, str(workspace.root))


def test_ranges_that_overlap_without_end_are_cited_in_linear_work(
    workspace: WorkspaceFolder, run_within: RunWithin
) -> None:
    lines = 60_000
    (workspace.root / "vault").mkdir()
    (workspace.root / "vault" / "a.md").write_text("".join(f"第{n}行\n" for n in range(lines)), "utf-8")
    index_now(workspace)
    run_within(CPU_SECONDS, _CITE, str(workspace.root), str(lines))
