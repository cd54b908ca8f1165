"""Questions: how high the paragraph stands that answers them. MRR@10 and recall@10, both 0..1.

13,447 encyclopedia paragraphs, each a section with the same heading, against the same paragraphs
(title and text) in the peers.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from . import gold
from .calls import Answer, Calls, open_calls
from .gold import Paragraph, Question
from .lab import Lab, reindex
from .peers import Bigrams, Overlap, Peer, Tantivy
from .ranking import DEPTH, Rank, mean_reciprocal_rank, rank_of, recall
from .report import Figure, Report, at_least

NAME = "questions"
MANUAL, _PARAGRAPHS_A_FILE = "qa", 100
_LEAST_MRR, _LEAST_RECALL = 0.938, 0.975

Starts = dict[str, list[tuple[int, str]]]
"""By file, the first line (1-based) and id of each paragraph."""


def measure(lab: Lab, report: Report) -> None:
    """Ask every question of ours and of the peers."""
    paragraphs = gold.read_paragraphs()
    questions = gold.read_questions()[: lab.sizes.questions]
    ours = _ask_ours(lab, paragraphs, questions)
    peers: list[Peer] = [Bigrams(), Tantivy(), Overlap()]
    theirs = {peer.name: _ask_peer(peer, paragraphs, questions) for peer in peers}
    rows = zip(questions, ours, *theirs.values(), strict=True)
    report.rows[NAME] = [
        {"id": question.id, "text": question.text} | dict(zip(("ours", *theirs), ranks, strict=True))
        for question, *ranks in rows
    ]
    what = f"{len(questions):,} questions, {len(paragraphs):,} paragraphs"
    for label, score, least in (
        ("MRR@10", mean_reciprocal_rank, _LEAST_MRR),
        ("recall@10", recall, _LEAST_RECALL),
    ):
        scores = {name: score(ranks) for name, ranks in theirs.items()}
        report.add(Figure(f"{what}: {label}", score(ours), "", at_least(least), scores))


def _ask_ours(lab: Lab, paragraphs: Sequence[Paragraph], questions: Sequence[Question]) -> list[Rank]:
    root = lab.workspace(NAME)
    starts = write_manual(root / "manuals" / MANUAL, paragraphs)
    reindex(root)
    with open_calls(root) as calls:
        return rank_answers(calls, questions, starts)


def rank_answers(
    calls: Calls, questions: Sequence[Question], starts: Starts, ask: Callable[[Calls, str], Answer] = Calls.find
) -> list[Rank]:
    """For each question, how high the paragraph stands that answers it."""
    ranks = []
    for question in questions:
        refs = calls.best(ask(calls, question.text), DEPTH)
        found = (paragraph_at(starts[ref["path"]], ref["start_line"]) for ref in refs)
        ranks.append(rank_of(paragraph in question.answers for paragraph in found))
    return ranks


def _ask_peer(peer: Peer, paragraphs: Sequence[Paragraph], questions: Sequence[Question]) -> list[Rank]:
    peer.add(f"{paragraph.title}\n{paragraph.text}" for paragraph in paragraphs)
    return [
        rank_of(paragraphs[found].id in question.answers for found in peer.search(question.text, DEPTH))
        for question in questions
    ]


def write_manual(folder: Path, paragraphs: Sequence[Paragraph]) -> Starts:
    """Write the manual, over what an earlier run may have left of it; returns where its paragraphs start."""
    folder.mkdir(parents=True, exist_ok=True)
    starts: Starts = {}
    for name, part in _files(paragraphs):
        texts = [_section(paragraph) for paragraph in part]
        (folder / name).write_text("".join(texts), "utf-8", newline="\n")
        lines = accumulate((text.count("\n") for text in texts), initial=1)
        starts[name] = [(line, paragraph.id) for line, paragraph in zip(lines, part, strict=False)]
    return starts


def _files(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[str, Sequence[Paragraph]]]:
    for first in range(0, len(paragraphs), _PARAGRAPHS_A_FILE):
        yield f"{first:05}.md", paragraphs[first : first + _PARAGRAPHS_A_FILE]


def _section(paragraph: Paragraph) -> str:
    return f"## 段落\n\n{paragraph.title}\n\n{paragraph.text}\n\n"


def paragraph_at(starts: Sequence[tuple[int, str]], line: int) -> str:
    """The id of the paragraph that a line (1-based) of a file stands in, by the starts of that file."""
    return starts[bisect_right(starts, line, key=lambda start: start[0]) - 1][1]
