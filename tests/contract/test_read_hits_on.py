"""`manual_read` of a trace: a hit that is longer than an answer is read on, to the last line that matches."""

import json
import random
import re
from typing import Any

import pytest

from ..server.serving import Found, Serve, Serving
from ..workspaces import WorkspaceFolder
from .hit_reads import NAMED, NUMBERED, lines_in, read

MOST_CALLS = 80


def read_on(manuals: Serving, found: Found, **arguments: Any) -> list[dict[str, Any]]:
    """The answers to a first read and to the same without what was had, for the hits that there is more of."""
    bodies = [read(found, **arguments)]
    while hits := [*bodies[-1].get("in_parts", []), *bodies[-1].get("next_hits", [])]:
        assert len(bodies) < MOST_CALLS
        bodies.append(read(found, **arguments | {"hits": hits, "only_new": True}))
    return bodies


def numbers_in(body: dict[str, Any]) -> list[int]:
    """The numbers of the lines that an answer gives whole."""
    return [int(line[1].rstrip("…")) for line in NUMBERED.finditer(body["text"]) if "…" not in line[1]]


def matching(text: str, word: str) -> set[int]:
    return {number for number, line in enumerate(text.split("\n"), start=1) if word in line}


def section(lines: int) -> str:
    """A section of Markdown of which every fifth paragraph matches."""
    said = ("点検の手順" if line % 5 == 0 else "関係のない文" for line in range(lines))
    return "# 章\n\n" + "".join(f"{words}{number}。{'長い。' * 20}\n\n" for number, words in enumerate(said))


def values(count: int) -> str:
    described = {f"key{n}": {"type": "string", "description": f"点検{n}。{'長い。' * (n % 500)}"} for n in range(count)}
    return json.dumps(described, ensure_ascii=False, indent=1)


@pytest.mark.parametrize(("name", "text"), [("a.md", section(1_000)), ("a.json", values(120))])
@pytest.mark.parametrize("arguments", [{}, {"scope": "snippet"}, {"hits": [0]}, {"limits": {"max_chars": 3_000}}])
def test_every_line_that_matches_is_read_in_the_end_and_none_twice(
    workspace: WorkspaceFolder, serve: Serve, name: str, text: str, arguments: dict[str, Any]
) -> None:
    workspace.write(f"m/{name}", text)
    manuals = serve()
    bodies = read_on(manuals, manuals.find("点検"), **arguments)
    numbers = [number for body in bodies for number in numbers_in(body)]
    assert matching(text, "点検") <= set(numbers)
    assert len(numbers) == len(set(numbers))
    assert len(bodies) > 1
    assert not bodies[-1]["truncated"]


def test_to_read_on_behind_the_last_line_gives_nothing_and_says_so(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", section(100))
    manuals = serve()
    found = manuals.find("点検")
    read_on(manuals, found)
    body = read(found, hits=[0], only_new=True)
    assert (body["text"], body["truncated"]) == ("given before: [0]\n", False)


def test_a_line_longer_than_an_answer_is_given_around_the_match_once_and_keeps_no_other_back(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    filling = "関係のない文。" * 1_000
    giants = [f"{filling}点検を省く。{filling}", f"{filling}点検を急ぐ。{filling}"]
    lines = [f"点検{n}。{'長い。' * 100}" for n in range(30)]
    workspace.write("m/a.md", "# 章\n\n" + "\n\n".join([*giants, *lines]) + "\n")
    manuals = serve()
    bodies = read_on(manuals, manuals.find("点検"))
    texts = "".join(body["text"] for body in bodies)
    assert all(line in texts for line in lines)
    given = [line for body in bodies for line in lines_in(body)]
    assert len([line for line in given if "点検を省く。" in line]) <= 2
    assert any("点検を急ぐ。" in line for line in given)


def test_of_few_hits_as_much_that_matches_is_given_as_there_is_room_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.json", values(120))
    workspace.write("m/b.md", "# 別\n\n点検。\n")
    body = read(serve().find("点検"), limits={"max_chars": 12_000})
    assert 10_000 < len(body["text"]) < 13_000
    assert "[1] m/b.md" in body["text"]


def test_of_few_hits_no_more_is_given_than_what_matches(workspace: WorkspaceFolder, serve: Serve) -> None:
    filling = "\n\n関係のない文。" * 500
    workspace.write("m/a.md", f"# 章{filling}\n\n点検する。{filling}\n")
    body = read(serve().find("点検"), limits={"max_chars": 12_000})
    assert lines_in(body) == ["# 章", "点検する。"]


def test_what_was_had_of_a_long_line_for_another_question_keeps_nothing_back(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    filling = "関係のない文。" * 2_000
    workspace.write("m/a.md", f"# 章\n\n点検を省く。{filling}清掃を省く。\n")
    manuals = serve()
    read(manuals.find("点検"))
    assert "清掃を省く。" in read(manuals.find("清掃"), only_new=True)["text"]


def in_one_line(count: int, *, escaped: bool) -> str:
    described = [f"点検{n}。{'長い。' * 500}" for n in range(count)]
    return json.dumps(described, ensure_ascii=escaped)


@pytest.mark.parametrize("escaped", [False, True])
def test_of_a_file_in_one_line_every_place_that_matches_is_read(
    workspace: WorkspaceFolder, serve: Serve, *, escaped: bool
) -> None:
    workspace.write("m/a.json", in_one_line(20, escaped=escaped))
    manuals = serve()
    bodies = read_on(manuals, manuals.find("点検"))
    texts = "".join(body["text"] for body in bodies)
    places = [json.dumps(f"点検{n}。", ensure_ascii=escaped).strip('"') for n in range(20)]
    assert [texts.count(place) for place in places] == [1] * 20
    assert not bodies[-1]["truncated"]


def test_of_a_long_paragraph_every_place_that_matches_is_read_those_with_most_of_the_question_first(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    filling = "関係のない文。" * 300
    told = [f"点検{n}を省く{'免除' * (n == 5)}。" for n in range(10)]
    workspace.write("m/a.md", f"# 章\n\n{filling.join(told)}\n")
    found = serve().find("点検 免除")
    body = read(found, limits={"max_chars": 20_000})
    assert all(words in body["text"] for words in told)
    assert told[5] in read(found, limits={"max_chars": 800})["text"]


def test_of_a_json_file_each_place_is_given_with_its_pointer_once(workspace: WorkspaceFolder, serve: Serve) -> None:
    paths = {f"/users/{name}": {"get": {"description": f"点検{name}。", "x": "長い。" * 500}} for name in "ab\n"}
    workspace.write("m/a.json", json.dumps({"paths": paths}, ensure_ascii=False, indent=1))
    text = read(serve().find("点検"), scope="snippet")["text"]
    pointers = re.findall(r"^(/.*)\n\d+\t", text, re.M)
    assert pointers == [f"/paths/~1users~1{name}/get/description" for name in ("a", "b", r"\n")]


def test_of_a_file_in_one_line_the_values_are_named_that_hold_what_matches(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    said = {f"key{n}": f"{'長い。' * 150}{'点検の省略' if n % 2 else '点検、省略'}{n}。" for n in range(10)}
    workspace.write("m/a.json", json.dumps(said, ensure_ascii=False))
    body = read(serve().find('"点検の省略"'), limits={"max_chars": 20_000})
    named = re.findall(r"^((?:/.*\n)+)\d+…\t(.*)$", body["text"], re.M)
    for pointers, part in named:
        held = {f"/key{number}" for number in re.findall(r"点検の省略(\d)。", part)}
        assert held <= set(pointers.split())
    assert {pointer for pointers, _ in named for pointer in pointers.split()} >= {f"/key{n}" for n in range(1, 10, 2)}


def test_a_line_of_json_comes_with_its_object_if_that_is_short(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(5):
        items = [
            {"id": n, "q": f"点検{n}はいつ", "a": f"答え{n}", "long": "長い。" * (400 if n == 2 else 1)}
            for n in range(3)
        ]
        workspace.write(f"m/{number}.json", json.dumps({"faq": items, "x": ""}, ensure_ascii=False, indent=1))
    text = read(serve().find("点検"), scope="snippet")["text"]
    assert [text.count(f'"答え{n}"') for n in range(3)] == [5, 5, 0]
    assert text.count('"x"') == 0


def test_of_lines_of_json_that_begin_elsewhere_the_value_of_the_match_is_named(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    said = {f"/path{n}": {"a": "長い。" * 30, "b": "点検する。" if n == 50 else "別の文。"} for n in range(100)}
    workspace.write("m/a.json", json.dumps({"paths": said}, ensure_ascii=False, indent=1))
    (pointer,) = re.findall(r"^(/.*)\n\d+\t", read(serve().find("点検"))["text"], re.M)
    assert pointer in ("/paths/~1path50", "/paths/~1path50/b")


def test_with_only_new_the_hits_to_go_on_with_are_all_named_together(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name in "abc":
        workspace.write(f"m/{name}.md", section(1_000))
    found = serve().find("点検")
    body = read(found, hits=[0, 1, 2], only_new=True)
    assert body["next_hits"] == [*body["in_parts"], 1, 2] == [0, 1, 2]
    assert read(found, hits=[0, 1, 2])["next_hits"] == [1, 2]


def test_a_word_that_few_lines_have_comes_before_words_that_many_have(workspace: WorkspaceFolder, serve: Serve) -> None:
    many = [f"機器と部品の表{n}。{'長い。' * 30}" for n in range(200)]
    many[150] = f"分解の手順。{'長い。' * 30}"
    workspace.write("m/a.md", "# 章\n\n" + "\n\n".join(many) + "\n")
    assert many[150] in lines_in(read(serve().find("機器 部品 分解"), limits={"max_chars": 2_000}))


def test_of_a_json_file_only_exceptions_beside_the_hit_are_given(workspace: WorkspaceFolder, serve: Serve) -> None:
    rows = {f"key{n}": f"別の話{n}。" for n in range(400)}
    rows |= {"key20": "ただし、遠い例外は除く。", "key200": "点検する。", "key203": "ただし、近い例外は除く。"}
    workspace.write("m/a.json", json.dumps({"rows": rows, "x": "長い。" * 1_000}, ensure_ascii=False, indent=1))
    text = read(serve().find("点検"))["text"]
    assert "近い例外" in text
    assert "遠い例外" not in text


@pytest.mark.parametrize("heading", ["# 点検", "点検\n===="])
def test_the_subsections_of_a_heading_alone_are_read_on_to_their_end(
    workspace: WorkspaceFolder, serve: Serve, heading: str
) -> None:
    sections = [f"## 節{number}\n\n{'別の文。' * 60}" for number in range(60)]
    text = "\n\n".join([heading, *sections]) + "\n"
    workspace.write("m/a.md", text)
    manuals = serve()
    given = [line for body in read_on(manuals, manuals.find("点検")) for line in lines_in(body) if line]
    assert given == [line for line in text.split("\n") if line]


@pytest.mark.parametrize("heading", ["", "# 章\n", "章\n==\n", "#\n"])
def test_a_line_below_a_heading_is_given_around_its_match(
    workspace: WorkspaceFolder, serve: Serve, heading: str
) -> None:
    filling = "別の文。" * 3_000
    workspace.write("m/a.md", f"{heading}{filling}点検する。{filling}")
    manuals = serve()
    bodies = read_on(manuals, manuals.find("点検"))
    assert "点検する。" in bodies[0]["text"]
    assert len(bodies) == 2


@pytest.mark.parametrize("name", ["a.md", "a.json"])
def test_what_a_long_line_says_since_is_no_longer_what_was_had(
    workspace: WorkspaceFolder, serve: Serve, name: str
) -> None:
    filling = "別の文。" * 2_000
    workspace.write(f"m/{name}", f'["{filling}点検する。{filling}"]')
    manuals = serve()
    found = manuals.find("点検")
    assert "点検する。" in read(found)["text"]
    workspace.write(f"m/{name}", f'["{filling}点検せず。{filling}"]')
    assert "点検せず。" in read(found, only_new=True)["text"]
    assert read(found, only_new=True)["text"] == "given before: [0]\n"


def test_with_only_new_a_section_is_given_without_the_one_in_it_that_came_before(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    text = "# 章\n\n点検は年に一度。\n\n## 点検の手順\n\n点検の手順を守る。\n\n## 報告\n\n報告する。\n"
    workspace.write("m/x.md", text)
    found = serve().find("点検の手順 点検")
    assert [hit["start_line"] for hit in found.hits()] == [5, 3]
    body = read(found, scope="section", only_new=True)
    assert sorted(numbers_in(body)) == list(range(1, 12))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_an_answer_gives_up_to_its_break_is_not_given_again(
    workspace: WorkspaceFolder, serve: Serve, end: str
) -> None:
    line = f"点検一。{'続く。' * 415}終"
    workspace.write("m/x.md", f"# 章{end}{end}{line}{end}{end}{f'別の文。{end}{end}' * 700}点検二。{end}")
    found = serve().find("点検")
    first = read(found, only_new=True)
    assert numbers_in(first)[:2] == [1, 3]
    assert lines_in(first)[1].rstrip("\r") == line
    assert "点検一。" not in read(found, only_new=True, hits=[0], limits={"max_chars": 20_000})["text"]


def test_with_only_new_a_footnote_of_two_hits_is_given_once(workspace: WorkspaceFolder, serve: Serve) -> None:
    filling = "関係のない文。\n\n" * 400
    text = f"# 甲\n\n点検する。[^1]\n\n# 乙\n\n点検を省く。[^1]\n\n# 丙\n\n{filling}[^1]: 注。\n"
    workspace.write("m/x.md", text)
    body = read(serve().find("点検"), hits=[0, 1], only_new=True)
    assert body["text"].count("注。") == 1
    assert sorted(numbers_in(body)) == sorted(set(numbers_in(body)))


def test_sections_that_an_answer_has_no_room_for_together_are_given_apart(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    sections = [f"## 節{number}\n\n点検{number}。{'別の文。' * 20}\n" for number in range(5)]
    workspace.write("m/a.md", "# 章\n\n" + "\n".join(sections))
    manuals = serve()
    found = manuals.find("点検")
    bodies = read_on(manuals, found, hits=list(range(len(found.hits()))), limits={"max_chars": 400})
    texts = "".join(body["text"] for body in bodies)
    assert [texts.count(f"点検{number}。") for number in range(5)] == [1] * 5


@pytest.mark.parametrize("scope", ["sections", "section", "snippet"])
@pytest.mark.parametrize("max_chars", [1, 7, 30, 100])
def test_however_little_an_answer_holds_reading_on_comes_to_an_end(
    workspace: WorkspaceFolder, serve: Serve, scope: str, max_chars: int
) -> None:
    text = "# 点検の題\r\n\r\n点検\r\n## 節\r\n- 点検の\r\n  手順\r\n\r\n別の文。\r\n"
    workspace.write("m/a.md", text)
    manuals = serve()
    found = manuals.find("点検")
    hits = list(range(len(found.hits())))
    bodies = read_on(manuals, found, scope=scope, hits=hits, only_new=True, limits={"max_chars": max_chars})
    assert [body for body in bodies[:-1] if body["text"] == "given before: [0]\n"] == []
    given = {int(line[1].rstrip("…")) for body in bodies for line in NUMBERED.finditer(body["text"])}
    assert given >= ({1, 3, 4, 5} if max_chars > 1 else {1})


def test_a_section_with_a_line_longer_than_an_answer_is_read_on_inside_the_line(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    line = "".join(f"点検{number:04}。" for number in range(500))
    workspace.write("m/a.md", f"# 章\n\n{line}\n")
    manuals = serve()
    bodies = read_on(manuals, manuals.find("点検"), scope="section", limits={"max_chars": 1_000})
    assert "".join(found for body in bodies for found in lines_in(body)) == f"# 章{line}"


def test_an_answer_that_is_full_is_not_said_to_be_cut(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "点検する。\n")
    found = serve().find("点検")
    whole = read(found)["text"]
    body = read(found, limits={"max_chars": len(whole)})
    assert (body["text"], body["truncated"]) == (whole, False)
    assert read(found, limits={"max_chars": len(whole) - 1})["in_parts"] == [0]


@pytest.mark.parametrize("arguments", [{}, {"scope": "snippet"}, {"hits": [0]}])
def test_what_a_long_line_says_in_another_spelling_is_given(
    workspace: WorkspaceFolder, serve: Serve, arguments: dict[str, Any]
) -> None:
    filling = "別の文。" * 2_000
    workspace.write("m/a.md", f"# 章\n\n{filling}サーバの点検をする。{filling}\n")
    assert "サーバの点検" in read(serve().find("サーバー"), **arguments)["text"]


def test_of_several_hits_no_more_is_given_than_there_is_room_for(workspace: WorkspaceFolder, serve: Serve) -> None:
    for name in "abc":
        workspace.write(f"m/{name}.json", values(200))
    body = read(serve().find("点検"), limits={"max_chars": 15_000})
    assert body["in_parts"] == [0, 1, 2]
    assert 13_000 < sum(map(len, lines_in(body))) < 15_000


def test_a_hit_that_is_named_has_long_lines_whole_that_an_answer_has_room_for(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    line = f"点検。{'別の文。' * 1_500}"
    workspace.write("m/a.md", f"# 章\n\n{line}\n\n{'別の文。' * 1_000}\n")
    assert line in lines_in(read(serve().find("点検"), hits=[0]))


@pytest.mark.parametrize("max_chars", [1, 2, 3])
def test_a_first_answer_may_hold_a_single_character(workspace: WorkspaceFolder, serve: Serve, max_chars: int) -> None:
    for name, text in (("a", "# 点検\n\n## 節\n\n文。\n"), ("b", "点検する。\n"), ("c", "# 章\n\n点検する。\n")):
        workspace.write(f"m/{name}.md", text)
    manuals = serve()
    found = manuals.find("点検")
    for offset in range(3):
        given = "".join(lines_in(read(found, offset=offset, limits={"max_chars": max_chars, "max_sections": 1})))
        assert 1 <= len(given) <= max_chars


def test_the_pointer_of_a_value_is_given_once_for_all_its_places_and_not_if_it_is_too_long(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    said = f"点検一。{'長い。' * 5_000}点検二。"
    workspace.write("m/a.json", json.dumps({"key": said, "k" * 4_000: said}, ensure_ascii=False, indent=1))
    text = read(serve().find("点検"), hits=[0], limits={"max_chars": 6_000})["text"]
    assert re.findall(r"^/(.*)$", text, re.M) == ["key"]
    assert text.count("点検一。") == 2


def test_markdown_that_looks_like_json_has_no_pointers(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", '{"key":\n\n"点検"}\n')
    assert read(serve().find("点検"), scope="snippet")["text"] == '[0] m/a.md:1-3\n1\t{"key":\n3\t"点検"}\n'


FILLING = ["別の文。", "か\u3099", "\u200b", "\U0001f600", "ﷺ", "x\u0301", "\u3000", "\\", '"', "\t"]


def any_line(chance: random.Random) -> str:
    filling = [chance.choice(FILLING) * chance.choice([1, 20, 300, 1_000]) for _ in range(chance.randrange(4))]
    said = [*filling, *["点検"] * chance.randrange(3)]
    chance.shuffle(said)
    return "".join(said)


def any_file(chance: random.Random, name: str) -> str:
    lines = chance.choices([*(any_line(chance) for _ in range(6)), "", "# 章", "## 点検", "点検する。"], k=20)
    end = chance.choice(["\n", "\r\n", "\r"])
    if name.endswith(".md"):
        return end.join(lines)
    return json.dumps(lines, ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, 1])).replace("\n", end)


def given_of(text: str) -> list[tuple[str, int, bool, str]]:
    """What an answer gives: of which file, of which line, whether that is cut, and what."""
    parts = re.split(NAMED, text)[1:]
    return [
        (path, int(number.rstrip("…")), "…" in number, said.rstrip("\r"))
        for path, numbered in zip(parts[1::6], parts[5::6], strict=True)
        for number, said in re.findall(r"^(\d+…?)\t(.*)$", numbered.replace("\r", "\n"), re.M)
    ]


def test_whatever_the_files_reading_on_gives_every_match_and_no_line_twice(
    workspace: WorkspaceFolder, serve: Serve, seed: int
) -> None:
    chance = random.Random(seed)
    files = {f"m/{n}.{kind}": any_file(chance, f".{kind}") for n, kind in enumerate(["md", "md", "json", "json"])}
    for name, text in files.items():
        workspace.write(name, text)
    manuals = serve()
    found = manuals.find("点検")
    scope, limits = chance.choice(["sections", "snippet"]), {"max_chars": chance.randrange(1_000, 20_000)}
    hits = list(range(min(len(found.hits()), 20)))
    bodies = read_on(manuals, found, scope=scope, hits=hits, only_new=True, limits=limits)
    whole: set[tuple[str, int]] = set()
    covered: dict[tuple[str, int], set[int]] = {}
    for path, number, is_cut, said in (one for body in bodies for one in given_of(body["text"])):
        line = re.split("\r\n|\r|\n", files[path])[number - 1]
        assert said in line if is_cut else said == line
        assert is_cut or not line.strip() or (path, number) not in whole
        begins = [match.start() for match in re.finditer(f"(?={re.escape(said)})", line)]
        covered.setdefault((path, number), set()).update(n for at in begins for n in range(at, at + len(said)))
        if not is_cut:
            whole.add((path, number))
    for path, text in files.items():
        for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
            matches = re.finditer("点検|" + re.escape(r"\u70b9\u691c"), line)
            columns = {n for match in matches for n in range(*match.span())}
            assert columns <= covered.get((path, number), set())
