"""Queries made of FTS5's syntax: text like any other, and nothing that holds it is missed (contract §3)."""

import random
from collections.abc import Iterator

import pytest

from morenashi.indexer.text import normalise
from morenashi.server.search.question.query import parse_query

from ..examples import Rounds
from ..server.corpora import Corpus, Reach, read_corpus
from ..server.serving import Found, Serving, serving_indexed
from ..workspaces import WorkspaceFolder, make_workspace

OPERATORS = [
    "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR(a b, 5)", "NEAR/2", "+", "^", "*", '"', '""', '"""', "'", "(", ")",
    "{", "}", "-", "--", ":", "pairs:", "words : ", "- pairs:", "{pairs words}:", "rank", "bm25(", "rowid", "\\", ";",
    ",", "%", "_",
    "MATCH", "snippet(", "'; DROP TABLE documents; --", "\x00", "\ufffd", "\u200b", "＂", "”", "＊", "（", "）", "：",
]  # fmt: skip
WORDS = ["申請", "期限", "第3条", "webhook", "C++", "税", "install", "サーバー"]


def hostile_query(chosen: random.Random) -> str:
    """One to five words and operators, with or without blanks between."""
    pieces = [chosen.choice(chosen.choice([OPERATORS, OPERATORS, WORDS])) for _ in range(chosen.randint(1, 5))]
    return chosen.choice([" ", "", " "]).join(pieces)[:2_000]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, Corpus]]:
    """Manuals in which such words and operators stand side by side; the same in the vault."""
    folder, chosen = make_workspace(tmp_path_factory.mktemp("queries") / "workspace"), random.Random(17)
    for number in range(24):
        lines = [f"{hostile_query(chosen)} {chosen.choice(WORDS)}".replace("\x00", "") for _ in range(12)]
        folder.write(f"m/{number}.md", "# 題\n\n" + "\n".join(lines) + "\n")
        note = folder.root / "vault" / f"{number}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text("\n".join(lines) + "\n", "utf-8")
    with serving_indexed(folder, TRACE_MAX_KEEP="100000") as serving:
        yield serving, read_corpus(folder)


def lines_with_a_term(corpus: Corpus, query: str) -> set[tuple[str, str, int]]:
    """What a scan of the files finds: the lines that hold a term of the query under normalisation."""
    wanted = [spelling for term in parse_query(query, {}, {}).terms for spelling in term.exact]
    return {
        (*key, number)
        for key, lines in corpus.lines.items()
        for number, line in enumerate(lines, 1)
        if any(spelling in normalise(line) for spelling in wanted)
    }


def test_every_line_with_a_term_is_reached(searched: tuple[Serving, Corpus], rounds: Rounds) -> None:
    serving, corpus = searched
    reach = Reach(serving, corpus)
    for seed in range(rounds(8, 1_000)):
        query = hostile_query(random.Random(seed))
        answer = serving.answer("manual_find", query=query, budget={"max_candidates": 20 if seed % 3 else 1})
        if answer.is_error:
            assert answer.structured_content["details"]["parameter"] == "query"
            assert not parse_query(query, {}, {}).terms, query
            continue
        assert reach.missed(Found(serving, answer.structured_content), lines_with_a_term(corpus, query)) == [], query


def test_a_plain_search_of_notes_finds_the_text_as_grep_does(searched: tuple[Serving, Corpus], rounds: Rounds) -> None:
    serving, _ = searched
    notes = notes_of(serving.folder)
    for seed in range(rounds(20, 2_000)):
        query = hostile_query(random.Random(seed))
        body = serving.call("vault_search", query=query, mode="plain", limit=500)
        there = {(path, number) for path, lines in notes.items() for number, line in lines if query in line}
        assert {(item["path"], item["line"]) for item in body["results"]} == there, query


def test_no_expression_is_an_error_of_the_servers(searched: tuple[Serving, Corpus], rounds: Rounds) -> None:
    serving, _ = searched
    for seed in range(rounds(8, 2_000)):
        query = hostile_query(random.Random(seed))
        for tool, arguments in (
            ("vault_search", {"mode": "regex"}),
            ("vault_search", {"mode": "loose"}),
            ("vault_find", {}),
            ("vault_find", {"scope": {"glob": query}}),
            ("vault_search", {"glob": query, "mode": "plain"}),
        ):
            answer = serving.answer(tool, query=query, **arguments)
            assert answer.structured_content.get("code") in (None, "invalid_parameter"), (tool, query)


def notes_of(folder: WorkspaceFolder) -> dict[str, list[tuple[int, str]]]:
    return {
        path.name: list(enumerate(path.read_text("utf-8").split("\n"), 1))
        for path in (folder.root / "vault").glob("*.md")
    }
