"""A verb of a question (消したい) orders what is found by the nouns that say the same (削除). They are looked for where
hardly a passage has the verb.
"""

from pathlib import Path

import pytest

from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.question.verbs import nouns_of_verbs

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("question", "nouns"),
    [
        ("予定表の行を消したい", ["削除", "消去"]),
        ("表示が消える", ["消失", "消滅"]),
        ("契約を続けられるか", ["継続"]),
        ("カードをなくした", ["紛失"]),
        ("もう使わない機械を手放したい", ["使用", "利用", "放棄", "譲渡"]),
        ("消して削除する", ["消去"]),
        ("how to delete", []),
        ("鍵開けたい", ["開催", "開封", "開放", "解錠"]),
        ("給与から天引きされる", ["控除"]),
        ("仕事始めの日", ["開始"]),
    ],
)
def test_the_forms_of_a_verb_have_its_nouns(tmp_path: Path, question: str, nouns: list[str]) -> None:
    assert nouns_of_verbs(question, load_dictionaries(tmp_path).verbs) == nouns


@pytest.mark.parametrize(
    "question",
    [
        "年休まで",
        "年休または育休",
        "育休も年休も",
        "退職届いつまで",
        "申請書からの変更",
        "申請書かどうか",
        "解雇および懲戒",
        "手続きの期限",
        "忌引き休暇",
        *("値引き", "値引きする", "手続きする"),
        "労働かつ有給",
        "下書きから",
        "手続きした",
    ],
)
def test_what_follows_a_noun_is_no_verb(tmp_path: Path, question: str) -> None:
    assert nouns_of_verbs(question, load_dictionaries(tmp_path).verbs) == []


@pytest.mark.parametrize("question", ["窓口を経たか", "窓口を経ます", "窓口を経られるか"])
def test_verbs_of_one_s_own_are_added(tmp_path: Path, question: str) -> None:
    (tmp_path / "verbs.txt").write_text("経る、経由\n", "utf-8")
    assert nouns_of_verbs(question, load_dictionaries(tmp_path).verbs) == ["経由"]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("もう使わない機械を手放すときの手順", ["機械", "手順"]),
        ("機械を手放したい", ["機械"]),
        ("機械の手放しで運転", ["機械", "手放", "運転"]),
    ],
)
def test_a_verb_written_with_two_kanji_is_no_term_either(question: str, terms: list[str]) -> None:
    query = parse_query(question, {}, {}, {"手放す": ("放棄",), "手放した": ("放棄",)})
    words = query.phrases.get(question, query.terms)
    assert [term.text for term in words] == terms


def test_a_verb_that_passages_have_orders_what_is_found_and_adds_nothing(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 甲\n\n予定表の印刷。\n")
    workspace.write("m/b.md", "# 乙\n\n予定表の削除。\n")
    workspace.write("m/c.md", "# 丙\n\nごみ箱の削除。\n")
    for number in range(11):
        workspace.write(f"m/消{number}.md", "# 丁\n\n板書を消す。\n")
    found = serve().find("予定表を消したい")
    assert [item["path"] for item in found.hits()] == ["b.md", "a.md"]
    assert found.hits("gaps") == []


def test_a_title_with_the_noun_for_the_verb_comes_before_one_with_the_other_words_alone(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 予定表\n\n予定表は壁に貼る。削除は月末に限る。\n")
    workspace.write("m/b.md", "# 要らない予定表の削除\n\n右の印を押し、出てきた窓で、はいを選んで、しばらく待つ。\n")
    found = serve().find("予定表を消したい")
    assert [item["path"] for item in found.hits()] == ["b.md", "a.md"]


def test_what_says_it_with_the_verb_that_was_asked_for_comes_before_a_title_with_another_noun(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 社員証を紛失したとき\n\n紛失に気付いたら、社員証を止めるよう総務部に電話で伝える。\n")
    workspace.write(
        "m/b.md", "# 社員証（ICカード）\n\n社内では常に着用する。\n\n社員証を忘れた日は、一日カードを借りる。\n"
    )
    found = serve().find("社員証を忘れた")
    assert [item["path"] for item in found.hits("integrated_top")] == ["b.md", "a.md"]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("会社を辞めたい", "自己都合退職は別に定める。"),
        ("どうすれば会社を辞められますか", "自己都合退職は別に定める。"),
        ("鍵をなくした", "亡失したときは届け出ること。"),
        ("how do I get rid of it", "Dispose of it at the depot."),
        ("I want to quit", "She resigned in May."),
    ],
)
def test_the_nouns_of_a_verb_that_stands_nowhere_are_looked_for(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: str
) -> None:
    workspace.write("m/a.md", f"# 題\n\n{line}\n")
    found = serve().find(question)
    assert found.status == "found"
    assert ("a.md", 3) in found.places()


def test_what_only_requests_looks_for_no_nouns(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\n通知と連絡。\n")
    assert serve().find("忌引の日数を教えてください").status == "absent"


def test_what_only_requests_orders_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 規程\n\n## 休暇\n\n忌引は五日とする。\n\n## 通知\n\n忌引は五日とする。\n")
    manuals = serve()
    asked, requested = (manuals.find(question) for question in ("忌引の日数", "忌引の日数を教えてください"))
    assert [hit["ref"] for hit in requested.hits()] == [hit["ref"] for hit in asked.hits()]
    assert [hit["score"] for hit in requested.hits()] == [hit["score"] for hit in asked.hits()]


def test_a_noun_for_a_verb_that_many_passages_have_is_not_looked_for(workspace: WorkspaceFolder, serve: Serve) -> None:
    for number in range(201):
        workspace.write(f"m/{number}.md", "# 題\n\n退職。\n")
    assert serve().find("会社を辞めたい").status == "absent"


def test_an_english_verb_of_several_words_is_one_term(tmp_path: Path) -> None:
    verbs = load_dictionaries(tmp_path).verbs
    query = parse_query("how do I get rid of the sofa", {}, {}, verbs)
    assert [term.text for term in query.terms] == ["get rid of", "sofa"]
