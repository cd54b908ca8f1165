"""Full scores of hits, by their texts: of the most promising ones alone. Pure."""

from collections.abc import Mapping, Sequence

from .findings import PassageHit
from .first_weights import SCORED_IN_FULL
from .matching import LineMatch
from .ranking.captions import weigh_caption
from .ranking.destinations import without_destinations
from .ranking.lex import Scorer
from .ranking.respelling import RespellingScorer


def score_hits(
    hits: Sequence[PassageHit], shares: Mapping[int, float], scorer: Scorer, respelling: RespellingScorer
) -> list[PassageHit]:
    """Score the first hits in full; the others come below them, by their first weight beside the least of these: what
    is alike comes to the same.
    """
    scored = [
        PassageHit(
            hit.passage,
            _on_best_line(hit, scorer),
            _score(hit, respelling),
        )
        for hit in hits[:SCORED_IN_FULL]
    ]
    floor = min((hit.score for hit in scored), default=0.0)
    least = min((shares.get(hit.passage.id, 0.0) for hit in scored), default=0.0) or 1.0
    rest = [
        PassageHit(hit.passage, hit.match, floor * min(shares.get(hit.passage.id, 0.0) / least, 1.0))
        for hit in hits[SCORED_IN_FULL:]
    ]
    return scored + rest


def _score(hit: PassageHit, respelling: RespellingScorer) -> float:
    """Its score without where its links lead, unless it says what is asked for there alone."""
    text = weigh_caption(hit.passage.text)
    told = without_destinations(text)
    score = respelling.score(told, hit.match.held)
    return score if score or told == text else respelling.score(text, hit.match.held)


def _on_best_line(hit: PassageHit, scorer: Scorer) -> LineMatch:
    """The match on that of the lines with most terms which says most of the question: a text without headings is one
    long section, whose first line names its subject and answers nothing.
    """
    lines = hit.match.lines_with_most()
    return hit.match.on(scorer.best_line(hit.passage.text, lines)) if len(lines) > 1 else hit.match
