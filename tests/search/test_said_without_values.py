"""What a sentence says besides its value, and what it says that has a limit or is borne by one of two (seed 004 §3)."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.claims import Claim, Marks
from morenashi.server.search.judgement.negations import read_assertions, read_denials
from morenashi.server.search.judgement.valueless import without_value

from ..limited_work import RunWithin


def are_opposed(said: str, denied: str) -> bool:
    denials = list(read_denials(normalise(denied)))
    claims = list(read_assertions(normalise(said), Marks(denial.marks for denial in denials)))
    return any(_is_the_same(claim, denial) for claim in claims for denial in denials)


def _is_the_same(claim: Claim, denial: Claim) -> bool:
    return claim.rest == denial.rest and not set(claim.senses).isdisjoint(denial.senses)


COUNTED = ["回", "人", "名", "件", "日", "年", "泊", "枚", "個", "台", "か月", "時間"]
PER = ["月額", "年額", "日額", "毎月", "毎年", "毎日", "年", "月に", "週", "最大", "最長", "最高", "最低", "上限", "約"]
TAILS = [
    "後に",
    "後までに",
    "前に",
    "前までに",
    "まで",
    "までに",
    "ごとに",
    "毎に",
    "おきに",
    "以内に",
    "以上",
    "以下",
    "間",
]
BOUNDS = ["以内", "以下", "まで", "を上限", "を限度"]
IS_SO = ["です", "である", "であります", "とする", "とします", "となる", "となります", "以上とする"]
BEFORE_NUMBERS = (
    *("within", "every", "after", "for", "in", "up to", "at least", "at most", "for up to", "for at least"),
    *("no more than", "not more than", "not less than", "no later than"),
)


@pytest.mark.parametrize(
    ("sentence", "without"),
    [
        *((f"手当は1{counted}につき5,000円を支給する", "手当は支給する") for counted in COUNTED),
        *((f"手当は一回{per}、5,000円を支給する", "手当は支給する") for per in ("につき", "当たり", "あたり")),
        *((f"手当は{per}1万円を支給する", "手当は支給する") for per in PER),
        *((f"記録は90日{tail}削除する", "記録は削除する") for tail in TAILS),
        *((f"手当は1万円を{limit}支給する", "手当は支給する") for limit in ("限度として", "限度に", "上限に")),
        *((f"入会金は500円{is_so}", "入会金はあります") for is_so in IS_SO),
        *((f"利用回数は月3回{bound}とする", "利用回数の上限はあります") for bound in BOUNDS),
        *(
            (f"利用の{limit}は3回までとする", f"利用の{limit}はあります")
            for limit in ("期限", "上限", "限度", "制限", "下限")
        ),
        *((f"keys are kept {before} 90 days", "keys are kept") for before in BEFORE_NUMBERS),
        *((f"keys are kept for 9 days {word} use", "keys are kept") for word in ("of", "from", "after", "per", "or")),
        ("検査は10秒間とする", "検査はあります"),
        ("手当は月額1万円を支給する", "手当は支給する"),
        ("手当は1回につき5,000円を上限として支給する", "手当は支給する"),
        ("記録は90日後に自動的に削除される", "記録は自動的に削除される"),
        ("返品は商品到着後7日以内であればできる", "返品はできる"),
        ("返品は7日以内の場合は受け付ける", "返品は受け付ける"),
        ("証明書は3日以内に提出しなければならない", "証明書は提出しなければならない"),
        ("残業は月45時間を超えてはならない", "残業の上限はあります"),
        ("回数券の有効期限は発行日から1年間とする", "回数券の有効期限はあります"),
        ("利用回数は月3回までとする", "利用回数の上限はあります"),
        ("入会金は500円です", "入会金はあります"),
        ("keys expire after 90 days", "keys expire"),
        ("keys are rotated every 90 days", "keys are rotated"),
        ("copies are made weekly", "copies are made"),
        ("customers may return goods within 30 days of delivery", "customers may return goods"),
    ],
)
def test_a_sentence_says_the_same_without_its_value(sentence: str, without: str) -> None:
    assert without_value(sentence) == without


NO_VALUES = [
    "程度とする",
    "近く支給する",
    "代とする",
    "目とする",
    "台とする",
    "だった",
    "で買う",
    "も支給する",
    "は支給する",
]
SUPPOSED = ["の場合", "のとき", "の際", "を超え", "であれば", "休んだら", "なら", "の者は", "未満"]
VERBS = ["使う", "行く", "出す", "待つ", "死ぬ", "遊ぶ", "休む", "出る"]
SUPPOSING = "if when where while unless once because until who which that".split()


@pytest.mark.parametrize(
    "sentence",
    [
        *(f"手当は10日{said}" for said in NO_VALUES),
        *(f"手当は10日{supposed}支給する" for supposed in SUPPOSED),
        *(f"手当は10日{verb}と支給する" for verb in VERBS),
        *(f"{word} told keys expire after 90 days" for word in SUPPOSING),
        "手当は1万円を支給し、残りを返す",
        "手当は1万円を支給するが返す",
        "by default, keys expire after 90 days",
        "note: keys expire after 90 days",
        "手当は支給する",
        "手当は1万円又は2万円を支給する",
        "入会金は0円です",
        "送料は1万円以上で無料とする",
        "送料は3万円以上は無料とする",
        "手当は10日を超えるとき支給する",
        "組合は1995年に発足する",
        "手当は一部を支給する",
        "寿命は45年程度とする",
        "5日以内に支給する",
        "書庫は10mbの文書を含む",
        "weekly copies are made",
        "if keys are kept for 90 days, they expire",
        "a plan with 5 users costs more",
        "keys expire after 90 days unless renewed",
        "keys expire after 90 days in the vault of 3 people",
    ],
)
def test_a_sentence_may_say_nothing_without_its_value(sentence: str) -> None:
    assert without_value(sentence) is None


OURSELVES = "会社 当社 弊社 当店 弊店 当館 当院 当行 当校 当会 主催者 事業主".split()
CUSTOMERS = "お客様 お客さま 利用者 ご利用者 購入者 契約者 ご契約者 申込者 参加者 受講者 会員".split()
THEMSELVES = "本人 自己 個人 従業員 社員 職員".split()
BORNE = ["負担する", "負担します", "負担いたします", "負担致します", "負担すべきものとする", "全額負担することとします"]
BY_THEM = ["ご負担です", "負担である", "全額負担とする", "負担とします", "負担となる", "負担となります"]
NO_LIMIT = [
    "はありません",
    "がない",
    "もございません",
    "は無し",
    "は無い",
    "もない",
    "はなしとする",
    "は特に設けていない",
    "は一切定めておりません",
]


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        *((f"送料は{who}が負担する。", "送料はお客様の負担とする。") for who in OURSELVES),
        *(("送料は当社が負担する。", f"送料は、全て{who}の負担とする。") for who in CUSTOMERS + THEMSELVES),
        *((f"送料は当社が{borne}。", "送料は利用者の負担とする。") for borne in BORNE),
        *(("送料は当社が負担する。", f"送料はお客様の{borne}。") for borne in BY_THEM),
        *((f"修繕費は{who}が負担する。", "修繕費は入居者の負担とする。") for who in ("貸主", "賃貸人", "家主")),
        *(("修繕費は貸主が負担する。", f"修繕費は{who}の負担とする。") for who in ("借主", "賃借人")),
        *((f"送料は{who}が負担する。", "送料は落札者の負担とする。") for who in ("売主", "販売者", "出品者")),
        *(("送料は売主が負担する。", f"送料は{who}の負担とする。") for who in ("買主", "購入者")),
        *((f"Fees are paid by the {who}.", "Fees are borne by the employee.") for who in ("company", "employer")),
        *(
            (f"Fees are paid by the {who}.", "Fees are borne by the buyer.")
            for who in ("vendor", "supplier", "merchant")
        ),
        *(("Fees are paid by the company.", f"Fees must be borne by {who}s.") for who in ("customer", "client")),
        *(("Fees are paid by the seller.", f"Fees are borne by {who}s.") for who in ("buyer", "purchaser")),
        *(("送料は当社が負担する。", f"送料は{all_of}お客様の負担とする。") for all_of in ("すべて", "、原則として")),
        *(("Fees are paid by the seller.", f"Fees {will} be paid by the buyer.") for will in ("shall", "will")),
        ("Fees are paid by the landlord.", "Fees are borne by the tenant."),
        ("Fees are paid by the lessor.", "Fees are borne by the lessee."),
        *(("ファイルの数の上限は10個とする。", f"ファイルの数に制限{none}。") for none in NO_LIMIT),
        *(("ファイルの数の上限は10個とする。", f"ファイルの数の{limit}はない。") for limit in ("上限", "限度", "制約")),
        *(
            ("The limit on uploads per day is 5.", f"There {no} on uploads per day.")
            for no in ("are no limits", "is no upper limit", "is no hard cap", "are no fixed restrictions")
        ),
        *(
            (f"The number of uploads is {limited}.", "There is no limit to the number of uploads.")
            for limited in ("limited to 5", "restricted to 5", "capped at 5")
        ),
        ("The max number of uploads is 5.", "The number of uploads has no maximum."),
        ("The limit for uploads per day is 5.", "Uploads per day have no upper limit."),
        ("The limit of the upload size is 5 MB.", "There is no limit for the upload size."),
        ("ファイルの数の上限は10個とする。", "ファイルの数に制限はありません。"),
        ("ファイルの数は10個以内とする。", "ファイルの数は無制限とする。"),
        ("残業は月45時間を超えてはならない。", "残業に上限はありません。"),
        ("回数券の有効期限は1年とする。", "回数券には有効期限は設けていません。"),
        ("回数券の期限は1年とする。", "回数券は無期限とする。"),
        ("The upload size is limited to 50 MB.", "There is no limit on the upload size."),
        ("The maximum upload size is 50 MB.", "The upload size is unlimited."),
        ("The limit on uploads per day is 5.", "Uploads per day have no limit."),
        ("振込手数料は当社が全額負担する。", "振込手数料はお客様のご負担となります。"),
        ("修繕費は貸主の負担とする。", "修繕費は入居者が負担するものとする。"),
        ("健診の費用は会社負担とする。", "健診の費用は本人負担とする。"),
        ("Return shipping is paid by the seller.", "Return shipping is paid by customers."),
        ("来客用の駐車場は有料です。", "来客用の駐車場は無料です。"),
    ],
)
def test_what_is_limited_borne_or_charged_contradicts_what_is_not(said: str, denied: str) -> None:
    assert are_opposed(said, denied)


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("ファイルの数は10個以上とする。", "ファイルの数に制限はありません。"),
        ("ファイルの大きさは10MB以内とする。", "ファイルの数は無制限とする。"),
        ("回数券の使用期限は1年とする。", "回数券には有効期限はありません。"),
        ("The upload size is limited to 50 MB.", "There is no limit on the upload time."),
        ("Users may include but are not limited to staff.", "Users may include but are unlimited."),
        ("振込手数料は会社が負担する。", "振込手数料は買主の負担とする。"),
        ("振込手数料は当社が負担する。", "振込手数料は弊社の負担とする。"),
        ("Return shipping is paid by the seller.", "Return shipping is paid by the tenant."),
    ],
)
def test_another_thing_or_another_one_who_bears_it_contradicts_nothing(said: str, denied: str) -> None:
    assert not are_opposed(said, denied)


_LONG = """
from morenashi.server.search.judgement.bearers import read_bearer
from morenashi.server.search.judgement.starts import start_before, start_behind
from morenashi.server.search.judgement.measures import Measure
from morenashi.server.search.judgement.unlimited import read_limit
from morenashi.server.search.judgement.valueless import without_value
day = Measure("秒", 1, 1)
parts = "期限の 上限に の日から 後 負担する に限り まで the_limit_on_ there_is_no_limit_to_ of_the_"
for part in (part.replace("_", " ") for part in parts.split()):
    text = (part * 200)[:200]
    for said in (text, f"費用は3日{text}", f"fees are kept for 3 days{text}", f"{text}3日", f"fees are {text}"):
        for _ in range(20):
            read_limit(said), read_bearer(said), without_value(said), start_before(said, day), start_behind(said, day)
"""


def test_long_sentences_are_read_in_linear_work(run_within: RunWithin) -> None:
    run_within(3, _LONG)
