"""What a search did not examine: its passages, whole documents, other manuals, and what references lead to."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable

from morenashi.indexer.files import Key

from .evidence import Evidence
from .findings import Findings
from .index.id_lists import as_json
from .index.passages import first_passages
from .index.postings import Index
from .ranking.candidates import Ranked
from .resuming import AskedAgain
from .scope import Lead, Scope, Unscanned, UnscannedReason, whole_documents

Covers = Callable[[Key], bool]
"""Whether a document, by its manual_id and path, lies in the scope."""

# A document that was not examined for two reasons is listed under the first of these.
_REASONS: tuple[UnscannedReason, ...] = ("changed_since_index", "unreadable", "encoding", "too_large", "time_budget")


def leave_over(index: Index, dropped: Iterable[Ranked], evidence: Evidence) -> list[Lead]:
    """Count what the cap dropped as left over: hits, or where a section begins that has none.

    Returns what leads there: a section without a hit would not be found again without.
    """
    findings = evidence.findings
    unhit = []
    leads = []
    for section_id, *_ in dropped:
        findings.cut_by = findings.cut_by or "candidate_cap"
        if hits := evidence.hits.pop(section_id, None):
            findings.left += [hit.passage.id for hit in hits]
        else:
            unhit.append(section_id)
        leads += _leads_to(section_id, evidence)
    if unhit:
        left = set(findings.left)
        findings.left += [passage for passage in first_passages(index, unhit) if passage not in left]
    return leads


def leave_out_pending(connection: sqlite3.Connection, findings: Findings, pending: Collection[Key]) -> None:
    """Passages of changed documents are not left over: their documents are listed whole."""
    if findings.left and pending:
        stale = {row[0] for row in connection.execute(_PASSAGES_OF, (json.dumps(sorted(pending)),))}
        findings.left = [passage for passage in findings.left if passage not in stale]


def list_skipped(
    connection: sqlite3.Connection,
    scope: Scope,
    covers: Covers,
    pending: Collection[Key],
    *,
    nothing_known: bool,
) -> list[Unscanned]:
    """The documents of a scope that were not examined; all of them if nothing is known."""
    documents = _unsearchable(connection, scope, filter(covers, pending))
    if nothing_known:
        everything = connection.execute(_ALL_DOCUMENTS)
        documents["time_budget"] = [row for row in everything if covers(row[:2])]
    return _by_first_reason(documents)


def list_unsearchable_again(
    connection: sqlite3.Connection, scope: Scope, asked: AskedAgain, pending: Collection[Key]
) -> list[Unscanned]:
    """The documents that are asked for again, and cannot be searched this time either."""
    documents = _unsearchable(connection, scope, pending)
    return _by_first_reason(
        {reason: [row for row in rows if row[:2] in asked.spans] for reason, rows in documents.items()}
    )


def list_beyond(connection: sqlite3.Connection, manual_id: str | None, pending: Collection[Key]) -> Unscanned:
    """The documents of all other manuals. Those too that cannot be searched, or are not indexed yet: who takes this up
    learns of no others.
    """
    documents = connection.execute(_OTHER_DOCUMENTS, (manual_id,)).fetchall()
    known = {row[:2] for row in documents}
    documents += [(*key, 0) for key in pending if key[0] != manual_id and key not in known]
    return whole_documents("stage_cap", sorted(documents))


def list_left(connection: sqlite3.Connection, findings: Findings) -> list[Unscanned]:
    """The passages that were left over."""
    if not findings.left:
        return []
    # In the order of the pages: a third faster, and the places of a document follow each other as they lie in it.
    documents, places, lines = connection.execute(_PLACES, (as_json(sorted(findings.left)),)).fetchone()
    return [Unscanned(findings.cut_by or "candidate_cap", documents, int(places), int(lines))]


def _leads_to(section_id: int, evidence: Evidence) -> list[Lead]:
    target = evidence.sections[section_id]
    found = []
    for link in evidence.links.get(section_id, ()):
        source = evidence.sections[link.source_id]
        place = target.manual_id, target.path, link.target_line
        found.append(Lead(*place, source.manual_id, source.path, source.start_line, link.line, link.kind, link.depth))
    return found


def _unsearchable(
    connection: sqlite3.Connection, scope: Scope, pending: Iterable[Key]
) -> dict[UnscannedReason, list[tuple[str, str, int]]]:
    documents = dict(scope.unsearchable)
    if changed := sorted(pending):
        documents["changed_since_index"] = connection.execute(_SIZES, (json.dumps(changed),)).fetchall()
    return documents


def _by_first_reason(documents: dict[UnscannedReason, list[tuple[str, str, int]]]) -> list[Unscanned]:
    listed = set[Key]()
    skipped = []
    for reason in sorted(documents, key=_REASONS.index):
        rows = [row for row in documents[reason] if row[:2] not in listed]
        listed.update(row[:2] for row in rows)
        skipped.append(whole_documents(reason, rows))
    return [item for item in skipped if item.places]


# One row, made without a Python object a place, and while other threads run.
_PLACES = """
SELECT json_group_array(json_array(manual_id, path, json(spans))), total(places), total(lines)
FROM (
  SELECT
    documents.manual_id,
    documents.path,
    json_group_array(json_array(passages.first_line, passages.last_line)) AS spans,
    count(*) AS places,
    total(passages.last_line - passages.first_line + 1) AS lines
  FROM json_each(?) AS asked
  CROSS JOIN passages ON passages.id = asked.value
  CROSS JOIN documents ON documents.id = passages.document_id
  GROUP BY passages.document_id
  ORDER BY documents.manual_id, documents.path
)
"""

_ALL_DOCUMENTS = """
SELECT manual_id, path, lines
FROM documents
WHERE status = 'indexed' AND lines > 0
ORDER BY manual_id, path
"""

_OTHER_DOCUMENTS = """
SELECT manual_id, path, lines
FROM documents
WHERE manual_id <> ? AND (status <> 'indexed' OR lines > 0)
"""

_PASSAGES_OF = """
SELECT passages.id
FROM json_each(?) AS asked
CROSS JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
CROSS JOIN passages ON passages.document_id = documents.id
"""

_SIZES = """
SELECT asked.value ->> 0, asked.value ->> 1, coalesce(documents.lines, 0)
FROM json_each(?) AS asked
LEFT JOIN documents ON documents.manual_id = asked.value ->> 0 AND documents.path = asked.value ->> 1
"""
