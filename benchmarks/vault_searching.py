"""The vault searched: milliseconds of `vault_find` inside the server, and of `vault_search` beside ripgrep.

The corpora of the other measurements lie in the vault here. `vault_find` answers the queries of `latency` after one
pass over them. `vault_search` lists the lines of regular expressions: some with texts by which the index rules files
out, some without any. ripgrep, if it is installed as `rg`, searches the same folder in the same run, its start
included, as it is called by those who have no server. Of each the median of five counts.
"""

import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from morenashi.indexer.config import read_config
from morenashi.server.edge import vault_inputs
from morenashi.server.log import set_log_level
from morenashi.server.search.deadline import Deadline
from morenashi.server.vault.find import vault_find
from morenashi.server.vault.search import vault_search
from morenashi.server.workspace import Workspace

from . import gold
from .lab import Lab, reindex
from .report import Figure, Report, at_most, percentile

NAME = "vault_searching"
_P50_MS, _P95_MS, _MOST_TIMES_RIPGREP = 15, 50, 3
_DEADLINE_MS, _TURNS, _LIMIT = 60_000, 5, 500
_EXPRESSIONS = (
    r"第[0-9]{3}条の[0-9]{2}",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}",
    r"(申請|届出)の(期限|期日)",
    r"免除.{0,5}手続",
    r"(?i)deprecat(ed|ion) since",
    r"\b[a-z]+_[a-z]+_[a-z]+_[a-z]+_[a-z]+_[a-z]+\(",
    r"[^\x00-\x{10ffff}]",
)


def measure(lab: Lab, report: Report) -> None:
    """Time both tools."""
    report.rows[NAME] = []
    _measure_find(lab, report)
    _measure_search(lab, report)


def _measure_find(lab: Lab, report: Report) -> None:
    queries = gold.read_query_mix()
    megabytes = lab.sizes.main

    def find(workspace: Workspace, query: str) -> None:
        vault_find(workspace, vault_inputs.VaultFind(query=query), Deadline(_DEADLINE_MS))

    workspace = _open(lab, megabytes)
    try:
        for query in queries:
            find(workspace, query)
        times = [_timed(lambda query=query: find(workspace, query)) for query in queries]
    finally:
        workspace.close()
    report.rows[NAME] += [{"query": query, "ms": ms} for query, ms in zip(queries, times, strict=True)]
    for label, share, most in (("p50", 0.5, _P50_MS), ("p95", 0.95, _P95_MS)):
        what = f"vault_find, {megabytes:g} MB, {len(queries)} queries: {label}"
        report.add(Figure(what, percentile(times, share), "ms", at_most(most)))


def _measure_search(lab: Lab, report: Report) -> None:
    megabytes = lab.sizes.searched
    ripgrep = shutil.which("rg")
    if ripgrep is None:
        report.left_out.append(f"{NAME}: ripgrep (rg) is not installed, so nothing is compared with it")
    workspace = _open(lab, megabytes)
    try:
        for expression in _EXPRESSIONS:
            call = vault_inputs.VaultSearch(query=expression, limit=_LIMIT)
            ours = _median(lambda call=call: vault_search(workspace, call, Deadline(_DEADLINE_MS)))
            row = {"expression": expression, "ms": ours}
            what = f"vault_search, {megabytes:g} MB: {expression}"
            if ripgrep is None:
                report.add(Figure(what, ours, "ms"))
            else:
                row["ripgrep_ms"] = theirs = _median(partial(_grep, ripgrep, expression, lab.corpus(megabytes).manuals))
                report.add(Figure(what, ours, "ms", None, {"ripgrep": theirs}, has_ratio=True))
                report.add(Figure(f"{what}, times ripgrep", ours / theirs, "x", at_most(_MOST_TIMES_RIPGREP)))
            report.rows[NAME].append(row)
    finally:
        workspace.close()


def _open(lab: Lab, megabytes: float) -> Workspace:
    """A workspace whose vault is the corpus of this size, indexed."""
    set_log_level("error")
    root = lab.workspace(f"vault-{megabytes:g}")
    (root / "manuals").mkdir()
    (root / "vault").symlink_to(lab.corpus(megabytes).manuals.resolve(), target_is_directory=True)
    reindex(root)
    workspace = Workspace(read_config({"WORKSPACE_ROOT": str(root)}))
    workspace.vault.wait_until_ready()
    while workspace.vault.keeper.pending:
        time.sleep(0.1)
    return workspace


def _grep(ripgrep: str, expression: str, folder: Path) -> None:
    command = [ripgrep, "--no-config", "--line-number", "--regexp", expression, str(folder)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _median(run: Callable[[], object]) -> float:
    run()
    return percentile([_timed(run) for _ in range(_TURNS)], 0.5)


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000
