"""Sufficiency: does the score say how likely the answer is among the first ten candidates?

The questions are asked of the encyclopedia without half of the paragraphs that answer them. The error
is the mean distance, over ten equal bins of the score, between score and share answered, weighted by
the questions in a bin (expected calibration error; Naeini, Cooper and Hauskrecht, AAAI 2015). Other
paragraphs are withheld than for the fit; the questions are the same.
"""

import random

from . import gold
from .calls import open_calls
from .lab import Lab, reindex
from .questions import MANUAL, paragraph_at, write_manual
from .ranking import DEPTH
from .report import Figure, Report, at_most

NAME = "sufficiency"
_BINS, _SEED = 10, 11
_MOST_ERROR, _MOST_WRONGLY_READY = 0.10, 0.05


def measure(lab: Lab, report: Report) -> None:
    """Ask all questions, half of them without an answer."""
    questions = gold.read_questions()[: lab.sizes.questions]
    answers = sorted({answer for question in questions for answer in question.answers})
    withheld = set(random.Random(_SEED).sample(answers, len(answers) // 2))
    root = lab.workspace(NAME)
    left = [paragraph for paragraph in gold.read_paragraphs() if paragraph.id not in withheld]
    starts = write_manual(root / "manuals" / MANUAL, left)
    reindex(root)
    scored: list[tuple[float, bool]] = []
    wrongly_ready = unanswerable = 0
    with open_calls(root) as calls:
        for question in questions:
            answer = calls.find(question.text)
            refs = calls.best(answer, DEPTH)
            found = {paragraph_at(starts[ref["path"]], ref["start_line"]) for ref in refs}
            scored.append((answer["summary"]["sufficiency_score"], bool(found.intersection(question.answers))))
            if withheld.issuperset(question.answers):
                unanswerable += 1
                wrongly_ready += answer["summary"]["integration_status"] == "ready"
    report.rows[NAME] = [{"score": score, "answered": is_answered} for score, is_answered in scored]
    what = f"{len(questions):,} questions, {unanswerable} without their answer"
    report.add(Figure(f"{what}: calibration error", _error(scored), "", at_most(_MOST_ERROR)))
    share = wrongly_ready / max(unanswerable, 1)
    report.add(Figure(f"{what}: ready though withheld", share, "", at_most(_MOST_WRONGLY_READY)))


def _error(scored: list[tuple[float, bool]]) -> float:
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for score, is_answered in scored:
        bins[min(int(score * _BINS), _BINS - 1)].append((score, is_answered))
    return sum(abs(sum(score - is_answered for score, is_answered in held)) for held in bins) / len(scored)
