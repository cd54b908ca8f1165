"""`manual_read` of a trace: all lines are the files' own, whatever those hold and whatever became of them."""

import random
import re
from typing import Any

import pytest

from ..server.library import GUIDE
from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder
from .hit_reads import NAMED, NUMBERED, hits_in, lines_in, read

REF = {"target": "manual", "manual_id": "手引き", "path": "guide.md"}


def test_every_line_is_the_line_of_the_file_that_its_number_says(library: Serving) -> None:
    text = read(library.find("申請の方法", manual_id="手引き", max_stage=3))["text"]
    of_guide = re.search(r"^\[\d+\] 手引き/guide\.md:\d+-\d+\n((?:\d+\t.*\n)+)", text, re.M)
    assert of_guide
    lines = GUIDE.splitlines()
    assert [lines[int(line[1]) - 1] for line in NUMBERED.finditer(of_guide[1])] == lines_in({"text": of_guide[1]})


def test_no_line_of_a_document_can_pass_for_the_name_of_a_hit(rules: Serving) -> None:
    body = read(rules.find("偽装", manual_id="m", max_stage=3))
    assert hits_in(body) == list(range(len(hits_in(body))))
    assert "4\t[1] m/secret.md:1-3" in body["text"]


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
