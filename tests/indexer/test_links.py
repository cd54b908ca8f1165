"""Links of Markdown texts: where they lead, and what they call it."""

import pytest

from morenashi.indexer.documents import parse_document
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.references.links import link_target
from morenashi.indexer.references.place_keys import anchor_key


def links(text: str, path: str = "guide/a.md") -> list[tuple[str, str | None, str]]:
    document = parse_document(text.encode(), "md", ExceptionFinder(()), path)
    return [(reference.text, reference.called, reference.name) for reference in document.references]


@pytest.mark.parametrize(
    ("destination", "expected"),
    [
        ("b.md", ("/guide/b", "")),
        ("./b.md#The-Part", ("/guide/b", "~thepart")),
        ("../c/d.html", ("/c/d", "")),
        ("/x/y.html#anchor", ("/x/y", "~anchor")),
        ("sub/", ("/guide/sub/", "")),
        ("#here", (None, "~here")),
        ("#", None),
        ("%E7%94%B3%E8%AB%8B.md", ("/guide/申請", "")),
        ("か\u3099.md", ("/guide/が", "")),
        ("b.md?x=1#y", ("/guide/b", "~y")),
        ("https://example.com/b.md", None),
        ("//example.com/b.md", None),
        ("mailto:a@example.com", None),
        ("b.png", None),
        ("../src/main.rs", None),
        ("release-1.2", ("/guide/release-1.2", "")),
        ('{% page "/tools/slack#x" %}', ("/tools/slack", "~x")),
        ("{{site.baseurl}}/tools/", ("/tools/", "")),
        ("../../../up.md", ("/up", "")),
    ],
)
def test_a_destination_is_a_document_and_a_name(destination: str, expected: tuple[str | None, str] | None) -> None:
    assert link_target("guide/a.md", destination) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Ｔｅｘｔ](b.md)", [("text", "/guide/b", "")]),
        ('[text](<b c.md> "title")', [("text", "/guide/b c", "")]),
        ("[two\nlines](b.md)", [("two lines", "/guide/b", "")]),
        ("[the `code` *here*](b.md)", [("the code here", "/guide/b", "")]),
        ("[a [nested] text](b.md)", [("a (nested) text", "/guide/b", "")]),
        ("[a](b(1).md)", [("a", "/guide/b(1)", "")]),
        ("[![image](i.png)](b.md)", [("!(image)(i.png)", "/guide/b", "")]),
        ("![image](b.md)", []),
        (r"\[a](b.md)", []),
        ("`[a](b.md)` and ``[c](`d.md)``", []),
        ("`[a](b.md)", [("a", "/guide/b", "")]),
        ("`a\n\n[a](b.md)`", [("a", "/guide/b", "")]),
        ("`` ` [a](b.md) ``", []),
        ("` ``` [a](b.md) `", []),
        ("[a]\n\n(b.md)", []),
        ("[text][label]\n\n[Label]: b.md#x", [("text", "/guide/b", "~x")]),
        ("[label][]\n\n[label]: b.md", [("label", "/guide/b", "")]),
        ("[label]\n\n[label]: <b.md>", [("label", "/guide/b", "")]),
        ("[unknown][label]", []),
        ("[[Page]]", [("page", "page", "")]),
        ("[[Page|shown]]", [("shown", "page", "")]),
        ("[[Page#Head|shown]]", [("shown", "page", "~head")]),
        (r"| [[Page\|shown]] | [[Page#Head\|shown]] |", [("shown", "page", ""), ("shown", "page", "~head")]),
        ("[[folder/Page]]", [("folder/page", "/folder/Page", "")]),
        ("[[ Page.md |shown]]", [("shown", "page", "")]),
        ("[[#Head]]", [("head", None, "~head")]),
        ("![[Shown#Head]]", [("head", "shown", "~head")]),
        ("[[_TOC_]]\n\n[[toc]]", []),
        ("[[#^block-1]] [[Page#^block-1|shown]]", [("block-1", None, "~block1"), ("shown", "page", "~block1")]),
        ("![[picture.webp]] ![[folder/sound.mp3|300]]", []),
        ("a note[[4]](#note-4)", [("(4)", None, "~note4")]),
        ("[[1]](b.md#x) and [[2]](https://example.com)", [("(1)", "/guide/b", "~x")]),
        ("[[Page]](in brackets)", [("page", "page", "")]),
        (r"[[yii\web\View::render()|render()]]", []),
        ('<a class="x" href="b.md#y">Text</a>', [("text", "/guide/b", "~y")]),
        ("<a\nhref = 'b.md'>one</a> <a name='n'>two</a>", [("one", "/guide/b", "")]),
        ('<td><a href="b.md"><b>bold</b></a></td>', [("", "/guide/b", "")]),
        ('<Card\n  title="x"\n  href="/b/c"\n>\nText</Card>', [("text", "/b/c", "")]),
        ('<Lesson href="https://x.example/y" />\n[a](b.md) <Card href="/c"/>', [("a", "/guide/b", ""), ("", "/c", "")]),
        ("[Text](./b.mdx#y)", [("text", "/guide/b", "~y")]),
        (r'`<a href="b.md">x</a>` \<a href="b.md">', []),
        ('<a :href="b" v-bind:href="c.md">x</a> <abbr href="b.md">', []),
    ],
)
def test_links_are_found_with_what_they_show_and_where_they_lead(
    text: str, expected: list[tuple[str, str | None, str]]
) -> None:
    assert links(text) == expected


def test_headings_and_html_make_anchors() -> None:
    text = (
        "# The Title!\n\n## `code` [link](x.md) & more {#own-id}\n\n## Same\n\n## Same\n\n"
        '## Spanned <span id="inner"></span>\n\n<a name="above"></a>\n\n## Below\n\ntext <i id=\'here\'>x</i>\n'
    )
    document = parse_document(text.encode(), "md", ExceptionFinder(()), "a.md")
    places = {place.name: place.line for place in document.names if place.name.startswith("~")}
    assert places == {
        "~thetitle": 1,
        "~ownid": 3,
        "~codelinkmore": 3,
        "~same": 5,
        "~same1": 7,
        "~spanned": 9,
        "~inner": 9,
        "~above": 13,
        "~below": 13,
        "~here": 15,
    }


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("fill(shape: [Shape][shape-type], area: [Area][])", "fill-shape-shape-area-area"),
        ("Lists< [Item][item-type]>", "lists-item"),
        ("Lists< [Item][item-type]>", "lists"),
        ("`Map<Key>` and `at[i][j]`", "mapkey-and-atij"),
        ("at[i][j]", "atij"),
        ("1. \\<example.org> access", "1-exampleorg-access"),
        ("Speed <kbd>F5</kbd> if a < b", "speed-f5-if-a--b"),
    ],
)
def test_a_heading_is_named_by_what_it_shows(heading: str, anchor: str) -> None:
    document = parse_document(f"# Guide\n\n## {heading}\n".encode(), "md", ExceptionFinder(()), "a.md")
    assert anchor_key(anchor) in {place.name for place in document.names}


def test_a_block_has_the_name_that_a_note_sets_behind_it() -> None:
    text = "# Note\n\nA line. ^first\n\n- an item ^item-2\n\n> quoted\n\n^quote\n\n## Item 2\n\n2 ^ 3, a^b, x ^y z\n"
    document = parse_document(text.encode(), "md", ExceptionFinder(()), "a.md")
    places = {place.name: place.line for place in document.names if place.name.startswith("~")}
    # A heading of that name comes first.
    assert places == {"~note": 1, "~first": 3, "~item2": 11, "~quote": 9}


def test_a_heading_of_its_own_comes_before_one_without_what_stands_in_angle_brackets() -> None:
    document = parse_document(b"# `Map<Key>`\n\n# Map\n", "md", ExceptionFinder(()), "a.md")
    assert {place.name: place.line for place in document.names if place.name[:1] == "~"} == {"~mapkey": 1, "~map": 3}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# 題\n\n本文\n", 1),
        ("---\ntitle: x\n---\n\n# 題\n\n本文\n", 5),
        ("<page-title/>\n\n前置き。\n\n# 題\n\n本文\n", 5),
        ("\n\n# 題\n", 3),
        ("前置き。\n\n## 節\n\n# 題\n", 1),
        ("本文だけ\n", 1),
    ],
)
def test_a_whole_document_is_its_title_and_not_what_stands_before_it(text: str, line: int) -> None:
    document = parse_document(text.encode(), "md", ExceptionFinder(()), "a.md")
    assert [place.line for place in document.names if place.name == ""] == [line]


@pytest.mark.parametrize(("characters", "expected"), [(1_999, 2), (2_000, 0)])
def test_a_label_leads_no_further_than_a_link_may_say_itself(characters: int, expected: int) -> None:
    """Each link by the label keeps all of it: of a file of 80 kB, 400 MB were kept."""
    destination = "#" + "x" * characters
    assert len(links(f"[a](<{destination}>)\n\n[b]\n\n[b]: {destination}\n")) == expected
