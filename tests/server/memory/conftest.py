"""Fixtures of the tests of memory."""

from .remembering import memory, open_memory
from .states import remembered

__all__ = ["memory", "open_memory", "remembered"]
