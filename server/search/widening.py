"""Stage 4: when the scope of a search is widened (seed 004 §3, thresholds of seed 001 §8.2). Pure."""

from typing import Literal, NamedTuple

from .question.intent import Intent
from .tally import Tally

Escalation = Literal["no_candidates", "few_candidates", "file_bias", "no_exceptions"]

_BIAS_FROM_CANDIDATES = 5


class Thresholds(NamedTuple):
    """Fewer candidates than `candidate_low` are few; a share (0..1) of one file from `file_bias` on is a bias."""

    candidate_low: int
    file_bias: float


BASE_THRESHOLDS = Thresholds(3, 0.8)
"""Where adaptation starts (seed 001 §8.2)."""


def escalation_reasons(found: Tally, intent: Intent, thresholds: Thresholds) -> tuple[Escalation, ...]:
    """Why the scope should be widened; empty if it should not. `found` is all that was found in it."""
    reasons: list[Escalation] = []
    if not found.candidates:
        reasons.append("no_candidates")
    elif found.candidates < thresholds.candidate_low:
        reasons.append("few_candidates")
    if found.candidates >= _BIAS_FROM_CANDIDATES and found.file_bias >= thresholds.file_bias:
        reasons.append("file_bias")
    if intent == "exceptions" and not found.exceptions:
        reasons.append("no_exceptions")
    return tuple(reasons)
