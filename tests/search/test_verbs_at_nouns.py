"""A verb right behind a noun, as people chat, takes no part in it: 残業代 of 残業代出ますか."""

import pytest

from morenashi.server.search.question.verbs_at_nouns import without_verbs_at_nouns

from ..limited_work import RunWithin
from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("asked", "parted"),
    [
        ("残業代出ますか", "残業代、出ますか"),
        ("健康診断受けないとどうなる", "健康診断、受けないとどうなる"),
        ("産休取るときって給料出る?", "産休、取るときって給料、出る?"),
        ("会社辞めたい", "会社、辞めたい"),
        ("運転免許要らない", "運転免許、要らない"),
        ("有給休暇使った後", "有給休暇、使った後"),
        ("社員証使いたい", "社員証、使いたい"),
        ("社員証使っていいの", "社員証、使っていいの"),
        ("勤務先変わりますか", "勤務先、変わりますか"),
        ("診断書返す", "診断書、返す"),
        ("手数料高い", "手数料、高い"),
    ],
)
def test_such_a_verb_begins_behind_the_noun(asked: str, parted: str) -> None:
    assert without_verbs_at_nouns(asked) == parted


@pytest.mark.parametrize(
    "asked",
    [
        *(
            "育児休業って何",
            "担当者いますか",
            "労働者みたいな人",
            "契約社員でない人",
            "支給される",
            "提出しない",
            "育児休業いつ",
        ),
        *(
            "入学手続きの方法",
            "通勤手当支払う",
            "休暇願届出る",
            "変更申込む",
            "賃金支払い",
            "育児休業が多い",
            "採用する",
        ),
    ],
)
def test_a_noun_without_such_a_verb_stays_whole(asked: str) -> None:
    assert without_verbs_at_nouns(asked) == asked


@pytest.mark.parametrize(
    "question", ["残業代出ますか", "残業代出ないことがありますか", "残業代高い？", "残業代買い取りできるか"]
)
def test_the_noun_is_found_alone(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# 規程\n\n## 手当\n\n残業代を支給する。\n\n## 返却\n\n備品を返却、買取する。\n")
    found = serve().find(question)
    assert (found.status, found.hits("gaps")) == ("found", [])
    assert found.hits()[0]["start_line"] == 5


def test_a_question_of_nothing_but_such_verbs_is_read_in_linear_time(run_within: RunWithin) -> None:
    run_within(
        15,
        """
from morenashi.server.search.question.verbs_at_nouns import without_verbs_at_nouns

for text in ["残業代出", "出る", "代", "申込", "えるえる", "高い"]:
    without_verbs_at_nouns(text * 50_000)
""",
    )
