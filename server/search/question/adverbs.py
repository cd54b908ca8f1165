"""Adverbs of kanji that go with the verb behind them: 再度 of 再度申請する, 今年 of 今年購入した. Pure.

Written without a particle, they would be one run with the verb's noun, which no text has so (もう一度参加する).
"""

import re

# When and how often somebody did something, as people tell it: no rule is found by 先月.
_ADVERBS = (
    "(?:もう|今|いま)一度|[一二]度|再度|一旦|毎回|毎度|今回|前回|次回|普段|全部|現在|以前|最近|先日|後日|昨日|今日|明日|本日"
    "|[先今来]週|[先今来]月|昨年|去年|今年|来年|至急|早速"
)
# Of two kanji, as most are: behind 現在 of 現在地 or 今年度 none begins.
_VERB_NOUN = "[\u4e00-\u9fff]{2}(?:す[るれ]|し(?![いかく])|さ[れせ]|でき|出来|いた[しだ]|せずに?)"
# 一度試す, 再度送って; no particle, as in 今回分は.
_VERB = "[\u4e00-\u9fff][\u3041-\u3096](?<![のをがはにでとへもやか])"
_KATAKANA = "[\u30a1-\u30fa\u30fc]{2}"
_BEFORE_A_VERB = re.compile(f"(?<![\u4e00-\u9fff0-9.])(?:{_ADVERBS})(?={_VERB_NOUN}|{_VERB}|{_KATAKANA})")


def without_adverbs(piece: str) -> str:
    """A normalised piece of a question, parted where such an adverb stood."""
    return _BEFORE_A_VERB.sub("、", piece)
