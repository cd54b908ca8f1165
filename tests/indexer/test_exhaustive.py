"""Every passage that contains a term is among those the index names for it."""

import contextlib
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.text import normalise
from morenashi.indexer.tokens import squeeze
from morenashi.server.search.index.postings import Index
from morenashi.server.search.question.query import parse_query
from morenashi.server.search.question.terms import Term

from ..examples import Rounds, examples
from ..workspaces import make_workspace, require_devset
from .indexes import index, reading

# Few characters, so that terms recur; separators, digits, symbols and characters that fold among them.
LETTERS = "旅費規程第三条3サバーのはabeｂＡé・-/ 　_,、。%\"'*:()「」^+か\u3099😀\n"
documents = st.dictionaries(
    st.sampled_from(["a/x.md", "a/y.md", "b/x.md", "b/z.json"]),
    st.lists(st.text(st.sampled_from(LETTERS), max_size=40), min_size=1, max_size=6).map("\n# ".join),
    min_size=1,
)
terms = st.lists(st.text(st.sampled_from(LETTERS.replace("\n", "")), min_size=1, max_size=6), max_size=12)


@contextlib.contextmanager
def indexed(files: dict[str, str]) -> Iterator[tuple[Index, dict[int, str]]]:
    """An index over these files, with the text of each of its passages."""
    with tempfile.TemporaryDirectory() as root:
        workspace = make_workspace(Path(root) / "workspace")
        for path, text in files.items():
            workspace.write(path, text)
        index(workspace)
        with reading(workspace) as connection:
            yield Index(connection, None), dict(connection.execute("SELECT id, text FROM passage_texts"))


def assert_finds_all(asked: Index, texts: dict[int, str], term: Term) -> None:
    """The passages that a term's spellings stand in, as written or with separators between, are found."""
    found = set(asked.find_passages([term], asked.corpus([], [term])))
    for spelling in (*term.exact, *term.loose):
        holding = {number for number, text in texts.items() if spelling in text}
        if len(squeeze(spelling)) > 0:
            holding |= {number for number, text in texts.items() if squeeze(spelling) in squeeze(text)}
        assert holding <= found, (term, sorted(holding - found))


@examples(12)
@given(documents, terms, st.data())
def test_every_passage_with_a_term_is_found(files: dict[str, str], others: list[str], data: st.DataObject) -> None:
    with indexed(files) as (asked, texts):
        for question in others + _excerpts(data, texts):
            for term in parse_query(question, {}, {}).terms:
                assert_finds_all(asked, texts, term)


@examples(8)
@given(documents, st.data())
def test_every_passage_with_one_of_several_terms_is_found(files: dict[str, str], data: st.DataObject) -> None:
    with indexed(files) as (asked, texts):
        asked_terms = parse_query(" ".join(_excerpts(data, texts)), {}, {}).terms
        if asked_terms:
            found = asked.find_passages(asked_terms, asked.corpus([], asked_terms))
            holding = {n for n, text in texts.items() for term in asked_terms if term.text in text}
            assert holding <= set(found)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 9])
def test_every_passage_of_real_manuals_with_a_term_is_found(
    length: int, manuals: tuple[Index, dict[int, str]], rounds: Rounds
) -> None:
    asked, texts = manuals
    chance = random.Random(length)
    passages = list(texts.values())
    for _ in range(rounds(20, 200)):
        text = chance.choice(passages)
        start = chance.randrange(max(1, len(text) - length))
        for term in parse_query(text[start : start + length].replace('"', ""), {}, {}).terms:
            assert_finds_all(asked, texts, term)


@pytest.mark.parametrize(
    "spelling",
    ["申請・届出", "申請 届出", "申請届出", "申請/届出", "申請－届出", "申請_届出", "申請,届出", "申請、届出"],
)
def test_separators_inside_a_term_make_no_difference(spelling: str) -> None:
    files = {"a/x.md": "# 申請・届出の手引", "a/y.md": "# 申請 届出", "b/x.md": "申請\n届出", "b/y.md": "# 届出申請"}
    with indexed(files) as (asked, texts):
        (term,) = parse_query(f'"{spelling}"', {}, {}).terms
        found = {texts[number] for number in asked.find_passages([term], asked.corpus([], [term]))}
    assert {"# 申請・届出の手引", "# 申請 届出", "申請\n届出"} <= found


@pytest.mark.parametrize("separator", ["・", "-", "/", "_", ","])
def test_a_term_of_separators_alone_is_found(separator: str) -> None:
    with indexed({"a/x.md": f"甲{separator}乙", "a/y.md": "甲乙"}) as (asked, texts):
        (term,) = parse_query(separator, {}, {}).terms
        assert_finds_all(asked, texts, term)


@pytest.mark.parametrize("text", ["C++", "a&&b", "NOT", "NEAR(", "x:y", "*", "^", '("', "50%", "'", "--"])
def test_what_is_syntax_elsewhere_is_text_here(text: str) -> None:
    with indexed({"a/x.md": f"前 {text} 後", "a/y.md": "別"}) as (asked, texts):
        for term in parse_query(text, {}, {}).terms:
            assert_finds_all(asked, texts, term)


def test_a_term_is_found_in_its_manual_only() -> None:
    with indexed({"a/x.md": "旅費", "b/x.md": "旅費"}) as (asked, texts):
        (term,) = parse_query("旅費", {}, {}).terms
        within = Index(asked.connection, "b")
        assert len(within.find_passages([term], within.corpus([], [term]))) == 1
        assert len(asked.find_passages([term], asked.corpus([], [term]))) == len(texts)


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Index, dict[int, str]]]:
    """An index over some of the material."""
    workspace = make_workspace(tmp_path_factory.mktemp("manuals") / "workspace")
    for manual in ("vue-ja", "相続税法令"):
        shutil.copytree(require_devset("manuals", manual), workspace.manuals / manual)
    index(workspace)
    with reading(workspace) as connection:
        yield Index(connection, None), dict(connection.execute("SELECT id, text FROM passage_texts"))


def _excerpts(data: st.DataObject, texts: dict[int, str]) -> list[str]:
    """Pieces of one to five characters of lines that are there."""
    lines = sorted({line for text in texts.values() for line in text.split("\n") if line})
    found = []
    for _ in range(6 if lines else 0):
        line = data.draw(st.sampled_from(lines))
        start = data.draw(st.integers(0, len(line) - 1))
        found.append(line[start : start + data.draw(st.integers(1, 5))])
    return found


def test_normalised_questions_and_texts_meet() -> None:
    with indexed({"a/x.md": "ｻｰﾊﾞｰの第３条「Ａｂ」"}) as (asked, texts):
        for question in ("サーバー", "第3条", "ＡＢ", normalise("「Ａｂ」")):
            (term,) = parse_query(question, {}, {}).terms
            assert asked.find_passages([term], asked.corpus([], [term])) == list(texts)
