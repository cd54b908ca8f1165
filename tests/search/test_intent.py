"""The intent that is inferred from how a question is put, where the call gives none."""

import pytest

from morenashi.server.search.question.intent import Intent, has_facet, infer_intent
from morenashi.server.search.question.pieces import normal_text

from ..limited_work import RunWithin

QUESTIONS: list[tuple[Intent, str]] = [
    ("exceptions", "通勤手当の対象外となるのは誰か"),
    ("exceptions", "簡易課税制度の適用を受けられない事業者"),
    ("exceptions", "退職金が支給されない場合を教えてください"),
    ("exceptions", "契約社員でも通勤手当の対象にならないのはどんなときですか"),
    ("exceptions", "軽減税率の対象から除かれるものは何ですか"),
    ("exceptions", "旅費規程の例外の申請方法"),
    ("exceptions", "What is not covered by the warranty?"),
    ("exceptions", "Who is not eligible for a trial?"),
    ("compare", "正社員と契約社員の休暇の違い"),
    ("compare", "出張と外出はどう違いますか"),
    ("compare", "How do counters differ from gauges?"),
    ("eligibility", "育児休業を取得できる対象者の条件は何ですか"),
    ("eligibility", "契約社員は退職金の対象になりますか"),
    ("eligibility", "試用期間は延長できますか"),
    ("eligibility", "Am I allowed to scrape the site?"),
    ("procedure", "出張旅費の精算手続を教えてください"),
    ("procedure", "退職届の出し方と届出の仕方"),
    ("procedure", "How can I request leave?"),
    ("procedure", "申請書の書き方"),
    ("procedure", "休日の数え方を教えて"),
    ("unknown", "働き方改革"),
    ("unknown", "会社の考え方"),
    ("unknown", "両方の親"),
    ("definition", "懲戒解雇とは"),
    ("definition", "課税事業者とは何か"),
    ("definition", "フレックスタイムって何"),
    ("definition", "What is the DMCA?"),
    ("unknown", "通勤手当"),
    ("unknown", "入社した日にすることは？"),
    ("unknown", "届出をしなければならないのは誰か"),
]


@pytest.mark.parametrize(("intent", "question"), QUESTIONS)
def test_the_intent_follows_from_the_question(intent: Intent, question: str) -> None:
    assert infer_intent(normal_text(question)) == intent


@pytest.mark.parametrize("text", ["本文\n\n \n 1. 開く", "本文\n(1) 開く", "\x0b2) 開く"])
def test_a_numbered_step_is_one_below_blank_lines_and_behind_blanks(text: str) -> None:
    assert has_facet("procedure", text)
    assert not has_facet("procedure", text.translate(dict.fromkeys(map(ord, ".)("))))


_BLANK_LINES = """
from morenashi.server.search.question.intent import has_facet
assert not has_facet("procedure", chr(10) * 100_000)
"""


def test_blank_lines_are_looked_through_for_steps_in_linear_work(run_within: RunWithin) -> None:
    run_within(5, _BLANK_LINES)
