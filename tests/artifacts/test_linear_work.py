"""Artifacts of very many parts. At these sizes, linear work takes less than a third of the time that is allowed."""

import pytest

from ..limited_work import run_within

CPU_SECONDS = 20
_AUDIT = """
from morenashi.server.artifacts.faults import find_faults
from morenashi.server.artifacts.reading import read_artifact
find_faults(read_artifact(path, text), 1, lambda name: False)
"""
VERY_MANY = {
    "step tables": """
path = "steps.md"
text = "\\n\\n".join(f"| id | next |\\n|-|-|\\n| M{n} | M{n + 1} |" for n in range(8_000))
""",
    "links on one line": """
path = "flow.mmd"
text = "graph TD\\n" + "-->".join(f"A{n}" for n in range(32_000))
""",
    "lists of source lines that nothing closes": """
path = "steps.md"
text = "- a\\n  - b " + "source_lines: [" * 60_000
""",
    "links to a subgraph": """
path = "flow.mmd"
inside = "\\n".join(f"A{n}-->A{n + 1}" for n in range(2_000))
text = f"graph TD\\nsubgraph S\\n{inside}\\nend\\n" + "\\n".join(f"X{n}-->S" for n in range(2_000))
""",
}


@pytest.mark.parametrize("artifact", VERY_MANY.values(), ids=VERY_MANY)
def test_an_artifact_of_very_many_parts_is_read_in_linear_work(artifact: str) -> None:
    run_within(CPU_SECONDS, artifact + _AUDIT)
