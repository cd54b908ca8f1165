"""Queries full of SQL's, FTS5's and regular expressions' syntax: text like any other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.server.search.question.query import parse_query

from ..examples import examples
from ..limited_work import RunWithin
from ..server.serving import Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder, make_workspace

QUERIES = [
    "C++",
    "C#",
    ".NET",
    "rm -rf",
    "--force",
    "2026-12-15",
    "DO NOT USE",
    "AND OR NOT",
    "NEAR(a b)",
    "NEAR/2",
    "column:value",
    "tokens:abc",
    "^start",
    "wild*",
    "*",
    "%",
    "_",
    "a_b%c",
    "(paren",
    ")",
    "{brace}",
    "[x]",
    "a AND",
    "OR",
    '"unbalanced',
    '"',
    '""',
    '"a"b"',
    "'",
    "it's",
    "'; DROP TABLE documents; --",
    "\\",
    "C:\\temp",
    "a\\",
    "$HOME",
    "a|b",
    "ab|cd",
    "HEAD~1",
    "~/.ssh/config",
    "http://example.com/~user/x",
    "~",
    "ab~",
    "~|~",
    'ab~"cd',
    "ab~cd|ef~gh",
    "a+b?",
    ".*",
    "(?i)x",
    "<script>",
    "&amp;",
    "@user",
    "#tag",
    "user@example.com",
    "http://example.com/?q=1&r=2",
    "1.5e-10",
    "100%",
    "§3",
    "a,b;c",
    "...",
    "?",
    "!",
    "--",
    "/* */",
    "-1",
    "+",
    "=",
    "NULL",
    "a\x00b",
    "\ufffd",
    "\u202e逆",
    "👨‍👩‍👧",
]


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One file a query, in which it stands on line 4 as it is."""
    root: Path = tmp_path_factory.mktemp("syntax") / "workspace"
    folder = make_workspace(root)
    for number, query in enumerate(QUERIES):
        folder.write(f"m{number}/x.md", f"# 題\n\n前置き。\nここに {query} がある。\n")
    with serving_indexed(folder) as manuals:
        yield manuals


@pytest.mark.parametrize("number", range(len(QUERIES)), ids=map(ascii, QUERIES))
def test_it_is_found_where_it_stands(manuals: Serving, number: int) -> None:
    found = manuals.find(QUERIES[number], manual_id=f"m{number}", max_stage=3)
    assert found.places() == {("x.md", 4)}


@pytest.mark.parametrize("number", range(len(QUERIES)), ids=map(ascii, QUERIES))
def test_it_does_not_fail_over_all_manuals(manuals: Serving, number: int) -> None:
    manuals.answer("manual_find", query=QUERIES[number], budget={"max_candidates": 3})


def test_a_phrase_in_quotes_is_one_term(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\nold style and new rules\n")
    found = serve().find('"new style"')
    assert [item["gap_hint"] for item in found.hits("gaps")] == ["new style"]


def test_a_whole_phrase_ranks_before_its_words(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\nold style and new rules\n")
    workspace.write("m/b.md", "# 題\n\nnew style rules\n")
    assert serve().find('"new style"').hits("integrated_top")[0]["path"] == "b.md"


def test_a_star_is_no_wildcard(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# 題\n\n申請書を出す。\n")
    found = serve().find("出*")
    assert found.lines["matched"] == 0


@pytest.mark.parametrize(
    "asked",
    [
        *(
            "What is **ownership**?",
            "*ownership*",
            "***ownership***",
            "~~ownership~~",
            "_ownership_",
            "(**ownership**)",
        ),
        *("**ownership**とは", "[ownership](ch04-01.html)", "What is [**ownership**](https://example.com/a#b)?"),
    ],
)
def test_marks_of_markdown_around_a_word_are_none_of_it(workspace: WorkspaceFolder, serve: Serve, asked: str) -> None:
    workspace.write("m/x.md", "# 題\n\nRules of ownership.\n")
    workspace.write("m/y.md", "# 別\n\nExample.com and ch04.\n")
    found = serve().find(asked)
    assert (found.status, found.lines["matched"], found.paths()) == ("found", 1, {"x.md"})


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("*args, **kwargs", ["*args", "**kwargs"]),
        ("src/**/*.rs *.md", ["src/**/*.rs", "*.md"]),
        ("__init__ _ID_", ["__init__", "_id_"]),
        ('"**quoted** words"', ["**quoted** words"]),
        ("handlers[name](event)", ["handlers(name)(event"]),
        ("see <https://example.com/a> and Vec<T>", ["see", "https://example.com/a", "vec<t>"]),
        ("**smart pointers** and a*b*c", ["smart", "pointers", "a*b*c"]),
    ],
)
def test_such_signs_elsewhere_stay(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms


def test_very_many_marks_are_read_in_linear_work(run_within: RunWithin) -> None:
    run_within(
        15,
        """
from morenashi.server.search.question.markdown_marks import without_marks

for mark in ("*a", "**a", "~~a", "_ab", "_ab _", "[a", "[a](", "[a](b", '*a"', "![a](b/", "<https://"):
    without_marks(mark * 50_000)
""",
    )


@given(st.text(min_size=1, max_size=60))
@example("\u0301")
@example("\u0301\u0302-")
def test_every_term_of_a_query_says_something(question: str) -> None:
    query = parse_query(question, {}, {})
    spellings = [s for term in query.terms + query.fallback for s in (term.text, *term.exact, *term.loose)]
    assert [spelling for spelling in spellings if not spelling.strip()] == []


@pytest.mark.parametrize("question", ['" "', '"\u3000" 申請', '"  " "x"', '"\u200b"', '" " " "', '申請 "\t"'])
def test_a_quoted_blank_is_no_term(question: str) -> None:
    assert "" not in [term.text.strip() for term in parse_query(question, {}, {}).terms]


@examples(100)
@given(st.text(alphabet='" 申-', min_size=1, max_size=8))
def test_quotes_blanks_and_signs_make_no_empty_term(question: str) -> None:
    assert all(term.text.strip() for term in parse_query(question, {}, {}).terms)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("When must a package declare its dependencies?", ["package", "declare", "dependencies"]),
        ("how is log rotation set up", ["log", "rotation", "set"]),
        ("these files shall then be those of whose package", ["files", "package"]),
        ("must", ["must"]),
        ('"set up" of jobs', ["set up", "jobs"]),
        ("MUST-level requirements", ["must-level", "requirements"]),
    ],
)
def test_words_that_stand_on_lines_about_anything_are_no_terms(question: str, terms: list[str]) -> None:
    assert [term.text for term in parse_query(question, {}, {}).terms] == terms
