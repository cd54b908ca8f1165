"""What boundary.validate answers: as it is, masked, or not at all."""

from typing import Any

import pytest

from morenashi.server.calls.memory_inputs import BoundaryValidate
from morenashi.server.memory.boundary_tool import validate_boundary
from morenashi.server.memory.gate import facts_of
from morenashi.server.memory.policies import AppliedPolicy
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.redaction import redact
from morenashi.server.memory.rule_names import FACT_NAMES
from morenashi.server.memory.tags import Tags

from .policies import EXAMPLE, policy_with

TASK: Tags = frozenset({"answer:task"})
CONTACTS: Tags = frozenset({"answer:task", "tool:contact-lookup"})
KEY = "AKIAIOSFODNN7EXAMPLE"


def answer(payload: str, granted: Tags = TASK, policy: str = EXAMPLE, **arguments: Any) -> dict[str, Any]:
    parsed = parse_policy(policy)
    request = BoundaryValidate(payload=payload, **arguments)
    return validate_boundary(AppliedPolicy(1, parsed.version, parsed), request, granted)


def test_a_clean_text_goes_as_it_is() -> None:
    body = answer("定例は火曜", scope="project", allow=["answer:task"])
    assert body["allowed"] is True
    assert body["policy_version"] == "0.1.0"
    assert "redacted" not in body


def test_a_clean_text_is_internal_and_not_for_everybody() -> None:
    assert answer("定例は火曜", allow=["answer:other"])["allowed"] is False
    assert "redacted" not in answer("定例は火曜", allow=["answer:other"])


def test_personal_data_does_not_go_but_the_masked_text_may() -> None:
    body = answer("連絡は x@example.com まで")
    assert body["allowed"] is False
    assert body["redacted"] == "連絡は [email] まで"
    assert "pii (email)" in body["reason"]


def test_a_secret_in_longer_personal_data_does_not_go_where_that_may() -> None:
    policy = """
version: 1.2.3
boundary_classes:
  internal: { allow: ['answer:task'] }
  pii:      { allow: ['answer:task'] }
  secret:   { allow: [], escalation: 'deny' }
redact_policies: { own: { rules: [{ name: memo, find: 'memo .*', replace: '[memo]' }] } }
"""
    assert answer("memo for tomorrow", policy=policy)["allowed"] is True
    body = answer(f"memo for tomorrow, with {KEY}", policy=policy)
    assert (body["allowed"], body["reason"]) == (False, "secret (secret): never sent")


def test_personal_data_goes_masked_to_the_tool_that_was_granted_and_asked_for() -> None:
    body = answer("連絡は x@example.com まで", CONTACTS, allow=["tool:contact-lookup"])
    assert body["allowed"] is True
    assert body["redacted"] == "連絡は [email] まで"


@pytest.mark.parametrize("allow", [["*"], ["tool:*"], ["tool:contact-lookup"], ["answer:task", "*"]])
def test_no_tag_makes_up_for_one_that_was_not_granted(allow: list[str]) -> None:
    assert answer("電話 090-1234-5678", TASK, allow=allow)["allowed"] is False


def test_secrets_go_nowhere_whatever_was_granted() -> None:
    body = answer(f"鍵は{KEY}です", frozenset({"*"}), allow=["*"])
    assert body["allowed"] is False
    assert body["redacted"] == "鍵は[secret]です"


def test_the_reason_names_no_word_of_the_text() -> None:
    body = answer(f"山田 {KEY} x@example.com", CONTACTS)
    assert all(word not in body["reason"] for word in ("山田", KEY, "x@"))


@pytest.mark.parametrize(
    ("payload", "allow", "why"),
    [
        ("x@example.com", None, "not for these tags; a person has to review it"),
        ("定例は火曜", ["answer:other"], "not for these tags"),
        (KEY, None, "never sent"),
    ],
)
def test_the_reason_says_why_a_text_may_not_go(payload: str, allow: list[str] | None, why: str) -> None:
    assert answer(payload, TASK, allow=allow)["reason"].partition(": ")[2] == why


def test_a_policy_without_the_class_denies() -> None:
    policy = "version: 1\nboundary_classes: {public: {allow: ['*']}}"
    body = answer("x@example.com", CONTACTS, policy)
    assert body["allowed"] is False
    assert "the policy does not name this class" in body["reason"]
    assert "redacted" not in body


def test_an_invariant_of_the_scope_refuses_and_offers_what_satisfies_it() -> None:
    rule = "invariants: [{name: no_contacts, applies_to: [principle], rule: 'prompt.contains_pii == false'}]"
    policy = policy_with(rule).replace("redact: ['email','phone'], ", "")
    refused = answer("x@example.com", CONTACTS, policy, scope="principle")
    assert refused["allowed"] is False
    assert "no_contacts" in refused["reason"]
    assert refused["redacted"] == "[email]"
    assert answer("x@example.com", CONTACTS, policy, scope="session")["allowed"] is True
    assert answer("x@example.com", CONTACTS, policy)["allowed"] is False


def test_an_invariant_without_an_answer_refuses() -> None:
    policy = policy_with("invariants: [{name: odd, rule: 'prompt.chars'}]")
    body = answer("定例は火曜", TASK, policy)
    assert body["allowed"] is False
    assert "odd" in body["reason"]
    assert "redacted" not in body


def test_invariants_know_the_tags_the_scope_and_the_length() -> None:
    rule = "'answer:task' in allow && scope in ['project'] && prompt.chars <= 5 && boundary_class == 'internal'"
    policy = policy_with(f'invariants: [{{name: all_of_it, rule: "{rule}"}}]')
    assert answer("定例は火曜", TASK, policy, scope="project")["allowed"] is True
    assert answer("定例は火曜日", TASK, policy, scope="project")["allowed"] is False


def test_a_text_is_as_long_as_it_is_sent_whatever_is_found_in_it() -> None:
    policy = policy_with("invariants: [{name: short, rule: prompt.chars <= 13}]")
    clear = policy.replace("redact: ['email','phone'], ", "")
    assert answer("x@example.com", CONTACTS, clear)["allowed"] is True
    assert answer("to x@example.com", CONTACTS, clear)["allowed"] is False
    assert answer("to x@example.com", CONTACTS, policy)["redacted"] == "to [email]"


def test_the_names_that_a_rule_may_use_are_those_that_it_is_given() -> None:
    assert tuple(facts_of(redact("定例は火曜", parse_policy(EXAMPLE)), "internal", TASK, None)) == FACT_NAMES


@pytest.mark.parametrize(
    ("text", "has_personal_data", "has_secret"),
    [
        ("定例は火曜", False, False),
        ("x@example.com", True, False),
        (KEY, False, True),
        (f"{KEY} x@example.com", True, True),
    ],
)
def test_the_facts_are_what_was_found(text: str, has_personal_data: bool, has_secret: bool) -> None:
    facts = facts_of(redact(text, parse_policy(EXAMPLE)), "internal", TASK, None)
    assert (facts["prompt.contains_pii"], facts["prompt.contains_secret"]) == (has_personal_data, has_secret)


@pytest.mark.parametrize(("text", "boundary_class"), [("定例は火曜", "internal"), ("x@example.com", "pii")])
def test_what_is_to_be_sent_is_of_the_class_of_what_is_found_in_it(text: str, boundary_class: str) -> None:
    policy = policy_with(f"invariants: [{{name: other, rule: \"boundary_class != '{boundary_class}'\"}}]")
    body = answer(text, CONTACTS, policy.replace("redact: ['email','phone'], ", ""))
    assert (body["allowed"], "against the invariant other" in body["reason"]) == (False, True)


def test_where_no_scope_is_named_the_scope_is_false() -> None:
    policy = policy_with("invariants: [{name: unscoped, rule: 'scope == false'}]")
    assert answer("定例は火曜", TASK, policy)["allowed"] is True
    assert answer("定例は火曜", TASK, policy, scope="project")["allowed"] is False


def test_what_the_rules_take_too_long_over_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morenashi.server.memory.redaction._SECONDS", 0.2)
    rules = ", ".join(f"{{name: r{n}, find: '(?:x{{1,40}}y?){{1,20}}z|x', replace: ''}}" for n in range(90))
    body = answer("x" * 32_000, TASK, policy_with(f"redact_policies: {{own: {{rules: [{rules}]}}}}"))
    assert body["allowed"] is False
    assert "too long" in body["reason"]
