"""When a threshold of widening moves (seed 001 §8.2). Pure: what was seen and the time in, changes out.

A threshold says how soon a search is widened (stage 4): below `candidate_low_threshold` candidates, or
from `file_bias_threshold` on as the share of candidates in one file. In this order:

1. *Undone* is the last change if the recall proxy is now more than 3 points (0.03) below what it was then,
   or the share of searches that were cut is more than 5 points above.
2. *Earlier*: the recall proxy is below `ADAPTIVE_MIN_RECALL`. Sections were read that no search offered.
3. *Later*: the recall proxy is 0.99 or more, and of the widened searches either hardly any offered
   something that was read only because it was widened, or a quarter or more was cut.

Otherwise all stays. Both thresholds move together. A threshold takes no step within 24 hours of its last
change, also of one that undid another, and none before twenty more searches were followed by a read: the
same evidence does not move it again and again. Undoing waits for ten, and not for the day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

Threshold = Literal["candidate_low_threshold", "file_bias_threshold"]
StepReason = Literal["recall_low", "widening_in_vain", "widening_cut"]
UndoReason = Literal["recall_fell", "cutoffs_rose"]

_DAY = timedelta(hours=24)
_RECALL_FALL, _CUTOFF_RISE = 0.03, 0.05
_COMFORTABLE_RECALL = 0.99
_USED_SHARE, _CUT_SHARE = 0.05, 0.25
# Below these numbers a share says nothing.
_JUDGED_FOR_A_STEP, _SEARCHES_FOR_UNDOING, _WIDENED = 20, 10, 10
_ROUNDING = 1e-9


class Limits(NamedTuple):
    """A threshold's range, and the step that makes a search widen earlier."""

    lowest: float
    highest: float
    earlier: float


LIMITS: dict[Threshold, Limits] = {
    "candidate_low_threshold": Limits(2, 6, +1),
    "file_bias_threshold": Limits(0.70, 0.90, -0.03),
}


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the user configured. `base` are the initial values; they hold for good if `is_on` is false."""

    is_on: bool
    min_recall: float
    base: Mapping[Threshold, float]


@dataclass(frozen=True, slots=True)
class Observed:
    """The newest 100 searches, and the newest 100 that count for the recall proxy (*judged*: something was read).

    `_since` counts those after the last change. Widened searches are *telling* if they are judged and it
    can be told what only widening offered; *useful* if some of that was read.
    """

    newest_id: int
    recall: float | None
    judged_since: int
    cutoff_share: float
    searches_since: int
    widened: int
    widened_cut: int
    telling: int
    useful: int


class ThresholdChange(NamedTuple):
    """A threshold's move, with the recall proxy and the share of cut searches at that moment."""

    ts: str
    threshold: Threshold
    base: float
    old_value: float
    new_value: float
    reason: StepReason | UndoReason
    recall: float | None
    cutoff_share: float
    statistics_id: int


def value_in_force(tuning: Tuning, threshold: Threshold, last: Sequence[ThresholdChange]) -> float:
    """A threshold's value after its newest change in `last`; its base if that was made for another base."""
    change = _last_of(threshold, last)
    base = tuning.base[threshold]
    return change.new_value if tuning.is_on and change and change.base == base else base


def decide(tuning: Tuning, last: Sequence[ThresholdChange], observed: Observed, now: str) -> list[ThresholdChange]:
    """What changes now. `last` is the newest change of each threshold, newest first; times are ISO 8601."""
    if not tuning.is_on:
        return []
    return _undo(tuning, last, observed, now) or _step(tuning, last, observed, now)


def _undo(tuning: Tuning, last: Sequence[ThresholdChange], observed: Observed, now: str) -> list[ThresholdChange]:
    # The reason parts a step from an undoing of the other threshold in the same moment.
    together = [
        change
        for change in last
        if (change.ts, change.reason) == (last[0].ts, last[0].reason) and change.base == tuning.base[change.threshold]
    ]
    reason = _reason_to_undo(together[0], observed) if together else None
    if reason is None:
        return []
    return [
        _move(tuning, observed, now, change.threshold, change.new_value, change.old_value, reason)
        for change in together
    ]


def _reason_to_undo(change: ThresholdChange, observed: Observed) -> UndoReason | None:
    if change.reason in ("recall_fell", "cutoffs_rose"):
        return None
    fall = 0.0 if change.recall is None or observed.recall is None else change.recall - observed.recall
    if observed.judged_since >= _SEARCHES_FOR_UNDOING and fall > _RECALL_FALL + _ROUNDING:
        return "recall_fell"
    rise = observed.cutoff_share - change.cutoff_share
    if observed.searches_since >= _SEARCHES_FOR_UNDOING and rise > _CUTOFF_RISE + _ROUNDING:
        return "cutoffs_rose"
    return None


def _step(tuning: Tuning, last: Sequence[ThresholdChange], observed: Observed, now: str) -> list[ThresholdChange]:
    reason = _reason_to_step(tuning, observed)
    if reason is None:
        return []
    changes = []
    for threshold, limits in LIMITS.items():
        old = value_in_force(tuning, threshold, last)
        step = limits.earlier if reason == "recall_low" else -limits.earlier
        new = round(min(max(old + step, limits.lowest), limits.highest), 2)
        if new != old and _is_rested(_last_of(threshold, last), now):
            changes.append(_move(tuning, observed, now, threshold, old, new, reason))
    return changes


def _move(
    tuning: Tuning,
    observed: Observed,
    now: str,
    threshold: Threshold,
    old: float,
    new: float,
    reason: StepReason | UndoReason,
) -> ThresholdChange:
    seen = observed.recall, observed.cutoff_share, observed.newest_id
    return ThresholdChange(now, threshold, tuning.base[threshold], old, new, reason, *seen)


def _reason_to_step(tuning: Tuning, observed: Observed) -> StepReason | None:
    if observed.recall is None or observed.judged_since < _JUDGED_FOR_A_STEP:
        return None
    if observed.recall < tuning.min_recall - _ROUNDING:
        return "recall_low"
    if observed.recall < _COMFORTABLE_RECALL:
        return None
    if observed.telling >= _WIDENED and observed.useful <= _USED_SHARE * observed.telling:
        return "widening_in_vain"
    if observed.widened >= _WIDENED and observed.widened_cut >= _CUT_SHARE * observed.widened:
        return "widening_cut"
    return None


def _is_rested(change: ThresholdChange | None, now: str) -> bool:
    if change is None:
        return True
    age = datetime.fromisoformat(now) - datetime.fromisoformat(change.ts)
    # A change from the future was made by a clock that has been put right.
    return age >= _DAY or age < timedelta()


def _last_of(threshold: Threshold, last: Sequence[ThresholdChange]) -> ThresholdChange | None:
    return next((change for change in last if change.threshold == threshold), None)
