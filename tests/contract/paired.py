"""Pairs of texts that contradict each other or do not, in one workspace: each pair in a manual of its own."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..server.serving import Serving, serving_indexed
from ..workspaces import WorkspaceFolder


@dataclass(frozen=True)
class Pairs:
    """Served pairs, by their numbers."""

    serving: Serving

    def conflict_kinds(self, number: int, query: str) -> list[str]:
        """The kinds of the conflicts that a search finds in a pair, both texts of which it has to match."""
        found = self.serving.find(query, manual_id=str(number), max_stage=3)
        assert found.lines["matched"] >= 2
        return [item["conflict_kind"] for item in found.hits("conflicts")]


@contextlib.contextmanager
def serving_pairs(folder: WorkspaceFolder, pairs: Sequence[tuple[str, str]]) -> Iterator[Pairs]:
    """Serve pairs, the manual of each called as its number is."""
    for number, (one, other) in enumerate(pairs):
        folder.write(f"{number}/a.md", f"# 規程\n\n{one}\n")
        folder.write(f"{number}/b.md", f"# 手引き\n\n{other}\n")
    with serving_indexed(folder) as serving:
        yield Pairs(serving)
