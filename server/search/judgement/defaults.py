"""What a text says that a setting is by default, so that two texts can be seen to contradict. Pure.

`max_retries` defaults to 10; the default of `max_retries` is 10; max_retriesの既定値は10です. A number with a unit is
none of these (statements.py). A sentence is read only if it says nothing else: what holds on Windows, or since version
2, is said of another case.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .exact import Exact
from .sentences import sentences
from .subjects import name_subject
from .tables import Cell

_SAYS_DEFAULT = ("default", "既定", "デフォルト", "初期値", "初期設定")
# The head of a column whose cells are defaults.
_IS_DEFAULT = re.compile("defaults?(?: values?)?|(?:既定|デフォルト)(?:の?値)?|初期値")
_NUMBER = r"-?[0-9][0-9,]*(?:\.[0-9]+)*(?:e[0-9]{1,2})?"
# Of a version, 3.10.1, each part counts for itself.
_IS_NUMBER = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[0-9]{1,2})?")
_SAME = {"on": "true", "yes": "true", "off": "false", "no": "false", "null": "none", "nil": "none", "warning": "warn"}
_LEVELS = "debug|info|notice|warn(?:ing)?|error|critical|fatal"
# A backtick is ' once normalised: `'sync'` has two.
_VALUE = (
    rf"(?:'{{1,2}}(?P<code>[^' ]{{1,30}})'{{1,2}}|(?P<plain>{_NUMBER}|true|false|none|{_LEVELS}|{'|'.join(_SAME)}))"
)
_VALUE_ALONE = re.compile(f"{_VALUE}|(?P<word>[a-z][a-z0-9_.-]{{0,29}})")
# What is in brackets explains it.
_END = r"(?: ?\([^()]*\))?"
_DEFAULT = "(?:the )?default(?: value| setting)?"
_SETTINGS = "option|parameter|setting|field|flag|argument|property|attribute|variable|key"
_NAME = rf"(?:(?:the|its) )?(?P<name>[a-z0-9_.' -]{{2,60}}?)(?: (?:{_SETTINGS}))?"
_IN_ENGLISH = (
    re.compile(rf"{_NAME} defaults? to {_VALUE}{_END}"),
    re.compile(rf"{_NAME} is (?:set to )?{_VALUE} by default"),
    re.compile(rf"by default,? {_NAME} (?:is|is set to|equals) {_VALUE}{_END}"),
    re.compile(rf"{_DEFAULT} (?:of|for) {_NAME}(?: is|:) {_VALUE}{_END}"),
    re.compile(rf"(?:the )?default {_NAME} is {_VALUE}{_END}"),
    re.compile(rf"{_NAME}(?::| -|,) {_DEFAULT}(?: is|:) {_VALUE}{_END}"),
)
_IS = "(?:です|である|とする|とします|になります|となります|に設定されています)?"
_IN_JAPANESE = (
    re.compile(rf"(?P<name>[^、,はが]{{2,40}}?)の(?:既定|デフォルト|初期)(?:の?値|設定)?は、? ?{_VALUE} ?{_IS}"),
    re.compile(rf"(?P<name>[^、,はが]{{2,40}}?)は、?(?:既定|デフォルト|初期値)で(?:は、?)? ?{_VALUE} ?{_IS}"),
)
# An item of a list: - `max_retries` (default: 10), - `max_retries`: how often. Defaults to 10; - **max_retries**
# `number` (optional) - Default: `10` - How often.
_ITEM = re.compile(
    r"[ *+>-]*(?:(?P<name>'-{0,2}[a-z0-9_.-]{2,60}')"
    r"|(?<=[*+-] )(?P<bold>[a-z0-9_.-]{2,60})(?=:? (?:'[^']{1,80}'|[a-z]{1,20}) \((?:optional|required)))"
)
_GIVEN = re.compile(rf"[.,;:([-] ?defaults?(?: value)?(?: is|:| to) {_VALUE}(?=[])]|[.,;]?$| - )")
# Below a heading that is the name of a setting: Default: `30`, Defaults to 30.
_BELOW = re.compile(
    rf"(?:[*+-] )?(?:defaults?(?: value| setting)?(?: is|:| to)|(?:既定|デフォルト)(?:の?値)?(?:は|:)|初期値(?:は|:))"
    rf" ?{_VALUE}{_END} ?{_IS}[.。]?"
)
_NAME_OF_SECTION = re.compile(r"(?P<mark>'?)(?P<name>-{0,2}[a-z0-9_.-]{2,60})(?P=mark)(?: ?\([^()]{1,60}\))?")
_IS_CODE = re.compile("'?-{0,2}[a-z][a-z0-9]*(?:[._-][a-z0-9]+)+'?")
# Nor is a case one: in tests, default: 5.
_IS_NO_NAME = re.compile(rf"(?:{_SETTINGS})s?|(?:as|at|by|for|from|in|on|under|with|without) .*")


class Default(NamedTuple):
    """What a setting is by default, by its name; normalised."""

    name: str
    value: Exact

    @property
    def quantity(self) -> tuple[str, str]:
        """What two agree in if they are about the same: the option --max-retries sets max_retries."""
        return "default", self.name.lstrip("-").replace("-", "_")

    @property
    def topic(self) -> str:
        """What it is about. Many things have a setting of one word."""
        return self.name if " " in self.name else f"'{self.name}'"


def says_default(text: str) -> bool:
    """Whether a normalised text has a word for defaults."""
    return any(map(text.__contains__, _SAYS_DEFAULT))


def read_defaults(line: str) -> Iterator[Default]:
    """What the sentences of a normalised line say of defaults."""
    if says_default(line):
        yield from _of_an_item(line)
        for sentence in sentences(line):
            for form in _IN_ENGLISH if sentence.isascii() else _IN_JAPANESE:
                said = form.fullmatch(sentence)
                if said and (name := _name(said["name"])):
                    yield Default(name, _value(said))
                    break


def default_below(line: str) -> Exact | None:
    """What a normalised line says by default of the setting that the heading over it names: in the line as a whole, or
    in one of its sentences; `None` if several do.
    """
    if line.startswith(" ") or not says_default(line):
        return None
    said = _BELOW.fullmatch(line)
    found = [said] if said else [one for one in map(_BELOW.fullmatch, sentences(line)) if one]
    return _value(found[0]) if len(found) == 1 else None


def setting_called(title: str) -> str | None:
    """The setting that a normalised title is the name of, if it is one."""
    named = _NAME_OF_SECTION.fullmatch(title)
    return named["name"] if named and (named["mark"] or _IS_CODE.fullmatch(named["name"])) else None


def default_of(cell: Cell) -> Default | None:
    """The same of a cell in a column of defaults."""
    value = _VALUE_ALONE.fullmatch(cell.text) if _IS_DEFAULT.fullmatch(cell.column) else None
    name = value and _name(cell.row)
    return Default(name, _value(value)) if value and name else None


def _of_an_item(line: str) -> Iterator[Default]:
    item = _ITEM.match(line)
    given = list(_GIVEN.finditer(line, item.end())) if item else []
    if item and len(given) == 1 and (name := _name(item["name"] or item["bold"])):
        yield Default(name, _value(given[0]))


def _name(text: str) -> str | None:
    """The name of a setting without what shows that it is one; `None` if it names none."""
    text = text.strip()
    if _IS_CODE.fullmatch(text):
        return text.strip("'")
    # Of the http.server port the end would be the name.
    named = None if text.isascii() and "." in text else name_subject(text, 0, len(text), is_english=text.isascii())
    named = named and named.strip("' ")
    return None if not named or _IS_NO_NAME.fullmatch(named) else named


def _value(said: re.Match[str]) -> Exact:
    """A value in one notation: 1,000 is 1000, on is true, and "warn" is warn."""
    value = (said["code"] or said["plain"] or said[0]).strip('"')
    if _IS_NUMBER.fullmatch(value):
        return Exact(f"{float(value.replace(',', '')):g}")
    return Exact(_SAME.get(value, value))
