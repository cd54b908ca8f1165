"""Serving: what a client sees of `morenashi serve --standalone` on the main corpus, through a real MCP client.

Seconds from starting the process to its first answer, with nothing indexed anew; milliseconds of a
round trip; MB (10^6 bytes) of resident memory after all queries.
"""

import shutil
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import psutil
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from . import gold
from .calls import generation
from .lab import Corpus, Lab
from .report import Figure, Report, at_most, percentile

NAME = "serving"
_STARTS = 5
# By then the server has compared its index with the disk again, and given back what it had freed.
_REST_SECONDS = 35
_MOST_SECONDS, _MOST_RSS_MB = 1, 150


def measure(lab: Lab, report: Report) -> None:
    """Start the server several times, then ask one of them all queries."""
    corpus = lab.indexed(lab.sizes.main)
    queries = gold.read_query_mix()
    before = generation(corpus.database)
    starts = [anyio.run(_first_answer, lab, corpus, queries[0]) for _ in range(_STARTS)]
    times, rss_mb = anyio.run(_round_trips, lab, corpus, queries)
    indexed_anew = generation(corpus.database) - before
    what = f"serve, {lab.sizes.main:g} MB"
    slowest = f"{what}: start to first answer, slowest of {_STARTS}"
    report.add(Figure(slowest, max(starts), "s", at_most(_MOST_SECONDS)))
    report.add(Figure(f"{what}: generations of the index since", indexed_anew, "", at_most(0)))
    report.add(Figure(f"{what}: round trip over stdio, p50", percentile(times, 0.5), "ms"))
    report.add(Figure(f"{what}: round trip over stdio, p95", percentile(times, 0.95), "ms"))
    most = at_most(_MOST_RSS_MB)
    report.add(Figure(f"{what}: resident memory after {2 * len(queries)} queries", rss_mb, "MB", most))
    own_mb = anyio.run(_resident_after_indexing, lab, corpus, queries)
    report.add(Figure(f"{what}: the same at rest, of a server that has indexed all of it itself", own_mb, "MB", most))
    report.rows[NAME] = [{"start_seconds": seconds} for seconds in starts]
    report.rows[NAME] += [{"query": query, "ms": elapsed_ms} for query, elapsed_ms in zip(queries, times, strict=True)]


async def _first_answer(lab: Lab, corpus: Corpus, query: str) -> float:
    """Seconds from before the server is started until it has answered."""
    started = time.perf_counter()
    async with _connected(lab, corpus) as client:
        await _find(client, query)
        return time.perf_counter() - started


async def _round_trips(lab: Lab, corpus: Corpus, queries: Sequence[str]) -> tuple[list[float], float]:
    """Milliseconds of each query in the second pass, and the server's resident MB after it."""
    async with _connected(lab, corpus) as client:
        for query in queries:
            await _find(client, query)
        times = []
        for query in queries:
            started = time.perf_counter()
            await _find(client, query)
            times.append((time.perf_counter() - started) * 1000)
        return times, _resident_mb(corpus)


async def _resident_after_indexing(lab: Lab, indexed: Corpus, queries: Sequence[str]) -> float:
    """The resident MB of a server that was started without an index, at rest after it was asked all queries."""
    root = lab.workspace(f"{NAME}-anew")
    shutil.copytree(indexed.manuals, root / "manuals")
    corpus = replace(indexed, root=root)
    async with _connected(lab, corpus) as client:
        while (await _find(client, queries[0]))["summary"]["completeness"]["pending_files"]:
            await anyio.sleep(1)
        for query in queries:
            await _find(client, query)
        await anyio.sleep(_REST_SECONDS)
        return _resident_mb(corpus)


@asynccontextmanager
async def _connected(lab: Lab, corpus: Corpus) -> AsyncIterator[Client]:
    """A client and a server of its own, which logs as it does by default, into a file."""
    arguments = ["-m", "morenashi", "serve", "--standalone", "--workspace", str(corpus.root)]
    server = StdioServerParameters(command=sys.executable, args=arguments)
    with lab.log(NAME).open("a", encoding="utf-8") as log:
        async with Client(stdio_client(server, errlog=log)) as client:
            yield client


async def _find(client: Client, query: str) -> dict[str, Any]:
    result = await client.call_tool("manual_find", {"query": query})
    if result.is_error or result.structured_content is None:
        raise RuntimeError(f"manual_find failed for {query!r}: {result.content}")
    return dict(result.structured_content)


def _resident_mb(corpus: Corpus) -> float:
    """Of the server process, which is a child of this one and names the workspace."""
    children = psutil.Process().children(recursive=True)
    # No server would be one without memory.
    (server,) = (child for child in children if str(corpus.root) in child.cmdline())
    return int(server.memory_info().rss) / 1e6
