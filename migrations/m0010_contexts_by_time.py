"""Every call that keeps a context looks for old ones, and clients ask for their latest: neither reads all of them."""

from sqlite_utils import Database


def apply(db: Database) -> None:
    db.execute("CREATE INDEX active_contexts_by_creation ON active_contexts (created_at)")
    db.execute("CREATE INDEX active_contexts_by_caller ON active_contexts (caller, tool, created_at)")
