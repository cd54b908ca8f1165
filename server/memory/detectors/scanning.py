"""How patterns are run over a text, and what stands around a match."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

_LABEL_CHARS = 16
# A number that is called so is another number, whatever it looks like. A word that ends as one of these does (server,
# said) calls nothing so, unless the other begins inside it with a capital (orderId) or what it numbers is known; what
# one calls to order or to book has a number of its own (ご予約は03-...); and where the line ends, the word has to say
# that a number follows.
_OTHER_NUMBER = re.compile(
    r"(?:伝票|受注|発注|型番|型式|品番|製番|部品|商品|製品|シリアル|製造|整理|追跡|会員|顧客|社員|口座"
    r"|図番|図面|請求書|見積|案件|注文(?!は)|(?:受付|予約|管理|契約|申請|問い?合わ?せ)(?=番号|コード|id|no)"
    r"|(?:(?<![a-z])|(?-i:(?<=[a-z])(?=[A-Z])))(?:isbn|issn|jan|sku|asin|doi|part|order|serial|model"
    r"|invoice|ticket|tracking|item|issue|account|case|lot|ref|version|ver|build"
    r"|(?:user|client|customer|member|product|device|session|request|message)?id))"
    r"(?:(?:番号|コード|[ _-]?(?:id|number|code|no|num))[\s.:#=は(-]{0,4}|[ \t.#=は(-]{0,4}|[ \t]?:\s{0,3})\Z",
    re.IGNORECASE,
)


def scan(pattern: re.Pattern[str], text: str, accept: Callable[[re.Match[str]], bool]) -> Iterator[Span]:
    """The matches that are accepted. After one that is not, the next may begin inside it."""
    position = 0
    while match := pattern.search(text, position):
        if accept(match):
            yield match.span()
            position = match.end()
        else:
            position = match.start() + 1


def is_called_otherwise(text: str, start: int) -> bool:
    """Whether what begins here is called an order number, a part number or the like."""
    return _OTHER_NUMBER.search(text[max(start - _LABEL_CHARS, 0) : start]) is not None


def is_near(words: re.Pattern[str], text: str, span: Span, before: int, after: int = 0) -> bool:
    """Whether one of the words stands so many characters before the span, or after it."""
    start, end = span
    return bool(words.search(text[max(start - before, 0) : start]) or words.search(text[end : end + after]))
