"""The summary of an answer: seed 004 §4, with the completeness of the contract's §4. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .judgement.judge import Judgement
from .scope import Scope

CutoffReason = Literal["time_budget", "candidate_cap", "stage_cap", "hard_limit"]
CompletenessStatus = Literal["found", "absent", "unknown"]


@dataclass(frozen=True, slots=True)
class Examined:
    """Lines asked for, lines of them not examined, and in how many places and sections those lie: a long section, and
    a JSON file, has many places.

    `unlisted_places` are folders and files that may hold lines nobody could count; `places_beyond` lie
    outside of the scope that was asked for. Of `a_part_alone`: other lines of it were not even asked for. The files of
    another language (`other_language_files`) were examined, for words that they are unlikely to hold; `unread_files`
    are no documents.
    """

    total_lines: int
    unexamined_lines: int
    unexamined_places: int
    unexamined_sections: int
    unlisted_places: int
    places_beyond: int = 0
    a_part_alone: bool = False
    other_language_files: int = 0
    unread_files: int = 0


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Which state of the index was searched, how many files it has otherwise than the disk, what cut the search, and
    which terms fill it.
    """

    generation: int
    is_degraded: bool
    pending_files: int
    cut_by: CutoffReason | None
    cutoff_terms: Sequence[str] = ()


def summarise(
    scope: Scope,
    judgement: Judgement,
    examined: Examined,
    circumstances: Circumstances,
    *,
    is_widened: bool,
    failures: int,
) -> dict[str, Any]:
    """The summary as the client reads it. `cutoff_reason` is there only if something was cut.

    `failures` counts stages that failed; they are warnings, like documents with a problem.
    """
    return {
        "scanned_files": scope.searchable_files,
        "scanned_nodes": max(scope.sections - examined.unexamined_sections, 0),
        "candidates": len(judgement.candidates),
        "warnings": scope.warnings + failures + circumstances.is_degraded,
        "max_stage_applied": 4 if is_widened else 3,
        "scope_expanded": is_widened,
        "unscanned_sections_count": examined.unexamined_places + examined.places_beyond,
        "integrated_nodes": len(judgement.candidates),
        "signal_coverage": dict(judgement.signal_counts),
        "file_bias_ratio": judgement.file_bias_ratio,
        "conflict_count": len(judgement.conflicts),
        "gap_count": len(judgement.gaps),
        **_verdict(scope, judgement, examined, circumstances),
    }


def summarise_notes(
    scope: Scope, judgement: Judgement, examined: Examined, circumstances: Circumstances
) -> dict[str, Any]:
    """The summary of a search in the vault (seed 000 §4)."""
    return {
        "scanned_files": scope.searchable_files,
        "scanned_nodes": max(scope.sections - examined.unexamined_sections, 0),
        "candidates": len(judgement.candidates),
        "warnings": scope.warnings + circumstances.is_degraded,
        "max_stage_applied": 1,
        "scope_expanded": False,
        "integrated_candidates": len(judgement.candidates),
        "signal_coverage": {signal: judgement.signal_counts[signal] for signal in ("normalized", "loose")},
        "file_bias_ratio": judgement.file_bias_ratio,
        "gap_ranges_count": sum(gap.kind == "range" for gap in judgement.gaps),
        **_verdict(scope, judgement, examined, circumstances),
    }


def _verdict(scope: Scope, judgement: Judgement, examined: Examined, circumstances: Circumstances) -> dict[str, Any]:
    """What every summary ends with: the judgement, what was examined and what that proves (contract §4)."""
    verdict: dict[str, Any] = {
        "sufficiency_score": judgement.sufficiency_score,
        "integration_status": judgement.status,
        "completeness": {
            "status": _completeness_status(scope, judgement, examined),
            "lines": {
                "total": examined.total_lines,
                "examined": max(examined.total_lines - examined.unexamined_lines, 0),
                "matched": judgement.matched_lines,
                "unexamined": examined.unexamined_lines,
            },
            "index": "degraded" if circumstances.is_degraded else "ok",
            "index_generation": circumstances.generation,
            "pending_files": circumstances.pending_files,
        },
    }
    if examined.other_language_files:
        verdict["completeness"]["other_language_files"] = examined.other_language_files
    if examined.unread_files:
        verdict["completeness"]["unread_files"] = examined.unread_files
    if circumstances.cut_by:
        verdict["cutoff_reason"] = circumstances.cut_by
    if circumstances.cutoff_terms:
        verdict["cutoff_terms"] = list(circumstances.cutoff_terms)
    return verdict


def _completeness_status(scope: Scope, judgement: Judgement, examined: Examined) -> CompletenessStatus:
    """`found` if a line holds a term; `absent` only if everything was examined, `unknown` if not.

    Of a search that took up a rest, it is about the searches before it as well, if they had the same question.
    """
    if judgement.is_found:
        return "found"
    is_cut = examined.unexamined_places or examined.unlisted_places or examined.a_part_alone
    return "absent" if scope.files and not is_cut else "unknown"
