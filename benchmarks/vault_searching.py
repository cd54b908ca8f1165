"""The vault searched: milliseconds of `vault_find` inside the server, and of `vault_search` beside ripgrep.

The corpora of the other measurements lie in the vault here. `vault_find` answers the queries of `latency` after one
pass over them. `vault_search` lists the lines of regular expressions: literals, alternatives, classes, repetitions,
with many hits, few and none; some the index can rule files out for, some not. ripgrep searches the same files in the
same run and its output is counted, its start included, as it is called by those who have no server. Both have to find
equally many lines, except where `vault_search` ends at its limit: ripgrep lists them all, as it must when lines are
wanted by path. Of each the median of five counts, after one that does not; the cpu time, of both by the same clock, is
what remains comparable on a busy machine.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from morenashi.indexer.config import read_config
from morenashi.indexer.listing import list_vault
from morenashi.server.calls import vault_inputs
from morenashi.server.deadline import Deadline
from morenashi.server.log import set_log_level
from morenashi.server.vault.find import vault_find
from morenashi.server.vault.search import vault_search
from morenashi.server.workspace import Workspace

from . import gold
from .garbage import collecting_as_the_server
from .lab import Lab, reindex
from .report import Figure, Report, at_most, percentile

NAME = "vault_searching"
_P50_MS, _P95_MS, _MOST_TIMES_RIPGREP = 15, 50, 3
_DEADLINE_MS, _TURNS, _LIMIT = 60_000, 5, 500
_AS_WE_DO = ("--no-config", "--no-ignore")
_EXPRESSIONS = (
    "免責事項",
    "損害",
    "の",
    r"第[0-9]{3}条の[0-9]{2}",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}",
    r"(申請|届出)の(期限|期日)",
    r"免除.{0,5}手続",
    r"[ァ-ヴー]{12,}",
    r"(?i)deprecat(ed|ion) since",
    r"\b[a-z]+_[a-z]+_[a-z]+_[a-z]+_[a-z]+_[a-z]+\(",
    r"[^\x00-\x{10ffff}]",
)


@dataclass(frozen=True, slots=True)
class _Run:
    """Milliseconds of one search, those of the processor, and how many lines it listed."""

    ms: float
    cpu_ms: float
    lines: int


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

    with _open(lab, megabytes) as workspace:
        for query in queries:
            find(workspace, query)
        times = [_timed(partial(find, workspace, query)) for query in queries]
    report.rows[NAME] += [{"query": query, "ms": ms} for query, ms in zip(queries, times, strict=True)]
    for label, share, most in (("p50", 0.5, _P50_MS), ("p95", 0.95, _P95_MS)):
        what = f"vault_find, {megabytes:g} MB, {len(queries)} queries: {label}"
        report.add(Figure(what, percentile(times, share), "ms", at_most(most)))


def _measure_search(lab: Lab, report: Report) -> None:
    megabytes = lab.sizes.searched
    ripgrep = shutil.which("rg", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if ripgrep is None:
        report.left_out.append(f"{NAME}: ripgrep (rg) is not installed, so nothing is compared with it")
    folder = lab.corpus(megabytes).manuals
    with _open(lab, megabytes) as workspace:
        if ripgrep is not None:
            _compare_files(ripgrep, folder)
        for expression in _EXPRESSIONS:
            ours = _median(partial(_search, workspace, expression))
            what = f"vault_search, {megabytes:g} MB: {expression}"
            row = {"expression": expression, "lines": ours.lines, "ms": ours.ms, "cpu_ms": ours.cpu_ms}
            if ripgrep is None:
                report.add(Figure(what, ours.ms, "ms"))
            else:
                theirs = _median(partial(_grep, ripgrep, expression, folder))
                if ours.lines != min(theirs.lines, _LIMIT):
                    raise RuntimeError(f"{expression}: we list {ours.lines} lines, ripgrep {theirs.lines}")
                row |= {"ripgrep_lines": theirs.lines, "ripgrep_ms": theirs.ms, "ripgrep_cpu_ms": theirs.cpu_ms}
                report.add(Figure(what, ours.ms, "ms", None, {"ripgrep": theirs.ms}, has_ratio=True))
                report.add(Figure(f"{what}, times ripgrep", ours.ms / theirs.ms, "x", at_most(_MOST_TIMES_RIPGREP)))
                report.add(Figure(f"{what}, cpu times ripgrep's", ours.cpu_ms / theirs.cpu_ms, "x"))
            report.rows[NAME].append(row)


@contextmanager
def _open(lab: Lab, megabytes: float) -> Iterator[Workspace]:
    """A workspace whose vault is the corpus of this size, indexed."""
    set_log_level("error")
    root = lab.workspace(f"vault-{megabytes:g}")
    (root / "manuals").mkdir()
    (root / "vault").symlink_to(lab.corpus(megabytes).manuals.resolve(), target_is_directory=True)
    reindex(root)
    workspace = Workspace(read_config({"WORKSPACE_ROOT": str(root)}))
    try:
        workspace.vault.wait_until_ready()
        while workspace.vault.keeper.pending:
            time.sleep(0.1)
        with collecting_as_the_server():
            yield workspace
    finally:
        workspace.close()


def _compare_files(ripgrep: str, folder: Path) -> None:
    listed = subprocess.run([ripgrep, *_AS_WE_DO, "--files", str(folder)], capture_output=True, text=True, check=True)
    theirs = {Path(line).relative_to(folder).as_posix() for line in listed.stdout.splitlines()}
    if theirs != {file.path for file in list_vault(folder).files}:
        raise RuntimeError("ripgrep searches other files than we do")


def _search(workspace: Workspace, expression: str) -> _Run:
    call = vault_inputs.VaultSearch(query=expression, limit=_LIMIT)
    started, cpu = time.perf_counter(), time.process_time()
    answer = vault_search(workspace, call, Deadline(_DEADLINE_MS))
    return _Run(
        (time.perf_counter() - started) * 1000, (time.process_time() - cpu) * 1000, lines=len(answer["results"])
    )


def _grep(ripgrep: str, expression: str, folder: Path) -> _Run:
    command = [ripgrep, *_AS_WE_DO, "--line-number", "--regexp", expression, str(folder)]
    started, cpu = time.perf_counter(), _cpu_seconds_of_children()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    elapsed_ms = (time.perf_counter() - started) * 1000
    return _Run(elapsed_ms, (_cpu_seconds_of_children() - cpu) * 1000, lines=done.stdout.count(b"\n"))


def _cpu_seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _median(run: Callable[[], _Run]) -> _Run:
    """The medians of their times, after one that fills the caches."""
    run()
    runs = [run() for _ in range(_TURNS)]
    return _Run(
        percentile([each.ms for each in runs], 0.5), percentile([each.cpu_ms for each in runs], 0.5), runs[0].lines
    )


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000
