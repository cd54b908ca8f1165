"""What a flowchart's lines are read as, where a whole artifact with its faults would say less."""

import pytest

from morenashi.server.artifacts.mermaid import parse_flowchart
from morenashi.server.artifacts.starts import reach


def test_a_link_that_ends_its_line_does_not_take_up_the_subgraph_below() -> None:
    structure = parse_flowchart("flowchart TD\n  A -->\n\n  subgraph rest\n    B --> C\n  end\n")
    assert [element.id for element in structure.elements] == ["A", "B", "C"]
    assert structure.unread_lines == (2,)


def test_links_between_large_subgraphs_lead_from_each_node_to_each_and_back_only_if_they_have_no_head() -> None:
    a, b, c = ([f"{name}{number}" for number in range(20)] for name in "abc")
    subgraphs = "\n".join(f"subgraph {nodes[0][0]}\n{chr(10).join(nodes)}\nend" for nodes in (a, b, c))
    branches = parse_flowchart(f"graph TD\n{subgraphs}\na --> b\nb --- c\nS --> a7\n").branches
    nodes = {*a, *b, *c}
    assert reach(["S"], branches) & nodes == {"a7", *b, *c}
    assert reach(["b3"], branches) & nodes == {*b, *c}
    assert reach(["c3"], branches) & nodes == {*b, *c}


def test_of_very_many_nodes_that_are_linked_at_once_each_leads_to_each() -> None:
    a, b = ([f"{name}{number}" for number in range(20)] for name in "ab")
    inside = f"subgraph S\n{' & '.join(a)} --> {' & '.join(b)}\nend\n"
    structure = parse_flowchart(f"graph TD\nstart --> S\n{inside}")
    assert reach(["a3"], structure.branches) & {*a, *b} == {"a3", *b}
    assert {branch.target.name for branch in structure.branches if branch.origin == "start"} == {*a}


def test_a_comment_that_sets_nodes_apart_by_japanese_commas_names_lines_of_each() -> None:
    structure = parse_flowchart("flowchart TD\n  A --> B\n  %% source_lines A: 1-3、B: 4\n")
    assert [[span[:2] for span in element.sources] for element in structure.elements] == [[(1, 3)], [(4, 4)]]


def test_a_comment_that_names_lines_for_each_of_several_nodes_gives_each_its_own() -> None:
    flow = parse_flowchart(
        "flowchart TD\nA --> B --> C\n%% A: source_lines: 1-3, B: source_lines: 5-9; C source_lines=7"
    )
    assert [[span[:2] for span in node.sources] for node in flow.elements] == [[(1, 3)], [(5, 9)], [(7, 7)]]
    flow = parse_flowchart("flowchart TD\nA --> B --> C\n%% A, B: source_lines: 1-3, C: source_lines: 7")
    assert all(node.sources for node in flow.elements)


def test_a_label_may_be_quoted_either_way_or_not_at_all() -> None:
    labels = ('"受付 1"', "'審査 2'", "承認 3")
    nodes = "".join(f"  N{number}@{{ shape: rect, label: {label} }}\n" for number, label in enumerate(labels))
    structure = parse_flowchart(f"flowchart TD\n{nodes}  N0 --> N1 --> N2\n")
    assert [element.names for element in structure.elements] == [("受付 1",), ("審査 2",), ("承認 3",)]


def test_a_link_that_is_not_shown_leads_nowhere() -> None:
    structure = parse_flowchart("flowchart TD\n  A ~~~ B\n  B --> C\n")
    assert [(branch.origin, branch.target.name) for branch in structure.branches] == [("B", "C")]
    assert [element.id for element in structure.elements] == ["A", "B", "C"]


def test_a_link_with_its_head_before_it_leads_back() -> None:
    structure = parse_flowchart("flowchart TD\n  A <-- 文 --- B\n")
    assert [(branch.origin, branch.target.name) for branch in structure.branches] == [("B", "A")]


@pytest.mark.parametrize(
    "subgraph", ['S["受付; 50%% まで"]', "S %% 受付", 'S["受付"] %% source_lines: 3', 'S["受付; 審査"]; direction LR']
)
def test_what_is_quoted_behind_a_subgraph_and_a_comment_are_no_part_of_its_id(subgraph: str) -> None:
    structure = parse_flowchart(f"graph TD\nsubgraph {subgraph}\nA-->B\nend\nC-->S\n")
    assert [(element.id, element.sources) for element in structure.elements] == [("A", ()), ("B", ()), ("C", ())]
    assert [(branch.origin, branch.target.name) for branch in structure.branches] == [("A", "B"), ("C", "A")]
    assert structure.unread_lines == ()


def test_data_may_stand_behind_a_shape() -> None:
    text = 'graph TD\nA["受付"]@{ shape: rect, source_lines: "1-2" } --> B(審査):::c@{ shape: diam }\n'
    structure = parse_flowchart(text)
    assert [(element.id, element.names) for element in structure.elements] == [("A", ("受付",)), ("B", ("審査",))]
    assert [span[:2] for span in structure.elements[0].sources] == [(1, 2)]
    assert [(branch.origin, branch.target.name) for branch in structure.branches] == [("A", "B")]
