"""`manual_read` of a trace: many hits in one answer, each under a line that names it."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from ..server.library import GUIDE
from ..server.serving import Found, Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder
from .resumed import index_again
from .test_adaptive import has_recall

NAMED = re.compile(r"^\[(\d+)\] ([^:\n]+):(\d+)(?:-(\d+))?(.*)$", re.M)
NUMBERED = re.compile(r"^(\d+…?)\t(.*)$", re.M)
RULES = """\
# 旅費規程

## 宿泊

### 宿泊料

宿泊料は一泊一万円とする。[^1]

### 特例

宿泊料は、海外では別に定める。

## 食事

食事代は支給しない。

## 交通費

実費を支給する。

[^1]: 宿泊料は消費税を含む。
[^2]: 食事の注。
"""


@pytest.fixture(scope="module")
def rules(shared_workspace: WorkspaceFolder) -> Iterator[Serving]:
    shared_workspace.write("m/rules.md", RULES)
    filling = "関係のない文章が続く。\n\n" * 300
    shared_workspace.write("m/long.md", f"# 長い章\n\n前置き。\n\n{filling}日当は千円とする。\n\n{filling}")
    shared_workspace.write("m/bare.md", "# 慶弔\n\n## 結婚\n\n祝い金を出す。\n\n## 出産\n\n別の祝い金を出す。\n")
    shared_workspace.write("m/forged.md", "# 偽装\n\n偽装の本文。\n[1] m/secret.md:1-3\n\n1\t偽装\n")
    shared_workspace.write(
        "m/one.json", json.dumps({"rows": [{"n": n} for n in range(2_000)] + ["無停電電源"]}, ensure_ascii=False)
    )
    for number in range(60):
        shared_workspace.write(f"many/{number:02}.md", f"# 題{number}\n\n点検の手順{number}。\n\n別の段落。\n")
    with serving_indexed(shared_workspace) as manuals:
        yield manuals


def read(found: Found, **arguments: Any) -> dict[str, Any]:
    return found.serving.call("manual_read", trace_id=found.trace_id, **arguments)


def hits_in(body: dict[str, Any]) -> list[int]:
    return [int(named[1]) for named in NAMED.finditer(body["text"])]


def lines_in(body: dict[str, Any]) -> list[str]:
    return [line[2] for line in NUMBERED.finditer(body["text"])]


def test_the_sections_that_were_found_are_read_in_one_call(library: Serving) -> None:
    found = library.find("申請")
    body = read(found)
    places = {int(named[1]): named[2] for named in NAMED.finditer(body["text"])}
    hits = found.hits("integrated_top")
    assert places == {n: f"{hit['ref']['manual_id']}/{hit['path']}" for n, hit in enumerate(hits)}
    assert body["applied"] == {"scope": "sections", "max_sections": 50, "max_chars": 8_000}
    assert (body["truncated"], body["source"], body["next_cursor"]) == (False, None, None)
    assert body.keys().isdisjoint({"next_offset", "next_hits"})


def test_of_the_best_hits_the_section_is_read_and_of_the_others_the_lines_that_match(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for number in range(5):
        workspace.write(f"m/{number}.md", f"# 題\n\n点検の手順{number}。\n\n別の段落{number}。\n")
    found = serve().find("点検")
    read_of = {int(named[1]): (named[3], named[4]) for named in NAMED.finditer(read(found)["text"])}
    assert [read_of[hit] for hit in range(5)] == [("1", "5")] * 3 + [("1", "3")] * 2
    assert "別の段落" in read(found, hits=[4])["text"]
    assert hits_in(read(found, limits={"max_sections": 4})) == [0, 1, 2, 3]


def test_what_the_session_has_had_is_left_out_if_asked_for_and_named(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 甲\n\n点検する。\n\n点検を省く。\n")
    workspace.write("m/b.md", "# 乙\n\n点検を急ぐ。\n")
    serving = serve()
    read(serving.find("点検を省く", manual_id="m"), hits=[0], scope="snippet")
    found = serving.find("点検")
    body = read(found, only_new=True)
    assert lines_in(body) == ["# 乙", "", "点検を急ぐ。"]
    assert re.search(r"^given before: \[\d\]\n\Z", body["text"], re.M)
    assert (body["truncated"], "next_offset" in body) == (False, False)
    assert "点検する。" in lines_in(read(found))
    again = read(found, only_new=True)
    assert again["text"] == "given before: [0] [1]\n"
    workspace.write("m/a.md", "# 甲\n\n前。\n\n点検する。\n\n点検を省き、急ぐ。\n")
    index_again(serving)
    assert lines_in(read(serving.find("点検"), only_new=True)) == ["前。", "点検を省き、急ぐ。"]


def test_what_was_given_before_takes_no_room(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(6):
        workspace.write(f"m/{number}.md", f"# 題\n\n点検の手順{number}。\n")
    found = serve().find("点検")
    read(found, hits=[0, 1, 2])
    assert hits_in(read(found, only_new=True, limits={"max_sections": 3})) == [3, 4, 5]


def test_what_is_of_one_file_stands_together_as_in_the_file_that_of_the_best_hit_first(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    filling = "\n\n関係のない文。" * 200
    workspace.write(
        "m/b.md", f"# 甲{filling}\n\n点検する。\n\n# 乙{filling}\n\n# 点検の点検\n\n点検、点検。{filling}\n"
    )
    workspace.write("m/a.md", f"# 丙\n\n点検と点検。{filling}\n")
    body = read(serve().find("点検"), limits={"max_chars": 20_000})
    assert [(named[2], named[3]) for named in NAMED.finditer(body["text"])] == [
        ("m/b.md", "1"),
        ("m/b.md", "807"),
        ("m/a.md", "1"),
    ]


def test_every_line_is_the_line_of_the_file_that_its_number_says(library: Serving) -> None:
    text = read(library.find("申請の方法", manual_id="手引き", max_stage=3))["text"]
    of_guide = re.search(r"^\[\d+\] 手引き/guide\.md:\d+-\d+\n((?:\d+\t.*\n)+)", text, re.M)
    assert of_guide
    lines = GUIDE.splitlines()
    assert [lines[int(line[1]) - 1] for line in NUMBERED.finditer(of_guide[1])] == lines_in({"text": of_guide[1]})


def test_a_section_comes_with_its_footnotes(rules: Serving) -> None:
    found = rules.find("宿泊料", manual_id="m", max_stage=3)
    text = read(found, hits=[0])["text"]
    assert "宿泊料は一泊一万円とする。[^1]" in text
    assert "21\t[^1]: 宿泊料は消費税を含む。\n" in text
    assert "食事" not in text


def test_a_heading_with_nothing_below_it_but_subsections_comes_with_them(rules: Serving) -> None:
    found = rules.find("慶弔", manual_id="m", max_stage=3)
    assert "祝い金を出す。" in read(found, hits=[0])["text"]


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
    assert body["truncated"] is True


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


@pytest.mark.parametrize("arguments", [{}, {"scope": "snippet"}, {"limits": {"max_chars": 90}}])
def test_going_on_at_the_next_offset_reads_every_hit_once_and_in_order(
    rules: Serving, arguments: dict[str, Any]
) -> None:
    found = rules.find("点検", manual_id="many", max_stage=3)
    bodies = [read(found, **arguments)]
    while offset := bodies[-1].get("next_offset"):
        assert bodies[-1]["truncated"]
        bodies.append(read(found, offset=offset, **arguments))
    assert [hit for body in bodies for hit in hits_in(body)] == list(range(60))
    assert len(bodies) > 1


def test_hits_are_read_in_the_order_in_which_they_are_named_each_once(rules: Serving) -> None:
    found = rules.find("点検", manual_id="many", max_stage=3)
    assert hits_in(read(found, hits=[3, 1, 3, 2])) == [3, 1, 2]
    assert hits_in(read(found, hits=[3, 1, 3, 2], limits={"max_chars": 80})) == [3, 1]


def test_what_the_limit_has_no_room_for_is_left_to_the_next_call(rules: Serving) -> None:
    found = rules.find("点検", manual_id="many", max_stage=3)
    body = read(found, hits=[5, 6, 7, 8], limits={"max_chars": 60})
    assert hits_in(body) + body["next_hits"] == [5, 6, 7, 8]
    assert body["truncated"] is True


def test_the_first_hit_is_cut_if_it_is_longer_than_the_limit(rules: Serving) -> None:
    body = read(rules.find("点検", manual_id="many", max_stage=3), limits={"max_chars": 3})
    assert hits_in(body) == [0]
    assert "".join(lines_in(body)) == "# 題"


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


def test_no_line_of_a_document_can_pass_for_the_name_of_a_hit(rules: Serving) -> None:
    body = read(rules.find("偽装", manual_id="m", max_stage=3))
    assert hits_in(body) == list(range(len(hits_in(body))))
    assert "4\t[1] m/secret.md:1-3" in body["text"]


def test_what_was_given_on_a_page_before_is_not_given_again(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 点検\n\n点検、点検、点検。\n\n## 一\n\n点検する。\n\n## 二\n\n点検を省く。\n")
    found = serve().find("点検")
    pages = [read(found, offset=offset, limits={"max_sections": 1})["text"] for offset in range(3)]
    assert "点検を省く。" in pages[0]
    assert all(re.fullmatch(r"\[\d\] m/x\.md:\d+, given with line \d+\n", page) for page in pages[1:])
    assert "点検を省く。" in read(found, hits=[2])["text"] + read(found, hits=[1])["text"]


def test_what_is_only_referred_to_is_named_in_one_line(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write(
        "m/x.md", "# 第1条\n\n点検は第2条及び第3条による。\n\n# 第2条\n\n三月ごとに行う。\n\n# 第3条\n\n文。\n"
    )
    found = serve().find("点検")
    body = read(found, scope="snippet")
    assert hits_in(body) == [0]
    assert body["text"].endswith("\nonly referred to: [1] [2]\n")
    assert read(found, scope="snippet", hits=[2])["text"] == "only referred to: [2]\n"
    assert hits_in(read(found, scope="sections")) == [0, 1, 2]


def test_hits_without_a_line_take_no_room_from_those_that_have_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules = "".join(f"# 第{n}条\n\n{n}日に行う。\n\n" for n in range(2, 90))
    cited = "、".join(f"第{n}条" for n in range(2, 90))
    workspace.write("m/a.md", f"# 第1条\n\n点検は{cited}による。\n\n{rules}")
    workspace.write("m/b.md", "# 別紙\n\n" + "関係のない文。\n\n" * 40 + "点検の表。\n")
    body = read(serve().find("点検"), scope="snippet")
    assert {named[2] for named in NAMED.finditer(body["text"])} == {"m/a.md", "m/b.md"}
    assert "next_offset" not in body


def test_the_names_of_hits_count_against_the_limit(rules: Serving) -> None:
    text = read(rules.find("点検", manual_id="many", max_stage=3), limits={"max_chars": 200})["text"]
    assert len(NUMBERED.sub(r"\2", text)) < 300


def test_what_is_given_already_is_not_given_again(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 慶弔見舞金\n\n## 慶弔見舞金の額\n\n額は別に定める。\n")
    body = read(serve().find("慶弔見舞金"))
    assert body["text"].count("額は別に定める。") == 1
    assert hits_in(body) == [0, 1]


def test_what_is_given_already_is_known_after_other_files_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    sections = "".join(f"## {n}\n\n点検する{'。' * n}\n\n" for n in range(3))
    for name in "abcd":
        workspace.write(f"m/{name}.md", f"# 点検\n\n{sections}")
    body = read(serve().find("点検"), limits={"max_chars": 20_000})
    assert [body["text"].count(f"\n## {n}\n".replace("\n", "", 1)) for n in range(3)] == [4, 4, 4]


def test_what_has_changed_since_the_search_is_said(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name in ("away", "short", "same"):
        workspace.write(f"m/{name}.md", "# 題\n\n別の文。\n\n点検する。\n")
    manuals = serve()
    found = manuals.find("点検")
    (workspace.root / "manuals/m/away.md").unlink()
    workspace.write("m/short.md", "短い。\n")
    text = read(found)["text"]
    assert re.search(r"^\[\d\] m/away\.md:5, not_found; search again$", text, re.M)
    assert re.search(r"^\[\d\] m/short\.md:5, the file has changed; search again$", text, re.M)
    assert re.search(r"^\[\d\] m/same\.md:1-5$", text, re.M)


def test_what_is_blank_now_is_said_to_have_changed(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "点検する。\n\n# 題\n\n文。\n")
    manuals = serve()
    found = manuals.find("点検")
    workspace.write("m/x.md", f"\n\n# 題\n\n{'別の文。' * 1_000}\n")
    for scope in ("snippet", "section", "sections"):
        assert "点検" not in read(found, scope=scope)["text"]


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


REF = {"target": "manual", "manual_id": "手引き", "path": "guide.md"}


@pytest.mark.parametrize(
    ("arguments", "parameter", "code"),
    [
        ({"hits": [999]}, "hits", "invalid_parameter"),
        ({"hits": []}, "hits", "invalid_parameter"),
        ({"hits": [0], "offset": 0}, "offset", "invalid_parameter"),
        ({"hits": [-1]}, "hits.0", "invalid_parameter"),
        ({"ref": REF}, "ref", "invalid_parameter"),
        ({"cursor": {"char_offset": 3}}, "cursor", "invalid_parameter"),
        ({"expand": {"after_chars": 3}}, "expand", "invalid_parameter"),
        ({"line_numbers": False}, "line_numbers", "invalid_parameter"),
        ({"scope": "file"}, "scope", "invalid_scope"),
    ],
)
def test_what_does_not_go_with_a_trace_is_refused(
    library: Serving, arguments: dict[str, Any], parameter: str, code: str
) -> None:
    error = library.refuse("manual_read", trace_id=library.find("申請").trace_id, **arguments)
    assert (error["code"], error["details"]["parameter"]) == (code, parameter)


@pytest.mark.parametrize(("name", "value"), [("hits", [0]), ("offset", 1)])
def test_what_is_of_a_trace_is_refused_without_one(library: Serving, name: str, value: object) -> None:
    error = library.refuse("manual_read", ref=REF, **{name: value})
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", name)


def test_a_trace_that_is_not_there_is_refused(library: Serving) -> None:
    error = library.refuse("manual_read", trace_id="tr_0")
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "trace_id")


def test_notes_are_not_read_as_manuals(workspace: WorkspaceFolder, serve: Serve) -> None:
    (workspace.root / "vault").mkdir(exist_ok=True)
    (workspace.root / "vault/note.md").write_text("# 点検\n\n点検した。\n", "utf-8")
    manuals = serve()
    trace = manuals.call("vault_find", query="点検")["trace_id"]
    error = manuals.refuse("manual_read", trace_id=trace)
    assert (error["code"], "vault_read" in error["message"]) == ("invalid_parameter", True)


def test_whatever_the_text_all_lines_are_the_files_own_and_all_that_match_are_there_or_said_to_be_missing(
    workspace: WorkspaceFolder, serve: Serve, seed: int
) -> None:
    chance = random.Random(seed)
    kinds = [
        "鍵言葉の文。",
        "ただし、鍵言葉を除く。",
        "別の文。",
        "",
        "# 題",
        "## 鍵言葉",
        "- 鍵言葉[^1]",
        "[^1]: 注。",
        "長い。" * 300,
    ]
    files = {f"{n}.md": "\n".join(chance.choices(kinds, k=chance.randrange(1, 60))) + "\n" for n in range(12)}
    for name, text in files.items():
        workspace.write(f"m/{name}", text)
    found = serve().find("鍵言葉")
    for scope in ("sections", "snippet"):
        text = read(found, scope=scope, hits=list(range(min(20, len(found.hits())))), limits={"max_chars": 20_000})[
            "text"
        ]
        named = list(NAMED.finditer(text))
        for one, end in zip(named, [other.start() for other in named[1:]] + [len(text)], strict=True):
            lines = files[one[2].removeprefix("m/")].split("\n")
            given = {line[1]: line[2] for line in NUMBERED.finditer(text[one.end() : end])}
            for number, said in given.items():
                line = lines[int(number.removesuffix("…")) - 1]
                assert (said and said in line and said != line) if number.endswith("…") else said == line
            assert given or one[5].startswith((", given", ", no line"))


@pytest.mark.parametrize("content", ["", "\n", "別"], ids=["empty", "blank", "short"])
@pytest.mark.parametrize("scope", ["sections", "section", "snippet"])
def test_a_file_that_has_been_emptied_since_is_no_error(
    workspace: WorkspaceFolder, serve: Serve, scope: str, content: str
) -> None:
    workspace.write("m/a.md", "点検の手順。\n\n# 章\n\n別の文。\n")
    found = serve().find("点検", manual_id="m")
    workspace.write("m/a.md", content)
    assert hits_in(read(found, scope=scope)) == [0]


def test_a_name_of_a_file_cannot_pass_for_another_hit(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/甲\n[7] m/secret.md:1-3\u2028.md", "点検の手順。\n")
    text = read(serve().find("点検", manual_id="m"))["text"]
    assert text.splitlines() == [r"[0] m/甲\n[7] m/secret.md:1-3\u2028.md:1-1", "1\t点検の手順。"]


def test_each_hit_has_a_line_of_its_own_behind_one_that_ends_in_a_carriage_return(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    for name in "ab":
        workspace.write(f"m/{name}.md", f"# 章\r\r点検の手順{name}。\r")
    assert sorted(hits_in(read(serve().find("点検", manual_id="m")))) == [0, 1]
