"""How somebody is reached, so that two texts can be seen to contradict: numbers of telephones and extensions, addresses
of mail. Pure.

Two sentences are compared that are alike in all else, and two cells of one row and one kind of column.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .alike import in_one_form, says_enough
from .exact import Exact
from .sentences import stands_alone
from .tables import Cell

# 03-1234-5678, (03)1234-5678, 03(1234)5678, +81 3 1234 5678; no year in brackets. Begins with a class: `re` looks for
# that quickly.
_PHONE = re.compile(
    r"[(+0](?<![0-9a-z.-].)(?:(?<=[+0])|(?=0))[0-9]{1,4}[)( -]{1,2}[0-9]{1,4}(?:[) -]{1,2}[0-9]{2,4}){1,3}(?![0-9-])"
)
# 内線 7110 and 内線:7110 say the same.
_EXTENSION = re.compile(r"(?:内線(?:番号)?|\bext(?:ension|\.)?)(?P<said>[: ]*(?P<number>[0-9]{2,6}))(?![0-9-])")
_MAIL = re.compile(r"[a-z0-9](?<![a-z0-9/@._+-].)[a-z0-9._+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,}")
_DIGITS = re.compile("[0-9]+")
_FEWEST_DIGITS = 9
_GAP = "\0"
# What the head of a column says whose cells are of one kind.
_COLUMNS = (
    ("telephone", re.compile("電話(?:番号)?|tel|(?:tele)?phone(?: number)?")),
    ("fax", re.compile("fax(?: ?番号| number)?|ファックス(?:番号)?")),
    ("extension", re.compile("内線(?:番号)?|ext(?:ension|\\.)?(?: number)?")),
    ("mail", re.compile("メール(?:アドレス)?|e?-?mail(?: address)?")),
)
_EXTENSION_ALONE = re.compile("[0-9]{2,6}")


class Contact(NamedTuple):
    """By `quantity` all in which two have to agree: what a sentence says besides, its `rest`; or a row and the kind of
    a column.
    """

    quantity: tuple[str, str]
    value: Exact
    rest: str = ""


def may_be_contact(text: str) -> bool:
    """Whether it is worth looking for any."""
    return "@" in text or "内線" in text or "ext" in text or _PHONE.search(text) is not None


def read_contacts(parted: Iterable[str]) -> Iterator[Contact]:
    """The contacts of the sentences of a normalised line that name one each."""
    for sentence in parted:
        found = list(_find(sentence))
        if len(found) == 1:
            [((begin, end), value)] = found
            rest = f"{sentence[:begin]}{_GAP}{sentence[end:]}"
            if says_enough(rest) and stands_alone(rest):
                rest = in_one_form(rest)
                yield Contact(("contact", rest), value, rest)


def contact_of(cell: Cell) -> Contact | None:
    """What a cell names, if that is all that it has."""
    kind = next((kind for kind, head in _COLUMNS if head.fullmatch(cell.column)), None)
    if kind is None:
        return None
    if kind == "extension" and _EXTENSION_ALONE.fullmatch(cell.text):
        return Contact((kind, cell.row), Exact(cell.text))
    whole = 0, len(cell.text)
    return next((Contact((kind, cell.row), value) for place, value in _find(cell.text) if place == whole), None)


def _find(text: str) -> Iterator[tuple[tuple[int, int], Exact]]:
    """Contacts by their places, in one notation."""
    for phone in _PHONE.finditer(text):
        digits = "".join(_DIGITS.findall(phone[0]))
        if len(digits) >= _FEWEST_DIGITS:
            yield phone.span(), Exact(digits)
    if "内線" in text or "ext" in text:
        for extension in _EXTENSION.finditer(text):
            yield extension.span("said"), Exact(extension["number"])
    if "@" in text:
        for mail in _MAIL.finditer(text):
            yield mail.span(), Exact(mail[0])
