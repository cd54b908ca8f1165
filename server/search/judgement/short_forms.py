"""What a sentence says of a value, as short as it can be said: kept for 30 days, however that is put. Pure."""

import re

from .bounds import as_within
from .wording import OBLIGED

# 1回につき and 1回当たり are 1回.
_PER = re.compile("(?<=[回日人件名月泊年間個枚台])(?:に?つき|[当あ]たり)、?")
_OBLIGES = re.compile(f"{OBLIGED}|必ず")
_AT_LEAST = "少なくとも"
# What is deleted after a time is kept for that: 30日後に削除される, purged after 30 days; and "set X to" is "X is".
_DELETED = "(?:削除|消去|破棄|廃棄)"
_UNTIL_DELETED = re.compile(
    f"の{_DELETED}は、?(?P<time>[^。、]{{1,8}}[日月年間])(?:経過)?後に"
    "|(?<=[日月年間])(?:(?:経過)?後|が?経過(?:すると|したら|した後)|を過ぎると)に?、?(?:自動的に|自動で|順次)?"
    f"{_DELETED}"
)
_DELETED_AFTER = re.compile(r"\b(?:(?:automatically|permanently) )?(?:deleted|purged|removed|erased|discarded) after\b")
# What expires does so once: passwords expire every 90 days.
_EXPIRE_EVERY = re.compile(r"\b(expires?) every(?= [0-9])")
# 2 days a week.
_A_PERIOD = re.compile(r"(?<=[a-z]) an? (?=(?:second|minute|hour|day|week|month|quarter|year)\b)")
_SET_TO = re.compile(r"^(?:please )?set ((?:the |your )?[a-z][a-z0-9_. '-]{1,60}?) to (?=[0-9])")


def in_short_form(sentence: str) -> str:
    """A sentence with what it says of a value as short as it can be: 45時間を超えてはならない is 45時間以内."""
    if sentence.isascii():
        told = _A_PERIOD.sub(" per ", _EXPIRE_EVERY.sub(r"\1 after", as_within(sentence)))
        return _SET_TO.sub(r"\1 is ", _DELETED_AFTER.sub("kept for", told))
    sentence = _UNTIL_DELETED.sub(lambda said: f"{said['time'] or ''}保存", _PER.sub("", as_within(sentence)))
    return _OBLIGES.sub("", sentence).replace(_AT_LEAST, "最低")
