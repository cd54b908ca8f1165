"""Numbers in questions with what they count: one word, in all its notations, and nothing that is missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.search.question.counted import find_counted, parts_of_date, without_bound, without_counted
from morenashi.server.search.question.query import parse_query

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


def terms_of(question: str) -> list[str]:
    return [term.text for term in parse_query(question, {}, {}).terms]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("30日以内に申請しなければならない者は誰ですか", ["30日", "申請"]),
        ("150,000円を超える出張の承認者は誰ですか", ["150,000円", "出張", "承認者"]),
        ("1億2000万円の予算はどこに使われましたか", ["1億2000万円", "予算"]),
        ("2023年4月1日から施行される規定は何ですか", ["2023年4月1日", "施行", "規定"]),
        ("令和5年度の決算はいつ公表されますか", ["令和5年", "決算", "公表"]),
        ("10時30分から始まる会議の参加者は誰ですか", ["10時30分", "会議", "参加者"]),
        ("22:30から始まる会議の参加者は誰ですか", ["22:30", "会議", "参加者"]),
        ("議員の3分の2以上の賛成が必要な事項は何ですか", ["3分の2", "議員", "賛成", "必要", "事項"]),
        ("三分の二以上の賛成が必要な事項は何ですか", ["三分の二", "賛成", "必要", "事項"]),
        ("議決権の10分の1未満の株主は誰ですか", ["10分の1", "議決権", "株主"]),
        ("10分の休憩をとる者は誰ですか", ["10分", "休憩"]),
        ("50%以上の株式を保有する場合の届出は何ですか", ["50%", "株式", "保有", "届出"]),
        ("19世紀後半に移住した国はどこですか", ["19世紀", "後半", "移住"]),
        ("三十日以内に申請しなければならない者は誰ですか", ["三十日", "申請"]),
        ("十五万円以上の出張の承認者は誰ですか", ["十五万円", "出張", "承認者"]),
        ("昭和二十七年十二月三十一日以前の取得の特例は何ですか", ["昭和二十七年十二月三十一日以前", "取得", "特例"]),
        ("第三十回以降の大会の申込先はどこですか", ["第三十回以降", "大会", "申込先"]),
    ],
)
def test_a_number_is_one_word_with_what_it_counts(question: str, terms: list[str]) -> None:
    assert terms_of(question) == terms


@pytest.mark.parametrize(
    "question", ["3年以上勤務した社員の退職金はいくらですか", "5日以内に届出をする社員の手当はいくらですか"]
)
def test_a_single_figure_is_no_word_and_leaves_none_behind(question: str) -> None:
    assert not [term for term in terms_of(question) if any(part in term for part in ("年", "日", "以"))]


COUNTERS = (
    "円 ドル ユーロ 年 か月 ヶ月 週 週間 営業日 日 日間 時間 分 分間 秒 世紀 人 名 名様 社 件 回 割 倍 歳 才 個 台 枚 "
    "冊 部 頁 ページ 文字 桁 点 種類 段階 パーセント ポイント % キロ メートル トン"
).split()


@pytest.mark.parametrize("counter", COUNTERS)
def test_whatever_is_counted_belongs_to_its_number(counter: str) -> None:
    (counted,) = find_counted(f"約30{counter}以内の")
    assert counted.rstrip("間様") == f"30{counter}".rstrip("間様")
    assert [without_counted(f"約30{counter}{bound}の") for bound in ("", "以内", "程度", "前後")] == ["約 の"] * 4
    assert without_counted(f"約三十{counter}以内の") == "約 の"
    assert find_counted(f"約5{counter}の") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("午後10時から", ["午後10時"]),
        ("午前9時半から", ["午前9時半"]),
        ("午後10時30分から", ["午後10時30分"]),
        ("10時半から", ["10時半"]),
        ("9:30から", ["9:30"]),
        ("9:30:15に", []),
        ("1980年代の", ["1980年代"]),
        ("2023年12月の", ["2023年12月"]),
        ("12月の", ["12月"]),
        ("三十日間以内の", ["三十日"]),
    ],
)
def test_times_of_the_day_and_of_the_calendar_are_one_word(text: str, found: list[str]) -> None:
    assert find_counted(text) == found


def test_a_citation_goes_before_what_is_counted() -> None:
    assert terms_of("第9条第2項の30日を過ぎた届出の扱いは何ですか")[:2] == ["第9条第2項", "30日"]


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        *(("4月1日以降", ["4月1日"]), ("30日以内に", ["30日"]), ("30日未満", ["30日"]), ("30日より前", ["30日"])),
        *(("三十日以内", ["三十日"]), ("十日前までに", ["十日"]), ("三日以内", [])),
        *(("3月まで", ["3月"]), ("10万円を超える", ["10万円"]), ("10万円超", ["10万円"]), ("規程以降", [])),
    ],
)
def test_a_number_is_known_without_its_bound(word: str, bare: list[str]) -> None:
    assert without_bound(word) == bare


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        *(("2023年4月1日", ["2023年", "4月1日"]), ("2023-04-01", ["2023年", "4月1日"]), ("令和5年度", ["令和5年"])),
        *(("2023年4月", ["2023年", "4月"]), ("4月1日", []), ("30日", [])),
    ],
)
def test_a_date_is_known_by_its_year_and_its_day(word: str, parts: list[str]) -> None:
    assert parts_of_date(word) == parts


@given(st.text(alphabet="0123456789三十百,.年月日円万億以内上人%第条の申請", max_size=40))
def test_what_is_counted_is_taken_out_whole(text: str) -> None:
    assert all(counted in text for counted in find_counted(text))
    assert find_counted(without_counted(text)) == []


def test_a_limit_in_a_sentence_is_found_in_every_notation(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 届出\n\n届出は、三十日以内にする。\n")
    workspace.write("m/b.md", "# 届出\n\n届出は、30日以内にする。\n")
    workspace.write("m/c.md", "# 番号\n\n様式30による。\n")
    assert serve().find("30日以内に行うべきものは何ですか").paths() == {"a.md", "b.md"}


def test_a_date_that_stands_nowhere_as_a_whole_is_known_by_its_year(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 改正\n\n令和5年に改正した。\n")
    assert serve().find("2023年4月1日").paths() == {"a.md"}


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("10月1日以降", "10月1日から施行する。"),
        ("2024年10月1日以前", "令和6年10月1日まで受け付ける。"),
        ("50,000円以上", "五万円を超える支出。"),
        ("18歳未満", "18歳に満たない者。"),
        ("10月1日から", "10月1日以降に行う。"),
        ("2週間前までに", "二週間前に届け出る。"),
        ("10日前まで", "十日前に届け出る。"),
        ("3回まで", "三回を限度とする。"),
        ("60時間超", "60時間を超えた場合。"),
        ("収入103万円以下", "収入が103万円を超えないこと。"),
    ],
)
def test_a_bound_that_is_said_otherwise_is_found_by_its_number(
    workspace: WorkspaceFolder, serve: Serve, asked: str, written: str
) -> None:
    workspace.write("m/x.md", f"# 一\n\n{written}\n\n# 二\n\n別の文。\n")
    found = serve().find(asked)
    assert (found.status, found.places()) == ("found", {("x.md", 3)})


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("10MB以上のファイルをアップロードできますか", ["10mb", "ファイル", "アップロード"]),
        ("4コア以上のサーバーが必要な構成は何ですか", ["コア", "サーバー", "必要", "構成"]),
        ("iOS 15以降に対応していますか", ["ios", "15", "対応"]),
        ("30日 以内", ["30日"]),
        ("以上", ["以上"]),
    ],
)
def test_a_bound_is_no_word_whatever_stands_before_it(question: str, terms: list[str]) -> None:
    assert terms_of(question) == terms


def test_which_one_it_is_says_nothing_without_its_number() -> None:
    # 第 alone is on every line of a statute.
    assert parse_query("第3回", {}, {}).fallback == ()
