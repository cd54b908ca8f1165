"""Fixtures of the tests of memory."""

from .remembering import memory, open_memory

__all__ = ["memory", "open_memory"]
