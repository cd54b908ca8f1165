"""What kind of quantity a question asks for, and how a text would state one. Pure.

A question with いつ, 何人 or "how many" is answered by a text with a date, or with a number of that unit. So much is
certain of few other questions: texts that name a place or a person cannot be told from others by their words.
"""

import re

from .counting_marks import MARKS

_MARK = f"[{MARKS}]"
_NUMBER = "[0-9一二三四五六七八九十百千万億兆]"
_UNITS = (
    f"年間|年|{_MARK}月|月|週間|日間|日|時間|時|分|秒|世紀|歳|才|名|人|個|件|回|度|倍|番|位|級|階|冊|本|枚|台|頭|匹|羽|通|部|"
    f"円|ドル|ユーロ|割|%|パーセント|トン|キロ|メートル|km|cm|mm|m|kg|g|{_MARK}所|{_MARK}国|種類|種|語|文字|章|条|項|号|つ"
)

# 何人, なんど: a number with just this unit.
_COUNTED = re.compile(rf"(?:何|なん)({_UNITS})")

_MARKED = re.compile(f"^{_MARK}")

_KINDS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        re.compile(r"いつ(?!も|でも)|(?:時期|年|日|期限|期日)は|\b(?:when|what (?:year|date|day)|how long)\b"),
        re.compile(
            rf"{_NUMBER} ?(?:年|{_MARK}月|月|週|日|時|分|世紀)|当日|翌日|以内|まで"
            r"|\b(?:1[0-9]{3}|20[0-9]{2})\b|[0-9] (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
        ),
    ),
    (
        re.compile(r"いくら|何割|割合|金額は|料金は|費用は|\bhow much\b"),
        re.compile(rf"{_NUMBER} ?(?:円|ドル|ユーロ|割|%|倍|分の)|[$€£¥] ?[0-9]|[0-9] (?:percent|dollars|yen)\b"),
    ),
    (
        re.compile(r"いくつ|ど(?:の|れ)(?:くら|ぐら)い|人口|人数|面積|\bhow (?:many|often|far|old|large|big)\b"),
        re.compile(_NUMBER),
    ),
)


def asked_quantity(question: str) -> re.Pattern[str] | None:
    """Finds in a normalised text what a normalised question asks to be told in numbers; `None` if it asks for none."""
    if counted := _COUNTED.search(question):
        return re.compile(f"{_NUMBER} ?{_MARKED.sub(_MARK, counted[1])}")
    return next((answer for asked, answer in _KINDS if asked.search(question)), None)
