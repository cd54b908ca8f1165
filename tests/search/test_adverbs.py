"""An adverb before a verb's noun (もう一度参加する, 来月退職する) is no part of the term, and nothing missing."""

import pytest

from morenashi.server.search.question.query import parse_query


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("一度脱退した会員がもう一度参加するには", ["脱退", "会員", "参加"]),
        ("来月退職する場合の有給休暇の日数", ["退職", "有給休暇", "日数"]),
        ("現在加入している保険を解約したい", ["加入", "保険", "解約"]),
        ("アプリをもう一度インストールするには", ["アプリ", "インストール"]),
        ("書類を毎回提出しなくて済む会員の条件", ["書類", "提出", "会員", "条件"]),
    ],
)
def test_an_adverb_goes_with_no_noun(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("一旦停止の標識がある場所での義務", "一旦停止"),
        ("全部取得条項付株式の取得手続を教えて", "全部取得条項付株式"),
        ("現在地確認の方法を知りたいのですが", "現在地確認"),
        ("今年度作成した書類の保存期間は", "今年度作成"),
        ("二十一度設定にした場合の電気料金は", "二十一度設定"),
    ],
)
def test_what_only_begins_like_an_adverb_stays_whole(question: str, term: str) -> None:
    assert term in [found.text for found in parse_query(question, {}, {}).terms]
