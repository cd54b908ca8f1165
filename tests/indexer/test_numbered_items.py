"""Items of lists that a text cites by the number of their section and their own: §6.3.1.2."""

import pytest

from .citing import parse

RULES = """\
# Bylaws

## 6. Committee

### 6.3. Procedure

 1. Resolutions
    1. Any member may propose one.
    2. Any member may call for a vote.
 2. Votes
    They last a week.

### 6.4. Costs

1. Travel

As said, there are two kinds:

1. Small ones
2. Large ones

## 7. Votes

{}
"""


def lines_of_items(citation: str) -> dict[str, int]:
    """The lines of the items that have names, the section's left out."""
    names = parse(RULES.format(citation), "bylaws.md").names
    return {place.name: place.line for place in names if place.name.count(".") > 1}


@pytest.mark.parametrize(
    ("citation", "lines"),
    [
        ("Votes under §6.3.1.2 last as §6.3.2 says.", {"section 6.3.1.2": 9, "section 6.3.2": 10}),
        ("See section 6.3.1.", {"section 6.3.1": 7}),
        ("Section 6.4.2 holds.", {"section 6.4.2": 20}),
    ],
)
def test_an_item_that_is_cited_is_a_place(citation: str, lines: dict[str, int]) -> None:
    assert lines_of_items(citation) == lines


@pytest.mark.parametrize(
    "citation", ["Nobody cites any.", "Version 6.3.1 is out.", "See §6.3.9 and §6.3.1.2.1.", "See §6.4.1."]
)
def test_items_that_are_not_cited_are_none_nor_one_of_two(citation: str) -> None:
    assert lines_of_items(citation) == {}
