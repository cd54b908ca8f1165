"""Where something stands in a file makes no difference: it is found, and on its line."""

from collections.abc import Iterator

import pytest

from ..server.serving import Found, Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder

NEEDLE = "鍵言葉"

PLACES = [
    ("a heading", f"# {NEEDLE}について\n\n本文\n", 1),
    ("a heading without a body", f"# 一\n\n# {NEEDLE}\n\n# 二\n", 3),
    ("the last heading, without a line end", f"# 一\n\n## {NEEDLE}", 3),
    ("a setext heading", f"一行目\n\n{NEEDLE}\n===\n\n本文\n", 3),
    ("a heading of the sixth level", f"###### {NEEDLE}\n", 1),
    ("the text before the first heading", f"前文。\n{NEEDLE}\n\n# 一\n", 2),
    ("the first line of a file without headings", f"{NEEDLE}\n二行目\n", 1),
    ("the last line of a file without headings", f"一行目\n{NEEDLE}", 2),
    ("front matter", f"---\ntitle: {NEEDLE}\ntags: [a]\n---\n\n# 一\n", 2),
    ("a fence", f"# 一\n\n```sh\n# {NEEDLE}\n```\n", 4),
    ("a fence that is never closed", f"# 一\n\n```\n\n# {NEEDLE}\n", 5),
    ("indented code", f"# 一\n\n    {NEEDLE}\n", 3),
    ("a comment", f"# 一\n\n<!-- {NEEDLE} -->\n", 3),
    ("an HTML block", f"# 一\n\n<div>\n{NEEDLE}\n</div>\n", 4),
    ("a table", f"# 一\n\n| a | b |\n|---|---|\n| 1 | {NEEDLE} |\n", 5),
    ("a quotation", f"# 一\n\n> 一\n> {NEEDLE}\n", 4),
    ("a list", f"# 一\n\n- 一\n  - {NEEDLE}\n", 4),
    ("a link's address", f"# 一\n\n[ここ](https://example.com/{NEEDLE})\n", 3),
    ("the footnotes", f"# 一\n\n本文[^1]\n\n[^1]: {NEEDLE}\n", 5),
    ("after many blank lines", "# 一\n" + "\n" * 500 + f"{NEEDLE}\n", 502),
    ("before the first heading, after blank lines", f"\n\n\n{NEEDLE}\n\n# 一\n", 4),
    ("the end of a long line", f"# 一\n\n{'長い行' * 8_000}{NEEDLE}\n", 3),
    ("deep in a long section", "# 一\n\n" + "普通の行が続く。\n" * 900 + f"{NEEDLE}\n" + "普通の行。\n" * 90, 903),
    ("after lines that end with carriage returns", f"# 一\r\r二\r{NEEDLE}\r", 4),
    ("after mixed line ends", f"# 一\r\n\n二\r三\n\r\n{NEEDLE}\r\n", 6),
    ("after characters that only look like line ends", f"# 一\n\n二\u2028三\x0c四\x85五\n{NEEDLE}\n", 4),
]


PATHS = [
    "index.md",
    "目次.md",
    "INDEX.MD",
    "README.md",
    "toc.md",
    "x.markdown",
    "x.mdx",
    "深い/階層/の/index.md",
    "空白 の ある 名前.md",
    "か\u3099いと\u3099.md",
    "100%.md",
    "a'b\"c.md",
    "drop table.md",
    "a:b.md",
    "1:概要.md",
    "back\\slash.md",
    "🎌.md",
    "[x](y).md",
    "a..b.md",
    "~.md",
    "-rf.md",
]
MANUALS = ["空白 の ある", "か\u3099いと\u3099", "a'b", "100%", "a:b", "back\\slash", "🎌"]
SECTION = f"# 題\n\n{NEEDLE}\n"


@pytest.fixture(scope="module")
def places(shared_workspace: WorkspaceFolder) -> Iterator[Serving]:
    """A manual for each place, each path and each name of a manual."""
    documents = [(place, "x.md", text) for place, text, _ in PLACES]
    documents += [(f"path {number}", path, SECTION) for number, path in enumerate(PATHS)]
    documents += [(manual_id, "x.md", SECTION) for manual_id in MANUALS]
    for manual_id, path, text in documents:
        shared_workspace.write(f"{manual_id}/{path}", text)
    with serving_indexed(shared_workspace) as manuals:
        yield manuals


def find_in(manuals: Serving, manual_id: str) -> Found:
    """The needle in one manual alone."""
    return manuals.find(NEEDLE, manual_id=manual_id, max_stage=3)


@pytest.mark.parametrize(("place", "text", "line"), PLACES, ids=[row[0] for row in PLACES])
def test_it_is_found_on_its_line(places: Serving, place: str, text: str, line: int) -> None:
    found = find_in(places, place)
    assert found.places() == {("x.md", line)}
    assert found.lines["matched"] == 1


@pytest.mark.parametrize(("place", "text", "line"), PLACES, ids=[row[0] for row in PLACES])
def test_its_section_holds_it(places: Serving, place: str, text: str, line: int) -> None:
    (item,) = find_in(places, place).hits()
    answer = places.read(item["ref"], scope="section", limits={"max_chars": 20_000})
    assert answer["source"]["start_line"] <= line
    assert NEEDLE in answer["text"] or answer["truncated"]


@pytest.mark.parametrize(("number", "path"), list(enumerate(PATHS)), ids=PATHS)
def test_a_file_is_found_and_can_be_read_whatever_its_name(places: Serving, number: int, path: str) -> None:
    (item,) = find_in(places, f"path {number}").hits()
    assert item["path"] == path
    assert places.read(item["ref"])["text"] == f"{NEEDLE}\n"


@pytest.mark.parametrize("manual_id", MANUALS)
def test_a_manual_is_searched_and_read_whatever_its_name(places: Serving, manual_id: str) -> None:
    (item,) = find_in(places, manual_id).hits()
    assert places.read(item["ref"])["text"] == f"{NEEDLE}\n"


def test_a_term_in_a_title_carries_the_signal_of_headings(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", f"# {NEEDLE}の章\n\n本文だけ。\n\n# 別の章\n\nここに{NEEDLE}がある。\n")
    signals = {item["start_line"]: item["signals"] for item in serve().find(NEEDLE).hits()}
    assert "heading" in signals[1]
    assert "heading" not in signals[7]


def test_a_section_whose_title_says_it_ranks_first(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", f"# 別の章\n\nここに{NEEDLE}がある。\n")
    workspace.write("m/b.md", f"# {NEEDLE}\n\nここに{NEEDLE}がある。\n")
    assert serve().find(NEEDLE).hits("integrated_top")[0]["path"] == "b.md"


def test_the_line_of_a_hit_is_the_one_with_most_terms(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n期限がある。\n申請がある。\n申請には期限がある。\n")
    assert serve().find("申請 期限").places() == {("x.md", 5)}


@pytest.mark.parametrize(
    "query", ["税", "の", "鍵", "x", "7", "Ｘ", "？", "-", "・", "税法", "ab", "条の", "ー", "々", "💰"]
)
def test_short_terms_are_found(workspace: WorkspaceFolder, serve: Serve, query: str) -> None:
    workspace.write("m/a.md", "# 題\n\n前置き。\n税法の条の鍵、xは7か？-・ーab々💰\n")
    workspace.write("m/b.md", "# 無関係\n\n何もない。\n")
    assert ("a.md", 4) in serve().find(query).places()


@pytest.mark.parametrize("query", ["税", "金", "x", "0", "💴", "zz"])
def test_short_terms_that_stand_nowhere_are_absent(workspace: WorkspaceFolder, serve: Serve, query: str) -> None:
    workspace.write("m/a.md", "# 題\n\n本文だけを書いた。\n")
    assert serve().find(query).status == "absent"
