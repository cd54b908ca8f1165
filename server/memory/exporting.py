"""Memory written as JSON lines, by id: the same memory gives the same bytes."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from .claim_lines import FORMAT
from .claims import as_json, parse_object, parse_provenance


def export_claims(connection: sqlite3.Connection) -> Iterator[str]:
    """All claims, whatever their class or age: what the owner of the memory moves or keeps. Without what cannot be read
    any more, which `find_unreadable` names.
    """
    for claim in _known(connection.execute(_CLAIMS)):
        number = claim.pop("number")
        claim["format"] = FORMAT
        stored = (parse_provenance(one) for (one,) in connection.execute(_EVIDENCE, (number,)))
        claim["provenance"] = [one for one in stored if one is not None]
        claim["entities"] = _rows(connection, _ENTITIES, number, "attrs")
        claim["relations"] = _rows(connection, _RELATIONS, number, "props")
        claim["feedback"] = _rows(connection, _FEEDBACK, number)
        claim["citations"] = _rows(connection, _CITATIONS, number)
        yield as_json(claim)


def find_unreadable(connection: sqlite3.Connection) -> list[str]:
    """The ids of claims with a provenance, or attributes of an entity or relation, that are no JSON any more."""
    provenances, attributes = connection.execute(_PROVENANCES), connection.execute(_ATTRIBUTES)
    found = {claim_id for claim_id, stored in provenances if parse_provenance(stored) is None}
    found |= {claim_id for claim_id, stored in attributes if parse_object(stored) is None}
    return sorted(found)


def _rows(connection: sqlite3.Connection, query: str, number: int, jsons: str | None = None) -> list[dict[str, Any]]:
    found = list(_known(connection.execute(query, (number,))))
    for row in found:
        if jsons in row and (value := parse_object(row.pop(jsons))) is not None:
            row[jsons] = value
    return found


def _known(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """Each row by the names of its columns, without those that are NULL."""
    cursor.row_factory = sqlite3.Row
    return ({name: value for name, value in dict(row).items() if value is not None} for row in cursor)


_CLAIMS = """
SELECT claims.number, claims.id, claims.text, claims.kind, claims.scope, claims.boundary_class, claims.source,
  claims.said_at, claims.created_at, claims.updated_at, claims.utility, claims.utility_at, claims.confidence,
  claims.quality, claims.quality_at, claims.stale_since, representatives.id AS merged_into,
  successors.id AS replaced_by, claims.replaced_at
FROM claims
LEFT JOIN claims AS representatives ON representatives.number = claims.merged_into
LEFT JOIN claims AS successors ON successors.number = claims.replaced_by
ORDER BY claims.id
"""

_EVIDENCE = "SELECT provenance FROM claim_evidence WHERE claim_number = ? ORDER BY digest"

_ENTITIES = "SELECT id, type, name, canonical_key, attrs FROM entities WHERE claim_number = ? ORDER BY id"

_RELATIONS = """
SELECT id, src_id, dst_id, type, props, evidence_claim_id
FROM relations
WHERE claim_number = ?
ORDER BY id
"""

_PROVENANCES = """
SELECT claims.id, provenance
FROM claim_evidence
JOIN claims ON claims.number = claim_number
"""

_ATTRIBUTES = """
SELECT claims.id, attrs
FROM (
  SELECT claim_number, attrs FROM entities
  UNION ALL
  SELECT claim_number, props FROM relations
) AS described
JOIN claims ON claims.number = described.claim_number
WHERE attrs IS NOT NULL
"""

_FEEDBACK = """
SELECT signal, bucket, at, caller, score
FROM feedback
WHERE claim_number = ?
ORDER BY signal, bucket
"""

_CITATIONS = """
SELECT root, path, first_line, last_line, sha256, quoted, difference
FROM claim_citations
WHERE claim_number = ?
ORDER BY root, path, first_line, last_line
"""
