-- The schema of a Morenashi database, SQLite 3.40 or newer. One file, four parts:
--   derived  rebuilt from the files whenever its layout changes; never migrated
--   side     what cannot be rebuilt; carried forward step by step by migrations/
--   steps    which of those steps the database has been through
--   views    for people with the sqlite3 shell
-- The lines "-- part: NAME" are read by indexer/schema.py.

-- part: derived
-- No IN (…) in the checks of this part: of more than two values SQLite makes a table, anew for every row it writes.

-- One row a fact about the index as a whole: the digests that it was made with (layout, views, dictionary); generation,
-- and build, which changes with every rebuild; passages and their characters; how many places may hold documents that
-- nobody can name (unlisted); how many files of each manual nobody reads by design (unread, JSON); whether term_counts,
-- references and versions are whole.
CREATE TABLE index_state (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- A file under manuals/<manual_id>/, or in the vault, which has a database of its own (data/vault.db) and no
-- manual_id. Its path is as on disk; path_nfc finds it in any Unicode form.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  path_nfc TEXT NOT NULL,
  file_type TEXT NOT NULL CHECK (file_type = 'md' OR file_type = 'json' OR file_type = 'text'),
  status TEXT NOT NULL
    CHECK (status = 'indexed' OR status = 'unreadable' OR status = 'encoding' OR status = 'too_large'),
  problem TEXT,                   -- why not indexed, or 'invalid_json' for one indexed as text
  encoding TEXT,
  size_bytes INTEGER NOT NULL,
  stamp_ns INTEGER NOT NULL,      -- when it may have got its content; -1: look again
  sha256 BLOB,                    -- of the bytes; null if they could not be read
  lines INTEGER NOT NULL,
  punctuation TEXT NOT NULL,      -- the ASCII punctuation in its text, each once, in the order of ASCII
  script TEXT CHECK (script = 'japanese' OR script = 'latin'),  -- by its letters; null if it has none
  UNIQUE (manual_id, path)
);
CREATE INDEX documents_by_nfc ON documents (manual_id, path_nfc);

-- A heading with what stands under it. Lines are 1-based, inclusive. Level 0: text without a heading.
CREATE TABLE sections (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES sections (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  level INTEGER NOT NULL,
  title TEXT NOT NULL,
  anchor TEXT,
  start_line INTEGER NOT NULL,
  own_end_line INTEGER NOT NULL,  -- before the first subsection
  end_line INTEGER NOT NULL,      -- descendants included
  is_general INTEGER NOT NULL     -- by its title it holds for all beside it (indexer/general_provisions.py)
);
CREATE INDEX sections_by_document ON sections (document_id, start_line);
CREATE INDEX general_sections ON sections (document_id) WHERE is_general = 1;
CREATE INDEX sections_by_parent ON sections (parent_id);

-- The unit of the full-text tables: whole consecutive lines of one section, some 1,500 characters.
-- One row a line was measured: 1.5 times the size, half the speed.
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  section_id INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL
);
CREATE INDEX passages_by_document ON passages (document_id, first_line);
CREATE INDEX passages_by_section ON passages (section_id);

-- Apart from passages, so that walking those does not read text.
CREATE TABLE passage_texts (
  id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
  text TEXT NOT NULL              -- normalised, lines joined by line feeds
);

-- In how many passages a term stands, exactly: every pair and kanji, and the frequent words; the others are
-- counted by asking the full-text table, which is quick because they are rare. The counts of pairs are also the
-- witness beside that table: what was lost there still counts here.
CREATE TABLE term_counts (
  kind TEXT NOT NULL CHECK (kind = 'pair' OR kind = 'word' OR kind = 'kanji'),
  term TEXT NOT NULL,
  passages INTEGER NOT NULL,
  PRIMARY KEY (kind, term)
) WITHOUT ROWID;

-- Where a text says "except", "only if", "not in this case", and which lines that governs.
CREATE TABLE exception_terms (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  term TEXT NOT NULL,             -- as found, normalised; once a line, of JSON once in 100 characters
  column_number INTEGER NOT NULL, -- 0-based, in the normalised line
  kind TEXT NOT NULL CHECK (
    kind = 'proviso' OR kind = 'exclusion' OR kind = 'non_application' OR kind = 'condition' OR kind = 'override'
    OR kind = 'caution'
  ),
  first_line INTEGER NOT NULL,    -- governed, inclusive
  last_line INTEGER NOT NULL,
  PRIMARY KEY (document_id, line, term, column_number)
) WITHOUT ROWID;

-- What others may call a document: its title, its file's name, a chapter. Normalised.
CREATE TABLE document_names (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (document_id, name)
) WITHOUT ROWID;
CREATE INDEX document_names_by_name ON document_names (name);

-- What the places of a document are called (indexer/references/section_names.py): 条28, 条28項2, 別表1, ~anchor.
-- Lines of this and the next tables count from the section's first one, 0-based: text that is inserted further up
-- moves sections only.
CREATE TABLE section_names (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  section_id INTEGER NOT NULL,    -- of the same document; not declared, as it would need an index as large as this
  line_offset INTEGER NOT NULL,
  article INTEGER,                -- for articles: which of the document, counted from 0
  PRIMARY KEY (document_id, name)
) WITHOUT ROWID;
CREATE INDEX section_names_by_article ON section_names (document_id, article) WHERE article IS NOT NULL;

-- Another document as the documents of a folder call it: by a name, or by a path with a leading slash, for which
-- the folder is empty. Without a document: the manual has none that is called so.
CREATE TABLE called_documents (
  id INTEGER PRIMARY KEY,
  manual_id TEXT NOT NULL,
  folder TEXT NOT NULL,
  called TEXT NOT NULL,
  document_id INTEGER REFERENCES documents (id) ON DELETE SET NULL,
  UNIQUE (manual_id, called, folder)
);
CREATE INDEX called_documents_by_document ON called_documents (document_id);

-- A place that another place is named in (indexer/references/reference.py).
CREATE TABLE cross_references (
  id INTEGER PRIMARY KEY,
  section_id INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
  line_offset INTEGER NOT NULL,
  column_number INTEGER NOT NULL, -- 0-based, in the line as it stands in the file
  kind TEXT NOT NULL,             -- article, relative, range, division, appendix, form, section, document, link, wiki
  relation TEXT,                  -- 準用, 準ずる, 例による; null: none of these
  text TEXT NOT NULL,             -- as written, or what a link shows; normalised
  called_id INTEGER REFERENCES called_documents (id),  -- null: the same document
  name TEXT NOT NULL,             -- of a section there; empty: the whole document
  detail TEXT,                    -- what follows the name: 項2
  last_name TEXT,                 -- the end of a range
  heading TEXT                    -- the heading that a link says, as a name: meant where its anchor is not there
);
CREATE INDEX cross_references_by_section ON cross_references (section_id, line_offset);
CREATE INDEX cross_references_by_called ON cross_references (called_id) WHERE called_id IS NOT NULL;

-- Where a reference leads, several places for a range. One without a row here leads nowhere.
CREATE TABLE reference_targets (
  reference_id INTEGER NOT NULL REFERENCES cross_references (id) ON DELETE CASCADE,
  section_id INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
  line_offset INTEGER NOT NULL,
  PRIMARY KEY (reference_id, section_id)
) WITHOUT ROWID;
CREATE INDEX reference_targets_by_section ON reference_targets (section_id);

-- Full text. Contentless: the text is in passage_texts and sections. Every token is made by
-- indexer/tokens.py, so the plain ascii tokenizer only has to cut at blanks. No triggers: the writer
-- deletes with the tokens of the stored text (a trigger that gets it wrong corrupts silently).
CREATE VIRTUAL TABLE pairs USING fts5 (
  tokens, content = '', detail = none, columnsize = 0,
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE words USING fts5 (
  tokens, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
);
-- The pairs of section titles; rowid is sections.id.
CREATE VIRTUAL TABLE title_pairs USING fts5 (
  tokens, content = '', detail = none, columnsize = 0,
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE pairs_vocabulary USING fts5vocab ('pairs', 'row');
CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab ('words', 'row');

-- The full text of claims. Contentless; indexer/claim_index.py deletes with the tokens of the stored text. A token
-- begins with the letter of its claim's layer: a question reads the layers that its caller may see, and no other.
CREATE VIRTUAL TABLE claim_tokens USING fts5 (
  tokens, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
);

-- In how many claims of a layer a token stands.
CREATE TABLE claim_term_counts (
  token TEXT NOT NULL,
  layer TEXT NOT NULL,
  claims INTEGER NOT NULL,
  PRIMARY KEY (token, layer)
) WITHOUT ROWID;

CREATE TABLE claim_layers (
  layer TEXT PRIMARY KEY,
  claims INTEGER NOT NULL,
  length INTEGER NOT NULL         -- of their searchable texts together, as indexer/claim_tokens.py counts it
) WITHOUT ROWID;

-- part: side

-- A manual_find or vault_find call and its answer; index_generation is that of the index that was searched. Holds
-- the query, no text of any document.
CREATE TABLE traces (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,       -- UTC, ISO 8601
  tool TEXT NOT NULL,
  query TEXT NOT NULL,
  manual_id TEXT,
  intent TEXT NOT NULL,
  intent_source TEXT NOT NULL,    -- 'given' by the caller or 'inferred' from the query
  parameters TEXT NOT NULL,       -- JSON: what else the call said, so that it can be repeated
  index_generation INTEGER NOT NULL,
  elapsed_ms REAL NOT NULL,
  summary TEXT NOT NULL,          -- JSON, as answered
  next_actions TEXT NOT NULL,     -- JSON, as answered
  escalation_reasons TEXT NOT NULL -- JSON array: why the search was widened, or would have been
);
CREATE INDEX traces_by_age ON traces (created_at);

-- The candidates of a trace, the best first: a JSON array of [manual_id, path, file_type, section_line, start_line,
-- column_number, signals, score, why, is_general]; the view trace_candidates takes it apart, but for the last. One row,
-- as a row a candidate was measured to take ten times as long to write.
CREATE TABLE trace_candidate_lists (
  trace_id TEXT PRIMARY KEY REFERENCES traces (id) ON DELETE CASCADE,
  candidates TEXT NOT NULL
);

-- What a call did not examine, by reason. `documents` is a JSON array of [manual_id, path, [[first, last], ...]];
-- the view trace_unscanned_ranges takes it apart.
CREATE TABLE trace_unscanned (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  documents TEXT NOT NULL,
  places INTEGER NOT NULL,        -- how many line ranges
  lines INTEGER NOT NULL,         -- how many lines in them
  PRIMARY KEY (trace_id, reason)
);

-- Which of the places not examined a reference leads to, and where it stands: a search that takes them up finds
-- the section again by these alone.
CREATE TABLE trace_leads (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  line INTEGER NOT NULL,
  source_manual_id TEXT NOT NULL,
  source_path TEXT NOT NULL,
  source_section_line INTEGER NOT NULL,
  source_line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  depth INTEGER NOT NULL,         -- 1: from a section that was found, 2: from one so reached
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID;

-- An aspect of the query for which nothing was found, or a range of a note that was found which holds nothing of it.
-- The hint has words of the query and of the program, and the number of what a reference names; the place is of a
-- reference whose target is missing, of a word that was taken for one that stands nowhere, or of such a range.
CREATE TABLE trace_gaps (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,             -- 'term', 'facet', 'reference', 'range' or 'scope'
  hint TEXT NOT NULL,
  manual_id TEXT,
  path TEXT,
  start_line INTEGER,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID;

-- Two places that say what cannot both hold.
CREATE TABLE trace_conflicts (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,             -- 'exclusion' or 'quantity'
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  other_manual_id TEXT NOT NULL,
  other_path TEXT NOT NULL,
  other_line INTEGER NOT NULL,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID;

CREATE TABLE adaptive_statistics (
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  query_hash TEXT NOT NULL,
  scanned_files INTEGER NOT NULL,
  candidates INTEGER NOT NULL,
  warnings INTEGER NOT NULL,
  max_stage_applied INTEGER NOT NULL,
  scope_expanded INTEGER NOT NULL,
  cutoff_reason TEXT,
  unscanned_sections_count INTEGER NOT NULL,
  est_tokens INTEGER NOT NULL,
  est_tokens_in INTEGER NOT NULL,
  est_tokens_out INTEGER NOT NULL,
  added_evidence_count INTEGER NOT NULL,
  added_est_tokens INTEGER NOT NULL,
  marginal_gain REAL              -- null if no tokens were added
);
CREATE INDEX adaptive_statistics_by_trace ON adaptive_statistics (trace_id);

-- Which sections were read after a search, in the same session and before its next search. A section counts once.
CREATE TABLE adaptive_reads (
  statistics_id INTEGER NOT NULL REFERENCES adaptive_statistics (id) ON DELETE CASCADE,
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  section_line INTEGER NOT NULL,
  is_candidate INTEGER NOT NULL,  -- whether the search had offered it
  is_widened INTEGER,             -- whether only widening could offer it; null if that cannot be told
  PRIMARY KEY (statistics_id, manual_id, path, section_line)
) WITHOUT ROWID;

-- Every change of a threshold. The newest one of a threshold says what is in force, unless its base is another.
CREATE TABLE adaptive_changes (
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL,               -- UTC, ISO 8601
  threshold TEXT NOT NULL,        -- candidate_low_threshold or file_bias_threshold
  base REAL NOT NULL,             -- the initial value, as configured then
  old_value REAL NOT NULL,
  new_value REAL NOT NULL,
  reason TEXT NOT NULL,
  recall REAL,                    -- the recall proxy at that moment, 0 to 1; null before anything was read
  cutoff_share REAL NOT NULL,     -- the share of searches with a cutoff_reason at that moment, 0 to 1
  statistics_id INTEGER NOT NULL  -- the newest search at that moment
);
CREATE INDEX adaptive_changes_by_threshold ON adaptive_changes (threshold, id);

-- Which content a document has had in the index from a generation on. Null: it is gone. Empty: it could not be read.
CREATE TABLE document_versions (
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  first_generation INTEGER NOT NULL,
  sha256 BLOB,
  PRIMARY KEY (manual_id, path, first_generation)
) WITHOUT ROWID;
CREATE INDEX document_versions_by_generation ON document_versions (first_generation);

-- What the server has delivered, an answer a row: places, no text. Lines are 1-based, columns 0-based.
CREATE TABLE delivered_lines (
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL,               -- UTC, ISO 8601
  session_id TEXT NOT NULL,
  root TEXT NOT NULL CHECK (root IN ('manual', 'vault')),
  path TEXT NOT NULL,             -- with the manual's id first, for manuals
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  first_column INTEGER NOT NULL,  -- where the text begins in its first line
  end_column INTEGER,             -- where it ends in its last line; null: with the line
  characters INTEGER NOT NULL
);
CREATE INDEX delivered_lines_by_session ON delivered_lines (session_id, root, path);

-- Cited lines as they were when they were first cited, as digests (server/delivery/citations.py).
CREATE TABLE citations (
  citer TEXT NOT NULL,            -- the artifact that cites, as a path in the vault; empty: a caller
  root TEXT NOT NULL CHECK (root IN ('manual', 'vault')),
  path TEXT NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  ts TEXT NOT NULL,               -- UTC, ISO 8601
  lead INTEGER NOT NULL,          -- how many blank lines before the first that is not
  sha256 BLOB NOT NULL,           -- of the lines without blank edges, joined by line feeds
  line_digests BLOB NOT NULL,     -- of each of them, 8 bytes
  alone BLOB NOT NULL,            -- a byte a line: 1 if it stood nowhere else in the file
  before_digests BLOB NOT NULL,   -- of the nearest lines that are not blank, nearest first
  behind_digests BLOB NOT NULL,
  copies INTEGER NOT NULL,        -- how many other places had the same lines
  PRIMARY KEY (citer, root, path, first_line, last_line)
) WITHOUT ROWID;
CREATE INDEX citations_by_age ON citations (ts);

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
  merged_into INTEGER REFERENCES claims (number) ON DELETE SET NULL,
  replaced_by INTEGER REFERENCES claims (number) ON DELETE SET NULL,
  replaced_at TEXT                -- when another claim came in its place; stays when that is forgotten
);
CREATE INDEX claims_by_source ON claims (source, said_at, number) WHERE source IS NOT NULL;
CREATE INDEX claims_merged ON claims (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX claims_replaced ON claims (replaced_by) WHERE replaced_by IS NOT NULL;

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
  items TEXT NOT NULL,            -- JSON: [claim number, score, its parts, why it was found] of each, the best first
  left_out TEXT NOT NULL          -- JSON: the numbers of claims by reason: below_threshold, stale, over_budget
) WITHOUT ROWID;
CREATE INDEX active_contexts_by_age ON active_contexts (expires_at);
CREATE INDEX active_contexts_by_creation ON active_contexts (created_at);
CREATE INDEX active_contexts_by_caller ON active_contexts (caller, tool, created_at);

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

-- The extra `vectors`: what a model makes of passages that searches returned, by a digest of the text.
CREATE TABLE passage_vectors (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector BLOB NOT NULL,           -- numbers of two bytes, the least significant first
  UNIQUE (model, digest)
);

-- part: steps

-- A step that the side tables have been through; a new database has all of them. As sqlite-utils makes this table.
CREATE TABLE "_sqlite_migrations" (
  "id" INTEGER PRIMARY KEY,
  "migration_set" TEXT,
  "name" TEXT,
  "applied_at" TEXT               -- UTC
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name" ON "_sqlite_migrations" ("migration_set", "name");

-- part: views

-- The lines of every document, normalised. Lines before a first heading that are blank are left out.
CREATE VIEW lines AS
SELECT
  documents.manual_id,
  documents.path,
  passages.first_line + cut.key AS line,
  cut.value AS text
FROM passages
JOIN documents ON documents.id = passages.document_id
JOIN passage_texts ON passage_texts.id = passages.id
JOIN json_each('["' || replace(replace(replace(passage_texts.text, '\', '\\'), '"', '\"'), char(10), '","') || '"]') AS cut;

CREATE VIEW toc AS
SELECT
  documents.manual_id,
  documents.path,
  sections.start_line,
  sections.end_line,
  sections.level,
  sections.title
FROM sections
JOIN documents ON documents.id = sections.document_id
ORDER BY documents.manual_id, documents.path, sections.start_line;

-- What refers to what. A target without a line was not found.
CREATE VIEW references_overview AS
SELECT
  documents.manual_id,
  documents.path,
  sections.start_line + cross_references.line_offset AS line,
  cross_references.kind,
  cross_references.relation,
  cross_references.text,
  called_documents.called,
  cross_references.name || coalesce(cross_references.detail, '') || coalesce('-' || cross_references.last_name, '') AS name,
  target_documents.path AS target_path,
  target_sections.start_line + reference_targets.line_offset AS target_line,
  target_sections.title AS target_title
FROM cross_references
JOIN sections ON sections.id = cross_references.section_id
JOIN documents ON documents.id = sections.document_id
LEFT JOIN called_documents ON called_documents.id = cross_references.called_id
LEFT JOIN reference_targets ON reference_targets.reference_id = cross_references.id
LEFT JOIN sections AS target_sections ON target_sections.id = reference_targets.section_id
LEFT JOIN documents AS target_documents ON target_documents.id = target_sections.document_id;

CREATE VIEW trace_overview AS
SELECT
  id AS trace_id,
  created_at,
  tool,
  query,
  manual_id,                      -- null: all manuals, or the vault
  intent,
  intent_source,
  elapsed_ms,
  summary ->> '$.candidates' AS candidates,
  summary ->> '$.integration_status' AS integration_status,
  summary ->> '$.sufficiency_score' AS sufficiency_score,
  summary ->> '$.completeness.status' AS completeness,
  summary ->> '$.completeness.lines.examined' AS lines_examined,
  summary ->> '$.completeness.lines.unexamined' AS lines_unexamined,
  summary ->> '$.cutoff_reason' AS cutoff_reason,
  summary ->> '$.unscanned_sections_count' AS unscanned,
  (SELECT json_array_length(candidates) FROM trace_candidate_lists WHERE trace_id = traces.id) AS stored_candidates
FROM traces
ORDER BY created_at DESC, id;

CREATE VIEW trace_candidates AS
SELECT
  trace_id,
  candidate.key AS position,      -- 0 is the best
  candidate.value ->> 0 AS manual_id,
  candidate.value ->> 1 AS path,
  candidate.value ->> 2 AS file_type,
  candidate.value ->> 3 AS section_line, -- where the section starts
  candidate.value ->> 4 AS start_line, -- the line that matches
  candidate.value ->> 5 AS column_number, -- 0-based, in the normalised line
  candidate.value ->> 6 AS signals, -- JSON array
  candidate.value ->> 7 AS score,
  candidate.value ->> 8 AS why    -- JSON; the views trace_scores, trace_terms, trace_links take it apart
FROM trace_candidate_lists
JOIN json_each(trace_candidate_lists.candidates) AS candidate;

CREATE VIEW trace_hits AS
SELECT trace_id, position, manual_id, path, start_line, signals, score
FROM trace_candidates
ORDER BY trace_id, position;

-- What the score of each candidate is made of.
CREATE VIEW trace_scores AS
SELECT trace_id, position, trace_candidates.path, start_line, part.key AS part, part.value AS contribution
FROM trace_candidates
JOIN json_each(trace_candidates.why, '$.score') AS part
ORDER BY trace_id, position, contribution DESC;

-- On which lines each candidate holds which words of the query.
CREATE VIEW trace_terms AS
SELECT trace_id, position, trace_candidates.path, term.key AS term, line.value AS line
FROM trace_candidates
JOIN json_each(trace_candidates.why, '$.terms') AS term
JOIN json_each(term.value) AS line
ORDER BY trace_id, position, line.value;

-- The references that led to a candidate, and the exceptions that stand with it.
CREATE VIEW trace_links AS
SELECT
  trace_id,
  position,
  trace_candidates.path,
  start_line,
  part.key AS relation,           -- 'via' or 'exceptions'
  link.value ->> 0 AS linked_manual_id,
  link.value ->> 1 AS linked_path,
  link.value ->> 2 AS linked_line,
  link.value ->> 3 AS kind
FROM trace_candidates
JOIN json_each(trace_candidates.why) AS part ON part.key IN ('via', 'exceptions')
JOIN json_each(part.value) AS link
ORDER BY trace_id, position;

CREATE VIEW trace_unscanned_ranges AS
SELECT
  trace_id,
  reason,
  document.value ->> '$[0]' AS manual_id,
  document.value ->> '$[1]' AS path,
  span.value ->> '$[0]' AS first_line,
  span.value ->> '$[1]' AS last_line
FROM trace_unscanned
JOIN json_each(trace_unscanned.documents) AS document
JOIN json_each(document.value ->> '$[2]') AS span;

-- The recall proxy of each search after which something was read.
CREATE VIEW adaptive_recall AS
SELECT
  adaptive_statistics.ts,
  adaptive_statistics.trace_id,
  count(*) AS sections_read,
  sum(adaptive_reads.is_candidate) AS candidates_read,
  avg(adaptive_reads.is_candidate) AS recall
FROM adaptive_reads
JOIN adaptive_statistics ON adaptive_statistics.id = adaptive_reads.statistics_id
GROUP BY adaptive_reads.statistics_id
ORDER BY adaptive_reads.statistics_id DESC;

-- The thresholds in force, as far as they were ever moved: the configured base holds for one that is not here.
CREATE VIEW adaptive_thresholds AS
SELECT threshold, new_value AS value, base, ts AS since
FROM adaptive_changes
WHERE id IN (SELECT max(id) FROM adaptive_changes GROUP BY threshold);

CREATE VIEW adaptive_changes_overview AS
SELECT
  ts,
  threshold,
  old_value,
  new_value,
  reason,
  CASE reason
    WHEN 'recall_low' THEN 'what was read was too often no candidate: widen earlier'
    WHEN 'widening_in_vain' THEN 'nothing that was read came from widening: widen later'
    WHEN 'widening_cut' THEN 'widened searches were too often cut: widen later'
    WHEN 'recall_fell' THEN 'undone: less of what was read was a candidate than before the last change'
    WHEN 'cutoffs_rose' THEN 'undone: more searches were cut than before the last change'
  END AS because,
  round(recall, 3) AS recall,
  round(cutoff_share, 3) AS cutoff_share
FROM adaptive_changes
ORDER BY id DESC;
