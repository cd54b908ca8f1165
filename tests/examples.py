"""How many examples the property tests take, and how often others repeat what may go wrong by chance."""

from collections.abc import Callable
from typing import Any

from hypothesis import settings

ORDINARY, SOAK = 20, 500

Rounds = Callable[[int, int], int]
"""The fixture `rounds`: `rounds(few, many)`, many with `--soak`."""


def examples(few: int, **others: Any) -> settings:
    """For a test whose examples are costly: so many in the ordinary run, and as many times more as others in a soak."""
    return settings(max_examples=few * settings().max_examples // ORDINARY, **others)
