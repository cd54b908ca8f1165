"""Claims in the database: kept, found, confirmed, forgotten. Every function works in its caller's transaction."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from morenashi.indexer.claim_index import SCOPES, add_claim, layer_of, remove_claim

from .boundary import strictest
from .citations import Citation
from .claims import CLAIM_COLUMNS, Claim, Draft, as_json, content_hash, digest_of
from .ids import new_id, to_stored
from .policy import Policy
from .visible import expired_until

CONFIDENCE, UTILITY, QUALITY = 0.5, 0.0, 1.0
"""What a claim begins with."""


def keep_claim(connection: sqlite3.Connection, draft: Draft, policy: Policy, now: datetime) -> tuple[int, str]:
    """Keep a claim, or add to the one that has the same text: provenance, graph, the stricter class, the longer scope.

    Answers its number and its id. The same draft again changes nothing, unless the claim has expired or is stale: then
    it confirms it. What is said of a claim that was merged into another confirms that one too, which speaks for it.
    """
    known = find_by_hash(connection, content_hash(draft.text))
    if known is None:
        number, claim_id = _insert(connection, draft, now)
        _add_to(connection, number, draft)
        if draft.citation:
            _store_citation(connection, number, draft.citation)
        return number, claim_id
    is_news = _add_to(connection, known.number, draft)
    for claim in (known, *_representative(connection, known)):
        if draft.citation:
            _store_citation(connection, claim.number, draft.citation)
        has_expired = claim.updated_at <= expired_until(policy, claim.scope, now)
        if is_news or claim.stale_since or has_expired:
            _confirm(connection, claim, now)
        _raise_layer(connection, claim, draft)
    return known.number, known.id


def find_by_hash(connection: sqlite3.Connection, digest: str) -> Claim | None:
    """The claim with this `content_hash`."""
    return _one(connection.execute(f"{_CLAIM} WHERE content_hash = ?", (digest,)))


def find_claim(connection: sqlite3.Connection, claim_id: str) -> Claim | None:
    """The claim with this id."""
    return _one(connection.execute(f"{_CLAIM} WHERE id = ?", (claim_id,)))


def read_claims(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, Claim]:
    """Claims by number; those that are gone are left out."""
    query = f"{_CLAIM} WHERE number IN (SELECT value FROM json_each(?))"  # noqa: S608 - a constant
    return {row[0]: Claim(*row) for row in connection.execute(query, (json.dumps(list(numbers)),))}


def read_citations(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[tuple[int, Citation]]:
    """What these claims cite and is not known to have changed, in the order of the files."""
    rows = connection.execute(_CITATIONS, (json.dumps(list(numbers)),))
    return [(number, Citation(*citation)) for number, *citation in rows]


def mark_stale(connection: sqlite3.Connection, number: int, citation: Citation, difference: str, now: datetime) -> None:
    """Cited lines have changed: the claim leaves `activate` until it is confirmed, unless it just was."""
    row = _place(number, citation) | {"difference": difference}
    if connection.execute(_DIFFERENCE, row).rowcount:
        connection.execute(_STALE, (to_stored(now), number))


def move_citations(connection: sqlite3.Connection, moves: Iterable[tuple[int, Citation, Citation]]) -> None:
    """Cited lines stand elsewhere in their files: (claim, before, after). What is not cited any more stays away.

    All leave their places before the first comes to its new one, where another citation of the claim may have stood.
    """
    moved = [
        (number, after)
        for number, before, after in moves
        if connection.execute(_DROP_CITATION, _place(number, before)).rowcount
    ]
    for number, after in moved:
        # Who stands there still says the same, or has changed, and what became of that is to be told.
        connection.execute(_MOVED_CITATION, _place(number, after) | {"quoted": after.quoted})


def delete_claim(connection: sqlite3.Connection, claim: Claim) -> None:
    """Remove a claim with everything that hangs on it, its full-text row first.

    What was merged into it speaks for itself from then on, as one that was replaced if it was.
    """
    remove_claim(connection, claim.number, layer_of(claim.scope, claim.boundary_class), claim.text)
    if claim.replaced_at is not None:
        connection.execute(_PASS_ON, (claim.replaced_by, claim.replaced_at, claim.number))
    # Another claim may get its number, and would stand in its place.
    connection.execute(_DELETE_CONTEXTS, (claim.number,))
    connection.execute("DELETE FROM claims WHERE number = ?", (claim.number,))


def _insert(connection: sqlite3.Connection, draft: Draft, now: datetime) -> tuple[int, str]:
    row = {
        "id": new_id("clm_"),
        "content_hash": content_hash(draft.text),
        "text": draft.text,
        "kind": draft.kind,
        "scope": draft.scope,
        "boundary_class": draft.boundary_class,
        "source": draft.source,
        "said_at": draft.said_at,
        "now": to_stored(now),
        "utility": UTILITY,
        "confidence": CONFIDENCE,
        "quality": QUALITY,
    }
    number = connection.execute(_INSERT, row).lastrowid
    assert number is not None
    add_claim(connection, number, layer_of(draft.scope, draft.boundary_class), draft.text)
    return number, str(row["id"])


def _representative(connection: sqlite3.Connection, claim: Claim) -> Iterable[Claim]:
    """The claim that this one was merged into, if it was."""
    return () if claim.merged_into is None else read_claims(connection, [claim.merged_into]).values()


def _add_to(connection: sqlite3.Connection, number: int, draft: Draft) -> bool:
    """Add provenance and graph; whether the provenance was not known."""
    for entity in draft.entities:
        attrs = as_json(entity["attrs"]) if "attrs" in entity else None
        values = (number, entity["id"], entity["type"], entity["name"], entity.get("canonical_key"), attrs)
        connection.execute(_ENTITY, values)
    for one in draft.relations:
        props = as_json(one["props"]) if "props" in one else None
        ends = (one["src_id"], one["dst_id"], one["type"])
        connection.execute(_RELATION, (number, one["id"], *ends, props, one.get("evidence_claim_id")))
    provenance = draft.provenance
    row = (number, digest_of(provenance), draft.said_at, as_json(provenance))
    return connection.execute(_EVIDENCE, row).rowcount > 0


def _store_citation(connection: sqlite3.Connection, number: int, citation: Citation) -> None:
    """A newer citation of the same file replaces one that has become stale."""
    connection.execute(_DROP_STALE, (number, citation.root, citation.path))
    connection.execute(_CITATION, _place(number, citation) | {"quoted": citation.quoted})


def _place(number: int, citation: Citation) -> dict[str, object]:
    """Names a citation and what it says."""
    return {
        "number": number,
        "root": citation.root,
        "path": citation.path,
        "first_line": citation.first_line,
        "last_line": citation.last_line,
        "sha256": citation.sha256,
    }


def _confirm(connection: sqlite3.Connection, claim: Claim, now: datetime) -> None:
    connection.execute(_CONFIRM, {"number": claim.number, "now": to_stored(now), "quality": QUALITY})


def _raise_layer(connection: sqlite3.Connection, claim: Claim, draft: Draft) -> None:
    """The class never becomes laxer, nor the scope shorter."""
    boundary_class = strictest((claim.boundary_class, draft.boundary_class))
    scope = max(claim.scope, draft.scope, key=SCOPES.index)
    if (scope, boundary_class) == (claim.scope, claim.boundary_class):
        return
    remove_claim(connection, claim.number, layer_of(claim.scope, claim.boundary_class), claim.text)
    add_claim(connection, claim.number, layer_of(scope, boundary_class), claim.text)
    connection.execute(_LAYER, (scope, boundary_class, claim.number))


def _one(cursor: sqlite3.Cursor) -> Claim | None:
    row = cursor.fetchone()
    return Claim(*row) if row else None


_CLAIM = f"SELECT {CLAIM_COLUMNS} FROM claims"  # noqa: S608 - a constant

_INSERT = """
INSERT INTO claims (id, content_hash, text, kind, scope, boundary_class, source, said_at, created_at, updated_at,
  utility, utility_at, confidence, quality, quality_at)
VALUES (:id, :content_hash, :text, :kind, :scope, :boundary_class, :source, :said_at, :now, :now,
  :utility, :now, :confidence, :quality, :now)
"""

_EVIDENCE = "INSERT OR IGNORE INTO claim_evidence (claim_number, digest, at, provenance) VALUES (?, ?, ?, ?)"

_ENTITY = """
INSERT OR REPLACE INTO entities (claim_number, id, type, name, canonical_key, attrs)
VALUES (?, ?, ?, ?, ?, ?)
"""

_RELATION = """
INSERT OR REPLACE INTO relations (claim_number, id, src_id, dst_id, type, props, evidence_claim_id)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""

_CITATION = """
INSERT OR REPLACE INTO claim_citations (claim_number, root, path, first_line, last_line, sha256, quoted)
VALUES (:number, :root, :path, :first_line, :last_line, :sha256, :quoted)
"""

_MOVED_CITATION = _CITATION.replace("OR REPLACE", "OR IGNORE")

_CITATIONS = """
SELECT claim_number, root, path, first_line, last_line, quoted
FROM claim_citations
WHERE claim_number IN (SELECT value FROM json_each(?)) AND difference IS NULL
ORDER BY root, path, claim_number, first_line
"""

_DROP_CITATION = """
DELETE FROM claim_citations
WHERE claim_number = :number AND root = :root AND path = :path AND first_line = :first_line
  AND last_line = :last_line AND sha256 = :sha256
"""

_DROP_STALE = """
DELETE FROM claim_citations
WHERE claim_number = ? AND root = ? AND path = ? AND difference IS NOT NULL
"""

_DIFFERENCE = """
UPDATE claim_citations
SET difference = :difference
WHERE claim_number = :number AND root = :root AND path = :path AND first_line = :first_line
  AND last_line = :last_line AND sha256 = :sha256
"""

_STALE = "UPDATE claims SET stale_since = coalesce(stale_since, ?) WHERE number = ?"

_CONFIRM = """
UPDATE claims
SET updated_at = :now,
  quality = :quality,
  quality_at = :now,
  replaced_by = NULL,
  replaced_at = NULL,
  stale_since = (
    SELECT claims.stale_since
    FROM claim_citations
    WHERE claim_number = :number AND difference IS NOT NULL
  )
WHERE number = :number
"""

_LAYER = "UPDATE claims SET scope = ?, boundary_class = ? WHERE number = ?"

_PASS_ON = "UPDATE claims SET replaced_by = ?, replaced_at = ? WHERE merged_into = ?"

# All contexts are read: there are those of a day, and a claim is seldom deleted.
_DELETE_CONTEXTS = """
DELETE FROM active_contexts
WHERE EXISTS (SELECT 1 FROM json_each(active_contexts.items) AS item WHERE item.value ->> 0 = ?)
"""
