"""A passage that says a term in other words ranks by it as one that says it as the question does, but for a little."""

import pytest

from morenashi.server.search.question.terms import Term
from morenashi.server.search.ranking.features import Feature, extract_features
from morenashi.server.search.ranking.lex import Corpus
from morenashi.server.search.ranking.respelling import spelling_features, with_found_spellings

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("出国 パスポート", "出国では旅券を示す。"),
        ("部屋のwifi", "各部屋にWi-Fiがある。"),
        ("書類の保存 3年間", "書類の保存は三年間とする。"),
        ("契約のキャンセル", "契約の取り消しは書面による。"),
    ],
)
def test_what_says_all_terms_in_other_words_comes_before_what_says_one_twice(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: str
) -> None:
    workspace.write("m/all.md", f"# 甲\n\n{line}\n")
    workspace.write(
        "m/one.md", "# 乙\n\n出国の話、部屋の話、書類の保存の話、契約の話。出国、部屋、書類の保存、契約。\n"
    )
    for number in range(8):
        workspace.write(f"m/other{number}.md", f"# 丙\n\nほかの話{number}。\n")
    assert serve().find(question).hits()[0]["path"] == "all.md"


def test_the_word_of_the_question_comes_before_another_for_the_same(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\n出国では旅券を示す。\n")
    workspace.write("m/b.md", "# 題\n\n出国ではパスポートを示す。\n")
    assert [item["path"] for item in serve().find("出国 パスポート").hits()] == ["b.md", "a.md"]


def test_among_many_matches_those_in_other_words_are_scored_too(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/z.md", "# 甲\n\n旅券の写しをとる。\n")
    for number in range(150):
        workspace.write(f"m/{number}.md", f"# 乙{number}\n\nファイルのコピーをとる。\n")
    assert serve().find("パスポートのコピー").hits()[0]["path"] == "z.md"


def test_first_weights_count_another_spelling_only_where_it_is_the_usual_one() -> None:
    term = Term("旅券", ("旅券",), ("パスポート", "ビザ", "証"), words=("passport",))
    pairs = {"旅券": 3, "パス": 9, "スポ": 9, "ポー": 9, "ート": 8, "ビザ": 3}
    features, corpus = spelling_features(Corpus(100, 40.0, {("pair", pair): n for pair, n in pairs.items()}), [term])
    assert features == [Feature("phrase", "パスポート", 1.4)]
    assert corpus.counts["phrase", "パスポート"] == 8


def test_what_stands_nowhere_as_it_was_asked_is_as_rare_as_what_was_found_for_it() -> None:
    term = Term("旅券", ("旅券",), ("パスポート",))
    corpus = Corpus(100, 40.0, {("word", "旅券"): 7})
    found = with_found_spellings(corpus, extract_features("旅券の色"), [term], [{0}, {0}])
    assert found.counts == {("word", "旅券"): 7, ("pair", "旅券"): 2, ("kanji", "旅"): 2, ("kanji", "券"): 2}
