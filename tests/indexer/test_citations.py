"""What lines say about other places, in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.documents import ParsedDocument, parse_document
from morenashi.indexer.exceptions import ExceptionFinder

ARTICLES = "".join(f"## 第{n}条\n\n本文。\n\n" for n in range(1, 9))


def parse(text: str, path: str = "試験法.md") -> ParsedDocument:
    return parse_document(text.encode(), "md", ExceptionFinder(()), path)


def targets(line: str, path: str = "試験法.md", before: str = ARTICLES) -> list[str]:
    """What a line of article 20 cites, as `CALLED NAME+DETAIL-LAST`."""
    found = parse(f"{before}## 第二十条（見出し）\n\n{line}\n\n## 第二十一条\n\n", path).references
    return [_shown(reference) for reference in found]


def _shown(reference: object) -> str:
    _, _, _, _, _, called, name, detail, last = reference  # type: ignore[misc]
    return f"{called or ''} {name}{detail or ''}{'-' + last if last else ''}".strip()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("第三条の規定による。", ["条3"]),
        ("第3条、第４条、第五条による。", ["条3", "条4", "条5"]),
        ("第三条の二第一項第二号に規定する者", ["条3-2項1"]),
        ("第三十五条の三の五十六", ["条35-3-56"]),
        ("第三条の二分の一を超える", ["条3"]),
        ("第二条第一項、第二項若しくは第四項の規定", ["条2項1"]),
        ("第三条から第五条までの規定", ["条3-条5"]),
        ("第三条第一項から第三項までの規定", ["条3項1"]),
        ("第3条～第5条、第６条〜８条、第1条-第2条を見る。", ["条3-条5", "条6-条8", "条1-条2"]),
        ("第三条から前条までの規定", ["条3-条8"]),
        ("前条第二項の規定", ["条8項2"]),
        ("前二条の規定", ["条7-条8"]),
        ("前三条の規定", ["条6-条8"]),
        ("次条において同じ。", ["条21"]),
        ("第三条第一項及び同条第二項", ["条3項1", "条3項2"]),
        ("第二十条第一項の規定", []),
        ("第二十条から第二十一条までの規定", ["条20-条21"]),
        ("前項の規定により、同項の例による。", []),
        ("別表第一の上欄、別表第二の三", ["別表1", "別表2-3"]),
        ("様式第三号、別記様式第一号の二、第五号様式、様式4", ["様式3", "様式1-2", "様式5", "様式4"]),
        ("第二章第三節の規定", ["章2節3"]),
        ("附則第三条の規定", ["附則1条3"]),
        ("１）第三条の規定", ["条3"]),
    ],
)
def test_places_of_the_same_document(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


@pytest.mark.parametrize(
    "line",
    ["事前条件を満たす。", "国際条約の第二条約国", "第二条件", "次条件", "以前条例があった", "同条約による", "条と章"],
)
def test_words_that_only_look_like_articles_cite_nothing(line: str) -> None:
    assert targets(line) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("所得税法第三条の規定", ["所得税法 条3"]),
        ("所得税法（昭和四十年法律第三十三号）第三条第一項の規定", ["所得税法 条3項1"]),
        ("所得税法第三条及び第五条（見出し）並びに第七条第一項", ["所得税法 条3", "所得税法 条5", "所得税法 条7項1"]),
        ("所得税法第三条に規定する者は、第五条による。", ["所得税法 条3", "条5"]),
        ("第五条及び所得税法第三条の規定", ["条5", "所得税法 条3"]),
        ("所得税法第三条の者及び同法第五条の者", ["所得税法 条3", "所得税法 条5"]),
        ("民法（第九条を除く。）の規定", ["民法 条9"]),
        ("会社法第二条、第三条（第五条を除く。）又は第四条", ["会社法 条2", "会社法 条3", "条5", "会社法 条4"]),
        ("この法律第三条、本法第四条", ["条3", "条4"]),
        ("試験法第三条の規定", ["条3"]),
        ("小切手法第三条、農業協同組合法第四条", ["小切手法 条3", "農業協同組合法 条4"]),
        ("計算の方法第三条", ["条3"]),
        ("旧法第三条、新法第四条、改正前の試験法第五条", ["旧法 条3", "新法 条4", "改正前の試験法 条5"]),
        (
            "国税通則法（昭和三十七年法律第六十六号。以下「通則法」という。）の定め、通則法第三条",
            ["国税通則法 条3"],
        ),
        ("個人情報の保護に関する法律第三条", ["個人情報の保護に関する法律 条3"]),
        ("就業規則第2条に定める者", ["就業規則 条2"]),
        ("所得税法（昭和四十年法律第三十三号（旧法）。）第三条", ["所得税法 条3"]),
        ("会社法第二条（商法（明治三十二年法律第四十八号）第三条）", ["会社法 条2", "商法 条3"]),
        ("「就業規則」第2条及び第3条、『旅費規程』第４条", ["就業規則 条2", "就業規則 条3", "旅費規程 条4"]),
        ("「試験法」第三条、「届出」第四条", ["条3", "条4"]),
        ("所得税法（以下「法」という。）による「法」第三条", ["所得税法 条3"]),
        (
            "所得税法別表第一、所得税法第二章、所得税法附則第三条",
            ["所得税法 別表1", "所得税法 章2", "所得税法 附則1条3"],
        ),
    ],
)
def test_laws_are_named_before_their_articles(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


@pytest.mark.parametrize("ending", ["施行令", "施行規則"])
def test_in_the_orders_to_a_law_short_names_mean_the_family(ending: str) -> None:
    cited = targets("法第三条、令第四条、規則第五条", f"所得税法{ending}.md")
    family = {"所得税法 条3", "所得税法施行令 条4", "所得税法施行規則 条5"}
    own = {"施行令": ("所得税法施行令 条4", "条4"), "施行規則": ("所得税法施行規則 条5", "条5")}[ending]
    assert set(cited) in ({*family}, (family - {own[0]}) | {own[1]})


def test_wording_of_an_amendment_is_not_cited_unless_its_caption_is_our_own() -> None:
    assert targets("この場合において、同項中「第三条」とあるのは「第五条」と読み替える。") == []
    assert targets("第六条中「第三条」とあるのは、「第五条」とする。") == ["条6"]
    captioned = "## 第三条（定義）\n\n本文。\n\n"
    assert targets("「第三条（定義）」とあるのは「前項」とする。", before=captioned) == ["条3"]
    assert targets("「民法第三条（定義）」とあるのは「前項」とする。", before=captioned) == []


def test_what_is_quoted_otherwise_is_cited() -> None:
    assert targets("詳しくは「第3条」を見ること。") == ["条3"]


@pytest.mark.parametrize(
    ("line", "relation"),
    [
        ("第三条の規定は、法人について準用する。", "準用"),
        ("法人について準用する第三条の規定", "準用"),
        ("第三条に準ずる者", "準ずる"),
        ("第三条の規定に準じて定める。", "準ずる"),
        ("第三条の規定の例による。", "例による"),
        ("第三条の規定による。", None),
    ],
)
def test_the_relation_is_kept(line: str, relation: str | None) -> None:
    (reference,) = parse(f"{ARTICLES}## 第二十条\n\n{line}\n").references
    assert reference.relation == relation


SUPPLEMENTED = """# 試験法

## 第一条（目的）

本文。

## 第二条

前条の規定による。附則第一条による。

## 附則

### 第一条（施行期日）

公布の日から施行する。

### 第二条

前条、第二条及び附則第一条による。

## 附則（平成十年法律第三号）

### 第一条

前条。

### 第二条

前条による。第二条の規定による改正後の附則第一条による。
"""


def test_supplementary_provisions_count_by_themselves() -> None:
    by_line: dict[int, list[str]] = {}
    for reference in parse(SUPPLEMENTED).references:
        by_line.setdefault(reference.line, []).append(_shown(reference))
    assert by_line == {
        9: ["条1", "附則1条1"],
        19: ["附則1条1", "条2"],
        25: ["前条"],
        29: ["附則2条1", "改正法 条2"],
    }


def test_joint_and_branched_headings_are_passed_in_order() -> None:
    text = "## 第一条\n\n## 第二条から第四条まで　削除\n\n## 第四条の二\n\n前条、前二条\n\n## 第五条\n\n前条\n"
    found = parse(text)
    assert {place.name for place in found.names} >= {"条1", "条2", "条3", "条4", "条4-2", "条5"}
    assert [_shown(reference) for reference in found.references] == ["条4", "条3-条4", "条4-2"]


def test_chapters_before_and_after_are_those_beside_the_one_it_stands_in() -> None:
    chapters = ("次章", "前章、次章、前節、次節", "前章")
    articles = "".join(
        f"## 第{n}章\n\n### 第2節\n\n#### 第{n}条\n\n{said}による。\n\n" for n, said in enumerate(chapters, 2)
    )
    assert [_shown(reference) for reference in parse(articles).references] == [
        "章3",
        "章2",
        "章4",
        "章3節1",
        "章3節3",
        "章3",
    ]


def test_what_comes_after_a_joint_heading_comes_after_its_last_article() -> None:
    found = parse("## 第一条及び第三条　削除\n\n次条\n\n## 第四条\n\n## 第五条\n")
    assert [_shown(reference) for reference in found.references] == ["条4"]
    assert "条2" not in {place.name for place in found.names}


@pytest.mark.parametrize(("text", "line"), [("前文\n\n# 題\n", 3), ("# 甲\n\n# 乙\n", 1), ("前文\n\n## 節\n", 1)])
def test_the_document_is_its_title_and_not_what_stands_before(text: str, line: int) -> None:
    assert [place.line for place in parse(text).names if place.name == ""] == [line]


def test_a_heading_does_not_cite_its_own_number() -> None:
    text = (
        "## 第一条\n\n## 第二条（第一条の特例）\n\n## 附則\n\n### 第一条\n\n## 別表第一（第二条関係）\n\n## 様式第一号"
    )
    assert [_shown(reference) for reference in parse(text).references] == ["条1", "条2"]


def test_paragraphs_have_lines() -> None:
    text = "## 第一条\n\n（目的）\n\n一項。\n\n２　二項。\n\n- 一　号\n\n③　三項。\n\n2020 年の話。\n"
    places = {place.name: place.line for place in parse(text).names if "項" in place.name}
    assert places == {"条1項1": 5, "条1項2": 7, "条1項3": 11}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("See section 3.2 for more.", ["section 3.2"]),
        ("Sections 3.2 and § 4.1 say so.", ["section 3.2", "section 4.1"]),
        ("as Chapter 4 shows", ["chapter 4"]),
        ("Appendix B lists them", ["appendix b"]),
        ("section 5 of the Privacy Act", ["privacy act section 5"]),
        ("RFC 9110 section 5", ["rfc 9110 section 5"]),
        ("section 5 of [RFC 9110](https://example.org/9110#section-5)", ["rfc 9110 section 5"]),
        ("section 5 of \\[RFC9110\\] and section 6 of the **Code**", ["rfc9110 section 5", "code section 6"]),
        ("[RFC 9110](https://example.org/9110), Section 5", ["rfc 9110 section 5"]),
        ("[RFC 1122][half] (section 4.2)", ["rfc 1122 section 4.2"]),
        ("\\[RFC9110\\] Section 3", ["rfc9110 section 3"]),
        ('section 5 of the "Privacy Act" of 1974', ["privacy act section 5"]),
        ("section B(5)", ["section b.5"]),
        ("Sections 3.2, 4 and 5.1 apply.", ["section 3.2", "section 4", "section 5.1"]),
        ("Sections 2 through 4, or 7.1-7.3", [f"section {n}" for n in ("2", "3", "4", "7.1", "7.2", "7.3")]),
        ("§§ 4 and 5 of the Privacy Act", ["privacy act section 4", "privacy act section 5"]),
        ("Chapters 1 to 2, see Appendices C and D", ["chapter 1", "chapter 2", "appendix c"]),
        ("Section 3, 4 people and Sections 5 and a few", ["section 3", "section 5"]),
        ("Sections 5, A Company", ["section 5"]),
        ("this section a lot, intersection 3, the chapter", []),
    ],
)
def test_english_text_names_places_in_words(line: str, expected: list[str]) -> None:
    assert [_shown(reference) for reference in parse(f"# Guide\n\n{line}\n", "guide.md").references] == expected


def test_words_that_a_link_shows_mean_where_it_leads() -> None:
    text = (
        "# Guide\n\n## 3.2 Setup\n\n- [Section 3.2](https://example.org/spec#s3.2)\n- [Section 9](other.md)\n"
        "- [Section 3.2](#32-setup)\n"
    )
    references = parse(text, "guide.md").references
    assert [(one.line, one.kind) for one in references] == [(6, "link"), (7, "link"), (7, "section")]


def test_english_headings_are_named() -> None:
    text = (
        "# Guide\n\n## 3 Setup.\n\n## 3. Use\n\n### 3.2 More\n\n## Appendix B: Words\n\n## B. Terms\n\n### 5. Added\n\n"
        "## Chapter 7\n\n### 2. Parts\n"
    )
    places = {place.name: place.line for place in parse(text, "guide.md").names if place.name[:1].isalpha()}
    assert places == {
        "section 3": 5,
        "section 3.2": 7,
        "appendix b": 9,
        "section b": 11,
        "section b.5": 13,
        "section 5": 13,
        "chapter 7": 15,
        "section 7.2": 17,
        "section 2": 17,
    }


def test_headings_are_named_by_their_letters_and_copies_are_counted() -> None:
    text = "# [Set-up](x.md) of [[page|Words]], [[more]]\n\n## Copy\n\n## Copy {#own}\n\n## ***\n"
    places = {place.name: place.line for place in parse(text, "guide.md").names if place.name.startswith("~")}
    assert places == {"~setupofwordsmore": 1, "~copy": 3, "~own": 5, "~copy1": 5}


def test_code_is_not_read() -> None:
    text = "```\n第三条 [a](b.md) section 3\n```\n\n    第四条\n\n<!-- 第五条 -->\n"
    assert parse(text).references == []


RULES = """\
# 就業規則

## 第1章　総則

（目的）
第１条　この規則は、就業について定める。
２　前条はない。

**第2条（定義）**　第１条の従業員とは、次に掲げるものをいう。
第５条から続く文は条文ではない。

## 第2章　休暇

第3条
有給休暇は、前条の者に与える。
② 前項は、第2条第1項による。

附　則

第1条　この附則は、第3条第2項及び次条に係る。
第2条　附則第1条による。
"""


def test_lines_are_articles_where_no_heading_is_one() -> None:
    rules = parse(RULES, "就業規則.md")
    lines = {place.name: place.line for place in rules.names if "条" in place.name or "附則" in place.name}
    main = {"条1": 6, "条1項1": 6, "条1項2": 7, "条2": 9, "条2項1": 9, "条3": 14, "条3項1": 14, "条3項2": 16}
    supplement = {"附則1": 18, "附則1条1": 20, "附則1条1項1": 20, "附則1条2": 21, "附則1条2項1": 21}
    assert lines == main | supplement
    assert [(reference.line, _shown(reference)) for reference in rules.references] == [
        (7, "前条"),
        (9, "条1"),
        (10, "条5"),
        (15, "条2"),
        (16, "条2項1"),
        (20, "条3項2"),
        (20, "附則1条2"),
        (21, "附則1条1"),
    ]


PLAIN_RULES = """\
備品貸出規程

第1章　総則

第1条（目的）
備品の貸出しについて定める。

第2章 貸出し

第2条（申込み）
1. 申込みは、様式第1号による。
2. 料金は別表第2による。第3章及び前章の定めを適用する。第2章の規定による。

第３章　雑則

第3条（補則）
この章による。第1章に定めるものを除く。第1節はない。第1条を見る。

別表第2（第2条関係）
| 区分 | 料金 |

様式第1号（第2条関係）
"""


def test_chapters_appendices_and_forms_are_lines_where_no_heading_is_an_article() -> None:
    rules = parse(PLAIN_RULES, "備品貸出規程.md")
    lines = {place.name: place.line for place in rules.names if re.match("章|別表|様式", place.name)}
    assert lines == {"章1": 3, "章2": 8, "章3": 14, "別表2": 19, "様式1": 22}
    assert [(reference.line, _shown(reference)) for reference in rules.references] == [
        (11, "様式1"),
        (12, "別表2"),
        (12, "章3"),
        (12, "章1"),
        (17, "章1"),
        (17, "節1"),
        (17, "条1"),
        (19, "条2"),
        (22, "条2"),
    ]


LISTED = """\
目次
第1章　総則（第1条）
　第1節　通則
第2章　休暇（第2条―第3条）
附則
別表

第1章　総則

第1条　この規則は、第2章に定める。

第2章　休暇

第2条　休暇は、別表のとおりとする。
第3条　前条による。

附　則

この規則は、4月1日から施行する。

別表（第2条関係）
"""


def test_what_a_table_of_contents_lists_begins_nothing() -> None:
    rules = parse(LISTED, "休暇規則.md")
    lines = {place.name: place.line for place in rules.names if re.match("章|条[0-9]+$|附則[0-9]$", place.name)}
    assert lines == {"章1": 8, "条1": 10, "章2": 12, "条2": 14, "条3": 15, "附則1": 17}
    assert [(reference.line, _shown(reference)) for reference in rules.references] == [
        (2, "条1"),
        (4, "条2-条3"),
        (10, "章2"),
        (14, "別表"),
        (15, "条2"),
        (21, "条2"),
    ]


def test_a_table_of_contents_may_stand_before_the_first_heading() -> None:
    rules = parse(f"# 条例\n\n**目次**\n第1章　総則\n附則\n\n## 第1章　総則\n\n{PLAIN_RULES}", "条例.md")
    assert {place.name: place.line for place in rules.names}.items() >= {"章1": 7, "条1": 13}.items()


@pytest.mark.parametrize(
    ("path", "first_line", "title"),
    [
        ("01_就業規則.md", "# 株式会社甲 就業規則", "就業規則"),
        ("就業規則.md", "# **就業規則**", "就業規則"),
        ("r12345.md", "○若葉市体育館条例", "若葉市体育館条例"),
        ("r12345.md", "# ○若葉市体育館条例（抄）", "若葉市体育館条例(抄)"),
        ("x.md", "# 個人情報の保護に関する法律", "個人情報保護法"),
        ("個人情報の保護に関する法律施行令.md", "", "個人情報保護法施行令"),
    ],
)
def test_a_document_is_called_without_what_numbers_or_marks_it(path: str, first_line: str, title: str) -> None:
    assert title in parse(f"{first_line}\n\n第1条　定める。\n", path).titles


def test_in_the_rules_to_a_bylaw_its_kind_means_it() -> None:
    cited = targets("条例第三条、規則第五条、総則第一条", "体育館条例施行規則.md")
    assert cited == ["体育館条例 条3", "条5", "条1"]


PLAIN_SECTIONS = """\
Session Protocol

   1.  Introduction . . . . . . . . . . . 2

1.  Introduction

   See Section 2.2 and section 3.

2.2.  Resumption

   1. Send a hello.
   2. Wait, unless Section 2.3 says otherwise.

付録A.　様式

2.2 の申請は付録Aによる。
"""


def test_numbered_lines_are_sections_of_a_text_without_headings() -> None:
    protocol = parse(PLAIN_SECTIONS, "protocol.md")
    assert {place.name: place.line for place in protocol.names if place.name} == {
        "section 1": 5,
        "section 2.2": 9,
        "付録a": 14,
    }
    assert [(reference.line, _shown(reference)) for reference in protocol.references] == [
        (7, "section 2.2"),
        (7, "section 3"),
        (12, "section 2.3"),
    ]
    assert not [place for place in parse(f"# A\n\n## B\n\n{PLAIN_SECTIONS}").names if place.name == "section 2.2"]


def test_an_anchor_may_begin_with_the_title_of_its_page() -> None:
    page = parse("# 休暇申請\n\n[期限](#休暇申請-申請期限) [他](#休暇申請-他)\n\n## 申請期限\n\n前日まで。\n", "a.md")
    assert [_shown(reference) for reference in page.references] == ["~申請期限", "~休暇申請他"]


@pytest.mark.parametrize(
    "line", ["別表第2に掲げる額とする。", "第2章の規定を準用する。", "様式は別に定める。", "第2章とする"]
)
def test_a_line_that_goes_on_is_no_chapter_and_no_appendix(line: str) -> None:
    names = {place.name for place in parse(f"第1条　定める。\n\n{line}\n").names}
    assert not names & {"章2", "別表2", "様式"}


@pytest.mark.parametrize("marks", ["**{}**", "__{}__", "*{}*", "**{}** "])
def test_emphasis_in_a_heading_is_no_part_of_its_number(marks: str) -> None:
    chapter, article = marks.format("第2章　休暇"), marks.format("第5条（届出）")
    text = f"## {chapter}\n\n### {article}\n\n1. 届け出る。\n2. 第2章による。第5条による。\n"
    rules = parse(text)
    assert {"章2": 1, "条5": 3, "条5項2": 6}.items() <= {place.name: place.line for place in rules.names}.items()
    assert not rules.references


def test_where_headings_are_articles_no_line_is_one() -> None:
    names = {place.name for place in parse("## 第1条\n\n第2条　引用した条文。\n").names}
    assert "条1" in names
    assert "条2" not in names


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[届出](甲法.md#第九十条届出)を見る。", ["/甲法 ~第九十条届出"]),
        ("[第九十条](甲法.md#90)による。", ["/甲法 ~90"]),
        ("[第九十条](https://example.org/90)による。", []),
        ("[第三条](甲法.md)及び[乙法第九十条](乙法.md)", ["/甲法", "条3", "/乙法", "乙法 条90"]),
        ("[[甲法#第九十条（届出）|届出]]による。", ["甲法 ~第九十条届出"]),
        ("[[甲法]]第九十条による。", ["甲法", "条90"]),
        ("提出する[^1]。", []),
        ("[説明][^1]と提出[^1]\n\n[^1]: 第九十条を除く。", ["条90"]),
    ],
)
def test_where_a_link_leads_is_said_by_the_link_alone(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


def test_a_place_is_a_line_and_a_column_of_the_file() -> None:
    (reference,) = parse("前文\n\n\u3000ただし、ﾃｽﾄ第３条による。\n").references
    assert (reference.line, reference.column, reference.text) == (3, 8, "第3条")


# Signs alone hardly ever make a reference.
PARTS = [
    *"第前次同条項章附則別表様式一二三3３のからまで及び（）「」法令民[]()`#|.\n ab",
    *("第三条", "前条第二項", "第三条から第九条まで", "民法第九十条", "別表第一", "[a](b.md#3)", "\n## 第三条\n"),
]


@given(st.lists(st.sampled_from(PARTS), max_size=60).map("".join))
def test_any_text_is_read_and_every_reference_lies_in_it(text: str) -> None:
    lines = text.split("\n")
    for reference in parse(text).references:
        assert 0 <= reference.column < len(lines[reference.line - 1])
