"""Which claims may say the same: what is merged into another is lost with what it says alone."""

import pytest

from morenashi.server.memory.sameness import may_be_same

from ...limited_work import RunWithin


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Carlos reports to Maria", "Maria reports to Carlos"),
        ("Copy from staging to production", "Copy from production to staging"),
        ("Use yarn instead of pnpm", "Use pnpm instead of yarn"),
        ("Tom is older than Anna", "Anna is older than Tom"),
        ("東京から大阪へ移転した", "大阪から東京へ移転した"),
        ("山田さんは佐藤さんに報告する", "佐藤さんは山田さんに報告する"),
        ("メールよりチャットを好む", "チャットよりメールを好む"),
        ("yarn より pnpm を先に試す", "pnpm より yarn を先に試す"),
        ("佐藤が田中を評価する", "田中が佐藤を評価する"),
        ("佐藤さんは田中さんを評価する", "田中さんは佐藤さんを評価する"),
    ],
)
def test_who_changes_places_with_whom_is_another(one: str, other: str) -> None:
    assert not may_be_same(one, other)
    assert not may_be_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Version 1.2.3 is in use", "Version 1.3.2 is in use"),
        ("The margin is -3 percent", "The margin is 3 percent"),
        ("The job runs at 3 am", "The job runs at 3 pm"),
        ("x > 10 is an error", "x < 10 is an error"),
        ("Use == for comparison", "Use != for comparison"),
        ("会議は5月3日", "会議は3月5日"),
        ("期限は六月七日", "期限は七月六日"),
        ("USBはつないでよい", "USBはつながない"),
    ],
)
def test_numbers_are_the_same_with_their_signs_and_units(one: str, other: str) -> None:
    assert not may_be_same(one, other)
    assert not may_be_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("部長の承認で出せる", "部長の承認なしで出せる"),
        ("予約で入れる", "予約無しで入れる"),
        ("会員は受付から入れる", "非会員は受付から入れる"),
        ("承認の書類は棚に置く", "未承認の書類は棚に置く"),
        ("部長に聞いて出す", "部長に聞かずに出す"),
        ("Members may enter the lab", "Non-members may enter the lab"),
        ("Managers may enter the lab", "Nobody but managers may enter the lab"),
        ("Staff may use the lift", "Staff may hardly use the lift"),
    ],
)
def test_what_is_denied_is_another_in_whatever_form(one: str, other: str) -> None:
    assert not may_be_same(one, other)
    assert not may_be_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("賞与は6月と12月に支給する", "賞与は12月と6月に支給する"),
        ("試用期間は3か月", "試用期間は3ヶ月"),
        ("Deploys are frozen on Fridays", "On Fridays deploys are frozen."),
        ("Move old logs from disk to S3", "Old logs move from disk to S3"),
        ("The API returns dates in ISO 8601", "API returns dates in ISO-8601"),
        ("東京から大阪へ移転した", "大阪へ東京から移転した"),
        ("経費は総務に申請する", "経費は総務へ申請する"),
        ("鍵を総務が持つ", "鍵は総務が持つ"),
        ("精算の期限が過ぎる", "精算期限が過ぎる"),
        ("Ask Priya before merging", "Before merging ask Priya"),
    ],
)
def test_another_order_of_the_same_words_says_the_same(one: str, other: str) -> None:
    assert may_be_same(one, other)
    assert may_be_same(other, one)


def test_long_runs_are_compared_in_linear_time(run_within: RunWithin) -> None:
    run_within(
        5,
        """
from morenashi.server.memory.sameness import may_be_same
for character in ("a", "1", "漢", "ア", "三", "1.", "1 "):
    assert may_be_same(character * 60_000, character * 60_000)
""",
    )
