"""What the memory tools answer: the response schemas of seed 002 §2, in the envelope of §1.x."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from morenashi.indexer.claim_index import BoundaryClass, ClaimScope
from morenashi.server.errors import MemoryCode
from morenashi.server.memory.policy import ClaimKind

from .outputs import Output

Uuid = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Share = Annotated[float, Field(ge=0, le=1)]


class Claim(Output):
    """A claim, masked where the policy wants it."""

    id: Annotated[str, StringConstraints(pattern=r"^clm_[A-Za-z0-9]+$")]
    text: str
    """Masked where the policy wants it."""
    kind: ClaimKind
    scope: ClaimScope
    boundary_class: BoundaryClass
    created_at: str
    """When it was first kept."""
    updated_at: str
    """When it was last said again."""


class Scoring(Output):
    """What a score is made of."""

    text: Share = 0
    """By words."""
    vector: Share = 0
    """By meaning."""
    combined: Share = 0
    """Of both, weighted by the policy's alpha."""
    utility: Share = 0
    """What feedback has made of it."""
    confidence: Share = 0
    """What feedback has made of it."""
    quality: Share = 0
    """Fades until the claim is said again; counts where the policy has use_quality."""
    recency: Share = 0
    """Halved with each half-life of its kind."""
    g: Share = 0
    """What `combined` is multiplied by: utility, confidence, recency."""


class Evidence(Output):
    """Where a claim is from."""

    id: str
    source_type: str
    """`git`, `url`, `statement`; of a citation that changed, `manual` or `vault`."""
    source_id: str = ""
    """The commit, the URL, the place."""
    snippet: str = ""
    """The note that came with it, or what differs."""
    at: str


class ScoredItem(Output):
    """A claim with its score; the rest with `include_meta`."""

    claim: Claim
    score: Share
    """The final one: `combined` times `g`."""
    scores: Scoring = Field(default_factory=Scoring)
    """With include_meta."""
    evidences: list[Evidence] = Field(default_factory=list)
    """With include_meta: where it is from, the latest first."""
    reason: str = ""
    """`replaced by` another claim that came in its place, `stale` if lines that it cites have changed, `outdated` if it
    was called so since it was last said; with include_meta also what found it: words, meaning, or a neighbour, said by
    the same source just before or after."""


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
    """The context can be read as the resource memory://active-context until it expires."""
    claims: list[ScoredItem]
    """The best first."""
    claims_count: int
    """Those on this page."""
    stale: int = 0
    """Left out, though they fit: pce_memory_search gives them."""
    over_budget: int = 0
    """Left out: the policy's max_tokens has no room for them."""
    expires_at: str
    """After TRACE_TTL_SEC."""
    next_cursor: str = ""
    """For the next page; there if has_more."""
    has_more: bool
    policy_version: str
    provenance: list[dict[str, Any]] = Field(default_factory=list)
    """With include_meta: the latest of each claim that is not masked."""
    scoring_params: ScoringParameters | None = None
    """With include_meta: those of the policy."""


class SearchData(Output):
    """A page of claims."""

    items: list[ScoredItem]
    """The best first."""
    next_cursor: str = ""
    """For the next page; there if has_more."""
    has_more: bool
    policy_version: str


class UpsertData(Output):
    """The claim that holds the text now."""

    id: Annotated[str, StringConstraints(pattern=r"^clm_[A-Za-z0-9]+$")]
    """Of the claim; the same text again has the same."""
    policy_version: str


class FeedbackData(Output):
    """Taken, now or before in the same hour."""

    ok: bool
    policy_version: str


class BoundaryData(Output):
    """Whether the payload may be sent, and what may be sent in its place."""

    allowed: bool
    """Whether the payload may be sent; if `redacted` is there, in that form."""
    reason: str = ""
    """What was found in it, and why it was refused; no words of it."""
    redacted: str = ""
    """What may be sent in its place. Left out if the payload may go as it is, and if nothing of it may go: as with
    uses that were not granted."""
    policy_version: str


class PolicyData(Output):
    """The version that is, or would be, in force."""

    version: str
    """The one that is, or with dry_run or validate_only would be, in force."""


class Envelope(Output):
    """Around every answer (seed 002 §1.x)."""

    policy_version: str
    """0.0.0: none is in force."""
    request_id: Uuid
    """Names the call in the audit log."""
    trace_id: Uuid
    """Stands beside request_id in the audit log; it is no trace of manual_hits."""


class ActivateOutput(Envelope):
    """The answer of pce_memory_activate."""

    data: ActivateData
    vector: str
    """The embedding model that ranked, too; `none`: there is none, `unavailable`: not just now."""


class SearchOutput(Envelope):
    """The answer of pce_memory_search."""

    data: SearchData
    vector: str
    """The embedding model that ranked, too; `none`: there is none, `unavailable`: not just now."""


class SimilarClaim(Output):
    """A claim beside the one that was kept."""

    id: str
    text: str
    """Its first 200 characters, masked where the policy wants it."""


class UpsertOutput(Envelope):
    """The answer of pce_memory_upsert."""

    data: UpsertData
    boundary_class: BoundaryClass | None = None
    """The one that it was raised to, for what the text holds or by being said again; left out if it was not."""
    raised_from: BoundaryClass | None = None
    """The class that the claim had before, if it was said again in a stricter one: that is its class for good."""
    masked: bool = False
    """A secret in the text was masked."""
    hidden: bool = False
    """It was kept, and the caller will not recall it: the policy shows its class for none of their uses."""
    similar: list[SimilarClaim] = Field(default_factory=list)
    """What is known and says much of the same: name in `replaces` what the claim comes in the place of, and upsert it
    again. Left out if there is none."""


class FeedbackOutput(Envelope):
    """The answer of pce_memory_feedback."""

    data: FeedbackData
    merged_into: str | None = None
    """Of a duplicate, the claim that says the same and speaks for it from now on. Left out if there is none that surely
    does: upsert the one that is to stand in its place with `replaces`."""


class BoundaryOutput(Envelope):
    """The answer of pce_memory_boundary_validate."""

    data: BoundaryData


class PolicyOutput(Envelope):
    """The answer of pce_memory_policy_apply."""

    data: PolicyData
    changes: list[str]
    """In words, against what was in force."""


class ContextData(Output):
    """An active context's texts, the best first; behind one that was called outdated, that it was."""

    active_context_id: str
    texts: list[str]


class ContextOutput(Envelope):
    """What the resource of the active context is made of."""

    data: ContextData


class Problem(Output):
    """What was refused, and what to do."""

    code: MemoryCode
    message: str
    """What was expected, and what to do."""
    details: dict[str, Any]


class MemoryFailure(Envelope):
    """A refused call."""

    error: Problem
