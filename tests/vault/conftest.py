"""Fixtures of the vault's tests."""

from ..server.serving import serve
from .notes import vault

__all__ = ["serve", "vault"]
