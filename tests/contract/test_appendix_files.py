"""Appendices and forms that are documents of their own."""

import pytest

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("cited", "path", "title"),
    [
        ("別紙2を参照。", "別紙2.md", "# 別紙2 副業の手続"),
        ("様式第3号による。", "副業許可申請書.md", "# 様式第3号（第10条関係）"),
        ("付録Aを見る。", "付録A_用語集.md", "# 用語集"),
    ],
)
def test_what_the_own_document_does_not_have_is_a_document_beside_it(
    workspace: WorkspaceFolder, serve: Serve, cited: str, path: str, title: str
) -> None:
    workspace.write("m/規則/a.md", f"# 就業規則\n\n## 第10条（副業）\n\n鍵言葉は{cited}\n")
    workspace.write(f"m/規則/{path}", f"{title}\n\n手順。\n")
    workspace.write(f"m/ほか/{path}", f"{title}\n\n手順。\n")
    found = serve().find("鍵言葉")
    assert ([item["path"] for item in found.hits()], found.hits("gaps")) == (["規則/a.md", f"規則/{path}"], [])


@pytest.mark.parametrize(
    ("cited", "hint"),
    [("別紙2を参照。", "別紙2"), ("様式第3号による。", "様式3"), ("As chapter 3 says.", "chapter 3")],
)
def test_one_that_is_nowhere_is_a_gap_with_its_name(
    workspace: WorkspaceFolder, serve: Serve, cited: str, hint: str
) -> None:
    workspace.write("m/a.md", f"# 就業規則\n\n## 第10条（副業）\n\n鍵言葉は{cited}\n")
    assert [gap["gap_hint"] for gap in serve().find("鍵言葉").hits("gaps")] == [f"unresolved reference: {hint}"]


def test_an_appendix_of_the_own_document_comes_before_a_file_of_that_name(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 規則\n\n## 第1条\n\n鍵言葉は別表第1のとおり。\n\n## 別表第1\n\n表。\n")
    workspace.write("m/別表1.md", "# 別表1\n\n表。\n")
    assert [item["path"] for item in serve().find("鍵言葉").hits()] == ["a.md", "a.md"]
