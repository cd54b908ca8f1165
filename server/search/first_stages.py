"""Stages 0 and 1 of a question: as it stands, taken apart, with the words inside its terms, with similar ones."""

from collections.abc import Container
from dataclasses import replace

from morenashi.server.deadline import Deadline

from .findings import Findings
from .index.postings import Index
from .inner_words import find_inner_words, find_words_of_sentences
from .other_spellings import as_written
from .other_words import with_nouns
from .own_name import without_own_name
from .question.query import Query
from .request import FindRequest
from .resuming import AskedAgain
from .shared_heads import with_shared_heads
from .slips import stands_in
from .stages import PassageSearch


def search_terms(
    index: Index,
    request: FindRequest,
    deadline: Deadline,
    rest: AskedAgain | None,
    found_before: Container[int],
) -> tuple[Query, Findings]:
    """Stages 0 and 1 for the question's terms; if those say little, for the words inside them too. `found_before` are
    passages that need not be found again.

    Answers the question with what was found: with those of its phrases taken apart that no line holds.
    """
    within = None if rest is None else rest.passages
    written = with_shared_heads(index, as_written(index, with_nouns(index, request.query)))
    query = without_own_name(index, written, request.manual_id)
    home = index.of_manual(request.home) if request.home is not None else index
    search = PassageSearch(index, home, query, request.max_candidates, deadline, request.analyser, found_before)
    findings = search.run(query.terms, within)
    if findings.nothing_known:
        return query, findings
    known = _count_known(index, findings)
    if _is_first_to_know(rest) and (missing := _phrases_without_line(index, query, findings)):
        # Where there is no time, to take them apart is for the search that takes up the rest, which is all there is.
        later = query, Findings(findings.terms, cut_by="time_budget", nothing_known=True)
        if rest is None and deadline.is_over:
            return later
        apart = replace(request, query=query.taken_apart(missing))
        asked_apart, found_apart = search_terms(index, apart, deadline, rest, found_before)
        if found_apart.nothing_known:
            return later
        if found_apart.matches() or found_apart.inflected:
            return asked_apart, found_apart
    was_found = rest is not None and rest.earlier.is_found
    is_little = _is_little(known, rest, request.thresholds.candidate_low)
    if is_little:
        inner = find_inner_words(index, query, findings, known=known, was_found=was_found)
    else:
        inner = find_words_of_sentences(index, query)
    if inner:
        query = replace(query, looks_inside=is_little)
        findings = search.run(query.terms + inner, within)
    return query, findings if findings.nothing_known else search.run_with_similar(findings, within)


def _count_known(index: Index, findings: Findings) -> int:
    """How many passages hold a term, or may do so and were left over: none, if a limit kept them from being read and
    it can be told of all terms that they stand nowhere.
    """
    unread = findings.cut_by == "hard_limit" and not findings.hits
    return 0 if unread and not any(stands_in(index, term) for term in findings.terms) else findings.matches()


def _is_first_to_know(rest: AskedAgain | None) -> bool:
    """Whether no search before has read the question: those that knew nothing, or found nothing where they looked,
    have not.
    """
    return rest is None or not (rest.earlier.is_found or rest.earlier.has_candidates)


def _is_little(known: int, rest: AskedAgain | None, least: int) -> bool:
    """Whether the terms alone say little. Of a rest, what the searches before found counts too: that little is left
    does not make it little. If they looked for the words inside the terms, so does this one.
    """
    if rest is None:
        return known < least
    found_before = rest.earlier.so_far.candidates if rest.earlier.is_found else 0
    return rest.earlier.looked_inside or known + found_before < least


def _phrases_without_line(index: Index, query: Query, findings: Findings) -> list[str]:
    """The phrases of the question that stand nowhere in the scope, whatever a cap left over."""
    missing = [findings.terms[position] for position in findings.terms_without_hit()]
    phrases = [term for term in missing if term.text in query.phrases]
    return [term.text for term in phrases if not (findings.matches_left and stands_in(index, term))]


def examined_share(findings: Findings) -> float:
    """The share of the promising passages that was examined: a cap leaves over the least promising ones."""
    if findings.cut_by == "candidate_cap":
        return 1.0
    if findings.nothing_known:
        return 0.0
    return len(findings.hits) / max(len(findings.hits) + len(findings.left), 1)
