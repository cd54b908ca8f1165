"""Verbs right behind a noun, without a particle, as people chat: 残業代出ますか, 健康診断受けない. Pure.

Their kanji would be the last one of the noun, and no text has such a word.
"""

import re
from functools import cache

_KANJI = "\u4e00-\u9fff"
_NO_HIRAGANA = "(?![\u3041-\u309f])"
# What a verb of one kanji goes on with, and a noun does not: する, a particle, います of 担当者いますか, みたい.
_ENDING = (
    "(?:[えけげせてねべめれ](?:る|ま[すせし]|な[いか]|た|られ)|[ぎじちびみり](?:る|ま[すせし])|[ぎじちびり]た|きま[すせし]"
    f"|[うくぐつぬぶむる](?:{_NO_HIRAGANA}|(?=[とのかには]))|[わらかたまさ]な[いくか]|った|んだ|っても?(?:いい|いけ|よい|よか|大丈夫)"
    "|[わがま](?:る|ま[すせし]|り(?:ま[すせし]|た[いく])|った|らな))"
)
_VERB = (
    f"(?:[{_KANJI}]{_ENDING}|[使買払貰習]い(?:ま[すせし]|た[いく])|[出移消返押貸直足回残渡]す{_NO_HIRAGANA}"
    f"|出(?:る|来[るなま]|ま[すせし]|な[いか]|た[らい]?{_NO_HIRAGANA}))|[高安多長短早遅重悪]い(?![るまた])"
)
# Verbs of two kanji, whose second one begins none: 申込む, 届出る, 手伝う, 支払う.
_OF_TWO_KANJI = (
    "(?<=[申届提支外輸呼引貸払])出|(?<=[申払振持取])込|(?<=[受買引聞聴])取|(?<=[受貸気名片務連裏])付|(?<=[受取])入"
    "|(?<=[引受])[継受]|(?<=見)[積直送]|(?<=[立切差取組買振])替|(?<=[取打])[消切]|(?<=[支])払|(?<=手)[伝続]|(?<=間)違"
    "|(?<=[目役])立|(?<=[繰引乗])[越上下換]|(?<=取)扱|(?<=仕)上|(?<=払)戻|(?<=差)引|(?<=[問打])合|(?<=割)[引増]"
)


def without_verbs_at_nouns(piece: str) -> str:
    """A normalised piece of a question, parted where such a verb begins."""
    return _begin().sub("、", piece)


@cache
def _begin() -> re.Pattern[str]:
    """Compiled when it is needed: classes of all kanji take milliseconds each."""
    return re.compile(f"(?<=[{_KANJI}]{{2}})(?!{_OF_TWO_KANJI})(?={_VERB})")
