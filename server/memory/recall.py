"""pce.memory.activate and pce.memory.search: claims ranked, kept as a context, shown a page at a time."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from morenashi.indexer.claim_index import SCOPES
from morenashi.server.calls import memory_inputs as inputs
from morenashi.server.errors import ToolError

from .calls import NO_MODEL, Call, CallOutcome
from .choosing import choose
from .contexts import (
    Asked,
    Context,
    Listing,
    follow_cursor,
    latest_context,
    load_context,
    make_context,
    store_context,
)
from .ids import to_shown
from .page import Page, Sight
from .policies import AppliedPolicy
from .present import as_line
from .ranking import THRESHOLD, Ranked
from .retrieve import NearestVectors, retrieve
from .staleness import note_changes
from .visible import View


@dataclass(frozen=True, slots=True)
class _Recall:
    """A page that is asked for: of the context that a cursor names, or, without one, of a context to be made."""

    sight: Sight
    asked: Asked
    context: Context | None
    offset: int
    wanted: int


def search(call: Call, applied: AppliedPolicy, request: inputs.Search) -> CallOutcome:
    """Recall claims, the best first, a page at a time (seed 002 §2.2)."""
    recall = _begin(call, applied, "search", request.query, request)
    context, vector = recall.context, call.memory.model
    if context is None:
        nearest, vector = _nearest(recall)
        ranked, _ = _ranked(recall, recall.sight.view, nearest)
        context = make_context(recall.asked, ranked, call.now, _ttl(call))
    note_changes(call, applied.policy, context.numbers(recall.offset, recall.wanted))
    page = Page(recall.sight, context, recall.offset, recall.wanted)
    data: dict[str, Any] = {"items": page.items(include_meta=bool(request.include_meta))}
    data |= page.rest() | {"policy_version": applied.version}
    outcome = CallOutcome(data, page.ids, notes={"vector": vector})
    if recall.context is not None or not page.has_more:
        return outcome
    return call.commit(lambda connection: _keep(connection, call, context, {}, outcome), durable=False)


def activate(call: Call, applied: AppliedPolicy, request: inputs.Activate) -> CallOutcome:
    """Make an active context of what fits a task, diverse and above the threshold (seed 002 §2.1)."""
    recall = _begin(call, applied, "activate", request.q, request)
    context, vector = recall.context, call.memory.model
    left_out: dict[str, list[int]] = {}
    if context is None:
        nearest, vector = _nearest(recall)
        chosen, left_out = _choose(recall, nearest)
        context = make_context(recall.asked, chosen, call.now, _ttl(call))
    else:
        note_changes(call, applied.policy, context.numbers(recall.offset, recall.wanted))
    page = Page(recall.sight, context, recall.offset, recall.wanted)
    claims = page.items(include_meta=bool(request.include_meta))
    data: dict[str, Any] = {
        "active_context_id": context.id,
        "claims": claims,
        "claims_count": len(claims),
        **{reason: len(numbers) for reason, numbers in left_out.items() if numbers and reason != "below_threshold"},
        "expires_at": to_shown(context.expires_at),
        **page.rest(),
        "policy_version": applied.version,
    }
    if request.include_meta:
        data |= {"provenance": page.provenance(), "scoring_params": _parameters(applied)}
    outcome = CallOutcome(data, page.ids, notes={"vector": vector})
    if recall.context is not None:
        return outcome
    return call.commit(lambda connection: _keep(connection, call, context, left_out, outcome), durable=False)


def read_context(call: Call, applied: AppliedPolicy, request: inputs.ReadContext) -> CallOutcome:
    """The texts of an active context as they may be shown now (seed 002 §5). Raises `GONE`."""
    tags = call.tags(None)

    def load(connection: sqlite3.Connection) -> Context | None:
        return load_context(connection, request.id or latest_context(connection, call.caller.name) or "", call.now)

    context = call.ask(load)
    # That another caller has one of this id is told nobody.
    if context is None or context.caller != call.caller.name:
        message = "there is no such active context, or it has expired; pce_memory_activate makes one"
        raise ToolError("GONE", message, status=410)
    sight = Sight(call, applied, tags, call.view(applied, None, tags, with_past=False))
    note_changes(call, applied.policy, context.numbers())
    page = Page(sight, context, 0, len(context.items))
    texts = [as_line(item) for item in page.items(include_meta=False)]
    return CallOutcome({"active_context_id": context.id, "texts": texts}, page.ids)


def _begin(
    call: Call, applied: AppliedPolicy, tool: Listing, question: str, request: inputs.Search | inputs.Activate
) -> _Recall:
    """What both tools begin with. What holds no longer is listed by a search, and never part of an active context."""
    tags = call.tags(request.allow)
    sight = Sight(call, applied, tags, call.view(applied, request.scope, tags, with_past=tool == "search"))
    scopes = tuple(sorted(set(SCOPES if request.scope is None else request.scope)))
    asked = Asked(tool, call.caller.name, question, scopes, tuple(sorted(tags)), applied.version)
    wanted = request.top_k or applied.policy.retrieval.hybrid.k_final
    cursor = request.cursor
    if cursor is None:
        return _Recall(sight, asked, None, 0, wanted)
    context, offset = call.ask(lambda connection: follow_cursor(connection, cursor, asked, call.now))
    return _Recall(sight, asked, context, offset, wanted)


def _nearest(recall: _Recall) -> tuple[NearestVectors | None, str]:
    """What finds claims by meaning, and how answers name it: the model, `none`, or `unavailable` for the moment."""
    memory = recall.sight.call.memory
    nearest = memory.nearest(recall.asked.question, recall.sight.applied.policy)
    return nearest, memory.model if nearest or memory.model == NO_MODEL else "unavailable"


def _ranked(recall: _Recall, view: View, nearest: NearestVectors | None) -> tuple[list[Ranked], bool]:
    """What of a view fits the question, the best first; and whether it may leave out what is stale."""
    sight, question = recall.sight, recall.asked.question
    call, policy, synonyms = sight.call, sight.applied.policy, sight.call.memory.synonyms
    return call.ask(
        lambda connection: retrieve(connection, view, question, synonyms, policy, call.now, nearest, sight.show)
    )


def _choose(recall: _Recall, nearest: NearestVectors | None) -> tuple[list[Ranked], dict[str, list[int]]]:
    """What becomes the context, a diverse first page before the others; and the numbers of the rest, by reason."""
    call, applied, view = recall.sight.call, recall.sight.applied, recall.sight.view
    ranked, may_have_stale = _ranked(recall, view, nearest)
    near = [one for one in ranked if one.score >= THRESHOLD]
    stale = note_changes(call, applied.policy, [one.claim.number for one in near])
    fitting = [one for one in near if one.claim.number not in stale]
    chosen, over = choose(fitting, recall.wanted, applied.policy)
    below = [one.claim.number for one in ranked if one.score < THRESHOLD]
    if may_have_stale:
        # What was seen to be stale before.
        stale |= _stale_of(_ranked(recall, replace(view, with_past=True), nearest)[0])
    return chosen, {"below_threshold": below, "stale": sorted(stale), "over_budget": [one.claim.number for one in over]}


def _stale_of(ranked: Sequence[Ranked]) -> frozenset[int]:
    """The numbers of what fits, is stale, and has no other claim in its place."""
    return frozenset(
        one.claim.number
        for one in ranked
        if one.score >= THRESHOLD and one.claim.stale_since is not None and one.claim.replaced_at is None
    )


def _keep(
    connection: sqlite3.Connection,
    call: Call,
    context: Context,
    left_out: dict[str, list[int]],
    outcome: CallOutcome,
) -> CallOutcome:
    store_context(connection, context, {reason: numbers for reason, numbers in left_out.items() if numbers}, call.now)
    return outcome


def _ttl(call: Call) -> int:
    return call.memory.config.trace_ttl_sec


def _parameters(applied: AppliedPolicy) -> dict[str, Any]:
    hybrid, rerank = applied.policy.retrieval.hybrid, applied.policy.retrieval.rerank
    return {
        "alpha": hybrid.alpha,
        "k_txt": hybrid.k_txt,
        "k_vec": hybrid.k_vec,
        "k_final": hybrid.k_final,
        "rerank": {"use_quality": rerank.use_quality, "recency_half_life_days": rerank.recency_half_life_days},
    }
