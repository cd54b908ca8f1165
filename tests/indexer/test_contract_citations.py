"""What contracts, rules and handbooks say about other places, beside what laws and specifications do."""

import pytest

from .citing import ARTICLES, parse, shown, targets

AGREEMENT = """# Agreement

## 2. Services

2.1 The Supplier performs them.

**2.2** In time.

{line}

## 7. Liability

### 7.2 Exclusions

## Schedule 2

## Exhibit A

## Annex II

## Article 9
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Subject to clause 7.2(b), time is of the essence.", ["section 7.2"]),
        ("Except as set out in Article 7.2 and in article 9.", ["section 7.2", "article 9"]),
        ("See Sec. 7 and Schedule 2, Part B.", ["section 7", "schedule 2"]),
        ("See Sec.\t7.", ["section 7"]),
        ("Under cl. 7.2, Sch. 2 and sub-clause 2.1.", ["section 7.2", "schedule 2", "section 2.1"]),
        ("CLAUSE 7.2 AND SCHEDULE 2 SURVIVE.", ["section 7.2", "schedule 2"]),
        ("They Schedule 5 calls and Exhibit A/B testing; Schedule 9 sets the rates.", ["schedule 9"]),
        ("The annex 40 metres away, the appendix 3.", ["appendix 3"]),
        ("The Services of Exhibit A and Annex II.", ["exhibit a", "annex ii"]),
        ("Exhibit C is attached.", ["exhibit c"]),
        ("See the Employee Handbook, chapter 4.", ["employee handbook chapter 4"]),
        ("Master Services Agreement clause 7.1 holds.", ["master services agreement section 7.1"]),
        ("The Data Protection Act 2018, section 7, holds.", ["data protection act 2018 section 7"]),
        ("This Agreement, section 7, holds.", ["section 7"]),
        ("Article 12 of the GDPR", ["gdpr article 12"]),
        ("Fill in Part 7 of the form.", []),
        ("A clause 99 and an article 5 of somebody, particle 5, on schedule 2.", []),
    ],
)
def test_the_words_of_contracts_name_places(line: str, expected: list[str]) -> None:
    found = parse(AGREEMENT.format(line=line), "agreement.md").references
    assert [shown(one) for one in found if one.line == 9] == expected


def test_numbered_paragraphs_below_a_numbered_heading_are_places() -> None:
    text = (
        AGREEMENT.format(line="7.3 is none of this section.\n\n2.3.1. Parts.")
        + "\n## 3. Lists\n\n- 3.1 Own\n\n### 3.1 Own\n"
    )
    places = {place.name: place.line for place in parse(text, "agreement.md").names if "." in place.name}
    assert places == {"section 2.1": 5, "section 2.2": 7, "section 2.3.1": 11, "section 7.2": 15, "section 3.1": 29}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "**1. Scope**. Section 2.1 governs.\n\n**2. Service**. It is this.\n\n2.1. **Use.** "
            + "Long. " * 40
            + "\n",
            {"section 1": 3, "section 2": 5, "section 2.1": 7},
        ),
        (
            "## Use\n\n1. ## Service\n\n    1.1 <span>Access.</span> It is this.\n\n2. ## Rules\n\n    2.1 No.\n",
            {"section 1": 5, "section 1.1": 7, "section 2": 9, "section 2.1": 11},
        ),
        ("## Use\n\n1. **Fees.** Paid.\n2. **Term.** Long.\n", {"section 1": 5, "section 2": 6}),
        ("## Use\n\n1. Go\n2. Stop\n\n1. **A**\n\n## More\n\n1. **B**\n\nIn 2.5 hours.\n", {}),
        ("   1. Use. As in Section 2.\n\n   2. Grant. You may\n   copy.\n", {"section 1": 3, "section 2": 5}),
        ("1. Use. As in\nthe rules.\n\n2. Grant. You\nmay.\n", {}),
        ("1. Use. As in Section 2.\n\n2. Grant.\n\n1. Again, use.\n\n2. Grant.\n", {}),
        ("## Parts\n\n1. Use. As in Section 2.\n\n2. Grant. You may.\n", {}),
        ("## 3. Fees\n\n**1. Scope**. It is this.\n\n2.1 That.\n", {"section 3": 3}),
    ],
)
def test_clauses_without_headings_are_places(text: str, expected: dict[str, int]) -> None:
    places = {place.name: place.line for place in parse(f"# Terms\n\n{text}", "terms.md").names}
    assert {name: line for name, line in places.items() if name.startswith("section")} == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("就業規則 第32条及び「旅費規程」 第2条による。", ["就業規則 条32", "旅費規程 条2"]),
        ("日当は出張旅費規程　別表2のとおり。", ["出張旅費規程 別表2"]),
        ("旅費は出張旅費規程の定めによる。同規程第4条の精算をする。", ["出張旅費規程", "出張旅費規程 条4"]),
        ("第5条旅費規程による。同規程第6条", ["条5", "旅費規程", "旅費規程 条6"]),
        ("規程の定めるところによる。所得税法第三条、同規程第4条", ["所得税法 条3", "所得税法 条4"]),
        ("三　旧旅費規程　第二条の規定による改正前の旅費規程をいう。", ["条2"]),
        ("就業規則の第5条、第6条及び「旅費規程」の第2条", ["就業規則 条5", "就業規則 条6", "旅費規程 条2"]),
        ("労働基準法の第9条と運用手順書の第2章", ["労働基準法 条9", "運用手順書 章2"]),
        ("操作説明書の別紙2", ["別紙2"]),
        ("旅費規程の様式9、「文書規則」の別表第8", ["旅費規程 様式9", "文書規則 別表8"]),
        ("会社が別に定める文書の保存に関する規程第8条に違反したとき", ["文書の保存に関する規程 条8"]),
        ("規則の第3条、保険契約の第4条に規定する者、算定方法の第5条", ["条3", "条4", "条5"]),
        ("本契約第3条、本利用規約第4条、本特約の第5条", ["条3", "条4", "条5"]),
        ("第5条ないし第7条及び第1条乃至第2条", ["条5-条7", "条1-条2"]),
        ("第5条から第7条に定める。第1条から第2条へ移す。", ["条5-条7", "条1", "条2"]),
        ("附則の第2条による。", ["附則1条2"]),
        ("改廃は附則第2項による。所得税法附則第三項も見る。", ["附則1項2", "所得税法 附則1項3"]),
    ],
)
def test_the_words_of_rules_name_places(line: str, expected: list[str]) -> None:
    assert targets(line) == expected


def test_an_appendix_of_a_handbook_is_not_the_one_that_the_document_has_itself() -> None:
    own = f"{ARTICLES}## 別紙2\n\n"
    assert targets("操作説明書の別紙2による。別紙2を付ける。", before=own) == ["操作説明書 別紙2", "別紙2"]


def test_forms_and_appendices_may_have_branches_behind_a_hyphen() -> None:
    text = (
        "# 規程\n\n様式2-1、様式２－２、別紙1-2、別表1-3、別記1、別記のとおり\n\n"
        "## 別表1\n\n## 別紙1-1\n\n## 別紙１－２\n\n## 別記1\n\n## 様式2-1\n\n## 様式2-2\n"
    )
    parsed = parse(text, "規程.md")
    assert [shown(one) for one in parsed.references] == ["様式2-1", "様式2-2", "別紙1-2", "別表1", "別記1"]
    assert {place.name: place.line for place in parsed.names}["様式2-2"] == 15


def test_the_same_rule_is_one_that_a_line_before_it_in_the_article_names_or_none_of_another_kind() -> None:
    text = (
        "# 就業規則\n\n## 第1条\n\n賃金規程第3条及び労働基準法第9条による。\n\n"
        "## 第2条\n\n1 育児休業は、介護休業規程による。\n\n2 同規程第5条の申出をする。\n\n"
        "## 第3条\n\n同規程第6条による。\n"
    )
    found = parse(text, "就業規則.md").references
    assert [shown(one) for one in found if one.line > 5] == ["介護休業規程", "介護休業規程 条5", "介護休業規程 条6"]
    text = text.replace("1 育児休業は、介護休業規程による。\n\n", "")
    found = parse(text.replace("及び労働基準法第9条", "、民法第9条"), "就業規則.md").references
    assert [shown(one) for one in found if one.line > 5] == ["同規程 条5", "同規程 条6"]
