"""Which lines of a Markdown text are headings."""

import pytest

from morenashi.indexer import markdown
from morenashi.indexer.markdown import parse_blocks

from ..threads import call_at_once


def headings(text: str) -> list[tuple[int, int, str]]:
    return [(heading.line, heading.level, heading.title) for heading in parse_blocks(text).headings]


def test_one_to_six_marks_and_a_blank_make_a_heading() -> None:
    text = "# 一\n## 二\n### 三\n#### 四\n##### 五\n###### 六\n"
    assert [level for _, level, _ in headings(text)] == [1, 2, 3, 4, 5, 6]


def test_seven_marks_are_no_heading() -> None:
    assert headings("####### 七\n") == []


def test_marks_without_a_blank_are_no_heading() -> None:
    assert headings("#総則\n#5 bolt\n") == []


def test_closing_marks_do_not_belong_to_the_title() -> None:
    assert headings("## 総則 ##\n") == [(1, 2, "総則")]


def test_a_heading_may_be_indented_by_three_blanks() -> None:
    assert headings("   # 総則\n") == [(1, 1, "総則")]


def test_a_heading_may_be_empty() -> None:
    assert headings("#\n## \n") == [(1, 1, ""), (2, 2, "")]


def test_a_heading_interrupts_a_paragraph() -> None:
    assert headings("本文\n# 総則\n本文\n") == [(2, 1, "総則")]


def test_an_escaped_mark_is_no_heading() -> None:
    assert headings("\\# 総則\n") == []


def test_underlined_text_is_a_heading_on_its_first_line() -> None:
    assert headings("前文\n\n総則\n====\n\n目的\n----\n") == [(3, 1, "総則"), (6, 2, "目的")]


def test_an_underlined_heading_of_two_lines_has_one_title() -> None:
    assert headings("総則\nと目的\n===\n") == [(1, 1, "総則 と目的")]


def test_dashes_after_a_blank_line_are_no_underline() -> None:
    assert headings("総則\n\n---\n") == []


def test_dashes_below_a_table_row_are_no_underline_of_the_table() -> None:
    assert headings("| a | b |\n| - | - |\n| 1 | 2 |\n") == []


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "  ```"])
def test_a_heading_inside_a_fence_is_no_heading(fence: str) -> None:
    assert headings(f"# 一\n\n{fence}sh\n# comment\n{fence}\n\n# 二\n") == [(1, 1, "一"), (7, 1, "二")]


def test_a_shorter_fence_does_not_close_a_longer_one() -> None:
    assert headings("````\n```\n# comment\n````\n# 二\n") == [(5, 1, "二")]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert headings("# 一\n```\n# comment\n# comment\n") == [(1, 1, "一")]


def test_an_unclosed_fence_in_a_quote_ends_with_the_quote() -> None:
    assert headings("> ```\n> # comment\n\n# 二\n") == [(4, 1, "二")]


def test_indented_code_holds_no_heading() -> None:
    assert headings("# 一\n\n    # comment\n\t# comment\n") == [(1, 1, "一")]


def test_an_html_block_holds_no_heading() -> None:
    assert headings("<div>\n# comment\n</div>\n\n# 二\n") == [(5, 1, "二")]


def test_an_html_comment_holds_no_heading() -> None:
    assert headings("<!--\n# 一\n\n# 二\n-->\n# 三\n") == [(6, 1, "三")]


def test_an_html_heading_is_html() -> None:
    assert headings("<h2>総則</h2>\n") == []


def test_headings_in_quotes_and_list_items_are_headings() -> None:
    assert headings("> # 一\n\n- # 二\n\n1. ## 三\n") == [(1, 1, "一"), (3, 1, "二"), (5, 2, "三")]


def test_a_link_definition_before_an_underlined_heading_is_not_its_first_line() -> None:
    assert headings("[a]: https://example.org\n総則\n===\n") == [(2, 1, "総則")]


def test_front_matter_is_no_heading_and_keeps_its_lines() -> None:
    assert headings("---\ntitle: 総則\n---\n# 一\n") == [(4, 1, "一")]


def test_front_matter_may_hold_comments_lists_and_blank_lines() -> None:
    front = "---\n# comment\ntitle: 総則\ntags:\n  - a\n\nweight: 2\n---\n"
    assert headings(f"{front}\n# 一\n") == [(10, 1, "一")]


def test_front_matter_may_end_with_dots() -> None:
    assert headings("---\ntitle: 総則\n...\n# 一\n") == [(4, 1, "一")]


def test_front_matter_may_be_all_there_is() -> None:
    assert headings("---\ntitle: 総則\n---") == []


@pytest.mark.parametrize(
    "front",
    [
        "\nkanban-plugin: basic\n",
        " title: 総則\n kind: article\n",
        '{\n  "tags": "journal",\n  "publish": false\n}\n',
        "$schema: https://example.org/manual.json\n",
    ],
    ids=["blank lines", "indented", "JSON", "a name that begins with a sign"],
)
def test_front_matter_as_programs_write_it_is_no_heading(front: str) -> None:
    lines = front.count("\n")
    assert headings(f"---\n{front}---\n# 一\n") == [(lines + 3, 1, "一")]


def test_a_heading_between_two_rules_is_one_whatever_looks_like_a_key() -> None:
    assert headings("---\n\n注意: 次を読む。\n\n# 一\n\n---\n") == [(5, 1, "一")]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert headings("---\n\n# 一\n\n---\n\n# 二\n") == [(3, 1, "一"), (7, 1, "二")]


def test_prose_between_two_rules_is_no_front_matter() -> None:
    assert headings("---\n本文だけ\n---\n") == [(2, 2, "本文だけ")]


def test_dashes_further_down_are_no_front_matter() -> None:
    assert headings("本文\n\n---\ntitle: 総則\n---\n") == [(4, 2, "title: 総則")]


def test_front_matter_that_never_ends_is_none() -> None:
    assert headings("---\ntitle: 総則\n\n# 一\n") == [(4, 1, "一")]


@pytest.mark.parametrize(
    ("heading", "title", "anchor"),
    [
        ("## 設定 {#setup}", "設定", "setup"),
        ("## 設定 {/*setup*/}", "設定", "setup"),
        ("## 設定 {/* setup */}", "設定", "setup"),
        ("## 設定{#setup}", "設定", "setup"),
        ("## 設定 { #setup }", "設定", "setup"),
        ("## 設定 {: #setup }", "設定", "setup"),
        ("## 設定 {#setup .unnumbered lang=ja}", "設定", "setup"),
        ("## 設定 ## {: #setup }", "設定", "setup"),
        ("## 設定# {#setup}", "設定#", "setup"),
        ("## {#only}", "", "only"),
        ('## 2.3. 設定[¶](#setup "この見出しへのパーマリンク")', "2.3. 設定", "setup"),
        ("## 設定 [#](#setup)", "設定", "setup"),
        ("## [](#setup) 設定", "設定", "setup"),
        ("## 設定 [\u200b](#setup 'Permalink')", "設定", "setup"),
        ("## 設定は[手順](#setup)", "設定は[手順](#setup)", None),
        ("## [設定-1](#設定1)", "設定-1", "設定1"),
        ("## [設定](#setup)", "[設定](#setup)", None),
        ('## <span id="setup"></span>第1章 設定', "第1章 設定", None),
        ('## 設定 <a name="setup"></a>', "設定", None),
        ('## <a id="a"></a> <a name="b"></a>設定 {#setup}', "設定", "setup"),
        ('## <a id="setup"></a>', '<a id="setup"></a>', None),
        ('## <a id="setup">設定</a>', '<a id="setup">設定</a>', None),
        ("## [¶](#setup)", "[¶](#setup)", None),
        (
            '## <span class="section-number">2.3. </span>設定<a href="#setup" class="headerlink" title="ここへ">¶</a>',
            "2.3. 設定",
            "setup",
        ),
        ('## <a class="anchor" href="#setup"></a>設定', "設定", "setup"),
        ('## 設定は<a href="#setup">手順</a>', '設定は<a href="#setup">手順</a>', None),
        ("# 設定 [![build](https://x.example/b.svg)](https://x.example) ![v1](v.svg)", "設定", None),
        ("# ![設定](logo.png)", "![設定](logo.png)", None),
        ('## <span class="number">2.</span> `設定` の例', "2. `設定` の例", None),
        ("## `<span>設定</span>` の例", "`<span>設定</span>` の例", None),
        ("## ``<span>設定</span>`` の例", "``<span>設定</span>`` の例", None),
        ("## 引用符 ` の<span>設定</span>", "引用符 ` の設定", None),
        ("## 設定 {.tabset}", "設定 {.tabset}", None),
        ("## 設定 {#} x", "設定 {#} x", None),
        ("## 集合 {a, b}", "集合 {a, b}", None),
        ("## `{#code}` の例", "`{#code}` の例", None),
    ],
)
def test_an_explicit_anchor_is_taken_off_the_title(heading: str, title: str, anchor: str | None) -> None:
    (found,) = parse_blocks(heading + "\n").headings
    assert (found.title, found.anchor) == (title, anchor)


def test_the_first_texts_of_several_threads_have_all_their_headings() -> None:
    text = "# 総則\n\n- 一\n  - 二\n\n> ## 定義\n\n```\n# 例\n```\n\n## 期限\n"
    expected = headings(text)
    for _ in range(100):
        markdown._block_parser.cache_clear()
        markdown._block_parser()
        assert call_at_once(headings, [text] * 4) == [expected] * 4
