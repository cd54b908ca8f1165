"""Which files an expression need not be looked for in, by what the index knows of them: none that has a match."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.json_escapes import unescape
from morenashi.indexer.text import normalise
from morenashi.indexer.tokens import squeeze
from morenashi.server.linear import PatternError, compile_linear
from morenashi.server.search.note_scope import EVERYTHING
from morenashi.server.vault.literals import Alternatives, needs_of_expression
from morenashi.server.vault.searched_files import list_searched_files
from morenashi.server.vault.widened import widen

from ..notes import Vault
from .searching import TEXT, known, search

PIECES = st.sampled_from(
    "免除 申請 abc b が ー . x? y* (か|き) [a-c] \\d+ z{2} ^ $ | サーバ q+ \\. (?i) w{0,2} []x] (?:申請)? \\w".split()
)
CHARACTERS = st.text("免除申請abcがーかき.xyzサーバq1１W_ \u3000・ﾊﾞ\u3099\u0301Ａ２\u200b", max_size=30)


@given(st.lists(PIECES, min_size=1, max_size=6), CHARACTERS, CHARACTERS)
def test_no_line_that_matches_is_ruled_out(pieces: list[str], before: str, after: str) -> None:
    expression = "".join(pieces)
    try:
        pattern = compile_linear(f"(?m){widen(expression)}", within_lines=True)
    except PatternError:
        return
    literal = re.sub(r"\(か\|き\)|\[a-c\]", "", expression)
    line = before + re.sub(r"\(\?i\)|\(\?:|[?*+^$|()\\\[\]{}]|\{.*?\}", "", literal) + after
    if pattern.search(line.encode()):
        _assert_admitted(expression, line)


GROUPED = st.recursive(
    st.sampled_from("免除 申 請 a b3 Ab か が ー [0-9] [a-c] [^a] [免申] \\d . ・ - サ".split()),
    lambda inner: (
        st.builds("(?:{}|{})".format, inner, inner)
        | st.builds("({}){}".format, inner, st.sampled_from("? * + {2} {0} {1,3} {5} +? {0,2}".split()))
        | st.builds("{}{}".format, inner, inner)
        | st.builds("{}|{}".format, inner, inner)
    ),
    max_leaves=8,
)


@given(st.data(), st.sampled_from(["", "(?i)"]), GROUPED, CHARACTERS, CHARACTERS)
def test_no_way_through_an_expression_is_forgotten(
    data: st.DataObject, flags: str, expression: str, before: str, after: str
) -> None:
    matched = data.draw(st.from_regex(re.compile(flags + expression), fullmatch=True))
    line = re.sub(r"[\r\n]", "", before + matched + after)
    if compile_linear(f"(?m){widen(flags + expression)}", within_lines=True).search(line.encode("utf-8", "ignore")):
        _assert_admitted(flags + expression, line)


@given(st.text(string.printable, max_size=12), st.text(string.printable + "免除が", max_size=20))
def test_no_expression_of_any_signs_rules_out_what_it_matches(expression: str, line: str) -> None:
    line = line.replace("\n", "").replace("\r", "")
    try:
        pattern = compile_linear(f"(?m){widen(expression)}", within_lines=True)
    except PatternError:
        return
    if pattern.search(line.encode()):
        _assert_admitted(expression, line)


def _assert_admitted(expression: str, line: str) -> None:
    needs = needs_of_expression(expression)
    assert needs.pairs is None or _is_admitted(needs.pairs, normalise(line))
    assert needs.pairs_in_json is None or _is_admitted(needs.pairs_in_json, normalise(unescape(line)))
    assert needs.texts is None or any(text in normalise(line) for text in needs.texts)
    assert needs.texts_in_json is None or any(text in normalise(unescape(line)) for text in needs.texts_in_json)
    assert all(chr(character) in line for character in needs.ascii)


def _is_admitted(alternatives: Alternatives, normal: str) -> bool:
    held = squeeze(normal)
    return any(all(any(pair in held for pair in pairs) for pairs in needed) for needed in alternatives)


@pytest.mark.parametrize("expression", ["免除(?i)?", "免_(?s)*", "免b(?i){0}"])
def test_what_is_repeated_across_flags_may_be_absent(expression: str) -> None:
    assert compile_linear(expression).search("免".encode())
    _assert_admitted(expression, "免")


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        (r"\x41bc", "Abc"),
        (r"\x{514d}除", "免除"),
        (r"\101bc", "Abc"),
        (r"\Qa.c\Ed", "a.cd"),
        (r"\pLbc", "免bc"),
        (r"\Cbc", "abc"),
        (r"\Aabc\z", "abc"),
        ("免q+除", "免qqq除"),
        ("免q{9}除", "免qqqqqqqqq除"),
        ("免(?:qr){9}除", "免qrqrqrqrqrqrqrqrqr除"),
    ],
)
def test_what_an_escape_or_a_repetition_stands_for_rules_nothing_out(expression: str, line: str) -> None:
    assert compile_linear(expression).search(line.encode())
    _assert_admitted(expression, line)


@given(st.text('\\\\unrtbf/"a05d4免除', max_size=25), st.text('unrtbf/"a05d4免除', min_size=1, max_size=8))
def test_escapes_of_json_hide_no_match(before: str, text: str) -> None:
    _assert_admitted(text, before + text)


@pytest.mark.parametrize(
    ("expression", "paths"),
    [
        ("申請期限", ["a.md"]),
        ("申請(期限|は)", ["a.md", "d.txt"]),
        ("[申届][請出](期限|期日)", ["a.md"]),
        (r"2[0-9]{3}.*とする", ["a.md"]),
        ("(?i)DEADLINE", ["a.md"]),
        ("申(請)?", ["a.md", "b.md", "c.json", "d.txt"]),
        ("Deadline|手順書", ["a.md", "b.md"]),
        ("abcd", ["c.json"]),
        (r"\d+", ["a.md", "b.md", "c.json", "d.txt"]),
    ],
)
def test_the_index_rules_out_files_that_cannot_match(vault: Vault, expression: str, paths: list[str]) -> None:
    for path, text in {"a.md": TEXT, "b.md": "手順書\n", "c.json": '{"k": "\\nabcd"}', "d.txt": "申請 する\n"}.items():
        known(vault, path, text)
    files = list_searched_files(vault.serving.workspace, EVERYTHING, needs_of_expression(expression)).files
    assert [file.path for file in files] == paths


@pytest.mark.parametrize(
    ("expression", "paths"),
    [
        (r"- \[ \]", ["a.md", "b.json", "e.txt"]),
        (r"[a-z]+_[a-z]+\(", ["c.md", "e.txt"]),
        (r"\*|\?", ["a.md", "b.json", "c.md", "d.md", "e.txt"]),
        (r"\*.*\?", ["d.md", "e.txt"]),
        (r"\]\^", ["d.md", "e.txt"]),
    ],
)
def test_files_without_the_punctuation_of_a_match_are_ruled_out(
    vault: Vault, expression: str, paths: list[str]
) -> None:
    texts = {
        "a.md": "- [ ] 届出\n",
        "b.json": '["- [ ]"]',
        "c.md": "call_me(x)\n",
        "d.md": "a* b? c]^\n",
        "e.txt": f"{string.punctuation}\n",
    }
    for path, text in texts.items():
        known(vault, path, text)
    files = list_searched_files(vault.serving.workspace, EVERYTHING, needs_of_expression(expression)).files
    assert [file.path for file in files] == paths


def test_a_file_with_all_pairs_of_a_text_but_not_the_text_is_ruled_out(vault: Vault) -> None:
    texts = {"a.md": "Timeout\n", "b.md": "time, image, meow out\n", "c.md": "なし\n", "d.json": '{"k": "time meout"}'}
    for path, text in texts.items():
        known(vault, path, text)
    files = list_searched_files(vault.serving.workspace, EVERYTHING, needs_of_expression("(?i)timeout")).files
    assert [file.path for file in files] == ["a.md", "d.json"]
    assert search(vault, "(?i)timeout") == [("a.md", 1)]
    assert search(vault, "timeout") == []
