"""What is kept, and that it is kept once, masked, and never under a laxer class."""

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.memory.claims import content_hash

from .policies import EXAMPLE
from .remembering import AT, Remembering, sha256

KEY = "AKIAIOSFODNN7EXAMPLE"
ENVELOPE = {"data", "policy_version", "request_id", "trace_id"}


def class_of(memory: Remembering, claim_id: str) -> str:
    return str(memory.rows("SELECT boundary_class FROM claims WHERE id = ?", claim_id)[0][0])


def test_the_same_text_again_gives_the_same_id(memory: Remembering) -> None:
    first = memory.remember("解約は非同期")
    assert re.fullmatch(r"clm_[A-Za-z0-9]{14,}", first)
    assert [memory.remember(text) for text in ("解約は非同期", " 解約は非同期\r\n", "解約は非同期")] == [first] * 3
    assert memory.rows("SELECT count(*) FROM claims") == [(1,)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("解約は非同期", {}),
        ("窓口は sato@example.com", {"boundary_class": "pii", "hidden": True}),
        (f"本番の鍵は{KEY}です", {"masked": True}),
    ],
)
def test_what_is_kept_otherwise_than_it_was_said_is_told(memory: Remembering, text: str, told: dict[str, Any]) -> None:
    # Kept more strictly by somebody else: that is told nobody.
    memory.remember(text, boundary_class="secret")
    assert told_of(memory, text, "internal") == told


def told_of(memory: Remembering, text: str, boundary_class: str, **arguments: Any) -> dict[str, Any]:
    """What an upsert says beside the id."""
    answer = memory.server.call(
        "pce_memory_upsert", text=text, provenance={"at": AT}, boundary_class=boundary_class, **arguments
    )
    return {name: part for name, part in answer.items() if name not in ENVELOPE}


def test_a_claim_that_is_raised_by_being_said_again_is_told_who_could_see_it(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期", boundary_class="public")
    assert told_of(memory, "解約は非同期", "public") == {}
    told = {"boundary_class": "internal", "raised_from": "public"}
    assert told_of(memory, "解約は非同期", "internal", scope="session") == told
    assert told_of(memory, "解約は非同期", "internal") == {}
    # From here on nobody here sees it: what is said again of it tells nothing.
    hidden = {"boundary_class": "pii", "raised_from": "internal", "hidden": True}
    assert told_of(memory, "解約は非同期", "pii") == hidden
    assert told_of(memory, "解約は非同期", "secret") == {"hidden": True}
    assert class_of(memory, claim) == "secret"


@pytest.mark.parametrize(
    ("allow", "boundary_class", "is_hidden"),
    [
        ("answer:task", "internal", False),
        ("answer:task", "pii", True),
        ("tool:contact-lookup", "pii", False),
        ("answer:other", "internal", True),
        ("*", "secret", True),
    ],
)
def test_what_its_caller_will_never_recall_is_said_to_be_hidden(
    open_memory: Callable[..., Remembering], allow: str, boundary_class: str, is_hidden: bool
) -> None:
    memory = open_memory(MEMORY_ALLOW=allow)
    assert told_of(memory, "解約は非同期", boundary_class) == ({"hidden": True} if is_hidden else {})


def test_a_claim_that_speaks_for_what_is_raised_is_told_to_be_raised(memory: Remembering) -> None:
    known = memory.remember("解約のAPIは非同期で呼ぶ")
    memory.judge(memory.remember("解約のAPIは非同期で呼ぶこと"), "duplicate")
    told = told_of(memory, "解約のAPIは非同期で呼ぶこと", "pii")
    assert (told["raised_from"], class_of(memory, known)) == ("internal", "pii")


def test_whoever_may_not_see_a_claim_is_not_told_that_it_is_raised(open_memory: Callable[..., Remembering]) -> None:
    open_memory(MEMORY_ALLOW="tool:contact-lookup").remember("山田さんは営業", boundary_class="pii")
    assert "raised_from" not in told_of(open_memory(MEMORY_ALLOW="answer:task"), "山田さんは営業", "secret")


def test_another_provenance_is_added_and_the_same_is_not(memory: Remembering) -> None:
    memory.remember("解約は非同期")
    before = memory.rows("SELECT updated_at FROM claims")
    memory.remember("解約は非同期")
    assert memory.rows("SELECT updated_at FROM claims") == before
    memory.remember("解約は非同期", provenance={"at": AT, "note": "ADR"})
    assert memory.rows("SELECT count(*) FROM claim_evidence") == [(2,)]


@given(st.text(alphabet=" \t\r\na㌔か\u3099が", min_size=1))
def test_the_hash_is_that_of_the_text_after_normalisation(text: str) -> None:
    unified = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip())
    assert content_hash(text) == f"sha256:{sha256(unified)}"


def test_a_hash_that_does_not_match_is_refused(memory: Remembering) -> None:
    text = "Stripe webhookは10分ドリフトを許容"
    memory.remember(text, content_hash=f"sha256:{sha256(text)}")
    error = memory.refuse("upsert", text=text, provenance={"at": AT}, content_hash=f"sha256:{sha256('x')}")
    assert (error["code"], error["details"]["parameter"]) == ("VALIDATION_ERROR", "content_hash")


@pytest.mark.parametrize("boundary_class", ["public", "internal", "pii", "secret"])
def test_a_secret_is_never_stored_in_clear(memory: Remembering, boundary_class: str) -> None:
    provenance = {"at": AT, "note": f"aws {KEY}", "actor": KEY}
    entities = [{"id": "e", "type": "Artifact", "name": f"key {KEY}", "attrs": {"deep": [KEY], KEY: 1}}]
    relations = [{"id": "r", "src_id": "e", "dst_id": "e", "type": "is", "props": {"key": KEY}}]
    graph = {"entities": entities, "relations": relations, "provenance": provenance}
    memory.remember(f"本番の鍵は{KEY}です", boundary_class=boundary_class, **graph)
    assert KEY.encode() not in memory.file_bytes()
    assert memory.rows("SELECT text FROM claims") == [("本番の鍵は[secret]です",)]


def test_a_secret_below_its_name_in_a_note_is_never_stored_in_clear(memory: Remembering) -> None:
    memory.remember("入り方を改めた", provenance={"at": AT, "note": "Password:\n  Abc#12345\n期限は一年"})
    assert b"Abc#12345" not in memory.file_bytes()


def test_a_commit_is_no_secret(memory: Remembering) -> None:
    commit = "9fceb02d0ae598e95dc970b74767f19372d61af8"
    memory.remember("解約は非同期", provenance={"at": AT, "git": {"commit": commit}})
    assert commit in memory.rows("SELECT provenance FROM claim_evidence")[0][0]


def test_the_class_is_raised_to_what_the_text_holds_and_never_lowered(memory: Remembering) -> None:
    raised = memory.remember("連絡先は taro@example.com です", boundary_class="public")
    assert class_of(memory, raised) == "pii"
    claim = memory.remember("解約は非同期", boundary_class="internal")
    memory.remember("解約は非同期", boundary_class="public")
    assert class_of(memory, claim) == "internal"
    memory.remember("解約は非同期", boundary_class="secret")
    assert class_of(memory, claim) == "secret"
    assert memory.found("解約") == []


def test_a_longer_scope_wins(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期", scope="session")
    memory.remember("解約は非同期", scope="principle")
    memory.remember("解約は非同期", scope="project")
    assert memory.found("解約", scope=["principle"]) == [claim]
    assert memory.found("解約", scope=["session"]) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"text": "a"}, "VALIDATION_ERROR"),
        ({"text": "a", "provenance": {}}, "VALIDATION_ERROR"),
        ({"text": "a", "provenance": {"at": "yesterday"}}, "VALIDATION_ERROR"),
        ({"text": "a", "provenance": {"at": "2026-01-01T00:00:00"}}, "VALIDATION_ERROR"),
        ({"text": " ", "provenance": {"at": AT}}, "VALIDATION_ERROR"),
        ({"text": "a", "provenance": {"at": AT, "git": {"commit": "abc123"}}}, "VALIDATION_ERROR"),
        ({"text": "a", "provenance": {"at": AT}, "scope": "team"}, "INVALID_SCOPE"),
        ({"text": "a", "provenance": {"at": AT}, "boundary_class": "top"}, "INVALID_BOUNDARY"),
        ({"text": "a", "provenance": {"at": AT}, "entities": [{"id": "e", "nam": 1}]}, "VALIDATION_ERROR"),
        ({"text": "a" * 66_000, "provenance": {"at": AT}}, "VALIDATION_ERROR"),
    ],
)
def test_what_is_malformed_is_refused(memory: Remembering, arguments: dict[str, object], code: str) -> None:
    assert memory.refuse("upsert", **arguments)["code"] == code
    assert memory.rows("SELECT count(*) FROM claims") == [(0,)]


def test_what_is_against_an_invariant_is_refused(open_memory) -> None:  # type: ignore[no-untyped-def]
    rule = "{ name: no_pii_in_principles, applies_to: [principle], rule: prompt.contains_pii == false }"
    memory = open_memory(f"{EXAMPLE}\ninvariants: [{rule}]\n")
    claim = {"text": "連絡先は taro@example.com です", "provenance": {"at": AT}}
    error = memory.refuse("upsert", **claim, scope="principle")
    assert (error["code"], error["details"]["invariant"]) == ("BOUNDARY_DENIED", "no_pii_in_principles")
    memory.remember(**claim, scope="project")


@pytest.mark.parametrize(
    ("text", "said", "is_kept"),
    [
        ("山田さんは営業", "internal", True),
        ("山田さんは営業", "pii", False),
        ("窓口は taro@example.com", "internal", False),
        ("窓口は taro@example.com", "pii", False),
    ],
)
def test_a_rule_on_the_class_sees_the_stricter_of_what_is_said_and_what_is_found(
    open_memory: Callable[..., Remembering], text: str, said: str, is_kept: bool
) -> None:
    memory = open_memory(f"{EXAMPLE}\ninvariants: [{{ name: nobody, rule: \"boundary_class != 'pii'\" }}]\n")
    if is_kept:
        memory.remember(text, boundary_class=said)
    else:
        error = memory.refuse("upsert", text=text, provenance={"at": AT}, boundary_class=said)
        assert error["details"]["invariant"] == "nobody"


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_that_is_none_in_utc_is_refused(memory: Remembering, at: str) -> None:
    error = memory.refuse("upsert", text="解約は非同期", provenance={"at": at})
    assert (error["code"], error["details"]["parameter"]) == ("VALIDATION_ERROR", "provenance.at")


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ("2026-01-01t09:00:00.5+09:00", "2026-01-01t09:00:00.5+09:00"),
        ("2026-01-01t00:00:00z", "2026-01-01t00:00:00Z"),
        ("20260101T090000+0900", "2026-01-01T00:00:00+00:00"),
        ("2026-W01-4T00:00Z", "2026-01-01T00:00:00+00:00"),
        ("2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.500000+00:00"),
    ],
)
def test_a_moment_is_answered_as_json_schemas_have_it(memory: Remembering, given: str, answered: str) -> None:
    """As it was given, if it was given so (RFC 3339)."""
    memory.remember("解約は非同期", provenance={"at": given})
    (provenance,) = memory.activate("解約", include_meta=True)["provenance"]
    assert provenance["at"] == answered


def test_the_latest_provenance_is_the_latest_in_whatever_time_zone(memory: Remembering) -> None:
    for note, at in (("earlier", "2026-01-02T00:00:00+09:00"), ("later", "2026-01-01T20:00:00Z")):
        memory.remember("解約は非同期", provenance={"at": at, "note": note})
    (latest,) = memory.activate("解約", include_meta=True)["provenance"]
    assert (latest["note"], latest["at"]) == ("later", "2026-01-01T20:00:00Z")


def test_what_is_a_secret_by_its_name_alone_is_masked(memory: Remembering) -> None:
    """No text of a graph says `password:`: the name of the value does."""
    attrs = {"password": "hunter2x9", "old": {"passwd": ["hunter2x9"]}, "pin": 48213, "host": "db1.example", "on": True}
    relation = {"id": "r", "src_id": "e", "dst_id": "e", "type": "is", "props": {"パスワード": "hunter2x9"}}
    entity = {"id": "e", "type": "Artifact", "name": "DB", "attrs": attrs}
    memory.remember("解約は非同期", entities=[entity], relations=[relation])
    ((kept,),) = memory.rows("SELECT attrs FROM entities")
    masked = {"password": "[secret]", "old": {"passwd": ["[secret]"]}, "pin": "[secret]"}
    assert json.loads(kept) == masked | {"host": "db1.example", "on": True}
    assert memory.rows("SELECT props FROM relations") == [('{"パスワード":"[secret]"}',)]


@pytest.mark.parametrize("name", ["at", "commit", "type", "x"])
def test_a_secret_in_an_attribute_of_any_name_is_masked(memory: Remembering, name: str) -> None:
    key = "AKIAIOSFODNN7EXAMPLE"
    entity = {"id": "e", "type": "Actor", "name": "営業", "attrs": {name: key}}
    relation = {"id": "r", "src_id": "e", "dst_id": "e", "type": key, "props": {name: [key]}}
    memory.remember("解約は非同期", entities=[entity], relations=[relation])
    assert key.encode() not in memory.file_bytes()


def test_a_relation_that_says_nothing_more_of_itself_is_kept(memory: Remembering) -> None:
    relation = {"id": "r", "src_id": "e", "dst_id": "f", "type": "owns"}
    memory.remember("解約は非同期", relations=[relation])
    assert memory.rows("SELECT props FROM relations") == [(None,)]


@pytest.mark.parametrize(
    ("provenance", "source"),
    [
        ({"url": "https://example.com/a#b"}, "https://example.com/a"),
        ({"git": {"commit": "abc1234", "repo": "r", "files": ["a.md", "b.md"]}}, "r:a.md"),
        ({"git": {"commit": "abc1234", "repo": "r"}}, None),
        ({"note": "ADR"}, None),
    ],
)
def test_a_claim_is_from_the_page_or_the_file_that_its_provenance_names(
    memory: Remembering, provenance: dict[str, Any], source: str | None
) -> None:
    memory.remember("解約は非同期", provenance={"at": AT, **provenance})
    assert memory.rows("SELECT source FROM claims") == [(source,)]
