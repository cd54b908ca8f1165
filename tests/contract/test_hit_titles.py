"""What a hit is called: enough to choose by."""

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

LAW = """\
# 試験法

## 第一章　総則

### 第一条

（目的）

鍵言葉を定める。

### 第二条

鍵言葉は、次に掲げるとおりとする。

### 第三条（定義）

鍵言葉とは、これをいう。

## 附　則

### 第一条

鍵言葉は、この法律の施行の日から用いる。

### 第四条

（鍵言葉に関する経過措置）

鍵言葉は、なお従前の例による。
"""


def titles(serve: Serve, **arguments: object) -> list[tuple[int, str]]:
    hits = serve().find("鍵言葉", **arguments).hits()
    return sorted((hit["start_line"], hit["ref"].get("title", "")) for hit in hits)


def test_an_article_whose_heading_is_its_number_is_called_by_what_tells_it_from_others(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/試験法.md", LAW)
    assert [title for _, title in titles(serve)] == [
        "第一条(目的)",
        "第一章　総則 › 第二条",
        "第三条（定義）",
        "附　則 › 第一条",
        "第四条(鍵言葉に関する経過措置)",
    ]


def test_a_title_that_several_sections_of_a_document_have_stands_behind_the_one_above(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 甲\n\n## 例\n\n鍵言葉\n\n## 用途\n\n鍵言葉\n\n# 乙\n\n## 例\n\n鍵言葉\n")
    workspace.write("m/b.md", "# 丙\n## 例\n\n鍵言葉\n")
    assert [title for _, title in titles(serve)] == ["例", "甲 › 例", "用途", "乙 › 例"]


def test_a_title_above_which_none_stands_is_as_it_is(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 第一条\n\n鍵言葉\n\n# 例\n\n鍵言葉\n\n# 例\n\n鍵言葉\n")
    assert [title for _, title in titles(serve)] == ["第一条", "例", "例"]


def test_of_a_paragraph_that_a_line_of_dashes_makes_a_heading_the_beginning_is_shown(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", f"{'長い段落。' * 1_000}\n---\n\n鍵言葉\n\n### 例\n\n鍵言葉\n\n### 例\n\n鍵言葉\n")
    start = ("長い段落。" * 40)[:199] + "…"
    assert [title for _, title in titles(serve)] == [start, f"{start} › 例", f"{start} › 例"]
