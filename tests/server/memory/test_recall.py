"""What is recalled: behind the boundary, in order, a page at a time, and never changed by being read."""

import base64
import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from morenashi.server.memory.boundary import Tags
from morenashi.server.memory.claims import Claim
from morenashi.server.memory.policy import Policy
from morenashi.server.memory.present import show_text

from .policies import EXAMPLE, policy_with
from .remembering import AT, Remembering

Open = Callable[..., Remembering]


def remember_many(memory: Remembering, count: int, **arguments: Any) -> list[str]:
    return [
        memory.remember(f"規約{number}: 関数{number}の命名は動詞から始める", **arguments) for number in range(count)
    ]


def backdate(memory: Remembering, days: float, claim_id: str) -> None:
    """As if the claim had been kept so many days ago."""
    query = "UPDATE claims SET updated_at = strftime('%Y-%m-%dT%H:%M:%f000+00:00', updated_at, ?) WHERE id = ?"
    memory.server.workspace.memory.write(lambda connection: connection.execute(query, (f"-{days} days", claim_id)))


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
    assert memory.refuse("search", query="a", allow=["tool:contact-lookup"])["code"] == "BOUNDARY_DENIED"


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


def test_a_file_of_a_repository_is_a_source_also_without_a_commit(memory: Remembering) -> None:
    memory.remember("窓口は三階", provenance={"at": AT, "git": {"repo": "acme/desk", "files": ["floor.md", "b.md"]}})
    (evidence,) = memory.activate("窓口", include_meta=True)["claims"][0]["evidences"]
    assert (evidence["source_type"], evidence["source_id"]) == ("git", "acme/desk:floor.md")


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


def test_only_the_scopes_that_are_asked_for_are_searched(memory: Remembering) -> None:
    claims = {scope: memory.remember(f"{scope}の解約", scope=scope) for scope in ("session", "project", "principle")}
    assert set(memory.found("解約")) == set(claims.values())
    assert set(memory.found("解約", scope=["session", "principle"])) == {claims["session"], claims["principle"]}
    assert memory.found("解約", scope=[]) == []
    assert memory.refuse("search", query="a", scope=["team"])["code"] == "INVALID_SCOPE"


def test_a_claim_whose_scope_has_expired_does_not_surface_until_it_is_said_again(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期", scope="session")
    backdate(memory, 6.9, claim)
    assert memory.found("解約") == [claim]
    backdate(memory, 0.2, claim)
    assert memory.found("解約") == memory.active("解約") == []
    assert memory.remember("解約は非同期", scope="session") == claim
    assert memory.found("解約") == [claim]


def test_a_claim_of_a_time_to_come_can_be_said_again(memory: Remembering) -> None:
    """A wrong clock made it, or a line that was imported."""
    claim = memory.remember("解約は非同期")
    query = "UPDATE claims SET updated_at = '9999-12-31T00:00:00.000000+00:00'"
    memory.server.workspace.memory.write(lambda connection: connection.execute(query))
    assert memory.remember("解約は非同期") == claim


def test_scores_lie_between_0_and_1_and_follow_the_formula(memory: Remembering) -> None:
    remember_many(memory, 30)
    items = memory.search("関数3の命名", top_k=50, include_meta=True)["items"]
    assert items[0]["score"] > 0
    assert [item["score"] for item in items] == sorted((item["score"] for item in items), reverse=True)
    for item in items:
        parts = item["scores"]
        assert all(0 <= part <= 1 for part in parts.values())
        g = (0.6 + 0.4 * parts["utility"]) * (0.5 + 0.5 * parts["confidence"]) * (0.3 + 0.7 * parts["recency"])
        assert math.isclose(parts["g"], g, abs_tol=2e-4)
        assert math.isclose(item["score"], parts["combined"] * parts["g"], abs_tol=2e-4)
        assert parts["combined"] == parts["text"]


def test_equals_stand_with_the_newest_first(memory: Remembering) -> None:
    first, second = memory.remember("解約は甲"), memory.remember("解約は乙")
    assert memory.found("解約") == [second, first]


def test_older_claims_count_less_each_kind_at_its_own_pace(memory: Remembering) -> None:
    fact, task = memory.remember("解約は甲", kind="fact"), memory.remember("解約は乙", kind="task")
    for claim in (fact, task):
        backdate(memory, 14, claim)
    recency = {
        item["claim"]["id"]: item["scores"]["recency"] for item in memory.search("解約", include_meta=True)["items"]
    }
    assert math.isclose(recency[task], 0.5, abs_tol=1e-3)
    assert math.isclose(recency[fact], 2 ** (-14 / 120), abs_tol=1e-3)


def test_where_the_policy_says_so_what_was_long_not_confirmed_counts_less(open_memory: Open) -> None:
    memory = open_memory(EXAMPLE.replace("use_quality: false", "use_quality: true"))
    kept, unconfirmed = memory.remember("解約は甲"), memory.remember("解約は乙")
    query = (
        "UPDATE claims SET quality_at = strftime('%Y-%m-%dT%H:%M:%f000+00:00', quality_at, '-120 days') WHERE id = ?"
    )
    memory.server.workspace.memory.write(lambda connection: connection.execute(query, (unconfirmed,)))
    items = memory.search("解約", include_meta=True)["items"]
    assert [item["claim"]["id"] for item in items] == [kept, unconfirmed]
    assert [round(item["scores"]["quality"], 3) for item in items] == [1.0, 0.5]
    assert math.isclose(items[1]["score"], 0.75 * items[0]["score"], abs_tol=2e-4)


def test_reading_changes_nothing(memory: Remembering) -> None:
    remember_many(memory, 12)
    before = memory.rows("SELECT * FROM claims ORDER BY number")
    ranking = memory.found("命名")
    for _ in range(5):
        memory.active("規約3")
        assert memory.found("命名") == ranking
    assert memory.rows("SELECT * FROM claims ORDER BY number") == before


def test_activation_leaves_out_what_hardly_fits_and_notes_it(memory: Remembering) -> None:
    memory.remember("JWT認証のアクセストークンは15分で切れる")
    weak = memory.remember(
        "会議の議事録は15分以内に配る。認証は関係がない。長い文がここに続き、他のことばかりを述べている"
    )
    assert weak in memory.found("JWT認証のアクセストークン")
    assert weak not in memory.active("JWT認証のアクセストークン")
    ((left_out,),) = memory.rows("SELECT left_out FROM active_contexts WHERE tool = 'activate'")
    assert len(json.loads(left_out)["below_threshold"]) == 1


def test_activation_prefers_what_differs_over_the_same_in_other_words(memory: Remembering) -> None:
    for number in range(6):
        memory.remember(f"解約のAPIは非同期で呼ぶこと その{number}")
    other = memory.remember("解約のAPIには手数料が掛からない点に注意")
    assert other not in memory.found("解約のAPI", top_k=3)
    assert other in memory.active("解約のAPI", top_k=3)


def test_a_context_keeps_to_the_token_budget_of_a_scope(open_memory: Open) -> None:
    memory = open_memory(EXAMPLE.replace("max_tokens: 50000", "max_tokens: 20"))
    remember_many(memory, 10)
    long = memory.remember("命名の原則", scope="principle")
    body = memory.activate("命名")
    active = [item["claim"]["id"] for item in body["claims"]]
    assert long in active
    assert 1 < len(active) < 6
    assert (len(active) + body["over_budget"], body.get("stale")) == (11, None)


def say_at(memory: Remembering, minute: int, text: str, source: str) -> str:
    """A claim said at a minute of a conversation."""
    return memory.remember(text, provenance={"at": f"2026-01-01T10:{minute:02}:00Z", "url": f"chat:{source}#{minute}"})


def test_neighbours_in_the_same_source_speak_for_a_claim(memory: Remembering) -> None:
    say = partial(say_at, memory)
    say(1, "ピアノの発表会はいつですか", "a")
    answer = say(2, "来月の三日です", "a")
    say(2, "来月の四日です", "b")
    found = memory.search("ピアノの発表会", include_meta=True)["items"]
    assert [item["claim"]["id"] for item in found][1:] == [answer]
    assert ["words" in item["reason"] for item in found] == [True, False]
    assert found[1]["reason"] == "neighbours"


def test_what_follows_a_question_takes_more_of_its_words_than_what_follows_a_statement(memory: Remembering) -> None:
    say = partial(say_at, memory)
    say(1, "When is the recital?", "a")
    after_question = say(2, "On the third of May, hopefully", "a")
    say(1, "That was the recital.", "b")
    after_statement = say(2, "On the fifth of June, we leave", "b")
    found = memory.found("recital")
    assert found.index(after_question) < found.index(after_statement)


@pytest.mark.parametrize("question", ["What did Melanie buy?", "Was Melanie buying something?", "what Melanie bought"])
def test_irregular_forms_of_a_word_are_found(memory: Remembering, question: str) -> None:
    for thing in ("drew a lamp", "cleaned the lamp", "talked of lamps"):
        memory.remember(f"Melanie {thing} that day")
    bought = memory.remember("Melanie bought a lamp that day")
    assert memory.found(question)[0] == bought


def test_a_claim_with_all_words_comes_before_one_that_repeats_the_rarest(memory: Remembering) -> None:
    for number in range(8):
        memory.remember(f"The service numbered {number} is watched by the team on duty")
    for day in ("Monday", "Tuesday"):
        memory.remember(f"A deploy on {day}")
    memory.remember("Rollback, rollback!")
    whole = memory.remember("What we call a rollback takes back the last deploy, and tells the team on duty so")
    assert memory.found("deploy rollback")[0] == whole


def test_what_shares_only_stop_words_with_a_question_is_not_recalled(memory: Remembering) -> None:
    memory.remember("The nightly build takes an hour on the old machine")
    relevant = memory.remember("Ken won the prize of the hack day")
    assert memory.active("Who was the founder of the company?") == []
    assert memory.found("the prize of the company") == [relevant]


@pytest.mark.parametrize("asking", ["を教えて", "について教えてください。", "は？教えてほしい"])
def test_what_only_asks_in_japanese_finds_nothing(memory: Remembering, asking: str) -> None:
    memory.remember("変更の連絡は総務へ")
    memory.remember("新人に教える手順は棚にある")
    relevant = memory.remember("車を置く所は裏手の駐輪場の隣")
    assert memory.active(f"食堂の献立{asking}") == []
    assert memory.found(f"駐輪場{asking}") == [relevant]


def test_where_a_question_only_asks_that_is_looked_for(memory: Remembering) -> None:
    claim = memory.remember("新人に教える手順は棚にある")
    assert memory.found("教えて") == [claim]


def test_an_article_is_no_other_word_for_what_has_its_stem(memory: Remembering) -> None:
    claim = memory.remember("除細動器は一階の受付")
    assert memory.active("Where is a parking lot?") == []
    assert memory.found("AED") == [claim]


def test_where_a_question_is_stop_words_alone_they_are_looked_for(memory: Remembering) -> None:
    claim = memory.remember("Who we are and why: a page for guests")
    memory.remember("夜間バッチは一時に始まる")
    assert memory.found("who are we") == [claim]


@pytest.mark.parametrize("tool", ["search", "activate"])
def test_pages_are_disjoint_and_complete_whatever_is_added_meanwhile(memory: Remembering, tool: str) -> None:
    known = set(remember_many(memory, 30))
    call, key, name = (memory.search, "items", "query") if tool == "search" else (memory.activate, "claims", "q")
    seen: list[str] = []
    page = call("命名の規約", top_k=7)
    while True:
        seen += [item["claim"]["id"] for item in page[key]]
        if not page["has_more"]:
            break
        memory.remember(f"命名の規約 追加{len(seen)}")
        page = call(**{name: "命名の規約"}, top_k=7, cursor=page["next_cursor"])
    assert len(seen) == len(set(seen))
    assert set(seen) <= known
    if tool == "search":
        assert set(seen) == known


def test_a_cursor_of_another_question_scope_tool_or_policy_is_refused(memory: Remembering) -> None:
    remember_many(memory, 5)
    cursor = memory.search("命名", top_k=2)["next_cursor"]
    memory.search("命名", top_k=2, cursor=cursor)
    for arguments in ({"query": "規約"}, {"query": "命名", "scope": ["project"]}, {"query": "命名", "allow": []}):
        assert memory.refuse("search", **arguments, cursor=cursor)["code"] == "VALIDATION_ERROR"
    assert memory.refuse("activate", q="命名", cursor=cursor)["code"] == "VALIDATION_ERROR"
    no_unicode = base64.urlsafe_b64encode(rb'["\ud800", 1]').decode()
    for broken in ("", "x", cursor + "x", "W10", "bnVsbA", "🙂", no_unicode):
        assert memory.refuse("search", query="命名", cursor=broken)["code"] in ("VALIDATION_ERROR", "GONE")
    memory.server.call("pce_memory_policy_apply", yaml=EXAMPLE.replace("version: 0.1", "version: 0.2"))
    assert memory.refuse("search", query="命名", cursor=cursor)["code"] == "VALIDATION_ERROR"


def test_an_expired_context_is_gone(open_memory: Open) -> None:
    memory = open_memory()
    remember_many(memory, 5)
    cursor = memory.activate("命名", top_k=2)["next_cursor"]
    memory.server.workspace.memory.write(
        lambda connection: connection.execute("UPDATE active_contexts SET expires_at = '2020-01-01'")
    )
    error = memory.refuse("activate", q="命名", top_k=2, cursor=cursor)
    assert (error["code"], error["details"]["status"]) == ("GONE", 410)


def test_full_text_syntax_in_a_question_is_text(memory: Remembering) -> None:
    for text in ("C++ を使う", "rm -rf は禁止", "期限は 2026-12-15", "DO NOT USE", "a AND b OR c"):
        claim = memory.remember(text)
        assert memory.found(text)[0] == claim
    for query in ('"', "*", "NEAR(a b)", "a:b", "^", "()", "-", "\u0000x"):
        memory.search(query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("handleUpsertに集める", "upsert"),
        ("おにぎりは鮭", "おにぎり"),
        ("Привет, мир", "привет"),
        ("ｻｰﾊﾞｰ証明書の更新", "サーバー証明書"),
        ("第３条の例外", "第3条"),
        ("the expiry of tokens", "what is the token expiry"),
        ("鍵の交換は毎年", "鍵"),
        ("データは DuckDB に置く", "データベース"),
        ("API rate limit is 100 requests per minute", "レートリミット"),
        ("返金は解約後30日以内に限る", "refund deadline"),
        ("サーバーのタイムゾーンはUTC", "time zone"),
        ("CIはGitHub Actionsで動く", "継続的インテグレーション"),
        ("定例は木曜日の10時", "thursday"),
        ("領収書はPDFで残す", "receipts"),
        ("Dark mode was put off", "ダークモード"),
        ("Uploads may have 25 MB", "25MB"),
        ("アップロードは25MBまで", "upload limit of 25 MB"),
        ("対応はAndroid 12から", "android12"),
        ("文字はUTF-8で書く", "utf8"),
        ("備品の購入は稟議が要る", "椅子を買いたい"),
        ("退職の申し出は一か月前まで", "いつ辞められるか"),
        ("わいろは受け取らない", "賄賂"),
    ],
)
def test_words_of_many_kinds_find_their_claim(memory: Remembering, text: str, query: str) -> None:
    claim = memory.remember(text)
    remember_many(memory, 3)
    assert memory.found(query)[:1] == [claim]


def test_an_answer_is_cheap(memory: Remembering) -> None:
    remember_many(memory, 12)
    body = memory.server.call("pce_memory_activate", q="命名の規約", top_k=10)
    assert len(body["data"]["claims"]) == 10
    assert len(json.dumps(body, ensure_ascii=False, separators=(",", ":"))) / 4 <= 900


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
