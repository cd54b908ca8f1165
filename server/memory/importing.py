"""Memory read back from JSON lines, judged as if it was said now."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from morenashi.indexer.claim_index import SCOPES, BoundaryClass, add_claim, layer_of
from morenashi.server.calls.inputs import Input
from morenashi.server.errors import ToolError

from .boundary import strictest
from .claim_lines import StoredCitation, StoredClaim
from .claims import Claim, as_json, content_hash, digest_of
from .gate import violated_invariant
from .ids import from_stored, to_stored
from .masking import mask_provenance, mask_words
from .patterns import PatternTimeoutError
from .policy import Policy
from .redaction import mask_secrets, redact
from .store import find_by_hash, find_claim, read_claims
from .tags import Tags


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim as it may be kept: its rows without the number that it will have."""

    text: str
    row: dict[str, Any]
    evidence: list[tuple[str, str, str]]
    tables: list[tuple[str, list[dict[str, Any]], str | None]]


def judge_new(
    connection: sqlite3.Connection, claims: Sequence[StoredClaim], policy: Policy, granted: Tags
) -> dict[int, JudgedClaim]:
    """The claims that are not there yet, by their places, for `import_claims`: to judge thousands takes long, and
    nobody else could write meanwhile. Raises `BOUNDARY_DENIED` for one that cannot be kept.
    """
    found = ((place, _find_or_judge(connection, claim, policy, granted)) for place, claim in enumerate(claims))
    return {place: one for place, one in found if isinstance(one, JudgedClaim)}


def import_claims(
    connection: sqlite3.Connection,
    claims: Sequence[StoredClaim],
    policy: Policy,
    granted: Tags,
    judged: Mapping[int, JudgedClaim],
) -> tuple[int, int]:
    """Take claims in, in the caller's transaction: how many were new, and how many were there already.

    Secrets are masked, classes raised and invariants asked, as if the claims were said now by who was `granted` these
    uses; of what was `judged` under this policy, that is done. Raises `VALIDATION_ERROR` or `BOUNDARY_DENIED` for a
    claim that cannot be kept.
    """
    ids: dict[str, str] = {}
    new: list[StoredClaim] = []
    for place, claim in enumerate(claims):
        found = _find_or_judge(connection, claim, policy, granted, judged.get(place))
        if isinstance(found, Claim):
            ids[claim.id] = found.id
            continue
        try:
            _insert(connection, claim, found)
        except sqlite3.IntegrityError:
            message = f"{claim.id}: it has the same entity, relation, signal or citation twice"
            raise ToolError("VALIDATION_ERROR", message) from None
        new.append(claim)
    # What is there already stays as it is; a claim that is new may have been merged into it, or replaced by it.
    for one in new:
        if one.merged_into:
            _merge(connection, one.id, ids.get(one.merged_into, one.merged_into))
    for one in new:
        if one.replaced_by:
            connection.execute(_REPLACE, {"id": one.id, "by": ids.get(one.replaced_by, one.replaced_by)})
    return len(new), len(claims) - len(new)


def _merge(connection: sqlite3.Connection, claim_id: str, representative_id: str) -> None:
    """Let a claim be represented as its line says, or by what that one was merged into: nothing by itself, nor by one
    of a laxer class or of a shorter scope. That is shown with the evidence of what was merged into it, and ends with
    its own TTL; here a claim may have come into a stricter class than where it was exported.
    """
    claim, other = find_claim(connection, claim_id), find_claim(connection, representative_id)
    if other is not None and other.merged_into is not None:
        (other,) = read_claims(connection, [other.merged_into]).values()
    if claim is None or other is None or claim.number == other.number:
        return
    is_as_strict = strictest((claim.boundary_class, other.boundary_class)) == other.boundary_class
    if is_as_strict and SCOPES.index(claim.scope) <= SCOPES.index(other.scope):
        connection.execute("UPDATE claims SET merged_into = ? WHERE number = ?", (other.number, claim.number))


def _find_or_judge(
    connection: sqlite3.Connection, claim: StoredClaim, policy: Policy, granted: Tags, judged: JudgedClaim | None = None
) -> Claim | JudgedClaim:
    """The claim that is there already, by its id or by its text; otherwise this one as it may be kept. Raises
    `BOUNDARY_DENIED`.
    """
    known = find_claim(connection, claim.id)
    if known is not None:
        return known
    with _in_time(claim):
        text = judged.text if judged else mask_secrets(claim.text, policy).text
    return find_by_hash(connection, content_hash(text)) or judged or _judge(claim, text, policy, granted)


@contextlib.contextmanager
def _in_time(claim: StoredClaim) -> Iterator[None]:
    """Refuse a claim that the rules of the policy take too long over."""
    try:
        yield
    except PatternTimeoutError:
        message = f"{claim.id}: the rules of redact_policies took too long over it, so it cannot be kept"
        raise ToolError("BOUNDARY_DENIED", message) from None


def _class_of(claim: StoredClaim, text: str, policy: Policy, granted: Tags) -> BoundaryClass:
    """The class that a claim is kept in, once its secrets are masked. Raises `BOUNDARY_DENIED`."""
    if not text.strip():
        raise ToolError("BOUNDARY_DENIED", f"{claim.id}: nothing of it may be kept")
    found = redact(text, policy)
    boundary_class = found.raised(claim.boundary_class)
    violated = violated_invariant(policy, found, boundary_class, granted, claim.scope)
    if violated is not None:
        # It may hold of the uses of the server, which has the setting from elsewhere.
        uses = f"asked with MEMORY_ALLOW={','.join(sorted(granted))}"
        raise ToolError("BOUNDARY_DENIED", f"{claim.id}: against the policy's invariant {violated}, {uses}")
    return boundary_class


def _judge(claim: StoredClaim, text: str, policy: Policy, granted: Tags) -> JudgedClaim:
    """A claim as it may be kept, its secrets masked in the text. Raises `BOUNDARY_DENIED`."""
    with _in_time(claim):
        boundary_class = _class_of(claim, text, policy, granted)
        masked = {"text": text, "content_hash": content_hash(text), "source": mask_words(claim.source, policy)}
        provenances = [mask_provenance(one.model_dump(exclude_none=True), policy) for one in claim.provenance]
        tables = [
            ("entities", mask_words(_dump(claim.entities), policy), "attrs"),
            ("relations", mask_words(_dump(claim.relations), policy), "props"),
            ("feedback", _dump(claim.feedback), None),
            ("claim_citations", _dump(_without_secrets(claim.citations, policy)), None),
        ]
    own = {"format", "merged_into", "replaced_by", "provenance", "entities", "relations", "feedback", "citations"}
    row = claim.model_dump(exclude=own) | masked | {"boundary_class": boundary_class}
    evidence = [(digest_of(one), to_stored(from_stored(one["at"])), as_json(one)) for one in provenances]
    return JudgedClaim(text, row, evidence, tables)


def _insert(connection: sqlite3.Connection, claim: StoredClaim, judged: JudgedClaim) -> None:
    number = connection.execute(_INSERT, judged.row).lastrowid
    assert number is not None
    add_claim(connection, number, layer_of(claim.scope, judged.row["boundary_class"]), judged.text)
    for one in judged.evidence:
        connection.execute("INSERT OR IGNORE INTO claim_evidence VALUES (?, ?, ?, ?)", (number, *one))
    for table, rows, jsons in judged.tables:
        for row in rows:
            _insert_row(connection, table, number, row, jsons)


def _without_secrets(citations: Sequence[StoredCitation], policy: Policy) -> list[StoredCitation]:
    """Those whose lines may be kept, as if they were cited now; what has changed in them since, all but its secrets.

    By the digest of what they quote, whatever the line says, they are found when that changes.
    """
    return [
        one.model_copy(
            update={
                "sha256": sha256(one.quoted.encode()).hexdigest(),
                "difference": one.difference and mask_secrets(one.difference, policy).text,
            }
        )
        for one in citations
        if not mask_secrets(one.quoted, policy).findings
    ]


def _dump(parts: Sequence[Input]) -> list[dict[str, Any]]:
    return [part.model_dump() for part in parts]


def _insert_row(
    connection: sqlite3.Connection, table: str, number: int, row: dict[str, Any], jsons: str | None
) -> None:
    if jsons and row[jsons] is not None:
        row = row | {jsons: as_json(row[jsons])}
    columns, places = ", ".join(row), ", ".join(f":{name}" for name in row)
    query = f"INSERT INTO {table} (claim_number, {columns}) VALUES (:claim_number, {places})"  # noqa: S608 - our names
    connection.execute(query, row | {"claim_number": number})


_INSERT = """
INSERT INTO claims (id, content_hash, text, kind, scope, boundary_class, source, said_at, created_at, updated_at,
  utility, utility_at, confidence, quality, quality_at, stale_since, replaced_at)
VALUES (:id, :content_hash, :text, :kind, :scope, :boundary_class, :source, :said_at, :created_at, :updated_at,
  :utility, :utility_at, :confidence, :quality, :quality_at, :stale_since, :replaced_at)
"""

# By the one that holds now: here that may have been replaced since, or merged into another, which speaks for it.
_REPLACE = """
UPDATE claims
SET replaced_by = (
  SELECT nullif(coalesce(others.replaced_by, others.merged_into, others.number), claims.number)
  FROM claims AS others
  WHERE others.id = :by
)
WHERE id = :id
"""
