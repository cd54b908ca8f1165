"""Words that are written in hiragana alone: のれん of のれんの償却, しくみ of 税のしくみ. Pure.

Without a dictionary such a word cannot be told from an ending. It can where a phrase or a sentence begins with it, or
a の precedes it, and a particle follows: there stand nouns, and the few words that only point or ask. Behind other
particles it can where it begins as polite nouns do: 学校におこづかいは.
"""

import re

_HIRAGANA = "\u3041-\u3096ー"
# Longer ones are hardly ever one word.
_WORD = (
    rf"(?:(?:^|(?<=[\"(]))|(?<=[^{_HIRAGANA}])(?:の|[にではもとへがを](?=[おご])))"
    rf"(?P<word>[\u3041-\u3096][{_HIRAGANA}]{{1,7}}?)"
)
_PARTICLE = (
    rf"(?:の(?=[^{_HIRAGANA}])|(?:とは|について|における|に関して|[はがを])(?![{_HIRAGANA}])"
    "|[はがを](?=いくら|いつ|どこ|なに|なん|だれ|どれ|どの|どう|どん|なぜ|ある|あり|でき))"
)
_IN_SENTENCE = re.compile(_WORD + _PARTICLE)
# Nothing need follow at the end of a phrase: 申請のしかた.
_IN_PHRASE = re.compile(f"{_WORD}(?:{_PARTICLE}|$)")
_AND = re.compile("(?<=..)と(?=..)")

# They point, count or ask, alone or at the end of what looks like a word: それ, すべて, 行うこと, したの.
_SAYS_NOTHING = re.compile(
    "(?:.*(?:こと|とき|ところ|ため|よう|まま|ほう|ほか|うち|だけ|ほど|なか|ごろ|くらい|ぐらい|ひとつ|ふたつ|なに|なん|どこ|だれ"
    "|いつ|いくつ|いくら|どれ|どちら|[たるいな]の)|(?:.*[うくすつぬむるたいな])?もの"
    "|[こそあど](?:れ|こ|ちら|っち|んな|なた)|[こそあ]れら|わたし|われわれ|みんな|みな|すべて|ほとんど|それぞれ|おのおの|いずれ"
    "|たくさん|いろいろ|さまざま|かつて|はじめ|はじめて|いま|まえ|あと|のち|つぎ|さい|あいだ|まわり|そば|もともと|ふつう|もっとも"
    "|お(?:い[てで]?|け|き|り|よそ|よび|おむね|のおの)|いちばん|ある[いに]|また|または|および|もしく|かつ|なお|など|でき|に)"
)
_ASKS = re.compile("です|ます|でしょ|だろ|なぜ|どう|か$")


def find_words(piece: str, *, is_phrase: bool) -> list[str]:
    """The words of a normalised piece without blanks, in order: of a phrase, or of a sentence."""
    pattern = _IN_PHRASE if is_phrase else _IN_SENTENCE
    words = [word for match in pattern.finditer(piece) for word in _AND.split(match["word"])]
    return [word for word in dict.fromkeys(words) if not _SAYS_NOTHING.fullmatch(word) and not _ASKS.search(word)]
