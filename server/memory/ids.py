"""Ids and times, in the seed's patterns (seed 002 §1.x, §2)."""

import secrets
import string
from datetime import UTC, datetime

_LETTERS = string.ascii_letters + string.digits
_CHARACTERS = 14
"""Of 62 letters each: 83 random bits."""


def new_id(prefix: str) -> str:
    """An id that nobody guesses: `clm_` or `ac_`, then letters and digits."""
    return prefix + "".join(secrets.choice(_LETTERS) for _ in range(_CHARACTERS))


def to_stored(moment: datetime) -> str:
    """A time as tables have it: UTC, microseconds, a text that sorts."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def from_stored(text: str) -> datetime:
    """The reverse."""
    return datetime.fromisoformat(text)


def to_shown(stored: str) -> str:
    """A stored time as answers have it: RFC 3339, whole seconds."""
    return f"{stored[:19]}Z"
