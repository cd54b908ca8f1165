"""`manual_read`: the limits of a text, and the cursor that goes on where it was cut."""

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from ..server.serving import Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder

LONG = "# 題\n\n" + "".join(f"{n}行目の文章を書いておく。\n" for n in range(3_000))


@pytest.fixture(scope="module")
def long(shared_workspace: WorkspaceFolder) -> Iterator[Serving]:
    """A long document, and in manuals of their own those whose chunks are counted."""
    shared_workspace.write("m/x.md", LONG)
    for name, text, encoding in CHUNKED:
        shared_workspace.write(f"{name}/x.md", text.encode(encoding))
    with serving_indexed(shared_workspace) as manuals:
        yield manuals


def section(manuals: Serving, **arguments: Any) -> dict[str, Any]:
    return manuals.read(manuals.ref("m", "x.md", 1), scope="section", **arguments)


def read_on(manuals: Serving, ref: dict[str, Any], **arguments: Any) -> list[dict[str, Any]]:
    """All answers, following `next_cursor` to the end."""
    answers = [manuals.read(ref, **arguments)]
    while cursor := answers[-1]["next_cursor"]:
        answers.append(manuals.read(ref, cursor={"char_offset": cursor["char_offset"]}, **arguments))
        assert len(answers) < 10_000
    return answers


def test_eight_thousand_characters_are_the_default(long: Serving) -> None:
    body = section(long)
    assert body["applied"]["max_chars"] == 8_000
    assert body["text"] == LONG[:8_000]
    assert body["truncated"] is True


@pytest.mark.parametrize("asked", [20_001, 50_000, 10**12])
def test_twenty_thousand_characters_are_the_most(long: Serving, asked: int) -> None:
    body = section(long, limits={"max_chars": asked})
    assert body["applied"]["max_chars"] == 20_000
    assert len(body["text"]) == 20_000


def test_fewer_characters_can_be_asked_for(long: Serving) -> None:
    assert section(long, limits={"max_chars": 5})["text"] == LONG[:5]


@pytest.mark.parametrize("value", [0, -1])
def test_no_characters_cannot_be_asked_for(long: Serving, value: int) -> None:
    error = long.refuse("manual_read", ref=long.ref("m", "x.md"), limits={"max_chars": value})
    assert error["details"]["parameter"] == "limits.max_chars"


def test_the_servers_own_limit_is_a_ceiling(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", LONG)
    assert len(section(serve(HARD_MAX_CHARS="100"))["text"]) == 100


@pytest.mark.parametrize("asked", [None, 20, 21, 10**9])
def test_twenty_sections_are_the_default_and_the_most(
    workspace: WorkspaceFolder, serve: Serve, asked: int | None
) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\n本文\n\n" for n in range(30)))
    manuals = serve()
    body = manuals.read(manuals.ref("m", "x.md", 1), scope="sections", limits={"max_sections": asked})
    assert body["text"].count("# 題") == 20
    assert (body["applied"]["max_sections"], body["truncated"]) == (20, True)


@pytest.mark.parametrize(("scope", "max_chars"), [("sections", 8_000), ("file", 8_000), ("sections", 30)])
def test_what_a_number_of_sections_cut_goes_on_at_its_cursor(
    workspace: WorkspaceFolder, serve: Serve, scope: str, max_chars: int
) -> None:
    whole = "".join(f"# 題{n}\n\n本文\n\n" for n in range(30))
    workspace.write("m/x.md", whole)
    manuals = serve(ALLOW_FILE_SCOPE="true")
    limits = {"max_sections": 7, "max_chars": max_chars, "allow_file": True}
    texts, cursor, is_cut = [], None, True
    while is_cut:
        body = manuals.read(manuals.ref("m", "x.md", 1), scope=scope, limits=limits, cursor=cursor)
        texts.append(body["text"])
        cursor, is_cut = body["next_cursor"], body["truncated"]
        assert (cursor is not None) == is_cut
    assert "".join(texts) == whole
    assert max(text.count("# 題") for text in texts) <= 7


def test_a_file_too_is_cut_after_twenty_sections(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "".join(f"# 題{n}\n\n本文\n\n" for n in range(30)))
    manuals = serve(ALLOW_FILE_SCOPE="true")
    body = manuals.read(manuals.ref("m", "x.md"), scope="file", limits={"allow_file": True})
    assert body["text"].count("# 題") == 20
    assert body["truncated"] is True


def test_an_uncut_text_has_no_cursor(long: Serving) -> None:
    body = long.read(long.ref("line feeds", "x.md", 1))
    assert (body["text"], body["truncated"], body["next_cursor"]) == ("# 題\n\n一行目\n二行目\n", False, None)


def test_a_snippet_that_is_only_a_part_of_its_paragraph_says_so_and_goes_on(long: Serving) -> None:
    first = long.read(long.ref("m", "x.md", 2_000), scope="snippet")
    assert (len(first["text"]) <= 1_200, "1997行目" in first["text"], first["truncated"]) == (True, True, True)
    answers = read_on(long, long.ref("m", "x.md", 2_000), scope="snippet")
    text = "".join(answer["text"] for answer in answers)
    assert text == LONG[LONG.index(first["text"]) :]
    assert all(len(answer["text"]) <= 1_200 for answer in answers)


def test_a_cursor_behind_the_paragraph_is_a_conflict(long: Serving) -> None:
    ref = long.ref("line feeds", "x.md", 3)
    error = long.refuse("manual_read", ref=ref, scope="snippet", cursor={"char_offset": 15})
    assert (error["code"], error["details"]["parameter"]) == ("conflict", "cursor")


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_value_that_is_longer_than_a_snippet_is_not_cut_in_silence(
    workspace: WorkspaceFolder, serve: Serve, indent: int | None
) -> None:
    item: dict[str, Any] = {
        "question": "精算はいつまでか",
        "answer": "帰着から七日以内に行う。" * 300,
        "refs": ["第3条"],
    }
    text = json.dumps({"items": [item, item]}, ensure_ascii=False, indent=indent)
    workspace.write("m/x.json", text)
    manuals = serve()
    ref = {"target": "manual", "manual_id": "m", "path": "x.json"}
    answers = read_on(manuals, {**ref, "start_line": 1}, scope="snippet")
    assert "".join(answer["text"] for answer in answers) == text
    assert len(answers[0]["text"]) <= 1_200
    for pointer, last in (("/items/0/question", "]"), ("/items/0/answer", "]"), ("/items/0", "}")):
        answers = read_on(manuals, {**ref, "json_path": pointer}, scope="snippet")
        read = "".join(answer["text"] for answer in answers)
        assert text.count(read) == 2
        assert (item["answer"] in read, read[-1]) == (True, last)
        assert [answer["truncated"] for answer in answers] == [True] * (len(answers) - 1) + [False]


def test_a_cursor_says_on_which_line_it_goes_on(long: Serving) -> None:
    cursor = section(long)["next_cursor"]
    assert cursor == {"start_line": LONG[:8_000].count("\n") + 1, "char_offset": 8_000}


CHUNKED = [
    ("line feeds", "# 題\n\n一行目\n二行目\n\n終わり\n", "utf-8"),
    ("carriage returns and line feeds", "# 題\r\n\r\n一行目\r\n二行目\r\n\r\n終わり\r\n", "utf-8"),
    ("carriage returns", "# 題\r\r一行目\r二行目\r\r終わり\r", "utf-8"),
    ("mixed line ends", "# 題\r\n\n一行目\r二行目\n\r\n終わり", "utf-8"),
    ("Shift JIS", "# 題名\r\n\r\n表示能力と構成を申請する。\r\nソースコードの欄\r\n", "cp932"),
    ("EUC-JP", "# 題名\n\n日本語の文章で書かれた説明を読む。\n二行目の文章もある。\n", "euc_jp"),
    ("UTF-16", "# 題名\r\n\r\n本文を書く。\r\n", "utf-16"),
    ("a byte order mark", "# 題名\n\n本文を書く。\n", "utf-8-sig"),
    ("one long line", "# 題\n\n" + "長い一行を続ける" * 700, "utf-8"),
    ("beyond the basic plane", "# 𠮷野家\n\n𠮷👨‍👩‍👧‍👦é\u0301が\u3099🇯🇵\n", "utf-8"),
    ("other separators", "# 題\n\n一\u2028二\u2029三\x0b四\x0c五\x85六\n", "utf-8"),
    ("no last line end", "# 題\n\n終わり", "utf-8"),
]


# A character at a time is enough for the short ones: the long one would take thousands of answers.
SIZES = [(*row[:2], size) for row in CHUNKED for size in (1, 2, 7, 1_000) if len(row[1]) / size < 1_000]


@pytest.mark.parametrize(("name", "text", "max_chars"), SIZES, ids=[f"{row[0]}, {row[2]}" for row in SIZES])
def test_the_chunks_of_a_section_are_its_text_exactly(long: Serving, name: str, text: str, max_chars: int) -> None:
    answers = read_on(long, long.ref(name, "x.md", 1), scope="section", limits={"max_chars": max_chars})
    assert "".join(answer["text"] for answer in answers) == text
    assert [answer["truncated"] for answer in answers] == [True] * (len(answers) - 1) + [False]


def test_the_chunks_of_a_json_file_are_its_text_exactly(workspace: WorkspaceFolder, serve: Serve) -> None:
    chosen = random.Random(1)
    text = "[\r\n" + ",\r\n".join(f'  "{chosen.choice("あいうえお") * chosen.randint(0, 40)}"' for _ in range(90)) + "]"
    workspace.write("m/x.json", text)
    manuals = serve()
    answers = read_on(manuals, manuals.ref("m", "x.json"), limits={"max_chars": 97})
    assert "".join(answer["text"] for answer in answers) == text


def test_chunks_follow_each_other_line_by_line(long: Serving) -> None:
    answers = read_on(long, long.ref("m", "x.md", 1), scope="section", limits={"max_chars": 20_000})
    for before, after in pairwise(answers):
        assert after["source"]["start_line"] == before["next_cursor"]["start_line"]
    assert answers[-1]["source"]["end_line"] == LONG.count("\n")


def test_a_cursor_of_an_answer_is_accepted_as_it_is(long: Serving) -> None:
    cursor = section(long)["next_cursor"]
    assert section(long, cursor=cursor)["text"] == LONG[8_000:16_000]


@pytest.mark.parametrize("named", [("char_offset",), ("char_offset", "start_line")])
@pytest.mark.parametrize(
    "change",
    [LONG.replace("\n\n", "\n\n一行増えた。\n", 1), LONG.replace("行目", "行", 1)],
    ids=["a line", "a character"],
)
def test_a_cursor_of_a_file_that_changed_is_a_conflict_and_leaves_nothing_out(
    workspace: WorkspaceFolder, serve: Serve, change: str, named: tuple[str, ...]
) -> None:
    workspace.write("m/x.md", LONG)
    manuals = serve()
    given = section(manuals)["next_cursor"]
    workspace.write("m/x.md", change)
    cursor = {name: given[name] for name in named}
    error = manuals.refuse("manual_read", ref=manuals.ref("m", "x.md", 1), scope="section", cursor=cursor)
    assert (error["code"], error["details"]["parameter"]) == ("conflict", "cursor")


def test_a_file_that_is_read_on_is_read_as_it_is_on_disk(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "甲" * 60)
    manuals = serve()
    ref, limits = manuals.ref("m", "x.md"), {"max_chars": 20}
    assert manuals.read(ref, scope="section", limits=limits)["next_cursor"]
    workspace.write("m/x.md", "乙" * 60)
    assert manuals.read(ref, scope="section", limits=limits)["text"] == "乙" * 20


def test_a_cursor_behind_the_end_of_a_file_that_shrank_is_a_conflict(workspace: WorkspaceFolder, serve: Serve) -> None:
    path = workspace.write("m/x.md", LONG)
    manuals = serve()
    cursor = {"char_offset": section(manuals)["next_cursor"]["char_offset"]}
    path.write_text("# 題\n\n短い\n", "utf-8")
    error = manuals.refuse("manual_read", ref=manuals.ref("m", "x.md", 1), scope="section", cursor=cursor)
    assert error["code"] == "conflict"
