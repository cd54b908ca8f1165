"""A widened search and what was found in the manual that was asked for: none of that is lost to the others. Pure."""

from dataclasses import replace

from .findings import Findings, PassageHit
from .matching import LineMatch


def with_those_at_home(findings: Findings, home: Findings) -> Findings:
    """The findings of a search in all manuals, and all those of the search in one of them that was not cut.

    The one may lack what the other has: a cap leaves over what is rare, and words inside a term, or similar ones, are
    looked for only where the term stands nowhere.
    """
    texts = {term.text for term in findings.terms}
    further = [place for place, term in enumerate(home.terms) if term.text not in texts]
    terms = findings.terms + tuple(home.terms[place] for place in further)
    rarities = findings.rarities + tuple(home.rarities[place] for place in further)
    position = {term.text: place for place, term in enumerate(terms)}
    moved = [position[term.text] for term in home.terms]
    found = {hit.passage.id: hit for hit in findings.hits}
    for hit in home.hits:
        again = found.get(hit.passage.id)
        score = max(hit.score, again.score) if again else hit.score
        found[hit.passage.id] = PassageHit(hit.passage, _renumbered(hit.match, moved), score)
    coverage = max(findings.coverage, home.coverage)
    together = replace(findings, terms=terms, rarities=rarities, hits=list(found.values()), coverage=coverage)
    together.are_not_left({hit.passage.id for hit in home.hits})
    return together


def _renumbered(match: LineMatch, moved: list[int]) -> LineMatch:
    """The same with its terms in other positions."""
    return match._replace(
        exact=frozenset(moved[term] for term in match.exact),
        loose=frozenset(moved[term] for term in match.loose),
        places=[(line, {moved[term] for term in terms}) for line, terms in match.places],
    )
