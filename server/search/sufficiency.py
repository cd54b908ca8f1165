"""How complete a candidate set is, as one number in 0..1. Pure."""

from .evidence import Evidence
from .query import Query


def estimate_sufficiency(evidence: Evidence, query: Query, examined_share: float) -> float:
    """The estimate for one search."""
    found = {position for hit in evidence.all_hits() for position in hit.match.exact | hit.match.loose}
    coverage = len(found) / max(len(evidence.terms), 1)
    return round(coverage * examined_share, 3)
