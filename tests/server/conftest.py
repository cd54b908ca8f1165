"""Fixtures of the server's tests."""

from .library import library
from .serving import serve

__all__ = ["library", "serve"]
