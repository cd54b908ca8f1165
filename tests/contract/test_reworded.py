"""Texts that give one thing two values contradict each other, also where they put it in other words (seed 004 §3)."""

from collections.abc import Iterator

import pytest

from ..workspaces import WorkspaceFolder
from .paired import Pairs, serving_pairs

# What is asked for, and a sentence of each text.
CONTRADICTIONS = [
    ("ログ", "ログは90日間保持されます。", "ログの保持期間は1年です。"),
    ("休暇", "有給休暇の申請は、前日までに行わなければならない。", "有給休暇の申請は、3日前までに行うこと。"),
    ("在宅", "在宅勤務は週3日まで認める。", "在宅勤務は週に2日を限度とする。"),
    ("残業", "残業は月45時間を超えてはならない。", "残業は月60時間まで認める。"),
    ("パスワード", "パスワードは8文字以上とする。", "パスワードの長さは10文字以上でなければならない。"),
    ("写し", "写しは毎日午前2時に作る。", "写しは、毎日午前3時に作られます。"),
    ("写し", "写しは週1回取得する。", "写しは毎日取得する。"),
    ("消火器", "消火器は6か月ごとに点検する。", "消火器は年1回点検する。"),
    ("棚卸", "棚卸は1か月に1回行う。", "棚卸は四半期ごとに行う。"),
    ("返品", "商品到着後7日以内であれば返品できます。", "商品到着後14日以内であれば返品できます。"),
    ("会議", "定例会議は毎週月曜日10時から行う。", "定例会議は毎週火曜日の10時に開催する。"),
    ("会議室", "会議室の予約は2週間前から受け付けます。", "会議室の予約は、1か月前から可能です。"),
    ("手当", "通勤手当の上限は月額3万円とする。", "通勤手当は、月額5万円を限度として支給する。"),
    ("夜勤", "夜勤手当は1回につき5,000円を支給する。", "夜勤手当は、1回当たり6,000円とする。"),
    ("遅延", "遅延損害金は年14.6%とする。", "遅延損害金の利率は年3%とする。"),
    ("到着", "到着は15時からです。", "到着は14時以降に可能です。"),
    ("日当", "出張の日当は管理職が3,000円、一般職が2,000円とする。", "出張の日当は、管理職4,000円、一般職2,000円だ。"),
    ("timeout", "The request timeout is 30 seconds by default.", "By default, requests time out after 60 seconds."),
    ("試用", "試用期間は入社日から3か月とする。", "試用期間は6か月間とする。"),
    ("購入", "10万円以上の購入には部長の承認が必要である。", "5万円以上の購入には部長の承認が必要である。"),
    ("欠勤", "3日以上欠勤する場合は、診断書を提出する。", "5日以上欠勤する場合は、診断書を提出する。"),
    ("warranty", "The warranty period is 12 months from purchase.", "The warranty period is 24 months."),
    ("backup", "Backups are taken daily.", "Backups are taken weekly."),
    ("backup", "Backups are retained for 30 days.", "Backups are kept for 90 days."),
    ("boiler", "The boiler is inspected every 3 months.", "The boiler must be inspected once a year."),
    ("API", "The API allows 100 requests per minute.", "The API rate limit is 60 requests per minute."),
    ("deploy", "The site is deployed every Tuesday.", "The site is deployed on Thursdays."),
    ("不動産", "不動産の届出期限は30日とする。", "不動産の届出は60日以内に行うこと。"),
    ("LAN", "無線LANの鍵は90日ごとに変更する。", "無線LANの鍵は、半年に1回変更すること。"),
    ("端末", "端末を紛失したときは、1時間以内に報告する。", "端末の紛失は24時間以内に報告すること。"),
    ("端末", "端末を紛失した際には、1時間以内に報告する。", "端末を紛失したら、24時間以内に報告してください。"),
    ("解約", "解約の際は、1か月前までに通知する。", "解約する場合は、2か月前までに通知してください。"),
    ("事故", "事故が発生した場合は、24時間以内に報告する。", "事故の発生時は、48時間以内に報告する。"),
]

AGREEMENTS = [
    ("ログ", "ログは30日間保持されます。", "ログの保持期間は30日です。"),
    ("ログ", "ログは1時間ごとに出力される。", "ログは30日間保存される。"),
    ("写し", "全体の写しは毎週取得する。", "差分の写しは毎日取得する。"),
    ("写し", "写しは月1回取得する。", "写しは毎月取得する。"),
    ("申請", "申請は利用日の3日前までに行う。", "申請は利用日の1か月前から行うことができる。"),
    ("受付", "受付は平日9時から開始する。", "受付は平日17時に終了する。"),
    ("報告", "月次報告は毎月5日までに提出する。", "月次報告は毎月10日までに承認する。"),
    ("残業", "残業は月45時間以内とする。", "残業は年360時間以内とする。"),
    ("パスワード", "パスワードは8文字以上とする。", "パスワードの長さは32文字以下とする。"),
    ("会議", "営業会議は毎週月曜日に行う。", "開発会議は毎週火曜日に行う。"),
    ("開館", "平日は9時に開館する。", "土曜日は10時に開館する。"),
    ("休憩", "労働が6時間を超える場合は45分の休憩を与える。", "労働が8時間を超える場合は1時間の休憩を与える。"),
    ("検収", "検収の期間は納品の日から10日以内とする。", "検収の期間は通知の日から14日以内とする。"),
    ("届", "10日以上のときは届を出すことが必要である。", "20日以上のときは届を出すことが必要である。"),
    ("購入", "10万円以上の購入には部長の承認が必要である。", "50万円以上の購入には社長の承認が必要である。"),
    ("trial", "The trial lasts 14 days from sign-up.", "The trial of a team lasts 30 days."),
    ("ごみ", "燃えるごみは8時に出す。", "かさばるごみは9時に出す。"),
    ("手当", "手当は月額1万円を支給する。", "手当は月額2万円を支給しない。"),
    ("logs", "Access logs are kept for 30 days.", "Audit logs are kept for 365 days."),
    ("timeout", "The default timeout is 30 seconds.", "The timeout is 300 seconds."),
    ("ask", "If you ask twice a year, one copy is free.", "If you ask once a year, one copy is free."),
    ("desk", "On Mondays the desk is open.", "On Tuesdays the desk is open."),
    ("出張", "出張する場合は、3日以内に届け出る。", "出張した場合は、7日以内に届け出る。"),
    ("端末", "端末を紛失した場合は、1時間以内に報告する。", "端末を破損したときは、24時間以内に報告する。"),
    ("退職", "退職した場合は、7日以内に返却する。", "退職しない場合は、30日以内に返却する。"),
    ("通知", "そのときは、7日以内に通知する。", "通知は、30日以内に行う。"),
]


@pytest.fixture(scope="module")
def pairs(shared_workspace: WorkspaceFolder) -> Iterator[Pairs]:
    with serving_pairs(shared_workspace, [(one, other) for _, one, other in CONTRADICTIONS + AGREEMENTS]) as served:
        yield served


@pytest.mark.parametrize("number", range(len(CONTRADICTIONS)), ids=["-".join(said) for _, *said in CONTRADICTIONS])
def test_values_of_one_thing_are_a_conflict_in_whatever_words(pairs: Pairs, number: int) -> None:
    assert set(pairs.conflict_kinds(number, CONTRADICTIONS[number][0])) == {"quantity"}


@pytest.mark.parametrize("number", range(len(AGREEMENTS)), ids=["-".join(said) for _, *said in AGREEMENTS])
def test_a_word_more_is_another_case(pairs: Pairs, number: int) -> None:
    assert pairs.conflict_kinds(len(CONTRADICTIONS) + number, AGREEMENTS[number][0]) == []
