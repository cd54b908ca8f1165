"""Why a claim is not recalled for a question, or where it stands among what is (`morenashi memory explain`).

One step after the other: does it hold, may it be shown, is it asked for, what of the question it says, and what
`pce_memory_activate` does with it. Of the claim, the steps repeat what was asked for alone.
"""

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Literal

from morenashi.indexer.claim_index import ClaimScope
from morenashi.indexer.claim_tokens import searchable, token_kinds
from morenashi.indexer.config import Config
from morenashi.indexer.tokens import stem
from morenashi.server.errors import ToolError
from morenashi.server.explained import Step, until_concluded
from morenashi.server.ranges import merge
from morenashi.server.search.adaptation.statistics import estimate_tokens

from .boundary import visible_classes
from .candidates import Show
from .choosing import choose
from .claims import Claim
from .ids import to_shown
from .policy import Policy
from .present import show_text
from .question import Synonyms, is_telling, parse_question
from .ranking import THRESHOLD, Ranked
from .retrieve import NearestVectors, retrieve
from .staleness import find_stale
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

_HOLDS_AGAIN = "it holds again once it is said of the present lines"
_NO_WORD = "it holds no word of the question"
# By the ways of `Ranked.reason`.
_OTHER_WAYS = {
    "words": "the words of what it came in the place of",
    "meaning": "its meaning",
    "neighbours": "what was said beside it",
}
_LATIN_WORD = re.compile("[a-z0-9]+")

Search = Callable[[], Sequence[Ranked]]
"""What a search for the same lists, if it is to be known."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for, in which scopes, for which uses.

    `config` says where the files are that claims cite; `nearest` finds by meaning, if there is a model.
    """

    config: Config
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
    return until_concluded(_look(connection, claim, question, policy, now))


def _look(
    connection: sqlite3.Connection, claim: Claim, question: Question, policy: Policy, now: datetime
) -> Iterator[Step[Conclusion]]:
    show = cache(lambda one: show_text(one, policy, question.tags))
    text = show(claim)
    yield from _boundary(claim, text, question.tags, policy)
    search = cache(lambda: _rank(connection, question, policy, now, show, with_past=True))
    yield from _state(connection, claim, policy, now, search)
    if claim.scope not in question.scopes:
        yield Step(f"it is of the scope {claim.scope}, which is not asked for", "outside_of_scope")
    words = _words(text or "", question)
    yield Step(f"it holds of the question: {', '.join(words)}" if words else _NO_WORD, facts={"words": words})
    ranked = _rank(connection, question, policy, now, show, with_past=False)
    place = _place_of(claim.number, ranked)
    if place is None:
        yield Step(f"it is none of the claims that fit the question best ({len(ranked)})", "no_candidate")
        return
    own = ranked[place - 1]
    if not words:
        yield Step(f"it was found by {' and '.join(_OTHER_WAYS[way] for way in own.reason.split(', '))}")
    fit = f"{own.parts['combined']} for how well it fits, times {own.parts['g']} for its use, confidence and age"
    yield Step(
        f"it is number {place} of the {len(ranked)} claims that fit, with a score of {own.score}: {fit}",
        facts={"rank": place, "of": len(ranked), "score": own.score, "scores": dict(own.parts)},
    )
    if own.score < THRESHOLD:
        seen = f"nothing below {THRESHOLD} becomes part of an active context{_listed(claim, search())}"
        yield Step(seen, "below_threshold", {"threshold": THRESHOLD})
    near = [one for one in ranked if one.score >= THRESHOLD]
    stale = find_stale(connection, question.config, [one.claim.number for one in near])
    if claim.number in stale:
        yield Step(f"the lines that it cites have changed; {_HOLDS_AGAIN}", "stale")
    yield from _choice(own, [one for one in near if one.claim.number not in stale], policy, search)


def _boundary(claim: Claim, text: str | None, tags: Tags, policy: Policy) -> Iterator[Step[Conclusion]]:
    uses = ", ".join(sorted(tags)) or "none"
    # What is found in it now may be of a stricter class, which these uses see, and its own they do not.
    if text is None or claim.boundary_class not in visible_classes(policy, tags):
        facts = {"boundary_class": claim.boundary_class, "allow": sorted(tags)}
        yield Step(
            f"the policy shows a claim of the class {claim.boundary_class} with its text to none of these uses: {uses}",
            "hidden",
            facts,
        )
    elif text != claim.text:
        yield Step("the policy masks some of its text for these uses, and what is masked finds nothing")


def _state(
    connection: sqlite3.Connection, claim: Claim, policy: Policy, now: datetime, search: Search
) -> Iterator[Step[Conclusion]]:
    if claim.merged_into is not None:
        other = _id_of(connection, claim.merged_into)
        yield Step(f"it was merged into {other}, which says nearly the same and speaks for it: explain that", "merged")
    if claim.updated_at <= expired_until(policy, claim.scope, now):
        ttl, last = getattr(policy.scopes, claim.scope).ttl, to_shown(claim.updated_at)
        yield Step(f"it was last said at {last}, and in the scope {claim.scope} a claim expires after {ttl}", "expired")
    if claim.replaced_at is not None:
        other = _id_of(connection, claim.replaced_by)
        yield Step(f"{other} came in its place{_listed(claim, search())}", "replaced")
    if claim.stale_since is not None:
        since = to_shown(claim.stale_since)
        seen = f"the lines that it cites have changed, as was seen at {since}{_listed(claim, search())}"
        yield Step(f"{seen}; {_HOLDS_AGAIN}", "stale")


def _id_of(connection: sqlite3.Connection, number: int | None) -> str:
    found = read_claims(connection, [] if number is None else [number])
    return found[number].id if number in found else "one that was forgotten"


def _listed(claim: Claim, found: Sequence[Ranked]) -> str:
    """What a search for the same has of it."""
    if _place_of(claim.number, found) is None:
        return "; pce_memory_search does not list it for this question either"
    is_behind = claim.replaced_by is not None and _place_of(claim.replaced_by, found) is not None
    return f"; pce_memory_search lists it{' behind that' if is_behind else ''}"


def _words(text: str, question: Question) -> list[str]:
    """What of the question stands in a text, also under another name, as the question says it or else the text."""
    asked, features = parse_question(question.text, question.synonyms)
    said = token_kinds(searchable(text))
    shared = [feature for feature in features if feature.key in said]
    telling = [feature for feature in shared if is_telling(feature)] or shared
    here, elsewhere = _stretches(asked, {feature.token for feature in telling})
    return list(dict.fromkeys([*here, *_stretches(searchable(text), elsewhere)[0]]))


def _stretches(text: str, tokens: Collection[str]) -> tuple[list[str], set[str]]:
    """What of a text these tokens cover, which may overlap, of a word that has an ending all of it; and the tokens that
    cover nothing there.
    """
    found = [(stem(word[0]), word.span()) for word in _LATIN_WORD.finditer(text)]
    found += [(one, match.span()) for one in tokens if not one.isascii() for match in re.finditer(re.escape(one), text)]
    covered = [(first, end - 1) for token, (first, end) in found if token in tokens]
    return [text[first : last + 1] for first, last in merge(covered)], set(tokens) - {token for token, _ in found}


def _rank(
    connection: sqlite3.Connection, question: Question, policy: Policy, now: datetime, show: Show, *, with_past: bool
) -> list[Ranked]:
    """What fits the question, the best first: as a search lists it if `with_past`."""
    view = make_view(policy, question.scopes, visible_classes(policy, question.tags), now, with_past=with_past)
    return retrieve(connection, view, question.text, question.synonyms, policy, now, question.nearest, show)[0]


def _choice(own: Ranked, fitting: Sequence[Ranked], policy: Policy, search: Search) -> Iterator[Step[Conclusion]]:
    """What becomes of a claim that is one of those that fit well enough."""
    claim, wanted = own.claim, policy.retrieval.hybrid.k_final
    chosen, _ = choose(fitting, wanted, policy)
    position = _place_of(claim.number, chosen)
    if position is None:
        facts = {
            "tokens": estimate_tokens(len(claim.text)),
            "max_tokens": getattr(policy.scopes, claim.scope).max_tokens,
        }
        seen = (
            f"its {facts['tokens']} tokens are more than is left of the max_tokens of the scope {claim.scope} "
            f"({facts['max_tokens']})"
        )
        yield Step(f"{seen}{_listed(claim, search())}", "over_budget", facts)
    elif position > wanted:
        seen = f"it is number {position} of the active context, whose first page has {wanted}; the cursor goes on to it"
        yield Step(seen, "on_a_later_page", {"position": position})
    else:
        yield Step(f"it is number {position} of the active context", "recalled", {"position": position})


def _place_of(number: int, ranked: Sequence[Ranked]) -> int | None:
    """From 1."""
    places = (place for place, one in enumerate(ranked, 1) if one.claim.number == number)
    return next(places, None)
