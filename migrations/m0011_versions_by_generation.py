"""A search that takes up a rest asks what has come since the first one, and does not read all that ever was."""

from sqlite_utils import Database


def apply(db: Database) -> None:
    db.execute("CREATE INDEX document_versions_by_generation ON document_versions (first_generation)")
