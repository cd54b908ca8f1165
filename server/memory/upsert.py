"""pce.memory.upsert: a claim is kept, its secrets masked, its class raised to what it holds (seed 002 §2.3)."""

import sqlite3

from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.errors import ToolError

from .calls import Call, CallOutcome
from .citations import Citation, read_citation
from .claims import Draft, content_hash
from .gate import UNMARKED, violated_invariant
from .kept_notes import note_kept
from .masking import mask_provenance, mask_words
from .patterns import PatternTimeoutError
from .policies import AppliedPolicy
from .policy import Policy
from .redaction import mask_secrets, redact
from .replacing import find_replaced, replace_claims
from .similar import find_similar, name_similar
from .store import keep_claim


def upsert(call: Call, applied: AppliedPolicy, request: inputs.Upsert) -> CallOutcome:
    """Keep a claim. The same text again answers the same id and adds what is new in provenance and graph."""
    _check_hash(request)
    draft = _make_draft(call, applied.policy, request)
    view = call.view(applied, None, call.tags(None), with_past=True) if request.replaces else None
    similar = find_similar(call, applied, draft)

    def keep(connection: sqlite3.Connection) -> CallOutcome:
        replaced = find_replaced(connection, view, request.replaces or [], draft) if view else []
        notes = note_kept(connection, call, applied, request, draft)
        number, claim_id = keep_claim(connection, draft, applied.policy, call.now)
        replace_claims(connection, number, replaced, call.now)
        data = {"id": claim_id, "policy_version": applied.version}
        named = name_similar(similar, replaced)
        ids = claim_id, *(one.id for one in replaced), *(one["id"] for one in named)
        notes |= {"similar": named} if named else {}
        return CallOutcome(data, ids, draft.provenance, notes=notes)

    outcome = call.commit(keep)
    call.memory.embed_soon()
    return outcome


def _make_draft(call: Call, policy: Policy, request: inputs.Upsert) -> Draft:
    """The claim as it may be kept. Raises `BOUNDARY_DENIED` where the policy forbids it or it cannot be judged."""
    given = request.model_dump(exclude_none=True)
    citation = read_citation(call.memory.config, request.provenance.url)
    scope = request.scope or "project"
    try:
        _check_cited(citation, policy)
        text = mask_secrets(request.text, policy).text
        entities, relations = (mask_words(given.get(name, []), policy) for name in ("entities", "relations"))
        provenance = mask_provenance(given["provenance"], policy)
        found = redact(text, policy)
    except PatternTimeoutError:
        message = "text: the rules of redact_policies took too long over it, so it cannot be kept"
        raise ToolError("BOUNDARY_DENIED", message, parameter="text") from None
    if not text.strip():
        raise ToolError("BOUNDARY_DENIED", "text: nothing of it may be kept", parameter="text")
    boundary_class = found.raised(request.boundary_class or UNMARKED)
    violated = violated_invariant(policy, found, boundary_class, call.caller.granted, scope)
    if violated is not None:
        message = f"text: against the policy's invariant {violated}"
        raise ToolError("BOUNDARY_DENIED", message, parameter="text", invariant=violated)
    return Draft(
        text=text,
        kind=request.kind or "fact",
        scope=scope,
        boundary_class=boundary_class,
        provenance=provenance,
        entities=tuple(entities),
        relations=tuple(relations),
        citation=citation,
    )


def _check_cited(citation: Citation | None, policy: Policy) -> None:
    """Refuse lines that hold a secret: to say later what changed in them, they are kept as they stand."""
    if citation is not None and mask_secrets(citation.quoted, policy).findings:
        expected = "lines that hold no secret, as what a claim rests on is kept; cite others, or none"
        message = f"provenance.url: expected {expected}"
        raise ToolError("VALIDATION_ERROR", message, parameter="provenance.url", expected=expected)


def _check_hash(request: inputs.Upsert) -> None:
    if request.content_hash not in (None, content_hash(request.text)):
        message = "content_hash: this is not the hash of text after NFC, CRLF to LF, trimming, white space compressed"
        raise ToolError("VALIDATION_ERROR", message, parameter="content_hash")
