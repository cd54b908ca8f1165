"""Full scores of hits, by their texts: of the most promising ones alone. Pure."""

from collections.abc import Mapping, Sequence

from morenashi.indexer.tokens import PASSAGE_CHARACTERS

from .findings import PassageHit
from .first_weights import SCORED_IN_FULL
from .matching import LineMatch
from .ranking.captions import weigh_caption
from .ranking.lex import Scorer
from .ranking.respelling import RespellingScorer
from .ranking.scored_text import scored_text

# A paragraph may be as long.
_LONG = 4 * PASSAGE_CHARACTERS
# The rest is behind the first match: the terms that stand together stand there.
_BEFORE = PASSAGE_CHARACTERS // 5


def score_hits(
    hits: Sequence[PassageHit], shares: Mapping[int, float], scorer: Scorer, respelling: RespellingScorer
) -> list[PassageHit]:
    """Score the first hits in full; the others come below them, by their first weight beside the least of these: what
    is alike comes to the same.
    """
    scored = [
        PassageHit(hit.passage, _on_best_line(hit, scorer), _score(hit, respelling)) for hit in hits[:SCORED_IN_FULL]
    ]
    floor = min((hit.score for hit in scored), default=0.0)
    least = min((shares.get(hit.passage.id, 0.0) for hit in scored), default=0.0) or 1.0
    rest = [
        PassageHit(hit.passage, hit.match, floor * min(shares.get(hit.passage.id, 0.0) / least, 1.0))
        for hit in hits[SCORED_IN_FULL:]
    ]
    return scored + rest


def _score(hit: PassageHit, respelling: RespellingScorer) -> float:
    """The score of what the passage says; of where its links lead too, if it has what is asked for there alone."""
    text, held = _around_match(hit), hit.match.held
    return respelling.score(scored_text(text), held) or respelling.score(weigh_caption(text), held)


def _around_match(hit: PassageHit) -> str:
    """The text of the passage; of one that is longer than passages are, which is a line and may be all of a JSON file,
    as much as a passage has around where most of the question stands together.
    """
    text = hit.passage.text
    start = max(min(hit.match.column - _BEFORE, len(text) - PASSAGE_CHARACTERS), 0)
    return text[start : start + PASSAGE_CHARACTERS] if len(text) > _LONG else text


def _on_best_line(hit: PassageHit, scorer: Scorer) -> LineMatch:
    """The match on that of the lines with most terms which says most of the question: a text without headings is one
    long section, whose first line names its subject and answers nothing.
    """
    lines = hit.match.lines_with_most()
    return hit.match.on(scorer.best_line(hit.passage.text, lines)) if len(lines) > 1 else hit.match
