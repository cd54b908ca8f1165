"""Documents that say little or nothing, and some that never stop: the index is right about them, too."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.check import check_index

from ..examples import examples
from ..workspaces import WorkspaceFolder, make_workspace
from .indexes import content, index, open_index, rebuilt

NAMES = ("a/x.md", "a/y.json", "b/x.md")

EMPTY = ["", "  ", "\n\n", "　", "\t\f\v", "・/-", "---\n", "!?…", "#\n", "# \n\n## \n", "# -\n", "\u0301\u0301", "\0"]
EMPTY += ["# a\0b\n", "\u200b", "\ufeff", "\u202e", "\ufffe\uffff", "\U0010ffff", '"\\ud800"', "|\n|-|\n", "\r\r\n"]

KANJI = "".join(map(chr, range(0x4E00, 0x7B00)))
"""11,500 different ones, 34,560 bytes: more than FTS5 keeps of a token."""

ENDLESS = {
    "kanji": KANJI,
    "katakana": "アイウ" * 9_000,
    "base64": "aZ9" * 20_000,
    "digits": "1" * 20_000,
    "numbers in kanji": "一二三" * 7_000,
    "an article": f"# 第{'1' * 5_000}条\n第{'九' * 5_000}条による。\n",
    "a heading": f"# {KANJI}\n",
    "a link": f"[a]({'x' * 40_000})",
    "brackets": "「（[" * 7_000,
    "JSON": '{"k":' * 900 + "1" + "}" * 900,
    "both": f"{KANJI} {KANJI[:12_000]} {'x' * 40_000} {'x' * 33_000}",
}

odd_texts = st.text(
    st.sampled_from(" \n\r\t\x00\x0c　・/-_,、#>|!?…。\u0301\u3099\u200b\ufeff\ufe0fーa条\\"), max_size=12
)
steps = st.tuples(st.sampled_from(NAMES), st.sampled_from(EMPTY) | odd_texts | st.none())


def faults(workspace: WorkspaceFolder) -> list[str]:
    return check_index(workspace.config()).faults


@examples(15)
@given(st.lists(steps, min_size=1, max_size=8))
def test_whatever_the_documents_are_a_check_finds_nothing(steps: list[tuple[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as root:
        workspace = make_workspace(Path(root) / "workspace")
        for name, text in steps:
            if text is not None:
                workspace.write(name, text)
            else:
                (workspace.manuals / name).unlink(missing_ok=True)
            index(workspace)
            assert faults(workspace) == []
        with open_index(workspace) as opened:
            assert content(opened) == rebuilt(workspace)
        index(workspace, full=True)
        assert faults(workspace) == []


@pytest.mark.parametrize("name", ["a/x.md", "a/x.json"])
@pytest.mark.parametrize("text", EMPTY, ids=ascii)
def test_a_document_that_says_nothing_is_counted_right(workspace: WorkspaceFolder, name: str, text: str) -> None:
    workspace.write(name, text)
    index(workspace)
    assert faults(workspace) == []
    workspace.write(name, "旅費")
    index(workspace)
    assert faults(workspace) == []


@pytest.mark.parametrize("name", ["a/x.md", "a/x.json"])
@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_document_without_a_break_is_counted_right(workspace: WorkspaceFolder, name: str, text: str) -> None:
    workspace.write(name, text)
    index(workspace)
    assert faults(workspace) == []
    workspace.write(name, f"{text}\n\n旅費")
    index(workspace)
    assert faults(workspace) == []
    index(workspace, full=True)
    assert faults(workspace) == []
