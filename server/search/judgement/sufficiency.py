"""How likely a candidate set holds what was asked for, as one number in 0..1. Pure.

    sufficiency = examined share x 1 / (1 + exp(-(INTERCEPT + COVERAGE * c + STANDING_OUT * c * d
        + TOGETHER * sqrt(h) + FOUND * f + TITLED * t)))

c: the share of the question's weight (idf of its features) that one passage covers, the best of the five that score
highest;
d: how far the best section stands out, 1 - (score of the second best / score of the best), 1 if there is no second;
h: how many of the terms that were asked for one of these five passages, or the title over it, holds together;
f: the share of these terms that stand anywhere in what was found;
t: the share of the terms that one title holds, each by how rare it is.
Coverage alone says little of a question in many words: most of them are in no text that answers it, and they weigh most
for that. Six words of it in one passage are no chance, however many others it lacks; and one word alone, which any
passage that holds it covers as a whole, is.

The weights are a logistic regression on graded questions, half of them without their answer;
docs/inside/judgement.md has the figures. The examined share is below 1 if time or the hard limit ended the search: what
a candidate cap leaves over is the least promising, and was left over in the fit, too.
"""

import math
from collections.abc import Iterable
from heapq import nlargest

from morenashi.server.search.evidence import Evidence

INTERCEPT, COVERAGE, STANDING_OUT, TOGETHER, FOUND, TITLED = -6.8, 2.0, 4.6, 1.7, 2.0, 3.2
_BEST = 5
_NONE: frozenset[int] = frozenset()


def estimate_sufficiency(evidence: Evidence, asked: int, examined_share: float) -> float:
    """The estimate for one search, rounded to three digits. The first `asked` terms are those of the question."""
    coverage = evidence.findings.coverage
    exponent = (
        INTERCEPT
        + COVERAGE * coverage
        + STANDING_OUT * coverage * _standing_out(evidence)
        + TOGETHER * math.sqrt(_most_together(evidence, asked))
        + FOUND * _share_found(evidence, asked)
        + TITLED * _share_titled(evidence)
    )
    return round(examined_share / (1 + math.exp(-exponent)), 3)


def _share_titled(evidence: Evidence) -> float:
    return max(map(evidence.share_of, filter(None, set(evidence.titled.values()))), default=0.0)


def _standing_out(evidence: Evidence) -> float:
    scores = [max(hit.score for hit in hits) for hits in evidence.hits.values()]
    best, second = (*nlargest(2, scores), 0.0, 0.0)[:2]
    return 1 - second / best if best else 1.0


def _most_together(evidence: Evidence, asked: int) -> int:
    best = nlargest(_BEST, evidence.findings.hits, key=lambda hit: hit.score)
    held = (hit.match.held | evidence.titled.get(hit.passage.section_id, _NONE) for hit in best)
    return max((len(_asked(evidence, positions, asked)) for positions in held), default=0)


def _share_found(evidence: Evidence, asked: int) -> float:
    held = {position for hit in evidence.findings.hits for position in hit.match.held}
    return len(_asked(evidence, held, asked)) / asked if asked else 0.0


def _asked(evidence: Evidence, held: Iterable[int], asked: int) -> set[int]:
    """Those of the positions that were asked for: another form of a word stands for it, a similar word for none."""
    stand_for = {other: position for position, other in evidence.findings.inflected.items()}
    return {position for one in held if (position := stand_for.get(one, one)) < asked}
