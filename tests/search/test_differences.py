"""What a replay says of two runs of one search."""

from typing import Any

import pytest

from morenashi.server.search.differences import compare

RUN: dict[str, Any] = {
    "question": "申請",
    "manual_id": None,
    "intent": "unknown",
    "intent_source": "inferred",
    "parameters": {"budget": {"time_ms": 60_000}},
    "summary": {"candidates": 1, "completeness": {"status": "found", "lines": {"total": 3}}},
    "next_actions": [],
    "escalation_reasons": [],
    "candidates": [{"manual_id": "m", "path": "a.md", "section_line": 1, "line": 3, "score": 0.5}],
    "unscanned": [{"reason": "candidate_cap", "places": 1, "lines": 4, "documents": [["m", "a.md", [[1, 4]]]]}],
    "leads": [],
    "gaps": [{"kind": "term", "hint": "一"}, {"kind": "term", "hint": "二"}],
    "conflicts": [],
}


def test_two_runs_that_are_the_same_differ_in_nothing() -> None:
    assert compare(RUN, RUN).is_empty


@pytest.mark.parametrize(
    "part", ["question", "manual_id", "intent", "intent_source", "next_actions", "escalation_reasons", "leads"]
)
def test_each_part_of_a_run_that_is_another_is_named(part: str) -> None:
    assert compare(RUN, RUN | {part: ["another"]}).others == [part]


def test_numbers_that_are_others_are_told_by_the_way_to_them() -> None:
    now = RUN | {"summary": {"candidates": 1, "completeness": {"status": "unknown", "lines": {"total": 3}}}}
    assert compare(RUN, now).summary == {"completeness.status": ["found", "unknown"]}
    assert compare(RUN, RUN | {"parameters": {}}).conditions == {"budget.time_ms": [60_000, None]}


def test_what_differs_in_its_order_alone_is_told_apart_from_what_came_or_went() -> None:
    one, two = RUN["gaps"]
    assert compare(RUN, RUN | {"gaps": [two, one]}).gaps == {"reordered": [2]}
    assert compare(RUN, RUN | {"gaps": [two]}).gaps == {"removed": [one]}
    assert compare(RUN | {"gaps": [one]}, RUN).gaps == {"added": [two]}


def test_a_candidate_is_the_same_where_its_section_is() -> None:
    (old,) = RUN["candidates"]
    moved, other = old | {"score": 0.7}, old | {"section_line": 9}
    assert compare(RUN, RUN | {"candidates": [moved]}).candidates["changed"][0]["differs"] == {"score": [0.5, 0.7]}
    found = compare(RUN, RUN | {"candidates": [other, old]}).candidates
    assert [item["section_line"] for item in found["added"]] == [9]
    assert found["changed"][0]["differs"] == {"position": [1, 2]}
    assert compare(RUN, RUN | {"candidates": []}).candidates == {"removed": [{"position": 1, **old}]}


def test_other_places_of_the_same_number_differ() -> None:
    (left,) = RUN["unscanned"]
    elsewhere = left | {"documents": [["m", "b.md", [[1, 4]]]]}
    same = {"candidate_cap": {"places": [1, 1], "lines": [4, 4]}}
    assert compare(RUN, RUN | {"unscanned": [elsewhere]}).unscanned == same
    assert compare(RUN, RUN | {"unscanned": []}).unscanned == {"candidate_cap": {"places": [1, 0], "lines": [4, 0]}}
