"""`morenashi memory explain`: why a claim is not recalled, as a person asks who missed it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ...workspaces import WorkspaceFolder
from ..serving import index_now
from .policies import EXAMPLE, policy_with
from .remembering import AT, Remembering, remembering
from .states import Remembered

QUESTION = "受付は何階にあるか"


def explain(folder: WorkspaceFolder, claim: str, question: str, *options: str, **settings: str) -> dict[str, Any]:
    done = folder.run("memory", "explain", "--json", claim, question, *options, **settings)
    assert done.stderr == ""
    told: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if told["conclusion"] == "recalled" else 1)
    return told


@pytest.mark.parametrize(
    ("name", "conclusion", "says"),
    [
        ("outdated", "recalled", "it is number 1 of the active context"),
        ("replaced", "replaced", "{outdated} came in its place; pce_memory_search lists it behind that"),
        ("merged", "merged", "it was merged into {kept}, which says nearly the same and speaks for it: explain that"),
        (
            "expired",
            "expired",
            "it was last said at 2026-01-02T03:04:05Z, and in the scope session a claim expires after 7d",
        ),
        ("pii", "hidden", "the policy shows a claim of the class pii with its text to none of these uses: answer:task"),
        ("kept", "no_candidate", "it is none of the claims that fit the question best (1)"),
    ],
)
def test_why_a_claim_is_not_recalled_is_said(
    remembered: Remembered,
    name: str,
    conclusion: str,
    says: str,
) -> None:
    told = explain(remembered.folder, remembered.ids[name], QUESTION)
    assert (told["conclusion"], told["says"]) == (conclusion, says.format(**remembered.ids))


def test_lines_that_have_changed_are_a_reason(remembered: Remembered) -> None:
    told = explain(remembered.folder, remembered.ids["stale"], "締切")
    assert told["conclusion"] == "stale"
    assert f"as was seen at {AT}" in told["says"]


def test_lines_that_no_call_has_seen_changed_are_a_reason_too(workspace: WorkspaceFolder) -> None:
    """As the next call would find out; what they leave room for is counted without them."""
    file = workspace.write("keihi/a.md", "# 経費\n\n精算は七日以内\n")
    index_now(workspace)
    policy = EXAMPLE.replace("max_tokens: 50000", "max_tokens: 6")
    question = "出張の精算"
    with remembering(workspace, policy) as memory:
        cited = memory.remember("出張の精算は七日以内", provenance={"at": AT, "url": "manual:keihi/a.md#L3-L3"})
        other = memory.remember("出張の精算は経理部の窓口で行う")
        before = [explain(workspace, one, question)["conclusion"] for one in (cited, other)]
        file.write_text("# 経費\n\n精算は十日以内\n", "utf-8")
        after = [explain(workspace, one, question)["conclusion"] for one in (cited, other)]
        assert memory.active(question) == [other]
    assert (before, after) == (["recalled", "over_budget"], ["stale", "recalled"])


def test_what_is_asked_decides(remembered: Remembered) -> None:
    folder, ids = remembered
    assert explain(folder, ids["outdated"], QUESTION, "--scope", "project")["conclusion"] == "outside_of_scope"
    assert (
        explain(folder, ids["outdated"], QUESTION, "--scope", "project", "--scope", "principle")["conclusion"]
        == "recalled"
    )
    told = explain(folder, ids["outdated"], "経費の精算")
    assert (told["conclusion"], told["steps"][0]["seen"]) == ("no_candidate", "it holds no word of the question")
    told = explain(folder, ids["pii"], "窓口", MEMORY_ALLOW="tool:contact-lookup")
    assert told["conclusion"] == "recalled"
    assert told["steps"][0]["seen"].startswith("the policy masks some of its text")
    told = explain(folder, ids["pii"], "yamada", MEMORY_ALLOW="tool:contact-lookup")
    assert (told["conclusion"], told["steps"][1]["seen"]) == ("no_candidate", "it holds no word of the question")


def test_the_same_is_said_in_lines(remembered: Remembered) -> None:
    done = remembered.folder.run("memory", "explain", remembered.ids["outdated"], QUESTION)
    first, words, *_ = done.stdout.splitlines()
    assert first == "recalled: it is number 1 of the active context"
    assert words == "  1. it holds of the question: 受付は, 階に"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["clm_AAAAAAAAAAAAAA", QUESTION], "UNKNOWN_CLAIM: there is no such claim"),
        (["clm_AAAAAAAAAAAAAA", " "], "invalid_parameter: q: expected a string that is not blank"),
    ],
)
def test_what_cannot_be_explained_is_refused(remembered: Remembered, arguments: list[str], says: str) -> None:
    done = remembered.folder.run("memory", "explain", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"morenashi: {says}\n")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = WorkspaceFolder(tmp_path_factory.mktemp("many") / "workspace")
    folder.manuals.mkdir(parents=True)
    policy = EXAMPLE.replace("k_final: 12", "k_final: 3")
    assert policy != EXAMPLE
    with remembering(folder, policy) as memory:
        for number in range(9):
            memory.remember(f"出張の精算は{number}日以内に{'経理部へ' * (number % 3)}{number}番の窓口で行う")
        memory.remember(f"{'社内行事の記録。' * 40}出張の話もした")
        yield memory


def test_each_place_of_an_active_context_is_where_it_is_said_to_be(many: Remembering) -> None:
    """And what is said to be below the threshold, or no candidate, is in no page of it."""
    question, pages = "出張の精算はどこで行うか", []
    data = many.activate(question)
    pages.append([item["claim"]["id"] for item in data["claims"]])
    while cursor := data.get("next_cursor"):
        data = many.activate(question, cursor=cursor)
        pages.append([item["claim"]["id"] for item in data["claims"]])
    context = [one for page in pages for one in page]
    scores = {item["claim"]["id"]: item["score"] for item in many.search(question, top_k=50)["items"]}
    concluded = set()
    for (claim,) in many.rows("SELECT id FROM claims"):
        told = explain(many.server.folder, claim, question)
        concluded.add(told["conclusion"])
        if told["conclusion"] == "recalled":
            assert pages[0][told["facts"]["position"] - 1] == claim
        elif told["conclusion"] == "on_a_later_page":
            assert context[told["facts"]["position"] - 1] == claim
            assert claim not in pages[0]
        else:
            assert (told["conclusion"], claim in context) == ("below_threshold", False)
        assert told["steps"][1]["facts"]["score"] == scores[claim]
    assert concluded == {"recalled", "on_a_later_page", "below_threshold"}


def test_what_the_budget_of_a_scope_leaves_out_is_said(workspace: WorkspaceFolder) -> None:
    policy = EXAMPLE.replace("max_tokens: 50000", "max_tokens: 20")
    assert policy != EXAMPLE
    with remembering(workspace, policy) as memory:
        claims = [memory.remember(f"The travel expenses of team {name} are paid weekly") for name in ("A", "B")]
        data = memory.activate("Who pays travel expenses?")
        assert data["over_budget"] == 1
        active = [item["claim"]["id"] for item in data["claims"]]
        told = {claim: explain(workspace, claim, "Who pays travel expenses?") for claim in claims}
    assert {claim: one["conclusion"] for claim, one in told.items()} == {
        claim: "recalled" if claim in active else "over_budget" for claim in claims
    }
    assert [one["facts"]["words"] for one in (told[claim]["steps"][0] for claim in claims)] == [
        ["travel", "expenses", "paid"]
    ] * 2


def test_a_search_lists_what_it_is_said_to_list(workspace: WorkspaceFolder) -> None:
    """What was replaced is listed for what it says, and not for anything else; behind what is there itself."""
    with remembering(workspace) as memory:
        old = memory.remember("The kitchen closes at nine")
        new = memory.remember("The kitchen closes at ten", replaces=[old])
        said = [explain(workspace, old, question)["says"] for question in ("When does the kitchen close?", "parking")]
        workspace.run("memory", "forget", new)
        said.append(explain(workspace, old, "When does the kitchen close?")["says"])
    assert said == [
        f"{new} came in its place; pce_memory_search lists it behind that",
        f"{new} came in its place; pce_memory_search does not list it for this question either",
        "one that was forgotten came in its place; pce_memory_search lists it",
    ]


def test_what_is_too_long_for_its_scope_is_not_said_to_stand_behind_others(workspace: WorkspaceFolder) -> None:
    policy = EXAMPLE.replace("max_tokens: 50000", "max_tokens: 5")
    with remembering(workspace, policy) as memory:
        claim = memory.remember("The travel expenses of the team are paid weekly")
        told = explain(workspace, claim, "Who pays travel expenses?")
    assert told["facts"] == {"tokens": 12, "max_tokens": 5}
    assert told["says"].startswith("its 12 tokens are more than is left of the max_tokens of the scope project (5)")


@pytest.mark.parametrize(
    ("text", "question", "words"),
    [
        ("Our company is in Kobe", "Where is the company?", ["company"]),
        ("A rollback takes an hour", "How do I roll back?", ["rollback"]),
        ("The art is on the wall", "Is the art about smartness?", ["art"]),
        ("What it is", "what is it", ["what", "is", "it"]),
        ("継続的インテグレーションは夜に走る", "CI はいつ走るか", ["走る", "継続的インテグレーション"]),
    ],
)
def test_the_words_that_find_a_claim_are_named_as_they_are_said(
    worded: Remembering, text: str, question: str, words: list[str]
) -> None:
    told = explain(worded.server.folder, worded.remember(text), question)
    assert [step["facts"]["words"] for step in told["steps"] if "words" in step["facts"]] == [words]


@pytest.fixture(scope="module")
def worded(shared_workspace: WorkspaceFolder) -> Iterator[Remembering]:
    with remembering(shared_workspace) as memory:
        yield memory


def test_what_finds_a_claim_that_holds_no_word_of_the_question_is_said(workspace: WorkspaceFolder) -> None:
    with remembering(workspace) as memory:
        old = memory.remember("Redmine を使う")
        new = memory.remember("課題は Backlog に書く", replaces=[old])
        told = explain(workspace, new, "Redmine")
    assert [step["seen"] for step in told["steps"]][:2] == [
        "it holds no word of the question",
        "it was found by the words of what it came in the place of",
    ]


def test_a_class_that_is_not_shown_hides_a_claim_though_what_is_found_in_it_is_of_one_that_is(
    workspace: WorkspaceFolder,
) -> None:
    """A policy may call a name personal only after a claim was kept; that does not show it to anybody else."""
    policy = policy_with("redact_policies: { people: { names: ['柴犬'] } }", "1.3.0")
    for before, after in (("'answer:task','tool:*'", "'tool:*'"), ("'tool:contact-lookup'", "'answer:task'")):
        policy = policy.replace(before, after)
    with remembering(workspace, policy_with()) as memory:
        claim = memory.remember("柴犬さんの机は窓側")
        memory.server.call("pce_memory_policy_apply", yaml=policy)
        assert memory.found("机") == []
        told = explain(workspace, claim, "机")
    assert told["conclusion"] == "hidden"
