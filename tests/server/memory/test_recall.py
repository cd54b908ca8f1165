"""What is recalled: in order, a page at a time, and never changed by being read."""

import base64
import json
import math
from collections.abc import Callable
from functools import partial

import pytest

from .policies import EXAMPLE
from .remembering import AT, Remembering, remember_many

Open = Callable[..., Remembering]


def backdate(memory: Remembering, days: float, claim_id: str) -> None:
    """As if the claim had been kept so many days ago."""
    query = "UPDATE claims SET updated_at = strftime('%Y-%m-%dT%H:%M:%f000+00:00', updated_at, ?) WHERE id = ?"
    memory.server.workspace.memory.write(lambda connection: connection.execute(query, (f"-{days} days", claim_id)))


def test_a_file_of_a_repository_is_a_source_also_without_a_commit(memory: Remembering) -> None:
    memory.remember("窓口は三階", provenance={"at": AT, "git": {"repo": "acme/desk", "files": ["floor.md", "b.md"]}})
    (evidence,) = memory.activate("窓口", include_meta=True)["claims"][0]["evidences"]
    assert (evidence["source_type"], evidence["source_id"]) == ("git", "acme/desk:floor.md")


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


def test_what_stands_before_a_question_or_further_behind_it_takes_no_more_of_its_words(memory: Remembering) -> None:
    say = partial(say_at, memory)
    for source, middle in (("a", "When is the recital?"), ("b", "That was the recital.")):
        said = ("We pack on the first", middle, "Well then, we will see", "We leave on the last")
        for minute, text in enumerate(said):
            say(minute, f"{text} {source}", source)
    items = memory.search("recital")["items"]
    scores = {item["claim"]["text"]: item["score"] for item in items}
    for text in ("We pack on the first", "We leave on the last"):
        assert scores[f"{text} a"] == pytest.approx(scores[f"{text} b"], abs=0.02)
    assert scores["Well then, we will see a"] > scores["Well then, we will see b"] + 0.02


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
        ("E-1042 は権限の不足", "E1042"),
        ("E1042 は権限の不足", "E-1042 の意味"),
        ("本番の戻し方は kumoctl rollback", "how to roll back"),
        ("備品の購入は稟議が要る", "椅子を買いたい"),
        ("退職の申し出は一か月前まで", "いつ辞められるか"),
        ("わいろは受け取らない", "賄賂"),
    ],
)
def test_words_of_many_kinds_find_their_claim(memory: Remembering, text: str, query: str) -> None:
    claim = memory.remember(text)
    remember_many(memory, 3)
    assert memory.found(query)[:1] == [claim]


def test_a_word_and_its_number_say_as_much_joined_as_apart(memory: Remembering) -> None:
    joined = memory.remember("Windows11 では、まだどの機能も動かない")
    other = memory.remember("Windows は可")
    assert memory.found("Windows 11") == [joined, other]


def test_an_answer_is_cheap(memory: Remembering) -> None:
    remember_many(memory, 12)
    body = memory.server.call("pce_memory_activate", q="命名の規約", top_k=10)
    assert len(body["data"]["claims"]) == 10
    assert len(json.dumps(body, ensure_ascii=False, separators=(",", ":"))) / 4 <= 900


def test_a_provenance_that_cannot_be_read_any_more_is_left_out(memory: Remembering) -> None:
    memory.remember("解約は非同期", provenance={"at": AT, "note": "ADR"})
    query = "UPDATE claim_evidence SET provenance = replace(provenance, ':', ';')"
    memory.server.workspace.memory.write(lambda connection: connection.execute(query))
    assert memory.search("解約", include_meta=True)["items"][0]["evidences"] == []
    assert memory.activate("解約", include_meta=True)["provenance"] == []
