"""A compound that a text writes together with another of the same head is found there."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("育児休業", "育児・介護休業の後は、元の職務に戻る。"),
        ("育児休業", "育児及び介護休業の後は、元の職務に戻る。"),
        ("育児休業", "育児・介護・看護休業の後は、元の職務に戻る。"),
        ("時間外労働", "時間外・休日労働には割増賃金を支払う。"),
        ("パート社員", "パート・嘱託社員には適用しない。"),
    ],
)
def test_a_compound_is_found_where_it_shares_its_head_with_another(
    workspace: WorkspaceFolder, serve: Serve, query: str, text: str
) -> None:
    workspace.write("m/a.md", f"# 規程\n\n## 第1条\n\n{text}\n\n## 第2条\n\n{query}を申し出る。\n")
    found = serve().find(query)
    assert (found.status, found.lines["matched"], found.summary["gap_count"]) == ("found", 2, 0)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("育児休業", "育児と、介護のための休業がある。"),
        ("育児休業", "体育児・介護休業の例。"),
        ("育児休業", "育児及び家族介護休業の例。"),
        ("介護休業", "介護。育児・休業。"),
    ],
)
def test_words_that_stand_apart_share_no_head(workspace: WorkspaceFolder, serve: Serve, query: str, text: str) -> None:
    workspace.write("m/a.md", f"# 規程\n\n## 第1条\n\n{text}\n\n## 第2条\n\n{query}を申し出る。\n")
    assert serve().find(query).lines["matched"] == 1
