"""Why a claim is not recalled for a question, or where it stands among what is (`morenashi memory explain`).

One step after the other: does it hold, may it be shown, is it asked for, what of the question it says, and what
`pce_memory_activate` does with it. The steps repeat words of the question alone.
"""

import re
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Literal

from morenashi.indexer.claim_index import ClaimScope
from morenashi.indexer.claim_tokens import searchable, token_kinds
from morenashi.server.errors import ToolError
from morenashi.server.explained import Step
from morenashi.server.ranges import merge

from .boundary import visible_classes
from .choosing import choose
from .claims import Claim
from .ids import to_shown
from .policy import Policy
from .present import show_text
from .question import Synonyms, is_telling, parse_question
from .ranking import THRESHOLD, Ranked
from .retrieve import NearestVectors, retrieve
from .store import find_claim, read_claims
from .tags import Tags
from .visible import expired_until, make_view

Conclusion = Literal[
    "recalled",
    "on_a_later_page",
    "over_budget",
    "below_threshold",
    "no_candidate",
    "outside_of_scope",
    "stale",
    "replaced",
    "merged",
    "expired",
    "hidden",
]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for, in which scopes, for which uses; `nearest` finds by meaning, if there is a model."""

    text: str
    scopes: tuple[ClaimScope, ...]
    tags: Tags
    synonyms: Synonyms
    nearest: NearestVectors | None


def explain_claim(
    connection: sqlite3.Connection, claim_id: str, question: Question, policy: Policy, now: datetime
) -> list[Step[Conclusion]]:
    """What was seen, the conclusion last. Raises `UNKNOWN_CLAIM`."""
    claim = find_claim(connection, claim_id)
    if claim is None:
        raise ToolError("UNKNOWN_CLAIM", "there is no such claim")
    steps: list[Step[Conclusion]] = []
    for step in _look(connection, claim, question, policy, now):
        steps.append(step)
        if step.conclusion is not None:
            break
    return steps


def _look(
    connection: sqlite3.Connection, claim: Claim, question: Question, policy: Policy, now: datetime
) -> Iterator[Step[Conclusion]]:
    text = show_text(claim, policy, question.tags)
    yield from _boundary(claim, text, question.tags, policy)
    yield from _state(connection, claim, policy, now)
    if claim.scope not in question.scopes:
        yield Step(f"it is of the scope {claim.scope}, which is not asked for", "outside_of_scope")
    yield _words(text or "", question)
    yield from _rank(connection, claim, question, policy, now)


def _boundary(claim: Claim, text: str | None, tags: Tags, policy: Policy) -> Iterator[Step[Conclusion]]:
    uses = ", ".join(sorted(tags)) or "none"
    if text is None:
        facts = {"boundary_class": claim.boundary_class, "allow": sorted(tags)}
        yield Step(
            f"the policy shows a {claim.boundary_class} claim of its text to none of these uses: {uses}",
            "hidden",
            facts,
        )
    elif text != claim.text:
        yield Step("the policy masks some of its text for these uses, and what is masked finds nothing")


def _state(connection: sqlite3.Connection, claim: Claim, policy: Policy, now: datetime) -> Iterator[Step[Conclusion]]:
    if claim.merged_into is not None:
        other = _id_of(connection, claim.merged_into)
        yield Step(f"it was merged into {other}, which says nearly the same and is recalled in its place", "merged")
    if claim.updated_at <= expired_until(policy, claim.scope, now):
        ttl, last = getattr(policy.scopes, claim.scope).ttl, to_shown(claim.updated_at)
        yield Step(f"it was last said at {last}, and in the scope {claim.scope} a claim expires after {ttl}", "expired")
    if claim.replaced_at is not None:
        other = _id_of(connection, claim.replaced_by)
        yield Step(f"{other} came in its place; pce_memory_search lists it behind that", "replaced")
    if claim.stale_since is not None:
        since = to_shown(claim.stale_since)
        seen = f"the lines that it cites have changed, as was seen at {since}; pce_memory_search lists it"
        yield Step(f"{seen}; it holds again once it is said of the present lines", "stale")


def _id_of(connection: sqlite3.Connection, number: int | None) -> str:
    found = read_claims(connection, [] if number is None else [number])
    return found[number].id if number in found else "one that was forgotten"


def _words(text: str, question: Question) -> Step[Conclusion]:
    """What of the question stands in the claim."""
    asked, features = parse_question(question.text, question.synonyms)
    said = token_kinds(searchable(text))
    shared = {feature.token for feature in features if is_telling(feature) and feature.key in said}
    words = _stretches(searchable(question.text), shared) + sorted(token for token in shared if token not in asked)
    held = f"it holds of the question: {', '.join(words)}" if words else "it holds no word of the question"
    return Step(held, facts={"words": words})


def _stretches(asked: str, tokens: Collection[str]) -> list[str]:
    """What of a question these tokens of it cover, which may overlap; of a word that has an ending all of it."""
    ends = {token: "[a-z0-9]*" if token.isascii() else "" for token in tokens}
    found = (match for token, end in ends.items() for match in re.finditer(re.escape(token) + end, asked))
    spans = merge((match.start(), match.end() - 1) for match in found)
    return list(dict.fromkeys(asked[first : last + 1] for first, last in spans))


def _rank(
    connection: sqlite3.Connection, claim: Claim, question: Question, policy: Policy, now: datetime
) -> Iterator[Step[Conclusion]]:
    classes = visible_classes(policy, question.tags)
    view = make_view(policy, question.scopes, classes, now, with_past=False)
    show = cache(lambda one: show_text(one, policy, question.tags))
    ranked, _ = retrieve(connection, view, question.text, question.synonyms, policy, now, question.nearest, show)
    place = _place_of(claim, ranked)
    if place is None:
        yield Step(f"it is none of the claims that fit the question best ({len(ranked)})", "no_candidate")
        return
    own = ranked[place - 1]
    fit = f"{own.parts['combined']} for how well it fits, times {own.parts['g']} for its use, confidence and age"
    yield Step(
        f"it is number {place} of the {len(ranked)} claims that fit, with a score of {own.score}: {fit}",
        facts={"rank": place, "of": len(ranked), "score": own.score, "scores": dict(own.parts)},
    )
    if own.score < THRESHOLD:
        seen = f"nothing below {THRESHOLD} becomes part of an active context; pce_memory_search lists it"
        yield Step(seen, "below_threshold", {"threshold": THRESHOLD})
    wanted = policy.retrieval.hybrid.k_final
    chosen, _ = choose([one for one in ranked if one.score >= THRESHOLD], wanted, policy)
    position = _place_of(claim, chosen)
    if position is None:
        seen = f"what fits better leaves no room for it in the max_tokens of the scope {claim.scope}"
        yield Step(f"{seen}; pce_memory_search lists it", "over_budget")
    elif position > wanted:
        seen = f"it is number {position} of the active context, whose first page has {wanted}; the cursor goes on to it"
        yield Step(seen, "on_a_later_page", {"position": position})
    else:
        yield Step(f"it is number {position} of the active context", "recalled", {"position": position})


def _place_of(claim: Claim, ranked: Collection[Ranked]) -> int | None:
    """From 1."""
    places = (place for place, one in enumerate(ranked, 1) if one.claim.number == claim.number)
    return next(places, None)
