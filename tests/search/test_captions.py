"""A short line of its own below a heading is a caption: it says what the section is about."""

import pytest

from morenashi.server.search.ranking.captions import article_title, weigh_caption

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize("caption", ["梅雨", "(定義)", "version 2.1", "Flags of convenience"])
def test_the_words_of_a_caption_count_twice(caption: str) -> None:
    assert weigh_caption(f"## 第1条\n\n{caption}\n\n本文。\n").count(caption) == 2


@pytest.mark.parametrize(
    "text",
    [
        "## 第1条\n\n旗を掲げる。\n\n本文。",
        "## 第1条\n\n次のとおりとする:\n\n本文。",
        "## 第1条\n\n- 項目\n\n本文。",
        "## 第1条\n\n1. 項目\n\n本文。",
        "## 第1条\n\n### 細目\n\n本文。",
        "## 第1条\n\n一行目\n二行目\n\n本文。",
        "## 第1条\n\n梅雨",
        "梅雨\n\n本文。",
        "## 第1条\n\n" + "長" * 41 + "\n\n本文。",
    ],
)
def test_sentences_items_and_lines_that_go_on_are_no_captions(text: str) -> None:
    assert weigh_caption(text) == text


def test_a_caption_in_brackets_is_the_title_of_an_article() -> None:
    assert article_title("## 第1条\n\n(定義)\n\n本文。") == "(定義)"
    assert article_title("## 第1条\n\n梅雨\n\n本文。") == ""


def test_the_article_with_the_caption_comes_before_those_that_mention_it(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    mentions = "".join(f"## 第{number}条\n\n旗の掲揚は旗の掲揚による。\n\n" for number in range(2, 8))
    text = "船舶は入港のときその印を示さなければならない。" * 8
    workspace.write("m/law.md", f"# 旗章法\n\n{mentions}## 第八条\n\n（旗の掲揚）\n\n{text}\n")
    best = serve().find("旗の掲揚").hits()[0]
    assert best["start_line"] == 29
    assert "heading" in best["signals"]
