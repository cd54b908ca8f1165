"""Agent memory: what is kept, under which policy."""

from sqlite_utils import Database

_STATEMENTS = """
-- The policies that were applied, the latest last; the greatest revision is in force. Nothing is overwritten.
CREATE TABLE policies (
  revision INTEGER PRIMARY KEY,
  version TEXT NOT NULL,          -- names one content: a second one of the same version gets +2
  yaml TEXT NOT NULL,
  sha256 TEXT NOT NULL,           -- of the YAML, hexadecimal
  applied_at TEXT NOT NULL,       -- UTC, ISO 8601
  approver TEXT,                  -- whose key verified the signature, or who was named where none is asked for
  signature TEXT                  -- Ed25519, base64
);
"""


def apply(db: Database) -> None:
    for statement in _STATEMENTS.split(";\n"):
        if statement.strip():
            db.execute(statement)
