"""A claim names those that it comes in the place of: what was decided otherwise since is no longer recalled."""

from sqlite_utils import Database


def apply(db: Database) -> None:
    db.execute("ALTER TABLE claims ADD COLUMN replaced_by INTEGER REFERENCES claims (number) ON DELETE SET NULL")
    db.execute("ALTER TABLE claims ADD COLUMN replaced_at TEXT")
    db.execute("CREATE INDEX claims_replaced ON claims (replaced_by) WHERE replaced_by IS NOT NULL")
