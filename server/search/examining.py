"""Reading passages and matching their texts, until there are candidates enough or time is over (seed 004 §3)."""

from collections.abc import Sequence

from morenashi.server.deadline import Deadline

from .findings import Findings, PassageHit
from .index.passages import read_passages
from .index.postings import Index
from .matching import TermMatcher

_BATCH = 64
_EXAMINED_PER_CANDIDATE = 2
# The index names many passages that hold no term: of Latin words, which share their pairs, most. To read on is cheaper
# than another call, if that comes to the end: some 15 µs a passage.
_READ_TO_THE_END = 50


def is_read_to_the_end(matches: Sequence[int], max_candidates: int) -> bool:
    """Whether passages are so few that all of them are read, unless so many candidates are found before."""
    return len(matches) <= _READ_TO_THE_END * max_candidates


def in_reading_order(matches: Sequence[int], shares: dict[int, float], max_candidates: int) -> list[int]:
    """Passages that may hold a term: those with a first weight, heaviest first and as they come in `matches` where they
    weigh the same; then the others, so ordered that whatever a hard limit lets be read of them comes from everywhere.
    """
    first = [passage for passage in matches if passage in shares]
    rest = [passage for passage in _spread(matches, _EXAMINED_PER_CANDIDATE * max_candidates) if passage not in shares]
    return sorted(first, key=shares.__getitem__, reverse=True) + rest


def examine(
    index: Index, ordered: Sequence[int], matcher: TermMatcher, max_candidates: int, room: int, deadline: Deadline
) -> Findings:
    """Stages 0 and 1 on the texts of these passages, in this order: hits of `room` sections at most. Their scores are
    still to come.
    """
    findings = Findings(matcher.terms)
    sections: set[int] = set()
    position = 0
    most = _EXAMINED_PER_CANDIDATE * max_candidates
    is_short = is_read_to_the_end(ordered, max_candidates)
    while position < len(ordered) and findings.cut_by is None:
        for passage in read_passages(index, ordered[position : position + _BATCH]):
            if passage.section_id not in sections and len(sections) >= room:
                findings.left.append(passage.id)
            elif match := matcher.match(passage.text):
                findings.hits.append(PassageHit(passage, match, 0.0))
                sections.add(passage.section_id)
        position += _BATCH
        deadline.tell(min(position, len(ordered)), len(ordered))
        if findings.left:
            findings.cut_by = "candidate_cap"
        elif position >= len(ordered):
            break
        elif (len(findings.hits) if is_short else position) >= most:
            findings.cut_by = "hard_limit"
        elif deadline.is_over:
            findings.cut_by = "time_budget"
    findings.left += ordered[position:]
    findings.matches_left = len(findings.left)
    return findings


def _spread(passages: Sequence[int], wanted: int) -> list[int]:
    """The same passages, so ordered that any `wanted` first ones come from everywhere in the list."""
    step = max(1, len(passages) // wanted)
    return [passage for start in range(step) for passage in passages[start::step]]
