"""What in a question only asks: 何日前 of 何日前までに出すか, を全部知りたい of 申請先を全部知りたい, "list all". Pure.

No text has it that answers, so it is nothing to look for, and nothing that is missing.
"""

import re

_COUNTERS = (
    "年間|日間|週間|分間|時間|世紀|種類|段階|項目|文字|か[月所国条年]|[ヶヵケカ箇][月所国条年]|パーセント|ポイント|ドル|ユーロ|メートル|キロ|トン"
    "|[年月日回分時秒週円人名個件割歳才条項号章節倍番位級階冊本枚台頭匹羽通部点校社国県代色族世語字桁故処つ]"
)
_AROUND = "前後|以上|以下|以内|未満|程度|目|前|後|間|頃"
# 何人も is nobody, 幾何 geometry; what is asked to be counted may be several: 何月何日.
_HOW_MANY = re.compile(rf"(?<![幾如])(?!何人も[^\u3041-\u309f])(?:何|幾(?=[年月日回人個つ]))(?:{_COUNTERS}|{_AROUND})*")
_REQUEST = re.compile(
    # Bounded, as it is tried at every character.
    "(?:を|について|に関して)?(?:全部|全て|すべて|詳しく|詳細に|具体的に|簡単に|簡潔に|順に|一覧[でにを]|まとめて){0,3}"
    "(?:教え|知り|調べ|挙げ|示し|まとめ|(?:列挙|説明|解説|要約|整理|確認|一覧化|リストアップ|一覧に|表に)し)(?:て|た)"
    "[\u3041-\u3096下頂欲願]{0,20}$|(?:を|について|に関して)(?:全部|全て|すべて|一通り|もれなく|漏れなく)$"
    "|(?:(?<=もの)|(?<=[^の又はとや、 ]))(?:全部|全て|すべて)$"
)
# With a word that shows that nothing else is meant: `find command` and `show databases` are what they are.
_ENGLISH_REQUEST = re.compile(
    r"^(?:please )?(?:list|show|find|give|get|name|enumerate|summari[sz]e|explain|describe|identify)"
    r"(?:(?: me| us)? (?:all|every|each|any|the)(?: of)?(?: the)?| me| us)(?= [^ ])"
)
_ENGLISH_HOW = re.compile(r"(?:^|(?<= ))how (?:often|long|far|soon|early|late|large|big|old|quickly|fast)(?= [^ ])")


def without_asking(piece: str) -> str:
    """A normalised piece of a question without what only asks; the rest is parted where that stood."""
    return _HOW_MANY.sub("、", _REQUEST.sub("", piece))


def without_request(question: str) -> str:
    """A normalised question without the request at its end, or, in English, at its beginning."""
    return _REQUEST.sub("", without_english_request(question))


def without_english_request(question: str) -> str:
    """A normalised question without a request such as "list all" at its beginning, and without "how often" or "how
    long" anywhere.
    """
    return _ENGLISH_HOW.sub("", _ENGLISH_REQUEST.sub("", question)).lstrip()
