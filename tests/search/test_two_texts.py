"""Two short texts, as claims are, contradict each other whichever is asked about (seed 004 §3)."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.two_texts import contradicted_by


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("ログは90日間保持されます", "ログの保存期間は1年です", True),
        ("ログは90日間保持されます", "ログの保存期間は90日です", False),
        ("ログは90日間保持されます", "写しの保存期間は1年です", False),
        ("電話番号の入力は必須である", "電話番号の入力は任意とする", True),
        ("電話番号の入力は必須である", "部署名の入力は任意とする", False),
        ("The keys expire after 90 days.", "The keys never expire.", True),
    ],
)
def test_two_texts_contradict_by_a_value_or_a_denial(one: str, other: str, contradict: bool) -> None:
    for text, another in ((one, other), (other, one)):
        assert contradicted_by(normalise(text))(normalise(another)) is contradict
