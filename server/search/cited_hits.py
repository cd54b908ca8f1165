"""What a question cites, among what was found: on the line that is cited, and in its place in the order."""

from collections.abc import Container, Mapping

from .cited_places import CitedPlace
from .findings import Findings, PassageHit
from .index.passages import read_passages
from .index.postings import Index
from .matching import LineMatch, TermMatcher
from .ranking.lex import Scorer


def take_cited(
    findings: Findings,
    cited: Mapping[int, CitedPlace],
    index: Index,
    matcher: TermMatcher,
    scorer: Scorer,
    within: Container[int] | None,
) -> None:
    """Take what the question cites, by the ids of the passages: before all else if it is meant for sure, and as if it
    said the words that cite it if not. A passage without a term is a candidate like a near miss; one that had been left
    over is not left over any more.
    """
    best = max((hit.score for hit in findings.hits), default=0.0) or 1.0
    found = {hit.passage.id: hit for hit in findings.hits if hit.passage.id in cited}
    asked = [passage for passage in cited if passage not in found and (within is None or passage in within)]
    for passage in read_passages(index, asked):
        found[passage.id] = PassageHit(passage, matcher.match(passage.text) or LineMatch.near(0), 0.0)
    if findings.left:
        findings.are_not_left(found)
    taken = []
    for passage, match, _ in found.values():
        place = cited[passage.id]
        # Which law it is of, and which article, it need not say.
        text = f"{place.words}\n{passage.text}"
        match = match._replace(line=place.line - passage.first_line, column=0)
        taken.append(PassageHit(passage, match, best if place.is_certain else scorer.score(text)))
        findings.coverage = max(findings.coverage, scorer.coverage(text))
        findings.cited[passage.section_id] = place
    findings.hits = taken + [hit for hit in findings.hits if hit.passage.id not in cited]
