"""The decision to move a threshold, over any evidence in any order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.adaptation.tuning import LIMITS, Observed, ThresholdChange, Tuning, decide, value_in_force

START = datetime(2026, 4, 1, tzinfo=UTC)
DAY = timedelta(hours=24)
# The ends decide most, and most is decided by what has happened before.
SHARES = (st.sampled_from([0, 0, 100]) | st.integers(0, 100)).map(lambda percent: percent / 100)
COUNTS = st.sampled_from([0, 30, 100]) | st.integers(0, 100)
EVIDENCE = st.builds(
    Observed,
    newest_id=st.integers(1, 10_000),
    recall=st.none() | SHARES,
    judged_since=COUNTS,
    cutoff_share=SHARES,
    searches_since=COUNTS,
    widened=COUNTS,
    widened_cut=COUNTS,
    telling=COUNTS,
    useful=COUNTS,
)
HISTORIES = st.lists(st.tuples(st.integers(0, 60 * 60), EVIDENCE), min_size=4, max_size=15)
TUNINGS = st.builds(
    lambda low, percent, least: Tuning(
        True, least, {"candidate_low_threshold": low, "file_bias_threshold": percent / 100}
    ),
    st.integers(2, 6),
    st.integers(70, 90),
    SHARES,
)


def live(tuning: Tuning, history: list[tuple[int, Observed]]) -> list[ThresholdChange]:
    """All changes of a history of (minutes since the one before, evidence)."""
    now, changes = START, list[ThresholdChange]()
    for minutes, evidence in history:
        now += timedelta(minutes=minutes)
        newest_first = changes[::-1]
        last = [
            next(change for change in newest_first if change.threshold == threshold)
            for threshold in LIMITS
            if any(change.threshold == threshold for change in changes)
        ]
        last.sort(key=changes.index, reverse=True)
        changes += decide(tuning, last, evidence, now.isoformat())
    return changes


@given(TUNINGS, HISTORIES)
def test_a_value_stays_in_its_range_and_moves_by_a_step_at_most(
    tuning: Tuning, history: list[tuple[int, Observed]]
) -> None:
    values = dict(tuning.base)
    for change in live(tuning, history):
        limits = LIMITS[change.threshold]
        assert change.old_value == values[change.threshold]
        assert limits.lowest <= change.new_value <= limits.highest
        assert 0 < abs(change.new_value - change.old_value) <= abs(limits.earlier) + 1e-9
        values[change.threshold] = change.new_value


@given(TUNINGS, HISTORIES)
def test_nothing_but_an_undoing_follows_a_change_within_a_day(
    tuning: Tuning, history: list[tuple[int, Observed]]
) -> None:
    changed = dict[str, ThresholdChange]()
    for change in live(tuning, history):
        before = changed.get(change.threshold)
        undoes = change.reason in ("recall_fell", "cutoffs_rose")
        if before and undoes:
            assert (change.old_value, change.new_value) == (before.new_value, before.old_value)
            assert before.reason not in ("recall_fell", "cutoffs_rose")
        elif before:
            assert datetime.fromisoformat(change.ts) - datetime.fromisoformat(before.ts) >= DAY
        changed[change.threshold] = change


@given(TUNINGS, HISTORIES)
def test_a_low_recall_widens_earlier_and_nothing_else_does(tuning: Tuning, history: list[tuple[int, Observed]]) -> None:
    for change in live(tuning, history):
        moved = (change.new_value - change.old_value) * LIMITS[change.threshold].earlier
        if change.reason == "recall_low":
            assert moved > 0
            assert change.recall is not None
            assert change.recall < tuning.min_recall
        elif change.reason in ("widening_in_vain", "widening_cut"):
            assert moved < 0


def test_a_step_is_undone_without_what_was_undone_in_the_same_moment() -> None:
    calm = Observed(1, 1.0, 30, 0.0, 30, widened=10, widened_cut=0, telling=10, useful=0)
    low, cut = replace(calm, recall=0.0), replace(calm, cutoff_share=1.0)
    # At .70 only the other threshold can widen earlier, and at 2 only this one later.
    tuning = Tuning(True, 1.0, {"candidate_low_threshold": 2, "file_bias_threshold": 0.7})
    changes = live(tuning, [(0, low), (0, cut), (0, calm), (0, cut)])
    assert [(change.threshold, change.old_value, change.new_value, change.reason) for change in changes] == [
        ("candidate_low_threshold", 2, 3, "recall_low"),
        ("candidate_low_threshold", 3, 2, "cutoffs_rose"),
        ("file_bias_threshold", 0.7, 0.73, "widening_in_vain"),
        ("file_bias_threshold", 0.73, 0.7, "cutoffs_rose"),
    ]


@given(HISTORIES)
def test_switched_off_nothing_changes(history: list[tuple[int, Observed]]) -> None:
    off = Tuning(False, 0.9, {"candidate_low_threshold": 3, "file_bias_threshold": 0.8})
    assert live(off, history) == []
    on = Tuning(True, 0.9, off.base)
    assert [value_in_force(off, threshold, live(on, history)[::-1]) for threshold in LIMITS] == [3, 0.8]


BASE = Tuning(True, 0.9, {"candidate_low_threshold": 3, "file_bias_threshold": 0.8})
STEADY = Observed(1, 0.95, 20, 0.0, 10, widened=0, widened_cut=0, telling=0, useful=0)


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ({"recall": 0.89}, "recall_low"),
        ({"recall": 0.9}, None),
        ({"recall": 0.89, "judged_since": 19}, None),
        ({"recall": None}, None),
        ({"recall": 0.99, "telling": 10}, "widening_in_vain"),
        ({"recall": 0.98, "telling": 10}, None),
        ({"recall": 0.99, "telling": 9}, None),
        ({"recall": 0.99, "telling": 20, "useful": 1}, "widening_in_vain"),
        ({"recall": 0.99, "telling": 20, "useful": 2}, None),
        ({"recall": 0.99, "widened": 12, "widened_cut": 3}, "widening_cut"),
        ({"recall": 0.99, "widened": 12, "widened_cut": 2}, None),
        ({"recall": 0.99, "widened": 9, "widened_cut": 9}, None),
    ],
)
def test_a_step_is_taken_from_where_the_evidence_suffices_on(seen: dict[str, Any], reason: str | None) -> None:
    changes = decide(BASE, [], replace(STEADY, **seen), START.isoformat())
    assert {change.reason for change in changes} == ({reason} if reason else set())
    moved = {change.threshold: change.new_value for change in changes}
    earlier = {"candidate_low_threshold": 4, "file_bias_threshold": 0.77}
    later = {"candidate_low_threshold": 2, "file_bias_threshold": 0.83}
    assert moved == ({} if reason is None else earlier if reason == "recall_low" else later)


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ({"recall": 0.969}, "recall_fell"),
        ({"recall": 0.97}, None),
        ({"recall": 0.969, "judged_since": 10}, "recall_fell"),
        ({"recall": 0.969, "judged_since": 9}, None),
        ({"recall": None}, None),
        ({"cutoff_share": 0.051}, "cutoffs_rose"),
        ({"cutoff_share": 0.05}, None),
        ({"cutoff_share": 0.051, "searches_since": 9}, None),
    ],
)
def test_a_step_is_undone_from_where_the_evidence_suffices_on(seen: dict[str, Any], reason: str | None) -> None:
    step = ThresholdChange(START.isoformat(), "candidate_low_threshold", 3, 4, 3, "widening_in_vain", 1.0, 0.0, 1)
    evidence = replace(STEADY, recall=1.0)
    changes = decide(BASE, [step], replace(evidence, **seen), START.isoformat())
    undone = [(change.threshold, change.new_value, change.reason) for change in changes]
    assert undone == ([("candidate_low_threshold", 4, reason)] if reason else [])


def test_the_next_step_is_taken_when_a_whole_day_is_over() -> None:
    low = replace(STEADY, recall=0.5)
    minutes = 24 * 60
    changes = live(BASE, [(0, low), (minutes - 1, low), (1, low)])
    values = [change.new_value for change in changes if change.threshold == "candidate_low_threshold"]
    assert (values, changes[-1].ts) == ([4, 5], (START + DAY).isoformat())


def test_a_threshold_ends_where_its_range_does() -> None:
    """The ranges of seed 001 §8.2, whatever the evidence of however many days."""
    low, high = replace(STEADY, recall=0.5), replace(STEADY, recall=1.0, telling=10)
    for seen, ends in ((low, (6, 0.7)), (high, (2, 0.9))):
        changes = live(BASE, [(24 * 60, seen)] * 10)
        last = {change.threshold: change.new_value for change in changes}
        assert (last["candidate_low_threshold"], last["file_bias_threshold"]) == ends
