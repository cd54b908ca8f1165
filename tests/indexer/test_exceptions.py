"""Which sentences say "except", "only if", "not in this case", and which only look like it."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.exception_entries import compile_patterns, read_entries
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.text import normalise

from ..limited_work import RunWithin
from .excepting import SHIPPED, kinds, layout_of, terms


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("届け出なければならない。ただし、急を要するときは、この限りでない。", ["ただし", "この限りでない"]),
        ("支給する。但し会社が認めた場合はこの限りではない。", ["但し", "この限りではない"]),
        ("定期券が高くつく場合は、その限りではない。", ["その限りではない"]),
        ("返品は受け付けます。開封後はこの限りではございません。", ["この限りではございません"]),
        ("書面を交付する（ただし、電磁的方法による場合を除く。）。", ["ただし", "を除く"]),
        ("現金ヲ払込ムヘシ但シ別ニ定ムルモノハ此ノ限ニ在ラス", ["此ノ限ニ在ラス"]),
        ("**ただし**、一部のメソッドは使えません。", ["ただし"]),
        ("  - ※ ただし、次の場合に使う。", ["ただし"]),
        ("届け出る　ただし、急なときは後でよい", ["ただし"]),
        ("正当な理由がある場合を除き、何人も入ってはならない。", ["を除き"]),
        ("その者を除いて、補償を行う。", ["を除いて"]),
        ("営業者（次項の業者を除く。）は、これを守る。", ["を除く"]),
        ("配列は除外されます。", ["は除外"]),
        ("別段の定めがない限り、許諾を要する。", ["ない限り"]),
        ("価格（税額を含まない。）を記載する。", ["含まない。)"]),
        ("この節の規定は、国の行為については、適用しない。", ["適用しない"]),
        ("`v-html` 内のコンテンツには適用されません。", ["適用されません"]),
        ("本ガイドラインの対象外とする。", ["対象外"]),
        ("保険会社は免責とする。", ["免責"]),
        ("当社は一切の責任を負いません。", ["責任を負いません"]),
        ("例外として、次の者は受けられる。", ["例外として"]),
        ("これには例外があります。", ["例外があり"]),
        ("提出は要りません(未成年の者は例外)。", ["は例外)"]),
        ("書類の保存がある場合に限り、適用する。", ["に限り"]),
        ("電話番号を知らせた者に限る。", ["に限る"]),
        ("変更した場合にのみ再描画する。", ["場合にのみ"]),
        ("前項の規定にかかわらず、届出は要しない。", ["規定にかかわらず"]),
        ("前項の定めによらず、会社が認めた者に支給する。", ["定めによらず"]),
        ("参加は会員に限らせていただきます。", ["に限らせ"]),
        ("会社は、用途により補助を認めないことがある。", ["認めないことがある"]),
        ("届出の内容によっては、承認しない場合があります。", ["承認しない場合があり"]),
        ("自宅に泊まる場合は、宿泊費を支給しない。", ["支給しない。"]),
        ("21日目以降の日当は支給しないものとする。", ["支給しないものとする"]),
        ("地震による損害に対しては、保険金を支払いません。", ["支払いません。"]),
        ("管理監督者には割増賃金を支払わない。", ["支払わない。"]),
        ("上の表にかかわらず、1か月前までに申請する。", ["表にかかわらず"]),
        ("USBメモリは使用禁止です。やむを得ない場合は許可を得てください。", ["やむを得ない場合は"]),
        ("付属品は保証の対象に含みません。", ["対象に含みません"]),
        ("緊急時以外は、非常口を使用しないこと。", ["以外は"]),
        ("許可を受けた者以外の立入りを禁ずる。", ["者以外の立入"]),
        ("災害時は別とする。", ["は別とする"]),
        ("次の患者には投与しないこと（禁忌）。", ["禁忌"]),
        ("保証期間内であっても、次の場合は有償とする。", ["保証期間内であっても"]),
        ("開封後の返品はお受けいたしかねます。", ["いたしかねます"]),
        ("セール品の返品・交換はお受けできません。", ["お受けできません"]),
        ("無料プランではこの機能をご利用いただけません。", ["いただけません。"]),
        ("前条の届出を要しない行為は、次のとおりとする。", ["を要しない行為"]),
        ("親族に支払う給与は、必要経費に算入できません。", ["に算入できません。"]),
        ("不可抗力による場合は、責めを負わない。", ["責めを負わない"]),
        ("特別な理由があるときは、前項の規定によらないことができる。", ["規定によらないことができる"]),
        ("計画停止の時間は、稼働率の計算には含めません。", ["計算には含めません。"]),
        ("公知の情報は、秘密情報に該当しないものとする。", ["に該当しないものとする"]),
        ("許可を得た場合のほかは、認めない。", ["場合のほかは"]),
        ("無免許運転中の事故では、保険金をお支払いできません。", ["お支払いできません"]),
        ("ご予約をお断りすることがあります。", ["お断りすることがあり"]),
        ("開示のご請求に応じられない場合があります。", ["請求に応じられない場合があ"]),
        ("この場合は保証を受けることができません。", ["保証を受けることができません"]),
        ("65歳以上の方は、手数料が免除されます。", ["手数料が免除され"]),
        (
            "正しさを保証するものではありません。補償は行いません。",
            ["保証するものではありません", "補償は行いません。"],
        ),
        ("通知がないと、保険金をお支払いできないことがあります。", ["お支払いできないことが"]),
        (
            "当社は、賠償する義務を負いません。損害の責任は一切負いません。",
            ["義務を負いません", "責任は一切負いません"],
        ),
        ("利用者間の紛争には、一切関与いたしません。", ["一切関与いたしません"]),
        ("公開の文書に、この制限は及ばないものとする。", ["制限は及ばない"]),
        ("解除のときは、この取扱いをしません。", ["取扱いをしません"]),
        ("本書は、日本国内においてのみ有効です。", ["においてのみ"]),
        ("電源を切った状態でのみ、ふたを開ける。", ["状態でのみ"]),
        ("対象は、市内に住む方のみです。管理する者だけが変更できる。", ["方のみです。", "者だけが変更でき"]),
        ("パートタイマーは、この規則によらず、別に定める。", ["規則によらず、"]),
        ("申請は翌月までとする。もっとも、海外出張は別の期限による。", ["もっとも、"]),
        ("注意: この操作は取り消せません。", ["注意"]),
        ("【注意】電源を切らないこと。", ["注意"]),
        ("順序が変わることに注意してください。", ["に注意してください"]),
        ("## 解析の注意点 {#caveats}", ["の注意点"]),
    ],
)
def test_a_japanese_sentence_that_limits_another_is_recognised(sentence: str, expected: list[str]) -> None:
    assert [term for term, _ in kinds(sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "基礎控除の額を控除し、債務の免除を受け、契約を解除する。",
        "外国法人が国外で行う取引及び外貨の売買。",
        "控除対象外国法人税の額を計算する。",
        "検査対象外軽自動車の所有者は届け出る。",
        "第三条第二項ただし書の規定による届出をする。",
        "同条但し書きに規定する場合とする。",
        "「ただし」と書いてある文をただし書という。",
        "ただしい値を入れ、担当者に問いただした。",
        "末尾の空白を取り除く。行を削除する。",
        "除した金額を二で除して得た数とする。",
        "戸籍又は除かれた戸籍の副本を添える。",
        "失敗したときは例外を投げます。",
        "読み取ろうとすると例外が発生します。",
        "例外オブジェクトを捕捉して記録する。",
        "結果を例外としてスローする。",
        "例外なくすべてに及ぶ。",
        "事前条件を確かめ、外側の余白を取る。",
        "善良な管理者の注意をもって管理する。",
        "注意義務を怠り、注意を喚起せず、細心の注意を払わない。",
        "提出期限、権限、限度額及び最低限度の生活。",
        "これに限らず、限りなく近い。無限に限りなく増える。",
        "年齢にかかわらず申し込める。",
        "この限りにおいて正しい。",
        "その限りにおいて効力を有する。",
        "年齢によらず、定めによるほかない。",
        "適用しなければならない。",
        "免責許可の決定を受ける。",
        "資料を送っていただけませんか。",
        "適用除外申請の様式は様式第5号とする。",
        "第三十七条第一項の規定により必要経費に算入する。",
        "要素は配列に含まれないことがある。",
        "別の設定を必要としないことがあります。",
        "標識を認めなければならないことがある。",
        "手当を支給しない職員の名簿を作る。",
        "賃金を支払わない使用者は、催告を受ける。",
        "天災その他やむを得ない事由により遅れた。",
        "それ以外は同じ。居住者以外の者に支払う。",
        "免責金額を設定する。",
        "添付の資料は配列に含めません。",
        "言うには及ばない。影響が広く及ぶ。",
        "数字のみの名前。英字のみです。",
        "一人だけが来た。氏名のみが表示される。",
        "要求に応じられない場合は、親に渡す。",
        "これはもっとも重い。そのもっともな理由。",
        "債務が免除された者。",
        "書類の取扱いをする者。",
    ],
)
def test_a_japanese_sentence_that_only_looks_like_it_is_left_alone(sentence: str) -> None:
    assert kinds(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("ただし、次による。", "proviso"),
        ("次の者を除く。", "exclusion"),
        ("この法律は、適用しない。", "non_application"),
        ("次の場合に限る。", "condition"),
        ("前条の規定にかかわらず、可とする。", "override"),
        ("注意：熱い。", "caution"),
        ("provided, however, that", "proviso"),
        ("all but x are excluded", "exclusion"),
    ],
)
def test_an_expression_has_a_kind(sentence: str, kind: str) -> None:
    assert [found for _, found in kinds(sentence)] == [kind]


def test_a_keyword_in_a_code_fence_is_no_expression() -> None:
    assert kinds("```python\ntry:\n    x\nexcept ValueError as e:\n    y\n```\n") == []


@pytest.mark.parametrize(
    "clause", ["KeyError:", "models.Gone:", "(a.NotFound, Http404) as error:", "Exception as e:  # any"]
)
def test_a_clause_that_catches_is_none_without_a_fence_either(clause: str) -> None:
    assert kinds(f"For example:\n\n    try:\n        read()\n    except {clause}\n        pass\n") == []


@pytest.mark.parametrize(
    "label", ["Except Sundays:", "- except employees on leave: see below", "Except as stated in 2.1:"]
)
def test_a_label_that_excepts_is_an_expression(label: str) -> None:
    assert [kind for _, kind in kinds(f"The desk is open.\n\n{label}\n")] == ["exclusion"]


def test_a_sentence_in_a_code_fence_is_one() -> None:
    assert kinds("```text\n# ただし、次による。\n# only if needed\n```\n") == [
        ("ただし", "proviso"),
        ("only if", "condition"),
    ]


def test_after_a_fence_prose_goes_on() -> None:
    assert kinds("~~~\nunless x\n~~~\nunless y\n") == [("unless", "exclusion")]


def test_three_backticks_around_a_word_are_no_fence() -> None:
    assert kinds("```yaml``` is the format.\n\nPay all unless told otherwise.\n") == [("unless", "exclusion")]


def test_a_fence_in_an_item_is_one() -> None:
    assert kinds("- ```\n  unless x\n  ```\n- unless y\n") == [("unless", "exclusion")]


def test_places_are_those_of_the_normalised_line() -> None:
    (found,) = SHIPPED.find(normalise("# 一\n\nＡ（子を除く。）\n"))
    assert (found.line, found.column, found.term) == (3, 3, "を除く")


def test_an_expression_is_told_once_a_line() -> None:
    assert terms("特例特例\n特例", "特例") == [(1, "特例"), (2, "特例")]


def test_of_two_that_overlap_the_longer_is_meant() -> None:
    assert terms("except for this", "except", "except for") == [(1, "except for")]


def test_a_latin_expression_may_touch_japanese() -> None:
    assert terms("これはexceptである", "except") == [(1, "except")]


def test_an_own_expression_counts_whatever_our_false_friends_say() -> None:
    shipped = load_dictionaries(Path("/nonexistent")).exceptions
    finder = ExceptionFinder((*shipped, *read_entries(["ただし書", "外国"], is_own=True)))
    assert [found.term for found in finder.find("外国のただし書")] == ["外国", "ただし書"]


def test_an_own_keyword_counts_in_a_code_fence_too() -> None:
    shipped = load_dictionaries(Path("/nonexistent")).exceptions
    finder = ExceptionFinder((*shipped, *read_entries(["unless"], is_own=True)))
    text = "```\nunless x\n```\n"
    assert [found.line for found in finder.find(normalise(text), layout_of(text))] == [2]


@pytest.mark.parametrize(
    "notation", ["{is|are} out of scope", "{is |are }out of scope", "{is|are}{ out of scope| no matter}"]
)
def test_the_blank_of_an_expression_may_stand_on_either_side_of_a_bracket(notation: str) -> None:
    entries = read_entries([notation], is_own=True)
    found = ExceptionFinder(entries).find("printing is\nout of scope. scans are out of scope. it was out of scope.")
    assert [one.term for one in found] == ["is out of scope", "are out of scope"]
    assert "" not in [pattern.head for pattern in compile_patterns(entries)]


def test_an_own_false_friend_silences_our_expressions() -> None:
    shipped = load_dictionaries(Path("/nonexistent")).exceptions
    finder = ExceptionFinder((*shipped, *read_entries(["!埃を除く"], is_own=True)))
    assert [found.line for found in finder.find("埃を除く\n子を除く")] == [2]


def test_without_entries_nothing_is_found() -> None:
    assert terms("ただし") == []


# Signs alone hardly ever make an expression.
PARTS = [
    *"ただし書除くを、。()'\"- \nexcptifornly",
    *string.punctuation,
    *("ただし、", "を除く", "に限る", "この限りでない", "except for ", "only if ", "unless ", "does not apply"),
]


@given(st.lists(st.sampled_from(PARTS), max_size=90).map("".join))
def test_any_text_has_expressions_in_order_at_the_places_they_are_told_for(text: str) -> None:
    normal = normalise(text)
    lines = normal.split("\n")
    places = []
    for found in SHIPPED.find(normal, layout_of(text)):
        assert lines[found.line - 1][found.column :].startswith(found.term.split(" ")[0])
        assert 1 <= found.first_line <= found.line <= found.last_line <= len(lines)
        places.append((found.line, found.column))
    assert places == sorted(places)


HOSTILE = (
    '"ただし、" * 12_500',
    '"ただし、\\n" * 12_500',
    '"- ただし、この限りでない。\\n" * 7_500',
    '"unless\\n" * 12_500',
    '"を除く" * 12_500',
    '"not " * 25_000 + "apply"',
    '"".join(f"{\'  \' * (depth % 40)}- を除く\\n" for depth in range(7_500))',
    '"一　を除く\\n\\n" * 5_000 + "ただし、\\n" * 5_000',
    '"```\\nunless\\n" * 5_000',
    '"# 注意\\n" * 1_500',
    '"*" * 50_000 + "ただし"',
    '"\\n" * 50_000 + "ただし"',
    '"ただし\\n" + "\\n" * 50_000 + "ただし"',
)
_FIND = """
from tests.indexer.excepting import SHIPPED, layout_of
from morenashi.indexer.text import normalise
assert list(SHIPPED.find(normalise(text), layout_of(text)))
"""


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_comes_to_its_end(run_within: RunWithin, text: str) -> None:
    run_within(3, f"text = {text}{_FIND}")
