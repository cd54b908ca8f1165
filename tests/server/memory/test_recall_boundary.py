"""What is recalled behind the boundary: of what a policy hides or masks nobody finds out anything."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from morenashi.server.memory.claims import Claim
from morenashi.server.memory.policy import Policy
from morenashi.server.memory.present import show_text
from morenashi.server.memory.tags import Tags

from .policies import EXAMPLE, policy_with
from .remembering import AT, Remembering, remember_many

Open = Callable[..., Remembering]


def test_without_a_policy_everything_is_refused(serve: Callable[..., Any]) -> None:
    server = serve()
    for tool, arguments in (
        ("activate", {"q": "a"}),
        ("search", {"query": "a"}),
        ("upsert", {"text": "a", "provenance": {"at": AT}}),
        ("feedback", {"claim_id": "clm_a", "signal": "helpful"}),
    ):
        body = server.refuse(f"pce_memory_{tool}", **arguments)
        assert (body["error"]["code"], body["policy_version"]) == ("POLICY_MISSING", "0.0.0")


@pytest.mark.parametrize("allow", [None, ["*"], ["answer:task"], ["tool:*", "answer:*"], ["answer:task", "*"]])
def test_a_client_that_asks_for_everything_is_given_what_it_was_granted(
    memory: Remembering, allow: list[str] | None
) -> None:
    visible = memory.remember("解約の窓口は営業部", boundary_class="internal")
    for boundary_class in ("pii", "secret"):
        memory.remember(f"解約の窓口は{boundary_class}の人", boundary_class=boundary_class)
    asked = {} if allow is None else {"allow": allow}
    assert memory.found("解約の窓口", **asked) == [visible]
    assert memory.active("解約の窓口", **asked) == [visible]


def test_a_use_that_was_not_granted_is_denied(memory: Remembering) -> None:
    error = memory.refuse("search", query="a", allow=["tool:contact-lookup"])
    assert error["code"] == "BOUNDARY_DENIED"
    assert error["message"] == "allow: none of these uses is granted to this caller; leave it out for those that are"


def test_no_tags_show_what_is_public(memory: Remembering) -> None:
    public = memory.remember("解約は公開", boundary_class="public")
    memory.remember("解約は社内")
    assert memory.found("解約", allow=[]) == [public]


def test_what_a_class_has_masked_is_masked(open_memory: Open) -> None:
    memory = open_memory(MEMORY_ALLOW="tool:contact-lookup")
    provenance = {"at": AT, "note": "taro@example.com が言った"}
    memory.remember("窓口は taro@example.com か 090-1234-5678", provenance=provenance)
    (item,) = memory.search("窓口", include_meta=True)["items"]
    assert item["claim"]["text"] == "窓口は [email] か [phone]"
    assert "taro" not in json.dumps(item, ensure_ascii=False)


def test_personal_data_that_came_with_a_claim_is_masked_for_whoever_may_not_see_it(memory: Remembering) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    told = {"note": "taro@example.com が言った", "actor": "taro@example.com", "url": "mailto:taro@example.com"}
    memory.remember("窓口は三階", provenance={"at": AT, **told})
    memory.remember("窓口は三階", provenance={"at": AT, "git": {"commit": commit}})
    answer = memory.activate("窓口", include_meta=True)
    assert "taro" not in json.dumps(answer, ensure_ascii=False)
    evidences = answer["claims"][0]["evidences"]
    assert {"[email] が言った", None} == {one.get("snippet") for one in evidences}
    assert {"mailto:[email]", commit} == {one["source_id"] for one in evidences}


def test_who_may_see_personal_data_sees_what_came_with_a_claim(open_memory: Open) -> None:
    policy = EXAMPLE.replace("redact: ['email','phone'], ", "")
    memory = open_memory(policy, MEMORY_ALLOW="answer:task,tool:contact-lookup")
    memory.remember("窓口は三階", provenance={"at": AT, "note": "taro@example.com が言った"})
    (evidence,) = memory.activate("窓口", include_meta=True)["claims"][0]["evidences"]
    assert evidence["snippet"] == "taro@example.com が言った"


def test_a_claim_is_judged_by_the_policy_in_force_when_it_is_shown(open_memory: Open) -> None:
    """A policy may list a name, or call something a secret, only after somebody has said it."""
    part = "redact_policies: {{own: {{names: [{}], rules: [{{name: secret, find: '{}-[0-9]+', replace: '[code]'}}]}}}}"
    memory = open_memory(policy_with(part.format("山田太郎", "zz")))
    memory.remember("保守の担当は鈴木花子")
    memory.remember("金庫は yy-1234 で開く")
    assert memory.texts("保守の担当") == ["保守の担当は鈴木花子"]
    later = policy_with(part.format("鈴木花子", "yy"), "1.2.4")
    memory.server.call("pce_memory_policy_apply", yaml=later)
    assert memory.texts("保守の担当") == []
    assert memory.active("保守の担当") == []
    assert memory.texts("金庫") == ["金庫は [code] で開く"]


def test_hidden_claims_change_neither_scores_nor_places(memory: Remembering) -> None:
    remember_many(memory, 5)
    before = memory.search("関数の命名", include_meta=True)
    for number in range(80):
        memory.remember(f"関数の命名は秘密{number}", boundary_class="secret")
    assert memory.search("関数の命名", include_meta=True) == before


@pytest.mark.parametrize("guess", ["yamada", "hanako", "yamada.hanako@example.com", "1234"])
def test_nobody_finds_out_by_searching_what_is_masked(open_memory: Open, guess: str) -> None:
    memory = open_memory(MEMORY_ALLOW="tool:contact-lookup")
    memory.remember("経理の窓口は yamada.hanako@example.com")
    memory.remember("総務の窓口は 03-1234-5678", boundary_class="pii")
    memory.remember("受付は三階の窓口", boundary_class="pii")
    assert memory.search(guess)["items"] == []
    answers = [memory.search(f"窓口 {word}", include_meta=True)["items"] for word in (guess, "zebra")]
    assert answers[0] == answers[1]
    assert len(answers[0]) == 3


def test_nobody_finds_out_what_is_masked_by_what_stands_beside_it(open_memory: Open) -> None:
    memory = open_memory(MEMORY_ALLOW="answer:task,tool:contact-lookup")
    for hour, text in enumerate(("窓口は yamada@example.com", "受付は三階")):
        memory.remember(text, provenance={"at": f"2026-01-02T0{hour}:00:00Z", "url": "https://example.com/desk"})
    assert memory.search("yamada")["items"] == []


def test_nobody_finds_out_what_is_masked_by_the_score_of_what_stands_beside_it(open_memory: Open) -> None:
    few = "retrieval: {hybrid: {k_txt: 3, k_final: 3}}"
    memory = open_memory(policy_with(few), MEMORY_ALLOW="answer:task,tool:contact-lookup")
    for text in (*(f"会議{number}" for number in range(20)), "保守点検の届出書は保守点検の届出書", "保守点検と届出"):
        memory.remember(text)
    # The claim with the mask is no candidate itself.
    for hour, text in enumerate(("保守点検の届出書", "三階に居る人の宛先は yamada@example.com とその他の長い話")):
        memory.remember(text, provenance={"at": f"2026-01-02T0{hour}:00:00Z", "url": "https://example.com/desk"})
    guess, other = (memory.search(f"保守点検の届出書 {word}")["items"] for word in ("yamada", "zebra"))
    assert guess == other
    assert [item["claim"]["text"][:5] for item in guess] == ["保守点検の", "保守点検の", "保守点検と"]


@pytest.mark.parametrize("is_beside", [True, False])
def test_nobody_finds_out_what_is_masked_by_the_neighbours_of_others(open_memory: Open, is_beside: bool) -> None:
    memory = open_memory(MEMORY_ALLOW="answer:task,tool:contact-lookup")
    masked = "総務課の棚の鍵の宛先は yamada@example.com"
    if not is_beside:
        memory.remember(masked)
    for hour, text in enumerate(("会議は水曜", "三階", "受付", masked if is_beside else "掲示板", "様式")):
        memory.remember(text, provenance={"at": f"2026-01-02T0{hour}:00:00Z", "url": "https://example.com/desk"})
    guess, other = (memory.search(f"会議 {word}", include_meta=True)["items"] for word in ("yamada", "zebra"))
    assert guess == other
    assert len(guess) == 3


def test_nobody_finds_out_what_is_masked_by_what_a_stale_claim_leaves_of_the_scores_of_others(
    open_memory: Open,
) -> None:
    memory = open_memory(MEMORY_ALLOW="answer:task,tool:contact-lookup")
    stale = memory.remember("窓口は yamada@example.com")
    for text in ("窓口は三階の受付", "窓口と会議"):
        memory.remember(text)
    query = "UPDATE claims SET stale_since = ? WHERE id = ?"
    memory.server.workspace.memory.write(lambda connection: connection.execute(query, (AT, stale)))
    guess, other = (memory.activate(f"窓口 {word}")["claims"] for word in ("yamada", "zebra"))
    assert guess == other != []


def test_what_a_later_policy_hides_changes_neither_scores_nor_pages(open_memory: Open) -> None:
    part = "redact_policies: {{own: {{names: [{}]}}}}"
    memory = open_memory(policy_with(part.format("山田太郎")))
    texts = ["保守の担当は情報システム課", "保守の窓口は三階"]
    for text in (*texts, "保守の担当は鈴木花子、鈴木花子の席は三階"):
        memory.remember(text)
    memory.server.call("pce_memory_policy_apply", yaml=policy_with(part.format("鈴木花子"), "1.2.4"))
    first = memory.search("保守の担当 鈴木花子", top_k=2)
    assert ([item["claim"]["text"] for item in first["items"]], first["has_more"]) == (texts, False)
    assert [item["score"] for item in first["items"]] == [
        item["score"] for item in memory.search("保守の担当 zebra")["items"]
    ]


def test_what_a_later_policy_hides_takes_no_room_from_what_it_shows(open_memory: Open) -> None:
    few = "retrieval: {hybrid: {k_txt: 2, k_final: 2}}"
    memory = open_memory(policy_with(few))
    for number in range(12):
        memory.remember(f"契約の窓口は山田太郎 {number}")
    shown = [memory.remember(f"契約の手順{number}は長く、別の資料に詳しく書いてある") for number in range(2)]
    names = "redact_policies: { people: { names: ['山田太郎'] } }"
    memory.server.call("pce_memory_policy_apply", yaml=policy_with(f"{few}\n{names}", "1.2.4"))
    assert sorted(memory.found("契約の窓口")) == sorted(memory.active("契約の窓口")) == sorted(shown)


def test_a_text_is_judged_once_and_not_with_every_question(
    memory: Remembering, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []

    def noting(claim: Claim, policy: Policy, tags: Tags) -> str | None:
        judged.append(claim.text)
        return show_text(claim, policy, tags)

    monkeypatch.setattr("morenashi.server.memory.page.show_text", noting)
    memory.remember("解約は非同期")
    for question in ("解約", "非同期", "解約"):
        assert memory.texts(question) == ["解約は非同期"]
    assert judged == ["解約は非同期"]
    memory.server.call("pce_memory_policy_apply", yaml=policy_with(version="1.2.4"))
    assert memory.texts("解約") == ["解約は非同期"]
    assert len(judged) == 2
