"""What signals do to a claim: once an hour, in steps, within bounds."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from morenashi.server.memory.ids import to_stored

from .policies import EXAMPLE
from .remembering import AT, Remembering


def state(memory: Remembering, claim_id: str) -> tuple[float, float]:
    (row,) = memory.rows("SELECT utility, confidence FROM claims WHERE id = ?", claim_id)
    return round(row[0], 6), round(row[1], 6)


def change(memory: Remembering, query: str, *values: Any) -> None:
    memory.server.workspace.memory.write(lambda connection: connection.execute(query, values))


def days_ago(days: int) -> str:
    """As a column has it."""
    return to_stored(datetime.now(UTC) - timedelta(days=days))


@pytest.mark.parametrize(
    ("signal", "utility", "confidence"), [("helpful", 0.1, 0.55), ("harmful", -0.2, 0.4), ("outdated", 0.0, 0.3)]
)
def test_a_signal_moves_utility_and_confidence(
    memory: Remembering, signal: str, utility: float, confidence: float
) -> None:
    claim = memory.remember("解約は非同期")
    assert memory.judge(claim, signal) == {"ok": True, "policy_version": "0.1.0"}
    assert state(memory, claim) == (utility, confidence)


def test_what_was_called_outdated_says_so_until_it_is_said_again(memory: Remembering) -> None:
    claim = memory.remember("検証環境は毎晩二時に作り直す")
    other = memory.remember("検証環境の作り直しは四時になった")
    memory.judge(claim, "outdated")
    memory.judge(other, "outdated", score=-1)

    def reasons(**arguments: bool) -> dict[str, str | None]:
        items = [*memory.search("検証環境", **arguments)["items"], *memory.activate("検証環境", **arguments)["claims"]]
        return {item["claim"]["id"]: item.get("reason") for item in items}

    assert reasons() == {claim: "outdated", other: None}
    assert reasons(include_meta=True) == {claim: "words, outdated", other: "words"}
    memory.remember("検証環境は毎晩二時に作り直す", provenance={"at": AT, "note": "まだ二時"})
    assert reasons() == {claim: None, other: None}


def test_the_same_signal_again_in_the_hour_changes_nothing_and_answers_the_same(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    answers = [memory.judge(claim, "helpful", score=score) for score in (1, 1, 0.5)]
    assert answers == [{"ok": True, "policy_version": "0.1.0"}] * 3
    assert state(memory, claim) == (0.1, 0.55)
    memory.judge(claim, "harmful")
    assert state(memory, claim) == (-0.1, 0.45)
    change(memory, "UPDATE feedback SET bucket = '2020-01-01T00'")
    memory.judge(claim, "helpful")
    assert state(memory, claim) == (0.0, 0.5)


def test_of_many_equal_calls_at_once_one_counts(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: memory.judge(claim, "helpful"), range(16)))
    assert all(answer["ok"] for answer in answers)
    assert state(memory, claim) == (0.1, 0.55)


def test_a_score_scales_the_step(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    memory.judge(claim, "harmful", score=0.5)
    assert state(memory, claim) == (-0.1, 0.45)
    assert memory.refuse("feedback", claim_id=claim, signal="helpful", score=1.5)["code"] == "VALIDATION_ERROR"


def test_confidence_stays_between_0_and_1(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    for before, signal, after in ((0.1, "outdated", 0.0), (0.98, "helpful", 1.0)):
        change(memory, "UPDATE claims SET confidence = ?", before)
        memory.judge(claim, signal)
        assert state(memory, claim)[1] == after


def test_utility_halves_in_thirty_days(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    memory.judge(claim, "harmful")
    change(memory, "UPDATE claims SET utility_at = strftime('%Y-%m-%dT%H:%M:%f000+00:00', utility_at, '-30 days')")
    memory.judge(claim, "helpful")
    assert math.isclose(state(memory, claim)[0], 0.0, abs_tol=1e-3)


def test_what_helped_comes_before_what_did_not(memory: Remembering) -> None:
    first, second = memory.remember("解約は甲"), memory.remember("解約は乙")
    assert memory.found("解約") == [second, first]
    memory.judge(first, "helpful")
    assert memory.found("解約") == [first, second]


def test_a_duplicate_is_merged_into_its_representative(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと", provenance={"at": AT, "note": "別の記録"})
    memory.judge(duplicate, "duplicate")
    assert memory.found("解約のAPI") == [representative]
    assert memory.judge(duplicate, "duplicate")["ok"] is True
    evidences = memory.search("解約のAPI", include_meta=True)["items"][0]["evidences"]
    assert [one.get("snippet") for one in evidences if "snippet" in one] == ["別の記録"]


def test_a_duplicate_is_told_what_speaks_for_it_and_whether_anything_does(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    other = memory.remember("解約のAPIは同期で呼ぶ")
    asked = [(one, "duplicate") for one in (duplicate, duplicate, other)] + [(duplicate, "helpful")]
    answers = [memory.server.call("pce_memory_feedback", claim_id=one, signal=signal) for one, signal in asked]
    assert [answer.get("merged_into") for answer in answers] == [representative, representative, None, None]


def test_that_a_merged_claim_is_a_duplicate_says_nothing_of_its_representative(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    memory.judge(duplicate, "duplicate")
    change(memory, "UPDATE claims SET utility = 0.4")
    change(memory, "UPDATE feedback SET bucket = '2020-01-01T00'")
    memory.judge(duplicate, "duplicate")
    assert math.isclose(state(memory, representative)[0], 0.4, abs_tol=1e-3)
    assert memory.found("解約のAPI") == [representative]


def test_what_was_merged_and_is_said_again_confirms_its_representative(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    memory.judge(duplicate, "duplicate")
    change(memory, "UPDATE claims SET updated_at = '2025-01-01T00:00:00.000000+00:00'")
    assert memory.found("解約のAPI") == []
    assert memory.remember("解約のAPIは非同期で呼ぶこと") == duplicate
    assert memory.found("解約のAPI") == [representative]


def test_what_was_said_lately_outlives_the_old_claim_that_it_is_merged_into(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    change(memory, "UPDATE claims SET updated_at = ?, quality_at = ?", *[days_ago(119)] * 2)
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    memory.judge(duplicate, "duplicate")
    change(memory, "UPDATE claims SET updated_at = ? WHERE updated_at < ?", days_ago(121), days_ago(100))
    assert memory.found("解約のAPI") == [representative]


def test_what_was_said_long_ago_makes_nothing_older(memory: Remembering) -> None:
    memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    change(memory, "UPDATE claims SET updated_at = ? WHERE id = ?", days_ago(100), duplicate)
    memory.judge(duplicate, "duplicate")
    assert sum(moment > days_ago(1) for (moment,) in memory.rows("SELECT updated_at FROM claims")) == 1


def test_a_signal_of_what_was_merged_counts_for_its_representative_once_an_hour(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    memory.judge(duplicate, "duplicate")
    for claim in (duplicate, duplicate, representative):
        memory.judge(claim, "helpful")
        assert state(memory, representative) == (0.1, 0.55)


def test_a_signal_of_what_was_merged_does_not_reach_what_its_caller_may_not_see(memory: Remembering) -> None:
    representative = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    memory.judge(duplicate, "duplicate")
    memory.remember("解約のAPIは非同期で呼ぶ", boundary_class="secret")
    memory.judge(duplicate, "harmful")
    assert state(memory, representative) == (0.0, 0.5)
    again = memory.server.call("pce_memory_feedback", claim_id=duplicate, signal="duplicate")
    assert "merged_into" not in again


def test_what_was_merged_into_a_duplicate_follows_it_to_its_representative(memory: Remembering) -> None:
    texts = ["解約のAPIは非同期で呼ぶ", "解約のAPIは非同期で呼ぶこと", "解約のAPIは非同期で呼ぶことにする"]
    representative, duplicate, earlier = (memory.remember(text) for text in texts)
    memory.judge(earlier, "duplicate")
    memory.judge(duplicate, "duplicate")
    assert memory.found("解約のAPI") == [representative]
    change(memory, "UPDATE claims SET updated_at = '2025-01-01T00:00:00.000000+00:00'")
    memory.remember(texts[2])
    assert memory.found("解約のAPI") == [representative]


@pytest.mark.parametrize("layer", [{"scope": "principle"}, {"boundary_class": "public"}])
def test_a_claim_of_another_scope_or_class_represents_no_duplicate(memory: Remembering, layer: dict[str, str]) -> None:
    claims = {
        memory.remember("解約のAPIは非同期で呼ぶ", **layer),
        memory.remember("解約のAPIは非同期で呼ぶこと"),
    }
    for claim in claims:
        memory.judge(claim, "duplicate")
    assert set(memory.found("解約のAPI")) == claims


def test_a_duplicate_of_score_0_is_merged_into_nothing(memory: Remembering) -> None:
    claims = {memory.remember("解約のAPIは非同期で呼ぶ"), memory.remember("解約のAPIは非同期で呼ぶこと")}
    for claim in claims:
        memory.judge(claim, "duplicate", score=0)
    assert set(memory.found("解約のAPI")) == claims


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("定例会議は水曜の10時に始まる", "定例会議は水曜の11時に始まる"),
        ("定例会議は水曜の十時に始まる", "定例会議は水曜の十一時に始まる"),
        ("テンプレートでevalを使ってよい", "テンプレートでevalを使ってはならない"),
        ("Do deploy on Fridays after review", "Don't deploy on Fridays after review"),
        ("デプロイは金曜日に行う", "デプロイは木曜日に行う"),
        ("機能フラグXは有効にする", "機能フラグXは無効にする"),
        ("検証環境のデータベースはオラクル", "検証環境のデータベースはマリア"),
        ("The database runs in Tokyo.", "The database runs in Osaka."),
        ("Run migrations before the deploy", "Run migrations after the deploy"),
        ("Turn the beta flag on in production", "Turn the beta flag off in production"),
    ],
)
def test_what_contradicts_is_no_duplicate(memory: Remembering, one: str, other: str) -> None:
    claims = {memory.remember(one), memory.remember(other)}
    for claim in claims:
        memory.judge(claim, "duplicate")
    assert set(memory.found(one)) == claims


def test_what_corrects_a_claim_and_repeats_it_is_no_duplicate_of_it(memory: Remembering) -> None:
    for one, correction in (
        ("法務の承認者は小林部長", "法務の承認者は小林部長から石田課長に代わった"),
        ("Ken approves the release notes", "Ken approves the release notes, but since June only with Mika"),
        ("The user prefers short answers", "The user prefers short answers before noon"),
    ):
        claims = {memory.remember(one), memory.remember(correction)}
        memory.judge(memory.remember(correction), "duplicate")
        assert claims <= set(memory.found(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("出張の精算は帰着後七日以内に行う", "出張の精算は帰着から七日以内"),
        ("Use ruff for linting and formatting.", "We are using ruff for formatting and linting"),
        ("The user prefers short answers", "User prefers short, concise answers"),
    ],
)
def test_what_says_the_same_in_other_words_is_a_duplicate(memory: Remembering, one: str, other: str) -> None:
    representative, duplicate = memory.remember(one), memory.remember(other)
    memory.judge(duplicate, "duplicate")
    assert memory.found(one) == [representative]


def test_what_says_far_more_does_not_speak_for_a_claim(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    memory.remember("解約の連絡は総務の窓口で受け付け、返金の処理は経理の担当が翌月に非同期で行い、結果は書面で送る")
    memory.judge(claim, "duplicate")
    assert claim in memory.found("解約は非同期")


def test_a_duplicate_of_nothing_only_loses_utility(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    memory.remember("会議は水曜")
    change(memory, "UPDATE claims SET utility = 0.4 WHERE id = ?", claim)
    memory.judge(claim, "duplicate")
    assert math.isclose(state(memory, claim)[0], 0.2, abs_tol=1e-4)
    assert memory.found("解約") == [claim]


def test_a_claim_that_is_hidden_is_as_unknown_as_one_that_is_not_there(memory: Remembering) -> None:
    hidden = memory.remember("給与は秘密", boundary_class="secret")
    errors = [memory.refuse("feedback", claim_id=one, signal="helpful") for one in (hidden, "clm_none")]
    assert errors[0] == errors[1]
    assert errors[0]["code"] == "UNKNOWN_CLAIM"


def test_what_was_merged_is_unknown_to_whoever_may_not_see_its_class(open_memory: Callable[..., Remembering]) -> None:
    memory = open_memory(MEMORY_ALLOW="tool:contact-lookup")
    memory.remember("解約のAPIは非同期で呼ぶ", boundary_class="pii")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと", boundary_class="pii")
    memory.judge(duplicate, "duplicate")
    memory.server.call(
        "pce_memory_policy_apply", yaml=EXAMPLE.replace("'tool:contact-lookup'", "").replace("0.1", "0.2")
    )
    assert memory.refuse("feedback", claim_id=duplicate, signal="helpful")["code"] == "UNKNOWN_CLAIM"
