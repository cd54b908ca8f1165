"""The steps that take the side tables of any older database to `schema.sql`, in order.

Derived tables have no steps: when their layout changes they are dropped and rebuilt.
"""

from sqlite_utils import Migrations

from . import m0001_side_tables

MIGRATIONS = Migrations("morenashi")
MIGRATIONS(name="m0001_side_tables")(m0001_side_tables.apply)
