"""`manual_read` of a trace: what is given of each hit, under a line that names it."""

import re

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder
from .hit_reads import NAMED, hits_in, lines_in, read
from .test_adaptive import has_recall


def test_the_sections_that_were_found_are_read_in_one_call(library: Serving) -> None:
    found = library.find("申請")
    body = read(found)
    places = {int(named[1]): named[2] for named in NAMED.finditer(body["text"])}
    hits = found.hits("integrated_top")
    assert places == {n: f"{hit['ref']['manual_id']}/{hit['path']}" for n, hit in enumerate(hits)}
    assert body["applied"] == {"scope": "sections", "max_sections": 50, "max_chars": 8_000}
    assert (body["truncated"], body["source"], body["next_cursor"]) == (False, None, None)
    assert body.keys().isdisjoint({"next_offset", "next_hits", "in_parts"})


@pytest.mark.parametrize(("max_chars", "last_line"), [(1_200, "3"), (8_000, "5")])
def test_of_the_best_hits_the_section_is_read_and_of_the_others_the_lines_that_match_unless_there_is_room(
    workspace: WorkspaceFolder, serve: Serve, max_chars: int, last_line: str
) -> None:
    for number in range(5):
        workspace.write(f"m/{number}.md", f"# 題\n\n点検の手順{number}。\n\n別の段落{number}。{'長い。' * 100}\n")
    found = serve().find("点検")
    text = read(found, limits={"max_chars": max_chars})["text"]
    read_of = {int(named[1]): (named[3], named[4]) for named in NAMED.finditer(text)}
    assert [read_of[hit] for hit in range(5)] == [("1", "5")] * 3 + [("1", last_line)] * 2
    assert "別の段落" in read(found, hits=[4])["text"]
    assert hits_in(read(found, limits={"max_sections": 4})) == [0, 1, 2, 3]


@pytest.mark.parametrize(("max_chars", "is_whole"), [(8_000, True), (4_000, False)])
def test_of_a_section_with_the_subject_in_its_title_all_is_given_if_there_is_room(
    workspace: WorkspaceFolder, serve: Serve, max_chars: int, *, is_whole: bool
) -> None:
    table = "".join(f"| {n} 年 | {n} 日 |\n" for n in range(300))
    workspace.write("m/x.md", f"# 休暇\n\n休暇は次による。\n\n{table}\n休暇は買い上げない。\n")
    body = read(serve().find("休暇"), limits={"max_chars": max_chars})
    assert ("| 150 年 | 150 日 |" in body["text"], body["truncated"]) == (is_whole, not is_whole)
    assert "休暇は買い上げない。" in body["text"]


def test_of_a_long_section_with_another_subject_the_lines_that_match_are_enough(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for number in range(3):
        workspace.write(f"m/{number}.md", f"# 点検\n\n点検、{number}。\n")
    filling = "関係のない文章が続く。\n\n" * 250
    workspace.write("m/y.md", f"# 点検のあとの仕事\n\n点検する。\n\n{filling}## 別の章\n\n別の段落二。\n")
    workspace.write("m/z.md", f"# 別の題\n\n点検する。\n\n{filling}")
    text = read(serve().find("点検"))["text"]
    assert (text.count("関係のない文章が続く。"), "別の段落二" in text) == (250, False)


def test_what_is_only_referred_to_is_named_by_its_title_if_there_is_room(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    rules = "".join(f"# 第{n}条（題{n}）\n\n{n}日に行う。\n\n" for n in range(2, 30))
    cited = "、".join(f"第{n}条" for n in range(2, 30))
    workspace.write("m/x.md", f"# 第1条\n\n点検は{cited}による。\n\n{rules}")
    found = serve().find("点検")
    text = read(found)["text"]
    assert "[3] m/x.md:" in text
    assert text.count(", only referred to: 第") == 26
    short = read(found, limits={"max_chars": 1_500})["text"]
    named = re.findall(r"^\[(\d+)\] m/x.md:\d+, only referred to: 第", short, re.M)
    assert 0 < len(named) < 20
    assert f"only referred to: [{len(named) + 3}-28]\n" in short


def test_a_line_that_matches_comes_with_the_rest_of_its_sentence(workspace: WorkspaceFolder, serve: Serve) -> None:
    sentence = "Whoever travels for longer than three days in a row, abroad or not, asks for\napproval beforehand.\n"
    for number in range(4):
        workspace.write(f"m/{number}.md", f"# Part {number}\n\n{sentence}\nAnother paragraph. {'Long. ' * 50}\n")
    text = read(serve().find("three days"), limits={"max_chars": 1_700})["text"]
    assert (text.count("approval beforehand."), text.count("Another paragraph.")) == (4, 3)


def test_a_section_comes_with_its_footnotes(rules: Serving) -> None:
    found = rules.find("宿泊料", manual_id="m", max_stage=3)
    text = read(found, hits=[0])["text"]
    assert "宿泊料は一泊一万円とする。[^1]" in text
    assert "21\t[^1]: 宿泊料は消費税を含む。\n" in text
    assert "食事" not in text


def test_a_heading_with_nothing_below_it_but_subsections_comes_with_them(rules: Serving) -> None:
    found = rules.find("慶弔", manual_id="m", max_stage=3)
    assert "祝い金を出す。" in read(found, hits=[0])["text"]


def test_of_a_chapter_the_beginning_is_given_where_an_article_in_it_was_found(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    others = [f"## 第{number}条\n\n{'別の文。' * 100}\n\n" for number in range(1, 30)]
    article = f"## 第三十条\n\n（休暇の付与）\n\n休暇を与える。\n\n{'日数は別に定める。' * 300}\n\n終わり。\n"
    workspace.write("m/a.md", f"# 休暇\n\n{''.join(others)}{article}")
    body = read(serve().find("休暇"), limits={"max_chars": 16_000})
    assert ("終わり。" in lines_in(body), "## 第9条" in lines_in(body)) == (True, False)
    assert (body["in_parts"], body["next_hits"]) == ([1], [1])


def test_a_short_section_around_is_read_at_once_if_most_of_what_is_in_it_was_found(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write(
        "m/most.md", "# 一\n\n点検する。\n\n## 二\n\n点検を省く。\n\n## 三\n\n文。\n\n# 四\n\n文。\n\n# 五\n"
    )
    workspace.write("m/less.md", "# 一\n\n点検する。\n\n## 二\n\n別の文。\n\n## 三\n\n文。\n\n# 四\n\n文。\n\n# 五\n")
    text = read(serve().find("点検"))["text"]
    assert text.count("m/most.md:1-12\n") == 1
    assert len(re.findall(r", given with line \d+\n", text)) == 1
    assert text.count("m/less.md:1-4\n") == 1


def test_a_section_is_read_with_its_subsections_if_asked_for(rules: Serving) -> None:
    found = rules.find("日当", manual_id="m", max_stage=3)
    body = read(found, scope="section", limits={"max_chars": 20_000})
    assert len(lines_in(body)) == 1_206
    assert body["truncated"] is False
    text = read(rules.find("宿泊", manual_id="m", max_stage=3), scope="section", hits=[0])["text"]
    assert "海外では別に定める。" in text


def test_of_a_long_section_the_title_and_what_matches_is_given(rules: Serving) -> None:
    body = read(rules.find("日当", manual_id="m", max_stage=3))
    (named,) = NAMED.finditer(body["text"])
    assert named[5] == ", in parts"
    assert lines_in(body)[0] == "# 長い章"
    assert "日当は千円とする。" in lines_in(body)
    assert len(body["text"]) < 3_000
    assert (body["truncated"], body["in_parts"], body["next_hits"]) == (True, [0], [0])


def test_a_long_section_is_given_whole_if_it_is_named_and_there_is_room(rules: Serving) -> None:
    found = rules.find("日当", manual_id="m", max_stage=3)
    body = read(found, hits=[0], limits={"max_chars": 20_000})
    assert (len(lines_in(body)), body["truncated"]) == (1_206, False)
    cut = read(found, hits=[0], limits={"max_chars": 3_000})
    assert ("日当は千円とする。" in lines_in(cut), cut["truncated"]) == (True, True)


def test_as_a_snippet_the_lines_that_match_are_read_with_the_title(rules: Serving) -> None:
    body = read(rules.find("点検", manual_id="many", max_stage=3), scope="snippet", hits=[0])
    assert body["applied"] == {"scope": "snippet", "max_sections": 50, "max_chars": 8_000}
    title, line = lines_in(body)
    assert re.fullmatch(r"# 題\d+", title)
    assert re.fullmatch(r"点検の手順\d+。", line)


def test_of_a_section_whose_title_alone_matches_a_snippet_has_what_stands_below(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 点検の省略\n\n係が\n決める。\n\n別の段落。\n")
    workspace.write("m/b.md", f"# 点検の延期\n\n{'長い文' * 400}。\n")
    workspace.write("m/c.md", "# 点検の記録\n\n## 紙\n\n文。\n")
    text = read(serve().find("点検"), scope="snippet")["text"]
    assert "1\t# 点検の省略\n3\t係が\n4\t決める。\n[" in text + "["
    assert f"\n3…\t{('長い文' * 400)[:800]}\n" in text
    assert "文。\n" not in text


def test_a_line_of_an_item_comes_with_the_line_that_begins_the_item(workspace: WorkspaceFolder, serve: Serve) -> None:
    first = "-   **auth**\n\n    相手に点検を求める。\n\n    続き。\n"
    second = "-   **dry**\n    1.  点検の内側\n\n        点検だけする。\n\n"
    workspace.write("m/a.md", f"# 設定\n\n{first}{second}段落\n点検の段落。\n\n- 点検する。\n")
    assert lines_in(read(serve().find("点検"), scope="snippet")) == [
        "# 設定",
        "-   **auth**",
        "    相手に点検を求める。",
        "-   **dry**",
        "    1.  点検の内側",
        "        点検だけする。",
        "点検の段落。",
        "- 点検する。",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "段落。\n    点検する。",
        f"- {'長い' * 120}\n    点検する。",
        "- 項目\n\n段落。\n\n  点検する。",
        f"- 項目\n{'- 別の項目。' * 9}\n点検する。",
    ],
)
def test_a_line_in_no_item_or_in_a_long_one_comes_alone(workspace: WorkspaceFolder, serve: Serve, lines: str) -> None:
    workspace.write("m/a.md", f"# 設定\n\n{lines}\n")
    assert [line.strip() for line in lines_in(read(serve().find("点検"), scope="snippet"))] == ["# 設定", "点検する。"]


@pytest.mark.parametrize("blank", ["", "\n"])
def test_an_item_of_a_list_comes_with_what_leads_in_the_list(
    workspace: WorkspaceFolder, serve: Serve, blank: str
) -> None:
    lead = "会社は、七日以内に、次に掲げる事項を報告する。"
    workspace.write(
        "m/a.md", f"# 報告\n\n前の段落。\n\n{lead}\n{blank}- 概要\n{blank}- 点検の結果\n  詳細\n{blank}- その他\n"
    )
    given = lines_in(read(serve().find("点検"), scope="snippet"))
    assert [line for line in given if line] == ["# 報告", lead, "- 点検の結果"]


@pytest.mark.parametrize("above", ["", "| 表 |\n| --- |\n", "<div>\n", f"{'長い' * 210}。\n"])
def test_a_list_without_such_a_sentence_has_none(workspace: WorkspaceFolder, serve: Serve, above: str) -> None:
    workspace.write("m/a.md", f"# 報告\n\n{above}\n- 概要\n- 点検の結果\n")
    given = lines_in(read(serve().find("点検"), scope="snippet"))
    assert [line for line in given if line] == ["# 報告", "- 点検の結果"]


def test_a_row_of_a_table_comes_with_the_head_of_the_table(workspace: WorkspaceFolder, serve: Serve) -> None:
    table = "| 機器 | 周期 |\n| --- | --- |\n| 電源 | 月 |\n| 点検口 | 年 |\n"
    wide = f"| {'長い' * 120} |\n| --- |\n| 点検窓 |\n"
    workspace.write("m/a.md", f"# 周期\n\n文。\n{table}\n{wide}\n| 点検表 |\n")
    assert lines_in(read(serve().find("点検"), scope="snippet")) == [
        "# 周期",
        "| 機器 | 周期 |",
        "| 点検口 | 年 |",
        "| 点検窓 |",
        "| 点検表 |",
    ]


def test_of_a_long_line_the_beginning_is_read_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", f"# 題\n\n| set_limit | {'関係のない文。' * 200}点検する。 |\n")
    text = read(serve().find("点検"), scope="snippet")["text"]
    assert re.search(r"^3…\t\| set_limit \| (?:関係のない文。)+.{0,6}\n3…\t.*点検する。 \|$", text, re.M)
    assert len(text) < 1_100


def test_an_item_may_be_indented_with_tabs(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 設定\n\n   1. 項目\n\n\t- 内側\n\n\t    点検する。\n\n\t続き。点検。\n")
    assert lines_in(read(serve().find("点検"), scope="snippet")) == [
        "# 設定",
        "   1. 項目",
        "\t- 内側",
        "\t    点検する。",
        "\t続き。点検。",
    ]


def test_of_a_long_line_what_stands_near_each_other_is_read(workspace: WorkspaceFolder, serve: Serve) -> None:
    filling = "関係のない文。" * 200
    workspace.write("m/x.md", f"# 題\n\n点検を省く。\n\n点検。{filling}点検は毎月省く。{filling}\n")
    text = read(serve().find("点検~省く"), scope="snippet")["text"]
    assert re.search(r"^5…\t.*点検は毎月省く。", text, re.M)


def test_of_a_file_in_one_line_what_stands_around_the_match_is_read(rules: Serving) -> None:
    found = rules.find("無停電電源", manual_id="m", max_stage=3)
    for scope in ("sections", "snippet"):
        body = read(found, scope=scope)
        assert "無停電電源" in body["text"]
        assert len(body["text"]) < 3_000


def test_of_a_long_line_the_part_that_matches_is_read(workspace: WorkspaceFolder, serve: Serve) -> None:
    filling = "関係のない文。" * 100
    workspace.write("m/x.md", f"# 題\n\n点検する。\n\n{filling}点検を省く。{filling}\n")
    text = read(serve().find("点検"), scope="snippet")["text"]
    assert "点検する。" in text
    assert re.search(r"^5…\t.*点検を省く。", text, re.M)
    assert len(text) < 1_000


def test_what_was_read_counts_as_read_and_as_delivered(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 一\n\n点検する。\n\n# 二\n\n別の文。\n")
    manuals = serve()
    found = manuals.find("点検")
    read(found)
    assert has_recall(manuals, found.trace_id, read=1, among=1)
    cited = [{"start_line": 1, "end_line": 7}]
    covered = manuals.call("vault_coverage", path="manuals/m/x.md", cited_ranges=cited)
    assert covered["undelivered_ranges"] == [{"start_line": 5, "end_line": 7}]


def test_a_search_that_found_nothing_has_nothing_to_read(library: Serving) -> None:
    body = read(library.find("どこにもない語"))
    assert (body["text"], body["truncated"]) == ("", False)
