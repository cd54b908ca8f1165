"""Whether two lines of one section are about the same thing and the same case. Pure.

Inside a section, most differences are meant: of weekdays and Sundays, of two groups, before and after a change. What
parts them stands above them as a heading would: a short line, a question, the item of a list.
"""

import re
from collections.abc import Sequence

from .headings import common_length, is_attribute
from .sentences import ARTICLE, SIGNS

MARK = re.compile(
    rf"^ ?(?:[-*+] |[{SIGNS}] ?|[0-9]{{1,3}}[.)] ?|[(][0-9a-z一二三四五六七八九十]{{1,3}}[)] ?"
    rf"|{ARTICLE})"
)
"""What an item of a list, or an article, begins with."""
_ITEM = re.compile(" ?(?:[-*+] |[0-9]{1,3}[.)] )")
_FENCE = re.compile(" ?(?:'''|~~~)")
_IS_QUESTION = re.compile(r"(?:q[0-9]{0,3}[.:) ]|.*(?:\?|[すんうるいた]か[。)]?)$)")
_QUESTION_MARK = re.compile(r"q[0-9]{0,3}[.:) ]+")
_EDGES = " *_?。."
_LONGEST_LABEL = 40
# What stands before a statement and says that it is not all: a case, a change, a step, an example.
_SETS_A_CASE = re.compile(
    "場合|とき|際|に限り|方は|人は|者は|例|以前|従来|これまで|今後|以降|変更|改[正定訂]|旧|新た|まず|次に|その後|ただし|但し|一方|逆に"
    r"|\b(?:if|when|unless|before|after|since|until|previously|formerly|however|but|except|example|old|new|instead|while"
    r"|whereas|otherwise)\b|(?:^|[.] ) ?(?:now|then|first|next|finally)\b"
)
_IN_THE_SENTENCE = re.compile(r"[:、]|\b(?:for|on|in|at|with|without|under|during|by)\b|では")
_JAPANESE = re.compile("[ぁ-んァ-ヶ一-鿿]")
_FEWEST_CHARACTERS, _FEWEST_WORDS = 5, 2
_MANY_CHARACTERS, _MANY_WORDS = 10, 6


def are_in_one_block(lines: Sequence[str], one: int, other: int) -> bool:
    """Whether nothing parts two of these normalised lines of a section, by their positions: `one` is the first."""
    between, are_inner = lines[one + 1 : other], lines[one].startswith(" ")
    if are_inner != lines[other].startswith(" ") or (are_inner and any(_is_outer(line) for line in between)):
        return False
    are_items = are_inner or _ITEM.match(lines[one]) or _ITEM.match(lines[other])
    return not any(
        _is_label(line) and (are_items or not _ITEM.match(line) or _goes_on(following))
        for line, following in zip(between, lines[one + 2 : other + 1], strict=True)
    )


def are_answers(lines: Sequence[str], one: int, other: int) -> bool:
    """Whether each of the two lines answers a question of its own, and these are not two of a kind."""
    questions = _question_above(lines, one), _question_above(lines, other)
    between = [line for line in lines[one + 1 : other] if _is_label(line)]
    if not all(questions) or not all(map(_is_question, between)):
        return False
    return not _are_of_a_kind(*questions)


def is_told_with_a_case(text: str, above: str, subject: str) -> bool:
    """Whether what stands before a statement, in its line or the one right above, may say when it holds."""
    before = MARK.sub("", text.partition(subject)[0] if subject else "", count=1)
    sentence = before[max(before.rfind("。"), before.rfind(".")) + 1 :]
    if _SETS_A_CASE.search(before) or _IN_THE_SENTENCE.search(sentence):
        return True
    return not MARK.match(text) and _SETS_A_CASE.search(above) is not None


def names_its_thing(subject: str) -> bool:
    """Whether a subject (会議室の申込期限) says of what it is, as 申込期限 does not."""
    if not subject or is_attribute(subject):
        return False
    if _JAPANESE.search(subject):
        return "の" in subject or len(subject) >= _FEWEST_CHARACTERS
    return len(subject.split()) >= _FEWEST_WORDS


def says_much(rest: str) -> bool:
    """Whether a sentence says so much that another one hardly is alike by chance."""
    if _JAPANESE.search(rest):
        return len(rest) >= _MANY_CHARACTERS
    return rest.count(" ") + 1 >= _MANY_WORDS


def opens_an_item(text: str, subject: str) -> bool:
    """Whether an item of a list or an article begins with the subject, one that few things have."""
    mark = MARK.match(text)
    return mark is not None and subject != "" and not is_attribute(subject) and _begins(text[mark.end() :], subject)


def _begins(text: str, subject: str) -> bool:
    return text.removeprefix("the ").startswith(subject.removeprefix("the "))


def _is_outer(line: str) -> bool:
    return bool(line) and not line.startswith(" ")


def _goes_on(line: str) -> bool:
    """Whether an item of a list goes on on its next line."""
    return bool(line.strip()) and not _ITEM.match(line)


def _is_label(line: str) -> bool:
    """Whether a line says what those below it are about."""
    text = line.strip()
    if not text or "|" in text:
        return False
    if _FENCE.match(text) or text.endswith((":", "**")) or _is_question(text) or (text[0] == "(" and text[-1] == ")"):
        return True
    bare = MARK.sub("", text, count=1)
    return len(bare) <= _LONGEST_LABEL and "。" not in bare and not bare.endswith((".", "!", ";", ","))


def _is_question(line: str) -> bool:
    return _IS_QUESTION.match(MARK.sub("", line, count=1).strip(" *_")) is not None


def _question_above(lines: Sequence[str], position: int) -> str:
    """The question that is the last label above a line; empty if there is none."""
    label = next((line for line in reversed(lines[:position]) if _is_label(line)), "")
    bare = MARK.sub("", label, count=1).strip(" *_")
    return _QUESTION_MARK.sub("", bare).strip(_EDGES) if _IS_QUESTION.match(bare) else ""


def _are_of_a_kind(one: str, other: str) -> bool:
    """Whether they differ in some words only: can I return food, can I return shoes."""
    alike = common_length(one, other) + common_length(one[::-1], other[::-1])
    return 2 * alike >= min(len(one), len(other))
