"""JSON manuals: a hit says on which line and at which value it is."""

import json
import re

import pytest

from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder

NEEDLE = "鍵言葉"


def hit(manuals: Serving, query: str = NEEDLE) -> tuple[int, str | None]:
    (item,) = manuals.find(query).hits()
    return item["start_line"], item["ref"]["json_path"]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"a": NEEDLE}, "/a"),
        ({"a": {"b": [1, {"c": f"x {NEEDLE}"}]}}, "/a/b/1/c"),
        ([["x", NEEDLE]], "/0/1"),
        ({NEEDLE: 1}, f"/{NEEDLE}"),
        ({"a/b": {"c~d": NEEDLE}}, "/a~1b/c~0d"),
        ({"": {"": NEEDLE}}, "//"),
        ({"a": 'quote " and \\ backslash', "b": NEEDLE}, "/b"),
        ({"a": "{[,:]}", "b": [NEEDLE]}, "/b/0"),
        (NEEDLE, ""),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_hit_carries_the_pointer_of_its_value(
    workspace: WorkspaceFolder, serve: Serve, value: object, pointer: str, indent: int | None
) -> None:
    workspace.write("m/x.json", json.dumps(value, ensure_ascii=False, indent=indent))
    assert hit(serve())[1] == pointer


def test_a_hit_carries_its_line(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", json.dumps({"a": [1, 2], "b": NEEDLE}, ensure_ascii=False, indent=2))
    assert hit(serve()) == (6, "/b")


def test_the_line_counts_carriage_returns_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", f'{{\r\n"a": 1,\r\n"b": "{NEEDLE}"\r\n}}\r\n')
    assert hit(serve()) == (3, "/b")


def test_a_full_width_spelling_has_the_same_pointer(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", '{"㍿㍿": 1, "一": ["ＫＥＹ　ＷＯＲＤ"]}')
    assert hit(serve(), '"key word"')[1] == "/一/0"


def test_a_hit_in_a_minified_file_is_where_most_of_the_question_stands_together(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    rows = [{"id": n, "text": f"製品{n}の説明。"} for n in range(300)]
    rows[100]["text"] = "製品100には別語という鍵言葉がある。"
    rows += (
        [{"id": 0, "text": "別語である。"}]
        + [{"id": n, "text": "普通の文"} for n in range(200)]
        + [{"id": 1, "text": NEEDLE}]
    )
    workspace.write("m/x.json", json.dumps([{"text": "別語"}, *rows], ensure_ascii=False))
    manuals = serve()
    assert hit(manuals, f"{NEEDLE} 別語") == (1, "/101/text")
    assert hit(manuals, "製品299の説明") == (1, "/300/text")


def test_a_json_file_is_one_candidate(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", json.dumps([NEEDLE] * 500, ensure_ascii=False, indent=1))
    found = serve().find(NEEDLE)
    assert found.summary["candidates"] == 1
    assert found.lines["matched"] == 500


def test_a_hit_can_be_read_by_its_pointer(workspace: WorkspaceFolder, serve: Serve) -> None:
    filler = {f"k{n}": "詰め物" * 50 for n in range(200)}
    workspace.write("m/x.json", json.dumps({**filler, "b": {"c": NEEDLE}}, ensure_ascii=False, indent=1))
    manuals = serve()
    (item,) = manuals.find(NEEDLE).hits()
    assert NEEDLE in manuals.read(item["ref"], scope="snippet")["text"][:100]


def test_text_that_is_no_json_is_found_without_a_pointer(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", f'{{"a": 1,\n"b": {NEEDLE}')
    found = serve().find(NEEDLE)
    assert found.places() == {("x.json", 2)}
    assert found.hits()[0]["ref"]["json_path"] is None
    assert found.summary["warnings"] == 1


def test_a_value_written_with_escapes_is_found_as_it_reads(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.json", json.dumps({"a": 1, "b": NEEDLE}, ensure_ascii=True, indent=1))
    assert hit(serve()) == (3, "/b")


@pytest.mark.parametrize(
    ("written", "query"),
    [
        (r"監査ログの保存期\n間", "保存期間"),
        (r"監査ログの\r\n\t保存期間", "監査ログの保存期間"),
        (r"サー\u200bバ\u00adー名", "サーバー名"),
        (r"第一部\u3000総則", "第一部 総則"),
        (r"保存\u000a期間", "保存期間"),
        (r"申請書\/届出書", "申請書/届出書"),
        (r"<a href=\"guide.html\">", 'href="guide.html"'),
        (r"C:\\new\\temp", r"C:\new\temp"),
    ],
)
def test_what_stands_escaped_is_found_as_a_reader_of_the_value_has_it(
    workspace: WorkspaceFolder, serve: Serve, written: str, query: str
) -> None:
    workspace.write("m/x.json", f'{{"a": 1,\n"b": ["\\n\\u3042", "前文\\n{written}"]}}\n')
    assert hit(serve(), query) == (2, "/b/1")


def test_a_sentence_behind_an_escaped_line_break_contradicts_others(workspace: WorkspaceFolder, serve: Serve) -> None:
    body = "手引です。\nバックアップは必須である。\n会費は5,000円とする。"
    guide = {"body": body, "other": "普通の文です。" * 200}
    workspace.write("m/guide.json", json.dumps(guide, ensure_ascii=False, indent=1))
    workspace.write("m/rules.md", "# 規程\n\nバックアップは不要である。\n\n会費は3,000円とする。\n")
    manuals = serve()
    assert [manuals.find(query).summary["conflict_count"] for query in ("バックアップ", "会費")] == [1, 1]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("key", ["body", "本文"])
def test_what_a_string_of_json_says_contradicts_what_a_text_says(
    workspace: WorkspaceFolder, serve: Serve, indent: int | None, key: str
) -> None:
    text = json.dumps({"title": "手引", key: "監査ログの保存期間は90日です。"}, ensure_ascii=False, indent=indent)
    workspace.write("m/guide.json", text)
    workspace.write("m/rules.md", "# 規程\n\n監査ログの保存期間は30日です。\n")
    assert serve().find("監査ログの保存期間").summary["conflict_count"] == 1


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(("query", "conflicts"), [("監査ログ", 1), ("返品", 0)])
def test_only_the_strings_with_a_hit_are_compared_also_of_a_file_of_one_line(
    workspace: WorkspaceFolder, serve: Serve, indent: int | None, query: str, conflicts: int
) -> None:
    for name, days in (("guide", 90), ("rules", 30)):
        rows = ["返品は窓口で受け付けます。", *["普通の文です。"] * 300, f"監査ログの保存期間は{days}日です。"]
        workspace.write(f"m/{name}.json", json.dumps(rows, ensure_ascii=False, indent=indent))
    assert serve().find(query).summary["conflict_count"] == conflicts


@pytest.mark.parametrize(
    ("one", "other", "query"),
    [
        ("保存期間は2年です。", "保存期間は1年です。", "保存期間"),
        ("The timeout is 30 seconds.", "The timeout is 60 seconds.", "timeout"),
        ("Required field with recommended default.", "Optional field with recommended default.", "default"),
    ],
)
def test_what_objects_of_two_json_files_have_is_of_each_its_own(
    workspace: WorkspaceFolder, serve: Serve, one: str, other: str, query: str
) -> None:
    for name, description in (("机", one), ("椅子", other)):
        text = json.dumps({"name": name, "description": description}, ensure_ascii=False, indent=1)
        workspace.write(f"m/{name}.json", text)
    assert serve().find(query).summary["conflict_count"] == 0


def test_a_minified_file_of_one_long_line_is_found(workspace: WorkspaceFolder, serve: Serve) -> None:
    rows = [{"id": n, "text": "普通の文"} for n in range(3_000)]
    rows[2_345]["text"] = NEEDLE
    workspace.write("m/x.json", json.dumps(rows, ensure_ascii=False))
    assert hit(serve()) == (1, "/2345/text")


def test_a_value_of_a_minified_file_comes_before_what_says_half_of_it_in_a_short_text(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    rows = [{"sku": n, "text": f"製品{n}の説明です。標準付属品は保護めがねです。"} for n in range(2_000)]
    rows[1_500]["text"] = "リコール対象です。使用を中止してください。"
    workspace.write("m/products.json", json.dumps(rows, ensure_ascii=False, separators=(",", ":")))
    others = "".join(f"## 手引{n}\n\n窓口に申し出る。\n\n" for n in range(300))
    workspace.write("m/delivery.md", f"# 冷凍便\n\n冷凍便は置き配の対象外です。\n\n{others}")
    best, other = serve().find("リコール対象").hits("integrated_top")
    assert (best["ref"]["json_path"], other["path"]) == ("/1500/text", "delivery.md")


@pytest.mark.parametrize("is_escaped", [False, True])
def test_of_a_minified_list_the_entries_that_match_are_given_whole_and_nothing_beside_them(
    workspace: WorkspaceFolder, serve: Serve, *, is_escaped: bool
) -> None:
    entries = [
        {"question": f"質問{n}はどうするか", "answer": "窓口に申し出る。" * 9, "tags": ["問"]} for n in range(200)
    ]
    entries[50]["question"] = entries[51]["question"] = f"{NEEDLE}の条件は何か"
    workspace.write("m/faq.json", json.dumps(entries, ensure_ascii=is_escaped, separators=(",", ":")))
    manuals = serve()
    (proposed,) = (action for action in manuals.find(NEEDLE).next_actions if action["type"] == "manual_read")
    _, *given = manuals.call("manual_read", **proposed["params"])["text"].splitlines()
    assert given[::2] == ["/50", "/51"]
    assert [json.loads(line.removeprefix("1…\t")) for line in given[1::2]] == entries[50:52]


def test_an_exception_on_the_line_of_a_minified_file_is_not_said_to_be_in_the_value_that_matches(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    value = [{"text": f"{NEEDLE}は有料です。"}, {"text": "返品できます。ただし、食品を除く。"}]
    workspace.write("m/x.json", json.dumps(value, ensure_ascii=False))
    workspace.write("m/y.json", json.dumps([f"{NEEDLE}は有料です。ただし、学生を除く。"], ensure_ascii=False, indent=1))
    found = {item["path"]: item for item in serve().find(NEEDLE).hits()}
    pointers = {path: {one["ref"]["json_path"] for one in item["exceptions"]} for path, item in found.items()}
    assert pointers == {"x.json": {""}, "y.json": {"/0"}}


@pytest.mark.parametrize("rows", [10, 3_000])
def test_what_a_search_proposes_to_read_holds_the_hit_also_of_a_minified_file(
    workspace: WorkspaceFolder, serve: Serve, rows: int
) -> None:
    values = [{"id": n, "text": "普通の文"} for n in range(rows)]
    values[-1]["text"] = NEEDLE
    workspace.write("m/x.json", json.dumps(values, ensure_ascii=False))
    manuals = serve()
    found = manuals.find(NEEDLE)
    proposed = [action["params"] for action in found.next_actions if action["type"] == "manual_read"]
    assert [NEEDLE in manuals.call("manual_read", **params)["text"] for params in proposed] == [True]
    assert NEEDLE in manuals.read(found.hits()[0]["ref"], scope="snippet")["text"]


def test_a_hit_in_json_lists_the_other_lines_that_match_with_their_pointers(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    items = [{"id": n, "question": f"{NEEDLE}は{n}か", "answer": "はい"} for n in range(4)]
    workspace.write("m/faq.json", json.dumps({"items": items, NEEDLE: [NEEDLE]}, ensure_ascii=False, indent=1))
    workspace.write("m/one.json", json.dumps({"a": NEEDLE}, ensure_ascii=False, indent=1))
    workspace.write("m/guide.md", f"# 題\n\n{NEEDLE}\n\n{NEEDLE}\n")
    manuals = serve()
    found = {item["path"]: item for item in manuals.find(NEEDLE).hits()}
    pointers = [f"/items/{n}/question" for n in range(4)] + [f"/{NEEDLE}", f"/{NEEDLE}/0"]
    faq = found["faq.json"]
    listed = [faq["ref"], *faq["lines"]]
    assert sorted(line["json_path"] for line in listed) == sorted(pointers)
    assert "lines_total" not in faq
    for line in listed:
        place = {"start_line": line["start_line"], "json_path": line["json_path"]}
        assert NEEDLE in manuals.read({**faq["ref"], **place}, scope="snippet")["text"]
    assert ["lines" in found[path] for path in ("one.json", "guide.md")] == [False, False]


def test_of_many_lines_in_json_that_match_the_first_are_listed_and_all_counted(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/x.json", json.dumps([NEEDLE] * 500, ensure_ascii=False, indent=1))
    (item,) = serve().find(NEEDLE).hits()
    assert (len(item["lines"]), item["lines_total"]) == (5, 499)


def test_of_lines_in_json_those_with_most_of_the_question_are_listed(workspace: WorkspaceFolder, serve: Serve) -> None:
    rows = [NEEDLE] * 40 + [f"{NEEDLE}と別語"] * 2 + [NEEDLE] * 40
    workspace.write("m/x.json", json.dumps(rows, ensure_ascii=False, indent=1))
    (item,) = serve().find(f"{NEEDLE} 別語").hits()
    both = {item["start_line"], *(line["start_line"] for line in item["lines"])}
    assert {42, 43} <= both


def test_of_lines_in_json_one_with_a_word_that_no_other_listed_one_has_is_listed_before_those_with_more_words(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    rows = [f"{NEEDLE}の既定値"] * 20 + ["別語"]
    workspace.write("m/x.json", json.dumps(rows, ensure_ascii=False, indent=1))
    (item,) = serve().find(f"{NEEDLE} 別語 既定値").hits()
    assert {"start_line": 22, "json_path": "/20"} in item["lines"]


def test_what_a_search_proposes_to_read_of_a_long_list_is_the_whole_entry_and_no_other(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    entries = [{"id": n, "question": f"質問{n}はどうするか", "answer": "窓口に申し出る。" * 5} for n in range(200)]
    entries[120] |= {"question": f"{NEEDLE}の条件は何か", "tags": ["保証"]}
    workspace.write("m/faq.json", json.dumps(entries, ensure_ascii=False, indent=2))
    manuals = serve()
    (proposed,) = (action for action in manuals.find(NEEDLE).next_actions if action["type"] == "manual_read")
    name, pointer, text = manuals.call("manual_read", **proposed["params"])["text"].split("\n", 2)
    assert (name.endswith(", in parts"), pointer) == (True, "/120")
    assert json.loads(re.sub(r"(?m)^\d+\t", "", text).strip().rstrip(",")) == entries[120]


@pytest.mark.parametrize("line", ["{", '"c"', "2"])
def test_a_line_of_a_small_json_file_is_read_with_all_of_it(
    workspace: WorkspaceFolder, serve: Serve, line: str
) -> None:
    text = json.dumps({"a": 1, "b": {"c": [2]}}, indent=2)
    workspace.write("m/x.json", text)
    manuals = serve()
    ref = manuals.ref("m", "x.json", text[: text.index(line)].count("\n") + 1)
    assert manuals.read(ref, scope="snippet")["text"] == text


def test_a_record_of_json_lines_is_read_with_those_beside_it_left_out(workspace: WorkspaceFolder, serve: Serve) -> None:
    records = [json.dumps({"id": n, "text": "普通の文" * 20}, ensure_ascii=False) for n in range(50)]
    workspace.write("m/x.json", "\n".join(records))
    manuals = serve()
    assert manuals.read(manuals.ref("m", "x.json", 30), scope="snippet")["text"] == records[29] + "\n"


def test_of_an_object_too_long_for_a_snippet_what_stands_before_and_behind_a_line_is_read(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    text = json.dumps({f"key{n:03}": ["値", n] for n in range(400)}, ensure_ascii=False)
    text = text.replace("], ", "],\n")
    workspace.write("m/x.json", text)
    manuals = serve()
    body = manuals.read(manuals.ref("m", "x.json", 200), scope="snippet")
    assert ("key190" in body["text"], "key208" in body["text"], len(body["text"]) <= 1_200) == (True, True, True)
    assert body["truncated"] is True
