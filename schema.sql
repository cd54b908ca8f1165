-- The schema of a Morenashi database, SQLite 3.40 or newer. One file, three parts:
--   derived  rebuilt from the files whenever its layout changes; never migrated
--   side     what cannot be rebuilt; carried forward step by step by migrations/
--   views    for people with the sqlite3 shell
-- The lines "-- part: NAME" are read by indexer/schema.py.

-- part: derived

-- One row a fact about the index as a whole: layout, generation, build (changes with every rebuild), dictionary digest.
CREATE TABLE index_state (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- A file under manuals/<manual_id>/. Its path is as on disk; path_nfc finds it in any Unicode form.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  path_nfc TEXT NOT NULL,
  file_type TEXT NOT NULL CHECK (file_type IN ('md', 'json')),
  status TEXT NOT NULL CHECK (status IN ('indexed', 'unreadable', 'encoding', 'too_large')),
  problem TEXT,                   -- why not indexed, or 'invalid_json' for one indexed as text
  encoding TEXT,
  size_bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  sha256 BLOB,                    -- of the bytes; null if they could not be read
  lines INTEGER NOT NULL,
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
  end_line INTEGER NOT NULL       -- descendants included
);
CREATE INDEX sections_by_document ON sections (document_id, start_line);
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

-- In how many passages a term stands: exact, for the frequent terms only; the others are counted
-- by asking the full-text table, which is quick because they are rare.
CREATE TABLE term_counts (
  kind TEXT NOT NULL CHECK (kind IN ('pair', 'word', 'kanji')),
  term TEXT NOT NULL,
  passages INTEGER NOT NULL,
  PRIMARY KEY (kind, term)
) WITHOUT ROWID;

-- Where an expression of the exception dictionary stands.
CREATE TABLE exception_terms (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (document_id, line, term)
) WITHOUT ROWID;
CREATE INDEX exception_terms_by_term ON exception_terms (term);

-- What a line says about another place. A target that was not found stays null.
CREATE TABLE cross_references (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,           -- as written, normalised
  target_document_id INTEGER REFERENCES documents (id) ON DELETE SET NULL,
  target_line INTEGER,
  PRIMARY KEY (document_id, line, kind, target)
) WITHOUT ROWID;
CREATE INDEX cross_references_by_target ON cross_references (target_document_id);

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

-- part: side

-- A manual_find call and its answer. Holds the query, no text of any document.
CREATE TABLE traces (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,       -- UTC, ISO 8601
  tool TEXT NOT NULL,
  query TEXT NOT NULL,
  manual_id TEXT,
  intent TEXT,
  index_generation INTEGER NOT NULL,
  elapsed_ms REAL NOT NULL,
  summary TEXT NOT NULL,          -- JSON, as answered
  next_actions TEXT NOT NULL      -- JSON, as answered
);
CREATE INDEX traces_by_age ON traces (created_at);

CREATE TABLE trace_candidates (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,      -- 0 is the best
  manual_id TEXT NOT NULL,
  path TEXT NOT NULL,
  file_type TEXT NOT NULL,
  section_line INTEGER NOT NULL,  -- where the section starts
  start_line INTEGER NOT NULL,    -- the line that matches
  column_number INTEGER NOT NULL, -- 0-based, in the normalised line
  signals TEXT NOT NULL,          -- JSON array
  score REAL NOT NULL,
  PRIMARY KEY (trace_id, position)
) WITHOUT ROWID;

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

-- An aspect of the query for which nothing was found. Repeats words of the query only.
CREATE TABLE trace_gaps (
  trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  hint TEXT NOT NULL,
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

CREATE VIEW trace_overview AS
SELECT
  id AS trace_id,
  created_at,
  query,
  manual_id,
  elapsed_ms,
  summary ->> '$.candidates' AS candidates,
  summary ->> '$.integration_status' AS integration_status,
  summary ->> '$.sufficiency_score' AS sufficiency_score,
  summary ->> '$.completeness.status' AS completeness,
  summary ->> '$.completeness.lines.examined' AS lines_examined,
  summary ->> '$.completeness.lines.unexamined' AS lines_unexamined,
  summary ->> '$.cutoff_reason' AS cutoff_reason,
  summary ->> '$.unscanned_sections_count' AS unscanned,
  (SELECT count(*) FROM trace_candidates WHERE trace_id = traces.id) AS stored_candidates
FROM traces
ORDER BY created_at DESC, id;

CREATE VIEW trace_hits AS
SELECT trace_id, position, manual_id, path, start_line, signals, score
FROM trace_candidates
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
