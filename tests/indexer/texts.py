"""Strategies for text as manuals have it, and worse."""

from hypothesis import strategies as st

AWKWARD = (
    "aAbZ09 \t\u3000\xa0・-ー－―/／\\()（）「」[]~〜_,、。"
    "第三条ⅢⅣ①㌔ｶﾞﾊﾟがか\u3099は\u309aサーバヴ々〆ß\u0130\u01f0\u0149ﬀẞς"
    "e\u0301a\u0300\u0327´¨\u037a\u0345\u200b\u200d\u00ad\ufeff\ufe0f\u2028\x85\x0b\x0c\x00\x1f\x7f"
    "가각\u1100\u1161\u11a8ﷺ😀\U0002000b⼀"
)
"""Characters that fold, compose, expand, vanish or turn into blanks."""

lines = st.text(st.sampled_from(AWKWARD), max_size=40) | st.text(
    st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=40
)
"""One line, of awkward characters or of any."""

texts = st.lists(lines, max_size=8).map("\n".join)
"""Some lines with line feeds between them."""

markdown_lines = st.sampled_from(
    (
        "# 第一章 総則",
        "## 第三条（旅費）",
        "### Setup {#setup}",
        "#nospace",
        "Title",
        "=====",
        "-----",
        "",
        "",
        "  ",
        "```",
        "~~~",
        "    # indented",
        "> # quoted",
        "- # in a list",
        "本文は、ここに書く。",
        "plain text",
        "<div>",
        "</div>",
        "key: value",
        "---",
        "###### six",
        "#",
    )
)
citing_lines = st.sampled_from(
    (
        "# x法",
        "# y法",
        "# 一",
        "## 第一条",
        "## 第三条（旅費）",
        "## 第四条",
        "## 第五条",
        "## 附則",
        "２　二項",
        "前条による。",
        "第三条第二項、第五条",
        "第一条から第五条まで",
        "x法第三条第二項",
        "y法第四条、y法第一条から第四条まで",
        "[三](x.md#第三条旅費)",
        "[z](sub/y.md), [y](/elsewhere/y.html)",
        "[[y]] [[一#第四条]]",
        "",
        "",
    )
)
"""Lines that refer to each other, also across documents called x and y."""

markdown_texts = st.lists(markdown_lines, max_size=30).map("\n".join)
"""Markdown that has everything at once."""
