"""Where references lead, as documents come, change and go."""

import unicodedata

import pytest

from morenashi.indexer.check import check_index

from ..workspaces import WorkspaceFolder
from .indexes import OpenIndex, index, open_index

LAW = (
    "# 所得税法\n\n## 第一条（趣旨）\n\n本文。\n\n## 第二条（定義）\n\n一項。\n\n２　二項。\n\n"
    "## 第三条\n\n前条第二項による。\n"
)
ORDER = "# 所得税法施行令\n\n## 第一条\n\n法第二条第二項に規定する者、法第一条から第三条までの者。\n"


def led(opened: OpenIndex, path: str) -> list[tuple[str, str | None, int | None]]:
    """What a document's references say, and where each leads."""
    return opened.rows(
        "SELECT text, target_path, target_line FROM references_overview WHERE path = ? ORDER BY line, target_line", path
    )


def synchronise(opened: OpenIndex, workspace: WorkspaceFolder, **documents: str | None) -> None:
    """Write these documents of the manual m, or delete them, and bring the index up to date."""
    for name, text in documents.items():
        if text is None:
            (workspace.manuals / "m" / f"{name}.md").unlink()
        else:
            workspace.write(f"m/{name}.md", text)
    opened.synchronise()


def test_references_lead_to_sections_and_lines_across_documents(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, law=LAW, order=ORDER)
        assert led(opened, "law.md") == [("前条第二項", "law.md", 11)]
        assert led(opened, "order.md") == [
            ("法第一条から第三条まで", "law.md", 3),
            ("法第一条から第三条まで", "law.md", 7),
            ("法第二条第二項", "law.md", 11),
            ("法第一条から第三条まで", "law.md", 13),
        ]


def test_links_lead_to_what_lies_beside_them_in_a_folder_of_a_decomposed_name(workspace: WorkspaceFolder) -> None:
    """As macOS makes such names, and archives keep them."""
    folders = [unicodedata.normalize("NFD", name) for name in ("ガイド", "新しいガイド")]
    with open_index(workspace) as opened:
        for folder in folders:
            workspace.write(f"m/{folder}/a.md", "[次](b.md#節)")
            workspace.write(f"m/{folder}/b.md", "# 次\n\n## 節\n")
        opened.synchronise()
        for folder in folders:
            assert led(opened, f"{folder}/a.md") == [("次", f"{folder}/b.md", 3)]


def test_a_paragraph_that_is_not_there_leads_to_its_article(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, law=LAW, order="# 令\n\n所得税法第二条第九項")
        assert led(opened, "order.md") == [("所得税法第二条第九項", "law.md", 7)]


@pytest.mark.parametrize("cited", ["法人税法第二条", "旧所得税法第二条", "改正前の所得税法第二条", "所得税法第九条"])
def test_what_is_not_in_the_manual_stays_unresolved_as_written(workspace: WorkspaceFolder, cited: str) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, law=LAW, other=f"# 規程\n\n## 第二条\n\n## 第三条\n\n{cited}による。\n")
        assert led(opened, "other.md") == [(cited, None, None)]


def test_chapters_of_a_book_refer_to_each_other_though_each_is_a_file(workspace: WorkspaceFolder) -> None:
    third = "# 第3章 設定\n\n第4章を参照。4.2節を参照。次章で述べる。\n\n## 3.1 準備\n\n第3章の続き。\n"
    with open_index(workspace) as opened:
        synchronise(opened, workspace, kettei=third, tenken="# 第4章 点検\n\n一。\n\n## 4.2 毎日\n\n3.1節による。\n")
        assert led(opened, "kettei.md") == [("第4章", "tenken.md", 1), ("4.2節", "tenken.md", 5)]
        assert led(opened, "tenken.md") == [("3.1節", "kettei.md", 5)]
        synchronise(opened, workspace, tenken="# 点検\n\n一。\n")
        assert led(opened, "kettei.md") == [("第4章", None, None), ("4.2節", None, None)]


def test_sections_of_a_book_refer_to_chapters_and_sections_though_each_is_a_page(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(
            opened,
            workspace,
            ch03="# 第3章 設定\n\n一。\n",
            ch03s01="## 3.1. 準備\n\n第4章と4.2.1節を参照。\n\n### 3.1.1. 一覧\n\n一。\n",
            ch04="# 第4章 点検\n\n一。\n\n## 4.1. 概要\n\n二。\n",
            ch04s02="## 4.2. 毎日\n\n第3章と4.1節による。\n\n### 4.2.1. 朝\n\n[4.9.1節](ch04.html#x)\n",
        )
        assert led(opened, "ch03s01.md") == [("第4章", "ch04.md", 1), ("4.2.1節", "ch04s02.md", 5)]
        # The first section of a chapter is on its page; and what a link shows is said by the link alone.
        assert led(opened, "ch04s02.md") == [
            ("第3章", "ch03.md", 1),
            ("4.1節", "ch04.md", 5),
            ("4.9.1節", "ch04.md", 1),
        ]


def test_the_page_of_a_chapter_and_an_appendix_refer_to_sections_with_pages_of_their_own(
    workspace: WorkspaceFolder,
) -> None:
    with open_index(workspace) as opened:
        synchronise(
            opened,
            workspace,
            ch03="# Chapter 3. Settings\n\nSee Section 4.2.\n",
            ch04="# Chapter 4. Care\n\nSee Section 4.2.1, Section 4.1 and Section 9.1.\n\n## 4.1. Overview\n\nText.\n",
            ch04s02="## 4.2. Daily\n\nSee Section B.2.1.\n\n### 4.2.1. Morning\n\nText.\n",
            apb="# Appendix B. Lists\n\nSee Section 4.2.1 and Appendix B.2.\n",
            apbs02="## B.2. Parts\n\nText.\n\n### B.2.1. Spare parts\n\nText.\n",
        )
        assert led(opened, "ch03.md") == [("section 4.2", "ch04s02.md", 1)]
        assert led(opened, "ch04.md") == [
            ("section 9.1", None, None),
            ("section 4.2.1", "ch04s02.md", 5),
            ("section 4.1", "ch04.md", 5),
        ]
        assert led(opened, "ch04s02.md") == [("section b.2.1", "apbs02.md", 5)]
        assert led(opened, "apb.md") == [("appendix b.2", "apbs02.md", 1), ("section 4.2.1", "ch04s02.md", 5)]


def test_a_link_without_its_anchor_leads_to_the_heading_that_it_says(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(
            opened,
            workspace,
            a="[第5.4節「報告」](b.html#x), [Section 5.5, “On *time*”](b.html#y), [Section B.2: Lists](b.html#z)\n",
            b="# Book\n\n## 5.4. 報告\n\n## 5.5. On time\n\n## B.2. Lists\n",
        )
        assert [row[1:] for row in led(opened, "a.md")] == [("b.md", 3), ("b.md", 5), ("b.md", 7)]


def test_english_chapters_by_their_numbers_do_too(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(
            opened,
            workspace,
            build="# 4. Building\n\n## 4.9 Rules\n\nSee section 10.2.\n",
            upgrade="# 10. Upgrading\n\n## 10.2 Steps\n\nSee section 4.9 and section 11.1.\n",
        )
        assert led(opened, "upgrade.md") == [("section 11.1", None, None), ("section 4.9", "build.md", 3)]
        assert led(opened, "build.md") == [("section 10.2", "upgrade.md", 3)]


def test_manuals_do_not_refer_to_each_other(workspace: WorkspaceFolder) -> None:
    workspace.write("other/law.md", LAW)
    with open_index(workspace) as opened:
        synchronise(opened, workspace, order=ORDER)
        assert {row[1] for row in led(opened, "order.md")} == {None}


def test_a_document_that_comes_later_is_found_and_one_that_goes_is_lost(workspace: WorkspaceFolder) -> None:
    citing = "# x\n\n所得税法第二条、[link](sub/page.md#part), [[note]]\n"
    with open_index(workspace) as opened:
        synchronise(opened, workspace, x=citing)
        assert {row[1] for row in led(opened, "x.md")} == {None}
        workspace.write("m/sub/page.md", "# Page\n\n## Part\n")
        synchronise(opened, workspace, law=LAW, note="note")
        assert led(opened, "x.md") == [
            ("note", "note.md", 1),
            ("link", "sub/page.md", 3),
            ("所得税法第二条", "law.md", 7),
        ]
        synchronise(opened, workspace, law=None, note=None)
        assert [row[1] for row in led(opened, "x.md")] == [None, None, "sub/page.md"]


def test_a_new_title_is_a_new_name(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, a="# 賃金規程\n\n## 第一条\n", x="# x\n\n就業規則第1条、賃金規程第1条\n")
        assert [row[1] for row in led(opened, "x.md")] == [None, "a.md"]
        synchronise(opened, workspace, a="# 就業規則\n\n## 第一条\n")
        assert led(opened, "x.md") == [("賃金規程第1条", None, None), ("就業規則第1条", "a.md", 3)]


def test_of_two_documents_of_one_name_the_nearest_is_meant_or_none(workspace: WorkspaceFolder) -> None:
    workspace.write("m/one/rules.md", "# 就業規則\n\n## 第一条\n")
    workspace.write("m/one/x.md", "就業規則第1条")
    with open_index(workspace) as opened:
        synchronise(opened, workspace, y="就業規則第1条")
        assert [row[1] for row in led(opened, "y.md")] == ["one/rules.md"]
        workspace.write("m/two/rules.md", "# 就業規則\n\n## 第一条\n")
        opened.synchronise()
        assert [row[1] for row in led(opened, "y.md")] == [None]
        assert [row[1] for row in led(opened, "one/x.md")] == ["one/rules.md"]


def test_headings_that_change_take_their_references_along(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, law=LAW, order=ORDER)
        synchronise(opened, workspace, law=LAW.replace("## 第三条", "## 第二条の二\n\n## 第四条"))
        assert [row[2] for row in led(opened, "order.md")] == [3, 11]
        synchronise(opened, workspace, law=LAW.replace("## 第二条（定義）", "前置き\n\n## 第二条（用語）"))
        assert [row[2] for row in led(opened, "order.md")] == [3, 9, 13, 15]


@pytest.mark.parametrize(
    "link",
    [
        "[12.1. RAID](raid.html#sect.raid)",
        "[12.1. RAID](raid.html#sect.raid)を見る。",
        "[第 12.1 節「RAID」](raid.md#sect.raid)",
        '[冗長化](raid.html#sect.raid "12.1. RAID")',
    ],
)
def test_a_link_whose_anchor_a_converter_took_away_leads_to_the_heading_that_it_says_or_the_document(
    workspace: WorkspaceFolder, link: str
) -> None:
    page = "# 第12章 保存\n\n## {}\n\n本文。\n"
    with open_index(workspace) as opened:
        synchronise(opened, workspace, a=f"# 目次\n\n{link}\n", raid=page.format("12.1. RAID"))
        assert [place for _, *place in led(opened, "a.md")] == [["raid.md", 3]]
        synchronise(opened, workspace, raid=page.format("12.1. LVM"))
        assert [place for _, *place in led(opened, "a.md")] == [["raid.md", 1]]
        synchronise(opened, workspace, raid=page.format("12.2. LVM") + '\n<a id="sect.raid"></a>\n\n## 12.1. RAID\n')
        assert [place for _, *place in led(opened, "a.md")] == [["raid.md", 9]]
    assert check_index(workspace.config()).faults == []


def test_text_further_up_moves_references_without_rewriting_them(workspace: WorkspaceFolder) -> None:
    query = "SELECT * FROM cross_references ORDER BY id"
    with open_index(workspace) as opened:
        synchronise(opened, workspace, law=LAW, order=ORDER)
        before = opened.rows(query)
        synchronise(opened, workspace, law=LAW.replace("本文。", "本文。\n\n追加。"))
        assert opened.rows(query) == before
        assert led(opened, "law.md") == [("前条第二項", "law.md", 13)]


def test_names_that_nobody_uses_any_more_are_dropped(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, x="甲法第一条、[a](a.md)", y="乙法第一条")
        synchronise(opened, workspace, x="甲法第一条", y=None)
        assert opened.rows("SELECT called FROM called_documents") == [("甲法",)]


def test_references_left_by_an_interrupted_bulk_run_are_resolved_by_the_next(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        synchronise(opened, workspace, law=LAW)
        opened.connection.execute("DELETE FROM reference_targets")
        opened.connection.execute("INSERT OR REPLACE INTO index_state (key, value) VALUES ('references', 'stale')")
        opened.synchronise()
        assert led(opened, "law.md") == [("前条第二項", "law.md", 11)]


def test_json_documents_can_be_linked_to(workspace: WorkspaceFolder) -> None:
    workspace.write("m/schema.json", "{}")
    with open_index(workspace) as opened:
        synchronise(opened, workspace, x="[schema](schema.json)")
        assert led(opened, "x.md") == [("schema", "schema.json", 1)]


def test_a_range_of_articles_that_are_lines_of_one_section_leads_to_the_first_and_is_no_fault(
    workspace: WorkspaceFolder,
) -> None:
    articles = "".join(f"第{number}条　本文とする。\n" for number in "一二三")
    workspace.write("m/rules.md", f"# 規程\n\n{articles}第四条　第一条から第三条までの規定は、役員に準用する。\n")
    index(workspace)
    with open_index(workspace) as opened:
        assert led(opened, "rules.md") == [("第一条から第三条まで", "rules.md", 3)]
    assert check_index(workspace.config()).faults == []


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("DELETE FROM reference_targets", "reference_targets: 1 differ"),
        ("UPDATE called_documents SET document_id = NULL", "called_documents: 1 lead elsewhere"),
    ],
)
def test_check_notices_references_that_lead_elsewhere(workspace: WorkspaceFolder, damage: str, fault: str) -> None:
    workspace.write("m/law.md", LAW)
    workspace.write("m/x.md", "# x\n\n所得税法\n\n所得税法第九条")
    index(workspace)
    with open_index(workspace) as opened:
        opened.connection.execute(damage)
    assert check_index(workspace.config()).faults == [fault]
