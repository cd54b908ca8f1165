"""Words of kanji and hiragana by turns: 空き家 of 空き家の除却, 忘れ物 of 忘れ物はどこに. Pure.

As words in hiragana alone they can be told where a phrase or a sentence begins with them, or a の precedes them, and a
particle follows. Between their kanji stands what a verb ends in when a noun is made with it (き of 空き家), never what
joins two words (犬と猫) or ends an adjective (新しい者).
"""

import re
from functools import cache

_KANJI = r"[\u4e00-\u9fff\u3400-\u4dbf々]"
# い is left out: more adjectives end in it than verbs in nouns.
_ENDING = r"(?!より|だけ)[\u3041-\u3096]?[きぎしちびみりえけげせべめれ]"
_LAST = f"(?:[きぎしちびみりえけげせてべめれ](?!{_KANJI}))?"
_PARTICLE = "(?:について|における|に関して|とは|[のをはがにでともへ])"
_WORD = f'(?:^|(?<=["(の]))(?P<word>{_KANJI}(?:{_ENDING}{_KANJI}+)+{_LAST})'


def find_mixed_words(piece: str, *, is_phrase: bool) -> list[str]:
    """The words of a normalised piece without blanks, in order: of a phrase, or of a sentence."""
    return list(dict.fromkeys(match["word"] for match in _word_in(is_phrase).finditer(piece)))


@cache
def _word_in(is_phrase: bool) -> re.Pattern[str]:
    """Compiled when it is needed: classes of all kanji take milliseconds each."""
    # Nothing need follow at the end of a phrase: 税金の落とし穴.
    return re.compile(f"{_WORD}(?={_PARTICLE}{'|$' if is_phrase else ''})")
