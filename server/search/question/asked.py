"""What in a question only asks: 何日前 of 何日前までに出すか, を全部知りたい of 申請先を全部知りたい. Pure.

No text has it that answers, so it is nothing to look for, and nothing that is missing.
"""

import re

from .adverbs import without_adverbs
from .counting_marks import COUNTED, MARKS
from .english_requests import without_english_request
from .verbs_at_nouns import without_verbs_at_nouns

_COUNTERS = (
    f"年間|日間|週間|分間|時間|世紀|種類|段階|項目|文字|[{MARKS}]{COUNTED}|パーセント|ポイント|ドル|ユーロ|メートル|キロ|トン"
    "|[年月日回分時秒週円人名個件割歳才条項号章節倍番位級階冊本枚台頭匹羽通部点校社国県代色族世語字桁故処つ]"
)
_AROUND = "前後|以上|以下|以内|未満|程度|目|前|後|間|頃"
# 何人も is nobody, 幾何 geometry; what is asked to be counted may be several: 何月何日.
_HOW_MANY = re.compile(
    rf"(?<![幾如])(?!何人も[^\u3041-\u309f])(?:何|誰|いく[つら]|幾(?=[年月日回人個つ]))(?:{_COUNTERS}|{_AROUND})*"
)
# All of it, and how it is to be told.
_ALL = (
    "全部|全て|すべて|一通り|ひととおり|もれなく|漏れなく|余さず|残らず|洗いざらい"
    "|網羅的に|包括的に|徹底的に|できるだけ|可能な限り"
)
_HOW = f"{_ALL}|詳しく|詳細に|具体的に|簡単に|簡潔に|順に|一覧[でにを]|リスト[でにを]|まとめて"
_TOLD = (
    "教え|知り|調べ|挙げ|示し|まとめ|見せ|集め|(?:抜き|洗い|拾い)出し"
    "|(?:列挙|説明|解説|要約|整理|確認|一覧化|リスト化|リストアップ|一覧に|表に)し"
)
_POLITELY = "(?:て|た)[\u3041-\u3096下頂欲願]{0,20}"
# What a manual consists of, which says nothing of what is asked about.
_ABOUT = (
    "(?:に(?:関する|関係する|関連する|関わる|かかわる|触れている|触れた|言及している|言及した)"
    "|について(?:の|書かれて?いる|書かれた|書いて?ある|述べている|述べた|定めて?いる|定めた|触れている))"
)
_PASSAGES = "(?:記述|記載|箇所|個所|部分|ところ|場所|情報|こと|もの|事項|内容)(?:箇所|部分|事項)?"
_RULES = "(?:規定|規則|ルール|決まり|条文|条項|項目|説明|文章)"
# 社員向けの, 手当周りの.
_FOR_WHOM = re.compile("(?:(?<=.)向け|(?<=..)周り)(?=[のにでを、]|$)")
# 休暇に関する規定を全部挙げて. Bounded, as it is tried at every character.
_TELL_PASSAGES = (
    f"(?:{_ABOUT}(?:{_PASSAGES}|{_RULES})|の(?:記述|記載|規定|条文|箇所)(?:箇所|部分)?)"
    f"(?:[をがはも、](?:{_HOW}){{0,3}}(?:(?:{_TOLD}|探し|見つけ|抽出し){_POLITELY})?|(?:{_HOW}){{1,3}})"
)
# 休暇について書かれた箇所.
_PASSAGES_ABOUT = _ABOUT + _PASSAGES
# 休暇についてどのような規定がありますか.
_ARE_THERE_RULES = (
    f"(?:について|に関して)(?:は|の)?(?:どのような|どんな|何か)?{_RULES}(?:が|は)あ(?:る|ります)[かのでしょう]{{0,5}}"
)
# 休暇について詳しく教えてください.
_TELL = f"(?:を|について|に関して)?(?:{_HOW}){{0,3}}(?:{_TOLD}){_POLITELY}"
# 休暇についてもれなく, 申請先すべて.
_ALL_OF_IT = f"(?:を|について|に関して)(?:{_ALL})|(?:(?<=もの)|(?<=こと)|(?<=[^の又はとや、 ]))(?:全部|全て|すべて)"
# 休暇まとめて, 休暇を詳しく.
_IN_WHICH_WAY = "(?:を|について|に関して)?(?:詳しく|詳細に|具体的に|簡単に|簡潔に|一覧[でに]|まとめて)"
_REQUEST = re.compile(
    f"(?:{_TELL_PASSAGES}|{_PASSAGES_ABOUT}|{_ARE_THERE_RULES}|{_TELL}|{_ALL_OF_IT}|{_IN_WHICH_WAY})$"
)


# 休暇を取れない人, 手当を払わなくてよい場合: who has no right or no duty. What does not work (ログインできない,
# 電源が入らない) is what a manual calls so itself.
_DENIED = re.compile(
    "[をがはにもとで、](?:受けられ|支給(?:し|され)|認め(?:られ)?|もらえ|[取と]れ|払わ|要ら|いら)"
    "な(?:い|くて(?:も)?(?:いい|よい|良い|済む|すむ))(?:場合|ケース|人|者|とき|時|条件|例)?"
)


# お世話になっております, 質問です: how people begin and end a message. No rule has it, and other lines have its words.
_GREETING = (
    "お世話に(?:なって(?:い|お)ります|なります)|お世話になっています|(?:いつも)?お疲れ(?:様|さま)(?:です|でございます)"
)
_BEGINNING = (
    "(?<![^ 。、!?)])(?:(?:すみません|教えて(?:ください|下さい)|初心者です)(?=[。、!? ])|(?:大?至急|急ぎ)です"
    "|質問(?:です(?![かが])|ですが|が(?:あります|あるのですが)|させて(?:ください|下さい)))"
)
_PLEASE = "(?:お願い(?:いたし|致し|し)ます|お願い申し上げます)"
_BEGGING = (
    "(?:ご|御)(?:教示|教授|回答|返信|返答|助言)(?:の(?:ほど|程))?、?"
    f"(?:(?:よろしく|宜しく)?{_PLEASE}|(?:(?:くだ|下)さい|(?:いただ|頂)け(?!な|ませんでした))[\u3041-\u309f]{{0,6}}(?:幸いです)?)"
    f"|(?:よろしく|宜しく){_PLEASE}|お手数(?:ですが|をおかけ(?:いた)?しますが)|お忙しい(?:ところ|中)"
    "|(?:恐れ入ります|恐縮です|恐縮ではあります)が|(?:ご|御)存[知じ](?:です|の方|でしたら)"
)
_COURTESY = re.compile(f"{_GREETING}|{_BEGINNING}|{_BEGGING}")


def without_courtesy(question: str) -> str:
    """A normalised question without what only greets or begs, if more is left; one with quotes as it is."""
    left, found = _COURTESY.subn(" ", question)
    return question if not found or '"' in question or not left.strip(" 。、!?") else left.strip(" 。、")


def without_denial(question: str) -> str:
    """A normalised question without the verb that asks what is excepted, if more is left: 認められない場合. A text that
    excepts says so in other words (この限りでない).
    """
    left = _DENIED.sub(" ", question)
    return left if left.strip() else question


def without_asking(piece: str) -> str:
    """A normalised piece of a question without what only asks; the rest is parted where that stood."""
    told = _FOR_WHOM.sub("、", _HOW_MANY.sub("、", _REQUEST.sub("", piece)))
    return without_verbs_at_nouns(without_adverbs(told))


def without_request(question: str) -> str:
    """A normalised question without the request at its end, or, in English, at its beginning."""
    return _REQUEST.sub("", without_english_request(question))
