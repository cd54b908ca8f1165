"""What Japanese lines say about other places, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .citing import ARTICLES, parse, shown, targets


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
        ("別表Ⅱ及び別表III、別紙Ａ", ["別表ii", "別表iii", "別紙a"]),
        ("様式第三号、別記様式第一号の二、第五号様式、様式4", ["様式3", "様式1-2", "様式5", "様式4"]),
        ("別紙様式第1、別添様式2号", ["様式1", "様式2"]),
        ("第Ⅱ章及び第 3 章第 1 節、第IV章、第ＸＩ章", ["章2", "章3節1", "章4", "章11"]),
        ("第二章第三節の規定", ["章2節3"]),
        ("附則第三条の規定", ["附則1条3"]),
        ("１）第三条の規定", ["条3"]),
    ],
)
def test_places_of_the_same_document(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("民法709条1項及び710条による。", ["民法 条709項1", "民法 条710"]),
        ("民法（明治29年法律第89号）３条の２、第4条", ["民法 条3-2", "民法 条4"]),
        ("「旅費規程」12条の定め", ["旅費規程 条12"]),
        ("労働基準法39条から41条まで", ["労働基準法 条39-条41"]),
        ("本規程3条を見る。", ["条3"]),
        ("次の方法3条件、方法3条、（1）3条、39条1項、都条例3条例", []),
    ],
)
def test_an_article_of_a_named_document_may_have_its_number_alone(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


def test_a_form_may_be_called_one_of_an_appendix() -> None:
    text = "# 学則\n\n第1条　別紙様式第2により出願する。\n\n## 別紙様式第1　届\n\n## 別紙様式第2　願書\n"
    for written in (text, text.replace("## ", "")):
        assert [shown(one) for one in parse(written, "学則.md").references] == ["様式2"]


@pytest.mark.parametrize("hyphen", "-－‐‑−")
def test_a_number_with_any_hyphen_is_that_of_the_heading(hyphen: str) -> None:
    number = f"2{hyphen}3"
    parts = f"## 様式{number}　届\n\n## 様式2\n\n## 別表{number}\n\n図{number}　画面\n\n## 別表2\n"
    line = f"様式{number}、別表{number}、図{number}、第3条{hyphen}第5条"
    found = parse(f"# 規程\n\n{ARTICLES}## 第9条\n\n{line}\n\n{parts}")
    assert [shown(one) for one in found.references] == ["様式2-3", "別表2-3", "図2-3", "条3-条5"]


def test_chapters_may_have_roman_numerals() -> None:
    text = "# 報告\n\n## 第Ⅰ章 序\n\n第Ⅱ章、第2章と次章。\n\n## 第Ⅱ章 方法\n\n前章。\n\n第III章　結果\n\n第Ⅰ章。\n"
    found = [(one.line, shown(one)) for one in parse(text, "報告.md").references]
    assert found == [(5, "章2"), (9, "章1"), (13, "章1")]
    assert {"章1", "章2", "章3"} <= {place.name for place in parse(text, "報告.md").names}


def test_appendices_may_have_roman_numerals() -> None:
    text = "# 規程\n\n第1条　別表Ⅱ及び別表IVによる。\n\n## 別表Ⅰ\n\n甲\n\n## 別表Ⅱ 料金\n\n乙\n\n## 別表IV　割引\n"
    for written in (text, text.replace("## ", "")):
        found = parse(written)
        assert [shown(one) for one in found.references] == ["別表ii", "別表iv"]
        places = {place.name: place.line for place in found.names}
        assert (places["別表i"], places["別表ii"], places["別表iv"]) == (5, 9, 13)


@pytest.mark.parametrize("line", ["様式一覧を見る。", "別表一覧による。", "付録 一式を添える。", "別表一部改正"])
def test_lists_and_sets_of_appendices_and_forms_are_none_with_the_number_one(line: str) -> None:
    assert targets(line) == []


@pytest.mark.parametrize("title", ["様式一覧", "別表一覧", "付録一式"])
@pytest.mark.parametrize("mark", ["## ", ""])
def test_the_heading_of_a_list_of_forms_is_not_the_first_of_them(title: str, mark: str) -> None:
    names = {place.name for place in parse(f"# 規程\n\n第1条　定める。\n\n{mark}{title}\n\n本文。\n").names}
    assert not names & {"様式", "様式1", "別表", "別表1", "付録", "付録1"}


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
        ("労働基準法第3条および第5条、または第7条ならびに第8条", [f"労働基準法 条{n}" for n in (3, 5, 7, 8)]),
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


def test_in_the_orders_to_a_bylaw_its_whole_name_stays_though_hiragana_cuts_it_in_the_text() -> None:
    rules = "わかば市ごみ処理条例施行規則.md"
    line = "わかば市ごみ処理条例（平成18年条例第12号。以下「条例」という。）の施行に関し、条例第五条、文書規程第二条"
    assert targets(line, rules) == ["わかば市ごみ処理条例 条5", "文書規程 条2"]


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("所得税法第四編第三章の二の規定による。", ["所得税法 編4章3-2"]),
        ("第三章の二第一節及び第三章の十二", ["章3-2節1", "章3-12"]),
        ("第二章の一部、第二章の二つの節、第二章の三分の一", ["章2"]),
        (
            "運用手順書第2章、「運用ガイド」第3章、本手順書第4章、手順書第5章",
            ["運用手順書 章2", "運用ガイド 章3", "章4", "章5"],
        ),
    ],
)
def test_chapters_may_have_branches_and_be_of_other_documents(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


def test_the_chapter_before_or_after_may_be_a_branch() -> None:
    text = (
        "# 法\n\n## 第三章\n\n### 第一条\n\n次章、前章\n\n## 第三章の二\n\n### 第二条\n\n前章、次章、第三章\n\n"
        "## 第四章\n\n### 第三条\n\n前章\n"
    )
    found = [(one.line, one.name) for one in parse(text).references]
    assert found == [(7, "章3-2"), (7, "章2"), (13, "章3"), (13, "章4"), (19, "章3-2")]


def test_the_article_before_the_last_one_is_cited_alone() -> None:
    assert targets("前々条第2項、次々条") == ["条7項2", "次々条"]


def test_the_tenth_chapter_may_cite_the_first() -> None:
    text = "# 法\n\n## 第一章\n\n## 第十章\n\n### 第一条\n\n第一章及び第十章\n"
    assert [one.name for one in parse(text).references] == ["章1"]


def test_a_heading_does_not_cite_its_own_number() -> None:
    text = (
        "## 第一条\n\n## 第二条（第一条の特例）\n\n## 附則\n\n### 第一条\n\n## 別表第一（第二条関係）\n\n## 様式第一号"
    )
    assert [shown(reference) for reference in parse(text).references] == ["条1", "条2"]


def test_code_is_not_read() -> None:
    text = "```\n第三条 [a](b.md) section 3\n```\n\n    第四条\n\n<!-- 第五条 -->\n"
    assert parse(text).references == []


def test_in_the_rules_to_a_bylaw_its_kind_means_it() -> None:
    cited = targets("条例第三条、規則第五条、総則第一条", "体育館条例施行規則.md")
    assert cited == ["体育館条例 条3", "条5", "条1"]


def test_an_anchor_may_begin_with_the_title_of_its_page() -> None:
    page = parse("# 休暇申請\n\n[期限](#休暇申請-申請期限) [他](#休暇申請-他)\n\n## 申請期限\n\n前日まで。\n", "a.md")
    assert [shown(reference) for reference in page.references] == ["~申請期限", "~休暇申請他"]


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('<a href="b.html" title="第3条">適用</a>による。', ["/b"]),
        ('<img alt="第3条の図" src="x.png" />第4条による。', ["条4"]),
        ("第3条 < 第4条 = 第5条 > 第6条", ["条3", "条4", "条5", "条6"]),
    ],
)
def test_what_a_tag_says_of_its_element_cites_nothing(line: str, expected: list[str]) -> None:
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
