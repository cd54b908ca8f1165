"""Whether the headings over two sections say that they are about different things. Pure.

What is stated of an attribute that many things have (保存期間は7年, the timeout is 5 seconds) is stated of what the
headings name: of the one kind of documents here, of the other there.
"""

import re
from os.path import commonprefix
from typing import NamedTuple

from morenashi.indexer.files import file_type_of
from morenashi.indexer.text import normalise

_NUMBERING = re.compile(
    r"^(?:第[0-9一二三四五六七八九十百]+[編章節款条項](?:の[0-9一二三四五六七八九十]+)*"
    r"|[0-9]+(?:[-.][0-9]+)*[.)]?(?= |[^0-9a-z])|[(][0-9a-z一二三四五六七八九十]+[)]"
    r"|(?:section|chapter|article|part|q|a)\.? ?[0-9]+(?:\.[0-9]+)*[.:)]?|[①-⑳])+[ 、.:]*"
)
_EDGES = " ()・:-*#'\"、。の"
# A heading with one of these alone names no thing.
_NAMES_NOTHING = re.compile(
    r"(?:概要|総則|通則|目的|はじめに|基本|原則|一般|共通|共通事項|主な仕様|仕様|製品仕様|詳細|補足|付則|附則|別表.*|備考|注意(?:事項)?"
    r"|その他|雑則|まとめ|よくある質問|ご?質問|faq|q&a|overview|introduction|general|details?|summary|notes?|basics|about"
    r"|intro|(?:all )?options|parameters"
    r"|specifications?|limits?|settings?|configuration|reference|usage|appendix.*|miscellaneous|definitions?|条文|本則|内容)"
)
# What a document is: of two that are of different kinds, each may be about all that the other is about.
_DOCUMENTS = (
    r"(?:規程|規則|規約|規定|約款|契約書|合意書|覚書|特約(?:条項)?|手引き?|マニュアル|ガイド(?:ライン|ブック)?|説明書|仕様書|"
    r"質問|faq|案内|要領|要項|要綱|基準|細則|条例|心得|手順書?|通知|お知らせ|しおり|一覧|早見表|別表|方針|ポリシー|会則|学則|台帳|カタログ|"
    r"保証書|添付文書.*|日程|経緯|\b(?:policy|guide|manual|handbook|reference|terms(?: of .*)?|agreement|protocol|"
    r"guideline|quickstart|datasheet|card|sheet|amendment|form|template|centre|center|docs?|documentation|readme|rules|changelog))"
)
_IS_DOCUMENT = re.compile(f".*{_DOCUMENTS}")
# What is left of two titles of documents about one thing: 旅費規程 別表, 旅費の早見表; 利用規程, の手引.
_OF_ANY_THING = "利用|使用|運用|管理|取り?扱い?|実施|業務"
_IS_KIND = re.compile(f"(?:[のごお ]*(?:{_OF_ANY_THING})?{_DOCUMENTS})+")
_JOINS = re.compile("(?:及び|および|並びに|と|や|・|,|、|/|&|and|の| )*")
_VERSION = re.compile(
    r"(?<![a-z0-9])(?:v|ver\.?|version)[ _-]?([0-9]+(?:\.[0-9]+)*)"
    r"|(?<![0-9])((?:19|20)[0-9]{2})(?=年|/|_|-|$)|((?:令和|平成)[0-9元]+)年"
)
# What an example sets is so in the example.
_IS_EXAMPLE = re.compile("(?:^|/)(?:examples?|samples?|demos?)/")
_IS_OLD = re.compile(r"旧(?![姓字漢])|(?<![a-z])(?:old|archived?|legacy|deprecated|obsolete)(?![a-z])")

# What many things have: with what it is of, it is another one each time.
_ACTIONS = (
    "申請|申込|提出|届出|募集|登録|予約|受付|通知|確認|回答|返信|契約|変更|更新|解約|開始|終了|実施|開催|適用|設定|処理|作業|待機|試験"
    "|保存|保管|保持|保証|貸出|返却|返品|利用|使用|勤務|休憩|投与|服用|支払|補助|支給|助成|給付|負担|手当"
)
_OPENINGS = "営業|休業|定休|開館|閉館|休館|開室|閉室|休室|開園|閉園|休園|開店|閉店"
_QUALITIES = "最大|最小|最高|最低|上限|下限|標準|初期|既定|合計|月額|年額|基本|必要|有効|対象"
_TIMES = "期限|期間|期日|時間|時刻|日時|日|月|間隔|頻度|タイムアウト"
_MONEY = "料金|料|費用|費|金額|額|価格|単価|代金|保証金|敷金|(?:総|建設)?工費|建設費|総事業費|資本金|予算"
_NUMBERS = (
    "率|割合|限度|限度額|日数|回数|人数|(?:貸出)?冊数|件数|個数|枚数|数|定員"
    "|(?:職員|従業員|社員|会員|利用者|蔵書|店舗|客室)数"
)
_MEASURES = (
    "量|容量|サイズ|温度|湿度|質量|重量|寸法|電圧|電流|電力|周波数|出力|圧力|濃度|速度|長さ|幅|高さ|奥行き?|全[長幅高]|直径"
    "|(?:敷地|建築|建物|延べ?床|床|専有|総)?面積"
)
_TERMS_OF_USE = "場所|方法|資格|条件|者|可否"
_OF_MANY_THINGS = f"{_ACTIONS}|{_OPENINGS}|{_QUALITIES}"
_ATTRIBUTES = f"{_TIMES}|{_MONEY}|{_NUMBERS}|{_MEASURES}|{_TERMS_OF_USE}"
_ENGLISH_QUALITIES = (
    "default|maximum|minimum|max|min|standard|total|initial|monthly|annual|connection|request|idle|read|write"
)
_ENGLISH_TIMES = "timeout|period|deadline|retention(?: period)?|interval|duration|delay|age|lifetime|expiry"
_ENGLISH_MONEY = "price|fee|cost|charge|deposit|fare|rent|discount"
_ENGLISH_MEASURES = "limit|storage|size|dose|rate|capacity|quota|length|value|count|number|weight"
# A name in quotes or code, or that could not be a word: that of a field of something.
_FIELD = "'?[a-z0-9_.]+'|[a-z0-9.]*_[a-z0-9_.]*"
_IS_ATTRIBUTE = re.compile(
    f"(?:(?:ご|お)?(?:{_OF_MANY_THINGS}))*(?:可能)?(?:{_ATTRIBUTES}|{_OF_MANY_THINGS})"
    "(?:の(?:額|上限|下限|変更|取消し?|方法|可否))?"
    f"|(?:(?:{_ENGLISH_QUALITIES}) )*(?:{_ENGLISH_TIMES}|{_ENGLISH_MONEY}|{_ENGLISH_MEASURES})"
    f"|{_FIELD}"
)
_LATIN = re.compile("[a-z0-9]")
_PLURAL = re.compile(r"(?<=[a-z]{3})s\b")


class Whereabouts(NamedTuple):
    """The path of a document, and the normalised titles over a section, the outermost first, its own the last."""

    path: str
    titles: tuple[str, ...]

    @property
    def names_no_thing(self) -> bool:
        """Whether nothing over the section could say what it is about, as it is about many things: those of JSON are
        parted by their objects.
        """
        return file_type_of(self.path) == "json"


def are_versions(one: Whereabouts, other: Whereabouts) -> bool:
    """Whether they lie in two versions of something: v1 and v2, 2023年度 and 2024年度, 旧規程 and what is in force, an
    example and the text.
    """
    said = [(_versions(place), bool(_IS_OLD.search(_all_names(place)))) for place in (one, other)]
    (versions, is_old), (other_versions, is_other_old) = said
    if _is_of_example(one) != _is_of_example(other):
        return True
    return is_old != is_other_old or bool(versions and other_versions and not versions & other_versions)


def is_attribute(subject: str) -> bool:
    """Whether many things have it (保存期間, timeout), so that it is of what is named elsewhere."""
    return _IS_ATTRIBUTE.fullmatch(subject) is not None


def are_apart(one: Whereabouts, other: Whereabouts, subject: str) -> bool:
    """Whether headings say that the same words about `subject` are about something else, if it is such a subject; or
    may say so, if they were any.
    """
    if subject and not is_attribute(subject):
        return False
    return one.names_no_thing or other.names_no_thing or do_headings_differ(one, other, subject)


def do_headings_differ(one: Whereabouts, other: Whereabouts, subject: str) -> bool:
    """Whether headings over two sections name different things besides the subject."""
    pairs = [*zip(one.titles, other.titles, strict=False), *zip(one.titles[-1:], other.titles[-1:], strict=False)]
    return any(_differ(_name(title, subject), _name(second, subject)) for title, second in pairs)


def thing_over(place: Whereabouts) -> str:
    """What the innermost heading that names anything names; empty if none does."""
    return next(filter(None, (_name(title, "") for title in reversed(place.titles))), "")


def _is_of_example(place: Whereabouts) -> bool:
    return _IS_EXAMPLE.search(normalise(place.path)) is not None


def _versions(place: Whereabouts) -> set[str]:
    return {"".join(filter(None, found.groups())) for found in _VERSION.finditer(_all_names(place))}


def _all_names(place: Whereabouts) -> str:
    return "/".join((normalise(place.path), *place.titles))


def _name(title: str, subject: str) -> str:
    """What a heading names besides the subject; empty if nothing."""
    name = _NUMBERING.sub("", title).strip(_EDGES)
    if subject and name in f"{subject}s":
        return ""
    name = name.replace(f"{subject}s", "").replace(subject, "").strip(_EDGES) if subject else name
    return "" if _NAMES_NOTHING.fullmatch(name) else name


def _differ(one: str, other: str) -> bool:
    one, other = (_PLURAL.sub("", name) for name in (one, other))
    if not one or not other or one == other:
        return False
    start = common_length(one, other)
    end = common_length(one[start:][::-1], other[start:][::-1])
    # Not in the middle of a Latin word: doesNotMatch is no kind of match.
    start -= max(_letters_cut(name, start) for name in (one, other))
    end -= max(_letters_cut(name[::-1], end) for name in (one, other))
    own, others = (name[start : len(name) - end].strip() for name in (one, other))
    if _JOINS.fullmatch(own) or _JOINS.fullmatch(others) or (_IS_KIND.fullmatch(own) and _IS_KIND.fullmatch(others)):
        return False
    return bool(start + end > 1) or not (_IS_DOCUMENT.fullmatch(one) or _IS_DOCUMENT.fullmatch(other))


def _letters_cut(text: str, at: int) -> int:
    """How many letters before a place are of a Latin word that goes on behind it."""
    if not _LATIN.match(text, at):
        return 0
    begun = at
    while begun and _LATIN.match(text, begun - 1):
        begun -= 1
    return at - begun


def common_length(one: str, other: str) -> int:
    """How many characters they begin with alike."""
    return len(commonprefix((one, other)))  # noqa: RUF071 - characters are what is compared
