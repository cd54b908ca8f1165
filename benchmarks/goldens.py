"""Graded questions to agent memory, how well they were answered, and the claims of an office that stand around them."""

import json
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_PLACES = "部署 係 工場 店舗 倉庫 支社 研究所 窓口".split()
_THINGS = "契約書 見積書 請求書 納品書 議事録 報告書 名簿 台帳 図面 稟議書 領収書 目録 日報 月報 予算案".split()
_VERBS = "提出 保管 廃棄 確認 回覧 印刷 送付 点検 更新 集計 公開 承認 転記 翻訳 照合".split()
_TIMES = "毎朝 毎週 毎月 四半期ごと 年度末 随時 翌営業日 祝日の前 月初 決算後".split()

Grades = tuple[float, float, float]
"""Recall@10, nDCG@10 and the reciprocal rank, each 0..1."""


def office_claims(count: int) -> list[str]:
    """Distinct claims of an office, always the same."""
    chance = random.Random(7)
    return [
        f"{chance.choice(_PLACES)}{number}は{chance.choice(_THINGS)}を{chance.choice(_TIMES)}に{chance.choice(_VERBS)}する"
        for number in range(count)
    ]


def grade_goldens(folder: Path, remember: Callable[..., str], ask: Callable[[str], Sequence[str]]) -> Grades:
    """The means over all questions of `folder`, the devset's `memory`, once its claims are remembered.

    `remember` keeps a claim's text, with arguments as `pce_memory_upsert` has them, and gives its id; `ask` gives the
    ids that a question finds, ten at most, the best first.
    """
    goldens = json.loads((folder / "goldens.json").read_text("utf-8"))
    ids = {}
    for claim in goldens["claims"]:
        arguments = {name: claim[name] for name in ("kind", "scope", "boundary_class", "provenance")}
        ids[remember(claim["text"], **arguments)] = claim["id"]
    grades = [_grade([ids.get(one) for one in ask(query["q"])], query) for query in goldens["queries"]]
    recall, gain, reciprocal = (sum(values) / len(grades) for values in zip(*grades, strict=True))
    return recall, gain, reciprocal


def _grade(top: list[str | None], query: dict[str, Any]) -> Grades:
    grades, relevant = query["grades"], query["relevant"]
    gain = _gain([grades.get(claim, 0) for claim in top]) / _gain(sorted(grades.values(), reverse=True))
    reciprocal = next((1 / place for place, claim in enumerate(top, 1) if claim in relevant), 0.0)
    return sum(claim in top for claim in relevant) / len(relevant), gain, reciprocal


def _gain(grades: list[int]) -> float:
    return sum((2.0**grade - 1) / math.log2(place + 1) for place, grade in enumerate(grades, 1))
