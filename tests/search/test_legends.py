"""The rows of a table that have a picture where others have a name are about one thing each."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

LEGEND = "# 署名\n\n| アイコン | 署名の状態 |\n| --- | --- |\n| {} | 署名は有効です。 |\n| {} | 署名は無効です。 |\n"


@pytest.mark.parametrize(
    ("names", "conflicts"), [(("", ""), 0), (("文書", "文書"), 1), (("", "文書"), 1), (("文書", ""), 1)]
)
def test_rows_without_words_for_what_they_are_about_do_not_contradict_each_other(
    workspace: WorkspaceFolder, serve: Serve, names: tuple[str, str], conflicts: int
) -> None:
    workspace.write("m/a.md", LEGEND.format(*names))
    assert serve().find("署名").summary["conflict_count"] == conflicts
