"""A claim that comes in the place of others: those are known, are found by their words, and no longer recalled."""

import json
from pathlib import Path
from typing import Any

import pytest

from morenashi.server.memory.claim_lines import parse_claims
from morenashi.server.memory.exporting import export_claims
from morenashi.server.memory.importing import import_claims
from morenashi.server.memory.policy import parse_policy

from ...workspaces import make_workspace
from .policies import EXAMPLE
from .remembering import AT, Remembering, remembering

NEWS = {"at": AT, "note": "決め直した"}


def decide(memory: Remembering) -> tuple[str, str]:
    """A database, and the one that was chosen instead."""
    old = memory.remember("会計の新しい基盤のデータベースは MySQL 8")
    return old, memory.remember("会計の新しい基盤は PostgreSQL 16 を使うと決め直した。RLS が要るため", replaces=[old])


def reasons(items: list[dict[str, Any]]) -> dict[str, str | None]:
    return {item["claim"]["id"]: item.get("reason") for item in items}


def test_what_was_replaced_is_not_recalled_for_a_task(memory: Remembering) -> None:
    _, new = decide(memory)
    assert memory.active("会計の新しい基盤のデータベース") == [new]


def test_a_search_gives_what_was_replaced_behind_what_came_in_its_place_and_says_so(memory: Remembering) -> None:
    old, new = decide(memory)
    for _ in range(2):
        assert list(reasons(memory.search("会計の新しい基盤のデータベースは何")["items"]).items()) == [
            (new, None),
            (old, f"replaced by {new}"),
        ]
        # However useful it was, and however much better its words fit.
        memory.judge(old, "helpful")


def test_who_asks_by_the_old_name_finds_what_holds_now(memory: Remembering) -> None:
    old = memory.remember("休憩室")
    new = memory.remember("五階へ移った", replaces=[old])
    assert memory.active("休憩室") == [new]
    found = memory.search("休憩室", include_meta=True)["items"]
    assert reasons(found) == {new: "words", old: f"words, replaced by {new}"}


def test_what_was_replaced_takes_no_room_from_what_holds(memory: Remembering) -> None:
    _, new = decide(memory)
    speed = memory.remember("会計の新しい基盤の速さの目標は一分に千件")
    faster = memory.remember("会計の新しい基盤の速さの目標を二千件に上げた", replaces=[speed])
    assert sorted(memory.active("会計の新しい基盤", top_k=2)) == sorted([new, faster])


def test_what_was_replaced_is_trusted_less_once(memory: Remembering) -> None:
    old, new = decide(memory)
    memory.remember("会計の新しい基盤は PostgreSQL 17 に上げる", replaces=[old, new])
    assert memory.rows("SELECT id, round(confidence, 6) FROM claims WHERE replaced_at IS NOT NULL ORDER BY number") == [
        (old, 0.3),
        (new, 0.3),
    ]


def test_what_was_replaced_twice_leads_to_the_last(memory: Remembering) -> None:
    first = memory.remember("最高速度は毎秒 1.8 メートル")
    second = memory.remember("最高速度は毎秒 1.5 メートルに下げた", replaces=[first])
    third = memory.remember("試験の後で毎秒 1.6 メートルにした", replaces=[second])
    assert memory.active("最高速度 1.8") == [third]
    assert memory.found("最高速度")[0] == third
    ((number,),) = memory.rows("SELECT number FROM claims WHERE id = ?", third)
    replaced = memory.rows("SELECT id, replaced_by FROM claims WHERE replaced_by IS NOT NULL")
    assert sorted(replaced) == sorted([(first, number), (second, number)])


def test_who_goes_back_on_it_says_the_first_again(memory: Remembering) -> None:
    old, new = decide(memory)
    assert memory.remember("会計の新しい基盤のデータベースは MySQL 8", provenance=NEWS, replaces=[new]) == old
    assert memory.active("会計の新しい基盤のデータベース") == [old]
    assert reasons(memory.search("会計の新しい基盤")["items"]) == {old: None, new: f"replaced by {old}"}


def test_what_is_said_again_for_a_new_reason_holds_again(memory: Remembering) -> None:
    old, new = decide(memory)
    memory.remember("会計の新しい基盤のデータベースは MySQL 8", provenance=NEWS)
    assert reasons(memory.search("会計の新しい基盤")["items"]) == {old: None, new: None}


def test_what_is_said_to_replace_its_own_successor_holds(memory: Remembering) -> None:
    old, new = decide(memory)
    memory.remember("会計の新しい基盤のデータベースは MySQL 8", replaces=[new])
    assert reasons(memory.search("会計の新しい基盤")["items"]) == {old: None, new: f"replaced by {old}"}


def test_the_same_again_changes_nothing(memory: Remembering) -> None:
    old, new = decide(memory)
    before = memory.rows("SELECT * FROM claims ORDER BY id")
    assert memory.remember("会計の新しい基盤は PostgreSQL 16 を使うと決め直した。RLS が要るため", replaces=[old]) == new
    assert memory.remember("会計の新しい基盤のデータベースは MySQL 8") == old
    assert memory.rows("SELECT * FROM claims ORDER BY id") == before
    assert memory.active("会計の新しい基盤のデータベース") == [new]


def test_a_claim_does_not_replace_itself(memory: Remembering) -> None:
    claim = memory.remember("解約は非同期")
    assert memory.remember("解約は非同期", replaces=[claim]) == claim
    assert memory.active("解約") == [claim]


def test_what_is_replaced_has_to_be_there(memory: Remembering) -> None:
    refused = memory.refuse("upsert", text="解約は同期", provenance={"at": AT}, replaces=["clm_none"])
    assert (refused["code"], refused["details"]["parameter"]) == ("UNKNOWN_CLAIM", "replaces")
    assert memory.found("解約") == []


def test_what_its_caller_may_not_see_is_not_replaced(memory: Remembering) -> None:
    hidden = memory.remember("担当は yamada@example.com", boundary_class="pii")
    refused = memory.refuse("upsert", text="担当は替わった", provenance={"at": AT}, replaces=[hidden])
    assert refused["code"] == "UNKNOWN_CLAIM"


@pytest.mark.parametrize(("below", "above"), [("session", "project"), ("project", "principle")])
def test_a_lower_layer_replaces_nothing_of_a_higher_one(memory: Remembering, below: str, above: str) -> None:
    rule = memory.remember("本番には必ず二人で入る", scope=above)
    refused = memory.refuse("upsert", text="本番には一人で入る", scope=below, provenance={"at": AT}, replaces=[rule])
    assert (refused["code"], refused["details"]["parameter"]) == ("BOUNDARY_DENIED", "replaces")
    assert memory.found("本番") == [rule]
    assert memory.active("本番には", scope=[above]) == [rule]
    assert memory.remember("本番には三人で入る", scope=above, replaces=[rule])


def merge(memory: Remembering) -> tuple[str, str]:
    """A claim, and one that was merged into it."""
    kept = memory.remember("朝会は毎朝十時に会議室で行う")
    merged = memory.remember("朝会は毎朝十時に会議室で行います")
    memory.judge(merged, "duplicate")
    assert memory.found("朝会") == [kept]
    return kept, merged


def test_what_is_said_in_the_place_of_what_it_was_merged_into_is_recalled(memory: Remembering) -> None:
    kept, merged = merge(memory)
    assert memory.remember("朝会は毎朝十時に会議室で行います", provenance=NEWS, replaces=[kept]) == merged
    assert memory.active("朝会") == [merged]
    assert reasons(memory.search("朝会")["items"]) == {merged: None, kept: f"replaced by {merged}"}


def test_who_replaces_a_merged_claim_replaces_what_speaks_for_it(memory: Remembering) -> None:
    kept, merged = merge(memory)
    new = memory.remember("朝会は金曜だけにする", replaces=[merged])
    assert memory.active("朝会") == [new]
    assert reasons(memory.search("朝会")["items"]) == {new: None, kept: f"replaced by {new}"}


def test_what_a_merged_claim_replaces_leads_to_what_speaks_for_it(memory: Remembering) -> None:
    kept, merged = merge(memory)
    old = memory.remember("定例の打ち合わせは水曜")
    assert memory.remember("朝会は毎朝十時に会議室で行います", provenance=NEWS, replaces=[old]) == merged
    assert memory.active("定例の打ち合わせ") == [kept]
    assert reasons(memory.search("定例の打ち合わせ")["items"]) == {kept: None, old: f"replaced by {kept}"}


def test_who_asks_by_the_old_name_finds_what_the_successor_was_merged_into(memory: Remembering) -> None:
    old = memory.remember("定例の打ち合わせは水曜")
    kept = memory.remember("朝会は毎朝十時に会議室で行う")
    merged = memory.remember("朝会は毎朝十時に会議室で行います", replaces=[old])
    memory.judge(merged, "duplicate")
    assert memory.active("定例の打ち合わせ") == [kept]
    assert reasons(memory.search("定例の打ち合わせ")["items"]) == {kept: None, old: f"replaced by {kept}"}


def test_what_was_replaced_stays_so_when_its_successor_is_forgotten(memory: Remembering) -> None:
    old, new = decide(memory)
    memory.server.workspace.memory.write(
        lambda connection: connection.execute("DELETE FROM claims WHERE id = ?", (new,)), durable=True
    )
    assert memory.active("会計の新しい基盤のデータベース") == []
    assert reasons(memory.search("会計の新しい基盤のデータベース")["items"]) == {old: "replaced"}


def test_what_was_merged_into_a_replaced_claim_stays_replaced_when_that_is_forgotten(memory: Remembering) -> None:
    replaced = memory.remember("本番の接続先は pg-1 とする")
    merged = memory.remember("本番の接続先は pg-1 とする。")
    memory.judge(merged, "duplicate")
    successor = memory.remember("本番の接続先は pg-2 に改めた", replaces=[replaced])
    assert json.loads(memory.server.folder.run("memory", "forget", replaced).stdout)["found_again"] == [merged]
    assert memory.active("本番の接続先") == [successor]
    assert reasons(memory.search("本番の接続先")["items"]) == {successor: None, merged: f"replaced by {successor}"}


def test_what_was_replaced_moves_with_it(memory: Remembering, tmp_path: Path) -> None:
    old, new = decide(memory)
    lines = memory.server.workspace.memory.ask(lambda connection: list(export_claims(connection)))
    kept = {claim["id"]: claim for claim in map(json.loads, lines)}
    assert (kept[old]["replaced_by"], "replaced_at" in kept[old], "replaced_by" in kept[new]) == (new, True, False)
    with remembering(make_workspace(tmp_path / "other"), EXAMPLE) as other:
        policy = parse_policy(EXAMPLE)
        claims = parse_claims("\n".join(lines))
        other.server.workspace.memory.write(
            lambda connection: import_claims(connection, claims, policy, frozenset({"answer:task"}), {})
        )
        assert other.active("会計の新しい基盤のデータベース") == [new]
        assert other.server.workspace.memory.ask(lambda connection: list(export_claims(connection))) == lines


def test_what_is_read_back_leads_to_what_holds_there(memory: Remembering, tmp_path: Path) -> None:
    old, _ = decide(memory)
    lines = memory.server.workspace.memory.ask(lambda connection: list(export_claims(connection)))
    itself = json.dumps(json.loads(lines[0]) | {"id": "clm_own", "text": "別の文", "replaced_by": "clm_own"})
    with remembering(make_workspace(tmp_path / "other"), EXAMPLE) as other:
        known = other.remember("会計の新しい基盤は PostgreSQL 16 を使うと決め直した。RLS が要るため")
        newest = other.remember("会計の新しい基盤は SQLite で足りる", replaces=[known])
        claims = parse_claims("\n".join([*lines, itself]))
        policy = parse_policy(EXAMPLE)
        other.server.workspace.memory.write(
            lambda connection: import_claims(connection, claims, policy, frozenset({"answer:task"}), {})
        )
        led = dict(other.rows("SELECT id, replaced_by FROM claims"))
        ((number,),) = other.rows("SELECT number FROM claims WHERE id = ?", newest)
        assert (led[old], led["clm_own"]) == (number, None)


def test_what_is_read_back_leads_to_what_its_successor_was_merged_into_there(
    memory: Remembering, tmp_path: Path
) -> None:
    old = memory.remember("定例の打ち合わせは水曜")
    memory.remember("朝会は毎朝十時に会議室で行います", replaces=[old])
    lines = memory.server.workspace.memory.ask(lambda connection: list(export_claims(connection)))
    with remembering(make_workspace(tmp_path / "other"), EXAMPLE) as other:
        kept, _ = merge(other)
        claims, policy = parse_claims("\n".join(lines)), parse_policy(EXAMPLE)
        other.server.workspace.memory.write(
            lambda connection: import_claims(connection, claims, policy, frozenset({"answer:task"}), {})
        )
        assert other.active("定例の打ち合わせ") == [kept]
        assert reasons(other.search("定例の打ち合わせ")["items"]) == {kept: None, old: f"replaced by {kept}"}


def test_the_log_names_what_was_replaced(memory: Remembering) -> None:
    old, new = decide(memory)
    ((claims,),) = memory.rows("SELECT claims FROM audit_log WHERE tool LIKE '%upsert' ORDER BY number DESC LIMIT 1")
    assert json.loads(claims) == [new, old]


def test_whoever_keeps_a_claim_is_told_what_says_much_of_the_same(memory: Remembering) -> None:
    old = memory.remember("最高速度の上限は毎秒 1.8 メートル")
    memory.remember("会計の締めは毎月第三営業日")
    said = {"text": "最高速度の上限は毎秒 1.5 メートルに下げた", "provenance": {"at": AT}}
    answer = memory.server.call("pce_memory_upsert", **said)
    assert answer["similar"] == [{"id": old, "text": "最高速度の上限は毎秒 1.8 メートル"}]
    again = memory.server.call("pce_memory_upsert", **said, replaces=[old])
    assert (again["data"]["id"], "similar" in again) == (answer["data"]["id"], False)
    assert memory.active("最高速度") == [again["data"]["id"]]


@pytest.mark.parametrize(
    ("old", "names", "new"),
    [
        ("{}のログは90日間保持されます", "認証 決済 在庫 配送 請求", "{}のログの保存期間は1年です"),
        ("{}の入力は必須である", "電話番号 部署名 社員番号 郵便番号 役職名", "{}の入力は任意とする"),
        ("{} logs are kept for 90 days", "audit billing stock login search", "We keep {} logs for one year"),
    ],
)
def test_the_claim_that_is_contradicted_comes_before_those_that_say_the_same_of_others(
    memory: Remembering, old: str, names: str, new: str
) -> None:
    name, *others = names.split()
    contradicted = memory.remember(old.format(name))
    for other in others:
        memory.remember(new.format(other))
    answer = memory.server.call("pce_memory_upsert", text=new.format(name), provenance={"at": AT})
    assert answer["similar"][0]["id"] == contradicted


def test_what_is_similar_is_shown_as_a_search_would_show_it(memory: Remembering) -> None:
    memory.remember("最高速度の担当は yamada@example.com", boundary_class="pii")
    long = memory.remember("最高速度の上限は毎秒 1.8 メートル" + "、上限は毎秒 1.8 メートル" * 40)
    said = {"text": "最高速度の上限は毎秒 1.5 メートル", "provenance": {"at": AT}}
    (similar,) = memory.server.call("pce_memory_upsert", **said)["similar"]
    assert (similar["id"], len(similar["text"]), similar["text"][-1]) == (long, 200, "…")


def test_a_rule_of_a_higher_scope_is_named_as_similar_and_replaced_only_there(memory: Remembering) -> None:
    rule = memory.remember("最高速度の上限は、例外なく毎秒 1.8 メートル", scope="principle")
    said = {"text": "最高速度の上限は毎秒 1.5 メートル", "provenance": {"at": AT}}
    assert [one["id"] for one in memory.server.call("pce_memory_upsert", **said)["similar"]] == [rule]
    assert "with the scope principle" in memory.refuse("upsert", **said, replaces=[rule])["message"]
    new = memory.remember("最高速度の上限は毎秒 1.5 メートル", scope="principle", replaces=[rule])
    assert memory.active("最高速度の上限") == [new]


def test_what_was_replaced_is_not_named_as_similar(memory: Remembering) -> None:
    old = memory.remember("最高速度の上限は毎秒 1.8 メートル")
    new = memory.remember("最高速度の上限は毎秒 1.5 メートル", replaces=[old])
    said = {"text": "最高速度の上限は毎秒 1.6 メートル", "provenance": {"at": AT}}
    assert [one["id"] for one in memory.server.call("pce_memory_upsert", **said)["similar"]] == [new]


def test_a_duplicate_that_is_said_again_in_the_place_of_what_spoke_for_it_leaves_that_replaced(
    memory: Remembering,
) -> None:
    """To say it again confirms the one that speaks for it, which had been replaced before: it held again."""
    old = memory.remember("解約のAPIは非同期で呼ぶ")
    duplicate = memory.remember("解約のAPIは非同期で呼ぶこと")
    memory.judge(duplicate, "duplicate")
    other = memory.remember("解約のAPIは廃止された", replaces=[old])
    again = memory.remember("解約のAPIは非同期で呼ぶこと", provenance={"at": AT, "note": "再確認"}, replaces=[old])
    assert again == duplicate
    assert set(memory.active("解約のAPI")) == {duplicate, other}


def test_what_is_replaced_under_the_id_of_what_was_merged_into_it_is_not_named_as_similar(memory: Remembering) -> None:
    old = memory.remember("最高速度の上限は毎秒 1.8 メートル")
    merged = memory.remember("最高速度の上限は毎秒 1.8 メートルです")
    memory.judge(merged, "duplicate")
    said = {"text": "最高速度の上限は毎秒 1.6 メートル", "provenance": {"at": AT}}
    answer = memory.server.call("pce_memory_upsert", **said, replaces=[merged])
    assert memory.found("最高速度の上限") == [answer["data"]["id"], old]
    assert "similar" not in answer


def test_where_nothing_is_similar_nothing_is_said(memory: Remembering) -> None:
    memory.remember("会計の締めは毎月第三営業日")
    said = {"text": "最高速度の上限は毎秒 1.5 メートル", "provenance": {"at": AT}}
    assert "similar" not in memory.server.call("pce_memory_upsert", **said)


def test_who_replaces_and_is_replaced_may_both_be_there_for_what_stands_beside_them(memory: Remembering) -> None:
    memory.server.folder.write("demo/alerting.md", "# Alerting\n" + "\nText.\n" * 30)

    def cites(lines: str) -> dict[str, str]:
        return {"at": AT, "url": f"manual:demo/alerting.md#{lines}"}

    memory.remember("Page on latency at one point in a stack only.", provenance=cites("L29-L31"))
    replaced = memory.remember("For a batch job the threshold is 10 hours.", provenance=cites("L53-L56"))
    for text in ("Keep alerts few.", "Link to consoles."):
        memory.remember(text, provenance=cites("L20-L21"))
    memory.remember("Alert on batch after 12 hours.", provenance=cites("L53-L56"), replaces=[replaced])
    for word, answer in (("consoles", "Link to consoles."), ("few", "Keep alerts few.")):
        assert memory.texts(word)[0] == answer


def test_what_was_replaced_stands_behind_its_successor_where_it_is_found_by_what_stands_beside_it(
    memory: Remembering,
) -> None:
    page = {"at": AT, "url": "https://example.com/desk"}
    beside = memory.remember("会議は水曜", provenance=page)
    replaced = memory.remember("受付は三階", provenance=page)
    successor = memory.remember("受付は一階", replaces=[replaced])
    assert memory.found("会議") == [beside, successor, replaced]
    assert memory.active("会議") == [beside]


def test_what_was_replaced_brings_nothing_that_stood_beside_it(memory: Remembering) -> None:
    said = [
        memory.remember(text, provenance={"at": f"2026-01-02T0{hour}:00:00Z", "url": "https://example.com/log"})
        for hour, text in enumerate(("会計の新しい基盤は MySQL 8", "会議室は五階"))
    ]
    assert memory.active("MySQL 8") == said
    new = memory.remember("データベースは決め直した", replaces=[said[0]])
    assert memory.active("MySQL 8") == [new]
