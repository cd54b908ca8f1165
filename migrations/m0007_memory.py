"""Agent memory: policies, claims with their evidence and graph, feedback, active contexts, vectors, the audit log."""

from sqlite_utils import Database

from .scripts import split_statements

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

-- What an agent was told to remember (seed 002). Times are UTC, ISO 8601, with microseconds.
CREATE TABLE claims (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  content_hash TEXT NOT NULL UNIQUE, -- of the text as it is kept
  text TEXT NOT NULL,             -- secrets masked
  kind TEXT NOT NULL CHECK (kind IN ('fact', 'preference', 'task', 'policy_hint')),
  scope TEXT NOT NULL CHECK (scope IN ('session', 'project', 'principle')),
  boundary_class TEXT NOT NULL CHECK (boundary_class IN ('public', 'internal', 'pii', 'secret')),
  source TEXT,                    -- what it was taken from; those of one source have an order
  said_at TEXT NOT NULL,          -- as its first provenance says
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  utility REAL NOT NULL,          -- at utility_at; halves in 30 days
  utility_at TEXT NOT NULL,
  confidence REAL NOT NULL,
  quality REAL NOT NULL,          -- at quality_at; halves in 120 days
  quality_at TEXT NOT NULL,
  stale_since TEXT,               -- when lines that it cites were seen to have changed
  merged_into INTEGER REFERENCES claims (number) ON DELETE SET NULL
);
CREATE INDEX claims_by_source ON claims (source, said_at, number) WHERE source IS NOT NULL;
CREATE INDEX claims_merged ON claims (merged_into) WHERE merged_into IS NOT NULL;

-- Where a claim is from: every provenance that it was given with (seed 002 §1.y).
CREATE TABLE claim_evidence (
  claim_number INTEGER NOT NULL REFERENCES claims (number) ON DELETE CASCADE,
  digest TEXT NOT NULL,           -- of the provenance
  at TEXT NOT NULL,
  provenance TEXT NOT NULL,       -- JSON, secrets masked
  PRIMARY KEY (claim_number, digest)
) WITHOUT ROWID;

-- Lines of a manual or a note that a claim rests on.
CREATE TABLE claim_citations (
  claim_number INTEGER NOT NULL REFERENCES claims (number) ON DELETE CASCADE,
  root TEXT NOT NULL CHECK (root IN ('manual', 'vault')),
  path TEXT NOT NULL,
  first_line INTEGER NOT NULL,    -- 1-based, inclusive
  last_line INTEGER NOT NULL,
  sha256 TEXT NOT NULL,           -- of the lines, joined by line feeds
  quoted TEXT NOT NULL,           -- the lines, to say what changed
  difference TEXT,                -- a unified diff, once they have changed
  PRIMARY KEY (claim_number, root, path, first_line, last_line)
) WITHOUT ROWID;

-- The graph that came with claims. The same thing has the same id in several.
CREATE TABLE entities (
  claim_number INTEGER NOT NULL REFERENCES claims (number) ON DELETE CASCADE,
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('Actor', 'Artifact', 'Event', 'Concept')),
  name TEXT NOT NULL,
  canonical_key TEXT,
  attrs TEXT,                     -- JSON
  PRIMARY KEY (claim_number, id)
) WITHOUT ROWID;
CREATE INDEX entities_by_id ON entities (id);

CREATE TABLE relations (
  claim_number INTEGER NOT NULL REFERENCES claims (number) ON DELETE CASCADE,
  id TEXT NOT NULL,
  src_id TEXT NOT NULL,
  dst_id TEXT NOT NULL,
  type TEXT NOT NULL,
  props TEXT,                     -- JSON
  evidence_claim_id TEXT,
  PRIMARY KEY (claim_number, id)
) WITHOUT ROWID;

-- Signals that changed a claim; once a claim, signal and hour.
CREATE TABLE feedback (
  claim_number INTEGER NOT NULL REFERENCES claims (number) ON DELETE CASCADE,
  signal TEXT NOT NULL CHECK (signal IN ('helpful', 'harmful', 'outdated', 'duplicate')),
  bucket TEXT NOT NULL,           -- the hour, UTC
  at TEXT NOT NULL,
  caller TEXT NOT NULL,
  score REAL,
  PRIMARY KEY (claim_number, signal, bucket)
) WITHOUT ROWID;

-- What a model makes of a claim's text: float32, little-endian.
CREATE TABLE claim_vectors (
  claim_number INTEGER NOT NULL REFERENCES claims (number) ON DELETE CASCADE,
  model TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (claim_number, model)
) WITHOUT ROWID;

-- The claims that a call ranked, so that its pages fit together. Holds digests and ids, no text.
CREATE TABLE active_contexts (
  id TEXT PRIMARY KEY,
  tool TEXT NOT NULL,             -- 'activate' or 'search'
  caller TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  asked TEXT NOT NULL,            -- a digest of question, scope and tags
  policy_version TEXT NOT NULL,
  items TEXT NOT NULL,            -- JSON: [claim number, score, parts of the score] of each, the best first
  left_out TEXT NOT NULL          -- JSON: the numbers of claims by reason: below_threshold, duplicate, over_budget
) WITHOUT ROWID;
CREATE INDEX active_contexts_by_age ON active_contexts (expires_at);

-- Every call of a memory tool. Append-only; each row's hash covers the one before. No text.
CREATE TABLE audit_log (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  tool TEXT NOT NULL,
  caller TEXT NOT NULL,
  decision TEXT NOT NULL,         -- 'allowed', or 'refused'
  code TEXT,                      -- of the error
  policy_version TEXT NOT NULL,
  request_id TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  claims TEXT NOT NULL,           -- JSON: ids of the claims that were answered or changed
  provenance TEXT,                -- JSON: when, which commit, a digest of all of it
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE TRIGGER audit_log_keeps_its_rows BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE (ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_loses_no_row BEFORE DELETE ON audit_log
BEGIN SELECT RAISE (ABORT, 'the audit log is append-only'); END;

-- Its length and last hash, so that rows missing at the end are noticed.
CREATE TABLE audit_head (
  name TEXT PRIMARY KEY CHECK (name = 'head'),
  number INTEGER NOT NULL,
  hash TEXT NOT NULL
) WITHOUT ROWID;
"""


def apply(db: Database) -> None:
    for statement in split_statements(_STATEMENTS):
        db.execute(statement)
