"""The steps themselves, as sqlite-utils runs them: each in a transaction, recorded in `_sqlite_migrations`."""

from importlib import import_module

from sqlite_utils import Migrations

from . import names

MIGRATIONS = Migrations(names.SET)
for step in names.STEPS:
    MIGRATIONS(name=step)(import_module(f"{__package__}.{step}").apply)
