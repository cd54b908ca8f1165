"""Arguments that are refused, and how: the parameter, what was expected of it, never what was sent."""

from typing import Any

import pytest

from morenashi.server.calls import inputs, memory_inputs
from morenashi.server.edge.validate import parse_arguments
from morenashi.server.errors import ToolError
from morenashi.server.whole_characters import EXPECTED

from .serving import Serving, as_json

SECRET = "himitsu-8471"
REF = {"target": "manual", "manual_id": "手引き", "path": "guide.md"}
INTEGER = "an integer (not a boolean, a string or a fraction)"


def refuse(library: Serving, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    error = library.refuse(tool, **arguments)
    assert error["code"] == "invalid_parameter", error
    return error


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter", "nearest"),
    [
        ("manual_find", {"query": "x", "quary": 1}, "quary", "query"),
        ("manual_find", {"query": "x", "maxstage": 3}, "maxstage", "max_stage"),
        ("manual_find", {"query": "x", "budget": {"time": 5}}, "budget.time", "time_ms"),
        ("manual_hits", {"trace": "t"}, "trace", "trace_id"),
        ("manual_ls", {"manualid": "m"}, "manualid", "manual_id"),
        ("manual_toc", {"manual_id": "m", "ofset": 1}, "ofset", "offset"),
        ("manual_excepts", {"manual_id": "m", "node": "x"}, "node", "node_id"),
        ("manual_read", {"ref": {**REF, "start": 1}}, "ref.start", "start_line"),
        ("manual_read", {"ref": REF, "limits": {"maxchars": 1}}, "limits.maxchars", "max_chars"),
        ("manual_read", {"ref": {**REF, "absolute_file_path": "x"}}, "ref.absolute_file_path", "path"),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_nearest_known_one(
    library: Serving, tool: str, arguments: dict[str, Any], parameter: str, nearest: str
) -> None:
    problems = refuse(library, tool, arguments)["details"]
    unknown = next(p for p in problems.get("problems", [problems]) if p["parameter"] == parameter)
    assert unknown["nearest"].rpartition(".")[2] == nearest


def test_the_nearest_name_of_an_item_in_a_list_stands_where_the_wrong_one_did(library: Serving) -> None:
    cited = [{"start_line": 1, "end_line": 2}, {"start_line": 3, "end": 4}]
    error = refuse(library, "vault_coverage", {"path": "手引き.md", "cited_ranges": cited})
    assert error["details"]["nearest"] == "cited_ranges.1.end_line"


def test_a_wrong_name_is_taken_for_what_is_missing_beside_it(library: Serving) -> None:
    error = refuse(library, "bridge_copy_section", {"ref": REF, "path": "notes/a.md", "mode": "append"})
    nearest = {problem["parameter"]: problem.get("nearest") for problem in error["details"]["problems"]}
    assert nearest == {"ref": "from_ref", "path": "to_path", "from_ref": None, "to_path": None}


def test_a_tool_without_parameters_takes_none(library: Serving) -> None:
    assert refuse(library, "manual_list", {"manual_id": "手引き"})["details"]["parameter"] == "manual_id"


@pytest.mark.parametrize("value", [True, False, "5", 5.0, 5.5, [5], {"n": 5}])
@pytest.mark.parametrize("parameter", ["budget.time_ms", "budget.max_candidates", "max_stage"])
def test_only_an_integer_is_a_number(library: Serving, parameter: str, value: object) -> None:
    outer, _, inner = parameter.partition(".")
    error = refuse(library, "manual_find", {"query": "申請", outer: {inner: value} if inner else value})
    assert error["details"]["parameter"] == parameter
    assert error["details"]["expected"] in (INTEGER, "3 or 4")


@pytest.mark.parametrize("parameter", ["offset", "limit"])
def test_a_boolean_is_no_page(library: Serving, parameter: str) -> None:
    error = refuse(library, "manual_ls", {parameter: True})
    assert error["details"] == {"parameter": parameter, "expected": INTEGER}


def test_a_number_is_no_boolean(library: Serving) -> None:
    error = refuse(library, "manual_read", {"ref": REF, "limits": {"allow_file": 1}})
    assert error["details"] == {"parameter": "limits.allow_file", "expected": "true or false"}


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"query": "申請", "budget": {"time_ms": 0}}, "budget.time_ms"),
        ({"query": "申請", "budget": {"time_ms": -5}}, "budget.time_ms"),
        ({"query": "申請", "budget": {"time_ms": 10**400}}, "budget.time_ms"),
        ({"query": "申請", "budget": {"max_candidates": 0}}, "budget.max_candidates"),
        ({"query": "申請", "budget": {"max_candidates": 10**30}}, "budget.max_candidates"),
    ],
    ids=["no time", "negative time", "endless time", "no candidates", "endless candidates"],
)
def test_a_number_out_of_range_is_refused_with_its_bound(
    library: Serving, arguments: dict[str, Any], parameter: str
) -> None:
    details = refuse(library, "manual_find", arguments)["details"]
    assert details["parameter"] == parameter
    assert details["expected"].startswith(("at least", "at most"))


@pytest.mark.parametrize("stage", [0, 1, 2, 5, -3])
def test_only_stages_three_and_four_can_be_asked_for(library: Serving, stage: int) -> None:
    error = refuse(library, "manual_find", {"query": "申請", "max_stage": stage})
    assert error["details"] == {"parameter": "max_stage", "expected": "3 or 4"}


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter", "nearest"),
    [
        ("manual_find", {"query": "申請", "intent": "exeptions"}, "intent", "exceptions"),
        ("manual_find", {"query": "申請", "intent": "Procedure"}, "intent", "procedure"),
        ("manual_hits", {"trace_id": "t", "kind": "candidate"}, "kind", "candidates"),
        ("manual_read", {"ref": REF, "scope": "snipet"}, "scope", "snippet"),
    ],
)
def test_a_wrong_word_is_refused_with_the_allowed_ones_and_the_nearest(
    library: Serving, tool: str, arguments: dict[str, Any], parameter: str, nearest: str
) -> None:
    details = refuse(library, tool, arguments)["details"]
    assert details["parameter"] == parameter
    assert nearest in details["expected"]
    assert details.get("nearest") == nearest


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("manual_find", {"query": "申請", "intent": "how"}),
        ("manual_find", {"query": "申請", "intent": "steps"}),
        ("get_tooling_guide", {"intent": "how"}),
        ("manual_read", {"ref": REF, "scope": "on"}),
        ("manual_find", {"query": "申請", "x": 1}),
    ],
)
def test_nothing_is_suggested_that_resembles_nothing(library: Serving, tool: str, arguments: dict[str, Any]) -> None:
    error = refuse(library, tool, arguments)
    assert "nearest" not in error["details"]
    assert "did you mean" not in error["message"]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("manual_find", {"query": "あ" * 2_001}, "at most 2000 characters"),
        ("manual_find", {"query": " "}, "a string that is not blank"),
        ("manual_ls", {"limit": 501}, "at most 500"),
        ("manual_ls", {"limit": 0}, "at least 1"),
        (
            "vault_coverage",
            {"path": "a.md", "cited_ranges": [{"start_line": 1, "end_line": 1}] * 10_001},
            "at most 10000 items",
        ),
        ("manual_find", {"query": "x", "budget": 5}, "an object with max_candidates, time_ms"),
        (
            "manual_find",
            {"query": "x", "budget": '{"time_ms": 5}'},
            "an object with max_candidates, time_ms; not a string",
        ),
        ("vault_coverage", {"path": "a.md", "cited_ranges": [[1, 5]]}, "an object with start_line, end_line"),
        (
            "vault_coverage",
            {"path": "a.md", "cited_ranges": "1-5"},
            "an array of objects with start_line, end_line; not a string",
        ),
        ("vault_ls", {"path": ""}, "a string that is not empty; leave it out if there is none"),
        ("vault_scan", {"path": ""}, "a string that is not empty"),
        (
            "manual_read",
            {"ref": {"target": "vault", "manual_id": None, "path": "a.md", "start_line": 3}},
            "'manual'; a note is read with vault_read, by its path and lines",
        ),
    ],
)
def test_what_was_expected_is_said_in_words(
    library: Serving, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    error = refuse(library, tool, arguments)
    assert error["details"]["expected"] == expected
    assert error["message"].endswith(f": expected {expected}")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"provenance": {"at": "yesterday"}}, "a date and time with an offset, like 2026-01-31T09:00:00Z"),
        ({"content_hash": "abc"}, "a string of the form ^sha256:[0-9a-f]{64}$"),
        ({"provenance": "today"}, "an object with at, actor, git, url, note, signed; not a string"),
        ({"entities": "山田"}, "an array of objects with id, type, name, canonical_key, attrs; not a string"),
        (
            {"provenance": {"at": "2026-01-31T09:00:00Z", "url": "vault:会議 1.md#L1"}},
            "a string that is a URL, with %20 for a blank; of cited lines manual:ID/PATH#L1-L9 or vault:PATH#L1-L9",
        ),
    ],
)
def test_what_a_memory_tool_expected_is_said_in_words(
    library: Serving, arguments: dict[str, Any], expected: str
) -> None:
    claim = {"text": "事実", "provenance": {"at": "2026-01-31T09:00:00Z"}}
    error = library.refuse("pce_memory_upsert", **{**claim, **arguments})["error"]
    assert error["details"]["expected"] == expected


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        ("scope", "project", "an array of 'session', 'project', 'principle'; not a string"),
        ("allow", "answer:task", "an array of strings; not a string"),
    ],
)
def test_what_an_array_holds_is_said(library: Serving, parameter: str, value: str, expected: str) -> None:
    error = library.refuse("pce_memory_search", query="期限", **{parameter: value})["error"]
    assert error["details"]["expected"] == expected


@pytest.mark.parametrize("query", ["", " ", "\u3000", "\n\t", "\u200b", "\ufeff\u00ad", "\x00", "\x07"])
def test_a_query_that_says_nothing_is_refused(library: Serving, query: str) -> None:
    assert refuse(library, "manual_find", {"query": query})["details"]["parameter"] == "query"


def test_a_query_that_is_too_long_is_refused(library: Serving) -> None:
    error = refuse(library, "manual_find", {"query": "あ" * 2_001})
    assert error["details"]["parameter"] == "query"
    assert "2000" in error["details"]["expected"]


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("manual_find", {"query": "申\ud800請"}, "query"),
        ("manual_ls", {"manual_id": "\udfff"}, "manual_id"),
        ("manual_read", {"ref": {**REF, "path": "\ud83d.md"}}, "ref.path"),
        ("manual_read", {"ref": {**REF, "signals": ["a", "\ud83d"]}}, "ref.signals.1"),
    ],
)
def test_a_lone_surrogate_is_no_text(library: Serving, tool: str, arguments: dict[str, Any], parameter: str) -> None:
    assert refuse(library, tool, arguments)["details"]["parameter"] == parameter


@pytest.mark.parametrize(
    ("model", "arguments", "parameter"),
    [
        (inputs.ManualFind, {"query": "申請", "\ud800": 1}, "?"),
        (inputs.ManualFind, {"query": "申請", "budget": {"time\udc00": 1}}, "budget.time?"),
        (memory_inputs.Upsert, {"entities": [{"attrs": {"部": {"\udfff": 1}}}]}, "entities.0.attrs.部.?"),
    ],
)
def test_a_name_with_a_lone_surrogate_is_refused_in_the_same_words(
    model: type[inputs.Input], arguments: dict[str, Any], parameter: str
) -> None:
    """Over HTTP such a name comes as it was sent; the client of these tests sends none."""
    with pytest.raises(ToolError) as refused:
        parse_arguments(model, arguments)
    assert refused.value.details == {"parameter": parameter, "expected": EXPECTED}
    assert refused.value.message == f"{parameter}: expected {EXPECTED}"


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("manual_find", {}, "query"),
        ("manual_find", {"query": None}, "query"),
        ("manual_toc", {}, "manual_id"),
        ("manual_excepts", {}, "manual_id"),
        ("manual_hits", {}, "trace_id"),
        ("manual_read", {}, "ref"),
        ("manual_read", {"ref": {"target": "manual", "path": "guide.md"}}, "ref.manual_id"),
        ("manual_read", {"ref": {"target": "manual", "manual_id": "手引き"}}, "ref.path"),
        ("manual_read", {"ref": {**REF, "target": "vault"}}, "ref.target"),
    ],
)
def test_what_is_required_and_missing_is_named(
    library: Serving, tool: str, arguments: dict[str, Any], parameter: str
) -> None:
    assert refuse(library, tool, arguments)["details"]["parameter"] == parameter


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("manual_find", {"query": [SECRET]}),
        ("manual_find", {"query": "x", "intent": SECRET}),
        ("manual_find", {"query": "x", "budget": SECRET}),
        ("manual_find", {"query": "x", "budget": {"time_ms": SECRET}}),
        ("manual_find", {"query": "x", "unknown": SECRET}),
        ("manual_hits", {"trace_id": "x", "kind": SECRET}),
        ("manual_read", {"ref": {**REF, "target": SECRET}}),
        ("manual_read", {"ref": SECRET}),
        ("manual_find", {"query": SECRET + "\ud800"}),
    ],
)
def test_the_value_that_was_sent_is_not_repeated(library: Serving, tool: str, arguments: dict[str, Any]) -> None:
    assert SECRET not in as_json(refuse(library, tool, arguments))


def test_all_problems_of_a_call_are_named_together(library: Serving) -> None:
    error = refuse(library, "manual_find", {"query": 1, "max_stage": 9, "budgets": {}})
    assert {problem["parameter"] for problem in error["details"]["problems"]} == {"query", "max_stage", "budgets"}


def test_of_very_many_problems_the_first_are_named_and_all_are_counted(library: Serving) -> None:
    cited = [{"start": 1, "end": 2}] * 1_000
    details = refuse(library, "vault_coverage", {"path": "手引き.md", "cited_ranges": cited})["details"]
    assert (len(details["problems"]), details["problems_total"]) == (20, 4_000)
    assert details["nearest"] == "cited_ranges.0.start_line"


def test_null_means_not_given(library: Serving) -> None:
    nothing = {"manual_id": None, "intent": None, "max_stage": None, "only_unscanned_from_trace_id": None}
    with_nulls = library.find("申請", **nothing, budget={"max_candidates": None, "time_ms": None})
    without = library.find("申請")
    assert with_nulls.summary == without.summary


def test_null_means_not_given_in_a_read(library: Serving) -> None:
    ref = {**REF, "start_line": 9, "json_path": None}
    nothing = {"scope": None, "limits": {"max_sections": None, "max_chars": None, "allow_file": None}, "cursor": None}
    expand = {"before_chars": None, "after_chars": None}
    assert library.read(ref, **nothing, expand=expand) == library.read({**REF, "start_line": 9})
