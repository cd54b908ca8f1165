"""What the memory tools accept: the request schemas of seed 002 §2."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from morenashi.indexer.claim_index import BoundaryClass, ClaimScope
from morenashi.server.memory.policy import ClaimKind

from .inputs import Input

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Id = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Allow = Annotated[list[Annotated[str, StringConstraints(max_length=200)]], Field(max_length=100)]
Signal = Literal["helpful", "harmful", "outdated", "duplicate"]
TopK = Annotated[int, Field(ge=1, le=50)]


_RFC_3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)


def _check_moment(text: str) -> str:
    """RFC 3339: with an offset, so that claims can be ordered. Other forms of ISO 8601 become this one, in UTC: answers
    have it as it is returned here.
    """
    # Python knows no small z, which RFC 3339 allows.
    text = text.replace("z", "Z")
    try:
        moment = datetime.fromisoformat(text)
        in_utc = moment.astimezone(UTC) if moment.tzinfo is not None and "T" in text.upper() else None
    except (ValueError, OverflowError):
        in_utc = None
    if in_utc is None:
        raise PydanticCustomError("no_moment", "a date and time with an offset, like 2026-01-31T09:00:00Z")
    return text if _RFC_3339.fullmatch(text) else in_utc.isoformat()


Moment = Annotated[str, StringConstraints(max_length=40), AfterValidator(_check_moment)]
URI_PATTERN = r"^[A-Za-z][A-Za-z0-9+.-]*:\S+$"
Uri = Annotated[str, StringConstraints(max_length=2_000, pattern=URI_PATTERN)]


class Git(Input):
    """A commit."""

    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40}$")] | None = None
    repo: str | None = None
    url: Uri | None = None
    files: list[str] | None = None


class Provenance(Input):
    """Where a claim is from."""

    at: Moment
    """RFC 3339."""
    actor: str | None = None
    git: Git | None = None
    url: Uri | None = None
    """Or lines it rests on: manual:ID/PATH#L1-L9, vault:PATH#L1-L9."""
    note: str | None = None
    signed: bool | None = None


class Entity(Input):
    """Something that a claim is about."""

    id: Id
    type: Literal["Actor", "Artifact", "Event", "Concept"]
    name: str
    canonical_key: str | None = None
    attrs: dict[str, Any] | None = None


class Relation(Input):
    """How two entities hang together."""

    id: Id
    src_id: Id
    dst_id: Id
    type: str
    props: dict[str, Any] | None = None
    evidence_claim_id: str | None = None


class Activate(Input):
    """What the active context is for."""

    q: Text
    """The task or question."""
    scope: list[ClaimScope] | None = None
    """All if left out."""
    allow: Allow | None = None
    """Uses, like answer:task; only narrows what is granted."""
    top_k: TopK | None = None
    """How many at most (k_final of the policy)."""
    cursor: str | None = None
    """The next_cursor of the page before, the rest unchanged."""
    include_meta: bool | None = None
    """Adds scores, evidence and parameters."""


class Search(Input):
    """What to recall."""

    query: Text
    top_k: TopK | None = None
    """How many at most (k_final of the policy)."""
    scope: list[ClaimScope] | None = None
    """All if left out."""
    allow: Allow | None = None
    cursor: str | None = None
    """The next_cursor of the page before, the rest unchanged."""
    include_meta: bool | None = None


class Upsert(Input):
    """What to remember."""

    text: Text
    kind: ClaimKind | None = None
    """fact if left out."""
    scope: ClaimScope | None = None
    """project if left out."""
    boundary_class: BoundaryClass | None = None
    """internal if left out; raised by what the text holds. pii is recalled only for uses granted it, secret never."""
    entities: Annotated[list[Entity], Field(max_length=200)] | None = None
    """What it is about, 200 at most."""
    relations: Annotated[list[Relation], Field(max_length=200)] | None = None
    """How they hang together, 200 at most."""
    provenance: Provenance
    replaces: Annotated[list[Id], Field(max_length=20)] | None = None
    """Ids of what no longer holds: it comes in their place."""
    content_hash: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    """Of the text, after NFC, CRLF to LF, trimming, and white space compressed: refused if it is another."""


class Feedback(Input):
    """How a claim did."""

    claim_id: Id
    signal: Signal
    score: Annotated[float, Field(ge=-1, le=1)] | None = None
    """Scales the step; below 0 turns it round."""


class BoundaryValidate(Input):
    """What is to be sent."""

    payload: str
    """The text."""
    allow: Allow | None = None
    scope: ClaimScope | None = None
    """Whose rules hold; those of all if left out."""


class PolicyApply(Input):
    """A policy."""

    yaml: str
    """The whole policy, as its file has it."""
    dry_run: bool | None = None
    """Only say what would change."""
    validate_only: bool | None = None
    """The same as dry_run."""
    expected_version: str | None = None
    """Refuse if another one is in force."""
    signature: str | None = None
    """Ed25519, base64."""
    approver: str | None = None
    """Who answers for it, for the history; where POLICY_KEYS is set, whose key signed it."""


class ReadContext(Input):
    """Which active context to show."""

    id: Id | None = None
    """The caller's latest if left out."""
