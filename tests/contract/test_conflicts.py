"""Which texts contradict each other, and which only look like it: other cases, other subjects, other versions."""

from collections.abc import Iterator

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder
from .paired import Pairs, serving_pairs

ALIKE_BUT_FOR_A_VALUE = [
    ("通常、成人には1回50mgを1日2回経口投与する。", "通常、成人には1回100mgを1日2回経口投与する。"),
    (
        "乙が支払を怠ったときは、年14.6%の割合による遅延損害金を支払う。",
        "乙が支払を怠ったときは、年3%の割合による遅延損害金を支払う。",
    ),
    ("願書は3日以内に事務局へ送ってください。", "願書は、5日以内に事務局に送ること。"),
    ("氏名は2か所に書いてください。", "氏名は3か所に書く。"),
    ("水薬は1日3回飲んでください。", "水薬は1日2回飲む。"),
    ("手洗いは30秒以上かけて行う。", "手洗いは15秒以上かけて行う。"),
    ("願書は1月10日から1月20日まで受け付ける。", "願書は1月12日から1月20日まで受け付ける。"),
    ("門は午後6時に閉める。", "門は17時半に閉める。"),
    ("在宅勤務は、週3日を限度とする。", "在宅勤務は、週2日までとする。"),
    ("通勤手当は、月額5万円を上限として支給する。", "通勤手当は、月額3万円まで支給する。"),
    ("解約の予告期間は1か月前までとします。", "解約の予告期間は2か月前までとします。"),
    ("Each key is limited to 1,000 requests per hour.", "Each key is limited to 5,000 requests per hour."),
    ("Give at least 30 days' notice to cancel.", "Give at least 60 days' notice to cancel."),
    (
        "Sessions end after 15 minutes of idling.",
        "Sessions end after thirty minutes of idling. Sessions end after 1 hour of idling.",
    ),
    ("The cover lasts two years from the purchase.", "The cover lasts one year from the purchase."),
    ("The load limit is 150 kg.", "The load limit is 120 kg."),
    ("Reports are due within thirty (30) days of the trip.", "Reports are due within forty-five days of the trip."),
    ("Reply to a complaint within seventy-two hours.", "Reply to a complaint within 48 hours."),
    ("説明会は2026年5月10日に開催する。", "説明会は2026年5月17日に開催する。"),
    ("申込みは、窓口では、\n10日前までに行う。", "申込みは、窓口では、5日前までに行う。"),
    ("交通費の精算書は、翌月10日までに提出してください。", "交通費の精算書を翌月5日までに提出する。"),
    ("住所の変更は、7日以内に届け出なければならない。", "住所の変更は14日以内に届け出ます。"),
    ("点検の記録は3年間保管すること。", "点検の記録は5年保管します。"),
    ("資料室は午前9時に開ける。", "資料室は、午前10時に開けてください。"),
    ("資料室は午前九時に開ける。", "資料室は十時半に開ける。"),
    ("The gate is locked at 5 pm on weekdays.", "The gate is locked at 18:30 on weekdays."),
    ("装置は点検の3日前から一時停止する。", "装置は点検の5日前から一時停止する。"),
    (
        "会員は、退会するときは、30日前までに書面で通知しなければならない。",
        "会員は、退会するときは、60日前までに書面で通知しなければならない。",
    ),
    ("違約金は、契約金額の百分の十とする。", "違約金は、契約金額の20%とする。"),
    ("届書には、戸籍の写しを2通添付する。", "届書には、戸籍の写しを1通添付する。"),
    ("願書は、事務局に正副2部を提出する。", "願書は、事務局に正副3部を提出する。"),
    ("The cluster supports up to 500 nodes.", "The cluster supports up to 1,000 nodes."),
    ("割増賃金は、賃金の100分の125を支払う。", "割増賃金は、賃金の100分の130を支払う。"),
    ("点検の3日前までに業者に連絡する。", "点検の5日前までに業者に連絡する。"),
    ("協会の設立は1995年（平成7年）、事務局は5人です。", "協会の設立は1996年（平成8年）、事務局は5人です。"),
    ("会員証の枚数は5枚以内とする。会員証の枚数は10枚です。", "会員証の枚数は3枚とし、変更しない。"),
    ("会員証の枚数は20枚以上とする。会員証の枚数は10枚です。", "会員証の枚数は30枚とし、変更しない。"),
]
ALIKE_BUT_FOR_A_DENIAL = [
    ("乙は、業務を第三者に再委託することができる。", "乙は、業務を第三者に再委託してはならない。"),
    ("返品はお受けできません。", "返品をお受けします。"),
    ("開封後の返品はできかねます。", "開封後の返品はできます。"),
    ("本体は水で洗えます。", "本体は水では洗えません。"),
    ("契約社員には退職金を支給する。", "契約社員には退職金を支給しない。"),
    ("乙は、地位を第三者に譲渡することができる。", "乙は、地位を第三者に譲渡することはできない。"),
    ("利用者は、書庫に立ち入ることができる。", "利用者は、書庫に立ち入ることはできません。"),
    ("電話での予約は受け付ける。", "電話での予約は受け付けない。"),
    ("電話での予約は受け付けます。", "電話での予約を**受け付けないものとする**。"),
    ("電話での予約を受け付けています。", "電話での予約は受け付けていません。"),
    ("中途解約による返金を行います。", "中途解約による返金は行わない。"),
    ("中途解約による返金を行うものとする。", "中途解約による返金は行いません。"),
    ("残業代は、固定給に含む。", "残業代は固定給に含みません。"),
    ("期限後の申請にも応じる。", "期限後の申請には応じないこと。"),
    ("期限後の再申請にも*応じる*。", "期限後の再申請には*応じない*。"),
    ("The cache of answers is `enabled` by default.", "The cache of answers is `disabled` by default."),
    ("健診の受診は任意とする。", "健診の受診は必須とする。"),
    ("届出が遅れた場合には、予約を受け付けない。", "届出が遅れたときは、予約を受け付けます。"),
    ("途中で退会した際は、会費を返還しない。", "途中で退会したら、会費を返還します。"),
    ("副業は認めない。", "副業は認められています。"),
    ("職員の副業は、これを認めない。", "当社では職員の副業を認めています。"),
    ("私物の利用は認められません。", "私物の利用は認められています。"),
    ("住所変更届の提出は必要ありません。", "住所変更届を提出しなければならない。"),
    ("資料の持出しに許可を要しない。", "資料の持出しには許可が要ります。"),
    ("入館時に印鑑を押す必要はない。", "入館時に、必ず印鑑を押さなければならない。"),
    ("退館時の記帳はしなくてもよい。", "退館時の記帳は必須である。"),
    ("入館時に印鑑を持参しなければいけない。", "入館時に印鑑の持参は不要です。"),
    ("退館時に鍵を返さなければいけません。", "退館時に鍵を返す必要はありません。"),
    ("退館時に鍵を返さないといけない。", "退館時に鍵を返さなくてもよい。"),
    ("受付の人は職員でなくてはならない。", "受付の人は職員でなくてもよい。"),
    ("The Contractor may subcontract the work.", "The Contractor shall not subcontract the work."),
    ("Annual plans are refundable.", "Annual plans are non-refundable."),
    ("Guest access is disabled by default.", "Guest access is enabled by default."),
    ("The endpoint supports paging.", "The endpoint doesn't support paging."),
    ("The server retries failed calls.", "The server does not retry failed calls."),
    ("Approval is required for remote work.", "No approval is required for remote work."),
    ("Refunds are available to members.", "Refunds are unavailable to members."),
    ("Guests must sign the form.", "Guests do not have to sign the form."),
    ("Guests have to sign the form.", "Guests need not sign the form."),
    ("Members must not lend their cards.", "Members may lend their cards."),
    ("第5条 乙は、業務を再委託することができる。", "第8条（再委託） 乙は、業務を再委託してはならない。"),
]
NO_CONTRADICTIONS = [
    ("健診の受診は任意とする。", "健診の受診は可能です。"),
    ("退館時に鍵を返さないといけない。", "退館時に鍵を返してもよい。"),
    ("届出が遅れた場合は、予約を受け付けない。", "届出が遅れる場合は、予約を受け付ける。"),
    ("窓口での申請は不要です。", "窓口での申請もできます。"),
    ("片道2km以上の場合、手当は月額5,000円とする。", "片道10km以上の場合、手当は月額8,000円とする。"),
    ("前日の取消しでは、取消料は30%です。", "当日の取消しでは、取消料は100%です。"),
    ("2024年3月31日まで、利用料は500円とする。", "2024年4月1日から、利用料は600円とする。"),
    ("10日を超えるときは延長を届け出る。", "20日を超えるときは延長を届け出る。"),
    ("例えば、残業が10時間なら手当は2万円になる。", "例えば、残業が20時間なら手当は2万円になる。"),
    ("前項の書類は30日以内に届け出る。", "前項の書類は60日以内に届け出る。"),
    (
        "届出（変更の届出を含む。）から起算して3年を経過する日まで保存する。",
        "届出（移転の届出を含む。）から起算して9年を経過する日まで保存する。",
    ),
    ("| 2km以上10km未満 | 200円 |", "| 2km以上10km未満 | 300円 |"),
    ("会議室は午前9時に開ける。", "会議室は9時に開ける。"),
    ("会議室は午後5時に閉める。", "会議室は5時に閉める。"),
    ("The gate is locked at 5 pm on weekdays.", "The gate is locked at 17:00 on weekdays."),
    ("This takes 5 minutes to finish here.", "This takes 9 minutes to finish here."),
    ("A link expires when 5 minutes have passed.", "A link expires when 9 minutes have passed."),
    ("The parcel limit is 1.5 kg.", "The parcel limit is 1,500 g."),
    ("Read the load (the last 10 minutes) first.", "Read the trade figures (the last 40 years) first."),
    ("違約金は、契約金額の1,000分の15とする。", "違約金は、契約金額の1.5％とする。"),
    ("違約金は、契約金額の百分の十とする。", "違約金は、契約金額の1割とする。"),
    ("荷物は2キログラムまで預かる。", "荷物は2,000gまで預かる。"),
    ("The term is one hundred and twenty days.", "The term is 120 days."),
    ("Guests may sign the form.", "Guests do not have to sign the form."),
    ("No more than five guests are allowed.", "More than five guests are allowed."),
    ("| paging | no (defaults to true) |", "| paging | defaults to true |"),
    ("Their cards are sent to members.", "Their cards are not sent to members."),
    ("許可なく資料を持ち出すことは禁止する。", "許可を得て資料を持ち出すことは認める。"),
    ("That plan is refundable in full.", "That plan is not refundable in full."),
    ("Is the plan refundable in full?", "Is the plan not refundable in full?"),
    ("It is not unsupported on all systems.", "Paging is supported on all systems."),
    ("The call fails if the values are not equal.", "The call fails if the values are equal."),
    ("Members who do not pay the fee lose access.", "Members who pay the fee lose access."),
    ("王は1859年3月5日に洗礼を受けた。", "王は1869年1月27日に入隊した。"),
    ("書庫には、当番が立ち入らなければならない。", "書庫には、当番が立ち入る。"),
    ("窓口での申請の受付は行わない。", "窓口での申請の受付は行う必要はない。"),
    ("会員が3年在籍した者であれば受け付ける。", "会員が5年在籍した者であれば受け付ける。"),
    ("10年勤続者には、記念品を贈る。", "20年勤続者には、記念品を贈る。"),
    ("The fee is kept until the first 5 days are over.", "The fee is kept until the first 9 days are over."),
    ("The fee is back before the last 5 days are over.", "The fee is back before the last 9 days are over."),
    ("八　人格のない団体　登記をしない団体をいう。", "七　人格のない団体　登記をしない団体をいう。"),
    ("２　回線の切替えは、所長の許可による。", "３　回線の切替えは、所長の許可による。"),
    ("学会は、2020年4月1日、事務局を移した。", "学会は、2021年10月1日、支部を設けた。"),
    ("新館は1995年（平成7年）に開館した。", "新館は2010年（平成22年）に改装された。"),
    ("同社の会員は500人である。", "同社の会員は800人である。"),
    ("最高気温は、2020年2月6日に基地で観測された18.3度である。", "最高気温は、1983年7月27日の37.1度である。"),
    ("会員証の枚数は3枚です。会員証の枚数は7枚です。", "会員証の枚数は7枚です。"),
    (
        'Of the button "save", the dialog is open for 5 seconds.',
        'Of the button "send", the dialog is open for 9 seconds.',
    ),
]


PAIRS = [
    *((*pair, "quantity") for pair in ALIKE_BUT_FOR_A_VALUE),
    *((*pair, "exclusion") for pair in ALIKE_BUT_FOR_A_DENIAL),
    *((*pair, None) for pair in NO_CONTRADICTIONS),
]


@pytest.fixture(scope="module")
def pairs(shared_workspace: WorkspaceFolder) -> Iterator[Pairs]:
    for number, (text, *_) in enumerate(INSIDE):
        shared_workspace.write(f"inside-{number}/a.md", f"# 案内\n\n{text}\n")
    for number, (heading, other, years, _) in enumerate(HEADED):
        for kind, stated in enumerate(STATED):
            shared_workspace.write(f"headed-{number}-{kind}/a.md", f"{heading}\n\n{stated}\n")
            named = f"契約書の保存期間は{years}年とする。"
            shared_workspace.write(f"headed-{number}-{kind}/b.md", f"{other}\n\n{named}\n")
    texts = [*((f"鍵言葉。{one}", f"鍵言葉。{other}") for one, other, _ in PAIRS), *(row[:2] for row in TABLES)]
    with serving_pairs(shared_workspace, texts) as served:
        yield served


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=[f"{one}-{other}" for one, other, _ in PAIRS])
def test_sentences_that_are_alike_but_for_a_value_or_a_denial_contradict_each_other(pairs: Pairs, number: int) -> None:
    kind = PAIRS[number][2]
    assert set(pairs.conflict_kinds(number, "鍵言葉")) == ({kind} if kind else set())


def test_kanji_numerals_without_an_end_state_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", f"# 規程\n\n鍵言葉。宿泊費は{'一' * 5_000}円とする。\n")
    assert serve().find("鍵言葉").hits("conflicts") == []


def test_a_line_that_goes_on_with_the_sentence_before_it_contradicts_nothing(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "権限があれば、表示する数の\n変更もできる。\n")
    workspace.write("n/b.md", "別の端末につなぐと、端末の名前\nを変更できない。\n")
    assert serve().find("変更").hits("conflicts") == []


def test_a_sentence_that_goes_on_in_the_next_line_is_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    begun = "Each key that a member of the staff has made for a test is"
    workspace.write("m/a.md", f"{begun}\nlimited to 1,000 requests per hour.\n")
    workspace.write("n/b.md", f"{begun} limited to\n5,000 requests per hour.\n")
    [conflict] = serve().find("member of the staff").hits("conflicts")
    assert (conflict["conflict_kind"], conflict["start_line"]) == ("quantity", 1)


OF_DIFFERENT_THINGS = [
    (("m/a.md", "# 文書管理規程\n\n## 経理書類\n\n{}\n\n## 人事書類\n\n{}\n"),),
    (("m/a.md", "# 図書館利用規程\n\n{}\n"), ("m/b.md", "# 図書館予約規程\n\n{}\n")),
    (("m/a.md", "# 図書館利用規程\n\n{}\n"), ("m/b.md", "# 図書室の手引\n\n{}\n")),
    (("m/a.md", "# ポイント規約\n\n## 期間\n\n{}\n"), ("m/b.md", "# クーポン規約\n\n## 期間\n\n{}\n")),
    (("m/v1/a.md", "# 案内\n\n{}\n"), ("m/v2/a.md", "# 案内\n\n{}\n")),
    (("m/a.md", "# 2023年度の案内\n\n{}\n"), ("m/b.md", "# 2024年度の案内\n\n{}\n")),
    (("m/旧/a.md", "# 案内\n\n{}\n"), ("m/a.md", "# 案内\n\n{}\n")),
]
OF_ONE_THING = [
    (("m/a.md", "# 図書館利用規程\n\n{}\n"), ("m/b.md", "# 図書館の手引\n\n{}\n")),
    (("m/a.md", "# 規程\n\n## 第5条（保存期間）\n\n{}\n"), ("m/b.md", "# 手引き\n\n## 附則\n\n{}\n")),
    (("m/a.md", "# 利用規約\n\n## 概要\n\n{}\n"), ("m/b.md", "# よくある質問\n\n## 書類\n\n{}\n")),
]


@pytest.mark.parametrize(
    ("files", "count"), [*((files, 0) for files in OF_DIFFERENT_THINGS), *((files, 1) for files in OF_ONE_THING)]
)
def test_what_many_things_have_is_stated_of_what_the_headings_name(
    workspace: WorkspaceFolder, serve: Serve, files: tuple[tuple[str, str], ...], count: int
) -> None:
    says = ["保存期間は7年とする。", "保存期間は3年とする。"]
    for path, text in files:
        workspace.write(path, text.format(*says[-text.count("{}") :]))
        says.pop()
    found = serve().find("保存期間", manual_id="m", max_stage=3)
    assert (found.summary["completeness"]["lines"]["matched"] >= 2, len(found.hits("conflicts"))) == (True, count)


def test_each_place_has_its_own_day_of_rest(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 案内\n\n## 図書館\n\n休館日は月曜日です。\n\n## 博物館\n\n休館日は火曜日です。\n")
    assert serve().find("休館日").hits("conflicts") == []


@pytest.mark.parametrize(("path", "form"), [("m/a.md", "{}\n"), ("m/a.json", '"{}",')])
@pytest.mark.parametrize(("before", "count"), [(10, 1), (3_000, 0)])
def test_of_a_very_long_section_the_beginning_is_compared(
    workspace: WorkspaceFolder, serve: Serve, path: str, form: str, before: int, count: int
) -> None:
    told = [*(f"鍵言葉の{chr(0x4E00 + number)}を確かめてから次の作業に進む。" for number in range(before))]
    lines = "".join(map(form.format, [*told, "鍵言葉の定年は65歳とする。"]))
    workspace.write(path, f"[{lines.removesuffix(',')}]" if path.endswith(".json") else lines)
    workspace.write("n/b.md", "鍵言葉の定年は60歳とする。\n")
    assert len(serve().find("鍵言葉").hits("conflicts")) == count


@pytest.mark.parametrize(
    ("attribute", "values"),
    [
        ("保証期間", ("1年", "3年")),
        ("延床面積", ("2,477m2", "920m2")),
        ("全長", ("120cm", "60cm")),
        ("総工費", ("12億円", "5億円")),
        ("従業員数", ("30人", "80人")),
    ],
)
def test_each_thing_has_a_measure_of_its_own(
    workspace: WorkspaceFolder, serve: Serve, attribute: str, values: tuple[str, str]
) -> None:
    for manual, thing, value in zip("mn", ("東の学習机", "西の事務椅子"), values, strict=True):
        workspace.write(f"{manual}/a.md", f"# {thing}\n\n{attribute}は{value}です。\n")
    assert serve().find(attribute).hits("conflicts") == []


def test_what_has_a_name_of_its_own_is_one_thing_under_any_heading(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\n## 採用\n\n定年は60歳とする。\n\n## 退職\n\n定年は65歳とする。\n")
    assert len(serve().find("定年").hits("conflicts")) == 1


CONTRADICTING_INSIDE = [
    (
        "会議室の予約は10日前から受け付けます。\n鍵は総務で受け取ります。\n会議室の予約は5日前から受け付けます。",
        "会議室",
    ),
    (
        "**Q1. 思っていた色と違います。**\n\nA. 返品の期限は到着から8日以内です。\n\n"
        "**Q2. いつまでに送ればよいですか。**\n\nA. 返品の期限は到着から14日以内です。",
        "返品 期限",
    ),
    ("非常用電源の点検は年2回行う。\n空調は毎月清掃する。\n非常用電源の点検は年1回行う。", "点検"),
    (
        "ゲストの利用者は会議室を予約できません。\n\n窓口は総務です。\n\nゲストの利用者は会議室を予約できます。",
        "会議室",
    ),
    ("The export job limit is 50 MB.\n\nAsk an admin for access.\n\nThe export job limit is 80 MB.", "export job"),
    ("鍵の数は3個です。\n\n鍵は窓口で渡す。\n\n鍵の数は5個です。", "鍵の数"),
    ("\n" * 2_000 + "鍵の数は3個です。\n\n鍵の数は5個です。", "鍵の数"),
    ("- 駐車券は3枚です。\n\n鍵は総務で渡します。\n\n- 駐車券は5枚です。", "駐車券"),
    ("| プラン | 保存期間 |\n| --- | --- |\n| 標準 | 1年 |\n\n標準プランの保存期間は2年です。", "保存期間"),
]
OTHER_CASES_INSIDE = [
    ("平日:\n\n会議室の予約は10日前から受け付けます。\n\n休日:\n\n会議室の予約は5日前から受け付けます。", "会議室"),
    ("- 東京\n  - 会議室の定員は10人です。\n- 大阪\n  - 会議室の定員は20人です。", "会議室"),
    (
        "**Q1. 食品は返品できますか。**\n\nA. 返品の期限は到着から8日以内です。\n\n"
        "**Q2. 衣類は返品できますか。**\n\nA. 返品の期限は到着から14日以内です。",
        "返品 期限",
    ),
    ("会議室の予約は10日前から受け付けます。\n来年4月以降、会議室の予約は5日前から受け付けます。", "会議室"),
    (
        "会議室の予約は10日前から受け付けます。\n令和8年度に変更された。\n会議室の予約は5日前から受け付けます。",
        "会議室",
    ),
    ("The export job limit is 50 MB.\n\nBefore 2024, the export job limit is 80 MB.", "export job"),
    ("ゲストの利用者は会議室を予約できます。ゲストの利用者は会議室を予約できません。\n会議室は2階です。", "会議室"),
    ("申込期限は7日前です。\n\n詳しくは窓口へ。\n\n申込期限は3日前です。", "申込期限"),
    ("駐車券は3枚です。\n\n鍵は総務で渡します。\n\n駐車券は5枚です。", "駐車券"),
    (
        "会員に限り、次のとおりです。\n会議室の予約は10日前から受け付けます。\n"
        "鍵は総務で受け取ります。\n会議室の予約は5日前から受け付けます。",
        "会議室",
    ),
]
INSIDE = [*((*one, 1) for one in CONTRADICTING_INSIDE), *((*one, 0) for one in OTHER_CASES_INSIDE)]


@pytest.mark.parametrize("number", range(len(INSIDE)), ids=[text.strip() for text, *_ in INSIDE])
def test_a_section_contradicts_itself_only_where_nothing_parts_its_lines(pairs: Pairs, number: int) -> None:
    _, query, count = INSIDE[number]
    found = pairs.serving.find(query, manual_id=f"inside-{number}", max_stage=3)
    assert (found.lines["matched"] >= 2, len(found.hits("conflicts"))) == (True, count)


PLANS = "| プラン | 保存期間 | 容量 |\n| --- | --- | --- |\n| 標準 | {} | 10GB |\n| 拡張 | 3年 | 50GB |"
LIMITS = "| Plan | Projects | Upload size (MB) |\n|---|---|---|\n| Basic | 5 | {} |\n| Team | 20 | 200 |"


DEFAULTS = "| Setting | Default |\n|---|---|\n| Session timeout | 30 seconds |\n| Idle period | 5 seconds |"
TABLES = [
    (PLANS.format("1年"), "標準プランの保存期間は2年です。", "保存期間", 1),
    (PLANS.format("1年"), PLANS.format("2年"), "保存期間", 1),
    (PLANS.format("1年"), PLANS.format("2年"), "拡張", 0),
    (PLANS.format("12か月"), "標準プランの保存期間は1年です。", "保存期間", 0),
    (PLANS.format("3年以上"), "標準プランの保存期間は2年です。", "保存期間", 1),
    (PLANS.format("1年以上"), "標準プランの保存期間は2年です。", "保存期間", 0),
    (PLANS.format("1年"), "特別プランの保存期間は2年です。", "保存期間", 0),
    (PLANS.format("1年"), "保存期間は2年です。", "保存期間", 0),
    (PLANS.format("1年"), PLANS.format("2年").replace("保存期間", "試用期間"), "標準", 0),
    (DEFAULTS, "The session timeout defaults to 60 seconds.", "timeout", 1),
    (DEFAULTS, "The session timeout is 60 seconds.", "timeout", 0),
    (LIMITS.format(50), "The upload size of the Basic plan is 80 MB.", "upload size", 1),
    (LIMITS.format(50), "The upload size of the Basic plan is 50 MB.", "upload size", 0),
]


@pytest.mark.parametrize("number", range(len(TABLES)), ids=["-".join(map(str, row)) for row in TABLES])
def test_a_cell_is_a_value_of_what_its_row_and_column_name(pairs: Pairs, number: int) -> None:
    *_, query, count = TABLES[number]
    assert pairs.conflict_kinds(len(PAIRS) + number, query) == ["quantity"] * count


@pytest.mark.parametrize(
    "table",
    [
        PLANS.format("1年"),
        "| 項目 | 標準プラン | 拡張プラン |\n| --- | --- | --- |\n| 保存期間 | 1年 | 3年 |\n| 容量 | 10GB | 50GB |",
    ],
)
@pytest.mark.parametrize(("years", "count"), [(2, 1), (1, 0)])
def test_a_cell_is_about_its_row_or_column_under_any_heading(
    workspace: WorkspaceFolder, serve: Serve, table: str, years: int, count: int
) -> None:
    workspace.write("m/a.md", f"# プラン\n\n{table}\n")
    workspace.write("n/b.md", f"# 解約の窓口\n\n標準プランの保存期間は{years}年です。\n")
    assert len(serve().find("保存期間").hits("conflicts")) == count


STATED = ["| 項目 | 内容 |\n| --- | --- |\n| 保存期間 | 5年 |", "保存期間は5年とする。"]
HEADED = [
    ("# 契約書", "# 手引き", 7, 1),
    ("# 契約書", "# 手引き", 5, 0),
    ("# 請求書", "# 手引き", 7, 0),
    ("# 文書管理規程\n\n## 契約書\n\n### 概要", "# 手引き", 7, 1),
    ("# 契約書\n\n## 電子データ", "# 手引き", 7, 0),
    ("# 営業部\n\n## 契約書", "# 人事部", 7, 0),
]


@pytest.mark.parametrize("stated", range(len(STATED)), ids=STATED)
@pytest.mark.parametrize("number", range(len(HEADED)), ids=[" ".join(map(str, headed)) for headed in HEADED])
def test_what_many_things_have_is_that_of_the_heading_which_is_named_elsewhere(
    pairs: Pairs, number: int, stated: int
) -> None:
    found = pairs.serving.find("保存期間", manual_id=f"headed-{number}-{stated}", max_stage=3)
    assert (found.lines["matched"] >= 2, len(found.hits("conflicts"))) == (True, HEADED[number][-1])


def test_what_many_things_have_is_no_thing_of_a_table(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 見積書\n\n| 項目 | 値 |\n| --- | --- |\n| 保存期間 | 1年 |\n")
    workspace.write("n/b.md", "# 請求書\n\n| 項目 | 値 |\n| --- | --- |\n| 保存期間 | 2年 |\n")
    assert serve().find("保存期間").hits("conflicts") == []


def test_a_row_that_is_called_as_its_column_is_not_what_another_such_row_is(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for manual, thing, price in (("m", "特急券", 500), ("n", "入場券", 300)):
        workspace.write(f"{manual}/a.md", f"# 一覧\n\n| {thing} | 料金 |\n| --- | --- |\n| {thing} | {price}円 |\n")
    assert serve().find("料金").hits("conflicts") == []
