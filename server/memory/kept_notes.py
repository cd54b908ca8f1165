"""What whoever keeps a claim is told beside its id: else they would look in vain for what they may not see."""

import sqlite3
from typing import Any

from morenashi.indexer.claim_index import SCOPES
from morenashi.server.calls import memory_inputs as inputs

from .boundary import strictest, treatment, visible_classes
from .calls import Call
from .claims import Claim, Draft, content_hash
from .gate import UNMARKED
from .page import Sight
from .policies import AppliedPolicy
from .store import find_by_hash
from .visible import make_view, read_visible


def note_kept(
    connection: sqlite3.Connection, call: Call, applied: AppliedPolicy, request: inputs.Upsert, draft: Draft
) -> dict[str, Any]:
    """What stands beside `data`, before the draft is kept."""
    before = _shown_before(connection, call, applied, draft)
    return _kept_otherwise(request, draft) | _hidden(call, applied, draft) | _raised(before, draft)


def _kept_otherwise(request: inputs.Upsert, draft: Draft) -> dict[str, Any]:
    """What of the text is kept otherwise than it was said. Of the text and the policy alone: what a known claim is
    would tell that others said it.
    """
    notes: dict[str, Any] = {}
    if draft.boundary_class != (request.boundary_class or UNMARKED):
        notes["boundary_class"] = draft.boundary_class
    if draft.text != request.text:
        notes["masked"] = True
    return notes


def _hidden(call: Call, applied: AppliedPolicy, draft: Draft) -> dict[str, Any]:
    """That none of the caller's uses shows what was said. By the policy alone, not by what a known claim is."""
    return {"hidden": True} if treatment(applied.policy, draft.boundary_class, call.tags(None)) == "deny" else {}


def _shown_before(connection: sqlite3.Connection, call: Call, applied: AppliedPolicy, draft: Draft) -> Claim | None:
    """The claim that has this text already, or speaks for it, if the caller is shown it."""
    known = find_by_hash(connection, content_hash(draft.text))
    if known is None:
        return None
    tags = call.tags(None)
    view = make_view(applied.policy, SCOPES, visible_classes(applied.policy, tags), call.now, with_past=True)
    sight = Sight(call, applied, tags, view)
    shown = read_visible(connection, view, [known.merged_into or known.number]).values()
    return next((claim for claim in shown if sight.show(claim) is not None), None)


def _raised(before: Claim | None, draft: Draft) -> dict[str, Any]:
    """That a claim is in a stricter class from now on, and perhaps hidden from those who know it. Told whoever was
    shown it: another would learn that somebody said it.
    """
    if before is None or strictest((before.boundary_class, draft.boundary_class)) == before.boundary_class:
        return {}
    return {"boundary_class": draft.boundary_class, "raised_from": before.boundary_class}
