"""How well memory recalls without a model: the graded questions, and claims among many others."""

import random
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest
from benchmarks.goldens import Grades, grade_goldens, office_claims

from morenashi.server.memory.claims import Draft
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.store import keep_claim

from ...examples import Rounds
from ...workspaces import require_devset
from .policies import EXAMPLE
from .remembering import AT, Remembering


def fill(memory: Remembering, texts: Iterable[str]) -> None:
    """Keep many claims in one transaction."""
    policy = parse_policy(EXAMPLE)
    drafts = [Draft(text, "fact", "project", "internal", {"at": AT}) for text in texts]
    now = datetime.now(UTC)
    memory.server.workspace.memory.write(
        lambda connection: [keep_claim(connection, draft, policy, now) for draft in drafts]
    )


def grade(memory: Remembering, tool: str = "search") -> Grades:
    """Recall@10, nDCG@10 and MRR of the graded questions."""
    ask = memory.found if tool == "search" else memory.active
    return grade_goldens(require_devset("memory"), memory.remember, lambda question: ask(question, top_k=10))


@pytest.mark.parametrize("tool", ["search", "activate"])
def test_the_graded_questions_find_their_claims(memory: Remembering, tool: str) -> None:
    recall, gain, reciprocal = grade(memory, tool)
    assert recall >= 0.93
    assert gain >= 0.91
    assert reciprocal >= 0.93


def test_they_find_them_among_five_thousand_others(memory: Remembering) -> None:
    fill(memory, office_claims(5_000))
    assert grade(memory)[0] >= 0.88


def test_three_rare_words_find_their_claim_among_ten_thousand(memory: Remembering, rounds: Rounds) -> None:
    dice = random.Random(3)
    letters = "bcdfghjklmnpqrstvwz"
    marked = []
    for number, text in enumerate(office_claims(10_000)):
        words = ["".join(dice.choice(letters) for _ in range(6)) for _ in range(3)]
        marked.append((words, f"{text} {words[0]}、{words[1]}と{words[2]} {number}"))
    fill(memory, [text for _, text in marked])
    for words, text in dice.sample(marked, rounds(30, 100)):
        assert text in memory.texts(" ".join(words), top_k=10)
