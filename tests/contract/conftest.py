"""Fixtures of the contract's tests: the same server, asked as a client asks."""

from ..server.library import library
from ..server.serving import serve
from .hit_reads import rules

__all__ = ["library", "rules", "serve"]
