"""What a policy may say, and how what it may not say is refused."""

from datetime import timedelta

import pytest

from morenashi.server.commands.policy import default_policy
from morenashi.server.memory.boundary import visible_classes
from morenashi.server.memory.policy import PolicyError, parse_duration, parse_policy

from ...limited_work import RunWithin
from .policies import EXAMPLE, policy_with


def problems(text: str) -> dict[str, str]:
    """What is wrong with a policy, by its path."""
    with pytest.raises(PolicyError) as refused:
        parse_policy(text)
    return {problem.path: problem.expected for problem in refused.value.problems}


def test_the_example_of_the_seed_is_accepted_as_it_stands() -> None:
    policy = parse_policy(EXAMPLE)
    assert policy.version == "0.1.0"
    assert policy.scopes.session.lifetime == timedelta(days=7)
    assert policy.scopes.principle.lifetime is None
    assert policy.boundary_classes.pii is not None
    assert policy.boundary_classes.pii.redact == ("email", "phone")
    assert policy.retrieval.hybrid.alpha == 0.65
    assert policy.retrieval.rerank.recency.half_life_days_by_kind.task == 14


def test_what_is_left_out_is_as_in_the_example() -> None:
    short, example = parse_policy(policy_with()), parse_policy(EXAMPLE)
    assert short.scopes == example.scopes
    assert short.retrieval == example.retrieval


def test_the_default_policy_is_a_policy() -> None:
    assert parse_policy(default_policy()).version == "1.0.0"


def test_versions_are_read_as_they_are_written() -> None:
    assert parse_policy(policy_with(version="0.10")).version == "0.10.0"
    assert parse_policy(policy_with(version="'2'")).version == "2.0.0"
    assert parse_policy(policy_with(version="10.20.30-rc.1")).version == "10.20.30-rc.1"


@pytest.mark.parametrize(
    "rule", ["{allow: ['*']}", "{allow: [a], escalation: human_review}", "{allow: [a], redact: [name]}"]
)
def test_no_policy_shows_what_is_secret(rule: str) -> None:
    text = policy_with().replace("{ allow: [], escalation: 'deny' }", rule)
    assert "shown to nobody" in problems(text)["boundary_classes.secret"]


@pytest.mark.parametrize(
    "rule", ["null", "{}", "{allow: []}", "{escalation: deny}", "{allow: ['*'], escalation: deny}"]
)
def test_a_secret_may_be_denied_in_any_words(rule: str) -> None:
    policy = parse_policy(policy_with().replace("{ allow: [], escalation: 'deny' }", rule))
    assert "secret" not in visible_classes(policy, frozenset({"*"}))


@pytest.mark.parametrize("version", ["latest", "1.2.3.4", "01.2", "1.2.3+build", "-1", "'1 '", "{}", "null"])
def test_what_is_no_version_is_refused(version: str) -> None:
    assert "version" in problems(policy_with(version=version))


def test_durations_have_a_unit() -> None:
    assert parse_duration("2w") == timedelta(weeks=2)
    assert parse_duration("90s") == timedelta(seconds=90)
    assert parse_duration("1y") == timedelta(days=365)
    assert parse_duration("inf") is None


@pytest.mark.parametrize("ttl", ["7", "0d", "-7d", "7 d", "7days", "1000y", "'7D'", "1e3d", "''", "７d"])
def test_what_is_no_duration_is_refused(ttl: str) -> None:
    scopes = f"scopes: {{session: {{ttl: {ttl}}}, project: {{ttl: 1d}}, principle: {{ttl: inf}}}}"
    assert "scopes.session.ttl" in problems(policy_with(scopes))


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ("retention: {}", "retention"),
        ("retrieval: {hybrid: {alpha: 0.95}}", "retrieval.hybrid.alpha"),
        ("retrieval: {hybrid: {alpha: '0.65'}}", "retrieval.hybrid.alpha"),
        ("retrieval: {hybrid: {k_txt: 0}}", "retrieval.hybrid.k_txt"),
        ("retrieval: {hybrid: {k_txt: true}}", "retrieval.hybrid.k_txt"),
        ("retrieval: {hybrid: {k_txt: 4.5}}", "retrieval.hybrid.k_txt"),
        ("retrieval: {rerank: {use_quality: 1}}", "retrieval.rerank.use_quality"),
        ("retrieval: {rerank: {recency_half_life_days: .nan}}", "retrieval.rerank.recency_half_life_days"),
        ("invariants: [{name: a, rule: 'x =='}]", "invariants.0.rule"),
        ("invariants: [{name: a, rule: 'true'}, {name: a, rule: 'false'}]", "invariants"),
        ("redact_policies: {people: {names: ['・・']}}", "redact_policies.people.names.0"),
        ('redact_policies: {people: {names: ["\\u200b\\u00ad"]}}', "redact_policies.people.names.0"),
        (
            "redact_policies: {r: {rules: [{name: a, find: x, replace: ''}, {name: a, find: y, replace: ''}]}}",
            "redact_policies.r.rules",
        ),
        ("invariants: [{name: a, rule: 'true', applies_to: [team]}]", "invariants.0.applies_to.0"),
        ("redact_policies: {a: {rules: [{name: a, find: '(', replace: ''}]}}", "redact_policies.a.rules.0.find"),
        ("redact_policies: {a: {rules: [{name: a, find: '(a)\\1', replace: ''}]}}", "redact_policies.a.rules.0.find"),
        ("redact_policies: {a: {rules: [{name: a, find: 'a*', replace: ''}]}}", "redact_policies.a.rules.0.find"),
        ("redact_policies: {a: {rules: [{name: a, find: '\\pL{9}', replace: ''}]}}", "redact_policies.a.rules.0.find"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(part: str, path: str) -> None:
    assert path in problems(policy_with(part))


@pytest.mark.parametrize("tag", ["", "a b", "a*b", "**", "a,b", "*a"])
def test_a_tag_is_a_word_that_may_end_in_a_star(tag: str) -> None:
    text = f"version: 1\nboundary_classes: {{public: {{allow: ['{tag}']}}}}"
    assert "boundary_classes.public.allow.0" in problems(text)


def test_a_class_that_is_none_is_refused_with_those_that_there_are() -> None:
    said = problems("version: 1\nboundary_classes: {top_secret: {}}")["boundary_classes.top_secret"]
    assert said == "not a part of a policy; expected one of public, internal, pii, secret"


@pytest.mark.parametrize(
    ("part", "path", "names"),
    [
        ("extra: 1", "extra", "version, meta, scopes"),
        ("invariants: [{name: a, rule: 'true', ruel: 1}]", "invariants.0.ruel", "name, applies_to, rule"),
        ("redact_policies: {own: {rulez: []}}", "redact_policies.own.rulez", "rules, names"),
        ("retrieval: {rerank: {recency: {days: 1}}}", "retrieval.rerank.recency.days", "half_life_days_by_kind"),
    ],
)
def test_a_name_that_is_none_is_refused_with_those_that_stand_there(part: str, path: str, names: str) -> None:
    assert f"expected one of {names}" in problems(policy_with(part))[path]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version： 1", "line 1: expected : and not the full-width ："),
        ("# 版：一\nversion: 1\nboundary_classes： {}", "line 3: expected : and not the full-width ："),
        ("version: 1\nboundary_classes:\n  public: {allow： ['*']}", "line 3: expected : and not the full-width ："),
        (
            "version: 1\nboundary_classes: {public: {allow: ['a'， 'b']}}",
            "line 2: expected , and not the full-width ，",
        ),
        (
            "version: 1\nboundary_classes: {public: {allow: ['a']、 pii: {}}}",
            "line 2: expected , and not the full-width 、",
        ),
        (
            "version: 1\nboundary_classes:\n  public:　{allow: []}",
            "line 3: expected a blank and not the full-width one",
        ),
    ],
)
def test_a_full_width_sign_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(PolicyError) as refused:
        parse_policy(text)
    assert str(refused.value) == said


def test_a_text_in_quotes_and_a_remark_may_have_full_width_signs() -> None:
    text = "version: x  # 版：一、二\nboundary_classes: {}\nmeta: {note: 'a：b、c　d'}"
    assert problems(text).keys() == {"version"}


def test_full_width_signs_are_looked_for_in_linear_work(run_within: RunWithin) -> None:
    run_within(
        5,
        """
from morenashi.server.memory.full_width import find_full_width
assert find_full_width('meta: "' + 60_000 * r'\\"') is None
""",
    )


def test_what_cannot_be_redacted_is_refused() -> None:
    refused = problems("version: 1\nboundary_classes: {pii: {redact: [email, aura]}}")
    assert "boundary_classes.pii.redact.1" in " ".join(refused.values())


def test_a_class_may_redact_by_a_rule_or_by_a_policy_of_rules() -> None:
    rules = "redact_policies: {own: {rules: [{name: badge, find: 'B-[0-9]+', replace: '[badge]'}]}}"
    text = f"version: 1\nboundary_classes: {{pii: {{redact: [own, badge]}}}}\n{rules}"
    assert parse_policy(text).redactable > {"own", "badge", "email"}


def test_all_problems_are_named_at_once() -> None:
    text = "version: x\nboundary_classes: {}\nscopes: {session: {ttl: 7}}"
    assert problems(text).keys() >= {"version", "scopes.session.ttl"}


def test_a_text_that_is_no_mapping_is_refused() -> None:
    for text in ("", "# nothing", "just words", "- a\n- b", "42"):
        assert problems(text)
