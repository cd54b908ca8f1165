"""Fixtures of the tests with hostile input."""

from ..server.serving import serve
from .attacked import hostile_server

__all__ = ["hostile_server", "serve"]
