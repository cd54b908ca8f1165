"""The rules of a policy: what they mean, and that nothing else is evaluated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.memory.invariants import MAX_RULE_CHARS, Facts, RuleError, parse_rule

FACTS: Facts = {"scope": "project", "n": 3, "x.ratio": 0.5, "yes": True, "allow": frozenset({"a", "b"})}


@pytest.mark.parametrize(
    "rule",
    [
        "true",
        "!false",
        "scope == 'project'",
        'scope != "session"',
        "n == 3 && n != 4",
        "n > 2 && n >= 3 && n < 4 && n <= 3",
        "x.ratio < 1",
        "n > -1",
        "false || yes",
        "true || false && false",
        "!(false || false)",
        "!!yes",
        "'a' in allow",
        "'c' notin allow",
        '"prod" notin(network.egress)',
        "scope in ['project', 'principle']",
        "n in [1, 2, 3]",
        "n notin []",
        "api.breaking_change == false",
        "dataset.origin != 'prod' || data.masked == true",
        "(((n == 3)))",
        "(n) > (2) && (scope) == ('project')",
    ],
)
def test_a_rule_that_holds(rule: str) -> None:
    assert parse_rule(rule).holds(FACTS)


@pytest.mark.parametrize(
    "rule",
    [
        "false",
        "unknown",
        "unknown == true",
        "scope == 'Project'",
        "yes == 1",
        "true == 1",
        "n == '3'",
        "'z' in allow",
        "n in ['3']",
        "(true || false) && false",
        "'a' in unknown",
    ],
)
def test_a_rule_that_does_not_hold(rule: str) -> None:
    assert not parse_rule(rule).holds(FACTS)


@pytest.mark.parametrize(
    "rule", ["n", "scope", "'text'", "n && true", "!n", "scope > 1", "yes > 0", "'a' in 'abc'", "unknown > 1"]
)
def test_a_rule_that_has_no_answer_is_an_error_and_not_a_pass(rule: str) -> None:
    parsed = parse_rule(rule)
    with pytest.raises(RuleError):
        parsed.holds(FACTS)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "  ",
        "a =",
        "a = 1",
        "== 1",
        "(true",
        "true)",
        "true true",
        "a == 1 == 2",
        "'open",
        "[a]",
        "n in [1 2]",
        "in",
        "a &",
        "__import__('os').system('ls')",
        "a.b()",
        "a[0]",
        "lambda: 1",
        "1.2.3 == 1",
        "x; y",
        "true ＆＆ true",
        "(" * 60 + "true" + ")" * 60,
        "!" * 60 + "true",
        "true" + " " * MAX_RULE_CHARS,
    ],
)
def test_what_is_no_rule_is_refused(rule: str) -> None:
    with pytest.raises(RuleError):
        parse_rule(rule)


@given(st.text(alphabet="ab.1 '\"()[]!&|=<>,in", max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        parse_rule(text).holds(FACTS)
    except RuleError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("tags", "rule", "holds"),
    [
        ({"tool:*"}, "'tool:archive' in allow", True),
        ({"tool:*"}, "'tool:archive' notin allow", False),
        ({"*"}, "'tool:archive' notin allow", False),
        ({"tool:*"}, "'answer:task' notin allow", True),
        ({"tool:archive"}, "'tool:*' notin allow", False),
        ({"answer:task"}, "'tool:*' in allow", False),
        (set(), "'*' in allow", False),
    ],
)
def test_a_tag_of_a_rule_is_compared_as_those_of_classes_are(tags: set[str], rule: str, holds: bool) -> None:
    assert parse_rule(rule).holds({"allow": frozenset(tags)}) is holds
