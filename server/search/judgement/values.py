"""All that a text gives values, however it says that: by the name of a thing, in sentences that are alike but for the
value, and in other words. Pure.
"""

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from .alike import read_values
from .contacts import may_be_contact, read_contacts
from .defaults import read_defaults
from .frequencies import may_say_how_often
from .measures import may_measure, spell_out
from .offices import may_be_charge, read_charges
from .reworded import read_reworded
from .sentences import outside_tables
from .statements import Statement, read_statements


class Given(NamedTuple):
    """A value, and by `quantity` all in which two have to agree. What it is about is its `topic`, as far as it says;
    `rest` is all that the sentence says besides, as far as it has to be the same.
    """

    quantity: Hashable
    value: Any
    topic: str
    rest: str = ""
    statement: Statement | None = None


def read_given(text: str) -> Iterator[Given]:
    """What a normalised text gives values."""
    for default in read_defaults(text):
        yield Given(default.quantity, default.value, default.topic)
    for contact in read_contacts(outside_tables(text)) if may_be_contact(text) else ():
        # Whom it reaches, the headings may say.
        yield Given(contact.quantity, contact.value, "", contact.rest)
    for charge in read_charges(outside_tables(text)) if may_be_charge(text) else ():
        yield Given(("office", charge.rest), charge.office, charge.topic, charge.rest)
    text = spell_out(text)
    if not may_measure(text) and not may_say_how_often(text):
        return
    for statement in read_statements(text):
        yield Given(statement.quantity, statement.measure, statement.subject, statement=statement)
    parted = outside_tables(text)
    for alike in read_values(parted):
        yield Given(alike.rest, alike, alike.topic, alike.rest)
    for anew in read_reworded(parted):
        yield Given(anew.quantity, anew, anew.topic)
