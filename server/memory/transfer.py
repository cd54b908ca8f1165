"""Memory as JSON lines, one claim a line, by id: the same memory gives the same bytes, and can be read back."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, ValidationError

from morenashi.indexer.claim_index import BoundaryClass, Scope, add_claim, layer_of
from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.calls.inputs import Input
from morenashi.server.delivered import Root
from morenashi.server.errors import ToolError

from .boundary import strictest
from .claims import as_json, content_hash, digest_of
from .ids import from_stored, to_stored
from .masking import mask_provenance, mask_words
from .patterns import PatternTimeoutError
from .policy import Kind, Policy
from .redaction import contained_class, mask_secrets
from .store import find_by_hash, find_claim

_FORMAT = 1
_MOST_LINES = 1_000_000_000


StoredMoment = Annotated[inputs.Moment, AfterValidator(lambda text: to_stored(from_stored(text)))]
"""In the one form in which the tables compare times."""
Share = Annotated[float, Field(ge=0, le=1)]


class StoredFeedback(Input):
    """A signal as the table has it."""

    signal: inputs.Signal
    bucket: str
    at: StoredMoment
    caller: str
    score: Annotated[float, Field(ge=-1, le=1)] | None = None


class StoredCitation(Input):
    """Cited lines as the table has them."""

    root: Root
    path: str
    first_line: Annotated[int, Field(ge=1, le=_MOST_LINES)]
    last_line: Annotated[int, Field(ge=1, le=_MOST_LINES)]
    sha256: str
    quoted: str
    difference: str | None = None


class StoredClaim(Input):
    """A line."""

    format: Literal[1]
    id: Annotated[str, StringConstraints(pattern=r"^clm_[A-Za-z0-9]{1,196}$")]
    text: inputs.Text
    kind: Kind
    scope: Scope
    boundary_class: BoundaryClass
    source: str | None = None
    said_at: StoredMoment
    created_at: StoredMoment
    updated_at: StoredMoment
    utility: Annotated[float, Field(allow_inf_nan=False)]
    utility_at: StoredMoment
    confidence: Share
    quality: Share
    quality_at: StoredMoment
    stale_since: StoredMoment | None = None
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


def parse_claims(text: str) -> list[StoredClaim]:
    """Claims from lines. Raises `VALIDATION_ERROR` with the number of the first line that is none."""
    lines = enumerate(text.split("\n"), 1)
    return [_parse(line, number) for number, line in lines if line.strip()]


def import_claims(connection: sqlite3.Connection, claims: Sequence[StoredClaim], policy: Policy) -> tuple[int, int]:
    """Take claims in, in the caller's transaction: how many were new, and how many were there already.

    Secrets are masked, and classes raised, as if the claims were said now. Raises `VALIDATION_ERROR` or
    `BOUNDARY_DENIED` for a claim that cannot be kept.
    """
    ids: dict[str, str] = {}
    new: list[StoredClaim] = []
    for claim in claims:
        try:
            text = mask_secrets(claim.text, policy).text
            known = find_claim(connection, claim.id) or find_by_hash(connection, content_hash(text))
            if known is None:
                _insert(connection, claim, text, policy)
                new.append(claim)
            else:
                ids[claim.id] = known.id
        except sqlite3.IntegrityError:
            message = f"{claim.id}: it has the same entity, relation, signal or citation twice"
            raise ToolError("VALIDATION_ERROR", message) from None
        except PatternTimeoutError:
            message = f"{claim.id}: the rules of redact_policies took too long over it, so it cannot be kept"
            raise ToolError("BOUNDARY_DENIED", message) from None
    # What is there already stays as it is; a claim that is new may have been merged into it.
    merged = [(ids.get(one.merged_into, one.merged_into), one.id) for one in new if one.merged_into]
    connection.executemany(_MERGE, merged)
    return len(new), len(claims) - len(new)


def _parse(line: str, number: int) -> StoredClaim:
    try:
        return StoredClaim.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = f"line {number}: {place}: {first['msg']}"
        raise ToolError("VALIDATION_ERROR", message, line=number, parameter=place) from None


def _insert(connection: sqlite3.Connection, claim: StoredClaim, text: str, policy: Policy) -> None:
    boundary_class = strictest([claim.boundary_class, contained_class(text, policy) or "public"])
    own = {"format", "merged_into", "provenance", "entities", "relations", "feedback", "citations"}
    masked = {"text": text, "content_hash": content_hash(text), "source": mask_words(claim.source, policy)}
    kept = claim.model_dump(exclude=own) | masked | {"boundary_class": boundary_class}
    number = connection.execute(_INSERT, kept).lastrowid
    assert number is not None
    add_claim(connection, number, layer_of(claim.scope, boundary_class), text)
    for one in claim.provenance:
        provenance = mask_provenance(one.model_dump(exclude_none=True), policy)
        values = (number, digest_of(provenance), to_stored(from_stored(one.at)), as_json(provenance))
        connection.execute("INSERT OR IGNORE INTO claim_evidence VALUES (?, ?, ?, ?)", values)
    for table, rows, jsons in (
        ("entities", mask_words(_dump(claim.entities), policy), "attrs"),
        ("relations", mask_words(_dump(claim.relations), policy), "props"),
        ("feedback", _dump(claim.feedback), None),
        ("claim_citations", _dump(claim.citations), None),
    ):
        for row in rows:
            _insert_row(connection, table, number, row, jsons)


def _dump(parts: Sequence[Input]) -> list[dict[str, Any]]:
    return [part.model_dump() for part in parts]


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

# Into what the other is merged into, if it is; nothing is merged into itself.
_MERGE = """
UPDATE claims
SET merged_into = nullif(
  (SELECT coalesce(others.merged_into, others.number) FROM claims AS others WHERE others.id = ?), number
)
WHERE id = ?
"""
