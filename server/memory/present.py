"""Claims as answers have them: masked where the policy wants it, with scores and evidence if asked for."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from .boundary import Tags, treatment
from .claims import Claim, digest_of
from .contexts import Item
from .gate import facts_of, violated_invariant
from .ids import to_shown
from .patterns import PatternTimeoutError
from .policy import Policy
from .redaction import redact, redact_as

_MOST_EVIDENCE = 5


def show_text(claim: Claim, policy: Policy, tags: Tags) -> str | None:
    """The text as it may go where the tags say; `None` if it may not, or cannot be judged."""
    how = treatment(policy, claim.boundary_class, tags)
    if how == "deny":
        return None
    try:
        text = redact_as(claim.text, policy, claim.boundary_class).text if how == "redact" else claim.text
        if not policy.invariants:
            return text
        facts = facts_of(redact(text, policy), tags, claim.scope)
    except PatternTimeoutError:
        return None
    return text if violated_invariant(policy, facts, claim.scope) is None else None


def show_item(claim: Claim, text: str, item: Item) -> dict[str, Any]:
    """A `scored_item` (seed 002, definitions) without what is only said on request."""
    shown: dict[str, Any] = {
        "claim": {
            "id": claim.id,
            "text": text,
            "kind": claim.kind,
            "scope": claim.scope,
            "boundary_class": claim.boundary_class,
            "created_at": to_shown(claim.created_at),
            "updated_at": to_shown(claim.updated_at),
        },
        "score": item.score,
    }
    return shown | ({"reason": "stale"} if claim.stale_since else {})


def add_details(
    connection: sqlite3.Connection, shown: dict[str, Any], claim: Claim, item: Item, *, masked: bool
) -> None:
    """Add scores, reason and evidence. Of a claim that is masked, evidence says no words."""
    shown["scores"] = dict(item.parts)
    shown["reason"] = f"{item.reason}, stale" if claim.stale_since else item.reason
    shown["evidences"] = [
        *_evidences(connection, claim, masked=masked),
        *_differences(connection, claim, masked=masked),
    ]


def read_provenance(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, dict[str, Any]]:
    """The latest provenance of each claim."""
    rows = connection.execute(_LATEST, (json.dumps(list(numbers)),))
    return {number: json.loads(provenance) for number, provenance, _ in rows}


def _evidences(connection: sqlite3.Connection, claim: Claim, *, masked: bool) -> Iterator[dict[str, Any]]:
    for digest, at, stored in connection.execute(_EVIDENCE, (claim.number, _MOST_EVIDENCE)):
        provenance = json.loads(stored)
        evidence: dict[str, Any] = {"id": digest[:16], "at": at} | _source(provenance)
        if provenance.get("note") and not masked:
            evidence["snippet"] = provenance["note"]
        yield evidence


def _source(provenance: dict[str, Any]) -> dict[str, str]:
    git = provenance.get("git") or {}
    if git.get("commit"):
        return {"source_type": "git", "source_id": git["commit"]}
    url = provenance.get("url") or git.get("url")
    return {"source_type": "url", "source_id": url} if url else {"source_type": "statement"}


def _differences(connection: sqlite3.Connection, claim: Claim, *, masked: bool) -> Iterator[dict[str, Any]]:
    for root, path, line, difference in connection.execute(_STALE, (claim.number,)):
        place = f"{root}:{path}#L{line}"
        evidence = {"id": digest_of(place)[:16], "source_type": root, "source_id": place, "at": claim.stale_since}
        yield evidence | ({} if masked else {"snippet": difference})


_EVIDENCE = """
SELECT digest, at, provenance
FROM claim_evidence
WHERE claim_number = ?
ORDER BY at DESC, digest
LIMIT ?
"""

_STALE = """
SELECT root, path, first_line, difference
FROM claim_citations
WHERE claim_number = ? AND difference IS NOT NULL
ORDER BY root, path, first_line
"""

# The bare columns are those of the row with the greatest `at` (SQLite, "Bare columns in an aggregate query").
_LATEST = """
SELECT claim_number, provenance, max(at)
FROM claim_evidence
WHERE claim_number IN (SELECT value FROM json_each(?))
GROUP BY claim_number
"""
