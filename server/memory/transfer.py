"""Memory as JSON lines, one claim a line, by id: the same memory gives the same bytes, and can be read back."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import ValidationError

from morenashi.indexer.claim_index import BoundaryClass, Scope, add_claim, layer_of
from morenashi.server.delivered import Root
from morenashi.server.edge import memory_inputs as inputs
from morenashi.server.edge.inputs import Input
from morenashi.server.errors import ToolError

from .claims import as_json, content_hash, digest_of
from .policy import Kind, Policy
from .redaction import mask_secrets
from .store import find_by_hash, find_claim

_FORMAT = 1


class StoredFeedback(Input):
    """A signal as the table has it."""

    signal: inputs.Signal
    bucket: str
    at: inputs.Moment
    caller: str
    score: float | None = None


class StoredCitation(Input):
    """Cited lines as the table has them."""

    root: Root
    path: str
    first_line: int
    last_line: int
    sha256: str
    quoted: str
    difference: str | None = None


class StoredClaim(Input):
    """A line. Times are those of the tables."""

    format: Literal[1]
    id: inputs.Id
    text: inputs.Text
    kind: Kind
    scope: Scope
    boundary_class: BoundaryClass
    source: str | None = None
    said_at: inputs.Moment
    created_at: inputs.Moment
    updated_at: inputs.Moment
    utility: float
    utility_at: inputs.Moment
    confidence: float
    quality: float
    quality_at: inputs.Moment
    stale_since: str | None = None
    merged_into: str | None = None
    provenance: list[inputs.Provenance]
    entities: list[inputs.Entity]
    relations: list[inputs.Relation]
    feedback: list[StoredFeedback]
    citations: list[StoredCitation]


def export_claims(connection: sqlite3.Connection) -> Iterator[str]:
    """All claims, whatever their class or age: what the owner of the memory moves or keeps."""
    cursor = connection.execute(_CLAIMS)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        claim = dict(zip(names, row, strict=True))
        number = claim.pop("number")
        claim["format"] = _FORMAT
        claim["provenance"] = [json.loads(one) for (one,) in connection.execute(_EVIDENCE, (number,))]
        claim["entities"] = _rows(connection, _ENTITIES, number, "attrs")
        claim["relations"] = _rows(connection, _RELATIONS, number, "props")
        claim["feedback"] = _rows(connection, _FEEDBACK, number)
        claim["citations"] = _rows(connection, _CITATIONS, number)
        yield as_json({name: value for name, value in claim.items() if value is not None})


def import_claims(connection: sqlite3.Connection, lines: Iterator[str], policy: Policy) -> tuple[int, int]:
    """Read claims back, in the caller's transaction: how many were new, and how many were there already.

    Raises `VALIDATION_ERROR` with the number of the first line that is no claim; nothing is then taken.
    """
    new = known = 0
    merged: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        claim = _parse(line, number)
        text = mask_secrets(claim.text, policy).text
        if find_claim(connection, claim.id) or find_by_hash(connection, content_hash(text)):
            known += 1
            continue
        _insert(connection, claim, text)
        new += 1
        if claim.merged_into:
            merged.append((claim.merged_into, claim.id))
    connection.executemany(_MERGE, merged)
    return new, known


def _parse(line: str, number: int) -> StoredClaim:
    try:
        return StoredClaim.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = f"line {number}: {place}: {first['msg']}"
        raise ToolError("VALIDATION_ERROR", message, line=number, parameter=place) from None


def _insert(connection: sqlite3.Connection, claim: StoredClaim, text: str) -> None:
    own = {"format", "merged_into", "provenance", "entities", "relations", "feedback", "citations"}
    row = claim.model_dump(exclude=own) | {"text": text, "content_hash": content_hash(text)}
    number = connection.execute(_INSERT, row).lastrowid
    assert number is not None
    add_claim(connection, number, layer_of(claim.scope, claim.boundary_class), text)
    for provenance in claim.provenance:
        stored = provenance.model_dump(exclude_none=True)
        values = (number, digest_of(stored), provenance.at, as_json(stored))
        connection.execute("INSERT INTO claim_evidence VALUES (?, ?, ?, ?)", values)
    for table, rows, jsons in (
        ("entities", claim.entities, "attrs"),
        ("relations", claim.relations, "props"),
        ("feedback", claim.feedback, None),
        ("claim_citations", claim.citations, None),
    ):
        for one in rows:
            _insert_row(connection, table, number, one.model_dump(), jsons)


def _insert_row(
    connection: sqlite3.Connection, table: str, number: int, row: dict[str, Any], jsons: str | None
) -> None:
    if jsons and row[jsons] is not None:
        row[jsons] = as_json(row[jsons])
    columns, places = ", ".join(row), ", ".join(f":{name}" for name in row)
    query = f"INSERT INTO {table} (claim_number, {columns}) VALUES (:claim_number, {places})"  # noqa: S608 - our names
    connection.execute(query, row | {"claim_number": number})


def _rows(connection: sqlite3.Connection, query: str, number: int, jsons: str | None = None) -> list[dict[str, Any]]:
    cursor = connection.execute(query, (number,))
    names = [column[0] for column in cursor.description]
    found = []
    for values in cursor.fetchall():
        row = {name: value for name, value in zip(names, values, strict=True) if value is not None}
        if jsons in row:
            row[jsons] = json.loads(row[jsons])
        found.append(row)
    return found


_CLAIMS = """
SELECT claims.number, claims.id, claims.text, claims.kind, claims.scope, claims.boundary_class, claims.source,
  claims.said_at, claims.created_at, claims.updated_at, claims.utility, claims.utility_at, claims.confidence,
  claims.quality, claims.quality_at, claims.stale_since, representatives.id AS merged_into
FROM claims
LEFT JOIN claims AS representatives ON representatives.number = claims.merged_into
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

_INSERT = """
INSERT INTO claims (id, content_hash, text, kind, scope, boundary_class, source, said_at, created_at, updated_at,
  utility, utility_at, confidence, quality, quality_at, stale_since)
VALUES (:id, :content_hash, :text, :kind, :scope, :boundary_class, :source, :said_at, :created_at, :updated_at,
  :utility, :utility_at, :confidence, :quality, :quality_at, :stale_since)
"""

_MERGE = "UPDATE claims SET merged_into = (SELECT number FROM claims WHERE id = ?) WHERE id = ?"
