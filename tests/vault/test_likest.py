"""Which citations a renamed artifact goes on with."""

import pytest

from morenashi.server.delivery.renamed import likest
from morenashi.server.ranges import Range

A, B, C, D, E = [(number, number) for number in range(5)]


@pytest.mark.parametrize(
    ("left", "found"),
    [
        ({}, None),
        ({"a.md": [E]}, None),
        ({"a.md": [A]}, None),
        ({"a.md": [A, E]}, None),
        ({"a.md": [A, B]}, "a.md"),
        ({"a.md": [A, A, B, E]}, "a.md"),
        ({"x/new.md": [A, B], "a.md": [A, B, C]}, "a.md"),
        ({"a.md": [A, B], "x/new.md": [A, B, E], "b.md": [A, B]}, "x/new.md"),
    ],
)
def test_half_of_what_is_cited_tells_an_artifact_and_its_name_parts_two_alike(
    left: dict[str, list[Range]], found: str | None
) -> None:
    assert likest("new.md", [A, B, C, D], left, str) == found


def test_who_cites_nothing_goes_on_with_nothing() -> None:
    assert likest("new.md", [], {"new.md": [A]}, str) is None
