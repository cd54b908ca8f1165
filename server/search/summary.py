"""The summary of an answer: seed 004 §4, with the completeness of the contract's §4. Pure."""

from dataclasses import dataclass
from typing import Any

from .judge import SIGNALS, Judgement
from .scope import Scope

STAGES_APPLIED = 1
"""The last stage that runs: normalised, heading and loose matches."""


@dataclass(frozen=True, slots=True)
class Examined:
    """Lines asked for, lines of them not examined, and in how many places those lie.

    `unlisted_places` are folders and files that may hold lines nobody could count.
    """

    total_lines: int
    unexamined_lines: int
    unexamined_places: int
    unlisted_places: int


def summarise(
    scope: Scope,
    judgement: Judgement,
    examined: Examined,
    generation: int,
    pending_files: int,
    cut_by: str | None,
    *,
    is_degraded: bool,
) -> dict[str, Any]:
    """The summary as the client reads it. `cutoff_reason` is there only if something was cut."""
    summary: dict[str, Any] = {
        "scanned_files": scope.searchable_files,
        "scanned_nodes": max(scope.sections - examined.unexamined_places, 0),
        "candidates": len(judgement.candidates),
        "warnings": scope.warnings + is_degraded,
        "max_stage_applied": STAGES_APPLIED,
        "scope_expanded": False,
        "unscanned_sections_count": examined.unexamined_places,
        "integrated_nodes": len(judgement.candidates),
        "signal_coverage": {s: sum(s in c.signals for c in judgement.candidates) for s in SIGNALS},
        "file_bias_ratio": judgement.file_bias_ratio,
        "conflict_count": 0,
        "gap_count": len(judgement.gaps),
        "sufficiency_score": judgement.sufficiency_score,
        "integration_status": judgement.status,
        "completeness": {
            "status": _status(scope, judgement, examined),
            "lines": {
                "total": examined.total_lines,
                "examined": max(examined.total_lines - examined.unexamined_lines, 0),
                "matched": judgement.matched_lines,
                "unexamined": examined.unexamined_lines,
            },
            "index": "degraded" if is_degraded else "ok",
            "index_generation": generation,
            "pending_files": pending_files,
        },
    }
    if cut_by:
        summary["cutoff_reason"] = cut_by
    return summary


def _status(scope: Scope, judgement: Judgement, examined: Examined) -> str:
    """`found` if a line holds a term; `absent` only if everything was examined, `unknown` if not."""
    if judgement.matched_lines:
        return "found"
    is_whole = scope.files and not examined.unexamined_places and not examined.unlisted_places
    return "absent" if is_whole else "unknown"
