"""Agent memory without a model: the graded questions, alone and among others; rare words; time at 100,000 claims.

Recall@k of a question is the share of its claims among the first k. Times are those of whole calls, envelope, policy
and audit log included, in this process; those of `upsert` with the commit on disk.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from morenashi.indexer.config import read_config
from morenashi.server.commands.policy import default_policy
from morenashi.server.deadline import Deadline
from morenashi.server.edge.registry import find_tool
from morenashi.server.log import set_log_level
from morenashi.server.memory.claims import Draft
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.store import keep_claim
from morenashi.server.workspace import Workspace

from . import locomo
from .calls import tokens_of
from .corpus import DEVSET
from .goldens import grade_goldens, office_claims
from .lab import FULL, Lab
from .report import Figure, Report, at_least, at_most, percentile

NAME = "memory"
AT = "2026-01-02T03:04:05Z"

_LETTERS = "bcdfghjklmnpqrstvwz"
_BATCH, _SAMPLE = 2_000, 100
_MANY, _MORE, _MOST = 5_000, 10_000, 100_000


class Memory:
    """The memory tools over one workspace, called as the server calls them."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.call("policy_apply", yaml=default_policy())

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The whole answer; an error breaks the measurement off."""
        found = find_tool(f"pce_memory_{tool}")
        assert found is not None
        answer = found.answer(self._workspace, arguments, Deadline(found.budget_ms(arguments)))
        if answer.code is not None:
            raise RuntimeError(f"{tool}: {answer.code}")
        return answer.body

    def remember(self, text: str, **arguments: Any) -> str:
        """Upsert; the claim's id."""
        claim_id: str = self.call("upsert", text=text, **{"provenance": {"at": AT}, **arguments})["data"]["id"]
        return claim_id

    def found(self, query: str, count: int = 10) -> list[str]:
        """The ids that a search gives."""
        return [item["claim"]["id"] for item in self.call("search", query=query, top_k=count)["data"]["items"]]

    def fill(self, texts: list[str]) -> None:
        """Keep many claims, some thousand in a transaction."""
        policy, now = parse_policy(default_policy()), datetime.now(UTC)
        for start in range(0, len(texts), _BATCH):
            drafts = [Draft(text, "fact", "project", "internal", {"at": AT}) for text in texts[start : start + _BATCH]]
            self._workspace.memory.write(
                lambda connection, drafts=drafts: [keep_claim(connection, one, policy, now) for one in drafts]  # type: ignore[misc]
            )


@contextmanager
def open_memory(lab: Lab) -> Iterator[Memory]:
    """An empty memory, under the default policy."""
    set_log_level("error")
    root = lab.workspace(NAME)
    (root / "manuals").mkdir()
    workspace = Workspace(read_config({"WORKSPACE_ROOT": str(root), "WATCH": "off"}))
    try:
        workspace.wait_until_ready()
        yield Memory(workspace)
    finally:
        workspace.close()


def measure(lab: Lab, report: Report) -> None:
    """All of it; the largest memory only in a full run. LOCOMO names a file with that collection."""
    if (DEVSET / "memory").is_dir():
        _measure_goldens(lab, report, 0, (0.93, 0.91, 0.93))
        _measure_goldens(lab, report, _MANY, (0.88, None, None))
    for size in (_MORE, _MOST) if lab.sizes == FULL else (_MORE,):
        _measure_size(lab, report, size)
    if (path := locomo.path()) is None:
        report.left_out.append("memory, LoCoMo: LOCOMO does not name the file locomo10.json")
    else:
        locomo.measure(path, partial(open_memory, lab), report)


def _measure_goldens(lab: Lab, report: Report, others: int, least: tuple[float | None, ...]) -> None:
    with open_memory(lab) as memory:
        memory.fill(office_claims(others))
        grades = grade_goldens(DEVSET / "memory", memory.remember, memory.found)
        if not others:
            _measure_tokens(report, memory)
    where = f"among {others:,} others" if others else "alone"
    for name, value, bound in zip(("recall@10", "nDCG@10", "MRR"), grades, least, strict=True):
        target = at_least(bound) if bound else None
        report.add(Figure(f"memory, graded questions {where}: {name}", value, "", target))


def _measure_tokens(report: Report, memory: Memory) -> None:
    body = memory.call("activate", q="認証 関数 テスト データ エラー 使用", top_k=10)
    claims = len(body["data"]["claims"])
    what = f"memory, an answer of {claims} activated claims"
    report.add(Figure(what, tokens_of(body), "tokens", at_most(900)))


def _measure_size(lab: Lab, report: Report, size: int) -> None:
    chance = random.Random(size)
    words = [["".join(chance.choice(_LETTERS) for _ in range(6)) for _ in range(3)] for _ in range(_SAMPLE)]
    texts = office_claims(size)
    marked = {f"{texts[place]} {one[0]}、{one[1]}と{one[2]}": one for place, one in enumerate(words)}
    with open_memory(lab) as memory:
        memory.fill([*marked, *texts[_SAMPLE:]])
        found = 0
        for text, one in marked.items():
            items = memory.call("search", query=" ".join(one), top_k=10)["data"]["items"]
            found += any(item["claim"]["text"] == text for item in items)
        what = f"memory, {size:,} claims"
        report.add(Figure(f"{what}: found by their three rarest words", found, "of 100", at_least(_SAMPLE)))
        kept = _times(lambda place: memory.remember(f"新しい決定{place}: {texts[place]}を改める"))
        asked = _times(lambda place: memory.call("activate", q=texts[chance.randrange(size)]))
    is_largest = size == _MOST
    report.add(Figure(f"{what}, upsert: p50", percentile(kept, 0.5), "ms", at_most(10) if is_largest else None))
    report.add(Figure(f"{what}, activate: p50", percentile(asked, 0.5), "ms", at_most(15) if is_largest else None))
    report.add(Figure(f"{what}, activate: p95", percentile(asked, 0.95), "ms", at_most(50) if is_largest else None))


def _times(call: Callable[[int], object]) -> list[float]:
    """Milliseconds of each call, after some to warm up."""
    times = []
    for place in range(_SAMPLE + 10):
        started = time.perf_counter()
        call(place)
        times.append((time.perf_counter() - started) * 1000)
    return times[10:]
