"""Who may see which class: what is asked for narrows what was granted, and never widens it."""

from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.memory.boundary import narrow, strictest, treatment, visible_classes
from morenashi.server.memory.policy import parse_policy

from .policies import EXAMPLE, policy_with

POLICY = parse_policy(EXAMPLE)
TASK = frozenset({"answer:task"})
CONTACTS = frozenset({"answer:task", "tool:contact-lookup"})
TAGS = st.sampled_from(
    ["*", "answer:*", "answer:task", "tool:*", "tool:contact-lookup", "tool:contact-*", "tool:x", "y"]
)


def test_without_a_wish_all_that_is_granted_holds() -> None:
    assert visible_classes(POLICY, TASK) == {"public", "internal"}
    assert visible_classes(POLICY, CONTACTS) == {"public", "internal", "pii"}


def test_a_star_stands_for_what_was_granted_and_no_more() -> None:
    assert visible_classes(POLICY, narrow(TASK, ["*"])) == {"public", "internal"}
    assert visible_classes(POLICY, narrow(TASK, ["tool:*"])) == {"public"}


def test_a_tag_that_was_not_granted_gives_nothing() -> None:
    assert visible_classes(POLICY, narrow(TASK, ["tool:contact-lookup"])) == {"public"}
    assert visible_classes(POLICY, narrow(CONTACTS, ["tool:contact-lookup"])) == {"public", "internal", "pii"}
    assert visible_classes(POLICY, narrow(CONTACTS, [])) == {"public"}


def test_a_glob_is_a_beginning() -> None:
    granted = frozenset({"tool:*"})
    assert narrow(granted, ["tool:x"]) == {"tool:x"}
    assert narrow(granted, ["toolbox"]) == frozenset()
    assert narrow(frozenset({"tool:x"}), ["tool:*"]) == {"tool:x"}
    assert narrow(granted, ["tool:contact-*"]) == {"tool:contact-*"}
    assert "pii" not in visible_classes(POLICY, narrow(granted, ["tool:grep"]))


def test_case_and_width_are_not_folded() -> None:
    assert narrow(TASK, ["Answer:Task", "ａnswer:task", "answer:task "]) == frozenset()


def test_denied_is_stronger_than_allowed() -> None:
    text = "version: 1\nboundary_classes: {internal: {allow: ['*'], escalation: deny}}"
    assert treatment(parse_policy(text), "internal", CONTACTS) == "deny"


def test_masked_is_stronger_than_allowed() -> None:
    assert treatment(POLICY, "pii", CONTACTS) == "redact"
    assert treatment(POLICY, "internal", CONTACTS) == "allow"


def test_a_class_without_a_rule_is_denied() -> None:
    text = "version: 1\nboundary_classes: {public: {allow: ['*']}}"
    assert visible_classes(parse_policy(text), frozenset({"*"})) == {"public"}


def test_secrets_are_seen_by_nobody() -> None:
    assert "secret" not in visible_classes(parse_policy(policy_with()), narrow(frozenset({"*"}), ["*"]))


def test_the_stricter_class_wins() -> None:
    assert strictest(["internal", "secret", "public"]) == "secret"
    assert strictest(["pii", "internal"]) == "pii"


@given(st.frozensets(TAGS), st.lists(TAGS))
def test_asking_never_shows_more_than_was_granted(granted: frozenset[str], asked: list[str]) -> None:
    assert visible_classes(POLICY, narrow(granted, asked)) <= visible_classes(POLICY, granted)


@given(st.frozensets(TAGS), st.lists(TAGS), TAGS)
def test_asking_for_less_never_shows_more(granted: frozenset[str], asked: list[str], further: str) -> None:
    more = narrow(granted, [*asked, further])
    assert visible_classes(POLICY, narrow(granted, asked)) <= visible_classes(POLICY, more)


@given(st.frozensets(TAGS), st.frozensets(TAGS), st.none() | st.lists(TAGS))
def test_being_granted_less_never_shows_more(
    less: frozenset[str], more: frozenset[str], asked: list[str] | None
) -> None:
    assert visible_classes(POLICY, narrow(less, asked)) <= visible_classes(POLICY, narrow(less | more, asked))
