"""Where a value that is called a secret ends, and whether it can be one."""

import re
from collections.abc import Callable, Iterator

import re2

from .entropy import is_irregular
from .said_values import BEGIN_CHARS, VALUE_BEGINS
from .scanning import Span
from .strength import can_be_key, can_be_password, has_sign_or_is_drawn, is_strong_password, is_word_with_digits
from .tokens import is_placeholder

Form = tuple["re2._Regexp", Callable[[str], bool]]
"""A pattern that finds a value (group 1), and what can be one."""

_LONGEST_RUN = 500
_MOST_NAMES, _LONGEST_NAME = 3, 200
_CHANGED_TO = re.compile(
    rf"[」』\"'`)]{{0,2}}[ \t]{{0,2}}(?:から|→|-{{1,2}}>|=>|(?<= )to )[ \t]{{0,2}}[「『\"'`(]{{0,2}}{VALUE_BEGINS}"
)
_RUN = re.compile("[!-~]+")
_VALUE = re.compile(r"(?:[^\s\"'`,;&<>()\[\]{}|\\]|&(?![A-Za-z_]\w*=))+")
# A stroke stands before what it takes as it is, here no line break or the like. Unquoted, what has a name ends it.
_QUOTED = {quote: re.compile(rf"((?:[^\\{quote}]|\\[^nrtu])+){quote}") for quote in "\"'`"}
_UNQUOTED = re.compile(r"(?:[^\\\"'`=:]|\\[^nrtux\"'`\\])+\Z")
_ENDS = ".,;:!?)]}>*_"
_EXPRESSION = re.compile(
    r"[A-Za-z_][\w.]*(?:[({]|\[(?!\^)|::|->)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|https?://|/|\.{1,2}/|--"
    r"|(?i:sha[0-9]{1,3}|md5|bcrypt|argon2\w*)[:-]|\$2[aby]\$|!(?:vault|secret|env|include|Ref|Sub|GetAtt|ImportValue)\b"
)
# What secrets are kept in or made with: パスワードは1Passwordで管理する.
_KEPT_THERE = re.compile(
    r" ?(?:で(?:管理|保管|生成|暗号化|ハッシュ)|に(?:保管|保存|格納|ある|あり|置)|から(?:取|読|得)|を参照)"
)
_KEEPER = "1password"
# password_hash_iterations=600000
_COUNTED = re.compile(
    r"(?:iterations?|rounds|timeout|ttl|age|length|days|seconds|count|cost|id)[\"']?[ \t:=>]*$", re.IGNORECASE
)
_PASSWORDS = (can_be_password, is_strong_password)


def find_values(pattern: "re2._Regexp", can_be: Callable[[str], bool], text: str) -> Iterator[Span]:
    """Where a pattern finds a value (group 1) that can be a secret: no expression, no placeholder."""
    end = 0
    for match in pattern.finditer(text):
        for named, start, said in _named(pattern, match, text):
            # What the first of them reaches into is masked, and was looked at: a text of names alone is no square.
            if start < end:
                break
            if found := _end_of_secret(can_be, text, named, start, _run_of(said, start, text)):
                end = found
                yield start, end
                if after := _changed_to(can_be, text, end):
                    end = after[1]
                    yield after
                break


def _named(pattern: "re2._Regexp", match: "re2._Match", text: str) -> Iterator[tuple[int, int, str]]:
    """Where a name and its value begin, and the value as far as the pattern has it. And the same of what is a name
    itself, and was lost as the value of that one: credentials: {token: ...}.
    """
    named, start, said = match.start(), match.start(1), match[1]
    yield named, start, said
    for _ in range(_MOST_NAMES):
        inner = pattern.search(text[start : start + _LONGEST_NAME]) if len(said) == BEGIN_CHARS else None
        if inner is None or inner.start() >= BEGIN_CHARS:
            return
        named, start, said = start + inner.start(), start + inner.start(1), inner[1]
        yield named, start, said


def _end_of_secret(can_be: Callable[[str], bool], text: str, named: int, start: int, run: str) -> int | None:
    """Where a value ends that begins here and can be a secret."""
    value = _VALUE.match(run)
    if value is None or _is_expression(run, text[start + len(run) : start + len(run) + 1]) or is_placeholder(run):
        return None
    if value[0].lower() == _KEEPER:
        return None
    if value[0].isdigit() and _COUNTED.search(text, named, start):
        return None
    if _KEPT_THERE.match(text, start + len(value[0])) and not has_sign_or_is_drawn(value[0]):
        return None
    drawn = _drawn_password(run, text[start - 1]) if can_be in _PASSWORDS else ""
    if len(drawn) > len(value[0]):
        return start + len(drawn)
    # Without the marks around what Markdown emphasises, and the end of a sentence.
    if can_be(value[0].lstrip("*_").rstrip(".:!?*_")):
        return start + len(value[0]) if len(value[0]) < _LONGEST_RUN else _end_of_value(text, start)
    return None


def _changed_to(can_be: Callable[[str], bool], text: str, end: int) -> Span | None:
    """The value that came in the place of a secret which ends here: パスワードを X から Y に, password: X -> Y."""
    match = _CHANGED_TO.match(text, end)
    if match is None:
        return None
    start = match.start(1)
    is_one = can_be_key if can_be is can_be_key else is_word_with_digits
    after = _end_of_secret(is_one, text, start, start, _run_of(match[1], start, text))
    return (start, after) if after else None


def _run_of(said: str, start: int, text: str) -> str:
    """What stands there without a blank, as far as the pattern has it or, of `VALUE_BEGINS`, as far as it goes."""
    whole = _RUN.match(text, start, start + _LONGEST_RUN)
    return whole[0] if whole and len(said) == BEGIN_CHARS else said


def _drawn_password(run: str, before: str) -> str:
    """A password with brackets, commas and the like in it, which else end a value: to its quote, or as far as no blank
    comes, if no name has another value there. Only as irregular as those drawn by lot are, and no pattern.
    """
    if before in _QUOTED:
        match = _QUOTED[before].match(run)
        whole = match[1] if match else ""
    else:
        match = _UNQUOTED.match(run)
        whole = match[0].rstrip(_ENDS) if match else ""
    return whole if is_strong_password(whole) and is_irregular(whole) and whole[0] != "^" else ""


def _end_of_value(text: str, start: int) -> int:
    value = _VALUE.match(text, start)
    return value.end() if value else start


def _is_expression(run: str, behind: str) -> bool:
    """Whether a program would say that, and not a person: who adds something in brackets does not call a function."""
    match = _EXPRESSION.match(run)
    return match is not None and not (match[0].endswith("(") and match.end() == len(run) and behind > "\x7f")
