"""What is shown of a claim: its text, and the words that came with it, each as far as the policy lets them go."""

import pytest

from morenashi.indexer.claim_index import BoundaryClass
from morenashi.server.memory.claims import Claim
from morenashi.server.memory.policy import parse_policy
from morenashi.server.memory.present import show_provenance, show_text, show_words
from morenashi.server.memory.tags import Tags

from .remembering import AT

TASK: Tags = frozenset({"answer:task"})
CONTACTS: Tags = frozenset({"answer:task", "tool:contact-lookup"})
POLICY = """
version: 1
boundary_classes:
  public:   { allow: ['*'] }
  internal: { allow: ['answer:task'] }
  pii:      { allow: ['tool:contact-lookup'], redact: ['email'] }
  secret:   { allow: [], escalation: 'deny' }
"""
SHORT = "invariants: [{name: short, rule: 'prompt.chars <= 20'}]"
PERSONAL = "x@example.com 090-1234-5678"
KEY = "AKIAIOSFODNN7EXAMPLE"


def claim_of(text: str, boundary_class: BoundaryClass = "internal") -> Claim:
    return Claim(
        number=1,
        id="clm_1",
        content_hash="",
        text=text,
        kind="fact",
        scope="project",
        boundary_class=boundary_class,
        source=None,
        stale_since=None,
        merged_into=None,
        replaced_by=None,
        replaced_at=None,
        said_at=AT,
        created_at=AT,
        updated_at=AT,
        utility=0.0,
        utility_at=AT,
        confidence=0.5,
        quality=0.5,
        quality_at=AT,
    )


@pytest.mark.parametrize(
    ("words", "tags", "shown"),
    [
        ("定例は火曜", TASK, "定例は火曜"),
        (PERSONAL, TASK, "[email] [phone]"),
        (PERSONAL, CONTACTS, "[email] 090-1234-5678"),
        (f"{PERSONAL} {KEY}", CONTACTS, "[email] [phone] [secret]"),
    ],
)
def test_words_beside_a_claim_are_masked_where_their_class_may_not_go(words: str, tags: Tags, shown: str) -> None:
    assert show_words(words, claim_of("定例は火曜"), parse_policy(POLICY), tags) == shown


@pytest.mark.parametrize(
    ("text", "boundary_class", "tags", "shown"),
    [
        ("定例は火曜", "internal", TASK, "定例は火曜"),
        ("定例は火曜", "pii", TASK, None),
        (PERSONAL, "internal", TASK, None),
        (PERSONAL, "internal", CONTACTS, "[email] 090-1234-5678"),
        (f"鍵は{KEY}です", "internal", TASK, "鍵は[secret]です"),
    ],
)
def test_a_text_is_judged_by_its_class_and_by_what_is_found_in_it(
    text: str, boundary_class: BoundaryClass, tags: Tags, shown: str | None
) -> None:
    assert show_text(claim_of(text, boundary_class), parse_policy(POLICY), tags) == shown


def test_what_is_against_an_invariant_is_not_shown() -> None:
    policy = parse_policy(POLICY + SHORT)
    short, long = "定例は火曜", "定例は火曜である。" * 3
    assert [show_words(words, claim_of(short), policy, TASK) for words in (short, long)] == [short, None]
    assert [show_text(claim_of(text), policy, TASK) for text in (short, long)] == [short, None]


def test_a_rule_on_the_class_sees_that_of_the_claim_whatever_was_masked_in_it() -> None:
    policy = parse_policy(f"{POLICY}invariants: [{{name: nobody, rule: \"boundary_class != 'pii'\"}}]")
    for text in ("山田さんは営業", "窓口は x@example.com"):
        assert show_text(claim_of(text, "pii"), policy, CONTACTS) is None
        assert show_words("営業から聞いた", claim_of(text, "pii"), policy, CONTACTS) is None
    assert show_text(claim_of("山田さんは営業"), policy, CONTACTS) == "山田さんは営業"


def test_of_a_provenance_what_may_not_be_said_is_left_out_and_time_and_commit_are_no_words() -> None:
    asked = []

    def say(words: str) -> str | None:
        asked.append(words)
        return None if "秘" in words else words

    commit = "0123456789abcdef0123456789abcdef01234567"
    git = {"commit": commit, "repo": "秘", "files": ["a.md", "秘.md", "b.md"]}
    shown = show_provenance({"at": AT, "note": "秘密", "url": "https://example.com/", "git": git}, say)
    assert shown == {"at": AT, "url": "https://example.com/", "git": {"commit": commit, "files": ["a.md", "b.md"]}}
    assert not {AT, commit} & set(asked)
