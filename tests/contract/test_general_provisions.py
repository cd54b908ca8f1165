"""What holds for all that stands beside it is a candidate where that is found: 適用範囲, 定義, 不支給."""

import pytest

from morenashi.indexer.general_provisions import is_general

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder

RULES = """# 福利厚生規程

## 第1条（適用範囲）

正社員に適用する。

## 第2条（旅行）

### 定義

泊まるものをいう。

### 届出

届け出る。

## 第3条（書籍）

鍵言葉の購入費を出す。

## 第4条（不正受給）

偽った者は返す。
"""


def test_sections_that_hold_for_what_was_found_come_after_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", RULES)
    workspace.write("m/b.md", RULES.replace("鍵言葉", "衣服"))
    found = serve().find("鍵言葉")
    items = [(item["path"], item["start_line"], item["signals"]) for item in found.hits()]
    assert items == [
        ("a.md", 19, ["normalized"]),
        ("a.md", 3, ["reference"]),
        ("a.md", 21, ["reference"]),
    ]


def test_those_of_a_chapter_hold_in_it_alone(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", RULES)
    assert [item["start_line"] for item in serve().find("届け出る").hits()] == [15, 3, 9, 21]


@pytest.mark.parametrize(("articles", "is_widened"), [(1, True), (3, False)])
def test_they_do_not_make_few_candidates_many_nor_one_file_prevail(
    workspace: WorkspaceFolder, serve: Serve, articles: int, is_widened: bool
) -> None:
    found = "".join(f"## 第{number}条\n\n{number}番の鍵言葉。\n\n" for number in range(10, 10 + articles))
    workspace.write("m/a.md", RULES.replace("鍵言葉", "衣服") + found)
    workspace.write("other/b.md", "# 別\n\n鍵言葉\n")
    assert serve().find("鍵言葉", manual_id="m").summary["scope_expanded"] is is_widened


JAPANESE = "適用範囲/第2条 適用範囲/第二条の三(用語の意義)/1.2 定義/第百二十四条(適用除外等)/旅費の減額・不支給"
ENGLISH = "1. definitions/a. definitions/section 2 - scope/3.1 exclusions/article 4. applicability"
OTHER_JAPANESE = "適用範囲の見直し/定義済みの値/第3条(納税義務の適用除外となる猶予)/変数の定義/対象/退職金の減額"
OTHER_ENGLISH = "scope/scoped packages/definitions/1. limitations/3.1 application security/3. scope of license"


@pytest.mark.parametrize("title", f"{JAPANESE}/{ENGLISH}".split("/"))
def test_headings_of_what_holds_for_others(title: str) -> None:
    assert is_general(title)


@pytest.mark.parametrize("title", f"{OTHER_JAPANESE}/{OTHER_ENGLISH}".split("/"))
def test_headings_of_what_does_not(title: str) -> None:
    assert not is_general(title)
