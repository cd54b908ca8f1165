"""A question for a date, an amount or a number prefers what states one."""

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.question.quantities import asked_quantity

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("question", "stated", "not_stated"),
    [
        ("届出はいつまでか", "届出は5月31日とする", "届出は書面による"),
        ("完成したのはいつか", "1928年に完成した", "完成した建物は赤い"),
        ("申請の期限は", "申請は二週間以内にする", "申請は窓口でする"),
        ("委員は何人か", "委員は７人とする", "委員は3年で替わる"),
        ("委員は何名か", "委員は三名とする", "委員は長が選ぶ"),
        ("記念館は何か所ある", "記念館は12か所にある", "記念館は駅の前にある"),
        ("試用期間は何か月ですか", "試用期間は３ヶ月とする", "試用期間は別に定める"),
        ("試用期間は何ヵ月", "試用期間は三箇月とする", "試用期間は3年とする"),
        ("手数料はいくら", "手数料は1,200円", "手数料は免除する"),
        ("自己負担の割合は", "負担は3割", "負担は軽い"),
        ("人口はどのくらい", "人口は約40万", "人口は減った"),
        ("When was it founded?", "It was founded in 1936.", "It was founded by a clerk."),
        ("how much does the certificate cost", "A certificate costs $30.", "A certificate costs nothing."),
        ("How many seats are there?", "There are 12 seats.", "There are seats."),
        ("how long may a token be used", "A token may be used for 30 days.", "A token may be used again."),
    ],
)
def test_what_is_asked_for_in_numbers_is_told_from_what_is_not(question: str, stated: str, not_stated: str) -> None:
    quantity = asked_quantity(normalise(question))
    assert quantity is not None
    assert (bool(quantity.search(normalise(stated))), bool(quantity.search(normalise(not_stated)))) == (True, False)


@pytest.mark.parametrize("question", ["旅費の精算", "免責とは", "いつもの手続", "誰が届け出るか", "what is a token"])
def test_other_questions_ask_for_no_quantity(question: str) -> None:
    assert asked_quantity(normalise(question)) is None


def test_the_section_that_states_the_quantity_comes_first(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 甲\n\n委員会の委員は長が選ぶ。\n\n# 乙\n\n委員会の委員は七人とする。\n")
    served = serve()
    assert [hit["start_line"] for hit in served.find("委員会の委員は何人か").hits()] == [7, 3]
    assert [hit["start_line"] for hit in served.find("委員会の委員は誰が選ぶか").hits()] == [3, 7]
