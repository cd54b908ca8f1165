"""What of the claims that fit a task becomes its active context (seed 002 §2.1). Pure."""

import math
from collections.abc import Sequence

from morenashi.indexer.claim_index import SCOPES
from morenashi.server.search.adaptation.statistics import estimate_tokens

from .policy import Policy
from .ranking import Ranked, diversify
from .sameness import similarity


def choose(fitting: Sequence[Ranked], wanted: int, policy: Policy) -> tuple[list[Ranked], list[Ranked]]:
    """The context, a diverse first page of `wanted` before the others; and those that the policy's `max_tokens` of
    their scopes leave no room for.
    """
    compare = similarity()
    first = diversify(fitting, wanted, lambda one, other: compare(one.text, other.text))
    numbers = {one.claim.number for one in first}
    room = {scope: getattr(policy.scopes, scope).max_tokens or math.inf for scope in SCOPES}
    chosen, over = [], []
    for one in [*first, *(one for one in fitting if one.claim.number not in numbers)]:
        tokens = estimate_tokens(len(one.claim.text))
        if tokens > room[one.claim.scope]:
            over.append(one)
        else:
            room[one.claim.scope] -= tokens
            chosen.append(one)
    return chosen, over
