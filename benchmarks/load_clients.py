"""A client of the load: tools in fixed shares, questions from the query mix."""

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import gold
from .one_server import Connection

NOTES = 400
_AT = {"at": "2026-01-02T03:04:05Z"}
SHARES = {
    "manual_find": 30,
    "manual_hits": 10,
    "manual_read": 10,
    "manual_toc": 5,
    "vault_find": 10,
    "vault_search": 5,
    "vault_read": 10,
    "vault_write": 5,
    "pce_memory_search": 10,
    "pce_memory_upsert": 5,
}
"""How often a client calls which tool, of a hundred calls."""


class MixedClient:
    """Calls tools by their shares, one after the other, and notes how long each took."""

    def __init__(self, connection: Connection, number: int, root: Path) -> None:
        self._connection = connection
        self._number = number
        self._chance = random.Random(number)
        self._queries = gold.read_query_mix()
        self._trace_id: str | None = None
        self._manual_id = sorted(path.name for path in (root / "manuals").iterdir())[0]
        self._ref: dict[str, Any] | None = None
        self.times: list[tuple[str, float]] = []
        self.refusals: Counter[str] = Counter()

    def run(self, seconds: float) -> None:
        """Call until the time is over."""
        end = time.perf_counter() + seconds
        tools, weights = list(SHARES), list(SHARES.values())
        while time.perf_counter() < end:
            tool = self._chance.choices(tools, weights)[0]
            arguments = self._arguments(tool)
            if arguments is not None:
                self._call(tool, arguments)

    def _call(self, tool: str, arguments: dict[str, Any]) -> None:
        started = time.perf_counter()
        result = self._connection.call(tool, **arguments)
        self.times.append((tool, (time.perf_counter() - started) * 1000))
        body = result["structuredContent"]
        if result.get("isError"):
            self.refusals[f"{tool}: {body.get('code') or body['error']['code']}"] += 1
        elif tool == "manual_find":
            self._trace_id = body["trace_id"]
        elif tool == "manual_hits" and body["items"]:
            self._ref = body["items"][0]["ref"]

    def _arguments(self, tool: str) -> dict[str, Any] | None:
        """What to call a tool with; `None` for one that needs the answer of another first."""
        query = self._chance.choice(self._queries)
        note = f"{self._chance.randrange(NOTES)}.md"
        own = f"client{self._number}.md"
        calls: dict[str, Callable[[], dict[str, Any] | None]] = {
            "manual_find": lambda: {"query": query},
            "manual_hits": lambda: {"trace_id": self._trace_id} if self._trace_id else None,
            "manual_read": lambda: {"ref": self._ref} if self._ref else None,
            "manual_toc": lambda: {"manual_id": self._manual_id},
            "vault_find": lambda: {"query": query},
            "vault_search": lambda: {"query": query, "mode": "plain"},
            "vault_read": lambda: {"path": note, "full": True},
            "vault_write": lambda: {"path": own, "content": f"{query}\n", "mode": "append"},
            "pce_memory_search": lambda: {"query": query},
            "pce_memory_upsert": lambda: {"text": f"{query} {self._chance.random()}", "provenance": _AT},
        }
        return calls[tool]()
