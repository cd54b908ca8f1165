"""Two texts that cannot both hold are a conflict; two that may are none (seed 004 §3 and §4, contract §3)."""

from collections.abc import Iterator

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder
from .paired import Pairs, serving_pairs


def test_two_values_of_one_quantity_are_a_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\nパスワードの有効期限は90日とする。\n")
    workspace.write("m/b.md", "# 手引き\n\nパスワードの有効期限は、180日とする。\n")
    (item,) = serve().find("パスワード").hits("conflicts")
    assert {item["path"], item["conflict_with"][0]["path"]} == {"a.md", "b.md"}


def test_the_same_value_in_other_notation_is_none(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\nパスワードの有効期限は90日とする。\n")
    workspace.write("m/b.md", "# 手引き\n\nパスワードの有効期限は九十日とする。\n")
    assert serve().find("パスワード").hits("conflicts") == []


CONTRADICTIONS = [
    ("申請期限は出張日の14日前とする。", "申請期限は出張日の7日前とする。"),
    ("申請期限は帰着後7日以内である。", "申請期限は、帰着後二週間以内とする。"),
    ("申請は3日以内に行う。", "申請は七日以内に行う。"),
    ("申請料は12,000円とする。", "申請料は1万5,000円とする。"),
    ("申請料は三万円です。", "| 申請料 | 25,000円 |"),
    ("申請サーバーの保存期間は90日とする。", "申請サーバの保存期間は1年である。"),
    ("申請の開始日: 2025年4月1日", "申請の開始日は2026年4月1日とする。"),
    ("申請 The review period is 30 days.", "申請 The review period is two pages; the review period is 6 weeks."),
    ("**申請料**は **1,000円** です。", "申請料は1,500円です。"),
    ("申請の開始日は令和6年4月1日とする。", "申請の開始日は令和七年四月一日とする。"),
    ("申請の開始日は令和元年5月1日とする。", "申請の開始日は2019年4月1日とする。"),
    ("申請用の番号は8文字以上で設定してください。", "申請用の番号は12文字以上で設定してください。"),
    ("申請の締切は毎月25日とする。", "申請の締切は、毎月二十日です。"),
    ("申請手当は、1日につき2,000円とする。", "申請手当は一日当たり3,000円とする。"),
    ("申請者の定年は満60歳とする。", "申請者の定年は65歳とし、延長しない。"),
    ("申請書は1年間保存する。", "申請書は、3年間保存する。"),
    ("申請は年2回まで認める。", "申請は年1回まで認める。"),
    ("申請は年に2回まで認める。", "申請は年1回まで認める。"),
    ("申請期間は3日です。", "A. 申請期間は5日です。"),
    ("A1. 申請期間は3日です。", "Ａ．申請期間は5日です。"),
    ("申請の待機期間は3か月間とする。", "申請の待機期間は6か月とする。"),
    ("申請 Requests must be answered within 24 hours.", "申請 The requests must be answered within 48 hours."),
    ("申請 The filing fee is £50.", "申請 The filing fee is 75 pounds."),
    ("申請 The filing fee is $50.", "申請 The filing fee is US$75.50 per request. The filing fee is 75 dollars."),
    ("申請料は¥5,000とする。", "申請料は6,000円です。"),
    ("申請 The plan costs $10 per month.", "申請 The plan costs $12/month."),
    ("申請. We ship the sample within 3 days.", "申請 The sample is shipped within 5 days."),
    ("申請. You shall replace the filter every 6 months.", "申請 The filter is replaced every 3 months."),
    ("申請の待機期間は10日又は5日とする。申請の待機期間は5日とする。", "申請の待機期間は7日とする。"),
    ("申請への返答は24時間以内とする。", "申請への返答は2日以内とする。"),
    ("申請の保管期間は400日とする。", "申請の保管期間は1年とする。"),
    ("申請窓口の受付時間は9時から17時30分までです。", "申請窓口の受付時間は、午前九時〜午後5時とする。"),
    ("申請 The office hours are 9:00-17:00.", "申請 The office hours are 9 am to 6 pm."),
    ("申請: the default timeout is 30s.", "申請: the default timeout defaults to 500ms. The default timeout is 2 min."),
    ("申請 The fee is 10 dollars for students.", "申請 The fee is 20 dollars for students."),
    ("申請 On Linux, the timeout is 30 seconds.", "申請 On Linux, the timeout is 60 seconds."),
    ("申請 The body is limited to 10 MB.", "申請 The body is limited to 25 MB."),
    ("申請 The delay is set to 5 minutes.", "申請 The delay is set to 6 minutes."),
    ("申請 The filing deadline is March 3, 2025.", "申請 The filing deadline is 2025-04-01."),
    ("申請: contracts renew on 1 April each year.", "申請: contracts renew on July 1 each year."),
    ("申請の締め日は毎月25日とする。", "申請の締め日は毎月末日とする。"),
    ("申請用のポート番号は8080です。", "申請用のポート番号は8000とする。"),
    ("申請 The maximum number of connections is 100.", "申請 The maximum number of connections is 250."),
    ("申請のツールはPython 3.8以上で動作します。", "申請のツールはPython 3.10以上で動作します。"),
    ("申請: the tool requires Java 11 or newer.", "申請: the tool requires Java 17 or newer."),
    ("申請: the committee has five members.", "申請: the committee has nine members."),
    ("申請の写しは7世代保管する。", "申請の写しは30世代保管する。"),
    ("申請する区画の面積は20平方メートルとする。", "申請する区画の面積は30m2とする。"),
    ("申請料は無料です。", "申請料は3,000円です。"),
    ("申請 The default timeout is `30` seconds.", "申請 The default timeout is 60 seconds."),
    ("申請の保留時間は`30秒`です。", "申請の保留時間は*60秒*です。"),
    ("申請: the `timeout` option defaults to `30` seconds.", "申請: the `timeout` option defaults to `60s`."),
    ("申請: store the reagent at -20 °C.", "申請: store the reagent at 20 °C."),
    ("申請の受付日は毎月第3日曜日です。", "申請の受付日は、毎月第2日曜日とする。"),
    ("申請の受付日は水曜日です。", "申請の受付日は毎週木曜日とする。"),
    ("申請の審査会は、毎月第1月曜日に開く。", "申請の審査会は毎月第4月曜日に開きます。"),
    ("申請: the board meets on the second Tuesday.", "申請: the board meets on the last Tuesday."),
    ("申請の締切は午前9時とする。", "申請の締切は8時30分です。"),
    ("申請の受付は午後5時までとする。", "申請の受付は、16:30までです。"),
    ("申請の旅費は、1泊につき12,000円を上限とする。", "申請の旅費の上限は1泊10,000円です。"),
    ("申請料の限度額は5万円です。", "申請料は3万円までとする。"),
    ("申請料は6万円です。", "申請料は5万円を上限とする。"),
    ("申請用の写真は最大10枚です。", "申請用の写真は5枚以内とする。"),
    ("申請用の番号は12文字以上とする。", "申請用の番号は8文字以上で設定してください。"),
    ("申請用の番号は12文字以上とする。", "申請用の番号は8文字です。"),
    ("申請: the default timeout is 30 seconds.", "申請: the timeout defaults to 60 seconds."),
    ("申請: codes must be at least 12 characters long.", "申請: a code must have a minimum of 8 characters."),
    ("申請: the card is issued within 14 days.", "申請: we issue the card within 30 days."),
    ("申請: the filters must be replaced every 3 months.", "申請: replace the filter every 6 months."),
    ("申請 Invoices are paid within 30 days of receipt.", "申請: we will pay invoices within 45 days of receipt."),
    ("申請期間の既定値は30秒です。", "既定の申請期間は60秒です。"),
    ("申請: the maximum upload size is 25 MB.", "申請: the upload size is limited to 50 MB."),
    ("申請. The default of `max_retries` is 10.", "申請. By default, `max_retries` is 5."),
    ("申請. `max_retries` defaults to 1,000.", "申請. The default value for `max_retries` is 500."),
    ("申請. The `strict_mode` option is true by default.", "申請. `strict_mode` defaults to `off`."),
    ("申請. The default log level is `info` (not `warn`).", '申請. The log level defaults to `"debug"`.'),
    ("- `log_level` (申請): what is logged. Defaults to `info`.", "申請. log_level: the default is `warn`."),
    ("申請。`log_level`の既定値は`info`です。", "申請。`log_level`は、デフォルトで`warn`に設定されています。"),
    ("申請の再試行の初期値は3とする。", "申請の再試行は既定では5である。"),
    ("| 設定 | 既定値 |\n| - | - |\n| `申請_mode` | strict |", "`申請_mode`の既定値は`loose`とする。"),
    ("申請は総務課（内線 7110）に出す。", "申請は、総務課（内線7119）に出します。"),
    ("申請の問合せ先は03-1234-5678です。", "申請の問合せ先は（03）1234-9999とする。"),
    ("申請. Send the form to pay@firm.co.jp.", "申請. Send the form to hr@firm.co.jp."),
    ("| 課 | 内線 |\n| - | - |\n| 申請課 | 7110 |", "| 部署 | 内線番号 |\n| - | - |\n| 申請課 | 7119 |"),
    ("| 課 | 電話 |\n| - | - |\n| 申請課 | 03-1234-5678 |", "| 課 | TEL |\n| - | - |\n| 申請課 | 03-1234-9999 |"),
    ("| 課 | Mail |\n| - | - |\n| 申請課 | a@firm.jp |", "| 課 | メール |\n| - | - |\n| 申請課 | b@firm.jp |"),
    ("申請. `a.port` defaults to 80.", "申請. `a.port` defaults to 81."),
    ("申請の受付は2階です。", "申請の受付は3階とする。"),
    ("申請は5番窓口で受け付ける。", "申請は3番窓口で受け付けます。"),
    ("申請用のポートは8080を使用する。", "申請用のポートは8443を使用します。"),
    ("申請: the minimum version of Python is 3.9.", "申請: the minimum version of Python is 3.11."),
    ("申請: the retry count must be 10 or less.", "申請: the retry count must be 5 or less."),
    ("申請用の列の数は10以下とする。", "申請用の列の数は5以下とする。"),
]


AGREEMENTS = [
    ("申請の開始日は令和6年4月1日とする。", "申請の開始日は2024年4月1日とする。"),
    ("申請の改正規定は、令和六年四月一日から施行する。", "申請の改正規定は、令和七年四月一日から施行する。"),
    ("申請者は18歳以上であれば認める。", "申請者は20歳以上であれば認める。"),
    ("申請 The plan costs $10 per month.", "申請 The plan costs $100 per year."),
    ("申請 The filing fee is $50.", "申請 The filing fee is 50 dollars."),
    ("申請 The filing fee is $50.", "申請 The filing fee is €45."),
    ("申請料は¥5,000とする。", "申請料は5,000円です。"),
    ("申請への返答は48時間以内とする。", "申請への返答は2日以内とする。"),
    ("申請窓口の受付時間は9時から17時30分までです。", "申請窓口の受付時間は午前9時〜午後5時半とする。"),
    ("申請 The office hours are 9:00-12:00.", "申請 The office hours are 9 am to 12 pm."),
    ("申請日時: 9:00-10:00", "申請日時: 13:00-14:00"),
    ("申請の締切は17時とする。", "申請の締切は午後5時です。"),
    ("申請の受付は9時からとする。", "申請の受付は17時までとする。"),
    ("申請の受付日は第3日曜日とする。", "申請の受付日は毎月第三日曜日です。"),
    ("申請の休日は土曜日、日曜日及び祝日とする。", "申請の休日は日曜日、土曜日及び祝日とする。"),
    ("申請料は4万円です。", "申請料は5万円を上限とする。"),
    ("申請用の番号は8文字以上とする。", "申請用の番号は64文字以下とする。"),
    ("申請書は5年以上保存する。", "申請書は7年間保存する。"),
    ("申請: codes must be at least 8 characters long.", "申請: codes must be at most 64 characters long."),
    ("申請: codes must have 12 characters or more.", "申請: codes must be at least 12 characters long."),
    ("申請: the default timeout is 30 seconds.", "申請: the timeout is 60 seconds."),
    ("申請: the card is issued within 14 days.", "申請: we cancel the card within 30 days."),
    ("申請: the card is issued within 14 days.", "申請: on request, we issue the card within 2 days."),
    ("申請: the card is issued within 14 days.", "申請: we do not issue the card within 30 days."),
    ("申請期間の既定値は30秒です。", "申請期間は60秒です。"),
    ("月曜日は申請の窓口を開ける。", "火曜日は申請の窓口を開ける。"),
    ("申請 The budget is $5 million.", "申請 The budget is $5,000,000."),
    ("申請: the timeout is 120s.", "申請: the timeout is 2 minutes."),
    ("申請期限は14日以内とする。", "申請期限は二週間以内とする。"),
    ("申請の保存期間は1年とする。", "申請の保存期間は12か月とする。"),
    ("申請料は1万円とする。", "申請料は10,000円とする。"),
    ("申請手当は1日につき2,000円とする。", "申請手当は1か月につき30,000円とする。"),
    ("申請は年2回まで認める。", "申請は月1回まで認める。"),
    ("申請は年に2回まで認める。", "申請は月に1回まで認める。"),
    ("申請書は1年間保存する。", "申請書は3年間貸与する。"),
    ("申請 Requests must be answered within 24 hours.", "申請 Requests must be kept for 48 hours."),
    ("申請者の所得が900万円以下である場合", "申請者の所得が500万円以下である場合"),
    ("申請。その額は30円とする。", "申請。その額は40円とする。"),
    ("申請。この規程の施行日は2025年4月1日とする。", "申請。この規程の施行日は2026年4月1日とする。"),
    ("申請が国内の場合は3日とする。", "申請が国外の場合は5日とする。"),
    ("申請期限は出張日の14日前とする。", "申請期限は出発日の7日前とする。"),
    ("申請。created_at: 2025-04-01", "申請。created_at: 2026-04-01"),
    ("| 申請 | 3日 | 4日 |", "| 申請 | 5日 | 6日 |"),
    ("申請 If the timeout is 30 seconds, ask again.", "申請 If the timeout is 60 seconds, ask again."),
    ("申請 The fee is 10 dollars for students.", "申請 The fee is 20 dollars for adults."),
    ("申請 On Linux, the timeout is 30 seconds.", "申請 On Windows, the timeout is 60 seconds."),
    ("申請 The default value is 30 seconds.", "申請 The default value is 60 seconds."),
    ("申請 The maximum is 27 days.", "申請 The maximum is 5 days."),
    ("申請 The filing deadline is April 1, 2025.", "申請 The filing deadline is 2025-04-01."),
    ("申請 Up to 3 may be used for the filing.", "申請 Up to 5 may be used for the filing."),
    ("申請のツールはPython 3.8以上で動作します。", "申請のツールはPython 3.8.0以降で動作します。"),
    ("申請の待ち時間は5000ミリ秒です。", "申請の待ち時間は5秒です。"),
    ("申請の手順は図5とする。", "申請の手順は図6とする。"),
    ("申請のバージョンが3以上であれば受け付ける。", "申請のバージョンが4以上であれば受け付ける。"),
    ("申請を待つ。デフォルトは 60 分です。", "申請を送る間隔。デフォルトは 5 秒。"),
    ("申請の間隔。既定値は 60 分です。", "申請の期限。既定値は 5 日とする。"),
    ("申請者は、十万円以下の罰金に処する。", "申請者は、二十万円以下の罰金に処する。"),
    ("申請。- 額は30円とする。", "申請。- 額は40円とする。"),
    ("申請: the `timeout` option defaults to `30` seconds.", "申請: the `pause` option defaults to `60` seconds."),
    ("申請. `strict_mode` is true by default.", "申請. `strict_mode` defaults to `on`."),
    ("申請. `a.port` defaults to 80.", "申請. `b.port` defaults to 81."),
    ("## Server\n\n申請. `port` defaults to 80.", "## Client\n\n申請. `port` defaults to 81."),
    ("申請は総務課（内線 7110）に出す。", "申請は経理課（内線 7119）に出す。"),
    ("申請は総務課（内線 7110）に出す。", "申請は総務課（内線 7110、内線 7119）に出す。"),
    ("申請の問合せ先は03-1234-5678です。", "申請の問合せ先は０３（１２３４）５６７８とする。"),
    ("| 課 | 電話 |\n| - | - |\n| 申請課 | 03-1234-5678 |", "| 課 | FAX |\n| - | - |\n| 申請課 | 03-1234-9999 |"),
    ("## 本社\n\n申請の窓口は03-1234-5678です。", "## 大阪支社\n\n申請の窓口は06-1234-5678です。"),
    (
        "## 本社\n\n| 課 | 内線 |\n| - | - |\n| 申請課 | 10 |",
        "## 支社\n\n| 課 | 内線 |\n| - | - |\n| 申請課 | 11 |",
    ),
    ("申請. `max_retries` defaults to 1,000.", "申請. The default of `max_retries` is 1000.0."),
    ("申請. `max_retries` defaults to 10.", "申請. On Windows, `max_retries` defaults to 5."),
    ("申請. `max_retries` defaults to 10.", "申請. `max_retries` defaults to 5 if the cache is cold."),
    ("申請. `max_retries` defaults to 10.", "申請. `max_retry_delay` defaults to 5."),
    ("申請. This option defaults to true.", "申請. The option defaults to false."),
    ("- `a_mode` (申請). Default: `on`. In tests, default: `off`.", "- `a_mode` (申請). Default: `off`."),
    ("申請の保留時間は2*30秒です。", "申請の保留時間は60秒です。"),
    ("申請料は五億円とする。申請料は十,000円とする。", "申請料は五億2円とする。申請料は一〇,1円とする。"),
]


@pytest.fixture(scope="module")
def pairs(shared_workspace: WorkspaceFolder) -> Iterator[Pairs]:
    with serving_pairs(shared_workspace, [*CONTRADICTIONS, *AGREEMENTS]) as served:
        yield served


@pytest.mark.parametrize("number", range(len(CONTRADICTIONS)), ids=map("-".join, CONTRADICTIONS))
def test_quantities_that_cannot_both_hold_are_a_conflict(pairs: Pairs, number: int) -> None:
    assert pairs.conflict_kinds(number, "申請") == ["quantity"]


@pytest.mark.parametrize("number", range(len(AGREEMENTS)), ids=map("-".join, AGREEMENTS))
def test_quantities_that_may_both_hold_are_none(pairs: Pairs, number: int) -> None:
    assert pairs.conflict_kinds(len(CONTRADICTIONS) + number, "申請") == []


def test_settings_in_two_examples_are_no_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name, seconds in (("a", 15), ("b", 30)):
        workspace.write(f"m/{name}.md", f"# {name}\n\n```yaml\nretry_interval: {seconds}s\n```\n")
    found = serve().find("retry_interval")
    assert (len(found.hits()), found.hits("conflicts")) == (2, [])


OPPOSED = [
    ("申請手当は、契約社員にも適用する。", "申請手当は契約社員には適用しない。"),
    ("契約社員は申請手当の対象とする。", "契約社員は、申請手当の対象外とする。"),
    ("申請には印が要る。本人の申請は必要である。", "本人の申請は不要とする。"),
    ("申請の取消しはできる。", "申請の取消しは認めない。"),
    ("・申請の変更はできる。", "１．申請の変更は認めない。"),
    ("申請手当は契約社員に支給する。", "申請手当は契約社員に支給しない。"),
    ("申請中の喫煙は禁止されています。", "申請中の喫煙は可能です。"),
    ("申請の枠は翌年度に繰り越すことができる。", "申請の枠は翌年度に繰り越せない。"),
    ("電話での申請は受け付けておりません。", "電話での申請は受け付けます。"),
    ("申請の自動更新は有効にする。", "申請の自動更新は無効にすること。"),
    ("窓口での申請はご遠慮ください。", "窓口で申請ができます。"),
    ("申請手当は月額1万円を支給する。", "申請手当は支給しない。"),
    ("申請の番号の有効期限は発行日から1年間とする。", "申請の番号に有効期限はありません。"),
    ("申請の送料はお客様のご負担となります。", "申請の送料は弊社が負担いたします。"),
    ("申請用紙の印刷は有料です。", "申請用紙の印刷は無料とする。"),
    ("申請. The keys expire after 90 days.", "申請. The keys never expire."),
    ("申請. Multi-factor login is mandatory.", "申請. Multi-factor login is optional."),
    ("申請 (gift cards). Gift cards are refundable.", "申請 (gift cards). Gift cards are not refundable."),
]


NOT_OPPOSED = [
    ("申請手当は、契約社員にも適用する。", "申請手当は派遣社員には適用しない。"),
    ("申請は窓口でできる。", "申請は電話でできない。"),
    ("申請手当は10日以上で支給する。", "申請手当は支給しない。"),
    ("申請した人の送料はお客様のご負担となります。", "申請した箱の送料は弊社が負担いたします。"),
    ("申請。その者は手当の対象とする。", "申請。その者は手当の対象外とする。"),
    ("申請。第五条の規定は適用する。", "申請。第五条の規定は適用しない。"),
    ("申請手当を適用しない場合は、届け出る。", "申請手当を適用する。"),
    ("申請手当は、契約社員に適用しないことがある。", "申請手当は、契約社員に適用することがある。"),
]


@pytest.mark.parametrize(
    ("one", "other", "count"), [*((*pair, 1) for pair in OPPOSED), *((*pair, 0) for pair in NOT_OPPOSED)]
)
def test_what_one_manual_says_and_another_denies_of_the_same_is_a_conflict(
    workspace: WorkspaceFolder, serve: Serve, one: str, other: str, count: int
) -> None:
    workspace.write("m/a.md", f"# 規程\n\n{one}\n")
    workspace.write("n/b.md", f"# 手引き\n\n{other}\n")
    conflicts = serve().find("申請").hits("conflicts")
    assert [item["conflict_kind"] for item in conflicts] == ["exclusion"] * count


@pytest.mark.parametrize(("one", "other"), [CONTRADICTIONS[0], OPPOSED[0]])
def test_what_one_section_says_of_both_is_no_conflict(
    workspace: WorkspaceFolder, serve: Serve, one: str, other: str
) -> None:
    workspace.write("m/a.md", f"# 規程\n\n{one}\n\n{other}\n")
    assert serve().find("申請").hits("conflicts") == []
