"""Artifacts of very many parts. At these sizes, linear work takes less than two fifths of the time that is allowed."""

import pytest

from ..limited_work import RunWithin

CPU_SECONDS = 6
_AUDIT = """
from morenashi.server.artifacts.faults import find_faults
from morenashi.server.artifacts.reading import read_artifact
find_faults(read_artifact(path, text), 1, lambda name: False)
"""
VERY_MANY = {
    "step tables": """
path = "steps.md"
text = "\\n\\n".join(f"| id | next |\\n|-|-|\\n| M{n} | M{n + 1} |" for n in range(2_400))
""",
    "links on one line": """
path = "flow.mmd"
text = "graph TD\\n" + "-->".join(f"A{n}" for n in range(12_500))
""",
    "lists of source lines that nothing closes": """
path = "steps.md"
text = "- a\\n  - b " + "source_lines: [" * 30_000
""",
    "a label of lines": """
path = "flow.mmd"
text = "graph TD\\nA[a" + "<br>L1," * 20_000 + "x] --> B"
""",
    "a cell of lines": """
path = "steps.md"
text = "| ID | next | lines |\\n|---|---|---|\\n| A1 | A2 | " + "1、" * 100_000 + " |\\n| A2 | A1 | 2 |\\n"
""",
    "a cell of blanks": """
path = "steps.md"
blanks = " " * 30_000
rows = f"| A1 | go{blanks}on L1{blanks}so | L1 |\\n| A2 | A1 | 2 |"
text = f"| ID | next | lines |\\n|---|---|---|\\n{rows}\\n\\nL1{blanks}.\\n"
""",
    "blanks in a reference": """
path = "graph.json"
text = '[{"id": "a", "ref": "M01' + " " * 200_000 + '12"}, {"id": "b", "next": "a"}]'
""",
    "blanks behind a step's number": """
path = "steps.md"
text = "1. 手順1" + " " * 200_000 + "x\\n2. go to step 1" + " " * 200_000 + "x\\n"
""",
    "links to a subgraph": """
path = "flow.mmd"
inside = "\\n".join(f"A{n}-->A{n + 1}" for n in range(1_000))
text = f"graph TD\\nsubgraph S\\n{inside}\\nend\\n" + "\\n".join(f"X{n}-->S" for n in range(1_000))
""",
    "links between subgraphs": """
path = "flow.mmd"
many = [f"{name}{n}" for name in "ab" for n in range(1_000)]
text = "graph TD\\nsubgraph a\\n" + "\\n".join(many[:1_000]) + "\\nend\\nsubgraph b\\n" + "\\n".join(many[1_000:])
text += "\\nend\\n" + "a --> b\\na --- b\\n" * 1_000
""",
    "edges between groups": """
import json
path = "plan.canvas"
box = {"y": 0, "width": 9, "height": 9}
nodes = [{"id": f"n{n}", "x": n % 2 * 100, "text": "x", **box} for n in range(2_000)]
nodes += [{"id": f"g{n}", "x": n * 100, "type": "group", **box} for n in (0, 1)]
text = json.dumps({"nodes": nodes, "edges": [{"fromNode": "g0", "toNode": "g1"}] * 1_000})
""",
    "groups of one node each": """
import json
path = "flow.json"
nodes = [{"id": f"g{n}", "type": "group"} for n in range(4_500)]
nodes += [{"id": f"n{n}", "parentId": f"g{n}"} for n in range(4_500)]
edges = [[f"g{n % 4_500}", f"g{n % 4_499}"] for n in range(32_000)]
text = json.dumps({"nodes": nodes, "edges": edges})
""",
    "lines of files in brackets, and brackets that nothing closes": """
path = "steps.md"
pieces = ["(a.md:1) ", "(a.md:1 ", "(", "(a", "a.mdの", "(1), "]
cells = [piece * (60_000 // len(piece)) + "x" for piece in pieces]
rows = "\\n".join(f"| A{n} | {cell} |" for n, cell in enumerate(cells))
text = f"| ID | source_lines |\\n|---|---|\\n{rows}\\n"
""",
    "blanks in brackets": """
path = "steps.md"
blanks = " " * 30_000
text = f"| ID | source_lines |\\n|---|---|\\n| A1 | ({blanks}L1) so |\\n| A2 | lines{blanks}so |\\n"
""",
    "comments in a row that nothing closes": """
path = "steps.md"
text = "| ID | source_lines |\\n|---|---|\\n| A1 | 1 |" + "<!--" * 30_000 + "\\n"
""",
    "one long word in a comment of a flowchart": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n%% source_lines " + "手順1" * 20_000 + "\\n"
""",
    "directives before a flowchart that nothing closes": """
path = "flow.mmd"
text = "%%{init: 1\\n" * 30_000 + "graph TD\\nA-->B\\n"
""",
    "directives in a flowchart that nothing closes": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n" + "%%{init: 1\\n" * 30_000
""",
    "descriptions that nothing closes": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n" + "accDescr {\\n" * 12_500
""",
    "data of nodes that nothing closes": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n" + "A@{ label: so\\n" * 4_000
""",
    "each of very many nodes linked with each of others": """
path = "flow.mmd"
text = "graph TD\\n" + " & ".join(f"A{n}" for n in range(2_500)) + "-->" + " & ".join(f"B{n}" for n in range(2_500))
""",
    "subgraphs in each other": """
path = "flow.mmd"
text = "graph TD\\n" + "".join(f"subgraph s{n}\\nA{n}-->A{n + 1}\\n" for n in range(7_000)) + "end\\n" * 7_000
""",
    "a wide table without ids": """
path = "steps.md"
rows = [[f"next {n}" for n in range(60)] + ["x"] * 60, ["-"] * 120]
rows += [[f"M{n}x{row}" for n in range(120)] for row in range(60)]
text = "\\n".join(f"| {' | '.join(row)} |" for row in rows)
""",
    "very many columns": """
path = "steps.md"
row = "so|" * 50_000
text = f"|id|next|{row}\\n|-|-|{'-|' * 50_000}\\n|M1|M2|{row}\\n|M2|M1|{row}\\n"
""",
    "very many columns, and rows that have not": """
path = "steps.md"
text = f"|id|next|{'see|' * 20_000}\\n|-|-|{'-|' * 20_000}\\n" + "".join(f"|M{n}|\\n" for n in range(20_000))
""",
    "a footnote that very many marks are in": """
path = "steps.md"
text = "- M1 a[^1]\\n  - M2 b\\n\\n[^1]: so" + "[^1]" * 20_000 + "\\n"
""",
    "a cell in very many brackets": """
path = "steps.md"
text = f"| id | next |\\n|---|---|\\n| M1 | {'(' * 80_000}so{')' * 80_000} |\\n"
""",
    "rows that open a quote where they close one": """
path = "steps.csv"
text = "id,next,source_lines\\n" + 'A1","A2\\n' * 10_000
""",
    "lists of nodes' source lines that nothing closes": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n%% source_lines " + "A: [" * 80_000
""",
    "separators behind a node's source lines": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n%% source_lines A: 1" + ", ;" * 30_000 + " so"
""",
    "labels that nothing closes": """
path = "flow.mmd"
text = "graph TD\\n" + "A(((so\\n" * 60_000
""",
    "blanks in a row of dashes that is none": """
path = "steps.md"
text = "| ID |\\n" + " " * 100_000 + "x|\\n\\n| ID |\\n|-" + " " * 100_000 + "x|\\n"
""",
    "a comment of signs of comments": """
path = "flow.mmd"
text = "graph TD\\nA-->B\\n" + "%" * 100_000 + ": so\\n"
""",
    "blanks in a cell that may have an arrow": """
path = "steps.md"
text = "| ID | next | if |\\n|---|---|---|\\n| A1 | A2 | so |\\n| A2 | | so" + " " * 100_000 + "so |\\n"
""",
    "blanks and dashes in edges": """
import json
path = "graph.json"
long = ["so" + " " * 100_000 + "so", "a -> b" + " " * 100_000 + "so", "-" * 300_000, "=" * 300_000]
text = json.dumps({"nodes": [{"id": "a"}, {"id": "b"}], "edges": long})
""",
    "dots of a link that nothing closes": """
path = "flow.mmd"
text = "graph TD\\nA -. " + "." * 300_000 + " B\\n"
""",
    "very many ids that stand together": """
path = "flow.mmd"
text = "graph TD\\nA1[" + "A1, " * 20_000 + "so]-->A2"
""",
    "lines at the end of labels": """
path = "flow.mmd"
text = "graph TD\\nA[so L1-2 " + "L1, " * 60_000 + "so]-->B[so " + "L1" + " " * 100_000 + "- x]"
""",
    "tables beside very many flowcharts": """
path = "flows.md"
drawn = "\\n".join("```mermaid\\ngraph TD\\nA-->B\\n```" for _ in range(1_000))
text = drawn + "\\n" + "\\n\\n".join("| id | lines |\\n|-|-|\\n| A | 1 |\\n| X | 2 |" for _ in range(1_000))
""",
    "items inside one that name its lines": """
path = "steps.md"
text = "- a\\n" + "  - Source: L1\\n" * 12_000
""",
    "items that may begin with a node": """
path = "flow.md"
text = "```mermaid\\ngraph TD\\nA-->B\\n```\\n\\n" + "- A" + "-" * 100_000 + "\\n- " + "`A" * 50_000 + "\\n"
""",
}


@pytest.mark.parametrize("artifact", VERY_MANY.values(), ids=VERY_MANY)
def test_an_artifact_of_very_many_parts_is_read_in_linear_work(run_within: RunWithin, artifact: str) -> None:
    run_within(CPU_SECONDS, artifact + _AUDIT)
