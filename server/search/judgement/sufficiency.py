"""How likely a candidate set holds what was asked for, as one number in 0..1. Pure.

    sufficiency = examined share x 1 / (1 + exp(-(INTERCEPT + COVERAGE * c + DISTINCTNESS * d)))

c: the share of the question's weight (idf of its features) that one passage covers, the best of the five that score
highest;
d: how far the best section stands out, 1 - (score of the fifth best / score of the best), 1 if there
are fewer than five. The weights are a logistic regression on 1,000 graded questions, for half of
which the documents with the answer were withheld; docs/architecture.md has the curve and the error.
The examined share is below 1 if time or the hard limit ended the search: what a candidate cap leaves
over is the least promising, and was left over in the fit, too.
"""

import math
from heapq import nlargest

from morenashi.server.search.evidence import Evidence

INTERCEPT, COVERAGE, DISTINCTNESS = -7.8, 9.1, 4.7
_STANDS_OUT_FROM = 5


def estimate_sufficiency(evidence: Evidence, examined_share: float) -> float:
    """The estimate for one search, rounded to three digits."""
    exponent = INTERCEPT + COVERAGE * evidence.findings.coverage + DISTINCTNESS * _distinctness(evidence)
    return round(examined_share / (1 + math.exp(-exponent)), 3)


def _distinctness(evidence: Evidence) -> float:
    scores = [max(hit.score for hit in hits) for hits in evidence.hits.values()]
    best = nlargest(_STANDS_OUT_FROM, scores)
    if len(best) < _STANDS_OUT_FROM or not best[0]:
        return 1.0
    return 1 - best[-1] / best[0]
