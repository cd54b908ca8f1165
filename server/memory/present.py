"""Claims as answers have them: masked where the policy wants it, with scores and evidence if asked for."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from morenashi.server.clients import current_client

from .boundary import treatment
from .citations import Citation, follow_url
from .claims import Claim, digest_of, parse_provenance
from .contexts import Item
from .gate import violated_invariant
from .ids import to_shown
from .patterns import PatternTimeoutError
from .policy import Policy
from .redaction import Redacted, mask_secrets, redact, redact_as
from .store import read_citations
from .tags import Tags

Say = Callable[[str], str | None]
"""Words as they may go, see `show_words`."""

_MOST_EVIDENCE = 5
_NO_WORDS = frozenset({"at", "commit"})
"""Fields whose form leaves no room for words; a commit looks like a secret."""


def show_text(claim: Claim, policy: Policy, tags: Tags) -> str | None:
    """The text as it may go where the tags say; `None` if it may not, or cannot be judged.

    It is judged as if it was said now: a policy may list names that it did not when the claim was kept.
    """
    text = claim.text
    try:
        found = redact(text, policy)
        if found.boundary_class == "secret":
            text = mask_secrets(text, policy).text
            found = redact(text, policy)
        boundary_class = found.raised(claim.boundary_class)
        how = treatment(policy, boundary_class, tags)
        if how == "deny":
            return None
        if how == "redact" and found.findings:
            text = redact_as(text, policy, boundary_class).text
            found = redact(text, policy)
        return text if _keeps_invariants(found, claim, policy, tags) else None
    except PatternTimeoutError:
        return None


def show_words(words: str, claim: Claim, policy: Policy, tags: Tags) -> str | None:
    """What came with a claim, like a note, as it may go beside it; `None` if it may not, or cannot be judged.

    It is of the class of what is found in it; where nothing of that class may go, all that was found is masked.
    """
    try:
        found = redact(words, policy)
        how = treatment(policy, found.boundary_class, tags) if found.boundary_class else "allow"
        if how != "allow" and found.boundary_class:
            words = found.text if how == "deny" else redact_as(words, policy, found.boundary_class).text
            found = redact(words, policy)
        return words if _keeps_invariants(found, claim, policy, tags) else None
    except PatternTimeoutError:
        return None


def show_provenance(provenance: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """A provenance with its words as they may go; what may not is left out."""
    shown = {name: part if name in _NO_WORDS else _say_all(part, say) for name, part in provenance.items()}
    return {name: part for name, part in shown.items() if part is not None}


def _say_all(value: Any, say: Say) -> Any:
    if isinstance(value, str):
        return say(value)
    if isinstance(value, Mapping):
        return show_provenance(value, say)
    if isinstance(value, list):
        return [said for part in value if (said := _say_all(part, say)) is not None]
    return value


def _keeps_invariants(text: Redacted, claim: Claim, policy: Policy, tags: Tags) -> bool:
    """Whether all rules hold of a text, which is of the class of its claim whatever was masked in it."""
    return violated_invariant(policy, text, text.raised(claim.boundary_class), tags, claim.scope) is None


def read_outdated(connection: sqlite3.Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Those of the claims that were called outdated after they were last confirmed."""
    return frozenset(number for (number,) in connection.execute(_OUTDATED, (json.dumps(list(numbers)),)))


def show_item(claim: Claim, text: str, item: Item, warnings: Sequence[str]) -> dict[str, Any]:
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
    return shown | ({"reason": ", ".join(warnings)} if warnings else {})


def as_line(shown: Mapping[str, Any]) -> str:
    """The text of a `scored_item` that was shown without details, with what speaks against relying on it."""
    text: str = shown["claim"]["text"]
    return f"{text} ({shown['reason']})" if "reason" in shown else text


def add_details(
    connection: sqlite3.Connection, shown: dict[str, Any], claim: Claim, item: Item, say: Say, *, masked: bool
) -> None:
    """Add scores, reason and evidence. Of a claim that is masked, evidence says no words."""
    shown["scores"] = dict(item.parts)
    shown["reason"] = ", ".join(filter(None, [item.reason, shown.get("reason")]))
    shown["evidences"] = [*_evidences(connection, claim, say), *_differences(connection, claim, say)]
    if masked:
        for evidence in shown["evidences"]:
            evidence.pop("snippet", None)


def read_provenance(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, dict[str, Any]]:
    """The latest provenance of each claim that has one that can be read, with cited lines where they stand now."""
    wanted = list(numbers)
    cited = _citations_by_claim(connection, wanted)
    rows = connection.execute(_LATEST, (json.dumps(wanted),))
    return {
        number: _followed(provenance, cited[number])
        for number, stored, _ in rows
        if (provenance := parse_provenance(stored)) is not None
    }


def _evidences(connection: sqlite3.Connection, claim: Claim, say: Say) -> Iterator[dict[str, Any]]:
    cited = _citations_by_claim(connection, [claim.number])[claim.number]
    for digest, stored in connection.execute(_EVIDENCE, {"number": claim.number, "most": _MOST_EVIDENCE}):
        if (read := parse_provenance(stored)) is None:
            continue
        provenance = _followed(read, cited)
        source_type, source_id = _source(provenance)
        evidence = {"id": digest[:16], "at": provenance["at"], "source_type": source_type}
        # A commit has no words, and looks like a secret.
        said = {
            "source_id": source_id if source_id == _commit(provenance) else say(source_id),
            "snippet": say(provenance.get("note", "")),
        }
        yield evidence | {name: words for name, words in said.items() if words}


def _citations_by_claim(connection: sqlite3.Connection, numbers: list[int]) -> defaultdict[int, list[Citation]]:
    """The citations of each claim whose lines have not changed."""
    cited: defaultdict[int, list[Citation]] = defaultdict(list)
    for number, citation in read_citations(connection, numbers):
        cited[number].append(citation)
    return cited


def _followed(provenance: dict[str, Any], cited: list[Citation]) -> dict[str, Any]:
    url = provenance.get("url")
    return provenance | {"url": follow_url(url, cited)} if url else provenance


def _source(provenance: dict[str, Any]) -> tuple[str, str]:
    if commit := _commit(provenance):
        return "git", commit
    git = provenance.get("git") or {}
    if url := provenance.get("url") or git.get("url"):
        return "url", url
    place = ":".join(filter(None, [git.get("repo"), *git.get("files", [])[:1]]))
    return ("git", place) if place else ("statement", "")


def _commit(provenance: dict[str, Any]) -> str | None:
    commit: str | None = (provenance.get("git") or {}).get("commit")
    return commit


def _differences(connection: sqlite3.Connection, claim: Claim, say: Say) -> Iterator[dict[str, Any]]:
    """Where cited lines have changed; and how, for whoever has tools to read such lines."""
    readable = current_client().toolsets
    for root, path, line, difference in connection.execute(_STALE, (claim.number,)):
        place = f"{root}:{path}#L{line}"
        evidence = {"id": digest_of(place)[:16], "source_type": root, "at": claim.stale_since}
        said = {"source_id": say(place), "snippet": say(difference) if root in readable else None}
        yield evidence | {name: words for name, words in said.items() if words}


# What was merged into a claim speaks for it.
_EVIDENCE = """
SELECT digest, provenance
FROM claim_evidence
WHERE claim_number IN (SELECT number FROM claims WHERE number = :number OR merged_into = :number)
GROUP BY digest
ORDER BY at DESC, digest
LIMIT :most
"""

_OUTDATED = """
SELECT DISTINCT feedback.claim_number
FROM feedback
JOIN claims ON claims.number = feedback.claim_number
WHERE feedback.claim_number IN (SELECT value FROM json_each(?))
  AND feedback.signal = 'outdated'
  AND coalesce(feedback.score, 1) > 0
  AND feedback.at >= claims.updated_at
"""

_STALE = """
SELECT root, path, first_line, difference
FROM claim_citations
WHERE claim_number = ? AND difference IS NOT NULL
ORDER BY root, path, first_line
"""

# The bare columns are those of the row with the greatest `at` (SQLite, "Bare columns in an aggregate query").
_LATEST = """
SELECT coalesce(claims.merged_into, claims.number), provenance, max(at)
FROM json_each(?) AS wanted
JOIN claims ON claims.number = wanted.value OR claims.merged_into = wanted.value
JOIN claim_evidence ON claim_evidence.claim_number = claims.number
GROUP BY wanted.value
"""
