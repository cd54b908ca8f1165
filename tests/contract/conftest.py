"""Fixtures of the contract's tests: the same server, asked as a client asks."""

from ..server.library import library
from ..server.serving import serve

__all__ = ["library", "serve"]
