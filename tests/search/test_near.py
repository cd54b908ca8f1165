"""`ログイン~拒否|禁止`: what holds a word of each side near each other, and nothing else."""

import contextlib
import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.database import open_reader
from morenashi.indexer.text import normalise
from morenashi.server.asking import MAX_TERMS
from morenashi.server.search.index.passages import read_passages
from morenashi.server.search.index.postings import Index
from morenashi.server.search.matching import TermMatcher
from morenashi.server.search.question.near import FURTHEST, take_near
from morenashi.server.search.question.query import parse_query

from ..examples import examples
from ..server.serving import Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder

LONG_AGO = "、".join(["そのほかの手続については別に定めるところによるものとする"] * 4)
SIDES = (("規程",), ("度程", "xyz"))
pieces = st.lists(
    st.sampled_from(["規程", "度程", "xyz", "あ" * 17, "b" * 33, "\n", "\n\n", "\n- ", "。", " "]), max_size=12
)


def matched(text: str, question: str) -> set[int]:
    match = TermMatcher(parse_query(question, {}, {}).terms, 1).match(normalise(text))
    return {line for line, _ in match.places} if match else set()


def columns(text: str) -> int:
    return sum(1 if character < "\u2e80" else 2 for character in text)


def starts_of(text: str, words: tuple[str, ...]) -> list[int]:
    return [start for start in range(len(text)) if text.startswith(words, start)]


def near_lines(text: str) -> set[int]:
    """Every choice of a word of each side is looked at."""
    found = set()
    for starts in itertools.product(*(starts_of(text, words) for words in SIDES)):
        between = text[min(starts) : max(starts)]
        if columns(between) <= FURTHEST and "\n\n" not in between and "\n- " not in between:
            found |= {text.count("\n", 0, start) for start in starts}
    return found


@examples(400)
@given(pieces)
def test_a_line_is_matched_if_a_word_of_the_other_side_is_near(drawn: list[str]) -> None:
    # The words end in a character that begins none, so that none stands across two pieces.
    text = normalise("。".join(drawn))
    assert matched(text, "規程~度程|xyz") == near_lines(text)


@pytest.mark.parametrize(
    ("text", "is_near"),
    [
        ("ログインは拒否される。", True),
        ("拒否されると、ログインできない。", True),
        ("ロ グ イ ン の 拒 否", True),
        ("ログインでき\nないよう\nに禁止する", True),
        ("ログイン" + "あ" * 76 + "拒否", True),
        ("ログイン" + "あ" * 77 + "拒否", False),
        ("ログイン" + "a" * 152 + "拒否", True),
        ("ログイン" + "a" * 153 + "拒否", False),
        ("ログイン\n\n拒否", False),
        ("- ログイン\n- 拒否", False),
        ("1. ログイン\n2. 拒否", False),
        ("| ログイン | 拒否 |", True),
        ("| ログイン |\n| 拒否 |", False),
        ("# ログイン\n拒否", True),
        ("拒否\n# ログイン", False),
        ("ログインとログイン", False),
        ("拒否と禁止", False),
    ],
)
def test_near_is_within_160_columns_of_a_paragraph_in_any_order(text: str, *, is_near: bool) -> None:
    assert bool(matched(text, "ログイン~拒否|禁止")) == is_near


def test_a_word_may_be_a_single_kanji() -> None:
    assert matched("うるう秒の間は\n\n60 秒まで", "秒~間|60") == {0, 2}
    assert matched("秒針。" + "あ" * 90 + "間", "秒~間") == set()


def test_three_sides_have_all_to_be_there() -> None:
    assert matched("root はログインを拒否される", "root~ログイン~拒否") == {0}
    assert matched("root はログインする", "root~ログイン~拒否") == set()


@pytest.mark.parametrize(
    ("question", "rest", "near"),
    [
        ("name~truncated", "", [(("name",), ("truncated",))]),
        ('"User Name"~"must not"|cannot', "", [(("user name",), ("must not", "cannot"))]),
        ("ＡＢＣ~上限|上限 休暇", "休暇", [(("abc",), ("上限",))]),
        ("規程~上限 休暇 年次~日数~付与", "休暇", [(("規程",), ("上限",)), (("年次",), ("日数",), ("付与",))]),
        ("秒~外|60", "", [(("秒",), ("外", "60"))]),
        ("10～20~年 ab|cd~“ef|gh”", "", [(("10~20",), ("年",)), (("ab", "cd"), ("ef|gh",))]),
        ("規程~9|10", "", [(("規程",), ("9", "10"))]),
        ('suid|setuid|"set uid" 規程~上限', 'suid setuid "set uid"', [(("規程",), ("上限",))]),
        ("規程~“set uid”|＂must not＂", "", [(("規程",), ("set uid", "must not"))]),
        ("「規程~上限」、 'ef'|gh~ij!", "", [(("規程",), ("上限",)), (("ef", "gh"), ("ij",))]),
        ('規程~"上限?"', "", [(("規程",), ("上限?",))]),
        ("HEAD~1, HEAD~2?", "HEAD~1, HEAD~2?", []),
        ("a|b", "a|b", []),
        ("ls || cat", "ls || cat", []),
        ("HEAD~1", "HEAD~1", []),
        ("10～20", "10～20", []),
        ("規程 ~ 上限", "規程 ~ 上限", []),
        ("~/.ssh/config", "~/.ssh/config", []),
        ("https://example.com/~user/x", "https://example.com/~user/x", []),
        ('"the ab~cd form"', '"the ab~cd form"', []),
        ("“ab~cd” «ab|cd form»", '"ab~cd" "ab|cd form"', []),
        ('"--"~force', '"--"~force', []),
        ("規程~~上限", "規程~~上限", []),
    ],
)
def test_what_is_no_near_stays_as_it_is_written(
    question: str, rest: str, near: list[tuple[tuple[str, ...], ...]]
) -> None:
    told, found = take_near(question)
    assert (told.strip(), [one.sides for one in found]) == (rest, near)
    assert [take_near(one.text)[1] for one in found] == [[one] for one in found]


@pytest.fixture
def manuals(workspace: WorkspaceFolder) -> Iterator[Serving]:
    workspace.write(
        "m/guide.md", f"# 手引\n\nログインは拒否される。\n\n## 別\n\nログインする。{LONG_AGO}。拒否する。\n"
    )
    workspace.write(
        "m/en.md", "# Names\n\nA name longer than\n63 bytes is truncated.\n\n## Other\n\nName it.\n\nTruncated.\n"
    )
    workspace.write("m/data.json", '{"ログイン": "禁止", "other": 1}\n')
    with serving_indexed(workspace) as serving:
        yield serving


def test_only_what_stands_near_is_found(manuals: Serving) -> None:
    assert manuals.find("ログイン~拒否|禁止").places() == {("guide.md", 3), ("data.json", 1)}
    found = manuals.find('name|identifier~truncated|"63 bytes"')
    assert found.places() == {("en.md", 4)}
    assert found.lines["matched"] == 2


def test_punctuation_at_the_ends_of_words_is_not_asked_for(manuals: Serving) -> None:
    for question in ("ログイン~拒否?", "「ログイン~拒否」", "ログイン~拒否。"):
        assert manuals.find(question).places() == {("guide.md", 3)}, question


def test_what_stands_in_typographic_quotes_is_not_called_absent(workspace: WorkspaceFolder) -> None:
    workspace.write("m/git.md", "# Git\n\nUse ab~cd here, which is not allowed.\n")
    with serving_indexed(workspace) as manuals:
        for question in ("“ab~cd”", "use~“not allowed”"):
            assert manuals.find(question).places() == {("git.md", 3)}, question


def test_bars_part_words(manuals: Serving) -> None:
    assert manuals.find('"63 bytes"|禁止').places() == {("en.md", 4), ("data.json", 1)}


def test_a_single_kanji_is_found_near(manuals: Serving) -> None:
    assert manuals.find("ログ~否").places() == {("guide.md", 3)}


def test_in_quotes_it_is_a_phrase(manuals: Serving) -> None:
    assert manuals.find('"ログイン 拒否~禁止 ログイン"').status == "absent"


def test_hiragana_alone_is_asked_for_near_too(manuals: Serving) -> None:
    found = manuals.find("され~する")
    assert found.places() == set()
    assert manuals.find("され~ログイン").places() == {("guide.md", 3)}


def test_a_heading_with_a_word_of_each_side_is_a_title_that_matches(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/a.md", "# ログインの拒否\n\n文。\n\n# ログイン\n\nログインを拒否する。\n")
    found = serve().find("ログイン~拒否|禁止")
    assert {item["start_line"]: "heading" in item["signals"] for item in found.hits()} == {1: True, 7: False}


def test_words_beside_it_are_looked_for_as_well(manuals: Serving) -> None:
    assert manuals.find("ログイン~拒否 names").places() == {("guide.md", 3), ("en.md", 1)}


def test_what_stands_nowhere_near_is_absent_and_named(manuals: Serving) -> None:
    found = manuals.find("names~拒否")
    assert found.status == "absent"
    assert [gap["gap_hint"] for gap in found.hits("gaps")] == [
        "names~拒否: not within 160 columns of one another, wherever they stand"
    ]


def test_an_index_that_misses_things_is_passed_over(manuals: Serving) -> None:
    with contextlib.closing(open_reader(manuals.folder.database)) as connection:
        lost = Index(connection, None, Index(connection, None).build)
        terms = parse_query("ログイン~拒否", {}, {}).terms
        found = read_passages(lost, lost.find_passages(terms, lost.corpus((), terms)))
    assert {passage.first_line for passage in found} == {1, 5}


def test_a_line_that_is_found_so_is_explained(workspace: WorkspaceFolder, manuals: Serving) -> None:
    done = workspace.run("explain-miss", "m/guide.md:3", "ログイン~拒否", "--json")
    assert '"candidate"' in done.stdout
    said = workspace.run("explain-miss", "m/guide.md:3", "ログイン~拒否").stdout
    assert "stand near each other" in said


def test_the_words_of_its_sides_count_among_those_of_a_question(manuals: Serving) -> None:
    words = "|".join(f"語{number}" for number in range(MAX_TERMS))
    assert manuals.refuse("manual_find", query=f"規程~{words}")["code"] == "invalid_parameter"
