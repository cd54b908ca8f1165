"""What an artifact's structure is made from: tables of contents and of delimited text, ids beside a graph, groups."""

import unicodedata
from typing import Any

import pytest

from morenashi.server.artifacts.contents import contents_lines
from morenashi.server.artifacts.delimited import read_delimited
from morenashi.server.artifacts.joints import entries_of, ways_of
from morenashi.server.artifacts.json_beside import count_ids
from morenashi.server.artifacts.json_fields import ends_of, id_of
from morenashi.server.artifacts.model import Branch, Element, SourceLines, Target
from morenashi.server.artifacts.reading import read_artifact
from morenashi.server.artifacts.starts import find_starts
from morenashi.server.artifacts.targets import Targets


@pytest.mark.parametrize(
    ("lines", "contents"),
    [
        (["- [一](#1)", "- [二](#2)", "- [三](#3)"], {1, 2, 3}),
        (["題", "1. [一](#1)", "", "* [二](#2) | [二の二](#22)", "  - [三](#3)", "本文"], {2, 4, 5}),
        (["- [一](#1)", "- [二](#2)", "本文", "- [三](#3)"], set()),
        (["- [一](#1)", "- [二](#2)"], set()),
        (["- [一](#1) を見よ", "- [二](#2) を見よ", "- [三](#3) を見よ"], set()),
        (["- [一](a.md)", "- [二](b.md)", "- [三](c.md)"], set()),
    ],
)
def test_a_table_of_contents_is_links_to_sections_and_nothing_else(lines: list[str], contents: set[int]) -> None:
    assert contents_lines(lines) == contents


@pytest.mark.parametrize(
    "text",
    [
        "<!--\n```mermaid\nflowchart TD\n  A --> B\n```\n-->\n",
        "例:\n\n    ```mermaid\n    flowchart TD\n      A --> B\n    ```\n",
        '> 例:\n>\n>     ```json\n>     [{"id": "A", "next": "B"}]\n>     ```\n',
    ],
)
def test_a_fence_in_a_comment_or_in_indented_code_holds_nothing(text: str) -> None:
    fence = "```mermaid\nflowchart TD\n  C --> D\n```\n"
    [structure] = read_artifact("a.md", f"{text}\n{fence}").structures
    assert [element.id for element in structure.elements] == ["C", "D"]


def test_an_item_of_a_quoted_list_goes_on_behind_a_fence() -> None:
    text = "> - 受付\n>   ```sh\n>   accept\n>   ```\n>   - 出典: L1-3\n"
    [structure] = read_artifact("a.md", text).structures
    assert [[span[:2] for span in element.sources] for element in structure.elements] == [[(1, 3)]]


def test_comments_of_a_delimited_text_are_kept_and_are_no_rows() -> None:
    lines = ["# terminals: END", "id,next", "", "  // a remark", "a,b", "#1,END"]
    table = read_delimited(lines, 11)
    assert table is not None
    assert table.comments == ("# terminals: END", "// a remark")
    assert [(row.line, row.cells) for row in (table.header, *table.rows)] == [
        (12, ("id", "next")),
        (15, ("a", "b")),
        (16, ("#1", "END")),
    ]


NODES: list[Any] = [{"id": "a", "next": "b", "remarks": [{"id": "inner"}]}, {"id": "b"}]
NAMED_NODES: dict[str, Any] = {"a": {"next": "b", "remarks": [{"id": "inner"}]}, "b": {}}


@pytest.mark.parametrize(
    ("value", "outside"),
    [
        (NODES, set()),
        (NAMED_NODES, set()),
        ({"nodes": NODES, "results": [{"id": "r"}]}, {"r"}),
        ({"results": {"r": {"text": "x"}, "s": {"text": "y"}}}, {"r", "s"}),
        ([NODES, {"results": [{"id": "r"}]}], {"r"}),
        # What says what follows and has no id is no node, and this no graph.
        ([{"next": "b", "remarks": [{"id": "inner"}]}, 3], {"inner"}),
    ],
)
def test_the_ids_beside_a_graph_are_those_of_objects_that_stand_in_none(value: Any, outside: set[str]) -> None:
    assert set(count_ids([], value)) == outside


@pytest.mark.parametrize(
    ("body", "id"),
    [
        ({"no": 3, "then": 4}, "3"),
        ({"No.": 3, "no": 3}, "3"),
        ({"yes": "増額", "no": "0円"}, None),
        ({"yes": 1, "id": "q"}, "q"),
    ],
)
def test_no_beside_yes_is_an_answer_and_no_number(body: dict[str, Any], id: str | None) -> None:
    assert id_of(body) == id


def test_steps_may_be_numbered_with_a_decimal_point() -> None:
    nodes = '{"step": 1, "next": 1.1, "source_lines": 1}, {"step": 1.1, "next": [2.5]}, {"step": 2.5, "yes": 1}'
    [structure] = read_artifact("a.json", f'{{"steps": [{nodes}]}}').structures
    assert [element.id for element in structure.elements] == ["1", "1.1", "2.5"]
    leading = [(branch.origin, branch.target.kind, branch.target.name) for branch in structure.branches]
    assert leading == [("1", "element", "1.1"), ("1.1", "element", "2.5"), ("2.5", "element", "1")]


@pytest.mark.parametrize(
    ("edge", "ends"),
    [
        ("A --> B-1", ("A", "B-1")),
        ("A=>B", ("A", "B")),
        ("-> B", None),
        ("A ->", None),
        (["A", 2, "はい"], ("A", "2")),
        (["A", None], None),
        ({"from": {"id": "A"}, "to": "B"}, ("A", "B")),
        ({"from": "A"}, None),
        (3, None),
    ],
)
def test_an_edge_names_both_of_its_ends(edge: Any, ends: tuple[str, str] | None) -> None:
    assert ends_of(edge) == ends


def test_a_file_that_is_called_as_an_element_is_that_element() -> None:
    table = "| ID | 次 |\n| --- | --- |\n| M01 | steps/M02.md#終わり |\n| M02 | steps/M03.md |\n"
    [structure] = read_artifact("a.md", table).structures
    targets = [branch.target for branch in structure.branches]
    assert targets == [Target("element", "M02"), Target("file", "steps/M03.md")]


@pytest.mark.parametrize(
    ("cell", "named"),
    [
        ("適合→M02、不適合→steps/01b.md", ["M02", "steps/01b.md"]),
        ("適合→M02<br>不適合→01b.md", ["M02", "01b.md"]),
        ("M02: 確認する", ["M02"]),
        ("不備: なし", []),
        ("不備があれば3", ["3"]),
    ],
)
def test_a_cell_leads_to_all_that_it_names(cell: str, named: list[str]) -> None:
    targets = Targets([Element("M01", 1), Element("M02", 2), Element("3", 3)])
    assert [target.name for target in targets.find(cell)] == named


def test_a_flow_to_whose_first_element_another_leads_starts_there() -> None:
    elements = [Element(name, line) for line, name in enumerate("ABC", 1)]
    assert find_starts(elements, [Branch("C", Target("element", "A"), 3)]) == {"C"}
    assert find_starts(elements, [Branch("C", Target("element", "B"), 3)]) == {"A"}


@pytest.mark.parametrize(
    "node",
    ['{"id": "a", "type": "group"}', '{"id": "a", "parentNode": "a"}', '{"id": "a", "parentNode": "a"}, {"id": "a"}'],
)
def test_of_a_graph_that_is_nothing_but_frames_there_is_nothing_to_start_at(node: str) -> None:
    [structure] = read_artifact("a.canvas", f'{{"nodes": [{node}], "edges": []}}').structures
    assert (structure.elements, structure.starts) == ((), frozenset())


def test_of_other_cells_only_arrows_lead_on_and_of_references_none() -> None:
    table = "| ID | 内容 | 参照 | 次 |\n| --- | --- | --- | --- |\n| M01 | M02を見る | →M03 | - |\n"
    table += "| M02 | 可 →M03 | | - |\n| M03 | 終わり | | - |\n"
    [structure] = read_artifact("a.md", table).structures
    assert structure.branches == (Branch("M02", Target("element", "M03"), 4),)


def test_a_column_of_references_that_holds_lines_names_them() -> None:
    table = "| ID | 内容 | 参照 |\n| --- | --- | --- |\n| M01 | 受付 | 12-18 |\n| M02 | 審査 | 20-21 |\n"
    [structure] = read_artifact("a.md", table).structures
    assert [[(lines.first, lines.last) for lines in one.sources] for one in structure.elements] == [
        [(12, 18)],
        [(20, 21)],
    ]


def test_numbers_of_steps_in_a_column_of_references_beside_one_of_lines_are_references() -> None:
    table = (
        "| 番号 | 手順 | 次 | 参照 | 根拠行 |\n| --- | --- | --- | --- | --- |\n"
        "| 1 | 受付 | 2 | | 4-5 |\n| 2 | 審査 | 3 | 1 | |\n| 3 | 決裁 | 終了 | 8 | 7 |\n"
    )
    [structure] = read_artifact("a.md", table).structures
    assert [(found.origin, found.target.kind, found.target.name) for found in structure.references] == [
        ("2", "element", "1"),
        ("3", "missing", "8"),
    ]
    assert [[lines[:2] for lines in one.sources] for one in structure.elements] == [[(4, 5)], [], [(7, 7)]]


def test_numbers_of_nodes_in_a_field_of_references_beside_lines_are_references() -> None:
    nodes = '{"id": 1, "next": 2, "source_lines": "4-5"}, {"id": 2, "next": 3, "refs": [1]}, {"id": 3, "refs": ["L7"]}'
    [structure] = read_artifact("a.json", f'{{"nodes": [{nodes}]}}').structures
    assert [(found.origin, found.target.name) for found in structure.references] == [("2", "1")]
    assert [[lines[:2] for lines in one.sources] for one in structure.elements] == [[(4, 5)], [], [(7, 7)]]


def test_an_id_is_counted_once_for_each_graph_that_has_it() -> None:
    assert count_ids([["a", "a", "b"], ["a"]], {"results": [{"id": "b"}]}) == {"a": 2, "b": 2}


def test_a_group_is_entered_where_nothing_inside_it_leads_or_else_at_its_first() -> None:
    assert entries_of(["a", "b", "c"], ways_of([("a", "b"), ("c", "b"), ("b", "b")])) == ["a", "c"]
    assert entries_of(["a", "b", "c"], ways_of([("a", "b"), ("b", "c"), ("c", "a")])) == ["a"]


@pytest.mark.parametrize("name", ["Plan", "ガイド", unicodedata.normalize("NFD", "ガイド")])
def test_a_wiki_link_to_the_note_itself_is_one_however_its_name_is_spelt(name: str) -> None:
    (found,) = read_artifact(f"notes/{name}.md", f"# A\n\n[[{name}#B]] [[{name}#C]]\n\n# B\n").structures
    assert [reference.target for reference in found.references] == [Target("element", "B"), Target("missing", "c")]


@pytest.mark.parametrize("manual", ['"C:\\manuals"', '"a\tb"', '"\\u12"'])
def test_a_note_of_a_copy_that_is_no_json_is_a_front_matter_as_any(manual: str) -> None:
    note = f'---\nsource_manual_ids: [{manual}]\nsource_path: "a.md"\nsource_lines: 1-3\n---\n- 受付\n  - 審査\n'
    assert read_artifact("a.md", note).cited == (SourceLines(1, 3, "a.md"),)


def test_a_comment_does_not_end_a_table_in_a_quotation_either() -> None:
    rows = ["| ID | 次 |", "|---|---|", "| M01 | M02 |", "<!-- ここから審査 -->", "| M02 | 終了 |"]
    [structure] = read_artifact("a.md", "\n".join(f"> {row}" for row in rows)).structures
    assert [element.id for element in structure.elements] == ["M01", "M02"]


@pytest.mark.parametrize("mark", ["- ", "1. ", "* - ", "> - "])
def test_a_fence_may_begin_an_item(mark: str) -> None:
    margin = ">   " if ">" in mark else " " * len(mark)
    drawn = "\n".join([f"{mark}```mermaid", f"{margin}graph TD", f"{margin}A-->B", f"{margin}```"])
    [flowchart] = read_artifact("a.md", f"{drawn}\n").structures[:1]
    assert [(element.id, element.line) for element in flowchart.elements] == [("A", 3), ("B", 3)]


def test_a_fence_that_begins_an_item_takes_up_nothing_that_stands_below() -> None:
    text = "- ```sh\n  accept\n  ```\n  - 審査 (L2)\n- 受付 (L1)\n\n```mermaid\ngraph TD\nC-->D\n```\n"
    flowchart, items = read_artifact("a.md", text).structures
    assert [element.id for element in flowchart.elements] == ["C", "D"]
    assert [(element.id, element.is_mark) for element in items.elements] == [
        ("1@1", True),
        ("1.1@4", False),
        ("2@5", False),
    ]


@pytest.mark.parametrize("margin", ["", "> "])
def test_a_fence_that_begins_an_item_and_is_not_closed_ends_with_the_item(margin: str) -> None:
    lines = ["- ```sh", "  accept", "", "  reject", "- 受付 (L1)", "", "```mermaid", "graph TD", "C-->D", "```"]
    flowchart, items = read_artifact("a.md", "\n".join(margin + line for line in lines)).structures
    assert [element.id for element in flowchart.elements] == ["C", "D"]
    assert [element.id for element in items.elements] == ["1@1", "2@5"]


@pytest.mark.parametrize("text", ["{note}\n{table}", "{note}\n\n{table}", "{table}{note}\n", "{table}\n{note}\n"])
def test_a_comment_beside_a_table_declares_its_ends_behind_a_blank_line_too(text: str) -> None:
    table = "| ID | 次 |\n|---|---|\n| M01 | ESC1 |\n"
    [structure] = read_artifact("a.md", text.format(note="<!-- terminals: ESC1 -->", table=table)).structures
    assert [branch.target.kind for branch in structure.branches] == ["terminal"]


@pytest.mark.parametrize("lines", ["[12, 18]", '["12-18"]', "12-18"])
def test_a_front_matter_may_list_the_lines_of_each_file_as_json_does(lines: str) -> None:
    text = f"---\nsources:\n  - path: guide.md\n    lines: {lines}\n  - file: rules.md\n    lines: [3, 3]\n---\n"
    assert read_artifact("a.md", text).cited == (SourceLines(12, 18, "guide.md"), SourceLines(3, 3, "rules.md"))
