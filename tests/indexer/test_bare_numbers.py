"""Places that English text names by a number and nothing else."""

import pytest

from .citing import parse, shown

HEADINGS = "# Manual\n\n{}\n\n## 4 Parts\n\n### 4.1 Pump\n\n4.1.1 Open it.\n\n### 4.2 Valve\n\n### 4.10 Hose\n"


def cited(line: str) -> list[str]:
    """What a line of a document with sections 4.1, 4.1.1, 4.2 and 4.10 cites."""
    return [shown(one) for one in parse(HEADINGS.format(line), "m.md").references if one.line == 3]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("For the valve, see 4.2 below.", ["section 4.2"]),
        ("As described below in 4.1, open it as set out in 4.1.1.", ["section 4.1", "section 4.1.1"]),
        (
            "If it leaks, repeat 4.1 and continue with 4.2; go back to step 4.1.1.",
            ["section 4.1", "section 4.2", "section 4.1.1"],
        ),
        (
            "Paragraphs 4.1, 4.2 and 4.10 apply (cf. 4.1.1).",
            ["section 4.1", "section 4.2", "section 4.10", "section 4.1.1"],
        ),
        ("The procedure in 4.10 (see also 4.2).", ["section 4.10", "section 4.2"]),
        ("In accordance with 4.1 and the requirements of 4.2", ["section 4.1", "section 4.2"]),
    ],
)
def test_a_number_that_a_section_has_names_it(line: str, expected: list[str]) -> None:
    assert cited(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "Within limits of 4.2 V, new in 4.2; changed in version 4.1. The pump has 4.2 kW.",
        "See 4.3, see 4.20 and see 4.2.9.",
        "See 4.2 of the Handbook and 4.1 in RFC 9110.",
        "Figure 4.1, table 4.2. Steps 4.2% and 4.2x.",
    ],
)
def test_versions_quantities_and_numbers_of_others_name_none(line: str) -> None:
    assert cited(line) == []
