"""Fixtures of the tests of search: one server for a module, and an empty vault for each test."""

from .searching import lasting, put, vault

__all__ = ["lasting", "put", "vault"]
