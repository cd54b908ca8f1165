"""The sentences of a line, and whether they say by themselves what they are about, wherever they stand. Pure.

What points elsewhere (その額, 前項, this), only gives an example or is code may mean another thing in another text.
"""

import re
from collections.abc import Iterator

from morenashi.indexer.numerals import DIGIT

from .wording import without_resuming

ARTICLE = rf"第{DIGIT}+条(?:の{DIGIT}+)*(?:\([^()]{{1,30}}\) ?| )"
"""What a line begins with that is an article of its own: 第5条 乙は, 第5条(再委託)乙は."""
SIGNS = "・■◆○▼▶□◇※"
"""What the items of a list begin with in plain text."""
# Begins with a class: that is what `re` looks for quickly. Not ext. 7110.
_BETWEEN = re.compile(r"[.;。|](?:(?= )|(?<=[。|]))(?<!\bext\.)")
_LEADING = re.compile(
    rf"^(?:また|なお|ただし|但し|(?:and|but|so) |[ #*+>、,{SIGNS}-]|(?:a[0-9]{{0,3}}|[0-9]{{1,3}})[.)](?![0-9a-z])"
    "|[(][0-9a-zア-ン一二三四五六七八九十 ]{1,3}[)]"
    # Who writes, which is the same wherever it is written.
    "|当[一-鿿]{1,2}(?:では|においては)"
    f"|{ARTICLE})+"
)
SAID_BEFORE = "同[社氏国市町村県店館校所](?![一-鿿])"
"""A body, a person or a place that the text before has named."""
THIS_DOCUMENT = (
    "(?<![一-鿿])[本当](?:規則|規程|規定|契約|約款|法|書|要[領綱]|細則|指針|手順書?|手引き?|仕様書|説明書|文書|資料"
    "|マニュアル|ガイド|ポリシー)"
)
"""What a text calls itself: 本規程, 本書, 当マニュアル; not 基本契約."""
_DEMONSTRATIVES = f"[そこ]の|[それこ]れ|[そこ]こ|当該|同(?:様|日|月|年)|{SAID_BEFORE}|前者|後者|いずれか"
_PLACES = (
    "第.{1,4}[条項号表図章節]|同[項条号表法]|前[項条号記]|次[のに条項号]|本[条項号表図節章文]|各[号項]|別[表紙]"
    f"|{THIS_DOCUMENT}|以下の|[上下右左][記図表]"
)
_EXAMPLES = "例えば|たとえば|^例|仮に"
# Its and their go back to the sentence's own subject, unless it begins with them.
_ENGLISH_PRONOUNS = (
    "it|this|that|these|those|they|them|he|she|such|here|there|one|other|another|same|^(?:its|their|his|her)"
)
# As 3.10 or above does not.
_ENGLISH_PLACES = (
    "figure|table|step|section|chapter|article|clause|version(?! of)|following|(?<! or )(?:above|below)|previous"
)
_ENGLISH_EXAMPLES = r"example|e\.g"
_POINTS_ELSEWHERE_IN_ENGLISH = re.compile(rf"\b(?:{_ENGLISH_PRONOUNS}|{_ENGLISH_PLACES}|{_ENGLISH_EXAMPLES})\b")
_POINTS_ELSEWHERE = re.compile(rf"{_DEMONSTRATIVES}|{_PLACES}|{_EXAMPLES}|{_POINTS_ELSEWHERE_IN_ENGLISH.pattern}")
# Not max_retries, which is a name.
_IS_CODE = re.compile(r"[={}<>;$|]|(?<![a-z0-9])_|_(?![a-z0-9])|::|//|[a-z]\(")
# What a line begins with that goes on with the sentence of the line before: を変更できない of a wrapped text.
_GOES_ON = re.compile("[はもがをにでとへの](?=[^\u3041-\u309f])")
# Not 3部提出しなくてはならない.
_TOPIC = re.compile("([^。、,は]{2,40}?)(?:に|で|と|から)?(?<!なくて)は")
_ENGLISH_TOPIC = re.compile(
    r"(?:(?:the|an?|all|each|every) )?([a-z'][a-z0-9_. '-]{1,60}?) "
    r"(?:is|are|was|must|may|can|cannot|shall|will|should|lasts?|expires?|times? out|do|does|runs?|takes?|costs?|opens?"
    r"|closes?|starts?|begins?|ends?|appl(?:y|ies)|covers?)\b"
)
_LONGEST = 200


def sentences(line: str) -> Iterator[str]:
    """The sentences of a normalised line, without list marks and full stops; no headings, questions or long ones."""
    if line.startswith("#"):
        return
    for text in _BETWEEN.split(without_resuming(line)):
        if len(text) <= _LONGEST:
            sentence = _LEADING.sub("", text.strip(" .;"))
            if sentence and sentence[-1] not in "?か":
                yield sentence


def outside_tables(line: str) -> list[str]:
    """The sentences of a normalised line; none of a row of a table, whose heads say what it is about."""
    return [] if "|" in line else list(sentences(line))


def stands_alone(sentence: str) -> bool:
    """Whether a sentence says by itself what it is about; what a full stop inside brackets leaves over does not, nor
    what begins with a particle.
    """
    is_whole = sentence.count("(") == sentence.count(")") and not _GOES_ON.match(sentence)
    points = _POINTS_ELSEWHERE_IN_ENGLISH if sentence.isascii() else _POINTS_ELSEWHERE
    return is_whole and not points.search(sentence) and not _IS_CODE.search(sentence)


def topic_of(sentence: str) -> str:
    """What a sentence is about: the words before は or before the first English verb; empty if it does not say."""
    named = _TOPIC.match(sentence) or _ENGLISH_TOPIC.match(sentence)
    return named[1].strip() if named else ""
