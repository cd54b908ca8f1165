"""Written as differences, the index is the one that is written at once."""

import random
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from morenashi.indexer.references.resolve_references import find_faults
from morenashi.indexer.term_counts import FREQUENT

from ..examples import examples
from ..workspaces import WorkspaceFolder, make_workspace
from .indexes import OpenIndex, assert_full_text_is_sound, content, open_index, rebuilt
from .texts import citing_lines, lines, markdown_lines

NAMES = ("a/x.md", "a/y.md", "a/sub/z.json", "b/x.md")
some_lines = st.lists(markdown_lines | lines | citing_lines, max_size=12)
edits = st.tuples(
    st.sampled_from(["insert", "delete", "replace", "rename", "remove", "rewrite", "synchronise"]),
    st.sampled_from(NAMES),
    st.integers(0, 12),
    some_lines,
)


class Folder:
    """Documents as lists of lines, edited as people edit."""

    def __init__(self, workspace: WorkspaceFolder) -> None:
        self.workspace = workspace
        self.documents: dict[str, list[str]] = {}

    def apply(self, edit: str, name: str, position: int, new: list[str]) -> None:
        document = self.documents.get(name, [])
        if edit == "rename" and name in self.documents:
            self.documents[NAMES[position % len(NAMES)]] = self.documents.pop(name)
        elif edit == "remove":
            self.documents.pop(name, None)
        elif edit == "rewrite":
            self.documents[name] = new
        else:
            end = position + (0 if edit == "insert" else 2)
            self.documents[name] = document[:position] + ([] if edit == "delete" else new[:2]) + document[end:]
        self._write()

    def _write(self) -> None:
        for name in NAMES:
            path = self.workspace.manuals / name
            if name in self.documents:
                self.workspace.write(name, "\n".join(self.documents[name]))
            elif path.exists():
                path.unlink()


@examples(10)
@given(st.lists(edits, min_size=1, max_size=8))
def test_an_index_kept_up_to_date_equals_a_fresh_one(steps: list[tuple[str, str, int, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as root:
        folder = Folder(make_workspace(Path(root) / "workspace"))
        with open_index(folder.workspace) as opened:
            for edit, name, position, new in steps:
                if edit == "synchronise":
                    opened.synchronise()
                else:
                    folder.apply(edit, name, position, new)
            opened.synchronise()
            assert_full_text_is_sound(opened)
            assert content(opened) == rebuilt(folder.workspace)


citing_edits = st.tuples(
    st.sampled_from(["insert", "delete", "replace", "rename", "remove", "rewrite", "synchronise", "synchronise"]),
    st.sampled_from(NAMES),
    st.integers(0, 12),
    st.lists(citing_lines, max_size=12),
)


@examples(15)
@given(st.lists(citing_edits, min_size=2, max_size=12))
def test_references_kept_up_to_date_equal_fresh_ones(steps: list[tuple[str, str, int, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as root:
        folder = Folder(make_workspace(Path(root) / "workspace"))
        with open_index(folder.workspace) as opened:
            for edit, name, position, new in steps:
                if edit == "synchronise":
                    opened.synchronise()
                    assert find_faults(opened.connection) == []
                else:
                    folder.apply(edit, name, position, new)
            opened.synchronise()
            assert content(opened) == rebuilt(folder.workspace)


def test_many_saves_of_a_long_document_leave_a_sound_index(workspace: WorkspaceFolder) -> None:
    chance = random.Random(7)
    text = [
        f"{'#' * chance.choice((2, 3))} 第{n}条\n" + "旅費は別に定める。\n" * chance.randrange(60) for n in range(60)
    ]
    with open_index(workspace) as opened:
        for _ in range(25):
            position = chance.randrange(len(text))
            text[position : position + chance.randrange(3)] = [f"## 改正{chance.random()}\n本文\n"]
            workspace.write("a/x.md", "".join(text))
            opened.synchronise()
            assert_counts_are_exact(opened)
        assert_full_text_is_sound(opened)
        assert content(opened) == rebuilt(workspace)


def test_unchanged_passages_keep_their_rows(workspace: WorkspaceFolder) -> None:
    sections = [f"## 第{number}条\n本文{number}\n" for number in range(9)]
    workspace.write("a/x.md", "".join(sections))
    with open_index(workspace) as opened:
        opened.synchronise()
        before = rows_by_text(opened)
        sections[4] = "## 第4条\n改正\n## 第4条の2\n新設\n"
        del sections[7]
        workspace.write("a/x.md", "".join(sections))
        opened.synchronise()
        after = rows_by_text(opened)
    kept = before.keys() & after.keys()
    assert len(kept) == 7
    assert {text: before[text] for text in kept} == {text: after[text] for text in kept}


def test_sections_that_only_move_keep_their_rows(workspace: WorkspaceFolder) -> None:
    workspace.write("a/x.md", "# 一\n## 二\n## 三\n")
    query = "SELECT title, id FROM sections"
    with open_index(workspace) as opened:
        opened.synchronise()
        before = dict(opened.rows(query))
        workspace.write("a/x.md", "前文\n\n# 新\n# 一\n## 三\n## 二\n")
        opened.synchronise()
        after = dict(opened.rows(query))
    assert {title: after[title] for title in before} == before


def test_counts_are_exact_where_terms_pass_the_threshold_both_ways(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        for documents in (2 * FREQUENT, FREQUENT - 3, 2 * FREQUENT, 0, FREQUENT + 1):
            for number in range(2 * FREQUENT):
                text = "旅費規程" if number < documents else "別の文"
                workspace.write(f"a/{number:02}.md", f"# {text} settings\n")
            opened.synchronise()
            assert_counts_are_exact(opened)


def test_what_small_changes_leave_is_merged_bit_by_bit(workspace: WorkspaceFolder) -> None:
    with open_index(workspace) as opened:
        for number in range(40):
            workspace.write("a/x.md", "# 題\n" + "".join(f"第{number}版の{line}行\n" for line in range(200)))
            opened.synchronise()
            while opened.synchroniser.merge():
                pass
        segments = opened.value("SELECT count(DISTINCT segid) FROM pairs_idx")
        assert segments < 12
        assert not opened.synchroniser.merge()
        assert_full_text_is_sound(opened)
        assert_counts_are_exact(opened)


def rows_by_text(opened: OpenIndex) -> dict[str, int]:
    return dict(opened.rows("SELECT text, id FROM passage_texts"))


def assert_counts_are_exact(opened: OpenIndex) -> None:
    """What is counted is right; words that became frequent since the last bulk run may be missing."""
    wrong = opened.rows(_WRONG_COUNTS)
    kanji = dict(opened.rows("SELECT term, passages FROM term_counts WHERE kind = 'kanji' AND passages <> 0"))
    texts = [row[0] for row in opened.rows("SELECT text FROM passage_texts")]
    assert wrong == []
    assert dict(opened.rows(_KEPT_PAIRS)) == dict(opened.rows("SELECT term, doc FROM pairs_vocabulary"))
    assert kanji == {k: sum(k in text for text in texts) for k in kanji}
    totals = dict(opened.rows("SELECT key, CAST(value AS INTEGER) FROM index_state"))
    assert (totals["passages"], totals["characters"]) == (len(texts), sum(map(len, texts)))


_KEPT_PAIRS = "SELECT term, passages FROM term_counts WHERE kind = 'pair'"

_WRONG_COUNTS = """
SELECT kind, term_counts.term, passages, coalesce(pairs_vocabulary.doc, words_vocabulary.doc, 0) AS actual
FROM term_counts
LEFT JOIN pairs_vocabulary ON kind = 'pair' AND pairs_vocabulary.term = term_counts.term
LEFT JOIN words_vocabulary ON kind = 'word' AND words_vocabulary.term = term_counts.term
WHERE kind <> 'kanji' AND passages <> actual
"""
