"""`completeness.other_language_files`: a question says nothing of documents that are not in its language."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


def write_both(folder: WorkspaceFolder) -> None:
    folder.write("m/返品.md", "# 返品\n\n返品は三十日以内に行う。\n")
    folder.write("m/refund.md", "# Refunds\n\nA refund is asked for within thirty days.\n")
    folder.write("m/rates.json", '{"rate": "ten percent"}\n')
    folder.write("n/返金.md", "# 返金\n\n返金は翌月に行う。\n")
    folder.write("n/numbers.md", "1\n2\n")


@pytest.mark.parametrize(
    ("question", "manual_id", "files"),
    [
        ("返品", "m", 2),
        ("refund", "m", 1),
        ("refund の期限", "m", 2),
        ("返品", None, 2),
        ("refund", None, 2),
        ("refund", "n", 1),
        ("検収", "m", 2),
    ],
)
def test_files_of_the_other_language_are_counted(
    workspace: WorkspaceFolder, serve: Serve, question: str, manual_id: str | None, files: int
) -> None:
    write_both(workspace)
    asked = {} if manual_id is None else {"manual_id": manual_id, "max_stage": 3}
    assert serve().find(question, **asked).summary["completeness"]["other_language_files"] == files


@pytest.mark.parametrize(("question", "manual_id"), [("返金", "n"), ("42", "m")])
def test_nothing_is_said_where_there_are_none(
    workspace: WorkspaceFolder, serve: Serve, question: str, manual_id: str
) -> None:
    write_both(workspace)
    found = serve().find(question, manual_id=manual_id, max_stage=3)
    assert "other_language_files" not in found.summary["completeness"]


@pytest.mark.parametrize(("question", "confidence"), [("検収", 0.6), ("inspection", 0.6), ("99", 1.0)])
def test_to_stop_where_nothing_was_found_is_as_certain_as_there_are_files_in_that_language(
    workspace: WorkspaceFolder, serve: Serve, question: str, confidence: float
) -> None:
    write_both(workspace)
    found = serve().find(question)
    assert found.status == "absent"
    assert [(action["type"], action["confidence"]) for action in found.next_actions] == [("stop", confidence)]
