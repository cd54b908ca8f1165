"""Fixtures of the vault's tests."""

from ..server.serving import serve
from .notes import kept_vault, vault

__all__ = ["kept_vault", "serve", "vault"]
