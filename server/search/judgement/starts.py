"""From when a time is counted: 入社日から3か月, 12 months from the date of purchase. Pure.

A text that does not say so may mean the same; two that say so may mean two times.
"""

import re

from .measures import Measure

_FROM = "(?:から(?:起算して|数えて)?|より)"
_EVENTS = "発行|交付|購入|契約|登録|加入|納品|納入|出荷|受領|到着|入社|入会"
_BEFORE = re.compile(
    f"[^。、,はがをでに()0-9 ]{{2,16}}(?:後(?:から)?|(?:日|時点?|月){_FROM})、?$"
    f"|[^。、,はがをでに()0-9 ]{{0,14}}(?:{_EVENTS}){_FROM}、?$"
    "|[^。、,はがでに()0-9 ]{1,14}てから、?$"
)
_BEHIND = re.compile(
    r" ?(?:from|after|of(?= (?:the |your |its )?(?:date|day|receipt|purchase|delivery|arrival|order|discovery|detection"
    r"|notification|hire|hiring|employment|request|submission|completion|approval|publication|disclosure)\b))"
    r"(?P<since>(?: [a-z'-]+){1,7})$"
)
# What lasts from when something ends is another time than what it has in general: 契約終了後30日間保存する.
_IS_END = re.compile("終[了わ]|満了|解[約除散]|退[職会社]|廃[止棄]|削除|停止|取消|変更")
# From Monday to Friday: no time that anything is counted from.
_IS_NO_START = re.compile(
    r" (?:to|until|by|via|through|into|terminat|expir|clos|delet|cancel|end|remov|resign|leav|chang)"
)
_LONGEST = 24


def start_before(text: str, measured: Measure) -> int:
    """Where it begins to say from when a Japanese time is counted that stands behind the text; its end if nowhere."""
    found = _BEFORE.search(text, max(len(text) - _LONGEST, 0)) if measured.is_time else None
    return len(text) if found is None or _IS_END.search(found[0]) else found.start()


def start_behind(text: str, measured: Measure) -> int:
    """Where it ends to say from when an English time is counted that stands before the text; 0 if nowhere."""
    found = _BEHIND.match(text) if measured.is_time else None
    return 0 if found is None or _IS_NO_START.search(found["since"]) else found.end()
