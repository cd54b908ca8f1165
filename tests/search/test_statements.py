"""What a line states: read from any text whatever, and in one measure."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.server.search.denials import denied_place, paragraphs_named
from morenashi.server.search.judgement.statements import read_statements

PIECES = [
    *"019〇一二十千万億,.-/:|()円年日月分%はがのを、。",
    "申請料",
    "期限",
    "対象",
    "適用",
    "する",
    "しない",
    "以内",
    "fee",
    " is ",
    " not ",
    "days",
]
# Pieces alone hardly ever state anything.
SENTENCES = ["申請料は1,500円とする。", "期限は14日である。", "契約社員は手当の対象とする。", "the fee is 10 dollars. "]
SENTENCES += ["手当は契約社員に支給しない。", "gift cards are not refundable. "]
NUMBERS = [
    ("15,000円", 15_000),
    ("1万5,000円", 15_000),
    ("1.5万円", 15_000),
    ("15千円", 15_000),
    ("1.5千円", 1_500),
    ("1万5千円", 15_000),
    ("１億２０万３千円", 100_203_000),
    ("15万千円", 151_000),
    ("一万五千円", None),
    ("二千万円", 20_000_000),
    ("1億2000万円", 120_000_000),
    ("三万円", 30_000),
    ("三億円", 300_000_000),
    ("3割", 30),
]


@given(st.lists(st.sampled_from(PIECES) | st.sampled_from(SENTENCES) | st.characters(), max_size=30).map("".join))
def test_any_line_can_be_read(text: str) -> None:
    line = normalise(text.replace("\n", " "))
    for statement in read_statements(line):
        assert statement.measure.least <= statement.measure.most
        assert not statement.measure.contradicts(statement.measure)
    denied_place(line, line[:3], line[-3:], max(len(line) - 3, 0))


@pytest.mark.parametrize(("written", "value"), NUMBERS)
def test_a_number_is_what_it_comes_to(written: str, value: float | None) -> None:
    stated = [statement.measure.least for statement in read_statements(normalise(f"申請料は{written}とする。"))]
    assert stated == ([] if value is None else [value])


def stated(line: str) -> list[tuple[str, str, str, float]]:
    return [(*statement.quantity, statement.measure.least) for statement in read_statements(normalise(line))]


@pytest.mark.parametrize(
    ("line", "subject", "day", "case"),
    [
        ("契約日は2025年4月1日です。", "契約日", 20250401, ""),
        ("契約日が、2025/4/1となる。", "契約日", 20250401, ""),
        ("契約日が2025年4月三十一日とする。", "契約日", 20250431, ""),
        ("契約日: 2025-04-01", "契約日", 20250401, ""),
        ("契約日は平成三十一年四月一日とする。", "契約日", 20190401, ""),
        ("The due date is 2025-04-01.", "due date", 20250401, ""),
        ("Contracts renew on 2025-04-01.", "contracts renew", 20250401, ""),
        ("展示は2025年4月1日まで", "展示", 20250401, "まで"),
        ("展示は2025年4月1日に開始する。", "展示", 20250401, "に開始する"),
        ("王の即位は1830年8月18日です。", "王の即位", 18300818, ""),
        ("Kickoffは2025年4月1日、会議室で行う。", "kickoff", 20250401, ""),
    ],
)
def test_a_day_is_stated_however_it_is_written(line: str, subject: str, day: int, case: str) -> None:
    assert stated(line) == [(subject, case, "date", day)]


TIMES = (
    "展示日 日程 日時 期限 期日 締切 締切り 締め切り 開館時期 設立年 開始月 入荷予定 設立 創業 創立 発足 竣工 施行 "
    "発行 改定 改正 更新 開始 終了 開催"
).split()


@pytest.mark.parametrize("subject", TIMES)
def test_of_what_is_a_time_a_day_is_stated_even_if_more_follows(subject: str) -> None:
    assert stated(f"{subject}は2025年4月1日、変更はない。") == [(subject, "", "date", 20250401)]


@pytest.mark.parametrize(
    ("line", "subject", "case", "unit"),
    [
        ("定休日は水曜日です。", "定休日", "", "weekday"),
        ("定休日が、水曜日とする。", "定休日", "", "weekday"),
        ("定休日が水曜日とする。", "定休日", "", "weekday"),
        ("定休日: 第3日曜日", "定休日", "", "weekday"),
        *(
            (f"定休日は {month}第3日曜日とする。", "定休日", "", "weekday")
            for month in ("毎月", "毎月の", "各月", "各月の")
        ),
        ("受付時間が9時から17時までです。", "受付時間", "", "time of day"),
        ("受付時間が、9時から17時までです。", "受付時間", "", "time of day"),
        ("The desk is open from 9:00 to 17:00", "desk", "", "time of day"),
        *(
            (f"(The desk hours are 9:00-17:00{end}", "desk hours", "", "time of day")
            for end in (".", ", every day.", "; else by mail.", ")", " (by mail).", " |", "(by mail)")
        ),
        ("The desks are from 9:00 to 17:00.", "desks", "", "time of day"),
        ("始業時刻が 9時です。", "始業時刻", "", "time"),
        ("始業時刻が、9時です。", "始業時刻", "", "time"),
        ("受付は17時までとする。", "受付", "まで", "time"),
    ],
)
def test_a_time_is_stated_however_it_is_written(line: str, subject: str, case: str, unit: str) -> None:
    assert [quantity for *quantity, _ in stated(line)] == [[subject, case, unit]]


@pytest.mark.parametrize(
    "line",
    [
        "date: 2025-04-01",
        "品番は2025-04-0123です。",
        "契約日は2025年十百月1日です。",
        "王は1830年8月18日、長男として生まれた。",
        "王は1830年8月18日(水)に生まれた。",
        "王は1830年8月18日 (水)に生まれた。",
        "その日は水曜日です。",
        "定休日は土曜日、日曜日とする。",
        "その日は9時から17時までです。",
        "受付時間は9時60分から17時までです。",
        "The desk is open from 9:00 to 17:00 on Mondays.",
        "それは9時です。",
        "始業時刻は9時60分です。",
    ],
)
def test_what_says_neither_when_something_is_nor_of_what_states_nothing(line: str) -> None:
    assert stated(line) == []


@pytest.mark.parametrize(
    ("written", "paragraphs"),
    [
        ("第九条第二項の規定は", [2]),
        ("第九条第二項本文及び第四項(届出)の規定は", [2, 4]),
        ("第九条第二項から第四項まで、第六項並びに第十条の規定は", [2, 3, 4, 6]),
        ("第九条第二項第三号、第五条第四項の規定は", [2]),
        ("第九条第二項(同条第三項(前項を含む。)を除く。)及び第四項の規定は", None),
    ],
)
def test_the_paragraphs_that_a_reference_names_are_read_as_far_as_they_go(
    written: str, paragraphs: list[int] | None
) -> None:
    named = paragraphs_named(2, written, len("第九条第二項"))
    assert (None if named is None else [*chain.from_iterable(named)]) == paragraphs


@pytest.mark.parametrize("month", ["1か月", "１ヶ月", "一箇月", "1カ月", "1ヵ月", "1月"])
def test_a_sum_a_month_is_one_however_the_month_is_written(month: str) -> None:
    (statement,) = read_statements(normalise(f"会費は{month}につき3,000円とする。"))
    assert (*statement.quantity, statement.measure.least) == ("会費", "1月", "円", 3_000)


@pytest.mark.parametrize("cut_at", range(8))
def test_of_a_long_phrase_the_end_is_no_subject(cut_at: int) -> None:
    """Wherever its words lie: the end of two phrases may be the same."""
    phrase = f"the time of a red session that any one client keeps open to a very b{'i' * cut_at}g server"
    assert list(read_statements(f"{phrase} is 5 minutes.")) == []
    assert [statement.subject for statement in read_statements("- 2. the time of a red session is 5 minutes.")] == [
        "time of a red session"
    ]
