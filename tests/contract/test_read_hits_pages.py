"""`manual_read` of a trace: how many hits an answer has room for, in which order, and nothing twice."""

import json
import re
from typing import Any

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder
from .hit_reads import NAMED, hits_in, lines_in, read
from .resumed import index_again


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
    assert again["text"] == "given before: [0-1]\n"
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
    assert hits_in(read(found, hits=[3, 1, 3, 2], limits={"max_chars": 120})) == [3, 1]


def test_what_the_limit_has_no_room_for_is_left_to_the_next_call(rules: Serving) -> None:
    found = rules.find("点検", manual_id="many", max_stage=3)
    body = read(found, hits=[5, 6, 7, 8], limits={"max_chars": 60})
    assert hits_in(body) + body["next_hits"] == [5, 6, 7, 8]
    assert body["truncated"] is True


def test_the_first_hit_is_cut_if_it_is_longer_than_the_limit(rules: Serving) -> None:
    body = read(rules.find("点検", manual_id="many", max_stage=3), limits={"max_chars": 45})
    assert hits_in(body) == [0]
    assert "".join(lines_in(body)) == "# 題0"
    assert body["in_parts"] == [0]


def test_what_was_given_on_a_page_before_is_not_given_again(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 点検\n\n点検、点検、点検。\n\n## 一\n\n点検する。\n\n## 二\n\n点検を省く。\n")
    found = serve().find("点検")
    pages = [read(found, offset=offset, limits={"max_sections": 1})["text"] for offset in range(3)]
    assert "点検を省く。" in pages[0]
    assert all(re.fullmatch(r"\[\d\] m/x\.md:\d+, given with line \d+\n", page) for page in pages[1:])
    assert "点検を省く。" in read(found, hits=[2])["text"] + read(found, hits=[1])["text"]


def test_what_an_answer_with_less_room_did_not_give_is_given_by_the_next_one(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.md", "# 点検\n\n点検、点検、点検。\n\n## 一\n\n点検する。\n\n## 二\n\n点検を省く。\n")
    found = serve().find("点検")
    first = read(found, only_new=True, limits={"max_chars": 30})
    rest = read(found, only_new=True, offset=first["next_offset"])
    assert [line for line in lines_in(first) + lines_in(rest) if "点検" in line] == [
        "# 点検",
        "点検、点検、点検。",
        "点検する。",
        "点検を省く。",
    ]


def test_what_is_only_referred_to_is_named_in_one_line_and_read_if_it_is_named(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write(
        "m/x.md", "# 第1条\n\n点検は第2条及び第3条による。\n\n# 第2条\n\n三月ごとに行う。\n\n# 第3条\n\n文。\n"
    )
    found = serve().find("点検")
    body = read(found, scope="snippet")
    assert hits_in(body) == [0]
    assert body["text"].endswith("\nonly referred to: [1-2]\n")
    assert lines_in(read(found, scope="snippet", hits=[1])) == ["# 第2条", "三月ごとに行う。"]
    assert hits_in(read(found, scope="sections")) == [0, 1, 2]


def test_hits_without_a_line_take_no_room_from_those_that_have_one(workspace: WorkspaceFolder, serve: Serve) -> None:
    rules = "".join(f"# 第{n}条\n\n{n}日に行う。\n\n" for n in range(2, 90))
    cited = "、".join(f"第{n}条" for n in range(2, 90))
    workspace.write("m/a.md", f"# 第1条\n\n点検は{cited}による。\n\n{rules}")
    workspace.write("m/b.md", "# 別紙\n\n" + "関係のない文。\n\n" * 40 + "点検の表。\n")
    body = read(serve().find("点検"), scope="snippet")
    assert {named[2] for named in NAMED.finditer(body["text"])} == {"m/a.md", "m/b.md"}
    assert "next_offset" not in body


@pytest.mark.parametrize("max_chars", [60, 200, 1_000, 8_000, 20_000])
def test_names_and_numbers_and_pointers_count_against_the_limit(
    workspace: WorkspaceFolder, serve: Serve, max_chars: int
) -> None:
    manual = {f"部品{n}": {"点検": [f"点検{k}" for k in range(9)], "別": n} for n in range(120)}
    workspace.write("m/a.json", json.dumps(manual, ensure_ascii=False, indent=1))
    workspace.write("m/b.md", "".join(f"# 点検{n}\n\n- 点検\n- 別\n\n" for n in range(120)))
    found = serve().find("点検")
    for arguments in ({}, {"hits": [0]}, {"scope": "section"}, {"scope": "snippet"}, {"offset": 1}):
        assert len(read(found, limits={"max_chars": max_chars}, **arguments)["text"]) <= max_chars


@pytest.mark.parametrize("only_new", [False, True])
def test_the_lines_that_say_why_nothing_is_given_count_against_the_limit(
    workspace: WorkspaceFolder, serve: Serve, *, only_new: bool
) -> None:
    rules = "".join(
        f"# 第{n}条\n\n{'点検する。' if n % 2 else '行う。'}\n\n## 細則\n\n細則。\n\n" for n in range(2, 60)
    )
    cited = "、".join(f"第{n}条" for n in range(2, 60))
    workspace.write("m/x.md", f"# 第1条\n\n点検は{cited}による。\n\n{rules}")
    found = serve().find("点検")
    read(found, hits=[4, 9, 10], scope="snippet")
    for max_chars in range(400, 2_000, 90):
        for arguments in ({}, {"scope": "snippet"}, {"offset": 20}):
            body = read(found, only_new=only_new, limits={"max_chars": max_chars}, **arguments)
            assert len(body["text"]) <= max_chars


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
