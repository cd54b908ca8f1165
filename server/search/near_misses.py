"""Stage 1, looser still: passages that hold no whole term but most of the question's characters (seed 004 §3)."""

from collections.abc import Container, Mapping
from heapq import nlargest

from .findings import PassageHit
from .index.passages import in_file_order, read_passages
from .index.postings import Index
from .matching import LineMatch
from .ranking.lex import Scorer
from .ranking.scored_text import scored_text

# Of the heaviest first weight, and of the question's weight.
_SHARE = 0.3
_READ = 40


def find_near_misses(
    index: Index, weights: Mapping[int, float], matched: Container[int], scorer: Scorer
) -> list[PassageHit]:
    """Those with such first weights that were not matched, forty at most, scored.

    They are candidates, and are never counted as matched lines. Chosen from everywhere, also by a search that resumes
    another one, so that it meets the same.
    """
    heaviest = max(weights.values(), default=0.0)
    near = {
        passage: weight for passage, weight in weights.items() if weight > _SHARE * heaviest and passage not in matched
    }
    least = min(nlargest(_READ, near.values()), default=0.0)
    heavy = in_file_order(index, [passage for passage, weight in near.items() if weight >= least])
    promising = sorted(heavy, key=near.__getitem__, reverse=True)[:_READ]
    return [
        PassageHit(passage, LineMatch.near(scorer.best_line(passage.text)), scorer.score(scored_text(passage.text)))
        for passage in read_passages(index, promising)
        if scorer.coverage(passage.text) >= _SHARE
    ]
