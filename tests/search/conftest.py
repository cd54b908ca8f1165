"""Fixtures of the search's tests."""

from ..server.library import library
from ..server.serving import serve

__all__ = ["library", "serve"]
