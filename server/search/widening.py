"""Stage 4: when the scope of a search is widened (seed 004 §3, thresholds of seed 001 §8.2). Pure."""

from typing import Literal, NamedTuple

from .question.intent import Intent

Escalation = Literal["no_candidates", "few_candidates", "file_bias", "no_exceptions"]

_BIAS_FROM_CANDIDATES = 5


class Thresholds(NamedTuple):
    """Fewer candidates than `candidate_low` are few; a share (0..1) of one file from `file_bias` on is a bias."""

    candidate_low: int
    file_bias: float


BASE_THRESHOLDS = Thresholds(3, 0.8)
"""Where adaptation starts (seed 001 §8.2)."""


def escalation_reasons(
    candidates: int, file_bias: float, exceptions: int, intent: Intent, thresholds: Thresholds
) -> tuple[Escalation, ...]:
    """Why the scope should be widened; empty if it should not.

    `file_bias` is the share of the candidates in the file with most of them, `exceptions` counts
    candidates with that signal.
    """
    reasons: list[Escalation] = []
    if not candidates:
        reasons.append("no_candidates")
    elif candidates < thresholds.candidate_low:
        reasons.append("few_candidates")
    if candidates >= _BIAS_FROM_CANDIDATES and file_bias >= thresholds.file_bias:
        reasons.append("file_bias")
    if intent == "exceptions" and not exceptions:
        reasons.append("no_exceptions")
    return tuple(reasons)
