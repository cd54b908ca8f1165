"""What the memory tools answer: the response schemas of seed 002 §2, in the envelope of §1.x."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from morenashi.server.errors import MemoryCode

from .outputs import Output

Uuid = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Share = Annotated[float, Field(ge=0, le=1)]


class Claim(Output):
    """A claim, masked where the policy wants it."""

    id: Annotated[str, StringConstraints(pattern=r"^clm_[A-Za-z0-9]+$")]
    text: str
    kind: Literal["fact", "preference", "task", "policy_hint"]
    scope: Literal["session", "project", "principle"]
    boundary_class: Literal["public", "internal", "pii", "secret"]
    created_at: str
    updated_at: str


class Scoring(Output):
    """What a score is made of."""

    text: Share = 0
    vector: Share = 0
    combined: Share = 0
    utility: Share = 0
    confidence: Share = 0
    quality: Share = 0
    recency: Share = 0
    g: Share = 0


class Evidence(Output):
    """Where a claim is from."""

    id: str
    source_type: str
    source_id: str = ""
    snippet: str = ""
    at: str


class ScoredItem(Output):
    """A claim with its score; the rest with `include_meta`."""

    claim: Claim
    score: Share
    scores: Scoring = Field(default_factory=Scoring)
    evidences: list[Evidence] = Field(default_factory=list)
    reason: str = ""
    """What found it: words, meaning, neighbours; `stale` if lines that it cites have changed."""


class RerankParameters(Output):
    """Of the policy in force."""

    use_quality: bool
    recency_half_life_days: float


class ScoringParameters(Output):
    """Of the policy in force."""

    alpha: float
    k_txt: int
    k_vec: int
    k_final: int
    rerank: RerankParameters


class ActivateData(Output):
    """An active context, a page of it."""

    active_context_id: Annotated[str, StringConstraints(pattern=r"^ac_[A-Za-z0-9]+$")]
    claims: list[ScoredItem]
    claims_count: int
    expires_at: str
    next_cursor: str = ""
    has_more: bool
    policy_version: str
    provenance: list[dict[str, Any]] = Field(default_factory=list)
    scoring_params: ScoringParameters | None = None


class SearchData(Output):
    """A page of claims."""

    items: list[ScoredItem]
    next_cursor: str = ""
    has_more: bool
    policy_version: str


class UpsertData(Output):
    """The claim that holds the text now."""

    id: Annotated[str, StringConstraints(pattern=r"^clm_[A-Za-z0-9]+$")]
    policy_version: str


class FeedbackData(Output):
    """Taken, now or before in the same hour."""

    ok: bool
    policy_version: str


class BoundaryData(Output):
    """Whether the payload may be sent, and what may be sent in its place."""

    allowed: bool
    reason: str = ""
    redacted: str = ""
    policy_version: str


class PolicyData(Output):
    """The version that is, or would be, in force."""

    version: str


class Envelope(Output):
    """Around every answer (seed 002 §1.x)."""

    policy_version: str
    """0.0.0: none is in force."""
    request_id: Uuid
    trace_id: Uuid


class ActivateOutput(Envelope):
    """The answer of pce_memory_activate."""

    data: ActivateData
    vector: str
    """The embedding model; none: words alone."""


class SearchOutput(Envelope):
    """The answer of pce_memory_search."""

    data: SearchData
    vector: str
    """The embedding model; none: words alone."""


class UpsertOutput(Envelope):
    """The answer of pce_memory_upsert."""

    data: UpsertData


class FeedbackOutput(Envelope):
    """The answer of pce_memory_feedback."""

    data: FeedbackData


class BoundaryOutput(Envelope):
    """The answer of pce_memory_boundary_validate."""

    data: BoundaryData


class PolicyOutput(Envelope):
    """The answer of pce_memory_policy_apply."""

    data: PolicyData
    changes: list[str]
    """Against what was in force."""


class ContextData(Output):
    """An active context's texts, the best first."""

    active_context_id: str
    texts: list[str]


class ContextOutput(Envelope):
    """What the resource of the active context is made of."""

    data: ContextData


class Problem(Output):
    """What was refused, and what to do."""

    code: MemoryCode
    message: str
    details: dict[str, Any]


class MemoryFailure(Envelope):
    """A refused call."""

    error: Problem
