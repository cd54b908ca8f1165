"""What two sentences have to agree in to be about one value, and what they may say otherwise (seed 004 §3)."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.measures import spell_out
from morenashi.server.search.judgement.reworded import Reworded, read_reworded
from morenashi.server.search.judgement.sentences import outside_tables

from ..limited_work import RunWithin


def read(sentence: str) -> list[Reworded]:
    return list(read_reworded(outside_tables(spell_out(normalise(sentence)))))


def contradict(one: str, other: str) -> bool:
    return any(
        first.quantity == second.quantity and first.contradicts(second) for first in read(one) for second in read(other)
    )


STARTS = [
    "受領後",
    "受領後から",
    "受領日から",
    "受領時から",
    "受領時点より",
    "受領月から数えて",
    "受領日から起算して、",
]
ENGLISH_STARTS = (
    *("after receipt", "from the customer's sign-in date", "of your order", "of its arrival"),
    *("of the date of issue", "of the day of issue", "of purchase", "of delivery", "of discovery", "of hire"),
    *("of the request", "of its submission"),
)
DELETED = ("後に削除される", "経過後に消去する", "経過すると自動的に破棄されます", "を過ぎると廃棄する")
DELETED_IN_ENGLISH = ("deleted", "purged", "automatically removed", "erased", "permanently discarded")
EXCEEDS_NOT = (
    *("てはならない", "てはなりません", "てはいけない", "てはいけません", "て命じない", "て命じません"),
    *("ることはできない", "ることができません", "ることはない", "ない", "ません"),
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((f"記録は{start}30日間保存する。", "記録は90日間保存する。") for start in STARTS),
        *((f"Records are kept for 30 days {start}.", "Records are kept for 90 days.") for start in ENGLISH_STARTS),
        *((f"残業は月45時間を超え{end}。", "残業は月60時間以内とする。") for end in EXCEEDS_NOT),
        ("返品は7日以内ならば承ります。", "返品は14日以内に承ります。"),
        ("予備の電池は少なくとも4個用意する。", "予備の電池は2個用意する。"),
        ("予備の電池は必ず4個用意する。", "予備の電池は2個用意する。"),
        ("受付は9時以後とする。", "受付は10時から可能です。"),
        ("受付は9時より行う。", "受付は10時以降に行う。"),
        ("予備の電池は最小4個用意する。", "予備の電池は2個用意する。"),
        ("宿泊費の上限は8,000円とする。", "宿泊費は1万円まで支給する。"),
        ("申込は7日以内に限り、認めます。", "申し込みの期限は14日以内とする。"),
        ("届け出は5日前までに行う。", "届出は10日前までに行うこと。"),
        ("休暇は3か月ごとに与える。", "休暇は1か月毎に与えます。"),
        ("写しは3日おきに取る。", "写しは週に1回取る。"),
        ("会費は毎月500円である。", "会費は毎月600円となる。"),
        ("日当は2千円、宿泊費は8千円、昼食代は千円とする。", "日当は2千円、宿泊費は9千円、昼食代は千円とする。"),
        ("検査員の数は5名以上とする。", "検査員は3名以上でなければならない。"),
        ("残業は月45時間を超えることはできない。", "残業は月60時間以内とする。"),
        ("残業は月45時間を超えて命じない。", "残業は月60時間を限度とする。"),
        ("Copies of the boxes are stored for 3 years.", "The boxes' copies are kept for 5 years."),
        ("Reports are sent monthly.", "Reports are sent quarterly."),
        ("The report is due every 2 weeks.", "The report is due every month."),
        ("Wages are paid on Fridays.", "Wages are paid every Thursday."),
        ("予備の電池は最大4個とする。", "予備の電池は6個まで認める。"),
        ("予備の電池を4個用意しなくてはいけません。", "予備の電池を2個用意しなければならない。"),
        ("残業は月45時間を超えることはできません。", "残業は月60時間以内とする。"),
        ("申込は7日以内であれば可能です。", "申し込みの期限は14日以内とする。"),
        ("受講の人数は20人とする。", "受講は10人に実行した。"),
        ("記録は受領日から起算して30日間保存する。", "記録は90日間保存する。"),
        ("Records are kept for 30 days from the date of receipt.", "Records are kept for 90 days."),
        ("Records are kept for 30 days of receipt.", "Records are kept for 90 days."),
        ("写しは毎日1回取る。", "写しは毎週取る。"),
        ("写しは1日おきに取る。", "写しは毎日取る。"),
        ("写しは半年に1回取る。", "写しは毎月取る。"),
        ("写しは隔週で取る。", "写しは毎週取る。"),
        ("写しは少なくとも週1回取る。", "写しは月1回取る。"),
        ("写しは週に1回は取る。", "写しは毎月取る。"),
        ("写しは最大で年2回取る。", "写しは毎月取る。"),
        ("Copies are made at least weekly.", "Copies are made monthly."),
        ("Copies are made once every 2 weeks.", "Copies are made daily."),
        ("電池は最低でも4個用意する。", "電池は2個用意する。"),
        ("残業は月45時間を超えることができません。", "残業は月60時間以内とする。"),
        ("廊下の掃除は毎週行う。", "廊下は毎月掃除する。"),
        ("記録は90日後に削除する。", "記録の削除は30日後に行う。"),
        ("非常灯は毎月点検する。", "非常灯の点検は年1回とする。"),
        ("書庫の湿度は60%未満とする。", "書庫の湿度は50%未満でなければならない。"),
        ("受付は9:00 から行う。", "受付は10時から可能です。"),
        ("届け出は5日前までに行う。", "届け出は10日前に行う。"),
        ("当番は毎週5人とする。", "当番は毎週3人とする。"),
        ("廊下は10人で毎週清める。", "廊下は20人で毎週清める。"),
        ("木の杭は3個おきに打つ。", "木の杭は5個おきに打つ。"),
        ("飲み薬は8時間おきに飲む。", "飲み薬は毎日飲む。"),
        ("面会は月2回を限度とする。", "面会は月1回までとする。"),
        ("面会は月2回限度とする。", "面会は月1回までとする。"),
        ("日当は2千円とし、泊まる場合は別に定める。", "日当は3千円とし、泊まる場合は別に定める。"),
        ("予備の電池を4個用意しなければいけない。", "予備の電池を2個用意しなければならない。"),
        ("申請は年2回を超えてはならない。", "申請は年1回まで認める。"),
        ("Meetings are held every 3 weeks in town.", "We hold meetings every 2 weeks in town."),
        ("The office opens at 8:30.", "The office is open from 9:00."),
        ("図書室は9時から20時まで利用できる。", "図書室の利用時間は9時から18時までです。"),
        ("Set the retry interval to 5 seconds.", "The retry interval should be 10 seconds."),
        ("Refunds take up to 30 days.", "Refunds are issued within 14 days."),
        ("Idle connections are closed after 5 minutes.", "Inactive connections are closed after 10 minutes."),
        ("The token expires after 60 minutes.", "Tokens time out after 15 minutes."),
        ("基本契約の期間は3年とする。", "基本契約は期間を5年とする。"),
        ("The course takes 3 weeks.", "The course lasts 4 weeks."),
        ("ファイルは最大10MBまで送信できます。", "送信できるファイルのサイズは25MBまでです。"),
        ("会員証の有効期限は2年です。", "会員証は発行から1年間有効です。"),
        ("Files must not exceed 50 MB.", "The maximum size of files is 100 MB."),
        ("Meetings start at 10:00.", "Meetings begin at 9:30."),
        ("Copies of the base are made every night.", "Copies of the base are made once a week."),
        ("The API key is valid for 30 days.", "API keys expire after 90 days."),
        ("Keys expire every 90 days.", "Keys expire after 60 days."),
        ("Screens are locked after 2 minutes.", "Screens are automatically locked after 15 minutes."),
        ("Data is permanently deleted after 30 days.", "Data is kept for 14 days."),
        ("Staff may work from home up to 3 days per week.", "Staff can work from home up to 2 days a week."),
        ("Incidents must be reported within 24 hours.", "Incidents are reported no later than 72 hours."),
        ("Claims are paid in no more than 30 days.", "Claims are paid within 14 days."),
        ("Copies are kept for no less than 30 days.", "Copies are kept for at least 90 days."),
        ("Copies are kept for 30 days.", "Copies are retained for 90 calendar days."),
        ("出張費の精算は帰着後7日以内に行う。", "出張費は帰着してから10日以内に精算すること。"),
        *((f"録画は14日{deleted}。", "録画の保存期間は1か月です。") for deleted in DELETED),
        *(
            (f"Backups are {deleted} after 90 days.", "Backups are retained for 30 days.")
            for deleted in DELETED_IN_ENGLISH
        ),
    ],
)
def test_what_any_sentence_may_say_of_a_value_makes_no_difference(one: str, other: str) -> None:
    assert contradict(one, other)
    assert contradict(other, one)


ENDS = (
    "終了",
    "終わり",
    "満了",
    "解約",
    "解除",
    "解散",
    "退職",
    "退会",
    "退社",
    "廃止",
    "廃棄",
    "削除",
    "停止",
    "取消",
    "変更",
)
ENGLISH_ENDS = (
    *("termination", "expiry", "closing", "deletion", "cancellation", "ending", "removal", "resignation", "leaving"),
    *(
        "changes",
        "Monday to Friday",
        "Monday until Friday",
        "Monday by Friday",
        "Monday via Rome",
        "Monday through noon",
    ),
    "Monday into June",
)
SUPPOSED = (
    "欠席したら",
    "休んだら",
    "休む際に",
    "を超えたのち",
    "未満の人に",
    "超の人に",
    *(f"以{end}の人に" for end in "上下内"),
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("勤続10年の者は2人とする。", "勤続20年の者は2人とする。"),
        ("手当は10日を超える場合に支給する。", "手当は20日を超える場合に支給する。"),
        ("手当は10日のときに支給する。", "手当は20日のときに支給する。"),
        ("手当は10日を超えない場合に支給する。", "手当は20日を超えない場合に支給する。"),
        *((f"手当は10日{word}支給する。", f"手当は20日{word}支給する。") for word in SUPPOSED),
        *(
            (f"Mail is kept {word} it rains for 3 days.", f"Mail is kept {word} it rains for 5 days.")
            for word in ("if", "when", "where", "while", "once", "because", "until", "after", "before", "since")
        ),
        ("貝塚は8000年前にできた。", "貝塚は5000年前にできた。"),
        ("手当は10日ならば支給する。", "手当は20日ならば支給する。"),
        ("会費は令和5年とする。", "会費は令和6年とする。"),
        ("規程は2024年に改める。", "規程は2025年に改める。"),
        ("会費は500円ではない。", "会費は600円です。"),
        ("手当は休日を除き2千円とする。", "手当は休日を除き3千円とする。"),
        ("会費は非会員が500円です。", "会費は会員が600円です。"),
        ("値は3件とする。", "期間は5件とする。"),
        ("既定値は30秒です。", "既定値は60秒です。"),
        ("| 電池 | 電池は4個です。 |", "電池は2個です。"),
        ("受付は9時からとする。", "受付は10時までとする。"),
        ("1. 常勤の職員 20日", "1. 常勤の職員 10日"),
        ("電池は1個、2個、3個、4個と増やす。", "電池は1個、2個、3個、5個と増やす。"),
        ("木の棚は8時に開ける。", "革の棚は9時に開ける。"),
        ("水は3本、茶は5本とする。", "水は3本、酒は6本とする。"),
        ("月曜日は10人が当番である。", "火曜日は10人が当番である。"),
        ("If the mail is late, wait for 3 days.", "If the mail is late again, wait for 5 days."),
        ("Mail is not kept for 3 days.", "Mail is kept for 5 days."),
        ("Mail isn't kept for 3 days.", "Mail is kept for 5 days."),
        ("Mail is kept unless read for 3 days.", "Mail is kept for 5 days."),
        ("Keys expire after approval in 5 days.", "Keys expire after approval in 9 days."),
        ("The limit is 30 seconds.", "The limit is 60 seconds."),
        ("The default is 30 seconds.", "The default is 60 seconds."),
        ("Keys expire every 90 days.", "Keys are renewed every 30 days."),
        ("Copies are kept for no less than 30 days.", "Copies are kept for 90 days."),
        ("Claims are paid no later than 30 days after filing.", "Claims are paid within 14 days of rejection."),
        ("Fees are 30 dollars from the second year.", "Fees are 40 dollars."),
        ("手当は入社後3万円とする。", "手当は4万円とする。"),
        ("Wait 30 seconds.", "Wait 60 seconds."),
        ("手当は月1万円を支給しない。", "手当は月2万円を支給しない。"),
        ("りすの飼料は3個とする。", "さるの飼料は5個とする。"),
        ("A key is kept where it rains for 3 days.", "A key is kept where it rains for 5 days."),
        ("報告は期日の3日前までに行う。", "報告は期日の5日後までに行う。"),
        ("研修は3日目とする。", "研修は5日とする。"),
        ("受付は17時とする。", "受付は18時までとする。"),
        ("受付は9時前とする。", "受付は9時半後とする。"),
        ("受付は9時前とする。", "受付は9時半とする。"),
        ("受付は9時後とする。", "受付は9時半とする。"),
        ("The box holds 5 small cells.", "The box holds 9 small cells."),
        ("室温は毎日25度に保つ。", "室温は毎日保つ。"),
        ("講習は年2回目から受ける。", "講習は毎年受ける。"),
        ("札は5個ごとに付ける。", "札は毎週付ける。"),
        ("手当は7日以内であれば半額とする。", "手当は14日以内であれば半額とする。"),
        *((f"記録は契約{end}後30日間保存する。", "記録は90日間保存する。") for end in ENDS),
        *((f"Records are kept for 30 days from {end}.", "Records are kept for 90 days.") for end in ENGLISH_ENDS),
        ("The desk opens for 8 hours from Monday to Friday.", "The desk opens for 4 hours."),
        ("The office opens at 9:00.", "The office closes at 17:00."),
        ("Deleted files are kept for 30 days.", "Files are kept for 7 days."),
        ("Trial accounts are deleted after 30 days.", "Accounts are kept for 90 days."),
        ("退会から30日後にアカウントは削除される。", "アカウントは90日間保存される。"),
        ("Refunds are issued within 14 days.", "Refunds take 10 days."),
        ("Users can send 10 messages.", "Users can receive 50 messages."),
        ("Claims must be sent within 30 days.", "Claims are processed within 10 days."),
        ("Refund requests must be made within 30 days.", "Refund requests are processed within 5 days."),
        ("The permit lasts 2 years.", "The permit is issued within 10 days."),
        ("Parcels are sent within 2 days.", "Parcels take 5 days."),
        ("The request times out after 30 seconds.", "The request is valid for 15 minutes."),
        ("The session timeout is 30 minutes.", "Sessions are valid for 8 hours."),
        ("申請は30日以内に行う。", "申請は7日以内に許可する。"),
        ("本規程は2年ごとに見直す。", "本規程は毎年見直す。"),
        ("当マニュアルの対象は50名です。", "当マニュアルの対象は30名です。"),
        ("保証は購入から1年間です。", "保証期間は納品から2年です。"),
        ("画像ファイルのサイズは5MBまでです。", "ファイルのサイズは10MBまでです。"),
    ],
)
def test_a_case_a_thing_and_a_denial_make_one(one: str, other: str) -> None:
    assert not contradict(one, other)
    assert not contradict(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("写しは週7回取る。", "写しは毎日取る。"),
        ("写しは1日1回取る。", "写しは24時間ごとに取る。"),
        ("写しは7日に一回取る。", "写しは週1回取る。"),
        ("写しは1週間ごとに取る。", "写しは毎週取る。"),
        ("写しは3か月に1回取る。", "写しは四半期毎に取る。"),
        ("写しは年2回取る。", "写しは6か月ごとに取る。"),
        ("写しは毎年取る。", "写しは12か月おきに取る。"),
        ("写しは毎月取る。", "写しは年に12回取る。"),
        ("Copies are made daily.", "Copies are made every 24 hours."),
        ("Copies are made weekly.", "Copies are made every 7 days."),
        ("Copies are made monthly.", "Copies are made every month."),
        ("Copies are made quarterly.", "Copies are made every 3 months."),
        ("Copies are made yearly.", "Copies are made every 12 months."),
        ("Copies are made annually.", "Copies are made once per year."),
        ("Copies are made every day.", "Copies are made every 24 hours."),
        ("Copies are made every week.", "Copies are made once every week."),
        ("Copies are made twice each month.", "Copies are made every 15 days."),
        ("写しは毎日2回取る。", "写しは12時間ごとに取る。"),
        ("写しは半年に1回取る。", "写しは年2回取る。"),
        ("写しは半年ごとに取る。", "写しは6か月毎に取る。"),
        ("写しは隔週で取る。", "写しは2週間に1回取る。"),
        ("写しは1日おきに取る。", "写しは2日に1回取る。"),
        ("写しは1週間おきに取る。", "写しは隔週に取る。"),
        ("写しは隔日で取る。", "写しは1日おきに取る。"),
        ("写しは隔月で取る。", "写しは2か月ごとに取る。"),
        ("写しは隔年で取る。", "写しは2年に一回取る。"),
        ("写しは10日に1回取る。", "写しは10日ごとに取る。"),
        ("写しは10日に1回取る。", "写しは9日おきに取る。"),
        ("写しは3か月に1度取る。", "写しは四半期に一度取る。"),
        ("写しは年2度取る。", "写しは半年ごとに取る。"),
        ("Copies are made once every 10 weeks.", "Copies are made every 70 days."),
        ("写しは3日おきに取る。", "写しは3日ごとに取る。"),
        ("写しは3日おきに取る。", "写しは4日に1回取る。"),
        ("写しは毎月1度取る。", "写しは月1回取る。"),
        ("Copies are made once every 2 weeks.", "Copies are made every 14 days."),
        ("写しは少なくとも週1回取る。", "写しは毎日取る。"),
        ("写しは最低でも週1回取る。", "写しは毎日取る。"),
        ("写しは3か月に1回は取る。", "写しは毎月取る。"),
        ("写しは最大で年2回取る。", "写しは年1回取る。"),
        ("Copies are made at least weekly.", "Copies are made daily."),
        ("Copies are made at most twice a year.", "Copies are made once a year."),
        ("電池は少なくとも4個用意する。", "電池は6個用意する。"),
        ("電池は最低でも4個用意する。", "電池は6個用意する。"),
    ],
)
def test_how_often_something_is_done_may_be_said_in_several_ways(one: str, other: str) -> None:
    ((first,), (second,)) = read(one), read(other)
    assert first.quantity == second.quantity
    assert not first.contradicts(second)


def test_what_is_no_longer_one_statement_is_not_read() -> None:
    assert read("電池は4個用意し、" + "それぞれの棚に名前を書いて置き、" * 8 + "数える。") == []
    assert read("電池は" + "それぞれの棚に名前を書いて" * 7 + "4個用意する。") == []


@pytest.mark.parametrize("counted", [*"回日人件名月泊年個枚台", "時間"])
@pytest.mark.parametrize("each", ["につき", "つき", "につき、", "当たり", "あたり、"])
def test_for_what_a_sum_is_makes_no_difference_to_its_words(counted: str, each: str) -> None:
    assert contradict(f"送料は1{counted}{each}500円とする。", f"送料は1{counted}600円とする。")


@pytest.mark.parametrize(
    "sentence",
    [
        *(
            f"記録は90日間保存{end}。"
            for end in ("しない", "しません", "せずにおく", "不可とする", "無効とする", "を禁じる", "未了とする")
        ),
        *(
            f"記録は{how}90日間保存する。"
            for how in ("休みなく", "署名なしで", "会社を除く者が", "非会員が", "保証無しで")
        ),
        *(f"Records are kept {how} for 90 days." for how in ("never", "without copies", "except mail", "unless read")),
        "Records of no guest are kept for 90 days.",
        "そのときは、記録を90日間保存する。",
        "このときは、記録を90日間保存する。",
        "90日間、記録を倉庫に保存します。",
        *(f"{default}値は90日間です。" for default in ("既定", "初期", "標準")),
    ],
)
def test_what_denies_points_elsewhere_or_names_nothing_is_not_read(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.parametrize("sentence", ["90日ずつ", "不動産屋で90日間", "無線で90日間", "非常時の分は90日間", "90日未満"])
def test_what_only_looks_as_if_it_denied_is_read(sentence: str) -> None:
    assert len(read(f"記録は{sentence}保存する。")) == 1


@pytest.mark.parametrize(
    ("word", "bound"),
    [
        *(
            (word, "most")
            for word in ("最大", "最大で", "最大でも、", "最長", "最長で", "最高", "上限は", "上限を", "上限、")
        ),
        *((word, "least") for word in ("最小", "最低", "最低でも", "下限は", "下限を")),
    ],
)
def test_a_word_before_or_behind_a_value_makes_it_a_bound(word: str, bound: str) -> None:
    (before,) = read(f"記録の保存は{word}90日間である。")
    assert before.measure.bound == bound
    behind = "下限" if bound == "least" else "上限"
    assert [one.measure.bound for one in read(f"記録の保存は90日間を{behind}とする。")] == [bound]


@pytest.mark.parametrize("case", ["退会のときは", "退会のときに", "退会時は", "退会時には", "退会の場合には"])
def test_a_case_is_a_topic_however_it_is_put(case: str) -> None:
    (one,), (other,) = read(f"{case}記録を90日間保存する。"), read("退会は記録を30日間保存する。")
    assert one.quantity == other.quantity


_PARTICLES = """
from morenashi.server.search.judgement.reworded import read_reworded
for kana in ("には", "である", "あります", "でき", "されて", "する", "なります", "こと", "まで", "て", "うち"):
    for begun in ("電池は3個", "電池は3個数"):
        assert len(list(read_reworded([f"{begun}{(kana * 40)[:75]}ぃ"]))) == 1
"""


def test_many_words_of_grammar_in_a_row_are_read_in_linear_work(run_within: RunWithin) -> None:
    run_within(3, _PARTICLES)
