"""What a flowchart's lines are read as, where a whole artifact with its faults would say less."""

from morenashi.server.artifacts.mermaid import parse_flowchart


def test_a_link_that_ends_its_line_does_not_take_up_the_subgraph_below() -> None:
    structure = parse_flowchart("flowchart TD\n  A -->\n\n  subgraph rest\n    B --> C\n  end\n")
    assert [element.id for element in structure.elements] == ["A", "B", "C"]
    assert structure.unread_lines == (2,)
