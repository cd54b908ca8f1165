"""How well memory recalls without a model: the graded questions, and claims among many others."""

import json
import math
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from morenashi.server.memory.claims import Draft
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.store import keep_claim

from ...examples import Rounds
from ...workspaces import require_devset
from .policies import EXAMPLE
from .remembering import AT, Remembering

_KINDS = ("部署", "係", "工場", "店舗", "倉庫", "支社")
_THINGS = "契約書 見積書 請求書 納品書 議事録 報告書 名簿 台帳 図面 稟議書 領収書 目録 日報 月報 予算案".split()
_VERBS = "提出 保管 廃棄 確認 回覧 印刷 送付 点検 更新 集計 公開 承認 転記 翻訳 照合".split()
_WHEN = "毎朝 毎週 毎月 四半期ごと 年度末 随時 翌営業日 祝日の前 月初 決算後".split()


def others(count: int) -> list[str]:
    """Distinct claims of an office, always the same."""
    dice = random.Random(7)
    return [
        f"{dice.choice(_KINDS)}{number}は{dice.choice(_THINGS)}を{dice.choice(_WHEN)}に{dice.choice(_VERBS)}する"
        for number in range(count)
    ]


def fill(memory: Remembering, texts: Iterable[str]) -> None:
    """Keep many claims in one transaction."""
    policy = parse_policy(EXAMPLE)
    drafts = [Draft(text, "fact", "project", "internal", {"at": AT}) for text in texts]
    now = datetime.now(UTC)
    memory.server.workspace.memory.write(
        lambda connection: [keep_claim(connection, draft, policy, now) for draft in drafts]
    )


def grade(memory: Remembering, tool: str = "search") -> tuple[float, float, float]:
    """Recall@10, nDCG@10 and MRR of the graded questions."""
    goldens: dict[str, Any] = json.loads((require_devset("memory") / "goldens.json").read_text("utf-8"))
    ids = {}
    for claim in goldens["claims"]:
        arguments = {name: claim[name] for name in ("kind", "scope", "boundary_class", "provenance")}
        ids[memory.remember(claim["text"], **arguments)] = claim["id"]
    recall = gain = reciprocal = 0.0
    ask = memory.found if tool == "search" else memory.active
    for query in goldens["queries"]:
        top = [ids.get(claim_id) for claim_id in ask(query["q"], top_k=10)]
        grades, relevant = query["grades"], query["relevant"]
        recall += sum(claim in top for claim in relevant) / len(relevant)
        best = sorted(grades.values(), reverse=True)
        gain += _gain([grades.get(claim, 0) for claim in top]) / _gain(best)
        reciprocal += next((1 / place for place, claim in enumerate(top, 1) if claim in relevant), 0.0)
    count = len(goldens["queries"])
    return recall / count, gain / count, reciprocal / count


def _gain(grades: list[int]) -> float:
    return sum((2**grade - 1) / math.log2(place + 1) for place, grade in enumerate(grades, 1))


@pytest.mark.parametrize("tool", ["search", "activate"])
def test_the_graded_questions_find_their_claims(memory: Remembering, tool: str) -> None:
    recall, gain, reciprocal = grade(memory, tool)
    assert recall >= 0.93
    assert gain >= 0.91
    assert reciprocal >= 0.93


def test_they_find_them_among_five_thousand_others(memory: Remembering) -> None:
    fill(memory, others(5_000))
    assert grade(memory)[0] >= 0.88


def test_three_rare_words_find_their_claim_among_ten_thousand(memory: Remembering, rounds: Rounds) -> None:
    dice = random.Random(3)
    letters = "bcdfghjklmnpqrstvwz"
    marked = []
    for number, text in enumerate(others(10_000)):
        words = ["".join(dice.choice(letters) for _ in range(6)) for _ in range(3)]
        marked.append((words, f"{text} {words[0]}、{words[1]}と{words[2]} {number}"))
    fill(memory, [text for _, text in marked])
    for words, text in dice.sample(marked, rounds(30, 100)):
        assert text in memory.texts(" ".join(words), top_k=10)
