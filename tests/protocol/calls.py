"""A long call of each tool that has any."""

from typing import Any

from .conftest import ELEMENTS

_QUESTION = " ".join(f"鍵言葉は{n}と{n}の言葉" for n in range(40))
_RANGES = [{"start_line": line, "end_line": line} for line in range(1, ELEMENTS)]

LONG_CALLS: dict[str, dict[str, Any]] = {
    "manual_find": {"query": _QUESTION, "budget": {"max_candidates": 1_000}},
    "vault_find": {"query": _QUESTION, "budget": {"max_candidates": 1_000}},
    "vault_search": {"query": "[一-龠]の期限", "glob": "*.md"},
    "vault_coverage": {"path": "source.md", "cited_ranges": _RANGES},
    "artifact_audit": {"artifact_path": "flow.md", "source_path": "source.md"},
}
LOOSE = ("vault_search", {"query": "どこにもない語", "mode": "loose"})
# Without end for a machine that backtracks, and seconds of work for one that does not.
SLOW_PATTERN = {"query": "(?:[あ-ん]{1,30}[か-ん]){1,30}[漢]", "glob": "*.txt"}
