"""Adaptation over days and months: thresholds move by what is read, stop at their bounds and go back."""

from collections import defaultdict
from datetime import datetime, timedelta

import pytest

from morenashi.server.search.adaptation.reads import Read

from ..examples import Rounds
from ..server.histories import ELSEWHERE, OFFERED, OTHER_MANUAL, START, history
from ..workspaces import WorkspaceFolder

INITIAL, EARLIEST, LATEST = (3, 0.80), (6, 0.70), (2, 0.90)
HALF = (OFFERED, ELSEWHERE)


def test_a_month_moves_the_thresholds_to_their_bounds_and_back(workspace: WorkspaceFolder) -> None:
    with history(workspace) as month:
        daily = []
        for day in range(30):
            if day < 8:
                month.day(*HALF)
            elif day < 24:
                month.day(OFFERED, widened=True)
            else:
                month.day(*HALF)
            daily.append(month.thresholds)
        # Half of what is read is no candidate: earlier, a step a day.
        assert daily[:8] == [(4, 0.77), (5, 0.74), (6, 0.71), (6, 0.70), *[EARLIEST] * 4]
        # Everything read is a candidate, and none is owed to widening: later, a step a day.
        assert daily[8:16] == [(5, 0.73), (4, 0.76), (3, 0.79), (2, 0.82), (2, 0.85), (2, 0.88), LATEST, LATEST]
        assert daily[16:24] == [LATEST] * 8
        # The recall falls through the day: the last change, that of the share, is undone, and so is the first
        # step of the count. Then it is earlier again, a step a day.
        assert daily[24:] == [(2, 0.88), (3, 0.85), (4, 0.82), (5, 0.79), (6, 0.76), (6, 0.73)]
        assert list(dict.fromkeys(month.reasons())) == ["recall_low", "widening_in_vain", "recall_fell"]
        assert sum(reason == "recall_fell" for *_, reason in month.changes()) == 2


def test_no_threshold_ever_moves_further_than_a_step_in_a_day(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    with history(workspace) as month:
        for day in range(rounds(12, 60)):
            # Whatever happens, changing so often that undoing and stepping follow one another closely.
            kinds = [HALF, (OFFERED,), (ELSEWHERE,), (OFFERED, OTHER_MANUAL)]
            for part in range(4):
                reads = kinds[(day + part) % 4]
                month.day(*reads, searches=50, cut=day % 3 * 20, hours=6, widened=part % 2 == 0)
        values = defaultdict(list)
        for ts, threshold, old, new, _ in month.changes():
            values[threshold].append((datetime.fromisoformat(ts), old, new))
        assert len(values["candidate_low_threshold"]) > 5
        for threshold, most in (("candidate_low_threshold", 1), ("file_bias_threshold", 0.03)):
            for when, old, _ in values[threshold]:
                within = [new for other, _, new in values[threshold] if timedelta() <= other - when < timedelta(1)]
                assert all(abs(new - old) <= most + 1e-9 for new in within)


def test_twenty_searches_with_a_read_are_needed_to_move(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        for _ in range(20):
            day.search(ELSEWHERE)
        assert day.thresholds == INITIAL
        day.search()
        assert day.thresholds == (4, 0.77)


def test_searches_without_a_read_move_nothing(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        day.day(widened=True, cut=100)
        assert (day.thresholds, day.changes()) == (INITIAL, [])


def test_the_same_evidence_moves_a_threshold_once(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.day(ELSEWHERE, searches=60)
        assert days.thresholds == (4, 0.77)
        # Until here 40 searches have been judged after the change, and another step is due; then nothing is read.
        for _ in range(5):
            days.day(searches=30)
        assert days.thresholds == (5, 0.74)


def test_a_recall_that_is_enough_but_not_full_moves_nothing(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        for number in range(300):
            days.search(OFFERED if number % 20 else ELSEWHERE, widened=True)
            days.now += timedelta(minutes=15)
        assert days.changes() == []


def test_the_least_recall_is_a_setting(workspace: WorkspaceFolder) -> None:
    with history(workspace, ADAPTIVE_MIN_RECALL="0.4") as days:
        for _ in range(3):
            days.day(*HALF)
        assert days.changes() == []


def test_widening_that_was_useful_stays(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        for _ in range(3):
            days.day(OFFERED, OTHER_MANUAL, widened=True)
        assert days.changes() == []


def test_widened_searches_that_are_often_cut_make_it_later(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        # No manual was named: what widening offered cannot be told, so it is not said to be in vain.
        day.day(OFFERED, widened=True, manual_id=None, cut=30)
        assert day.thresholds == (2, 0.83)
        assert set(day.reasons()) == {"widening_cut"}


def test_cuts_of_searches_that_were_not_widened_move_nothing(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        day.day(OFFERED, cut=90)
        assert day.changes() == []


@pytest.mark.parametrize(("misses", "is_undone"), [(3, False), (4, True)])
def test_a_fall_of_more_than_three_points_undoes_the_change(
    workspace: WorkspaceFolder, misses: int, is_undone: bool
) -> None:
    with history(workspace) as days:
        for _ in range(100):
            days.search(OFFERED)
        for _ in range(20):
            days.search(OFFERED, widened=True)
        days.search(OFFERED)
        assert days.thresholds == (2, 0.83)
        for number in range(12):
            days.search(ELSEWHERE if number < misses else OFFERED)
        days.search()
        assert days.thresholds == (INITIAL if is_undone else (2, 0.83))


@pytest.mark.parametrize(("cut", "is_undone"), [(5, False), (6, True)])
def test_a_rise_of_cuts_by_more_than_five_points_undoes_the_change(
    workspace: WorkspaceFolder, cut: int, is_undone: bool
) -> None:
    with history(workspace) as days:
        for _ in range(80):
            days.search()
        for _ in range(20):
            days.search(ELSEWHERE)
        days.search()
        assert days.thresholds == (4, 0.77)
        for number in range(12):
            days.search(cut=number < cut)
        assert days.thresholds == (INITIAL if is_undone else (4, 0.77))
        assert ("cutoffs_rose" in days.reasons()) is is_undone


def test_after_undoing_no_step_is_taken_for_a_day(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.day(ELSEWHERE, searches=21)
        for _ in range(15):
            days.search(ELSEWHERE, cut=True)
        undone = days.now
        assert days.reasons() == ["recall_low", "cutoffs_rose"]
        for _ in range(100):
            days.search(ELSEWHERE)
            days.now += timedelta(hours=24) / 101
        assert days.thresholds == INITIAL
        days.now = undone + timedelta(hours=24)
        days.search(ELSEWHERE)
        assert days.thresholds == (4, 0.77)


def test_what_undid_a_change_is_not_undone_itself(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.day(ELSEWHERE, searches=21)
        for _ in range(50):
            days.search(OFFERED, cut=True)
        assert days.reasons() == ["recall_low", "cutoffs_rose"]


def test_a_clock_that_was_put_right_does_not_stop_adaptation(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.now = START + timedelta(days=3650)
        days.day(ELSEWHERE)
        days.now = START
        days.day(ELSEWHERE)
        assert days.thresholds == (5, 0.74)


def test_thresholds_outlive_the_server(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        day.day(*HALF)
    with history(workspace) as day:
        assert day.thresholds == (4, 0.77)


def test_without_tuning_the_base_holds_and_nothing_is_changed(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        day.day(*HALF)
    with history(workspace, ADAPTIVE_TUNING="false", ADAPTIVE_CANDIDATE_LOW_BASE="5") as days:
        before = days.changes()
        days.now += timedelta(days=2)
        days.day(*HALF)
        assert days.thresholds == (5, 0.80)
        assert days.changes() == before


def test_another_base_is_a_new_beginning(workspace: WorkspaceFolder) -> None:
    with history(workspace) as day:
        day.day(*HALF)
        end = day.now
    with history(workspace, ADAPTIVE_CANDIDATE_LOW_BASE="5", ADAPTIVE_FILE_BIAS_BASE="0.75") as days:
        assert days.thresholds == (5, 0.75)
        days.now = end + timedelta(days=1)
        days.day(*HALF)
        assert days.thresholds == (6, 0.72)


def test_statistics_lost_with_a_damaged_database_do_not_stop_adaptation(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.day()
        days.day(*HALF, searches=21)
        assert days.thresholds == (4, 0.77)
        days.connection.execute("DELETE FROM adaptive_statistics")
        days.now += timedelta(days=1)
        days.day(*HALF, searches=21)
        assert days.thresholds == (5, 0.74)


def test_only_the_newest_statistics_are_kept_with_their_reads(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.search(OFFERED)
        days.connection.execute(_FILL)
        days.search(ELSEWHERE)
        count = "SELECT count(*) FROM adaptive_statistics"
        assert days.connection.execute(count).fetchone() == (10_000,)
        assert days.connection.execute("SELECT section_line FROM adaptive_reads").fetchall() == [(ELSEWHERE.line,)]


def test_no_more_than_two_hundred_sections_of_a_search_are_kept(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.search(*(Read("m", "a.md", line) for line in range(1, 301)))
        assert days.connection.execute("SELECT count(*) FROM adaptive_reads").fetchone() == (200,)


def test_of_the_changes_the_newest_thousand_are_kept(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        days.day(ELSEWHERE, searches=21)
        first = "SELECT min(id) FROM adaptive_changes"
        days.connection.execute("UPDATE adaptive_changes SET id = id + 5000")
        days.connection.execute(_FILL_CHANGES)
        days.now += timedelta(days=1)
        days.day(ELSEWHERE, searches=21)
        assert days.thresholds == (5, 0.74)
        assert days.connection.execute(first).fetchone() == (4005,)
        assert days.connection.execute("SELECT count(*) FROM adaptive_changes").fetchone() == (1_000,)


def test_the_evidence_is_read_along_the_keys(workspace: WorkspaceFolder) -> None:
    with history(workspace) as days:
        statements: list[str] = []
        days.search(OFFERED)
        days.connection.set_trace_callback(statements.append)
        days.search(OFFERED)
        days.connection.set_trace_callback(None)
        plans = [
            row[3]
            for statement in statements
            if "adaptive_" in statement and statement.lstrip().startswith(("SELECT", "WITH"))
            for row in days.connection.execute(f"EXPLAIN QUERY PLAN {statement}")
        ]
        assert plans
        assert [step for step in plans if "TEMP B-TREE" in step or "AUTOMATIC" in step] == []


_FILL = """
INSERT INTO adaptive_statistics
WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < 10000)
SELECT n, ts, 'tr_' || n, query_hash, scanned_files, candidates, warnings, max_stage_applied, scope_expanded,
  cutoff_reason, unscanned_sections_count, est_tokens, est_tokens_in, est_tokens_out, added_evidence_count,
  added_est_tokens, marginal_gain
FROM more
JOIN adaptive_statistics ON adaptive_statistics.id = 1
"""

_FILL_CHANGES = """
INSERT INTO adaptive_changes
WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 5000)
SELECT n, ts, threshold, base, old_value, new_value, reason, recall, cutoff_share, 1
FROM more
JOIN adaptive_changes ON adaptive_changes.id = 5001
"""
