"""Whatever stands in a file, it is read without an error, and in the end every line of a flowchart is accounted for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.artifacts.faults import find_faults
from morenashi.server.artifacts.json_graph import NoJsonError
from morenashi.server.artifacts.mermaid import parse_flowchart
from morenashi.server.artifacts.reading import read_artifact
from morenashi.server.artifacts.source_lines import find_source_lines, parse_source_lines

PIECES = r"""
    A B C M01 M02 受付 --> --- -.-> ==> -- | & [ ] ( ) (( )) {{ }} { } > " ' ` ; : ::: %% %%{ }%% @{ subgraph end graph
    flowchart TD direction classDef click → ⇒ 次 source_lines: 1-2 L3-L4 <!-- # - * 1. ID ``` mermaid 終了 REJECT , 、
    。 / 01b.md 参照 see \\ <br>
""".split()
TEXTS = st.lists(st.sampled_from([*PIECES, "\n", "\n", "\t", " ", "\r"]), max_size=60).map(" ".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99) | st.sampled_from(PIECES),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "id nodes edges next from to source target data states on refs source_lines children"
                " question yes no".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


# Of pieces alone hardly any is an artifact.
FLOWCHARTS = TEXTS.map(lambda text: f"flowchart TD\n M01[受付] --> M02\n {text}")
LISTS = TEXTS.map(lambda text: f"id\tnext\nM01\tM03\n{text}")


@given(TEXTS | FLOWCHARTS | LISTS, st.sampled_from([".md", ".mmd", ".tsv", ".csv", ".txt", ".json"]))
def test_any_text_is_read(text: str, suffix: str) -> None:
    try:
        artifact = read_artifact(f"a{suffix}", text)
    except NoJsonError:
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    faults = find_faults(artifact, 10, lambda _: False)
    assert all(1 <= fault.line <= lines for fault in faults)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("[" * 101 + "]" * 101, "levels deep"), ("[" * 50_000 + "]" * 50_000, "levels deep"), ("9" * 5_000, "digits")],
    ids=["deep", "too deep to parse", "a long number"],
)
def test_json_that_nobody_would_draw_is_refused(text: str, problem: str) -> None:
    with pytest.raises(NoJsonError, match=problem):
        read_artifact("a.json", text)


def test_json_of_a_hundred_levels_is_read() -> None:
    assert read_artifact("a.json", "[" * 100 + "]" * 100).structures == ()


# Of values alone hardly any is a graph.
IDS = st.sampled_from("A B C D".split())
NODES = st.fixed_dictionaries({"id": IDS}, optional={"next": IDS | VALUES, "source_lines": VALUES})
EDGES = st.fixed_dictionaries({"from": IDS, "to": IDS})
GRAPHS = st.fixed_dictionaries({"nodes": st.lists(NODES, min_size=1, max_size=4), "edges": st.lists(EDGES, max_size=4)})


@given(VALUES | GRAPHS)
def test_any_json_is_read(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    faults = find_faults(read_artifact("a.json", text), 10, lambda _: False)
    assert all(1 <= fault.line <= text.count("\n") + 1 for fault in faults)


@given(VALUES, TEXTS)
def test_any_value_names_lines_or_none(value: object, text: str) -> None:
    for first, last, _ in (*parse_source_lines(value), *find_source_lines(text)):
        assert isinstance(first, int)
        assert isinstance(last, int)


NODES = st.sampled_from(["A", "B", "C", "D", "E"])
LINKS = st.sampled_from(
    ["-->", "---", "-.->", "==>", "-- 文 -->", "-->|文|", "<-->", "--x", "--o", "-. 文 .->", "== 文 ==>"]
)


@given(st.lists(st.tuples(NODES, LINKS, NODES), min_size=1, max_size=12), st.sampled_from(["\n", ";", "\n\n  "]))
def test_every_link_of_a_flowchart_is_a_branch(links: list[tuple[str, str, str]], separator: str) -> None:
    text = "flowchart TD\n" + separator.join(f"{origin} {link} {target}" for origin, link, target in links)
    structure = parse_flowchart(text)
    assert structure.unread_lines == ()
    assert [(branch.origin, branch.target.name) for branch in structure.branches] == [(a, b) for a, _, b in links]
    assert {element.id for element in structure.elements} == {id for a, _, b in links for id in (a, b)}
